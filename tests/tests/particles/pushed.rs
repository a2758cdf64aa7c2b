//! What rests is not frozen: pushed, kicked and let go, balanced material points do what elastic bodies do.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::scene::{DENSITY, GRAVITY, Particles, SPACING, lattice, run};
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Block, Blocks};
use serde_json::{Value, json};

const COUNTS: [usize; 3] = [6, 12, 6];

const YOUNG: f64 = 1e6;

/// A column on a floor that it sticks to, stiff enough not to tip, by implicit steps that soon come to rest.
fn column(counts: [usize; 3]) -> Particles {
    let mut column = Particles::elastic(&lattice(counts, 0.0), "neo_hookean");
    column.scene["bodies"][0]["as"]["particles"]["elastic"]["young"] = json!(YOUNG);
    column.floor(2.0);
    column.scene["simulate"] = json!({ "stepper": "mpm_implicit", "step_size": 0.25, "tolerance": 1e-8 });
    column
}

/// Mean way of the upper layer of what was at `given`, between heights of `low` and `high` [m].
fn upper(simulation: &Simulation, [low, high]: [f64; 2]) -> Vec3 {
    let nodes: Vec<usize> =
        (0..simulation.system.body_nodes()).filter(|&n| (low..=high).contains(&simulation.system.positions[n].y)).collect();
    nodes.iter().map(|&n| simulation.state.positions[n] - simulation.system.positions[n]).sum::<Vec3>() / nodes.len() as f64
}

/// With three times its weight, and a tenth of it to the side, a column of points gives way as one of tets does from the same balanced shape: within 5 %
/// along, and 8 % with what it bends, on six cells across (25 % on three).
#[test]
fn a_push_moves_points_as_far_as_elements() {
    let counts = [12, 20, 12];
    let height = counts[1] as f64 * SPACING;
    let push = GRAVITY * Vec3::new(0.1, -3.0, 0.0);
    let mut points = column(counts).initialised(Method::SagFree).0;
    points.system.gravity = push;
    let (_, last) = run(&mut points, 10.0);
    assert!(last.kinetic < 1e-9, "{}", last.kinetic);
    // The upper layer is half a spacing below the top.
    let of_points = upper(&points, [height - 0.6 * SPACING, height]);

    let side = counts[0] as f64 * SPACING;
    let mut block = Block::jelly([side, height, side], [12, 40, 12], [0.0, 0.5 * height, 0.0], YOUNG);
    block.material = json!({ "law": "neo_hookean", "young": YOUNG, "poisson": 0.3, "density": DENSITY });
    block.regions =
        json!([{ "name": "base", "role": { "dirichlet": {} }, "select": [{ "height": { "axis": "y", "from": 0.0, "to": 0.0 } }] }]);
    let mut tets = Blocks::new(&[block], &json!({ "simulate": { "stepper": "quasi_static", "step_size": 1.0 } })).build().unwrap();
    tets.initialise(Method::SagFree, &Unwatched).unwrap();
    tets.system.gravity = push;
    tets.step(&Unwatched).unwrap();
    let of_tets = upper(&tets, [height - 0.5 * SPACING - 1e-3, height - 0.5 * SPACING + 1e-3]);
    println!("points {of_points:?}, tets {of_tets:?}");
    assert!(
        of_tets.y < -2e-3 && (of_points.y / of_tets.y - 1.0).abs() < 0.05 && (of_points - of_tets).norm() < 0.08 * of_tets.norm(),
        "{of_points} {of_tets}"
    );
}

/// Without gravity a balanced column springs back by what an undeformed one sags under it, and leaves the floor.
#[test]
fn without_gravity_a_column_springs_back() {
    let top = [(COUNTS[1] as f64 - 0.6) * SPACING, COUNTS[1] as f64 * SPACING];
    let longer = |simulation: &Simulation| upper(simulation, top).y - upper(simulation, [0.0, 0.6 * SPACING]).y;
    let mut naive = column(COUNTS).initialised(Method::Naive).0;
    run(&mut naive, 5.0);
    let mut balanced = column(COUNTS).initialised(Method::SagFree).0;
    balanced.system.gravity = Vec3::zeros();
    run(&mut balanced, 5.0);
    let (sag, back) = (-longer(&naive), longer(&balanced));
    println!("sags by {sag:.3e} m, springs back by {back:.3e} m");
    assert!(sag > 1e-3 && (back / sag - 1.0).abs() < 0.1, "{sag} {back}");
}

/// Wherever the grid is, what is balanced stays: bodies and floors moved by no whole number of cells.
#[test]
fn where_the_grid_is_does_not_matter() {
    let mut random = Random::new(5);
    for _ in 0..4 {
        let by = random.vector(-0.2, 0.2);
        let points: Vec<Vec3> = lattice([6, 8, 6], 0.0).iter().map(|x| x + by).collect();
        let mut block = Particles::elastic(&points, "neo_hookean");
        block.floor(0.5);
        block.scene["obstacles"][0]["shape"]["half_space"]["point"] = json!([by.x, by.y, by.z]);
        let (mut simulation, report) = block.initialised(Method::SagFree);
        let (drift, _) = run(&mut simulation, 0.5);
        println!("moved by {by:?}: residual {:.1e}, drift {drift:.1e}", report.residual.after);
        assert!(report.residual.after < 1e-11 && drift < 1e-11, "{by}: {:e} {drift:e}", report.residual.after);
    }
}

/// Kicked at random by a micrometre a second, what is balanced is never farther than a hundredth of one away in 20 s, and swings ever less.
#[test]
fn a_small_kick_dies_away() {
    for (law, jitter) in [("neo_hookean", 0.0), ("hencky", 0.3)] {
        let mut block = Particles::elastic(&lattice([6, 6, 6], jitter), law);
        block.floor(0.5);
        let (mut simulation, _) = block.initialised(Method::SagFree);
        let mut random = Random::new(3);
        let points = simulation.system.body_nodes();
        simulation.state.velocities[..points].iter_mut().for_each(|v| *v += random.vector(-1e-6, 1e-6));
        let diagonal = simulation.system.diagonal;
        let parts: Vec<(f64, f64)> = (0..4)
            .map(|_| {
                let (drift, last) = run(&mut simulation, 5.0);
                (drift * diagonal, last.kinetic)
            })
            .collect();
        println!("{law}: {parts:?} m and J, by parts of 5 s");
        let [farthest, last] = [0, 3].map(|part| parts[part]);
        assert!(farthest.0 > 1e-10 && farthest.0 < 1e-8, "{law}: {farthest:?}");
        assert!(parts.iter().all(|part| part.0 <= farthest.0) && last.1 < 1e-3 * farthest.1.max(1e-22), "{law}: {parts:?}");
    }
}

/// Sideways too: gravity that turns by a little leaves what sticks in place, bent as far as that takes it, and back again it stands as before.
#[test]
fn what_is_bent_comes_back() {
    let layer = [(COUNTS[1] as f64 - 0.6) * SPACING, COUNTS[1] as f64 * SPACING];
    let (mut simulation, _) = column(COUNTS).initialised(Method::SagFree);
    let upright: Value = json!(simulation.system.gravity.as_slice());
    simulation.system.gravity = GRAVITY * Vec3::new(0.1, -1.0, 0.0);
    run(&mut simulation, 5.0);
    let bent = upper(&simulation, layer);
    simulation.system.gravity = -GRAVITY * Vec3::y();
    assert_eq!(upright, json!(simulation.system.gravity.as_slice()));
    run(&mut simulation, 10.0);
    let back = upper(&simulation, layer);
    println!("bent by {bent:?}, back to {back:?}");
    assert!(bent.x > 3e-4 && back.norm() < 1e-3 * bent.norm(), "{bent} {back}");
}
