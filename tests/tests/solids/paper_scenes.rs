//! The scenes that stand by contact alone (Hsu et al. 2022, figs. 4 to 7): their sizes, and what they do that is no number of a
//! report.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Method;
use aplomb_sim::scene_file;
use aplomb_sim::scene_file::gallery;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{InitReport, Verdict};
use aplomb_sim::watch::Unwatched;

fn initialised(name: &str, method: Method) -> (Simulation, InitReport) {
    let path = gallery::find(name).unwrap().path();
    let scene = scene_file::load(&path).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut simulation = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
    let report = simulation.initialise(method, &Unwatched).unwrap();
    (simulation, report)
}

fn run_to(simulation: &mut Simulation, seconds: f64) {
    while simulation.state.time < seconds - 1e-6 {
        simulation.step(&Unwatched).unwrap();
    }
}

/// How far the nodes of a body that `select` says of the given shape have moved, on average [m].
fn moved(simulation: &Simulation, body: &str, select: impl Fn(&Vec3) -> bool) -> Vec3 {
    let (given, x) = (&simulation.system.positions, &simulation.state.positions);
    let body = simulation.system.bodies.iter().find(|placed| placed.name == body).unwrap();
    let nodes: Vec<usize> = body.nodes.clone().filter(|&n| select(&given[n])).collect();
    nodes.iter().map(|&n| x[n] - given[n]).sum::<Vec3>() / nodes.len() as f64
}

/// Elements and contacts of each row of the paper's Table 1, within 5 %; balanced, stable, and no contact pulls or slips.
#[test]
fn sizes_are_those_of_the_paper() {
    for (name, elements, contacts) in
        [("fig4_stack", 2802, 245), ("fig5_bridge", 266, 18), ("fig6_tilted_stack", 2879, 294), ("fig7_hay_bales", 4390, 294)]
    {
        let (_, report) = initialised(name, Method::SagFree);
        let near = |found: usize, wanted: f64| (found as f64 / wanted - 1.0).abs() < 0.05;
        assert!(near(report.elements, f64::from(elements)), "{name}: {} elements", report.elements);
        assert!(near(report.contacts, f64::from(contacts)), "{name}: {} contacts", report.contacts);
        assert!(report.residual.after < 1e-8 && report.infeasible.is_empty(), "{name}: {:?} {:?}", report.residual, report.infeasible);
        assert!(report.contact.min_normal_force.unwrap() >= 0.0 && report.contact.max_cone_violation <= 1e-9, "{name}");
        assert_eq!(report.stability.unwrap().verdict, Verdict::Stable, "{name}");
    }
}

/// The hand comes after two seconds; then the top cube lies beside the stack, which stands.
#[test]
fn the_top_cube_is_pushed_off_its_stack() {
    let (mut simulation, _) = initialised("fig4_stack", Method::SagFree);
    run_to(&mut simulation, 2.0);
    assert!(moved(&simulation, "cube_5", |_| true).norm() < 1e-9);
    run_to(&mut simulation, 2.6);
    let top = moved(&simulation, "cube_5", |_| true);
    assert!(top.x > 0.2 && top.y < -0.2, "the top cube has moved by {top}");
    for below in ["cube_1", "cube_2", "cube_3", "cube_4"] {
        let moved = moved(&simulation, below, |_| true);
        assert!(moved.norm() < 0.02, "{below} has moved by {moved}");
    }
}

/// The bridge is a metre long. It stays where it is until barrels are put on it, and as it pulls at pins, it does not stay at all
/// once the pins are mere contacts.
#[test]
fn the_bridge_slips_under_barrels_and_without_pins() {
    let is_end = |x: &Vec3| x.x.abs() > 0.4999;
    let (mut simulation, report) = initialised("fig5_bridge", Method::SagFree);
    assert_eq!((report.bodies, report.contacts), (1, 18), "barrels count as nothing yet");
    run_to(&mut simulation, 2.0);
    assert!(moved(&simulation, "bridge", is_end).norm() < 1e-9);
    run_to(&mut simulation, 3.0);
    let slipped = moved(&simulation, "bridge", is_end);
    assert!(slipped.y < -0.05, "under the barrels: {slipped}");

    let (mut pinned, report) = initialised("fig5_bridge", Method::PinnedContacts);
    assert!(report.contact.min_normal_force.unwrap() < 0.0);
    run_to(&mut pinned, 0.5);
    let slipped = moved(&pinned, "bridge", is_end);
    assert!(slipped.y < -0.05, "without pins: {slipped}");
}

/// How much wider the bales have become, as a share of their width.
#[test]
fn hay_bales_do_not_bulge() {
    let bulge = |method: Method, seconds: f64| {
        let (mut simulation, _) = initialised("fig7_hay_bales", method);
        run_to(&mut simulation, seconds);
        let bodies = 0..simulation.system.body_nodes();
        let width = |x: &[Vec3]| {
            let (low, high) = x[bodies.clone()].iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (x.z.min(l), x.z.max(h)));
            high - low
        };
        width(&simulation.state.positions) / width(&simulation.system.positions) - 1.0
    };
    let (naive, ours) = (bulge(Method::Naive, 0.2), bulge(Method::SagFree, 2.0));
    assert!(naive > 0.01, "naive: {naive}");
    assert!(ours.abs() < 1e-5, "ours: {ours}");
}
