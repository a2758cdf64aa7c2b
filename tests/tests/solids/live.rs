//! Scenes that are balanced one after the other, with what they share kept, come out to the bit as those that are built from nothing: over random
//! sequences of edits, through what has no balance and back, and after balances that were given up.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use aplomb_sim::scene::{Method, Region, RegionRole, Scene, Selector, Shape};
use aplomb_sim::scene_file::{self, gallery};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{Conclusion, InitReport};
use aplomb_sim::system::Kept;
use aplomb_sim::watch::{Cancelled, Unwatched, Watch};
use serde_json::Value;

/// A scene of the gallery, and its folder.
fn scene(name: &str) -> (Scene, PathBuf) {
    let path = gallery::find(name).unwrap().path();
    (scene_file::load(&path).unwrap(), path.parent().unwrap().to_path_buf())
}

/// The report without what differs from run to run.
fn numbers(report: &InitReport) -> Value {
    let mut numbers = serde_json::to_value(report).unwrap();
    for key in ["seconds", "peak_memory_bytes"] {
        numbers.as_object_mut().unwrap().remove(key).unwrap();
    }
    if let Some(cures) = numbers["stability"]["cures"].as_array_mut() {
        cures.iter_mut().for_each(|cure| drop(cure.as_object_mut().unwrap().remove("seconds")));
    }
    numbers
}

/// Everything that an initialisation leaves, as bits.
fn left(simulation: &mut Simulation) -> Vec<u64> {
    let fields = simulation.fields().into_iter().flat_map(|field| field.values);
    let forces =
        simulation.balance.contacts.iter().flat_map(|c| [c.normal_force, c.friction_force.x, c.friction_force.y, c.friction_force.z]);
    let pairs = simulation.balance.pairs.iter().flat_map(|p| [p.normal_force, p.friction_force.x, p.friction_force.y, p.friction_force.z]);
    let modes = simulation.modes().iter().flat_map(|mode| mode.shape.iter().flat_map(|v| [v.x, v.y, v.z]));
    let mut all: Vec<f64> = fields.chain(forces).chain(pairs).chain(modes).collect();
    all.extend(simulation.residual_field());
    all.into_iter().map(f64::to_bits).collect()
}

/// Numbers from 0 to 1 that look drawn by lot, the same in every run (Knuth's MMIX generator).
struct Lots(u64);

impl Lots {
    fn draw(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn up_to(&mut self, count: usize) -> usize {
        (self.draw() * count as f64) as usize
    }
}

/// An edit drawn by lot; what it was.
fn edit(scene: &mut Scene, positions: &[[f64; 3]], size: f64, lots: &mut Lots) -> String {
    let sort = lots.up_to(9);
    let body = lots.up_to(scene.bodies.len());
    let share = lots.draw();
    match sort {
        0..=2 => {
            let material = scene.bodies[body].material.clone().unwrap();
            let center = positions[lots.up_to(positions.len())];
            let role = match sort {
                0 => RegionRole::FIXED,
                1 => RegionRole::Material(aplomb_sim::scene::MaterialSettings { young: material.young * (0.3 + 3.0 * share), ..material }),
                _ => RegionRole::Contact { friction: Some(share), obstacles: None },
            };
            let select = vec![Selector::Sphere { center, radius: size * (0.05 + 0.2 * share) }];
            scene.bodies[body].regions.push(Region {
                name: format!("stroke {}", lots.up_to(1 << 30)),
                color: None,
                locked: false,
                role,
                select,
            });
            format!("a stroke of sort {sort}")
        }
        3 => {
            let gone = scene.bodies[body].regions.pop();
            format!("region {:?} taken away", gone.map(|region| region.name))
        }
        4 => {
            scene.bodies[body].material.as_mut().unwrap().young *= 0.5 + share;
            "stiffness".into()
        }
        5 => {
            let material = scene.bodies[body].material.as_mut().unwrap();
            (material.poisson, material.density) = (0.1 + 0.35 * share, 500.0 + 1000.0 * share);
            "poisson and density".into()
        }
        6 => {
            for obstacle in &mut scene.obstacles {
                if let Shape::HalfSpace { point, .. } = &mut obstacle.shape {
                    point[1] = -size * if share < 0.5 { 0.0 } else { 1e-3 * share };
                }
            }
            "an obstacle moved".into()
        }
        7 => {
            scene.obstacles.iter_mut().for_each(|obstacle| obstacle.friction = 0.8 * share);
            scene.contact.friction = share;
            "friction".into()
        }
        _ => {
            scene.gravity = if share < 0.2 { [0.0; 3] } else { [2.0 * share - 1.0, -9.81, 0.0] };
            "gravity".into()
        }
    }
}

/// Balances a scene after others, and from nothing, and compares; what came of it.
fn compare(scene: &Scene, folder: &std::path::Path, kept: &mut Kept, what: &str) -> Conclusion {
    let live = Simulation::build_with(scene, folder, kept, &Unwatched);
    let cold = Simulation::build(scene, folder, &Unwatched);
    let (mut live, mut cold) = match (live, cold) {
        (Ok(live), Ok(cold)) => (live, cold),
        (Err(live), Err(cold)) => {
            assert_eq!(live.0, cold.0, "{what}");
            return Conclusion::DoesNotHold;
        }
        (live, cold) => panic!("{what}: built {} after others, {} from nothing", live.is_ok(), cold.is_ok()),
    };
    let balanced = live.balance(Method::SagFree, &Unwatched).unwrap();
    assert!(balanced.stability.is_none(), "{what}: nobody has asked yet");
    let after = live.judge(&Unwatched).unwrap().expect("a balance to be judged");
    let expected = cold.initialise(Method::SagFree, &Unwatched).unwrap();
    assert_eq!(numbers(&after), numbers(&expected), "{what}");
    assert!(left(&mut live) == left(&mut cold), "{what}: the states differ");
    // What forces alone can tell is told with them.
    assert_eq!(balanced.outcome.holds, expected.outcome.holds, "{what}");
    assert_eq!(live.judge(&Unwatched).unwrap().map(|report| report.outcome), None, "{what}: it is judged once");
    expected.outcome.verdict
}

/// Edits, one after the other, of a scene; how often each conclusion was come to, and how often a balance was found after there was none.
fn sequence(name: &str, seed: u64, edits: usize) -> (Vec<Conclusion>, usize) {
    let (first, folder) = scene(name);
    let system = Simulation::build(&first, &folder, &Unwatched).unwrap().system;
    let positions: Vec<[f64; 3]> = system.positions.iter().map(|&x| x.into()).collect();
    let (mut kept, mut lots) = (Kept::default(), Lots(seed));
    let mut history = vec![first];
    let mut conclusions = Vec::new();
    for k in 0..edits {
        let mut scene = history.last().unwrap().clone();
        // Now and then an undo, or several.
        let what = if k > 2 && lots.draw() < 0.25 {
            history.truncate((history.len() - 1 - lots.up_to(2)).max(1));
            scene = history.last().unwrap().clone();
            "undo".to_owned()
        } else {
            let what = edit(&mut scene, &positions, system.diagonal, &mut lots);
            history.push(scene.clone());
            what
        };
        conclusions.push(compare(&scene, &folder, &mut kept, &format!("{name}, seed {seed}, edit {k}: {what}")));
    }
    let back = conclusions.windows(2).filter(|pair| pair[0] == Conclusion::DoesNotHold && pair[1] == Conclusion::Holds).count();
    (conclusions, back)
}

#[test]
fn edits_of_a_block_on_a_slope_come_out_as_from_nothing() {
    let found: Vec<_> = (1..=3).map(|seed| sequence("slope", seed, 14)).collect();
    let count = |wanted: Conclusion| found.iter().flat_map(|(conclusions, _)| conclusions).filter(|one| **one == wanted).count();
    assert!(count(Conclusion::Holds) > 8 && count(Conclusion::DoesNotHold) > 4, "{found:?}");
    assert!(found.iter().map(|(_, back)| back).sum::<usize>() > 1, "it is to come back from what has no balance: {found:?}");
}

#[test]
fn edits_of_a_beam_and_of_bodies_on_one_another_come_out_as_from_nothing() {
    for (name, edits) in [("hanging_beam", 12), ("fig4_stack", 4), ("fig5_bridge", 10)] {
        let (conclusions, _) = sequence(name, 7, edits);
        assert!(conclusions.contains(&Conclusion::Holds), "{name}: {conclusions:?}");
    }
}

/// Edits of one thing alone, there and back: whatever a factor depends on is looked at, and a factor that serves on is told of as if it had
/// been made.
#[test]
fn each_thing_that_factors_depend_on_is_looked_at() {
    type Edit = (&'static str, fn(&mut Scene));
    let edits: [Edit; 8] = [
        ("nothing", |_| {}),
        ("gravity", |scene| scene.gravity = [0.3, -8.0, 0.1]),
        ("regularization", |scene| scene.initialise.regularization = 1e-8),
        ("stiffness", |scene| scene.bodies[0].material.iter_mut().for_each(|material| material.young *= 3.0)),
        ("poisson", |scene| scene.bodies[0].material.iter_mut().for_each(|material| material.poisson = 0.2)),
        ("scale", |scene| scene.bodies[0].transform.scale *= 1.001),
        ("friction", |scene| scene.obstacles.iter_mut().for_each(|obstacle| obstacle.friction += 0.1)),
        ("contact", |scene| {
            let role = RegionRole::Contact { friction: None, obstacles: None };
            let select = vec![Selector::Sphere { center: [0.0; 3], radius: 0.15 }];
            scene.bodies[0].regions.push(Region { name: "touching".into(), color: None, locked: false, role, select });
        }),
    ];
    for name in ["hanging_beam", "slope", "jelly_on_table", "hanging_net"] {
        let (first, folder) = scene(name);
        let mut kept = Kept::default();
        compare(&first, &folder, &mut kept, name);
        for (what, edit) in edits {
            let mut edited = first.clone();
            edit(&mut edited);
            compare(&edited, &folder, &mut kept, &format!("{name}: {what}"));
            compare(&edited, &folder, &mut kept, &format!("{name}: {what}, once more"));
            compare(&first, &folder, &mut kept, &format!("{name}: {what} taken back"));
        }
    }
}

/// Cancels at the n-th time that it is asked.
struct Impatient {
    asked: AtomicUsize,
    patience: usize,
}

impl Watch for Impatient {
    fn progress(&self, _: &str, _: f64) {}
    fn check(&self) -> Result<(), Cancelled> {
        if self.asked.fetch_add(1, Ordering::Relaxed) < self.patience { Ok(()) } else { Err(Cancelled) }
    }
}

/// Whenever an edit overtakes the balance of the one before it, the next is as if that had never been: also where a factor was made that another
/// regularisation asked for, as of what has no balance.
#[test]
fn what_was_given_up_leaves_no_trace() {
    for (name, looks) in [("slope", 24), ("too_slippery", 40)] {
        let (mut scene, folder) = scene(name);
        let mut kept = Kept::default();
        let mut given_up = 0;
        for patience in 0..looks {
            scene.bodies[0].material.as_mut().unwrap().young = 20000.0 + 500.0 * f64::from(patience);
            let watch = Impatient { asked: AtomicUsize::new(0), patience: patience as usize };
            let outcome = Simulation::build_with(&scene, &folder, &mut kept, &watch).map_err(|_| ()).and_then(|mut simulation| {
                simulation.balance(Method::SagFree, &watch).map_err(|_| ())?;
                simulation.judge(&watch).map_err(|_| ())
            });
            given_up += usize::from(outcome.is_err());
            // Of the same matrix, and of another one.
            scene.gravity[0] += 1e-3;
            compare(&scene, &folder, &mut kept, &format!("{name}, after {patience} looks"));
            scene.bodies[0].material.as_mut().unwrap().young += 250.0;
            compare(&scene, &folder, &mut kept, &format!("{name}, stiffer after {patience} looks"));
        }
        assert!(given_up > 5, "{given_up}");
    }
}

/// A judgement that is given up can be had later, and steps that were taken make it void.
#[test]
fn a_judgement_waits() {
    let (scene, folder) = scene("slope");
    let mut simulation = Simulation::build(&scene, &folder, &Unwatched).unwrap();
    simulation.balance(Method::SagFree, &Unwatched).unwrap();
    let impatient = Impatient { asked: AtomicUsize::new(0), patience: 0 };
    assert!(simulation.judge(&impatient).is_err());
    assert_eq!(simulation.judge(&Unwatched).unwrap().unwrap().outcome.verdict, Conclusion::Holds);
    simulation.balance(Method::SagFree, &Unwatched).unwrap();
    simulation.step(&Unwatched).unwrap();
    assert!(simulation.judge(&Unwatched).unwrap().is_none());
}
