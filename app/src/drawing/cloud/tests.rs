//! Surfaces that are made beside what is seen.
#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use aplomb_sim::scene_file::{self, gallery};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;

use super::*;
use crate::session::{Model, RunId};

/// The bodies of a scene of the gallery.
fn model(name: &str) -> (Vec<Body>, Arc<Model>) {
    let path = gallery::find(name).unwrap().path();
    let scene = scene_file::load(&path).unwrap();
    let simulation = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
    (scene.bodies.clone(), Arc::new(Model::of(&simulation.system, &scene.obstacles, RunId::default())))
}

/// What the maker has once it is done.
fn made(maker: &mut Maker, model: &Arc<Model>, positions: &Arc<[Vec3]>) -> Arc<Made> {
    let start = Instant::now();
    loop {
        let made = maker.get(model, positions);
        if let Some(made) = made.filter(|_| !maker.is_at_work()) {
            return made;
        }
        assert!(start.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn lowest(cloud: &Cloud) -> f64 {
    cloud.positions.iter().map(|p| p.y).fold(f64::INFINITY, f64::min)
}

#[test]
fn the_last_surface_is_seen_until_there_is_another() {
    let (_, model) = model("pbf_column");
    let mut maker = Maker::default();
    let start = Arc::clone(&model.positions);
    assert!(maker.get(&model, &start).is_none() && maker.is_at_work(), "nobody waits for it");
    let first = made(&mut maker, &model, &start);
    assert_eq!(maker.count(), 1);
    assert!(Arc::ptr_eq(&maker.get(&model, &start).unwrap(), &first) && !maker.is_at_work(), "nothing is made twice");
    let lifted: Arc<[Vec3]> = start.iter().map(|p| p + Vec3::new(0.0, 1.0, 0.0)).collect();
    assert!(Arc::ptr_eq(&maker.get(&model, &lifted).unwrap(), &first) && maker.is_at_work());
    let second = made(&mut maker, &model, &lifted);
    let heights = [&first, &second].map(|made| lowest(made.of_body(0).unwrap()));
    assert!((heights[1] - heights[0] - 1.0).abs() < 1e-9, "{heights:?}");
    // Of another load of the scene nothing is known yet.
    let other = self::model("pbf_column").1;
    assert!(maker.get(&other, &start).is_none());
    maker.rest();
    assert!(!maker.is_at_work());
}

#[test]
fn points_that_are_nowhere_stay_points() {
    let (_, model) = model("pbf_column");
    let lost: Arc<[Vec3]> = model.positions.iter().map(|p| p * f64::NAN).collect();
    assert!(made(&mut Maker::default(), &model, &lost).of_body(0).is_none());
    let (_, beam) = self::model("hanging_beam");
    assert!(made(&mut Maker::default(), &beam, &beam.positions).of_body(0).is_none(), "tets have a surface of their own");
}

#[test]
fn a_surface_wears_what_its_points_do() {
    let (bodies, model) = model("pbf_column");
    assert!(matches!(plain(&bodies[0], 3), BodyColor::Water));
    let body = &model.bodies[0];
    let cloud = Cloud::around(body, &model.positions, Reconstruction::USUAL, &Unwatched).unwrap();
    let heights: Arc<[f64]> = model.positions.iter().map(|p| p.y).collect();
    let spacing = 2.0 * body.mesh.radius;
    let values = cloud.scalars(body, &heights);
    assert!(values.len() == cloud.positions.len() && values.iter().zip(&*cloud.positions).all(|(y, p)| (y - p.y).abs() < spacing));
    // Half of the points are tinted, and so are the triangles next to them.
    let middle = heights.iter().sum::<f64>() / heights.len() as f64;
    let red = |y: f64| if y > middle { [255, 0, 0, 255] } else { [0; 4] };
    let tints: Vec<[u8; 4]> = heights.iter().map(|y| red(*y)).collect();
    let faces = cloud.tints(&tints).unwrap();
    let wrong = faces.iter().zip(&*cloud.triangles).filter(|(tint, corners)| {
        let y = cloud.positions[corners[0] as usize].y;
        (y - middle).abs() > spacing && **tint != red(y)
    });
    assert_eq!((faces.len(), wrong.count()), (cloud.triangles.len(), 0));
    assert!(cloud.tints(&vec![[0; 4]; tints.len()]).is_none());
    let drawn = cloud.draw(BodyColor::Water, None);
    assert!(drawn.lines.is_empty() && drawn.origins.unwrap().nodes.iter().all(|&node| (node as usize) < heights.len()));
}
