//! Cloth against closed forms: plates, strips, catenaries and bubbles; what units and numbering must not change; what is refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use aplomb_sim::element::{Batch, Element, Hinge};
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Cut, Sheet};
use serde_json::json;

/// The hinges of a simulation.
fn hinges(simulation: &Simulation) -> Vec<(Hinge, [u32; 4])> {
    let family = simulation.system.families.iter().find(|family| family.kind().name == "hinges").unwrap();
    let any: &dyn std::any::Any = family.as_ref();
    let batch: &Batch<Hinge, 4, 1> = any.downcast_ref().unwrap();
    batch.elements.iter().cloned().zip(batch.connectivity().iter().copied()).collect()
}

/// A flat strip that is clamped at one end and lies level carries its weight by bending alone: the moment at the clamp is q L^2 / 2 per
/// width, of one that is held at both ends less. With columns of hinges across the strip these are sums over its width.
#[test]
fn a_level_strip_has_the_moments_of_a_plate() {
    let (length, width, density) = (1.0, 0.2, 0.3);
    let cells = [40, 8];
    let mut sheet = Sheet::new(cells, Cut::Cross, |u, v| Vec3::new(length * u, 0.0, width * v));
    sheet.cloth(&json!({ "bending_stiffness": 1.0, "density": density })).hold(|u, _| u < 1.5 / 40.0);
    let mut simulation = sheet.build().unwrap();
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.residual.after < 1e-10 && report.infeasible.is_empty(), "{:?}", report.residual);
    let x = &simulation.system.positions;
    // All hinges along the line u = 1/4, a column of edges across the strip.
    let at = |n: u32| x[n as usize];
    let column = |u: f64| -> f64 {
        hinges(&simulation)
            .iter()
            .filter(|(_, nodes)| nodes[..2].iter().all(|&n| (at(n).x - u * length).abs() < 1e-9))
            .map(|(hinge, nodes)| hinge.force_coordinates(&nodes.map(at))[0])
            .sum()
    };
    // Diagonals carry a part of it: what crosses the line all together is the statics of what hangs beyond.
    for u in [0.25, 0.5] {
        let beyond = length * (1.0 - u);
        let moment = density * 9.81 * width * beyond * beyond / 2.0;
        let found = column(u).abs();
        assert!((found / moment - 1.0).abs() < 1e-9, "{u}: {found} of {moment}");
    }
}

/// Deflection of the end of a level strip under its weight, bent to a cylinder, over that of a plate, q L^4 / (8 D): columns of vertices
/// across the strip move as one.
fn deflection(cut: Cut, cells: [usize; 2], height: f64) -> f64 {
    let rigidity = 1e-3;
    let sheet = {
        let mut sheet = Sheet::new(cells, cut, |u, v| Vec3::new(u, 0.0, height * v));
        sheet.cloth(&json!({ "bending_stiffness": rigidity, "density": 0.2 }));
        sheet
    };
    let simulation = sheet.build().unwrap();
    let system = &simulation.system;
    // Columns by their place along the strip.
    let mut places: Vec<f64> = system.positions.iter().map(|x| x.x).collect();
    places.sort_by(f64::total_cmp);
    places.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
    let column = |n: usize| places.iter().position(|x| (x - system.positions[n].x).abs() < 1e-9).unwrap();
    let count = places.len();
    let mut stiffness = nalgebra::DMatrix::<f64>::zeros(count, count);
    for (hinge, nodes) in hinges(&simulation) {
        let x = nodes.map(|n| system.positions[n as usize]);
        let hessian = hinge.hessian(&x, false);
        for (i, &a) in nodes.iter().enumerate() {
            for (j, &b) in nodes.iter().enumerate() {
                stiffness[(column(a as usize), column(b as usize))] += hessian[i][j][(1, 1)];
            }
        }
    }
    let mut load = nalgebra::DVector::<f64>::zeros(count);
    system.masses.iter().enumerate().for_each(|(n, mass)| load[column(n)] -= 9.81 * mass);
    // Clamped within the first tenth: no deflection there, and no slope.
    let clamp = 0.1;
    let free: Vec<usize> = (0..count).filter(|&c| places[c] > clamp + 1e-9).collect();
    let k = nalgebra::DMatrix::from_fn(free.len(), free.len(), |i, j| stiffness[(free[i], free[j])]);
    let f = nalgebra::DVector::from_fn(free.len(), |i, _| load[free[i]]);
    let w = k.cholesky().unwrap().solve(&f);
    // Hinges on the last column that is held bend half of the cell before it.
    let length = 1.0 - clamp + 0.5 / cells[0] as f64;
    let plate = 0.2 * 9.81 * length.powi(4) / (8.0 * rigidity);
    -w[free.len() - 1] / plate
}

/// Stiffness of a plate: triangles whose edges lie along and across the strip, and triangles of equal sides, bend as it does. The hinges'
/// own Poisson's ratio, and what they resist in other directions, are told in `docs/laws.md`.
#[test]
fn a_strip_bends_as_a_plate_does() {
    for (cut, cells, height) in
        [(Cut::Right, [80, 4], 0.05), (Cut::Cross, [80, 4], 0.05), (Cut::Equilateral, [80, 12], 12.0 * 0.75f64.sqrt() / 80.0)]
    {
        let ratio = deflection(cut, cells, height);
        assert!((ratio - 1.0).abs() < 0.02, "{cut:?}: {ratio} of the plate's deflection");
    }
}

/// Air pushes a sheet from either side with the same force, c_d rho/2 A u^2.
#[test]
fn wind_pushes_cloth_from_both_sides() {
    for wind in [3.0, -3.0] {
        let mut sheet = Sheet::new([3, 3], Cut::Cross, |u, v| Vec3::new(u, v, 0.0));
        sheet.scene["wind"] = json!({ "velocity": [0, 0, wind], "density": 1.2, "drag": 1.1 });
        sheet.scene["gravity"] = json!([0, 0, 0]);
        let simulation = sheet.build().unwrap();
        let total: Vec3 = simulation.system.loads().iter().sum();
        let expected = Vec3::new(0.0, 0.0, 0.5 * 1.2 * 1.1 * wind * wind.abs());
        assert!((total - expected).norm() < 1e-12, "{total}");
    }
}

/// What is stiff against bending in one direction and its Poisson's ratio: of triangles of equal sides a plate's D and -1/3 in all
/// directions; of right triangles D along their sides, and more along their diagonals.
#[test]
fn the_directions_that_hinges_resist_are_those_that_are_told() {
    let rigidity = 1e-3;
    // Energy per area over D/2 of a shallow paraboloid x . K x / 2, inside of a patch.
    let energy = |cut: Cut, kappa: [f64; 3]| {
        let (cells, size) = ([24usize, 24usize], 24.0);
        let height = if cut == Cut::Equilateral { 0.75f64.sqrt() } else { 1.0 };
        let small = 1e-4;
        let mut sheet = Sheet::new(cells, cut, |u, v| Vec3::new(size * u, size * height * v, 0.0));
        sheet.cloth(&json!({ "bending_stiffness": rigidity }));
        let simulation = sheet.build().unwrap();
        let system = &simulation.system;
        let bent = |x: &Vec3| x + Vec3::z() * small * 0.5 * (kappa[0] * x.x * x.x + kappa[1] * x.y * x.y + 2.0 * kappa[2] * x.x * x.y);
        let middle = Vec3::new(0.5 * size, 0.5 * size * height, 0.0);
        // Each hinge stands for the third of its triangles around its edge.
        let (mut sum, mut area) = (0.0, 0.0);
        for (hinge, nodes) in hinges(&simulation) {
            let x = nodes.map(|n| system.positions[n as usize]);
            if (0.5 * (x[0] + x[1]) - middle).amax() > 0.25 * size {
                continue;
            }
            sum += hinge.energy(&x.map(|x| bent(&x)));
            area += hinge.bulk(&x);
        }
        sum / (0.5 * rigidity * small * small * area)
    };
    let along = |cut| energy(cut, [1.0, 0.0, 0.0]);
    let turned = |cut| energy(cut, [0.5, 0.5, 0.5]);
    let both = |cut| energy(cut, [1.0, 1.0, 0.0]);
    println!("equilateral {} {} {}", along(Cut::Equilateral), turned(Cut::Equilateral), both(Cut::Equilateral));
    println!("right {} {} {}", along(Cut::Right), turned(Cut::Right), both(Cut::Right));
    println!("cross {} {} {}", along(Cut::Cross), turned(Cut::Cross), both(Cut::Cross));
}
