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
    for wind in [3.0f64, -3.0] {
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
    // Along a side, both ways at an angle of 45 degrees, and in both directions at once: 2 + 2 nu.
    let [along, turned, back, both] =
        [[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, 0.5, -0.5], [1.0, 1.0, 0.0]].map(|kappa| move |cut| energy(cut, kappa));
    let is = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 0.06, "{found} for {expected}");
    is(along(Cut::Equilateral), 1.0);
    is(turned(Cut::Equilateral), 1.0);
    is(both(Cut::Equilateral), 2.0 - 2.0 / 3.0);
    is(along(Cut::Right), 1.0);
    is(both(Cut::Right), 2.0);
    is(turned(Cut::Right), 3.0);
    is(back(Cut::Right), 1.0);
    is(turned(Cut::Cross), 1.46);
    is(back(Cut::Cross), 1.46);
}

/// The least unsteady of all curves: a strip that hangs in a catenary carries its weight by tension, horizontally w a everywhere.
#[test]
fn a_catenary_has_its_tension() {
    let (a, half, density) = (0.6f64, 0.5, 0.25);
    let mut sheet = Sheet::new([60, 2], Cut::Cross, |u, v| {
        // Equal lengths along the curve.
        let along = (2.0 * u - 1.0) * a * (half / a).sinh();
        let x = a * (along / a).asinh();
        Vec3::new(x, a * (x / a).cosh(), 0.05 * v)
    });
    sheet.cloth(&json!({ "bending_stiffness": 1e-6, "density": density, "poisson": 0.0 })).hold(|u, _| u == 0.0 || u == 1.0);
    let mut simulation = sheet.build().unwrap();
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.residual.after < 1e-10 && report.infeasible.is_empty(), "{:?}", report.outcome);
    let fields = simulation.fields();
    let tension = &fields.iter().find(|field| field.kind.name == "largest resultant").unwrap().values;
    // Of the four triangles of each column across the strip.
    for column in 6..54 {
        let of_column =
            |t: &usize| sheet.triangles[*t].iter().all(|&v| (sheet.places[v as usize][0] * 60.0 - column as f64 - 0.5).abs() < 0.6);
        let all: Vec<usize> = (0..sheet.triangles.len()).filter(of_column).collect();
        assert_eq!(all.len(), 4);
        let middle = |t: &usize| sheet.triangles[*t].iter().map(|&v| sheet.positions[v as usize]).sum::<Vec3>() / 3.0;
        let mean = |of: &dyn Fn(&usize) -> f64| all.iter().map(of).sum::<f64>() / 4.0;
        // w y along the curve.
        let (found, expected) = (mean(&|t| tension[*t]), mean(&|t| density * 9.81 * middle(t).y));
        assert!((found / expected - 1.0).abs() < 0.03, "{column}: {found} of {expected}");
    }
}

/// A ball of cloth under pressure: p R / 2 in all directions.
#[test]
fn a_bubble_has_half_of_pressure_times_radius() {
    let (radius, pressure, cells) = (0.2, 300.0, 12usize);
    let mut sheet = Sheet::new([1, 1], Cut::Right, |u, v| Vec3::new(u, v, 0.0));
    // The faces of an octahedron, cut and blown up.
    let (mut positions, mut triangles): (Vec<Vec3>, Vec<[u32; 3]>) = (Vec::new(), Vec::new());
    let mut number = std::collections::BTreeMap::new();
    for octant in 0..8 {
        let sign = |bit: usize| if octant >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let mut vertex = |i: usize, j: usize| {
            let k = cells - i - j;
            let key = [sign(0) as i64 * i as i64, sign(1) as i64 * j as i64, sign(2) as i64 * k as i64];
            *number.entry(key).or_insert_with(|| {
                positions.push(radius * Vec3::new(key[0] as f64, key[1] as f64, key[2] as f64).normalize());
                positions.len() as u32 - 1
            })
        };
        let outward = sign(0) * sign(1) * sign(2) > 0.0;
        for i in 0..cells {
            for j in 0..cells - i {
                let mut add = |[a, b, c]: [u32; 3]| triangles.push(if outward { [a, b, c] } else { [a, c, b] });
                add([vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)]);
                if i + j + 1 < cells {
                    add([vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)]);
                }
            }
        }
    }
    (sheet.positions, sheet.triangles) = (positions, triangles);
    sheet.cloth(&json!({ "bending_stiffness": 1e-6, "poisson": 0.3, "stiffness": 5000.0 }));
    sheet.scene["gravity"] = json!([0, 0, 0]);
    let blown = json!([{ "name": "inside", "role": { "pressure": { "pressure": -pressure } }, "select": [{ "all": {} }] }]);
    sheet.scene["bodies"][0]["regions"] = blown;
    let mut simulation = sheet.build().unwrap();
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.residual.after < 1e-9 && report.infeasible.is_empty(), "{:?}", report.outcome);
    let fields = simulation.fields();
    for name in ["largest resultant", "least resultant"] {
        let values = &fields.iter().find(|field| field.kind.name == name).unwrap().values;
        let all: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        assert!((mean / (0.5 * pressure * radius) - 1.0).abs() < 0.03, "{name}: {mean}");
    }
}

/// The rest angles that initialisation finds, by the corners of each hinge.
fn rest_angles(sheet: &Sheet) -> std::collections::BTreeMap<[u32; 2], f64> {
    let mut simulation = sheet.build().unwrap();
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.infeasible.is_empty(), "{:?}", report.outcome);
    let source = &simulation.system.bodies[0].mesh.source_vertices;
    let of = |(hinge, nodes): (Hinge, [u32; 4])| {
        let [a, b] = [nodes[0], nodes[1]].map(|n| source[n as usize]);
        ([a.min(b), a.max(b)], hinge.rest_angle().abs())
    };
    hinges(&simulation).into_iter().map(of).collect()
}

fn curtain() -> Sheet {
    let wave = |u: f64, v: f64| Vec3::new(u, -v, 0.05 * (4.0 * std::f64::consts::PI * u).sin() * (0.5 + 0.5 * v));
    let mut sheet = Sheet::new([15, 15], Cut::Cross, wave);
    sheet.cloth(&json!({ "bending_stiffness": 1e-4 })).hold(|_, v| v == 0.0);
    sheet
}

/// The same cloth in millimetres, with masses and stiffnesses a thousand times as large, with its vertices in another order.
#[test]
fn neither_units_nor_numbers_change_rest_angles() {
    let plain = rest_angles(&curtain());
    assert!(plain.values().any(|angle| *angle > 0.1));
    let mut small = curtain();
    small.positions.iter_mut().for_each(|x| *x *= 1000.0);
    small.scene["bodies"][0]["unit"] = json!("mm");
    let mut heavy = curtain();
    heavy.cloth(&json!({ "bending_stiffness": 0.1, "stiffness": 5e5, "density": 200.0 }));
    for other in [rest_angles(&small), rest_angles(&heavy)] {
        assert!(plain.iter().all(|(edge, angle)| (other[edge] - angle).abs() < 1e-9));
    }
    let mut shuffled = curtain();
    let count = shuffled.positions.len();
    let to = |v: usize| (v * 101 + 7) % count;
    assert!((0..count).map(to).collect::<std::collections::BTreeSet<_>>().len() == count, "a permutation");
    let mut moved = vec![Vec3::zeros(); count];
    (0..count).for_each(|v| moved[to(v)] = shuffled.positions[v]);
    shuffled.positions = moved;
    shuffled.triangles = shuffled.triangles.iter().rev().map(|corners| corners.map(|v| to(v as usize) as u32)).collect();
    let held: Vec<usize> = (0..16).map(to).collect();
    shuffled.scene["bodies"][0]["regions"][0]["select"] = json!([{ "vertices": held }]);
    let other = rest_angles(&shuffled);
    let same = |edge: &[u32; 2]| {
        let [a, b] = edge.map(|v| to(v as usize) as u32);
        other[&[a.min(b), a.max(b)]]
    };
    assert!(plain.iter().all(|(edge, angle)| (same(edge) - angle).abs() < 1e-9));
}

/// What cannot be held is refused for the reason that is true, with its number; what is advised holds.
#[test]
fn refusals_name_the_true_reason() {
    let flat = |rigidity: f64| {
        let mut sheet = Sheet::new([20, 20], Cut::Cross, |u, v| Vec3::new(u, 0.0, v));
        sheet.cloth(&json!({ "bending_stiffness": rigidity })).hold(|u, v| u == 0.0 || v == 0.0 || u == 1.0 || v == 1.0);
        sheet
    };
    let told = |sheet: &Sheet| {
        let report = sheet.build().unwrap().initialise(Method::SagFree, &Unwatched).unwrap();
        report.infeasible.iter().map(|fault| fault.message.clone()).collect::<Vec<_>>().join("\n")
    };
    assert!(told(&flat(0.0)).contains("across its plane"), "{}", told(&flat(0.0)));
    for rigidity in [1e-6, 1e-5, 1e-3] {
        let words = told(&flat(rigidity));
        assert!(words.contains("rad from the given one"), "{words}");
        let advised = words.split("a bending stiffness of ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
        let advised: f64 = advised.parse().unwrap();
        assert_eq!(told(&flat(advised)), "", "what is advised holds");
        assert!(!told(&flat(0.9 * advised)).is_empty(), "and a little less does not");
    }
    // By two corners it turns about the line between them.
    let mut corners = curtain();
    corners.hold(|u, v| v == 0.0 && (u == 0.0 || u == 1.0));
    corners.cloth(&json!({ "bending_stiffness": 1e-2 }));
    assert!(told(&corners).contains("fixed along a line"), "{}", told(&corners));
}

/// What is wrong with a surface is named, with its place; what is safe to mend is mended, and told.
#[test]
fn bad_surfaces_are_named() {
    let refused = |change: &dyn Fn(&mut Sheet), words: &[&str]| {
        let mut sheet = curtain();
        change(&mut sheet);
        let message = sheet.build().map(|_| ()).unwrap_err();
        assert!(words.iter().all(|words| message.contains(words)), "{message}");
    };
    refused(
        &|sheet| {
            sheet.positions.push(Vec3::new(0.5, 0.5, 1.0));
            sheet.triangles.push([20, 21, 256]);
        },
        &["more than two triangles meet", "of 3 triangles near 0.3000, -0.0667"],
    );
    refused(&|sheet| sheet.positions[40] = sheet.positions[41], &["have no area", "triangle"]);
    let told = |change: &dyn Fn(&mut Sheet)| {
        let mut sheet = curtain();
        change(&mut sheet);
        let simulation = sheet.build().unwrap();
        let problems: Vec<String> = simulation.system.bodies[0].mesh.problems.iter().map(|problem| problem.message.clone()).collect();
        (problems.join("\n"), simulation.system.bodies[0].mesh.cells.len())
    };
    let count = curtain().triangles.len();
    let twice = told(&|sheet| sheet.triangles.extend([[0, 1, 17], [5, 5, 6], [17, 0, 16]]));
    assert!(twice.1 == count && twice.0.contains("given twice"), "{twice:?}");
    let flipped = told(&|sheet| sheet.triangles[100..120].iter_mut().for_each(|corners| corners.swap(0, 1)));
    assert!(flipped.1 == count && flipped.0.contains("20 triangles that looked the other way"), "{flipped:?}");
    let loose = told(&|sheet| sheet.positions.push(Vec3::zeros()));
    assert!(loose.1 == count && loose.0.contains("no triangle uses"), "{loose:?}");
    let none = {
        let mut sheet = curtain();
        sheet.triangles.clear();
        sheet.build().map(|_| ()).unwrap_err()
    };
    assert!(none.contains("made of triangles"), "{none}");
    let mut gains = curtain();
    gains.cloth(&json!({ "law": "orthotropic", "stiffness": 10.0, "weft_stiffness": 1000.0, "poisson": 0.3 }));
    assert!(gains.build().map(|_| ()).unwrap_err().contains("must be below 0.1"));
}
