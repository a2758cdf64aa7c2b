//! Masses tied by general linear equalities, and masses that slide.

use super::*;
use crate::math::Mat3;
use crate::math::random::Random;
use crate::system::Equality;

/// y0 - 2 y1 = const for two equal masses that fall: least constraint gives accelerations 1.2 g and 0.6 g.
#[test]
fn tied_masses_fall_as_gauss_says() {
    let mut system = particles(vec![Vec3::new(0.0, 1.0, 0.0), Vec3::new(1.0, 0.5, 0.0)], vec![], 0.0);
    let terms = vec![(0, Vec3::new(0.0, 1.0, 0.0)), (1, Vec3::new(0.0, -2.0, 0.0))];
    system.equalities = vec![Equality::new("lever".into(), terms, &system.positions)];
    let mut run = Run::new(system, &Balance::default());
    for stats in run.steps(50) {
        assert!(run.system.equalities[0].residual(&run.state.positions).abs() < 1e-12);
        assert!(stats.residual < 1e-9, "the tie's force is no residual: {}", stats.residual);
    }
    let fallen = 0.5 * G * run.state.time * (run.state.time + H);
    for (node, share) in [(0, 1.2), (1, 0.6)] {
        let moved = run.system.positions[node].y - run.state.positions[node].y;
        assert!((moved / (share * fallen) - 1.0).abs() < 1e-9, "{node}: {moved}");
    }
}

/// A mass on the plane 3 x + 4 y = 2 stays in it and slides down with g times the sine of its slope.
#[test]
fn a_mass_slides_in_its_plane() {
    let normal = Vec3::new(0.6, 0.8, 0.0);
    let mut system = particles(vec![Vec3::new(0.4, 0.2, 0.0)], vec![], 0.0);
    system.slides = vec![(0, Mat3::identity() - normal * normal.transpose())];
    let mut run = Run::new(system, &Balance::default());
    run.state.velocities[0] = Vec3::new(0.0, 0.0, 0.3);
    run.steps(100);
    let at = run.state.positions[0];
    assert!((3.0 * at.x + 4.0 * at.y - 2.0).abs() < 1e-13);
    let down = 0.5 * G * 0.6 * run.state.time * (run.state.time + H);
    assert!(((at - run.system.positions[0]).dot(&Vec3::new(0.8, -0.6, 0.0)) / down - 1.0).abs() < 1e-9);
    assert!((at.z - 0.3 * run.state.time).abs() < 1e-12);
}

/// Ties along any directions hold from step to step, and what they leave free falls.
#[test]
fn ties_hold_along_any_directions() {
    let mut random = Random::new(71);
    let positions: Vec<Vec3> = (0..4).map(|_| random.vector(-1.0, 1.0)).collect();
    let mut system = particles(positions, vec![], 0.0);
    for (name, nodes) in [("pair", vec![0, 2]), ("all", vec![0, 1, 2, 3]), ("one", vec![3])] {
        let terms = nodes.into_iter().map(|node| (node, random.vector(-1.0, 1.0))).collect();
        system.equalities.push(Equality::new(name.into(), terms, &system.positions));
    }
    let mut run = Run::new(system, &Balance::default());
    for _ in 0..20 {
        run.step();
        for equality in &run.system.equalities {
            let held: f64 = equality.terms.iter().map(|(node, along)| along.dot(&run.state.positions[*node as usize])).sum();
            let at_first: f64 = equality.terms.iter().map(|(node, along)| along.dot(&run.system.positions[*node as usize])).sum();
            assert!((held - at_first).abs() < 1e-12, "{}", equality.name);
        }
    }
    assert!(run.state.positions.iter().zip(&run.system.positions).all(|(x, at_first)| (x - at_first).norm() > 0.01));
}
