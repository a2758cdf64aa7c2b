//! Motion of single masses against closed forms.

use super::*;
use crate::contact::BalancedContact;
use crate::contact::barrier::BarrierKind;

/// A particle at `gap` over a slope of `degrees`, and the balance of its weight.
fn on_slope(degrees: f64, gap: f64, friction: f64) -> (System, Balance) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let normal = Vec3::new(sin, cos, 0.0);
    let system = particles(vec![Vec3::new(0.3, 0.0, -0.2) + gap * normal - 0.3 * sin * normal], vec![ground(normal)], friction);
    let weight = 0.5 * system.gravity;
    let normal_force = -weight.dot(&normal);
    let friction_force = -(weight + normal_force * normal);
    let contact = BalancedContact { pair: 0, normal, normal_force, friction_force, distance: gap };
    (system, Balance { contacts: vec![contact], pairs: Vec::new() })
}

#[test]
fn free_fall_is_that_of_implicit_euler() {
    let mut run = Run::new(particles(vec![Vec3::zeros()], vec![], 0.0), &Balance::default());
    let stats = run.steps(50);
    let t = run.state.time;
    assert!((run.state.positions[0].y + 0.5 * G * t * (t + H)).abs() < 1e-12);
    let last = stats[49];
    assert!((last.kinetic - 0.25 * (G * t).powi(2)).abs() < 1e-10);
    assert!((last.gravity + 0.5 * G * 0.5 * G * t * (t + H)).abs() < 1e-10);
    assert!(last.iterations >= 1 && last.residual < 1e-9 && last.min_gap == f64::INFINITY);
}

/// From the second step on the motion goes on with the same acceleration: Newton's method begins where it ends.
#[test]
fn a_fall_goes_on_without_search_until_it_ends() {
    let mut run = Run::new(particles(vec![Vec3::new(0.0, 0.05, 0.0)], vec![ground(Vec3::y())], 0.0), &Balance::default());
    let stats = run.steps(30);
    let falling = stats.iter().take_while(|step| step.contacts == 0).count();
    assert!(falling > 6 && falling < 15, "{falling}");
    let iterations: Vec<u32> = stats.iter().map(|step| step.iterations).collect();
    assert!(iterations[0] > 1 && iterations[1..falling].iter().all(|&count| count == 1), "{iterations:?}");
    assert!(stats.iter().all(|step| step.min_gap > 0.0));
}

#[test]
fn a_preloaded_contact_does_not_drift_whatever_its_gap() {
    for gap in [0.0, -2e-5, 3e-4, 1e-3, 4e-3] {
        let (system, balance) = on_slope(20.0, gap, 0.38);
        let mut run = Run::new(system, &balance);
        let force = run.net_force();
        assert!(force[0].norm() < 1e-10 * 0.5 * G, "force {force:?} at gap {gap}");
        for stats in run.steps(100) {
            assert!(stats.drift < 1e-10, "drift {} at gap {gap}", stats.drift);
            assert!(stats.iterations >= 1 && stats.contacts == 1);
            assert!((stats.min_gap - gap).abs() < 1e-10 && stats.min_effective_gap > 0.0);
        }
    }
}

#[test]
fn friction_on_its_cone_holds_too() {
    let (system, balance) = on_slope(20.0, 0.0, 20.0f64.to_radians().tan() * (1.0 + 1e-12));
    let mut run = Run::new(system, &balance);
    assert!(run.steps(100).iter().all(|s| s.drift < 1e-8));
}

#[test]
fn a_kick_dies_away_and_leaves_no_slip() {
    let (system, balance) = on_slope(20.0, 0.0, 0.38);
    let mut run = Run::new(system, &balance);
    run.state.velocities[0] = Vec3::new(1e-4, 1e-4, -1e-4);
    let stats = run.steps(500);
    let peak = stats.iter().map(|s| s.drift).fold(0.0, f64::max);
    assert!(peak > 1e-8, "the kick was not seen: {peak}");
    assert!(stats[499].drift < 1e-10, "slipped by {}", stats[499].drift);
}

#[test]
fn slides_with_the_acceleration_of_coulomb() {
    let (sin, cos) = 20.0f64.to_radians().sin_cos();
    for friction in [0.0, 0.1, 0.2, 0.3] {
        let (system, balance) = on_slope(20.0, 0.0, friction);
        let mut run = Run::new(system, &balance);
        run.steps(20);
        let before = run.state.velocities[0].norm();
        run.steps(60);
        let acceleration = (run.state.velocities[0].norm() - before) / (60.0 * H);
        let exact = G * (sin - friction * cos);
        assert!((acceleration / exact - 1.0).abs() < 0.01, "{acceleration} for {exact} at mu {friction}");
    }
}

#[test]
fn a_naive_start_sticks_below_the_critical_slope() {
    let (system, _) = on_slope(20.0, 5e-4, 0.40);
    let mut run = Run::new(system, &Balance::default());
    run.steps(200);
    let settled = run.state.positions[0];
    run.steps(100);
    assert!((run.state.positions[0] - settled).norm() < 1e-9);
    assert!((settled - run.system.positions[0]).norm() < 3e-3);
}

#[test]
fn a_thrown_mass_lands_and_rests_where_the_barrier_carries_it() {
    let (system, balance) = on_slope(0.0, 0.0, 0.5);
    let mut run = Run::new(system, &balance);
    run.state.velocities[0] = Vec3::new(0.5, 2.0, 0.0);
    let flight = run.steps(15);
    assert!(flight[9].contacts == 0 && flight[9].drift > 0.04, "{flight:?}");
    let last = run.steps(400)[399];
    let contacts = &run.stepper.contacts(&run.system).obstacles;
    assert!(last.kinetic < 1e-12 && last.contacts == 1 && last.residual < 1e-8);
    assert!((contacts.slots[0].force - 0.5 * G).abs() < 1e-8 * G);
    assert_eq!(contacts.slots[0].offset, 0.0, "the preload was left behind in the air");
    assert!((run.state.positions[0].y - contacts.barrier.gap_for_force(0.5 * G)).abs() < 1e-9);
}

#[test]
fn a_fast_mass_is_stopped() {
    for shape in [
        Shape::Sphere { center: [0.0; 3], radius: 0.05 },
        Shape::Box { center: [0.0; 3], size: [0.2, 0.02, 0.2], rotate_degrees: [0.0; 3] },
        Shape::Capsule { from: [-0.1, 0.0, 0.0], to: [0.1, 0.0, 0.0], radius: 0.02 },
    ] {
        let mut run = Run::new(particles(vec![Vec3::new(0.001, 0.3, 0.0)], vec![obstacle(shape)], 0.1), &Balance::default());
        run.state.velocities[0] = Vec3::new(0.0, -60.0, 0.0);
        // Many times as far as the obstacle is thick in one step: the mass stays on the side that it came from, and its fall is over.
        for _ in 0..2 {
            run.step();
            let x = run.state.positions[0];
            assert!(run.system.obstacles[0].distance(&x).value > 0.0 && x.y > 0.0, "{:?}: {x}", run.system.obstacles[0].shape);
        }
        assert!(run.state.velocities[0].y > -6.0, "{:?}: {}", run.system.obstacles[0].shape, run.state.velocities[0]);
    }
}

#[test]
fn falls_freely_once_the_support_is_gone() {
    let (mut system, balance) = on_slope(20.0, 0.0, 0.38);
    system.obstacles[0].removed_at = 20.0 * H;
    let mut run = Run::new(system, &balance);
    assert!(run.steps(20).iter().all(|s| s.drift < 1e-10));
    let start = run.state.positions[0];
    let last = run.steps(30)[29];
    let t = 30.0 * H;
    assert!((run.state.positions[0] - start - Vec3::new(0.0, -0.5 * G * t * (t + H), 0.0)).norm() < 1e-9);
    assert_eq!(last.contacts, 0);
}

#[test]
fn a_pinned_contact_that_pulled_cannot_pull_here() {
    let mut system = particles(vec![Vec3::zeros()], vec![ground(Vec3::y())], 0.5);
    system.gravity = Vec3::new(0.0, G, 0.0);
    let pulling = BalancedContact { pair: 0, normal: Vec3::y(), normal_force: -0.5 * G, friction_force: Vec3::zeros(), distance: 0.0 };
    let mut run = Run::new(system, &Balance { contacts: vec![pulling], pairs: Vec::new() });
    run.steps(10);
    let t = 10.0 * H;
    assert!((run.state.positions[0].y - 0.5 * G * t * (t + H)).abs() < 1e-9);
}

#[test]
fn nothing_pushes_where_nothing_weighs() {
    let mut system = particles(vec![Vec3::new(0.0, 1e-4, 0.0)], vec![ground(Vec3::y())], 0.5);
    system.gravity = Vec3::zeros();
    let mut run = Run::new(system, &Balance::default());
    assert!(run.steps(20).iter().all(|s| s.drift == 0.0 && s.residual == 0.0));
}

#[test]
fn the_scene_chooses_the_barrier_and_how_stiff_it_is() {
    let rest = |kind: BarrierKind, factor: f64| {
        let mut system = particles(vec![Vec3::new(0.0, 2e-3, 0.0)], vec![ground(Vec3::y())], 0.5);
        system.contact.barrier = kind;
        system.contact.stiffness = factor;
        let mut run = Run::new(system, &Balance::default());
        run.steps(300);
        let height = run.state.positions[0].y;
        let barrier = run.stepper.contacts(&run.system).obstacles.barrier;
        assert_eq!(barrier.kind, kind);
        assert!((height - barrier.gap_for_force(0.5 * G)).abs() < 1e-8, "{kind:?} {factor}: {height}");
        height
    };
    for kind in [BarrierKind::C2, BarrierKind::Book] {
        assert!(rest(kind, 4.0) > 1.1 * rest(kind, 1.0));
    }
}

/// What a contact remembers of its force is the force of the step that ended, with the offset that it had: on a plane the one that carries the
/// weight and turns the velocity, while the offset fades.
#[test]
fn the_force_that_is_remembered_is_that_of_the_step() {
    for gap in [3e-4, 2.5e-3] {
        let (system, balance) = on_slope(0.0, gap, 0.2);
        let mut run = Run::new(system, &balance);
        run.state.velocities[0] = Vec3::new(1.5, 0.0, 0.7);
        let first = run.slots()[0].offset;
        for _ in 0..12 {
            let before = run.state.velocities[0].y;
            run.step();
            let pushed = run.system.masses[0] * ((run.state.velocities[0].y - before) / H + G);
            let force = run.slots()[0].force;
            assert!((force - pushed).abs() < 1e-6 * 0.5 * G, "{force} {pushed}");
        }
        assert!((run.slots()[0].offset / first - 1.0).abs() > 0.1, "the offset does not fade: {first}");
    }
}

/// A step is led around a ball if it aims deeper than a tenth of the radius, from however far away.
#[test]
fn steps_that_aim_deep_into_a_ball_are_told() {
    let radius = 0.1;
    for distance in [0.11, 0.3, 2.0] {
        let ball = obstacle(Shape::Sphere { center: [0.0; 3], radius });
        let system = particles(vec![distance * Vec3::y()], vec![ball], 0.0);
        let mut run = Run::new(system, &Balance::default());
        let start = run.state.positions.clone();
        for (deep, led) in [(-0.05, None), (0.08, None), (0.12, Some(0)), (1.0, Some(0))] {
            let mut contact = run.stepper.contacts(&run.system).freeze(&run.system, &start, 0.0);
            let aim = [radius * (1.0 - deep) * Vec3::y()];
            assert_eq!(contact.led_around(&aim), led, "{distance} {deep}");
        }
    }
}
