//! The potted plant in the wind, under three laws (after Hsu et al. 2022, fig. 9).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::{self, Method, gallery};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;

/// Seconds until the wind rises, and seconds that are watched.
const CALM: f64 = 0.1;
const WATCHED: f64 = 0.9;
/// Directions around the stem; the farthest vertex in each is a tip.
const SECTORS: usize = 8;

/// The plant, sag-free under `name`'s law: at each step, how far each tip is from where it was drawn.
fn tips(name: &str) -> Vec<Vec<Vec3>> {
    let path = gallery::find(name).unwrap().path();
    let mut scene = scene::load(&path).unwrap_or_else(|problems| panic!("{problems:?}"));
    scene.wind.as_mut().unwrap().from = CALM;
    let mut simulation = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
    simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let given = simulation.state.positions.clone();
    let mut tips = [0; SECTORS];
    for n in simulation.system.bodies[0].nodes.clone() {
        let reach = |n: usize| given[n].x.hypot(given[n].z);
        let turn = given[n].z.atan2(given[n].x) / std::f64::consts::TAU + 0.5;
        let sector = ((turn * SECTORS as f64) as usize).min(SECTORS - 1);
        if tips[sector] == 0 || reach(n) > reach(tips[sector]) {
            tips[sector] = n;
        }
    }
    let steps = (WATCHED / scene.simulate.step_size).round() as usize;
    let mut walk = || {
        simulation.step(&Unwatched).unwrap();
        tips.iter().map(|&n| simulation.state.positions[n] - given[n]).collect()
    };
    (0..steps).map(|_| walk()).collect()
}

fn largest(displacements: impl Iterator<Item = Vec3>) -> f64 {
    displacements.map(|d| d.norm()).fold(0.0, f64::max)
}

/// At small strains about the same balance every law is as stiff: the tips go the same ways within a tenth of the way.
#[test]
fn the_plant_sways_alike_under_the_three_laws() {
    let paths = ["fig9_plant", "fig9_plant_neo_hookean", "fig9_plant_stvk"].map(tips);
    let way = largest(paths.iter().flatten().flatten().copied());
    assert!(way > 0.01, "the tips move by {way} m only");
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let apart = largest(paths[a].iter().flatten().zip(paths[b].iter().flatten()).map(|(p, q)| p - q));
        println!("laws {a} and {b}: {apart:.2e} m apart, of {way:.2e} m");
        assert!(apart < 0.1 * way, "laws {a} and {b}: {apart} m apart, of {way} m");
    }
}
