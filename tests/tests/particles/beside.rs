//! Bodies of tets and of cloth beside material points, one way: walls that go their own way.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use crate::scene::{GRAVITY, Particles, SPACING, lattice, run};
use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::structured::{CubeCut, box_mesh};
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{Conclusion, InfeasibilityCode, NudgeVerdict, Verdict};
use aplomb_sim::step::{StepError, StepStats};
use aplomb_sim::watch::{Cancelled, Unwatched, Watch};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The box under the points, whose top is 0.013 m under them: on no plane of the grid, and no node is as near to one side as to another.
const SIZE: [f64; 3] = [0.64, 0.37, 0.62];
const AT: [f64; 3] = [-0.12, -0.383, -0.11];

/// Vertices and tets of the box.
fn tets(cells: [usize; 3]) -> (Vec<Vec3>, Vec<[u32; 4]>) {
    let (mut positions, tets) = box_mesh(Vec3::from(SIZE), cells, CubeCut::Kuhn);
    positions.iter_mut().for_each(|x| *x += Vec3::from(AT));
    (positions, tets)
}

pub fn medit((positions, tets): &(Vec<Vec3>, Vec<[u32; 4]>)) -> String {
    let vertices: String = positions.iter().map(|x| format!("{:?} {:?} {:?} 0\n", x.x, x.y, x.z)).collect();
    let cells: String = tets.iter().map(|[a, b, c, d]| format!("{} {} {} {} 0\n", a + 1, b + 1, c + 1, d + 1)).collect();
    format!("MeshVersionFormatted 2\nDimension 3\nVertices\n{}\n{vertices}Tetrahedra\n{}\n{cells}End\n", positions.len(), tets.len())
}

/// The file of a surface.
pub fn faces(positions: &[Vec3], triangles: &[[u32; 3]]) -> String {
    let triangles: String = triangles.iter().map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1)).collect();
    let vertices: String = positions.iter().map(|x| format!("v {:?} {:?} {:?}\n", x.x, x.y, x.z)).collect();
    vertices + &triangles
}

/// Outer faces of tets.
pub fn boundary(tets: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let of = |[a, b, c, d]: &[u32; 4]| [[*a, *c, *b], [*a, *b, *d], [*b, *c, *d], [*a, *d, *c]];
    let all: Vec<[u32; 3]> = tets.iter().flat_map(of).collect();
    let sorted = |t: &[u32; 3]| {
        let mut t = *t;
        t.sort_unstable();
        t
    };
    all.iter().filter(|t| all.iter().filter(|other| sorted(other) == sorted(t)).count() == 1).copied().collect()
}

pub fn held(select: Value, role: Value) -> Value {
    json!([{ "name": "held", "role": { "dirichlet": role }, "select": [select] }])
}

/// Adds a body, which goes one way, and this friction.
pub fn beside(points: &mut Particles, body: Value, friction: f64) {
    points.scene["bodies"].as_array_mut().unwrap().push(body);
    points.scene["simulate"]["grid"]["bodies"] = json!("one_way");
    points.scene["contact"] = json!({ "friction": friction });
}

/// A box of tets under the points.
pub fn solid(points: &Particles, cells: [usize; 3], regions: Value) -> Value {
    std::fs::write(points.folder.path().join("box.mesh"), medit(&tets(cells))).unwrap();
    let material = json!({ "law": "neo_hookean", "young": 2e5, "poisson": 0.3, "density": 1000 });
    json!({ "name": "box", "mesh": "box.mesh", "material": material, "regions": regions })
}

/// A sheet of n x n squares over [-0.1, 0.5]^2 at the height `y` [m].
pub fn cloth(points: &Particles, n: u32, y: f64, regions: Value) -> Value {
    let at = |k: u32| -0.1 + 0.6 * f64::from(k) / f64::from(n);
    let x: Vec<Vec3> = (0..=n).flat_map(|i| (0..=n).map(move |j| Vec3::new(at(i), y, at(j)))).collect();
    let squares = (0..n).flat_map(|i| (0..n).map(move |j| i * (n + 1) + j));
    let triangles: Vec<[u32; 3]> = squares.flat_map(|q| [[q, q + 1, q + n + 1], [q + 1, q + n + 2, q + n + 1]]).collect();
    std::fs::write(points.folder.path().join("cloth.obj"), faces(&x, &triangles)).unwrap();
    let settings = json!({ "stiffness": 500.0, "density": 0.3, "thickness": 0.001 });
    json!({ "name": "cloth", "mesh": "cloth.obj", "as": { "cloth": settings }, "regions": regions })
}

/// How far apart points are of two simulations that have them first [m].
fn apart(a: &Simulation, b: &Simulation, count: usize) -> f64 {
    (0..count).map(|p| (a.state.positions[p] - b.state.positions[p]).norm()).fold(0.0, f64::max)
}

/// A block on tets that are held is one on the same triangles as an obstacle: balanced alike, it rests alike, and moves alike when both go and turn. What turns
/// goes straight within a step, and so does no obstacle: then steps are of one part.
#[test]
fn bodies_that_are_held_or_driven_are_the_obstacles_that_they_look_like() {
    let goes = json!([{ "time": 0.1 }, { "time": 0.6, "translate": [0.1037, 0.0471, 0.0193] }]);
    let turns = json!([{ "time": 0.1 }, { "time": 0.6, "translate": [0.1, 0.05, 0], "rotate": { "axis": [0.1, 0.2, 1], "degrees": 20 } }]);
    for (stepper, keyframes, step_size, substeps) in
        [("mpm", &goes, 0.01, 20), ("mpm", &turns, 5e-4, 1), ("mpm_implicit", &goes, 0.01, 2), ("mpm_implicit", &turns, 5e-3, 1)]
    {
        let mesh = tets([4, 2, 4]);
        let block = || {
            let mut block = Particles::elastic(&lattice([8, 5, 8], 0.0), "neo_hookean");
            block.scene["simulate"] = json!({ "stepper": stepper, "step_size": step_size, "grid": { "substeps": substeps } });
            block
        };
        let mut on_tets = block();
        let body = solid(&on_tets, [4, 2, 4], held(json!({ "all": {} }), json!({ "motion": { "keyframes": keyframes } })));
        beside(&mut on_tets, body, 0.5);
        let mut on_triangles = block();
        std::fs::write(on_triangles.folder.path().join("box.obj"), faces(&mesh.0, &boundary(&mesh.1))).unwrap();
        let shape = json!({ "mesh": { "mesh": "box.obj" } });
        on_triangles.scene["obstacles"] = json!([{ "name": "box", "shape": shape, "friction": 0.5, "motion": { "keyframes": keyframes } }]);
        let (mut a, report) = on_tets.initialised(Method::SagFree);
        let (mut b, other) = on_triangles.initialised(Method::SagFree);
        assert!(report.residual.balanced && other.residual.balanced, "{:?} {:?}", report.residual, report.infeasible);
        assert!((report.contact.total_normal_force / other.contact.total_normal_force - 1.0).abs() < 1e-12);
        let (drift, last) = run(&mut a, 0.1);
        let (expected, of_obstacle) = run(&mut b, 0.1);
        let rest = apart(&a, &b, 320);
        println!("{stepper}: rests {drift:.1e} {expected:.1e}, {rest:.1e} m apart, wall {:?}", last.wall_force);
        assert!(drift < 1e-11 && rest < 1e-12, "{drift:e} {rest:e}");
        assert!((last.wall_force - of_obstacle.wall_force).norm() < 1e-9 * last.wall_force.norm());
        run(&mut a, 0.2);
        run(&mut b, 0.2);
        let moved = apart(&a, &b, 320);
        println!("driven: {moved:.1e} m apart");
        assert!(moved < 1e-10, "{moved:e}");
    }
}

/// A soft block that is held at its foot is balanced by itself, and the points on it: both rest to round-off, both certificates are there, and kicks tell.
#[test]
fn what_is_balanced_on_a_soft_body_rests() {
    for stepper in ["mpm", "mpm_implicit"] {
        let mut points = Particles::elastic(&lattice([8, 4, 8], 0.0), "neo_hookean");
        points.scene["simulate"]["stepper"] = json!(stepper);
        let body = solid(&points, [4, 2, 4], held(json!({ "height": { "axis": "y", "from": 0.0, "to": 0.001 } }), json!({})));
        beside(&mut points, body, 0.8);
        let (mut simulation, report) = points.initialised(Method::SagFree);
        let one_way = report.one_way.as_ref().unwrap();
        let grid = report.grid.unwrap();
        println!("{stepper}: {:.1e}, bodies {:.1e}, {grid:?} {:?}", report.residual.after, one_way.residual.after, report.infeasible);
        assert!(one_way.bodies == ["box"] && one_way.note.contains("do not feel the points"));
        assert!(
            one_way.residual.balanced && one_way.residual.after < 1e-10 && one_way.stability.as_ref().unwrap().verdict == Verdict::Stable
        );
        assert!(report.residual.balanced && report.residual.after < 1e-10 && grid.acceleration_max < 1e-10);
        assert_eq!((report.outcome.verdict, report.stability.as_ref().unwrap().verdict), (Conclusion::Holds, Verdict::NotTried));
        let (drift, last) = run(&mut simulation, 0.3);
        let weight = GRAVITY * simulation.system.masses[..256].iter().sum::<f64>();
        println!("drift {drift:.1e}, wall {:?} of {weight}, residual {:.1e}", last.wall_force, last.residual);
        assert!(drift < 1e-12 && (last.wall_force.y / weight - 1.0).abs() < 1e-9 && last.residual < 1e-10);
        let (sag, _) = run(&mut points.initialised(Method::Naive).0, 0.3);
        assert!(sag > 1e-3, "{sag:e}");
        if stepper == "mpm" {
            let nudge = points.initialised(Method::SagFree).0.nudge(&Default::default(), &Unwatched).unwrap();
            assert_eq!(nudge.verdict, NudgeVerdict::Returns);
        }
    }
}

/// A soft block too heavy for itself is told, though the points on it are in balance.
#[test]
fn bodies_that_do_not_hold_are_told() {
    let mut points = Particles::elastic(&lattice([8, 4, 8], 0.0), "neo_hookean");
    let body = solid(&points, [4, 2, 4], json!([]));
    beside(&mut points, body, 0.8);
    let (_, report) = points.initialised(Method::SagFree);
    assert_eq!(report.outcome.verdict, Conclusion::DoesNotHold);
    assert!(report.infeasible.iter().any(|why| why.body == "box" && why.code == InfeasibilityCode::Unsupported), "{:?}", report.infeasible);
    assert!(!report.one_way.unwrap().residual.balanced && report.grid.unwrap().acceleration_max < 1e-10);
}

/// A column that buckles beside points that rest makes the whole unstable.
#[test]
fn bodies_that_buckle_are_told() {
    let foot = held(json!({ "height": { "axis": "y", "from": 0.0, "to": 0.001 } }), json!({}));
    for (young, verdict, conclusion) in [(1e8, Verdict::Stable, Conclusion::Holds), (1e6, Verdict::Unstable, Conclusion::Unstable)] {
        let mut points = Particles::elastic(&lattice([8, 4, 8], 0.0), "neo_hookean");
        points.floor(0.5);
        let (mut positions, tets) = box_mesh(Vec3::new(0.2, 3.0, 0.2), [1, 10, 1], CubeCut::Kuhn);
        positions.iter_mut().for_each(|x| *x += Vec3::new(0.8, 0.01, 0.0));
        std::fs::write(points.folder.path().join("column.mesh"), medit(&(positions, tets))).unwrap();
        let material = json!({ "law": "neo_hookean", "young": young, "poisson": 0.3, "density": 1000 });
        beside(&mut points, json!({ "name": "column", "mesh": "column.mesh", "material": material, "regions": foot }), 0.5);
        let (_, report) = points.initialised(Method::SagFree);
        assert_eq!((report.one_way.unwrap().stability.unwrap().verdict, report.outcome.verdict), (verdict, conclusion));
        assert!(report.residual.balanced && report.grid.unwrap().acceleration_max < 1e-10);
    }
}

/// A body whose surface lies on nodes does not let them go where it moves by next to nothing.
#[test]
fn nodes_on_a_surface_stay_with_it() {
    let mut points = Particles::elastic(&lattice([8, 4, 8], 0.0), "neo_hookean");
    let keyframes = json!([{ "time": 0.0 }, { "time": 0.1, "translate": [0, -1e-8, 0] }]);
    let mut body = solid(&points, [4, 2, 4], held(json!({ "all": {} }), json!({ "motion": { "keyframes": keyframes } })));
    body["transform"] = json!({ "translate": [0.0, 0.013, 0.0] });
    beside(&mut points, body, 0.5);
    let (drift, _) = run(&mut points.initialised(Method::SagFree).0, 0.3);
    println!("{drift:.1e}");
    assert!(drift < 1e-6, "{drift:e}");
}

/// A soft body that swings and falls moves to the bit as if there were no points, wherever these are in the scene, and what they do.
#[test]
fn bodies_do_not_feel_the_points() {
    for stepper in ["mpm", "mpm_implicit"] {
        let scene = |first: bool| {
            let mut points = Particles::elastic(&lattice([8, 4, 8], 0.1), "neo_hookean");
            // Out of the box around the bodies.
            points.scene["bodies"][0]["transform"] = json!({ "translate": [0.0, 0.35, 0.0] });
            points.scene["simulate"]["stepper"] = json!(stepper);
            let mut body = solid(&points, [4, 2, 4], held(json!({ "height": { "axis": "y", "from": 0.0, "to": 0.001 } }), json!({})));
            body["velocity"] = json!([0.5, 0.0, 0.2]);
            let sheet = cloth(&points, 6, 0.3, held(json!({ "height": { "axis": "x", "from": 0.0, "to": 0.001 } }), json!({})));
            beside(&mut points, body, 0.3);
            beside(&mut points, sheet, 0.3);
            points.scene["obstacles"] = json!([{ "name": "floor", "shape": { "box": { "center": [0.2, -0.5335, 0.2], "size": [3.0, 0.3, 3.0] } }, "friction": 0.4 }]);
            if first {
                points.scene["bodies"].as_array_mut().unwrap().rotate_left(1);
            }
            points
        };
        let mut alone = scene(true);
        alone.scene["bodies"].as_array_mut().unwrap().pop();
        alone.scene["simulate"] = json!({ "stepper": "backward_euler", "step_size": 0.01 });
        let (mut alone, of_alone) = alone.initialised(Method::SagFree);
        let trace = |simulation: &mut Simulation, from: usize, count: usize| -> Vec<Vec3> {
            let step = |_| {
                simulation.step(&Unwatched).unwrap();
                simulation.state.positions[from..from + count].to_vec()
            };
            (0..15).flat_map(step).collect()
        };
        let count = alone.system.body_nodes();
        let expected = trace(&mut alone, 0, count);
        for first in [true, false] {
            let (mut with, report) = scene(first).initialised(Method::SagFree);
            let of = |simulation: &Simulation| {
                (simulation.system.diagonal, simulation.system.mesh_obstacles.len(), simulation.system.pairs.len())
            };
            assert_eq!(of(&with), of(&alone));
            let found = trace(&mut with, if first { 0 } else { 256 }, count);
            assert!(found == expected, "{stepper} {first}");
            assert_eq!(report.one_way.unwrap().residual.after.to_bits(), of_alone.residual.after.to_bits());
        }
        let moved = (expected[expected.len() - 1] - expected[count - 1]).norm();
        assert!(moved > 0.01, "{moved}");
    }
}

/// Lowest point over the sheet, and points below it where it stands at `y` [m].
fn below(simulation: &Simulation, count: usize, y: f64) -> (f64, usize) {
    let over = |x: &&Vec3| (-0.1..=0.5).contains(&x.x) && (-0.1..=0.5).contains(&x.z);
    let heights: Vec<f64> = simulation.state.positions[..count].iter().filter(over).map(|x| x.y - y).collect();
    (heights.iter().copied().fold(f64::INFINITY, f64::min), heights.iter().filter(|h| **h < 0.0).count())
}

/// On a sheet that is held a block rests as on a plane, balanced, and sand stays on it, whether it is balanced or falls.
#[test]
fn what_is_on_a_sheet_does_not_leak() {
    for (stepper, sand) in [("mpm", false), ("mpm_implicit", false), ("mpm", true)] {
        let build = |on_cloth: bool| {
            let mut points = match sand {
                true => Particles::sand(&lattice([8, 5, 8], 0.0), 35.0),
                false => Particles::elastic(&lattice([8, 5, 8], 0.0), "neo_hookean"),
            };
            points.scene["simulate"] =
                json!({ "stepper": stepper, "step_size": 0.01, "grid": { "substeps": if stepper == "mpm" { 20 } else { 2 } } });
            if on_cloth {
                let sheet = cloth(&points, 6, 0.0, held(json!({ "all": {} }), json!({})));
                beside(&mut points, sheet, 0.6);
            } else {
                points.floor(0.6);
            }
            points
        };
        let ((mut a, report), (mut b, other)) = (build(true).initialised(Method::SagFree), build(false).initialised(Method::SagFree));
        println!("{stepper} {sand}: {:.1e} {:.1e}", report.residual.after, other.residual.after);
        assert!(sand || report.residual.balanced && report.residual.after < 1e-10, "{:?}", report.infeasible);
        let (drift, last) = run(&mut a, 0.3);
        let (expected, of_floor) = run(&mut b, 0.3);
        println!("drift {drift:.1e} {expected:.1e}, {:.1e} m apart, wall {:?}", apart(&a, &b, 320), last.wall_force);
        assert!(apart(&a, &b, 320) < if sand { 1e-6 } else { 1e-11 });
        assert!((last.wall_force - of_floor.wall_force).norm() < 1e-6 * last.wall_force.norm());
        assert_eq!(below(&a, 320, 0.0).1, 0);
        // Let fall from above.
        let mut falls = build(true);
        falls.scene["bodies"][0]["transform"] = json!({ "translate": [0.0, 0.3, 0.0] });
        let mut falls = falls.initialised(Method::Naive).0;
        let mut least = f64::INFINITY;
        for _ in 0..80 {
            falls.step(&Unwatched).unwrap();
            let (lowest, through) = below(&falls, 320, 0.0);
            least = least.min(lowest);
            assert_eq!(through, 0, "{stepper} {sand}: {lowest:e}");
        }
        println!("fallen: {least:.2e} m above");
        // Walls at nodes hold off up to a cell before a point gets there.
        assert!(least < 2.0 * SPACING);
    }
}

/// What hits a sheet so hard that it is pressed into it by less than a cell is held by it all the same, as by a plane, which has an inside.
#[test]
fn what_is_pressed_into_a_sheet_does_not_leak() {
    let pressed = |on_cloth: bool| {
        let mut points = Particles::elastic(&lattice([6, 6, 6], 0.2), "neo_hookean");
        points.scene["bodies"][0]["as"]["particles"]["elastic"]["young"] = json!(2e4);
        points.scene["bodies"][0]["velocity"] = json!([0.0, -4.0, 0.0]);
        points.scene["simulate"]["grid"] = json!({ "substeps": 10 });
        if on_cloth {
            let sheet = cloth(&points, 6, -0.013, held(json!({ "all": {} }), json!({})));
            beside(&mut points, sheet, 0.5);
        } else {
            let shape = json!({ "half_space": { "point": [0.0, -0.013, 0.0], "normal": [0.0, 1.0, 0.0] } });
            points.scene["obstacles"] = json!([{ "name": "floor", "shape": shape, "friction": 0.5 }]);
        }
        let mut simulation = points.initialised(Method::Naive).0;
        let mut least = f64::INFINITY;
        for _ in 0..25 {
            simulation.step(&Unwatched).unwrap();
            least = least.min(below(&simulation, 216, -0.013).0);
        }
        (simulation, least)
    };
    let ((a, least), (b, expected)) = (pressed(true), pressed(false));
    println!("pressed in by {least:.3e} m of {expected:.3e}; {:.1e} m apart", apart(&a, &b, 216));
    assert!(least < -1e-3 && apart(&a, &b, 216) < 1e-9);
}

/// A cloth that goes down faster than things fall is left freely, and one that goes down slowly takes what is on it along; one that goes up throws.
#[test]
fn sheets_that_move_carry_and_are_left() {
    let driven = |way: [f64; 3], seconds: f64| {
        let mut points = Particles::elastic(&lattice([6, 4, 6], 0.0), "neo_hookean");
        let keyframes = json!([{ "time": 0.0 }, { "time": seconds, "translate": way }]);
        let sheet = cloth(&points, 6, 0.0, held(json!({ "all": {} }), json!({ "motion": { "keyframes": keyframes } })));
        beside(&mut points, sheet, 0.5);
        let mut simulation = points.initialised(Method::SagFree).0;
        let (_, last) = run(&mut simulation, seconds);
        let mean = |x: &[Vec3]| x[..144].iter().sum::<Vec3>() / 144.0;
        let moved = mean(&simulation.state.positions) - mean(&simulation.system.positions);
        (moved, last, below(&simulation, 144, way[1]).1)
    };
    let (moved, last, _) = driven([0.0, -1.0, 0.0], 0.2);
    let fall = -0.5 * GRAVITY * 0.04;
    println!("left: {moved:?} of {fall}");
    assert!((moved.y / fall - 1.0).abs() < 0.06 && last.wall_force.norm() < 1e-9, "{moved} {last:?}");
    for way in [[0.0, -0.05, 0.0], [0.0, 0.1, 0.0], [0.1, 0.0, 0.0]] {
        let (moved, _, through) = driven(way, 0.5);
        println!("carried: {moved:?} of {way:?}");
        assert!((moved - Vec3::from(way)).norm() < 0.35 * 2.0 * SPACING && through == 0, "{moved}");
    }
}

/// A block that is thrown up hits the cloth from beneath, and comes down again; one that hangs beneath by nothing falls.
#[test]
fn a_sheet_is_met_from_beneath() {
    let thrown = |sheet: bool| {
        let mut points = Particles::elastic(&lattice([6, 4, 6], 0.0), "neo_hookean");
        points.scene["bodies"][0]["velocity"] = json!([0.0, 3.0, 0.0]);
        let body = cloth(&points, 6, 0.35, held(json!({ "all": {} }), json!({})));
        if sheet {
            beside(&mut points, body, 0.5);
        }
        let mut simulation = points.initialised(Method::Naive).0;
        let mut highest = f64::NEG_INFINITY;
        let mut pushed = 0.0_f64;
        for _ in 0..60 {
            let step: StepStats = simulation.step(&Unwatched).unwrap();
            pushed = pushed.min(step.wall_force.y);
            highest = simulation.state.positions[..144].iter().map(|x| x.y).fold(highest, f64::max);
        }
        (highest, pushed, simulation.state.positions[..144].iter().map(|x| x.y).sum::<f64>() / 144.0)
    };
    let (highest, pushed, end) = thrown(true);
    let (free, _, higher) = thrown(false);
    println!("up to {highest:.3} m instead of {free:.3} m, pushed down with {pushed:.1} N, then at {end:.2} m and {higher:.2} m");
    assert!(highest < 0.35 && free > 0.5 && pushed < -10.0 && end < 0.0 && end < higher, "{highest} {free} {pushed} {end}");
}

/// Runs are the same to the bit for any number of threads, after a reset, of a state that was prepared, and from a state in the middle on as far as points go.
#[test]
fn runs_repeat_to_the_bit() {
    let mut points = Particles::sand(&lattice([6, 4, 6], 0.2), 30.0);
    let body = solid(&points, [3, 2, 3], held(json!({ "height": { "axis": "y", "from": 0.0, "to": 0.001 } }), json!({})));
    let sheet = cloth(&points, 6, 0.0001, held(json!({ "height": { "axis": "x", "from": 0.0, "to": 0.001 } }), json!({})));
    points.scene["bodies"][0]["transform"] = json!({ "translate": [0.0, 0.03, 0.0] });
    beside(&mut points, body, 0.3);
    beside(&mut points, sheet, 0.3);
    points.scene["bodies"][2]["transform"] = json!({ "translate": [0.0, 0.02, 0.0] });
    points.scene["initialise"] = json!({ "tolerance": 1e-2 });
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut simulation, report) = points.initialised(Method::SagFree);
            let mut again = points.build();
            again.restore(&simulation.prepared_asset()).unwrap();
            let steps =
                |simulation: &mut Simulation| (0..6).map(|_| simulation.step(&Unwatched).unwrap().without_times()).collect::<Vec<_>>();
            let (stats, other) = (steps(&mut simulation), steps(&mut again));
            assert_eq!(format!("{stats:?}"), format!("{other:?}"), "{threads}");
            let end = (simulation.state.positions.clone(), simulation.state.points.clone());
            assert!(end.1.sides.iter().flatten().any(|side| *side == 1));
            simulation.reset();
            assert_eq!(format!("{:?}", steps(&mut simulation)), format!("{other:?}"));
            (format!("{:?} {stats:?}", report.residual), end)
        })
    };
    let first = run(1);
    for threads in [2, 4] {
        assert!(run(threads) == first, "{threads} threads");
    }
}

/// Stops at a look that is asked for.
struct Stop(AtomicUsize);

impl Watch for Stop {
    fn progress(&self, _: &str, _: f64) {}

    fn check(&self) -> Result<(), Cancelled> {
        match self.0.fetch_sub(1, Ordering::Relaxed) {
            0 => Err(Cancelled),
            _ => Ok(()),
        }
    }
}

/// A step that is cancelled, wherever, leaves all as it was: bodies that went their way are where they were, and go on as if nothing had been.
#[test]
fn cancelled_steps_leave_no_trace() {
    let scene = || {
        let mut points = Particles::elastic(&lattice([6, 4, 6], 0.1), "neo_hookean");
        let mut body = solid(&points, [3, 2, 3], held(json!({ "height": { "axis": "y", "from": 0.0, "to": 0.001 } }), json!({})));
        body["velocity"] = json!([0.5, 0.0, 0.2]);
        let sheet = cloth(&points, 6, 0.02, held(json!({ "height": { "axis": "x", "from": 0.0, "to": 0.001 } }), json!({})));
        points.scene["bodies"][0]["transform"] = json!({ "translate": [0.0, 0.03, 0.0] });
        beside(&mut points, body, 0.3);
        beside(&mut points, sheet, 0.3);
        points.initialised(Method::Naive).0
    };
    let (mut a, mut b, mut cancelled) = (scene(), scene(), 0);
    for _ in 0..6 {
        // How many pairs are looked at is a matter of what is kept from before.
        let told = |stats: StepStats| format!("{:?}", StepStats { contact_pairs: 0, ..stats.without_times() });
        let expected = told(a.step(&Unwatched).unwrap());
        for looks in [0, 2, 4, 5, 6] {
            let before = b.state.positions.clone();
            match b.step(&Stop(AtomicUsize::new(looks))) {
                Err(StepError::Cancelled(_)) => {
                    assert_eq!(b.state.positions, before);
                    cancelled += 1;
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(told(b.step(&Unwatched).unwrap()), expected);
        assert_eq!(a.state.positions, b.state.positions);
    }
    assert_eq!(cancelled, 30);
}

/// Energies, momenta and volumes are those of both.
#[test]
fn statistics_count_bodies_and_points() {
    let mut points = Particles::elastic(&lattice([6, 4, 6], 0.0), "neo_hookean");
    points.scene["bodies"][0]["velocity"] = json!([1.0, 0.0, 0.0]);
    points.scene["bodies"][0]["transform"] = json!({ "translate": [0.0, 1.0, 0.0] });
    points.scene["gravity"] = json!([0.0, 0.0, 0.0]);
    let mut body = solid(&points, [3, 2, 3], json!([]));
    body["velocity"] = json!([0.0, 0.0, 2.0]);
    beside(&mut points, body, 0.3);
    let mut simulation = points.initialised(Method::Naive).0;
    let last = run(&mut simulation, 0.05).1;
    let (of_points, of_box) = (144.0 * 1000.0 * SPACING.powi(3), 1000.0 * SIZE.iter().product::<f64>());
    assert!(
        (last.kinetic - 0.5 * of_points - 2.0 * of_box).abs() < 1e-9
            && (last.momentum - Vec3::new(of_points, 0.0, 2.0 * of_box)).norm() < 1e-9
    );
    assert!((last.volume - (of_points + of_box) / 1000.0).abs() < 1e-9 && last.inversions == 0 && last.elastic.abs() < 1e-12, "{last:?}");
}

/// What cannot go one way is refused with what to do, and bodies without that word are.
#[test]
fn what_does_not_go_one_way_is_refused() {
    let refused = |change: &dyn Fn(&mut Particles), words: &[&str]| {
        let mut points = Particles::elastic(&lattice([6, 4, 6], 0.0), "neo_hookean");
        let body = solid(&points, [3, 2, 3], held(json!({ "all": {} }), json!({})));
        beside(&mut points, body, 0.3);
        change(&mut points);
        let problems = points.problems().join("\n");
        assert!(words.iter().all(|word| problems.contains(word)), "{problems:?} without {words:?}");
    };
    refused(
        &|p| p.scene["simulate"]["grid"] = json!({}),
        &["simulate.stepper", "`box`", "\"simulate.grid.bodies\"", "\"one_way\"", "without feeling"],
    );
    refused(&|p| p.scene["simulate"]["grid"]["bodies"] = json!("both"), &["one_way"]);
    refused(&|p| p.scene["contact"]["between_bodies"] = json!(false), &["contact.between_bodies"]);
    refused(
        &|p| {
            p.scene["simulate"]["stepper"] = json!("mpm_implicit");
            p.scene["simulate"]["grid"]["contact"] = json!("points");
        },
        &["contact of points with the body `box`", "\"grid\""],
    );
    refused(&|p| p.scene["bodies"][1]["enters_at"] = json!(0.5), &["come in later"]);
    refused(
        &|p| p.scene["bodies"][1]["transform"] = json!({ "translate": [0.0, 0.1, 0.0] }),
        &["bodies[1].transform", "72 material points start inside", "move"],
    );
    refused(
        &|p| p.scene["bodies"][1]["regions"][0]["role"] = json!({ "attach": { "to": "body", "stiffness": 10.0, "within": 1.0 } }),
        &["attach"],
    );
    let plate = |p: &mut Particles| {
        let (mut positions, tets) = box_mesh(Vec3::new(0.64, 0.1, 0.62), [3, 1, 3], CubeCut::Kuhn);
        positions.iter_mut().for_each(|x| *x += Vec3::new(-0.12, -0.113, -0.11));
        std::fs::write(p.folder.path().join("box.mesh"), medit(&(positions, tets))).unwrap();
    };
    refused(&plate, &["the body `box`", "m thick", "2 cells", "simulate.grid.spacing"]);
    let strand = |p: &mut Particles| {
        std::fs::write(p.folder.path().join("line.obj"), "v 0 1 0\nv 0 2 0\nv 0 3 0\nl 1 2 3\n").unwrap();
        p.scene["bodies"][1] =
            json!({ "name": "hair", "mesh": "line.obj", "as": { "springs": { "stiffness": 100.0, "mass": { "per_node": 1.0 } } } });
    };
    refused(&strand, &["`hair`", "no surface"]);
}
