//! What contact and friction must satisfy besides keeping gaps open: the conditions of complementarity, action and reaction,
//! and friction that goes by the forces at the step's end.

use super::*;
use crate::contact::SurfaceHessian;
use crate::contact::surface::{CollisionSurface, PairRules, PartInput};
use crate::math::largest_norm;
use crate::mesh::topology::Faces;
use crate::scene_file::gallery;
use crate::simulation::Simulation;
use crate::system::motion::Pose;
use crate::system::{DrivenNode, MeshObstacle, Motion};

/// A square sheet of two triangles at this height that faces up or down, as an obstacle beside one body.
pub fn with_sheet(mut system: System, height: f64, up: bool, motion: Option<Motion>, friction: f64) -> System {
    let tets = system.tets();
    let body = PartInput::triangles("body", Faces::of(&tets).boundary(&tets).0);
    let first = system.positions.len();
    let at = |x: f64, z: f64| Vec3::new(x, height, z);
    system.positions.extend([at(-1.0, -1.0), at(-1.0, 1.2), at(1.1, 1.2), at(1.1, -1.0)]);
    let nodes = first..system.positions.len();
    system.masses.resize(nodes.end, 0.0);
    system.fixed.resize(nodes.end, true);
    let node = |k: u32| first as u32 + k;
    let triangles = if up {
        vec![[node(0), node(1), node(2)], [node(0), node(2), node(3)]]
    } else {
        vec![[node(2), node(1), node(0)], [node(3), node(2), node(0)]]
    };
    if let Some(motion) = motion {
        system.motions.push(motion);
        system.driven.extend((0..4).map(|k| DrivenNode { node: node(k), motion: 0 }));
    }
    let shape = Shape::Mesh { mesh: String::new(), unit: Default::default(), up: Default::default(), transform: Default::default() };
    system.obstacles.push(PlacedObstacle::new("sheet", shape));
    let motion = (!system.driven.is_empty()).then_some(0);
    system.mesh_obstacles.push(MeshObstacle {
        obstacle: 0,
        nodes,
        triangles: triangles.clone(),
        radius: None,
        inside: None,
        thickness: f64::INFINITY,
        motion,
    });
    let mut rules = PairRules::all_touch(2, friction);
    rules.set(0, 0, None);
    let movable = system.fixed.iter().map(|fixed| !fixed).collect();
    let sheet = PartInput::triangles("sheet", triangles);
    system.surface = CollisionSurface::new(&system.positions, vec![body, sheet], rules, movable).unwrap();
    system
}

/// Between a body at rest and the ground there is balance, no force pulls and no gap is closed, but forces act across gaps: the
/// one condition that a barrier violates (Li et al. 2024, 7.3), in proportion to its distance.
#[test]
fn at_rest_all_conditions_of_contact_hold_but_complementarity_whose_error_falls_with_the_distance() {
    let mut errors = Vec::new();
    for share in [1e-2, 1e-3, 1e-4] {
        let above = block([2, 1, 2], 0.05, Vec3::new(0.0, 2e-3, 0.0), "neo_hookean", 3e4, 0.02);
        let mut system = onto(above, vec![ground(Vec3::y())], 0.0);
        system.contact.barrier_distance = share;
        let mut run = Run::new(system, &Balance::default());
        run.steps(250);
        let unbalanced = largest_norm(&run.net_force()) / run.system.largest_load();
        assert!(unbalanced < 1e-4, "{share}: {unbalanced}");
        let distance = run.stepper.contacts(&run.system).obstacles.barrier.distance;
        let slots = run.slots().to_vec();
        let (mut carried, mut across) = (0.0, 0.0);
        for (slot, x) in slots.iter().zip(&run.state.positions) {
            assert!(slot.force >= 0.0 && slot.offset == 0.0 && x.y > 0.0, "{slot:?}");
            assert!((slot.force > 0.0) == (x.y < distance), "a force beyond the barrier's distance");
            carried += slot.force;
            across += slot.force * x.y;
        }
        let weight = run.system.masses.iter().sum::<f64>() * G;
        assert!((carried / weight - 1.0).abs() < 1e-3, "{carried} of {weight}");
        errors.push(across / weight);
    }
    println!("force across a mean gap of {errors:?} m");
    for pair in errors.windows(2) {
        assert!((8.0..12.0).contains(&(pair[0] / pair[1])), "{errors:?}");
    }
}

/// From x = 0 with the direction 0.5 a plane at 0.3 is met after 0.6 of the step; a tenth of the gap, or of the barrier's
/// distance where that is less, is kept (Li et al. 2024, 8.3).
#[test]
fn the_step_towards_a_plane_ends_where_its_share_of_the_gap_is_left() {
    for (distance, kept) in [(0.3, 0.03), (1e-3, 1e-4)] {
        let wall = obstacle(Shape::HalfSpace { point: [0.3, 0.0, 0.0], normal: [-2.0, 0.0, 0.0] });
        let mut system = particles(vec![Vec3::zeros(), Vec3::y(), Vec3::z()], vec![wall], 0.0);
        system.contact.barrier_distance = distance;
        let mut run = Run::new(system, &Balance::default());
        let towards = [Vec3::new(0.5, 0.0, 0.0), Vec3::new(0.5, -3.0, 0.2), Vec3::new(-0.5, 0.0, 1.0)];
        let mut steps = [1.0; 3];
        let x = run.system.positions.clone();
        run.stepper.contacts(&run.system).freeze(&run.system, &x, 0.0).limit_node_steps(&x, &towards, &mut steps);
        let expected = (0.3 - kept) / 0.5;
        assert!((steps[0] - expected).abs() < 1e-14 && (steps[1] - expected).abs() < 1e-14, "{steps:?} instead of {expected}");
        assert!(distance != 0.3 || (steps[0] - 0.9 * 0.6).abs() < 1e-14);
        assert_eq!(steps[2], 1.0, "away from the plane");
        let reached = x[0].x + steps[0] * towards[0].x;
        assert!((0.3 - reached - kept).abs() < 1e-14);
    }
}

/// A box that slides on a sheet or on a plane. The residual of the step in which friction goes by the normal forces and tangent
/// planes at the step's own end falls with each round of lagging (Li et al. 2024, algorithm 9.3.1).
#[test]
fn rounds_of_friction_bring_the_step_nearer_to_coulombs_law_at_its_end() {
    for on_sheet in [true, false] {
        let above = block([2, 1, 2], 0.05, Vec3::new(0.0, 3e-4, 0.0), "neo_hookean", 3e4, 0.0);
        let system = if on_sheet { with_sheet(above, 0.0, true, None, 0.5) } else { onto(above, vec![ground(Vec3::y())], 0.5) };
        let mut run = Run::new(system, &Balance::default());
        for n in (0..run.system.masses.len()).filter(|&n| !run.system.fixed[n]) {
            run.state.velocities[n] = Vec3::new(2.0, 0.0, 0.5);
        }
        run.steps(10);
        let (start, remembered) = (run.state.clone(), run.stepper.contacts(&run.system).remembered());
        let residuals: Vec<f64> = [1, 2, 3, 5]
            .into_iter()
            .map(|rounds| {
                run.system.contact.friction_iterations = rounds;
                run.state = start.clone();
                run.stepper.contacts(&run.system).remember(remembered.clone());
                let stats = run.step();
                assert!(stats.substeps == 1 && stats.contacts > 0);
                run.stepper.contacts(&run.system).remember(remembered.clone());
                let residual = relagged_residual(&mut run, &start);
                // That is what the step's statistics say of it, beside what Newton's method left.
                assert!((stats.friction_lag - residual).abs() <= 2.0 * stats.residual, "{stats:?}: {residual:e}");
                residual
            })
            .collect();
        println!("on a sheet {on_sheet}: {residuals:?}");
        assert!(residuals[0] > 1e-4, "friction does not change in the step: {residuals:?}");
        assert!(residuals.windows(2).all(|pair| pair[1] < 0.5 * pair[0]), "sheet {on_sheet}: {residuals:?}");
    }
}

/// |gradient of the step's objective| at its end over the largest load, with friction lagged from there.
fn relagged_residual(run: &mut Run, start: &State) -> f64 {
    let Run { system, state, stepper } = run;
    let x = &state.positions;
    let mut contact = stepper.contacts(system).freeze(&*system, &start.positions, start.time + 0.5 * H);
    contact.relag(x);
    let mut gradient = vec![Vec3::zeros(); x.len()];
    contact.add_gradient(x, &mut gradient);
    system.families[0].add_gradient(x, &mut gradient);
    for n in 0..x.len() {
        let off_path = x[n] - (start.positions[n] + H * start.velocities[n]);
        gradient[n] += system.masses[n] * (off_path / (H * H) - system.gravity);
    }
    system.take_supported(&mut gradient);
    largest_norm(&gradient) / system.largest_load()
}

/// A ceiling comes down on a box that stands on held feet, and stays: what it pushes with pushes it back, at any time, and at rest
/// the feet carry that and the weight (Li et al. 2024, 11.2).
#[test]
fn a_moving_ceiling_feels_the_opposite_of_what_it_does_to_the_body() {
    let mut above = block([2, 1, 2], 0.05, Vec3::zeros(), "neo_hookean", 3e4, 0.02);
    for n in 0..above.positions.len() {
        above.fixed[n] = above.positions[n].y < 1e-9;
    }
    let pose = |time: f64, y: f64| Pose { time, translation: Vec3::new(0.0, y, 0.0), rotation: Vec3::zeros() };
    let motion = Motion { pivot: Vec3::zeros(), poses: vec![pose(0.0, 0.0), pose(0.2, -0.01)] };
    let mut run = Run::new(with_sheet(above, 0.0505, false, Some(motion), 0.4), &Balance::default());
    let body = run.system.body_nodes();
    let mut pushes = Vec::new();
    for _ in 0..12 {
        run.steps(10);
        let (x, time) = (run.state.positions.clone(), run.state.time);
        let mut contact = run.stepper.contacts(&run.system).freeze(&run.system, &x, time);
        let mut gradient = vec![Vec3::zeros(); x.len()];
        contact.add_gradient(&x, &mut gradient);
        let (on_body, on_ceiling): (Vec3, Vec3) = (-gradient[..body].iter().sum::<Vec3>(), -gradient[body..].iter().sum::<Vec3>());
        assert!((on_body + on_ceiling).norm() <= 1e-13 * gradient.iter().map(Vec3::norm).sum::<f64>(), "{on_body} {on_ceiling}");
        // Moving both alike changes no force: the blocks of a pair alternate in sign.
        let SurfaceHessian::Contacts(_, blocks) = contact.surface_hessian(&x, false) else { panic!("vertices touch by themselves") };
        for block in blocks {
            let (across, size) = block.iter().fold((0.0f64, 0.0f64), |(across, size), row| {
                let largest = row.iter().map(|b| b.amax()).fold(size, f64::max);
                (across.max(row.iter().sum::<crate::math::Mat3>().amax()), largest)
            });
            assert!(across <= 1e-9 * size, "{across:e} of {size:e}");
        }
        pushes.push((on_ceiling.y, on_body.y));
    }
    assert!(pushes[0].0 > 0.0 && pushes[1].0 > pushes[0].0, "the ceiling is pushed up, and the more the lower it is: {pushes:?}");
    let mut elastic = vec![Vec3::zeros(); run.state.positions.len()];
    run.system.families[0].add_gradient(&run.state.positions, &mut elastic);
    let free = |n: &usize| !run.system.fixed[*n];
    let carried: f64 = (0..body).filter(|n| !free(n)).map(|n| elastic[n].y).sum();
    let weight: f64 = (0..body).filter(free).map(|n| G * run.system.masses[n]).sum();
    let push = pushes[11].0;
    println!("pushed up with {push:.2} N, weight {weight:.2} N");
    assert!(push > 5.0 * weight && (carried / (push + weight) - 1.0).abs() < 1e-4, "{carried} for {push} and {weight}");
}

/// How far a body has turned about its centre, in degrees about z, and where its centre went [m]: the rotation nearest to its motion.
fn turned(simulation: &Simulation, body: usize) -> (f64, Vec3) {
    let nodes = simulation.system.bodies[body].nodes.clone();
    let (given, x) = (&simulation.system.positions[nodes.clone()], &simulation.state.positions[nodes.clone()]);
    let mass: f64 = simulation.system.masses[nodes.clone()].iter().sum();
    let centre = |x: &[Vec3]| x.iter().zip(&simulation.system.masses[nodes.clone()]).map(|(x, &m)| m * x).sum::<Vec3>() / mass;
    let (from, to) = (centre(given), centre(x));
    let (mut sine, mut cosine) = (0.0, 0.0);
    for (given, x) in given.iter().zip(x) {
        let (a, b) = (given - from, x - to);
        sine += a.x * b.y - a.y * b.x;
        cosine += a.x * b.x + a.y * b.y;
    }
    (sine.atan2(cosine).to_degrees(), to - from)
}

/// Two boxes, the upper one farther left, under a ceiling without friction that comes down. With friction between them they turn
/// together, the left side down; without, the lower one stays as it is and the upper one slides off (Li et al. 2024, figure 22.3.1).
#[test]
fn friction_makes_pressed_boxes_turn_and_without_it_one_slides_off() {
    let ends = ["two_boxes", "two_boxes_frictionless"].map(|name| {
        let path = gallery::find(name).unwrap().path();
        let mut scene = crate::scene_file::load(&path).unwrap();
        scene.simulate.step_size = 0.02;
        let mut simulation = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
        for _ in 0..30 {
            simulation.step(&Unwatched).unwrap();
        }
        let crossing = crate::contact::intersection::intersections(&simulation.system.surface, &simulation.state.positions);
        assert!(crossing.is_empty(), "{name}: {crossing:?}");
        let (lower, upper) = (turned(&simulation, 0), turned(&simulation, 1));
        let slid = upper.1.x - lower.1.x;
        println!("{name}: lower {:.1} degrees, upper {:.1}, slid by {slid:.3} m", lower.0, upper.0);
        (lower.0, upper.0, slid)
    });
    let [with, without] = ends;
    assert!(with.0 > 8.0 && with.1 > 8.0, "{with:?}");
    assert!(without.0.abs() < 0.5 * with.0 && without.2 < 2.0 * with.2 && without.2 < -0.1, "{with:?} {without:?}");
}

/// A sheet that is gone touches nothing, and it is told when that changes.
#[test]
fn obstacles_of_triangles_go_and_come_back() {
    let above = block([1, 1, 1], 0.05, Vec3::new(0.0, 1e-3, 0.0), "neo_hookean", 3e4, 0.0);
    let mut system = with_sheet(above, 0.0, true, None, 0.4);
    system.obstacles[0].removed_at = 1.0;
    for (time, changes, touches) in [(0.0, false, true), (0.5, false, true), (1.0, true, false), (2.0, false, false), (0.0, true, true)] {
        assert_eq!((system.set_obstacles_at(time), system.surface.may_touch(0, 1)), (changes, touches), "{time}");
    }
}
