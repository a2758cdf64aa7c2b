//! Static solutions of other solvers, held against ours.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::bodies::solid::Solid;
use aplomb_sim::element::Batch;
use aplomb_sim::element::tet::Tet;
use aplomb_sim::material;
use aplomb_sim::math::{Mat3, Vec3, bounding_diagonal};
use aplomb_sim::mesh::TetMesh;
use aplomb_sim::scene::UpAxis;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::system::motion::Pose;
use aplomb_sim::system::{DrivenNode, Motion, PlacedBody, Span, System};
use aplomb_sim::watch::Unwatched;
use aplomb_tests::shared_mesh;
use std::sync::Arc;

/// A neo-Hookean solid without weight whose driven nodes follow `motions`, node by node.
fn solid(mesh: TetMesh, young: f64, poisson: f64, motions: Vec<Motion>, driven: Vec<DrivenNode>) -> System {
    let law = material::law("neo_hookean").unwrap();
    let materials = vec![(law.build)(young, poisson); mesh.tets.len()];
    let elements: Batch<Tet, 4, 6> = Batch::at_rest(&mesh.positions, &mesh.tets, &materials).unwrap();
    let mut fixed = vec![false; mesh.positions.len()];
    driven.iter().for_each(|d| fixed[d.node as usize] = true);
    let mut system = System {
        positions: mesh.positions.clone(),
        masses: mesh.lumped_masses(&vec![1000.0; mesh.tets.len()]),
        fixed,
        driven,
        motions,
        families: vec![Box::new(elements)],
        diagonal: bounding_diagonal(&mesh.positions),
        bodies: vec![PlacedBody {
            name: "solid".into(),
            nodes: 0..mesh.positions.len(),
            internal: 0..0,
            spans: vec![Span { family: 0, elements: 0..mesh.tets.len() }],
            matter: Arc::new(Solid::default()),
            mesh: mesh.into(),
        }],
        ..System::default()
    };
    system.simulate.stepper = "quasi_static".into();
    system.simulate.tolerance = 1e-10;
    system
}

/// A motion that is done at one second.
fn motion(pivot: Vec3, translation: Vec3, rotation: Vec3) -> Motion {
    let pose = |time: f64| Pose { time, translation: time * translation, rotation: time * rotation };
    Motion { pivot, poses: vec![pose(0.0), pose(1.0)] }
}

/// Equilibrium after all motions are done, in so many load steps.
fn solve(mut system: System, steps: u32) -> Simulation {
    system.simulate.step_size = 1.0 / f64::from(steps);
    let mut simulation = Simulation::new(system);
    let mut iterations = 0;
    for _ in 0..steps {
        let stats = simulation.step(&Unwatched).unwrap();
        assert_eq!((stats.inversions, stats.substeps), (0, 1));
        iterations += stats.iterations;
    }
    println!("{iterations} Newton iterations in {steps} load steps");
    simulation
}

/// The numbers after the line that starts with `title` in a binary legacy VTK file, each of `width` bytes.
fn numbers<T>(content: &[u8], title: &str, width: usize, count: usize, read: impl Fn(&[u8]) -> T) -> Vec<T> {
    let start = content.windows(title.len()).position(|w| w == title.as_bytes()).unwrap();
    let mut first = start + content[start..].iter().position(|&b| b == b'\n').unwrap() + 1;
    if content[first..].starts_with(b"LOOKUP_TABLE") {
        first += content[first..].iter().position(|&b| b == b'\n').unwrap() + 1;
    }
    content[first..first + width * count].chunks_exact(width).map(read).collect()
}

fn vectors(components: &[f64]) -> Vec<Vec3> {
    components.chunks_exact(3).map(Vec3::from_column_slice).collect()
}

/// A box of 384 tets whose ends are turned by 45 degrees each way about x: the twist of softy.
#[test]
fn a_twisted_box_ends_where_another_solver_put_every_vertex() {
    let (Some(start), Some(end)) =
        (shared_mesh("reference/neohookean-twist/box_twist.vtk"), shared_mesh("reference/neohookean-twist/box_twisted.vtk"))
    else {
        return;
    };
    let (start, end) = (std::fs::read(start).unwrap(), std::fs::read(end).unwrap());
    let double = |b: &[u8]| f64::from_be_bytes(b.try_into().unwrap());
    let rest = vectors(&numbers(&start, "VECTORS ref float", 4, 375, |b| f64::from(f32::from_be_bytes(b.try_into().unwrap()))));
    let held = numbers(&start, "SCALARS fixed char", 1, 125, |b| b[0] != 0);
    let cells = numbers(&start, "CELLS 384", 4, 1920, |b| u32::from_be_bytes(b.try_into().unwrap()));
    // They are stored inside out.
    let tets = cells.chunks_exact(5).map(|c| [c[1], c[2], c[4], c[3]]).collect();
    let wanted = vectors(&numbers(&end, "POINTS 125", 8, 375, double));
    let energies = numbers(&end, "SCALARS strain_energy double", 8, 384, double);

    let middle = rest.iter().sum::<Vec3>() / 125.0;
    let quarter = std::f64::consts::FRAC_PI_4;
    let turned = |n: usize, sign: f64, rest_of_way: Vec3| {
        let motion = motion(middle, rest_of_way, Vec3::new(sign * quarter, 0.0, 0.0));
        (wanted[n] - motion.displaced(&rest[n], 1.0), motion)
    };
    // Which end turns which way is told by the file, and the last digits of where to, in which it is not quite 45 degrees.
    let exactly = |n: usize| {
        let (sign, missed) = [-1.0, 1.0]
            .map(|sign| (sign, turned(n, sign, Vec3::zeros()).0))
            .into_iter()
            .min_by(|a, b| a.1.norm().total_cmp(&b.1.norm()))
            .unwrap();
        assert!(missed.norm() < 1e-6);
        turned(n, sign, missed).1
    };
    let nodes: Vec<usize> = (0..125).filter(|&n| held[n]).collect();
    let motions = nodes.iter().map(|&n| exactly(n)).collect();
    let driven: Vec<_> = (0..).zip(&nodes).map(|(motion, &n)| DrivenNode { node: n as u32, motion }).collect();
    assert_eq!(driven.len(), 50);
    let mesh = TetMesh::from_tets(rest, tets).unwrap();
    let simulation = solve(solid(mesh, 1000.0, 0.0, motions, driven), 10);

    let x = &simulation.state.positions;
    let missed = x.iter().zip(&wanted).map(|(x, wanted)| (x - wanted).norm()).fold(0.0, f64::max);
    let energy: f64 = simulation.system.families[0].energy(x);
    let known: f64 = energies.iter().sum();
    println!("twist: farthest vertex {missed:.1e}, energy {energy} for {known}");
    assert!(missed < 1e-8, "{missed}");
    assert!((energy / known - 1.0).abs() < 1e-9, "{energy} for {known}");
}

/// |u|_H1, and the norms of u with p = 2 and p = 8 by one point a tet.
fn norms(system: &System, x: &[Vec3]) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for tet in system.tets() {
        let rest = tet.map(|n| system.positions[n as usize]);
        let u = tet.map(|n| x[n as usize] - system.positions[n as usize]);
        let edges = Mat3::from_columns(&[rest[1] - rest[0], rest[2] - rest[0], rest[3] - rest[0]]);
        let moved = Mat3::from_columns(&[u[1] - u[0], u[2] - u[0], u[3] - u[0]]);
        let volume = edges.determinant() / 6.0;
        let centre = u.iter().sum::<Vec3>() / 4.0;
        sums[0] += volume * (moved * edges.try_inverse().unwrap()).norm_squared();
        sums[1] += volume * centre.norm_squared();
        // Its components are taken as one vector, and its norm to the power p.
        sums[2] += volume * centre.norm().powi(8);
    }
    [sums[0].sqrt(), sums[1].sqrt(), sums[2].powf(0.125)]
}

/// Pulls the alien by the faces that are selected, each to its own side, as polyfem's regression scenes do.
fn alien(name: &str, selections: [&dyn Fn(&Vec3) -> bool; 2], counts: [usize; 2], published: [f64; 3]) {
    let Some(path) = shared_mesh("tet/alien.msh") else { return };
    let raw = aplomb_sim::import::read(&path, &Unwatched).unwrap();
    let mesh = TetMesh::from_raw(&raw, 1.0, UpAxis::Y).unwrap();
    let mut which = vec![None; mesh.positions.len()];
    for (motion, selected) in (0..).zip(selections) {
        for face in &mesh.surface {
            if selected(&(face.map(|n| mesh.positions[n as usize]).iter().sum::<Vec3>() / 3.0)) {
                face.iter().for_each(|&n| which[n as usize] = Some(motion));
            }
        }
    }
    let driven: Vec<_> = (0..).zip(&which).filter_map(|(node, motion)| Some(DrivenNode { node, motion: (*motion)? })).collect();
    assert_eq!([0, 1].map(|m| driven.iter().filter(|d| d.motion == m).count()), counts);
    let pull = |y: f64| motion(Vec3::zeros(), Vec3::new(0.0, y, 0.0), Vec3::zeros());
    let simulation = solve(solid(mesh, 20000.0, 0.3, vec![pull(-0.1), pull(0.1)], driven), 1);
    let found = norms(&simulation.system, &simulation.state.positions);
    for (found, published) in found.iter().zip(published) {
        let off = found / published - 1.0;
        println!("{name}: {found} for {published}, off by {off:.1e}");
        assert!(off.abs() < 1e-6, "{name}: {found} for {published}");
    }
}

#[test]
fn the_alien_pulled_by_planes_has_the_published_norms() {
    let beyond = |point: Vec3, normal: Vec3| move |x: &Vec3| (x - point).dot(&normal) >= 0.0;
    let low = beyond(Vec3::zeros(), Vec3::new(-1.0, -1.0, 0.0));
    let high = beyond(Vec3::new(0.0, 2.0, 0.0), Vec3::new(0.5, 1.0, 0.0));
    alien("plane", [&low, &high], [1040, 1581], [0.1085725863357185, 0.07847782166776829, 0.08702125840876548]);
}

#[test]
fn the_alien_pulled_by_balls_has_the_published_norms() {
    let within = |centre: Vec3| move |x: &Vec3| (x - centre).norm() <= 0.7;
    let (low, high) = (within(Vec3::new(0.0, 0.0, 0.2)), within(Vec3::new(0.0, 2.2, 0.2)));
    alien("sphere", [&low, &high], [3241, 3262], [0.17353295560917717, 0.08911673209809691, 0.09283991034860652]);
}
