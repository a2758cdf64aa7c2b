//! Small pictures of the gallery's scenes, drawn by the painter on a thread of their own and kept on disk by the content of the files
//! that they show. Nobody waits for one: it is there, or it is not there yet.

mod draw;
mod store;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use aplomb_sim::scene_file::gallery::{self, GalleryScene};
use aplomb_sim::watch::{Flagged, Watch};
use egui::{ColorImage, TextureHandle, TextureOptions};
use image::RgbaImage;

use crate::session::WakeUp;
use store::Store;

/// Width and height of a picture [pixels]: twice those of a tile, for screens that are fine.
pub const SIZE: (u32, u32) = (368, 280);

/// A picture: the name of its scene, and whether its surroundings are dark.
type Key = (&'static str, bool);
/// Draws a scene; `None` where that is not possible.
type Draw = dyn Fn(&GalleryScene, bool, &dyn Watch) -> Option<RgbaImage> + Send + Sync;

/// What the two threads share.
#[derive(Default)]
struct Desk {
    /// What is to be drawn, in this order.
    wanted: VecDeque<Key>,
    /// What was drawn since it was last taken; `None` for what cannot be drawn.
    done: Vec<(Key, Option<ColorImage>)>,
    /// Whether a thread is at work.
    at_work: bool,
    /// Raised to give up the picture in hand; another one for each time that everything is given up.
    cancel: Arc<AtomicBool>,
}

/// The pictures that were asked for.
#[derive(Default)]
pub struct Thumbnails {
    shared: Arc<Mutex<Desk>>,
    draw: Option<Arc<Draw>>,
    folder: Option<PathBuf>,
    wake_up: Option<WakeUp>,
    asked: BTreeSet<Key>,
    textures: BTreeMap<Key, Option<TextureHandle>>,
}

impl std::fmt::Debug for Thumbnails {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Thumbnails").field("asked", &self.asked).finish_non_exhaustive()
    }
}

impl Thumbnails {
    /// Pictures that are kept below `state`, if there is such a folder.
    pub fn new(state: Option<&Path>, wake_up: WakeUp) -> Self {
        Self::drawn_by(Arc::new(draw::draw), state, wake_up)
    }

    fn drawn_by(draw: Arc<Draw>, state: Option<&Path>, wake_up: WakeUp) -> Self {
        let mut thumbnails = Self::default();
        thumbnails.folder = state.map(|state| state.join("thumbnails"));
        (thumbnails.draw, thumbnails.wake_up) = (Some(draw), Some(wake_up));
        thumbnails
    }

    /// The picture of a gallery scene, if it is there; otherwise it is asked for.
    pub fn get(&mut self, ctx: &egui::Context, name: &'static str, dark: bool) -> Option<&TextureHandle> {
        let done = std::mem::take(&mut self.desk().done);
        for (key, image) in done {
            let texture = image.map(|image| ctx.load_texture(format!("thumbnail of {}", key.0), image, TextureOptions::LINEAR));
            self.textures.insert(key, texture);
        }
        let key = (name, dark);
        if !self.textures.contains_key(&key) && self.asked.insert(key) {
            self.ask(key);
        }
        self.textures.get(&key)?.as_ref()
    }

    /// Gives up what was asked for and is not there yet: nobody looks at it any more.
    pub fn want_nothing(&mut self) {
        let mut desk = self.desk();
        std::mem::take(&mut desk.cancel).store(true, Ordering::Relaxed);
        desk.wanted.clear();
        drop(desk);
        self.asked.clear();
    }

    fn desk(&self) -> std::sync::MutexGuard<'_, Desk> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, key: Key) {
        let (Some(draw), Some(wake_up)) = (self.draw.clone(), self.wake_up.clone()) else { return };
        let mut desk = self.desk();
        desk.wanted.push_back(key);
        if std::mem::replace(&mut desk.at_work, true) {
            return;
        }
        let (shared, store) = (Arc::clone(&self.shared), Store::in_folder(self.folder.as_deref()));
        let work = move || {
            loop {
                let next = {
                    let mut desk = shared.lock().unwrap_or_else(PoisonError::into_inner);
                    let next = desk.wanted.pop_front();
                    desk.at_work = next.is_some();
                    next.map(|key| (key, Arc::clone(&desk.cancel)))
                };
                let Some((key, cancel)) = next else { return };
                let picture = gallery::find(key.0).and_then(|scene| {
                    let watch = Flagged { cancel: &cancel, report: |_: &str, _| {} };
                    store.picture(scene, key.1, || draw(scene, key.1, &watch))
                });
                if picture.is_none() && cancel.load(Ordering::Relaxed) {
                    continue;
                }
                let image = picture.map(|picture| {
                    let size = [picture.width() as usize, picture.height() as usize];
                    ColorImage::from_rgba_unmultiplied(size, &picture)
                });
                shared.lock().unwrap_or_else(PoisonError::into_inner).done.push((key, image));
                wake_up();
            }
        };
        let started = std::thread::Builder::new().name("thumbnails".to_owned()).spawn(work);
        // Without a thread there are no pictures, and everything else works.
        desk.at_work = started.is_ok();
    }
}

impl Drop for Thumbnails {
    fn drop(&mut self) {
        self.want_nothing();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use std::time::{Duration, Instant};

    /// Waits for the picture of a scene, frame by frame.
    fn wait(thumbnails: &mut Thumbnails, ctx: &egui::Context, name: &'static str) -> [usize; 2] {
        let start = Instant::now();
        loop {
            if let Some(texture) = thumbnails.get(ctx, name, true) {
                return texture.size();
            }
            assert!(start.elapsed() < Duration::from_secs(60), "{name} never comes");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn a_picture_is_drawn_once_and_then_read_from_disk() {
        let folder = tempfile::tempdir().unwrap();
        let drawn = Arc::new(AtomicUsize::new(0));
        let window = || {
            let drawn = Arc::clone(&drawn);
            let draw = move |_: &GalleryScene, _: bool, _: &dyn Watch| {
                drawn.fetch_add(1, Ordering::Relaxed);
                Some(RgbaImage::from_pixel(SIZE.0, SIZE.1, image::Rgba([1, 2, 3, 255])))
            };
            Thumbnails::drawn_by(Arc::new(draw), Some(folder.path()), Arc::new(|| {}))
        };
        let ctx = egui::Context::default();
        for _ in 0..2 {
            let mut thumbnails = window();
            assert!(thumbnails.get(&ctx, "slope", true).is_none(), "nobody waits for it");
            assert_eq!(wait(&mut thumbnails, &ctx, "slope"), [SIZE.0 as usize, SIZE.1 as usize]);
        }
        assert_eq!(drawn.load(Ordering::Relaxed), 1);
        // What was kept is damaged: it is drawn anew.
        for file in std::fs::read_dir(folder.path().join("thumbnails")).unwrap() {
            std::fs::write(file.unwrap().path(), "no picture").unwrap();
        }
        wait(&mut window(), &ctx, "slope");
        assert_eq!(drawn.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn what_cannot_be_drawn_is_asked_for_once_and_others_follow() {
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        let draw = move |scene: &GalleryScene, _: bool, _: &dyn Watch| {
            counted.fetch_add(1, Ordering::Relaxed);
            (scene.name != "slope").then(|| RgbaImage::new(SIZE.0, SIZE.1))
        };
        let mut thumbnails = Thumbnails::drawn_by(Arc::new(draw), None, Arc::new(|| {}));
        let ctx = egui::Context::default();
        thumbnails.get(&ctx, "slope", true);
        wait(&mut thumbnails, &ctx, "press");
        assert!(thumbnails.get(&ctx, "slope", true).is_none());
        assert_eq!(asked.load(Ordering::Relaxed), 2);
    }
}
