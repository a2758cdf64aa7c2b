//! The interior point over whole bodies: how many iterations it takes, and that it ends where it should.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use serde_json::{Value, json};

use super::initialise::{Account, rest_state};
use crate::scene::Method;
use crate::scene_file::{self, gallery};
use crate::simulation::Simulation;
use crate::watch::Unwatched;

fn account(text: &str) -> Account {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes");
    let parsed = scene_file::parse(text, Path::new("scene")).unwrap();
    let simulation = Simulation::build(&parsed, &folder, &Unwatched).unwrap();
    let account = rest_state(&simulation.system, Method::SagFree, &Unwatched).unwrap().account;
    println!("{} iterations, gap {:?}, {:?}", account.iterations, account.gap, account.infeasible);
    account
}

/// Where everything sticks, displacements at the contacts are zero, and gaps are not to be measured by the work on them.
#[test]
fn a_gourd_that_sticks_where_it_stands_reaches_its_gap() {
    let account = account(gallery::find("gourd").unwrap().text);
    assert!(account.gap_reached && account.iterations <= 25, "{} {:?}", account.iterations, account.gap);
}

/// A standing cow: hundreds of contacts with itself, far apart, and some of them with next to nothing to do.
#[test]
fn a_standing_cow_keeps_its_self_contact() {
    let mesh = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/meshes/tet/spot.mesh");
    if !mesh.is_file() {
        println!("SKIPPED: {} is missing", mesh.display());
        return;
    }
    let cow: Value = json!({
        "version": 1, "name": "spot",
        "bodies": [{ "name": "spot", "mesh": mesh.canonicalize().unwrap(),
            "material": { "law": "stable_neo_hookean", "young": 1e6, "poisson": 0.4, "density": 1000, "damping": 0.02 } }],
        "obstacles": [{ "name": "ground", "shape": { "half_space": { "point": [0, -0.7369, 0], "normal": [0, 1, 0] } }, "friction": 0.5 }],
        "contact": { "detection_distance": 0.02, "barrier_distance": 0.02 }
    });
    let account = account(&cow.to_string());
    assert!(account.infeasible.is_empty(), "{:?}", account.infeasible);
    assert!(account.gap_reached && account.iterations <= 25, "{} {:?}", account.iterations, account.gap);
    assert_eq!(account.self_contact_dropped, 0);
}
