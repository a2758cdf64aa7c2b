//! Kernels of contact: two bumpy sheets on one another, at 0.6 of the barrier's distance.

use std::hint::black_box;
use std::sync::Arc;

use aplomb_sim::contact::barrier::{Barrier, BarrierKind};
use aplomb_sim::contact::broad_phase::BroadPhase;
use aplomb_sim::contact::reach::Reach;
use aplomb_sim::contact::surfaces::{Pose, Term, add_barrier_gradient, barrier_energy, fill_barrier_hessians, free_share};
use aplomb_sim::contact::{ActiveSet, Candidates, CollisionSurface, PairRules, PartInput};
use aplomb_sim::element::Family;
use aplomb_sim::linear::{LinearSystem, NodeMatrixPattern, SolverChoice};
use nalgebra::{Matrix3, Vector3};

use super::Request;
use super::reference::Peer;
use super::report::Row;
use crate::cli::failure::Failure;

const fn ipctk(phase: &'static str, what: &'static str, record: &'static [(&'static str, &'static str)]) -> Peer {
    Peer { phase, what, record, figure: "ms_min", unit: 1e-3 }
}

const PEERS: &[Peer] = &[
    ipctk("broad_static", "ipctk, LBVH", &[("name", "broad phase, static dhat"), ("broad", "LBVH"), ("tris", "19600")]),
    ipctk("broad_swept", "ipctk, LBVH", &[("name", "broad phase, swept"), ("broad", "LBVH"), ("tris", "19600")]),
    ipctk("ccd_closing", "ipctk, additive", &[("name", "narrow-phase CCD Additive"), ("tris", "19600")]),
    ipctk("ccd_sliding", "ipctk, additive", &[("name", "narrow-phase CCD, sliding, Additive"), ("tris", "19600")]),
    ipctk("active_set", "ipctk", &[("name", "collision set from given candidates"), ("tris", "19600")]),
    ipctk("energy", "ipctk", &[("name", "barrier energy"), ("tris", "19600")]),
    ipctk("gradient", "ipctk", &[("name", "barrier gradient"), ("tris", "19600")]),
    ipctk("hessian", "ipctk", &[("name", "barrier Hessian, PSD-clamped, assembled"), ("tris", "19600")]),
    ipctk("hessian_exact", "ipctk", &[("name", "barrier Hessian, unprojected, assembled"), ("tris", "19600")]),
];

/// Vertices along a side of each sheet.
const SIDE: usize = 71;
/// Reach of the barrier [m].
const REACH: f64 = 2e-3;
/// Each time is the least of so many.
const REPETITIONS: usize = 7;

/// Every kernel by itself.
pub fn run(_: &Request) -> Result<Vec<Row>, Failure> {
    let (x, parts) = sheets();
    let surface = CollisionSurface::new(&x, parts, PairRules::all_touch(2, 0.0), vec![true; x.len()])
        .map_err(|error| Failure::Input(error.to_string()))?;
    let mut row = Row {
        name: "contacts_39k".into(),
        system: "two bumpy sheets, 0.6 barrier distances apart; the least of 7 times".into(),
        elements: surface.triangles.len(),
        masses: x.len(),
        peers: PEERS,
        ..Row::default()
    };

    let closing = moved(&x, Vector3::new(0.0, 0.0, -2.0 * REACH), 1e-4);
    let sliding = moved(&x, Vector3::new(5e-3, 3e-3, 0.0), 0.0);
    let (mut near, mut on_way, mut along) = (Candidates::default(), Candidates::default(), Candidates::default());
    row.time("broad_static", least(|| BroadPhase::default().find(&surface, &x, 2.0 * REACH, &mut near)));
    let mut kept = BroadPhase::default();
    row.time("broad_static_kept", least(|| kept.find(&surface, &x, 2.0 * REACH, &mut near)));
    row.time("broad_swept", least(|| BroadPhase::default().find_swept(&surface, &x, &closing, 0.0, &mut on_way)));
    row.time("broad_swept_kept", least(|| kept.find_swept(&surface, &x, &closing, 0.0, &mut on_way)));
    kept.find_swept(&surface, &x, &sliding, 0.0, &mut along);
    let mut free = [0.0; 2];
    row.time("ccd_closing", least(|| free[0] = free_share(&surface, &on_way, &x, &closing, 1.0)));
    row.time("ccd_sliding", least(|| free[1] = free_share(&surface, &along, &x, &sliding, 1.0)));
    let (mut active, reach) = (ActiveSet::default(), Reach::far(REACH));
    row.time("active_set", least(|| active.update(&surface, &near, &x, &reach)));

    let barrier = Barrier { distance: REACH, stiffness: 1.0, kind: BarrierKind::C2 };
    let pose = Pose { x: &x, origin: &x, barrier };
    let stencils = active.stencils();
    let (mut local, mut gradient) = (Vec::new(), vec![Vector3::zeros(); x.len()]);
    row.time("energy", least(|| barrier_energy(stencils, &pose)));
    row.time("gradient", least(|| add_barrier_gradient(stencils, &pose, &mut local, &mut gradient)));
    let nodes: Vec<[u32; 4]> = stencils.iter().map(Term::nodes).collect();
    let mut blocks = vec![[[Matrix3::zeros(); 4]; 4]; stencils.len()];
    let diagonal = vec![Matrix3::zeros(); x.len()];
    let pattern = Arc::new(NodeMatrixPattern::new::<dyn Family>(&vec![true; x.len()], &[]));
    let mut system = LinearSystem::new(pattern, SolverChoice::Direct);
    row.time("pattern", once(|| system.prepare(&nodes)));
    for (phase, projected) in [("hessian", true), ("hessian_exact", false)] {
        let blocks_alone = least(|| fill_barrier_hessians(stencils, &pose, projected, &mut blocks));
        row.time(
            phase,
            least(|| {
                fill_barrier_hessians(stencils, &pose, projected, &mut blocks);
                system.prepare(&nodes);
                system.assemble(&[], &diagonal, &nodes, &blocks, &[]);
            }),
        );
        row.time(&format!("{phase}.blocks"), blocks_alone);
    }

    row.contacts = stencils.len();
    row.count("candidates_static", near.len());
    row.count("candidates_swept", on_way.len());
    row.count("candidates_sliding", along.len());
    row.count("free_closing", free[0]);
    row.count("free_sliding", free[1]);
    Ok(vec![row])
}

fn once<T>(work: impl FnOnce() -> T) -> f64 {
    let clock = std::time::Instant::now();
    black_box(work());
    clock.elapsed().as_secs_f64()
}

/// Least seconds of a few calls, after one that does not count.
fn least<T>(mut work: impl FnMut() -> T) -> f64 {
    work();
    (0..REPETITIONS).map(|_| once(&mut work)).fold(f64::INFINITY, f64::min)
}

/// A wavy sheet of 1 m, and another over it that is shifted by a part of a cell.
fn sheets() -> (Vec<Vector3<f64>>, Vec<PartInput>) {
    let cell = 1.0 / (SIDE - 1) as f64;
    let at = |i: usize, j: usize, shift: [f64; 2], gap: f64| {
        let (x, y) = ((i as f64 + shift[0]) * cell, (j as f64 + shift[1]) * cell);
        Vector3::new(x, y, 0.05 * (6.0 * x).sin() * (5.0 * y).cos() + gap)
    };
    let sheet = |shift, gap| (0..SIDE * SIDE).map(move |n| at(n / SIDE, n % SIDE, shift, gap));
    let positions = sheet([0.0; 2], 0.0).chain(sheet([0.37, 0.23], 0.6 * REACH)).collect();
    let triangles = |first: usize| {
        let corners = (0..SIDE - 1).flat_map(move |i| (0..SIDE - 1).map(move |j| (first + i * SIDE + j) as u32));
        let side = SIDE as u32;
        corners.flat_map(|q| [[q, q + side, q + 1], [q + 1, q + side, q + side + 1]]).collect()
    };
    let part = |name: &str, first| PartInput::triangles(name, triangles(first));
    (positions, vec![part("lower", 0), part("upper", SIDE * SIDE)])
}

/// Moves the upper sheet, with a little unevenness.
fn moved(x: &[Vector3<f64>], way: Vector3<f64>, uneven: f64) -> Vec<Vector3<f64>> {
    let of_node = |n: usize| {
        let wave = |k: f64| (12.9898 * k * n as f64).sin();
        if n < SIDE * SIDE { Vector3::zeros() } else { way + uneven * Vector3::new(wave(1.0), wave(1.7), wave(2.3)) }
    };
    (0..x.len()).map(of_node).collect()
}
