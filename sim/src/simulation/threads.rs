//! Runs with consistent masses repeat, whatever the number of threads.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::scene::{MassMatrix, Method};
use crate::scene_file::{gallery, load};
use crate::watch::Unwatched;

#[test]
fn consistent_masses_repeat_to_the_bit() {
    for name in ["hanging_beam", "box_drop"] {
        let path = gallery::find(name).unwrap().path();
        let mut scene = load(&path).unwrap();
        scene.bodies.iter_mut().for_each(|body| body.mass_matrix = MassMatrix::Consistent);
        scene.bodies[0].velocity = [0.1, 0.0, 0.2];
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut simulation = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
                let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
                let stats: Vec<StepStats> = (0..20).map(|_| simulation.step(&Unwatched).unwrap().without_times()).collect();
                let softest = report.stability.map(|stability| stability.softest);
                (format!("{softest:?} {stats:?}"), simulation.state.positions)
            })
        };
        let first = run(1);
        for threads in [2, 4] {
            assert!(run(threads) == first, "{name} with {threads} threads");
        }
    }
}
