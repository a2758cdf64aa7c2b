//! One picture, from a scene's file to pixels.

use std::path::Path;

use aplomb_sim::scene_file::{self, gallery::GalleryScene};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Watch;
use image::RgbaImage;

use super::SIZE;
use crate::session::{Model, RunId};
use crate::viewport::{BodyColor, Camera, DrawList, frame_all};
use crate::{drawing, offscreen};

/// The bodies of `scene` as they were given; `None` where they cannot be built, or where there is no OpenGL to draw them with.
pub(super) fn draw(scene: &GalleryScene, dark: bool, watch: &dyn Watch) -> Option<RgbaImage> {
    let path = scene.path();
    let scene = scene_file::load(&path).ok()?;
    let mut simulation = Simulation::build(&scene, path.parent().unwrap_or(Path::new("")), watch).ok()?;
    let model = Model::of(&simulation.system, &scene.obstacles, RunId::default());
    let snapshot = model.snapshot(&mut simulation, 0);
    let list = DrawList { dark, ..drawing::still(&scene, &model, &snapshot, true, |index, _| BodyColor::Clay(index)) };
    let camera = frame_all(&Camera::default(), &list, f64::from(SIZE.0) / f64::from(SIZE.1));
    watch.check().ok()?;
    offscreen::render(&list, &camera, SIZE).ok()
}
