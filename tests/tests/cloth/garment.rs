//! Cloth that rests in its sewing pattern, and what is sewn: balance nearest to the pattern, what numbering and cuts must not change, seams
//! that hold and close, and what is refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::f64::consts::PI;

use aplomb_sim::element::{Batch, Element, Family, Hinge, Membrane, Stitch};
use aplomb_sim::export::PreparedAsset;
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::scene::{Method, Scene};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Garment, shared_mesh};
use serde_json::json;

/// The elements of a family, with the positions of their nodes.
fn elements<E: Element<N, K>, const N: usize, const K: usize>(simulation: &Simulation, name: &str) -> Vec<(E, [Vec3; N])> {
    let x = &simulation.state.positions;
    let Some(family) = simulation.system.families.iter().find(|family| family.kind().name == name) else { return Vec::new() };
    let any: &dyn std::any::Any = family.as_ref();
    let batch: &Batch<E, N, K> = any.downcast_ref().unwrap();
    batch.elements.iter().cloned().zip(batch.connectivity().iter().map(|nodes| nodes.map(|n| x[n as usize]))).collect()
}

fn field(simulation: &Simulation, name: &str) -> Vec<f64> {
    let fields = simulation.fields();
    let values = &fields.iter().find(|field| field.kind.name == name).unwrap().values;
    values.iter().copied().filter(|value| !value.is_nan()).collect()
}

fn largest(values: &[f64]) -> f64 {
    values.iter().map(|value| value.abs()).fold(0.0, f64::max)
}

/// A curtain in folds.
fn folds(u: f64, v: f64) -> Vec3 {
    Vec3::new(u, -v, 0.03 * (4.0 * PI * u).sin() * (0.6 + 0.4 * v))
}

/// What is needed for it is had: cloth cut flat hangs in folds as they are given, with a rest shape near its pattern; the naive one slides.
#[test]
fn a_curtain_cut_flat_hangs_as_it_is_given() {
    let mut garment = Garment::new();
    garment.panel([24, 16], folds, |u, v| [1.06 * u, v]);
    garment.hold(&(0..25).collect::<Vec<_>>());
    garment.cloth()["bending_stiffness"] = json!(1e-3);
    let mut simulation = garment.build().unwrap();
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.residual.after < 1e-10 && report.infeasible.is_empty() && report.unattainable.elements == 0, "{:?}", report.outcome);
    let off = largest(&field(&simulation, "rest stretch"));
    assert!((1e-4..0.1).contains(&off), "{off}");
    let told = report.pattern.unwrap();
    assert_eq!((told.triangles, told.largest), (2 * 24 * 16, off));
    let drift = (0..10).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
    assert!(drift < 1e-9, "{drift}");
    let report = simulation.initialise(Method::Naive, &Unwatched).unwrap();
    assert!(report.residual.after > 1e-2 && largest(&field(&simulation, "rest stretch")) < 1e-12, "{:?}", report.residual);
    let drift = (0..10).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
    assert!(drift > 1e-3, "{drift}");
}

/// Of all forces in balance those that were found are the nearest to the pattern's: what differs from them does no work on any other forces
/// in balance without loads.
#[test]
fn the_forces_are_the_nearest_to_those_of_the_pattern() {
    let mut random = Random::new(81);
    let mut garment = Garment::new();
    let shear = random.uniform(-0.02, 0.02);
    garment.panel([5, 4], folds, |u, v| [1.04 * u + shear * v, 0.97 * v]);
    garment.hold(&(0..6).collect::<Vec<_>>());
    garment.cloth()["bending_stiffness"] = json!(1e-4);
    let mut simulation = garment.build().unwrap();
    let x = simulation.system.positions.clone();
    let families = &simulation.system.families;
    let s0: Vec<Vec<f64>> = families.iter().map(|family| family.authored_coordinates(&x).unwrap()).collect();
    simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    // s - s0 = W^-1 B^T y for some displacement y of the free nodes: least squares over these leave nothing.
    let free: Vec<usize> = (0..x.len()).filter(|&n| !simulation.system.fixed[n]).collect();
    let column = |&(node, axis): &(usize, usize)| -> Vec<f64> {
        let mut y = vec![Vec3::zeros(); x.len()];
        y[node][axis] = 1.0;
        let of_family = |(family, s0): (&dyn Family, &Vec<f64>)| {
            let mut s = vec![0.0; s0.len()];
            family.coordinates_from_dual(&x, &y, &mut s);
            s
        };
        simulation.system.families.iter().map(AsRef::as_ref).zip(&s0).flat_map(of_family).collect()
    };
    let columns: Vec<Vec<f64>> =
        free.iter().flat_map(|&n| (0..3).map(move |axis| (n, axis))).collect::<Vec<_>>().iter().map(column).collect();
    let hinges = elements::<Hinge, 4, 1>(&simulation, "hinges");
    let solved: Vec<f64> = elements::<Membrane, 3, 3>(&simulation, "membranes")
        .iter()
        .flat_map(|(membrane, x)| membrane.force_coordinates(x))
        .chain(hinges.iter().flat_map(|(hinge, x)| hinge.force_coordinates(x)))
        .collect();
    let s0: Vec<f64> = s0.concat();
    // Moments in newtons too, so that they count as much.
    let scale = |row: usize| if row < s0.len() - hinges.len() { 1.0 } else { 10.0 };
    let matrix = nalgebra::DMatrix::from_fn(s0.len(), columns.len(), |row, column| scale(row) * columns[column][row]);
    let change = nalgebra::DVector::from_fn(s0.len(), |row, _| scale(row) * (solved[row] - s0[row]));
    let fit = matrix.clone().svd(true, true).solve(&change, 1e-13).unwrap();
    let left = (&matrix * fit - &change).norm() / change.norm();
    assert!(left < 1e-8 && change.norm() > 1e-3 * nalgebra::DVector::from_vec(s0).norm(), "{left}");
}

/// The pattern of a welded mesh is cut into panels that lie anywhere, on either side, and the rest is the same; so it is with other numbers of
/// vertices, units, and where the whole pattern lies.
#[test]
fn cuts_units_and_numbers_change_nothing() {
    let mut random = Random::new(82);
    let cut = |u: f64, v: f64| [1.05 * u, v + 0.02 * u * u];
    let build = |change: &dyn Fn(&mut Garment)| {
        let mut garment = Garment::new();
        garment.panel([8, 6], folds, cut);
        garment.hold(&(0..9).collect::<Vec<_>>());
        garment.cloth()["bending_stiffness"] = json!(1e-3);
        change(&mut garment);
        let mut simulation = garment.build().unwrap();
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        assert!(report.residual.after < 1e-9, "{:?}", report.residual);
        simulation
    };
    let whole = build(&|_| {});
    let [tension, off, angles] = ["largest resultant", "rest stretch", "rest angle"].map(|name| field(&whole, name));
    let same = |simulation: &Simulation, what: &str| {
        for (name, expected) in [("largest resultant", &tension), ("rest stretch", &off), ("rest angle", &angles)] {
            let mut found = field(simulation, name);
            let mut expected = expected.clone();
            [&mut found, &mut expected].into_iter().for_each(|values| values.sort_by(f64::total_cmp));
            let error = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest(&expected);
            assert!(found.len() == expected.len() && error < 1e-8, "{what}, {name}: {error}");
        }
    };
    let turn: f64 = random.uniform(0.0, 6.0);
    same(
        &build(&|garment| {
            // Columns 0 to 3 and the others as panels of their own, one turned and put elsewhere, one mirrored.
            let count = garment.points.len() as u32;
            let second: Vec<[f64; 2]> = garment.points.iter().map(|[u, v]| [7.0 - u, *v]).collect();
            garment.points.extend(second);
            let first_of = |garment: &Garment, t: usize| garment.triangles[t].iter().map(|&v| v % 9).min().unwrap() >= 4;
            for t in 0..garment.triangles.len() {
                if first_of(garment, t) {
                    garment.pattern[t] = garment.pattern[t].map(|p| p + count);
                }
            }
            let (cosine, sine) = (turn.cos(), turn.sin());
            garment.points[..count as usize].iter_mut().for_each(|p| *p = [cosine * p[0] - sine * p[1] - 3.0, sine * p[0] + cosine * p[1]]);
        }),
        "cut",
    );
    same(
        &build(&|garment| {
            garment.points.iter_mut().for_each(|p| *p = p.map(|c| 1000.0 * c));
            garment.cloth()["uv_scale"] = json!(1e-3);
        }),
        "millimetres",
    );
    same(
        &build(&|garment| {
            garment.positions.iter_mut().for_each(|x| *x *= 100.0);
            garment.points.iter_mut().for_each(|p| *p = p.map(|c| 100.0 * c));
            garment.scene["bodies"][0]["unit"] = json!("cm");
        }),
        "the unit of the file",
    );
    same(
        &build(&|garment| {
            garment.positions.iter_mut().for_each(|x| *x *= 4.0);
            garment.points.iter_mut().for_each(|p| *p = p.map(|c| 4.0 * c));
            garment.scene["bodies"][0]["transform"] = json!({ "scale": 0.25, "rotate_degrees": [0.0, 40.0, 0.0] });
        }),
        "scaled",
    );
    let mut order: Vec<u32> = (0..63).collect();
    (1..order.len()).rev().for_each(|i| order.swap(i, random.uniform(0.0, i as f64 + 1.0) as usize));
    same(
        &build(&|garment| {
            let (old, mut moved) = (garment.positions.clone(), garment.positions.clone());
            order.iter().enumerate().for_each(|(v, &to)| moved[to as usize] = old[v]);
            garment.positions = moved;
            garment.triangles.iter_mut().for_each(|t| *t = t.map(|v| order[v as usize]));
            // Corners begin elsewhere too, in both.
            for t in (0..garment.triangles.len()).step_by(3) {
                garment.triangles[t].rotate_left(1);
                garment.pattern[t].rotate_left(1);
            }
            garment.triangles.reverse();
            garment.pattern.reverse();
            let held: Vec<u32> = (0..9).map(|v| order[v]).collect();
            garment.hold(&held);
        }),
        "shuffled",
    );
}

/// A curtain in two halves: the seam from `gap` [m] apart, with other numbers of vertices on its sides.
fn halves(counts: [u32; 2], gap: f64, random: &mut Random) -> Garment {
    let mut garment = Garment::new();
    // Not along the seam: the nearest points are those that belong together.
    let shift = random.vector(-0.5 * gap, 0.5 * gap).component_mul(&Vec3::new(1.0, 0.0, 1.0));
    let upper = garment.panel([8, counts[0]], |u, v| folds(0.5 * u, v), |u, v| [0.52 * u, v]);
    let lower = garment.panel([6, counts[1]], |u, v| folds(0.5 + 0.5 * u, v) + shift, |u, v| [3.0 + 0.52 * u, v]);
    let top: Vec<u32> = (upper..upper + 9).chain(lower..lower + 7).collect();
    garment.hold(&top);
    garment.cloth()["bending_stiffness"] = json!(1e-3);
    garment
}

/// Panels of other resolutions that are a gap apart: what is sewn by distance, by the file and by pairs is in balance, holds, and drifts
/// nowhere; the force of the seams is in balance with what they hold.
#[test]
fn what_is_sewn_is_in_balance() {
    let mut random = Random::new(83);
    for (round, counts) in [[10, 10], [10, 7], [6, 16]].into_iter().enumerate() {
        for gap in [0.0, 1e-4, 0.02] {
            for rest in ["uv", "given"] {
                let mut garment = halves(counts, gap, &mut random);
                // The right half is held by the seam alone.
                garment.hold(&(0..9).collect::<Vec<_>>());
                garment.cloth()["rest"] = json!(rest);
                garment.cloth()["bending_stiffness"] = json!(2e-2);
                garment.cloth()["seams"] = json!({ "distance": 1.5 * gap + 2e-2 });
                let mut simulation = garment.build().unwrap();
                let what = format!("{round} {gap} {rest}");
                let count = elements::<Stitch, 4, 3>(&simulation, "stitches").len();
                // Each vertex of both sides, and what is sewn both ways once.
                let expected = if counts[0] == counts[1] { 11..=22 } else { 17..=(counts[0] + counts[1] + 2) as usize };
                assert!(expected.contains(&count), "{what}: {count}");
                let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
                assert!(
                    report.residual.after < 1e-9 && report.infeasible.is_empty(),
                    "{what}: {:?} {:?}",
                    report.residual,
                    report.infeasible
                );
                // Net force over the seam: the weight of the right half.
                let right = 9 * (counts[0] as usize + 1)..garment.positions.len();
                let weight: f64 = simulation.system.masses[right.clone()].iter().sum::<f64>() * 9.81;
                let mut carried = Vec3::zeros();
                let family = simulation.system.families.iter().find(|family| family.kind().name == "stitches").unwrap();
                let mut gradient = vec![Vec3::zeros(); garment.positions.len()];
                family.add_gradient(&simulation.system.positions, &mut gradient);
                right.for_each(|node| carried -= gradient[node]);
                assert!((carried - Vec3::y() * weight).norm() < 1e-7 * weight, "{what}: {carried} {weight}");
                let drift = (0..5).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
                assert!(drift < 1e-7, "{what}: {drift}");
            }
        }
    }
}

/// The three ways of saying what is sewn say the same, where they mean the same.
#[test]
fn the_file_pairs_and_distance_sew_the_same() {
    let mut random = Random::new(84);
    let sewn = |garment: &Garment| {
        let simulation = garment.build().unwrap();
        let mut all: Vec<[u32; 2]> = simulation.system.bodies[0]
            .mesh
            .seams
            .iter()
            .map(|seam| {
                let corners = garment.triangles[seam.cell as usize];
                let k = (0..3).find(|&k| seam.weights[k] > 0.999).unwrap();
                [seam.vertex.min(corners[k]), seam.vertex.max(corners[k])]
            })
            .collect();
        all.sort_unstable();
        all
    };
    let mut garment = halves([10, 10], 0.0, &mut random);
    let pairs: Vec<[u32; 2]> = (0..11).map(|j| [9 * j + 8, 99 + 7 * j]).collect();
    garment.cloth()["seams"] = json!({ "distance": 1e-3 });
    assert_eq!(sewn(&garment), pairs);
    garment.cloth()["seams"] = json!({ "pairs": pairs });
    assert_eq!(sewn(&garment), pairs);
    garment.cloth()["seams"] = json!({ "from_file": true });
    garment.stitches =
        (0..11).map(|j| if j < 10 { (9 * j + 8, [99 + 7 * j, 106 + 7 * j], 0.0) } else { (9 * j + 8, [162, 169], 1.0) }).collect();
    assert_eq!(sewn(&garment), pairs);
    garment.cloth()["seams"] = json!({ "from_file": true, "pairs": pairs, "distance": 1e-3 });
    assert_eq!(sewn(&garment), pairs);
    // What is not there, or nothing to sew.
    garment.stitches.push((8, [8, 17], 0.5));
    garment.stitches.push((8, [99, 169], 0.5));
    let simulation = garment.build().unwrap();
    assert!(
        simulation.system.bodies[0].mesh.problems.iter().any(|problem| problem.message.contains("2 stitches of the file were left out"))
    );
}

/// An open seam of panels that rest in their pattern closes by itself, and one that rests as given stays as far apart as it is.
#[test]
fn a_naive_seam_closes() {
    let mut random = Random::new(85);
    let mut opening = |rest: &str| {
        let mut garment = halves([10, 8], 0.02, &mut random);
        garment.scene["gravity"] = json!([0, 0, 0]);
        garment.scene["simulate"] = json!({ "step_size": 0.02 });
        garment.hold(&[0, 9, 18]);
        garment.cloth()["rest"] = json!(rest);
        garment.cloth()["damping"] = json!(0.02);
        garment.cloth()["seams"] = json!({ "distance": 0.05 });
        let mut simulation = garment.build().unwrap();
        simulation.initialise(Method::Naive, &Unwatched).unwrap();
        let at = |simulation: &Simulation| largest(&field(simulation, "seam opening"));
        let before = at(&simulation);
        (0..60).for_each(|_| assert!(simulation.step(&Unwatched).is_ok()));
        [before, at(&simulation)]
    };
    let [before, after] = opening("uv");
    assert!(before > 2e-3 && after < 0.1 * before, "{before} {after}");
    let [before, after] = opening("given");
    assert!((after / before - 1.0).abs() < 1e-9, "{before} {after}");
}

/// A row of stitches is a hinge where it is straight, whatever it is made of, and none where it is not: rigid pieces know.
#[test]
fn a_straight_row_of_stitches_is_a_hinge() {
    for (bulge, holds) in [(0.0, false), (0.05, true)] {
        let mut garment = Garment::new();
        // A level shelf in two halves, sewn along a line that may be bent upwards.
        let height = |v: f64| bulge * (PI * v).sin();
        garment.panel([4, 6], |u, v| Vec3::new(0.3 * u, u * height(v), 0.6 * v), |u, v| [0.3 * u, 0.6 * v]);
        garment.panel([4, 6], |u, v| Vec3::new(0.3 + 0.3 * u, height(v), 0.6 * v), |u, v| [2.0 + 0.3 * u, 0.6 * v]);
        garment.cloth()["rest"] = json!("given");
        garment.cloth()["bending_stiffness"] = json!(10.0);
        garment.cloth()["stiffness"] = json!(1e5);
        garment.cloth()["seams"] = json!({ "distance": 1e-6 });
        let held: Vec<u32> = (0..7).flat_map(|j| [5 * j, 5 * j + 1]).collect();
        garment.hold(&held);
        let mut simulation = garment.build().unwrap();
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        assert_eq!(report.residual.balanced, holds, "{bulge}: {:?} {:?}", report.residual, report.infeasible);
        if !holds {
            let told: Vec<String> = report.infeasible.iter().map(|why| format!("{:?} {}", why.code, why.message)).collect();
            assert!(told.iter().any(|told| told.starts_with("Hinged") || told.starts_with("Mechanism")), "{told:?}");
        }
    }
}

/// Borders that are sewn lie on one another, with a thickness that they have no room for: they do not touch there, and all else does.
#[test]
fn what_is_sewn_does_not_touch() {
    let mut random = Random::new(86);
    for thickness in [0.0, 2e-3] {
        let mut garment = halves([10, 7], 0.0, &mut random);
        garment.cloth()["thickness"] = json!(thickness);
        garment.cloth()["seams"] = json!({ "distance": 0.02 });
        let mut simulation = garment.build().unwrap();
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        assert!(report.outcome.holds && report.contacts == 0, "{thickness}: {} {:?}", report.contacts, report.outcome);
        let drift = (0..5).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
        assert!(drift < 1e-8, "{thickness}: {drift}");
        // Not sewn, they cannot be told from what passes through itself.
        garment.cloth()["seams"] = json!(null);
        let why = garment.build().map(|simulation| simulation.system.bodies[0].mesh.problems.len());
        assert!(why.is_err() || thickness > 0.0, "{why:?}");
    }
}

/// Patterns and stitches come back with a prepared state: the same steps to the bit.
#[test]
fn a_prepared_garment_goes_on_to_the_bit() {
    let mut random = Random::new(87);
    let mut garment = halves([10, 7], 1e-3, &mut random);
    garment.cloth()["seams"] = json!({ "distance": 0.02 });
    let mut simulation = garment.build().unwrap();
    simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for extension in ["vtu", "npz"] {
        let file = folder.path().join(format!("asset.{extension}"));
        simulation.prepared_asset().write(&file).unwrap();
        let mut again = garment.build().unwrap();
        again.restore(&PreparedAsset::read(&file).unwrap()).unwrap();
        let mut whole = garment.build().unwrap();
        whole.initialise(Method::SagFree, &Unwatched).unwrap();
        for _ in 0..3 {
            let (a, b) = (whole.step(&Unwatched).unwrap(), again.step(&Unwatched).unwrap());
            assert!(a.without_times() == b.without_times(), "{a:?} {b:?}");
        }
        assert_eq!(whole.state.positions, again.state.positions);
    }
}

fn told(garment: &Garment) -> Vec<String> {
    let simulation = garment.build().unwrap();
    simulation.system.bodies[0].mesh.problems.iter().map(|problem| problem.message.clone()).collect()
}

/// What is odd about a pattern is told, and what is impossible refused, with places and what would do.
#[test]
fn odd_patterns_are_told_and_impossible_ones_refused() {
    let garment = |change: &dyn Fn(&mut Garment)| {
        let mut garment = Garment::new();
        garment.panel([4, 4], folds, |u, v| [1.05 * u, v]);
        garment.panel([4, 4], |u, v| folds(u, v) + Vec3::new(2.0, 0.0, 0.0), |u, v| [3.0 + 1.05 * u, v]);
        change(&mut garment);
        garment
    };
    let error = |change: &dyn Fn(&mut Garment)| garment(change).build().map(|_| ()).unwrap_err();
    assert!(told(&garment(&|_| {})).is_empty());
    let has = |messages: &[String], expected: &str| assert!(messages.iter().any(|m| m.contains(expected)), "{expected}: {messages:?}");
    has(&told(&garment(&|g| g.points[25..].iter_mut().for_each(|p| p[0] -= 2.5))), "triangles of the sewing pattern lie on others");
    // A vertex drawn over its opposite side, and a whole panel mirrored, which is no fault.
    has(&told(&garment(&|g| g.points[6] = [0.6, 0.6])), "lie with their backs up beside others");
    assert!(told(&garment(&|g| g.points[25..].iter_mut().for_each(|p| p[0] = -p[0]))).is_empty());
    has(&told(&garment(&|g| g.points.iter_mut().for_each(|p| *p = p.map(|c| 0.1 * c)))), "with \"uv_scale\": 9.");
    let expected = [
        (error(&|g| g.pattern.clear()), "the file has no texture coordinates (vt lines"),
        (error(&|g| g.points[0] = [0.2625, 0.0]), "1 triangles have no area in their texture coordinates (triangle 0 near"),
        (error(&|g| g.cloth()["seams"] = json!({ "from_file": true })), "the mesh file has no stitches"),
        (error(&|g| g.cloth()["seams"] = json!({ "pairs": [[0, 50]] })), "pair 0 names vertex 50, but there are 50, counted from 0"),
        (error(&|g| g.cloth()["seams"] = json!({ "pairs": [[0, 1]] })), "the vertices 0 and 1 of pair 0 are of one triangle"),
        (error(&|g| g.cloth()["seams"] = json!({ "pairs": [[3, 3]] })), "vertex 3 is paired with itself"),
        (error(&|g| g.cloth()["uv_scale"] = json!(0.0)), "uv_scale"),
        (error(&|g| g.cloth()["law"] = json!("springs")), "springs cannot rest in a sewing pattern"),
        (error(&|g| g.cloth()["bending_law"] = json!("isometric")), "choose a law of hinges"),
        (
            error(&|g| (g.cloth()["uv_scale"], g.cloth()["rest"]) = (json!(2.0), json!("given"))),
            "it has no effect without \"rest\": \"uv\"",
        ),
        (error(&|g| g.scene["bodies"][0]["rest_mesh"] = json!("garment.obj")), "the sewing pattern is the rest shape"),
        (error(&|g| g.cloth()["rest"] = json!("sewn")), "rest"),
    ];
    for (found, expected) in expected {
        assert!(found.contains(expected), "{expected}: {found}");
    }
    has(&told(&garment(&|g| g.cloth()["seams"] = json!({ "distance": 1e-3 }))), "so that nothing is sewn");
    has(&told(&garment(&|g| g.cloth()["seams"] = json!({ "pairs": [[0, 30]] }))), "1 stitches are longer than the triangles");
}

/// A dress of 10 panels by the authors of Codim-IPC (29,456 triangles, 851 stitches), with the pose that it has at the end of their simulation, of another
/// cloth, on a body: with its pattern, its stitches and the body it is in balance, and stays as it is draped where the naive one moves. It passes through
/// itself in about a hundred places, so that it cannot touch itself, and its softest folds are unstable.
#[test]
fn the_dress_of_others_stays_as_it_is_draped() {
    let (Some(stage), Some(drape)) = (shared_mesh("surface/dress_knife_stage.obj"), shared_mesh("surface/dress_knife_drape.obj")) else {
        return;
    };
    let [stage, drape] = [stage, drape].map(|path| std::fs::read_to_string(path).unwrap());
    let of = |text: &str, keys: &[&str]| -> Vec<String> {
        text.lines().filter(|line| line.split_whitespace().next().is_some_and(|key| keys.contains(&key))).map(str::to_owned).collect()
    };
    let (vertices, faces) = (of(&drape, &["v"]), of(&drape, &["f"]));
    let (own, triangles) = (of(&stage, &["v"]).len(), of(&stage, &["f"]).len());
    let folder = tempfile::tempdir().unwrap();
    let dress = [vertices[..own].to_vec(), of(&stage, &["vt", "f", "stitch", "g"])].concat();
    // The body's vertices come after those of the dress.
    let moved = |face: &String| {
        let corners: Vec<String> = face.split_whitespace().skip(1).map(|v| (v.parse::<usize>().unwrap() - own).to_string()).collect();
        format!("f {}", corners.join(" "))
    };
    let body = [vertices[own..].to_vec(), faces[triangles..].iter().map(moved).collect()].concat();
    std::fs::write(folder.path().join("dress.obj"), dress.join("\n")).unwrap();
    std::fs::write(folder.path().join("body.obj"), body.join("\n")).unwrap();
    let scene = |self_contact: bool| -> Scene {
        serde_json::from_value(json!({
            "version": 1, "name": "dress",
            "bodies": [{ "name": "dress", "mesh": "dress.obj", "as": { "cloth": {
                "stiffness": 200.0, "bending_stiffness": 1e-4, "density": 0.2, "thickness": 0.0, "rest": "uv", "seams": { "from_file": true }
            } } }],
            "obstacles": [{ "name": "body", "friction": 0.5, "shape": { "mesh": { "mesh": "body.obj" } } }],
            "contact": { "self_contact": self_contact, "barrier_distance": 1e-3, "detection_distance": 1e-3 },
            "initialise": { "stiffen_up_to": 8.0 },
            "simulate": { "step_size": 0.01 }
        }))
        .unwrap()
    };
    let crossing = Simulation::build(&scene(true), folder.path(), &Unwatched).map(|_| ()).unwrap_err().0;
    assert!(crossing.iter().any(|problem| problem.message.contains("the surface passes through itself in")), "{crossing:?}");
    let mut simulation = Simulation::build(&scene(false), folder.path(), &Unwatched).unwrap();
    assert_eq!(simulation.system.bodies[0].mesh.pattern.as_ref().unwrap().triangles.len(), triangles);
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    println!("{:?}\n{:?}\n{:?}\n{:?}", report.residual, report.pattern, report.contact, report.stability);
    println!("stiffened {} of {}, by {:.2} at most", report.stiffened.elements, report.elements, report.stiffened.max_factor);
    assert!(report.residual.after < 1e-8 && report.unattainable.elements == 0 && report.contacts > 1000, "{:?}", report.outcome);
    assert!(report.stiffened.elements < report.elements / 1000 && report.pattern.unwrap().mean < 0.06);
    let drift = |simulation: &mut Simulation| (0..3).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
    let held = drift(&mut simulation);
    simulation.initialise(Method::Naive, &Unwatched).unwrap();
    let naive = drift(&mut simulation);
    println!("drift {held:.1e}, naive {naive:.1e}");
    assert!(held < 1e-4 && naive > 1e-3, "{held} {naive}");
}
