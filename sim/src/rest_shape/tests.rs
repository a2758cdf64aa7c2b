//! The whole search on small bodies.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use super::*;
use crate::scene::gallery;
use crate::watch::Unwatched;

fn gallery_system(name: &str) -> System {
    let path = gallery::find(name).unwrap().path();
    let scene = crate::scene::load(&path).unwrap();
    System::build(&scene, path.parent().unwrap(), &Unwatched).unwrap()
}

#[test]
fn look() {
    for name in std::env::var("SCENES").unwrap().split(',') {
        let system = gallery_system(name);
        for method in [RestMethod::Inverse, RestMethod::Estimate] {
            let clock = std::time::Instant::now();
            match find(&system, method, &Unwatched) {
                Ok(found) => println!("{name} {:#?} {:?}", found.report, clock.elapsed()),
                Err(error) => println!("{name} {method:?}: {error}"),
            }
        }
    }
}
