//! Runs repeat, whatever the number of threads.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::scene::{MassMatrix, Method, Scene};
use crate::scene_file::{gallery, load};
use crate::watch::Unwatched;

/// Initialises and steps a scene of the gallery with 1, 2 and 4 threads: verdict, statistics and positions are the same to the bit.
fn repeats(name: &str, steps: usize, change: impl Fn(&mut Scene)) {
    let path = gallery::find(name).unwrap().path();
    let mut scene = load(&path).unwrap();
    change(&mut scene);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
            let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
            let stats: Vec<StepStats> = (0..steps).map(|_| simulation.step(&Unwatched).unwrap().without_times()).collect();
            let softest = report.stability.map(|stability| stability.softest);
            (format!("{softest:?} {stats:?}"), simulation.state.positions)
        })
    };
    let first = run(1);
    for threads in [2, 4] {
        assert!(run(threads) == first, "{name} with {threads} threads");
    }
}

#[test]
fn consistent_masses_repeat_to_the_bit() {
    for name in ["hanging_beam", "box_drop"] {
        repeats(name, 20, |scene| {
            scene.bodies.iter_mut().for_each(|body| body.mass_matrix = MassMatrix::Consistent);
            scene.bodies[0].velocity = [0.1, 0.0, 0.2];
        });
    }
}

/// With cures, seams, and contact between cloth and solids; each is given a push.
#[test]
fn cloth_repeats_to_the_bit() {
    for (name, steps) in [("fig13_sail", 20), ("garment", 3), ("tablecloth_pull", 3)] {
        repeats(name, steps, |scene| scene.bodies[0].velocity = [0.02, 0.01, 0.05]);
    }
}

/// A fluid by cells of one colour, stirred.
#[test]
fn particles_repeat_to_the_bit() {
    repeats("pbf_column", 4, |scene| {
        scene.bodies[0].velocity = [0.3, 0.0, 0.1];
        if let Some(kind) = &mut scene.bodies[0].kind {
            kind.settings["fluid"]["vorticity"] = 0.1.into();
        }
    });
}
