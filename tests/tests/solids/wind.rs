//! The potted plant in the wind, under three laws (after Hsu et al. 2022, fig. 9).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::topology::Faces;
use aplomb_sim::scene::Method;
use aplomb_sim::scene_file::{self, gallery};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::Verdict;
use aplomb_sim::system::loads::Wind;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::BoxBody;

/// Seconds until the wind rises, and seconds that are watched: a whole gust of 1.3 s.
const CALM: f64 = 0.1;
const WATCHED: f64 = 1.4;
/// Directions around the stem; the farthest vertex in each is a tip.
const SECTORS: usize = 8;

/// The plant, sag-free under `name`'s law: at each step, how far each tip is from where it was drawn.
fn tips(name: &str) -> Vec<Vec<Vec3>> {
    let path = gallery::find(name).unwrap().path();
    let mut scene = scene_file::load(&path).unwrap_or_else(|problems| panic!("{problems:?}"));
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

fn root_mean_square(displacements: impl Iterator<Item = Vec3>) -> f64 {
    let (mut count, mut sum) = (0, 0.0);
    for displacement in displacements {
        count += 1;
        sum += displacement.norm_squared();
    }
    f64::sqrt(sum / f64::from(count.max(1)))
}

/// Without strain every law is as stiff. The plant is strained by 0.04 in the root mean square, and by that share their tangents differ,
/// so that after a swing the phases are 2 pi 0.02 apart: each tip goes the same way within a tenth of the way, in the root mean square
/// over the path. Tips that hardly move next to others are left out.
#[test]
fn the_plant_sways_alike_under_the_three_laws() {
    let paths = ["fig9_plant", "fig9_plant_neo_hookean", "fig9_plant_stvk"].map(tips);
    let of_tip = |law: usize, tip: usize| paths[law].iter().map(move |tips| tips[tip]);
    let ways = |tip: usize| (0..paths.len()).map(|law| root_mean_square(of_tip(law, tip))).fold(0.0, f64::max);
    let farthest = (0..SECTORS).map(ways).fold(0.0, f64::max);
    assert!(farthest > 0.005, "the tips move by {farthest} m only");
    let moving: Vec<usize> = (0..SECTORS).filter(|&tip| ways(tip) > 0.1 * farthest).collect();
    assert!(moving.len() >= SECTORS / 2, "only {} of {SECTORS} tips move", moving.len());
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        for &tip in &moving {
            let apart = root_mean_square(of_tip(a, tip).zip(of_tip(b, tip)).map(|(p, q)| p - q));
            println!("laws {a} and {b}, tip {tip}: {apart:.2e} m apart, of {:.2e} m", ways(tip));
            assert!(apart < 0.1 * ways(tip), "laws {a} and {b}, tip {tip}: {apart} m apart, of {} m", ways(tip));
        }
    }
}

/// Air that stands still resists motion with its square and does nothing at rest: verdicts and modes are those without air, of a column
/// that stands and of one that buckles, and what moves in it loses energy.
#[test]
fn still_air_leaves_verdicts_alone_and_takes_energy() {
    for (young, verdict) in [(6e5, Verdict::Unstable), (2e6, Verdict::Stable)] {
        let column =
            BoxBody { size: Vec3::new(0.08, 1.0, 0.08), cells: [2, 12, 2], law: "neo_hookean", young, poisson: 0.3, density: 1000.0 };
        let initialised = |air: bool| {
            let mut system = column.system(|x| x.y < 1e-9);
            if air {
                system.loads.exposed = Faces::of(&system.tets()).boundary(&system.tets()).0;
                let velocity = Vec3::zeros();
                system.loads.wind = Some(Wind { velocity, density: 1000.0, drag: 2.0, from: 0.0, gust_amplitude: 0.0, gust_period: 0.0 });
            }
            let mut simulation = Simulation::new(system);
            let stability = simulation.initialise(Method::SagFree, &Unwatched).unwrap().stability.unwrap();
            (simulation, stability)
        };
        let ((mut without, expected), (mut with, found)) = (initialised(false), initialised(true));
        assert_eq!((found.verdict, found.reason.as_deref()), (verdict, None));
        let modes =
            |stability: &aplomb_sim::stats::report::Stability| stability.softest.iter().map(|mode| mode.eigenvalue).collect::<Vec<_>>();
        assert_eq!(modes(&found), modes(&expected));
        if verdict == Verdict::Stable {
            let mut after = [&mut without, &mut with].map(|simulation| {
                simulation.kick(Vec3::new(1.0, 0.0, 0.0));
                (0..20).map(|_| simulation.step(&Unwatched).unwrap()).map(|step| step.total).collect::<Vec<f64>>()
            });
            let [free, braked] = &mut after;
            assert!(braked.windows(2).all(|w| w[1] <= w[0] + 1e-9 * w[0].abs()), "{braked:?}");
            assert!(braked[19] < free[19], "{} {}", braked[19], free[19]);
        }
    }
}
