//! The ways in which cloth resists stretching and bending, against one another and against what each is known for.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::f64::consts::PI;

use aplomb_sim::bodies::cloth::{BENDING_LAWS, Stretching};
use aplomb_sim::element::{Batch, Element, IsometricHinge, Spring};
use aplomb_sim::export::{Place, Values, follow_recorded, scene_meshes};
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::InitReport;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Cut, Sheet};
use serde_json::json;

/// Elements of this kind, with their nodes.
fn elements<E: Element<N, 1>, const N: usize>(simulation: &Simulation) -> Vec<(E, [u32; N])> {
    let batches = simulation.system.families.iter().filter_map(|family| {
        let any: &dyn std::any::Any = family.as_ref();
        any.downcast_ref::<Batch<E, N, 1>>()
    });
    batches.flat_map(|batch| batch.elements.iter().cloned().zip(batch.connectivity().iter().copied())).collect()
}

fn initialised(sheet: &Sheet) -> (Simulation, InitReport) {
    let mut simulation = sheet.build().unwrap();
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    (simulation, report)
}

/// What is said of a sheet that does not hold.
fn told(sheet: &Sheet) -> String {
    initialised(sheet).1.infeasible.iter().map(|fault| fault.message.clone()).collect::<Vec<_>>().join("\n")
}

/// A curtain that hangs from its top row, with waves of this height.
fn curtain(height: f64) -> Sheet {
    let wave = |u: f64, v: f64| Vec3::new(u, -v, height * (4.0 * PI * u).sin() * (0.5 + 0.5 * v));
    let mut sheet = Sheet::new([11, 11], Cut::Cross, wave);
    sheet.hold(|_, v| v == 0.0);
    sheet
}

/// Each way to stretch with each way to bend keeps the shape of a curtain that hangs straight; and those that can, of one with waves.
#[test]
fn every_way_keeps_a_curtain() {
    for stretching in Stretching::all() {
        for bending in BENDING_LAWS {
            let names = (stretching.name(), bending.name());
            // Springs alone are too few where the sheet is curved.
            let height = if bending.name() == "wing_springs" { 0.0 } else { 0.05 };
            for height in [0.0, height] {
                let mut sheet = curtain(height);
                sheet.cloth(&json!({ "law": names.0, "bending_law": names.1, "bending_stiffness": 1e-3 }));
                let (mut simulation, report) = initialised(&sheet);
                assert!(report.residual.after < 1e-10 && report.infeasible.is_empty(), "{names:?} {height}: {:?}", report.residual);
                let drift = (0..20).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
                assert!(drift < 1e-9, "{names:?} {height}: {drift}");
                // The naive rest state sags, so that this says something.
                let mut naive = sheet.build().unwrap();
                naive.initialise(Method::Naive, &Unwatched).unwrap();
                let drift = (0..20).map(|_| naive.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
                assert!(drift > 1e-5, "{names:?} {height}: {drift}");
            }
        }
    }
}

/// The schema offers what there is.
#[test]
fn the_schema_lists_every_way() {
    let schema = aplomb_sim::scene_file::schema();
    for name in Stretching::all().map(|law| law.name()).chain(BENDING_LAWS.iter().map(|law| law.name())) {
        assert!(schema.contains(&format!("\"{name}\"")), "{name}");
    }
}

/// A level strip that is clamped at one end: what crosses a line is the moment of what hangs beyond, q L^2 / 2 per width.
#[test]
fn isometric_hinges_have_the_moments_of_a_plate() {
    let (width, density) = (0.2, 0.3);
    let mut sheet = Sheet::new([40, 8], Cut::Cross, |u, v| Vec3::new(u, 0.0, width * v));
    sheet.cloth(&json!({ "bending_law": "isometric", "bending_stiffness": 1.0, "density": density })).hold(|u, _| u < 1.5 / 40.0);
    let (simulation, report) = initialised(&sheet);
    assert!(report.residual.after < 1e-10 && report.infeasible.is_empty(), "{:?}", report.residual);
    let at = |n: u32| simulation.system.positions[n as usize];
    for u in [0.25, 0.5] {
        let hinges = elements::<IsometricHinge, 4>(&simulation);
        let on_the_line = hinges.iter().filter(|(_, nodes)| nodes[..2].iter().all(|&n| (at(n).x - u).abs() < 1e-9));
        let found: f64 = on_the_line.map(|(hinge, nodes)| hinge.force_coordinates(&nodes.map(at))[0]).sum();
        let moment = density * 9.81 * width * (1.0 - u) * (1.0 - u) / 2.0;
        assert!((found.abs() / moment - 1.0).abs() < 1e-9, "{u}: {found} of {moment}");
    }
}

/// Too soft, it is told so, with a bending stiffness that is just enough.
#[test]
fn isometric_hinges_name_the_rigidity_that_holds() {
    let flat = |rigidity: f64| {
        let mut sheet = Sheet::new([12, 12], Cut::Cross, |u, v| Vec3::new(u, 0.0, v));
        sheet.cloth(&json!({ "bending_law": "isometric", "bending_stiffness": rigidity }));
        sheet.hold(|u, v| u == 0.0 || v == 0.0 || u == 1.0 || v == 1.0);
        sheet
    };
    let words = told(&flat(1e-5));
    assert!(words.contains("rad from the given one"), "{words}");
    let advised = words.split("a bending stiffness of ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let advised: f64 = advised.parse().unwrap();
    assert_eq!(told(&flat(advised)), "", "what is advised holds");
    assert!(!told(&flat(0.9 * advised)).is_empty(), "and a little less does not");
}

/// The defect of springs across edges: a flat sheet carries nothing across its plane, however stiff they are.
#[test]
fn flat_wing_springs_carry_nothing_across_their_plane() {
    let flat = |law: &str| {
        let mut sheet = Sheet::new([8, 8], Cut::Cross, |u, v| Vec3::new(u, 0.0, v));
        sheet.cloth(&json!({ "bending_law": law, "bending_stiffness": 10.0 }));
        sheet.hold(|u, v| u == 0.0 || v == 0.0 || u == 1.0 || v == 1.0);
        told(&sheet)
    };
    assert!(flat("wing_springs").contains("across its plane"), "{}", flat("wing_springs"));
    for law in ["angle", "isometric"] {
        assert_eq!(flat(law), "", "{law}");
    }
}

/// Springs along the edges of triangles of equal sides are a sheet of the stiffness that is asked for with a Poisson's ratio of 1/3; those of
/// the border stand for one triangle.
#[test]
fn edge_springs_are_a_sheet() {
    let (side, stiffness, stiff) = (0.1, 300.0, 900.0);
    let mut sheet = Sheet::new([1, 1], Cut::Right, |u, v| Vec3::new(u, v, 0.0));
    let around = (0..6).map(|k| (PI / 3.0 * f64::from(k)).sin_cos()).map(|(s, c)| side * Vec3::new(c, s, 0.0));
    sheet.positions = std::iter::once(Vec3::zeros()).chain(around).collect();
    sheet.triangles = (0..6).map(|k| [0, k + 1, (k + 1) % 6 + 1]).collect();
    sheet.cloth(&json!({ "law": "springs", "stiffness": stiffness, "bending_stiffness": 0.0, "damping": 0.1 }));
    let area = 6.0 * 0.75f64.sqrt() / 2.0 * side * side;
    let strains = [[1e-5, 0.0, 0.0], [0.0, 1e-5, 0.0], [0.0, 0.0, 1e-5], [1e-5, -2e-5, 3e-5]];
    let energy = |simulation: &Simulation, [xx, yy, xy]: [f64; 3]| {
        let map = |x: &Vec3| Vec3::new(x.x * (1.0 + xx) + x.y * xy, x.x * xy + x.y * (1.0 + yy), 0.0);
        let x: Vec<Vec3> = simulation.system.positions.iter().map(map).collect();
        simulation.system.families.iter().map(|family| family.energy(&x)).sum::<f64>()
    };
    let plate = |[xx, yy, xy]: [f64; 3]| {
        let nu = 1.0 / 3.0;
        area * stiffness / (2.0 * (1.0 - nu * nu)) * (xx * xx + yy * yy + 2.0 * nu * xx * yy + 2.0 * (1.0 - nu) * xy * xy)
    };
    let simulation = sheet.build().unwrap();
    for strain in strains {
        let found = energy(&simulation, strain) / plate(strain);
        assert!((found - 1.0).abs() < 1e-3, "{strain:?}: {found}");
    }
    let springs = elements::<Spring, 2>(&simulation);
    assert!(springs.len() == 12 && springs.iter().all(|(spring, _)| (spring.damping() - 0.1).abs() < 1e-15));
    let bulk: f64 = springs.iter().map(|(spring, nodes)| spring.bulk(&nodes.map(|n| simulation.system.positions[n as usize]))).sum();
    assert!((bulk / area - 1.0).abs() < 1e-12);
    // A region's triangles have their own stiffness, each for itself.
    let region = json!([{ "name": "stiff", "role": { "as": { "cloth": { "stiffness": stiff } } }, "select": [{ "elements": [0, 1] }] }]);
    sheet.scene["bodies"][0]["regions"] = region;
    let simulation = sheet.build().unwrap();
    let strain = [1e-5, 1e-5, 0.0];
    let expected = plate(strain) * (4.0 + 2.0 * stiff / stiffness) / 6.0;
    assert!((energy(&simulation, strain) / expected - 1.0).abs() < 1e-3);
}

/// No cell of it is an element: what its springs tell is of the nodes, in fields, exports and probes, and nothing is said of cells.
#[test]
fn what_edge_springs_tell_is_of_the_nodes() {
    let mut sheet = curtain(0.0);
    sheet.cloth(&json!({ "law": "springs", "bending_stiffness": 1e-4 }));
    sheet.scene["probes"] = json!([{ "name": "middle", "body": "cloth", "at": { "element": 100 } }]);
    let (simulation, _) = initialised(&sheet);
    let system = &simulation.system;
    let body = &system.bodies[0];
    assert!(body.cell_span().is_none() && body.cells().is_empty() && body.further_spans().len() == 2);
    let mut meshes = scene_meshes(system, &system.positions);
    follow_recorded(system, &system.positions, &mut meshes);
    let tension = meshes[0].data.iter().find(|data| data.name.starts_with("tension")).unwrap();
    assert_eq!(tension.place, Place::Point);
    let Values::F64(values) = &tension.values else { panic!("numbers") };
    assert!(values.len() == body.nodes.len() && values.iter().all(|value| value.is_finite()));
    // Near the top the springs hold more than near the bottom.
    let mean = |row: usize| values[12 * row..12 * (row + 1)].iter().sum::<f64>();
    assert!(mean(1) > 2.0 * mean(8) && mean(8) > 0.0, "{} {}", mean(1), mean(8));
    let located = aplomb_sim::system::probe::Located::of(system, 0, aplomb_sim::scene::ProbePlace::Element(100)).unwrap();
    assert!(located.element.is_none() && located.value(values, &[]).is_finite());
    // With membranes each cell is one.
    sheet.cloth(&json!({ "law": "stvk" }));
    let (simulation, _) = initialised(&sheet);
    let body = &simulation.system.bodies[0];
    assert!(body.cells().len() == body.mesh.cells.len() && body.further_spans().len() == 1);
}

/// Where only pulling is asked for, no spring pushes, and where it is, what cannot be held so is told; of membranes it cannot be asked.
#[test]
fn edge_springs_only_pull_where_they_are_told_to() {
    let pushes = |only_pull: bool| {
        let mut sheet = curtain(0.0);
        sheet.cloth(&json!({ "law": "springs", "bending_stiffness": 1e-4, "only_pull": only_pull }));
        let (simulation, report) = initialised(&sheet);
        assert!(report.residual.after < 1e-6, "{only_pull}: {:?}", report.residual);
        let at = |n: u32| simulation.system.positions[n as usize];
        elements::<Spring, 2>(&simulation).iter().map(|(spring, nodes)| spring.force_coordinates(&nodes.map(at))[0]).fold(0.0, f64::min)
    };
    let (free, told) = (pushes(false), pushes(true));
    assert!(free < -1e-4 && told > -1e-7, "{free} {told}");
    let mut sheet = curtain(0.0);
    sheet.cloth(&json!({ "only_pull": true }));
    let refused = sheet.build().map(|_| ()).unwrap_err();
    assert!(refused.contains("bodies[0].as.cloth.only_pull") && refused.contains("\"law\": \"springs\""), "{refused}");
}
