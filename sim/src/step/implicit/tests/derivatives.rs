//! The assembled force and Hessian against finite differences.

use super::*;
use crate::contact::BalancedContact;
use crate::contact::StepContact;
use crate::math::Mat3;
use crate::math::random::Random;

/// A block between a ball and a slope, deformed, with contact forces of every kind.
fn pressed() -> (Run, Balance) {
    let ball = obstacle(Shape::Sphere { center: [0.05, -0.3, 0.05], radius: 0.3 });
    let slope = ground(Vec3::new(0.1, 1.0, 0.0));
    let system = onto(block([2, 1, 1], 0.1, Vec3::zeros(), "neo_hookean", 1e4, 0.0), vec![ball, slope], 0.4);
    let mut contacts = Vec::new();
    for (index, pair) in system.pairs.iter().enumerate().filter(|(_, p)| system.positions[p.node as usize].y < 0.05) {
        let normal = system.obstacles[pair.obstacle as usize].distance(&system.positions[pair.node as usize]).normal;
        let across = normal.cross(&Vec3::new(0.3, 0.1, 1.0)) * 0.2;
        contacts.push(BalancedContact { pair: index as u32, normal, normal_force: 1.0, friction_force: across, distance: 0.0 });
    }
    let balance = Balance { contacts, pairs: Vec::new() };
    (Run::new(system, &balance), balance)
}

#[test]
fn the_first_force_of_each_contact_is_the_solved_one() {
    let (mut run, balance) = pressed();
    let mut expected = run.system.loads();
    for contact in &balance.contacts {
        expected[run.system.pairs[contact.pair as usize].node as usize] += contact.normal_force * contact.normal + contact.friction_force;
    }
    for (force, expected) in run.net_force().iter().zip(&expected) {
        assert!((force - expected).norm() < 1e-10, "{force:?} is not {expected:?}");
    }
}

#[test]
fn gradient_and_hessian_match_differences() {
    let (mut run, _) = pressed();
    let amplitude = 1e-6 * run.system.diagonal;
    let origin = run.system.positions.clone();
    let wave = |k: usize| Vec3::new((1.3 * k as f64).sin(), (2.1 * k as f64).cos(), (0.7 * k as f64 + 1.0).sin());
    let x: Vec<Vec3> = origin.iter().enumerate().map(|(n, p)| p + amplitude * wave(n)).collect();
    let direction: Vec<Vec3> = (0..x.len()).map(|n| wave(n + 50)).collect();
    let mut frozen = run.stepper.contacts(&run.system).freeze(&run.system, &origin, 0.0);
    let h = 1e-9;
    let shifted = |s: f64| -> Vec<Vec3> { x.iter().zip(&direction).map(|(x, d)| x + s * h * d).collect() };
    let gradient = |frozen: &mut StepContact, x: &[Vec3]| {
        let mut g = vec![Vec3::zeros(); x.len()];
        frozen.add_gradient(x, &mut g);
        g
    };
    let slope: f64 = gradient(&mut frozen, &x).iter().zip(&direction).map(|(g, d)| g.dot(d)).sum();
    let difference = (frozen.energy(&shifted(1.0)) - frozen.energy(&shifted(-1.0))) / (2.0 * h);
    assert!((slope - difference).abs() < 1e-5 * slope.abs(), "{slope} {difference}");

    let mut diagonal = vec![Mat3::zeros(); x.len()];
    frozen.add_obstacle_hessian(&x, false, true, &mut diagonal);
    let (plus, minus) = (gradient(&mut frozen, &shifted(1.0)), gradient(&mut frozen, &shifted(-1.0)));
    for n in 0..x.len() {
        let difference = (plus[n] - minus[n]) / (2.0 * h);
        assert!((diagonal[n] * direction[n] - difference).norm() < 1e-4 * (1.0 + difference.norm()), "node {n}");
    }
    let mut projected = vec![Mat3::zeros(); x.len()];
    frozen.add_obstacle_hessian(&x, true, false, &mut projected);
    assert!(projected.iter().all(|block| block.symmetric_eigenvalues().min() > -1e-9));
    assert!(diagonal.iter().zip(&projected).any(|(exact, projected)| (exact - projected).norm() > 1e-3), "the ball is curved");

    // The whole Hessian against the whole force, for which the slips are those of the given shape.
    let product = {
        let state = run.state.clone();
        let mut curvature = instant::Curvature::default();
        let (pattern, matrix) = curvature.hessian(&run.system, &run.system.families, run.stepper.contacts(&run.system), &state, false);
        let mut product = vec![Vec3::zeros(); x.len()];
        matrix.multiply(pattern, &direction, &mut product);
        product
    };
    let mut frozen = run.stepper.contacts(&run.system).freeze(&run.system, &origin, 0.0);
    let mut total = |s: f64| {
        let x: Vec<Vec3> = origin.iter().zip(&direction).map(|(x, d)| x + s * h * d).collect();
        let mut g = vec![Vec3::zeros(); x.len()];
        run.system.families[0].add_gradient(&x, &mut g);
        frozen.add_gradient(&x, &mut g);
        g
    };
    let (plus, minus) = (total(1.0), total(-1.0));
    for n in 0..x.len() {
        let difference = (plus[n] - minus[n]) / (2.0 * h);
        assert!((product[n] - difference).norm() < 1e-4 * (1.0 + difference.norm()), "node {n}");
    }
}

/// A ball pushes along its radius: across it the force turns with the point, and the energy's second derivative is minus the force over the
/// distance from the centre; along it, it is that of the barrier.
#[test]
fn across_the_normal_of_a_ball_the_hessian_is_minus_the_force_over_the_distance() {
    let mut random = Random::new(51);
    for _ in 0..50 {
        let (radius, away) = (random.uniform(0.01, 2.0), random.vector(-1.0, 1.0).normalize());
        let ball = obstacle(Shape::Sphere { center: [0.0; 3], radius });
        let system = particles(vec![(radius + 0.1) * away], vec![ball], 0.0);
        let mut run = Run::new(system, &Balance::default());
        let x = [(radius + random.uniform(0.1, 0.9) * run.system.contact.barrier_distance) * away];
        let frozen = run.stepper.contacts(&run.system).freeze(&run.system, &x, 0.0);
        let mut hessian = [Mat3::zeros()];
        frozen.add_obstacle_hessian(&x, false, true, &mut hessian);
        let mut run = Run { state: State { positions: x.to_vec(), ..run.state }, ..run };
        let force = (run.net_force()[0] - run.system.masses[0] * run.system.gravity).dot(&away);
        let across = away.cross(&random.vector(-1.0, 1.0)).normalize();
        let expected = -force / x[0].norm();
        assert!(force > 0.0 && (across.dot(&(hessian[0] * across)) / expected - 1.0).abs() < 1e-9, "{hessian:?} {expected}");
        assert!((away.cross(&(hessian[0] * away))).norm() < 1e-12 * hessian[0].norm() && away.dot(&(hessian[0] * away)) > 0.0);
    }
}
