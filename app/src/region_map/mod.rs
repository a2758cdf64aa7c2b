//! The map of a body's regions: what each is of it, and pictures from three sides. It is made on a thread of its own, once a change.

mod picture;
mod shares;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use aplomb_sim::scene::Scene;
use egui::ColorImage;

use crate::document::region_color;
use crate::drawing::Held;
use crate::session::{Model, WakeUp};

pub use picture::SIDES;
pub use shares::{Measure, Share};

/// What a map is of.
#[derive(Clone)]
pub struct Subject {
    /// The scene that the regions are of.
    pub scene: Arc<Scene>,
    /// Its bodies as they were built last.
    pub model: Arc<Model>,
    /// The body.
    pub body: usize,
}

impl PartialEq for Subject {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.scene, &other.scene) && Arc::ptr_eq(&self.model, &other.model) && self.body == other.body
    }
}

/// A map that was made.
pub struct Map {
    /// Pictures from [`SIDES`].
    pub pictures: [ColorImage; 3],
    /// What regions of material are of the volume, those on top first; then what is in none.
    pub of_volume: Vec<Share>,
    /// What regions are of the surface that is seen, in the same order; then what is in none.
    pub of_surface: Vec<Share>,
}

impl Map {
    /// That of a subject; `None` where the scene, or what was built of it, has no such body.
    pub fn of(subject: &Subject) -> Option<Self> {
        let (body, model) = (subject.scene.bodies.get(subject.body)?, subject.model.bodies.get(subject.body)?);
        let held = Held::by(body, model, false, |_| true);
        let colors: Vec<[u8; 3]> = body.regions.iter().enumerate().map(|(r, region)| region_color(region, r)).collect();
        Some(Self {
            pictures: std::array::from_fn(|side| picture::draw(model, &colors, &held, side)),
            of_volume: shares::of_volume(body, model),
            of_surface: shares::of_surface(body, model, &held),
        })
    }
}

/// The map that was made last, and the one that is being made.
#[derive(Default)]
pub struct MapMaker {
    last: Option<(Subject, Option<Map>)>,
    at_work: Option<(Subject, Receiver<Option<Map>>)>,
    /// Counts the maps.
    count: u64,
}

impl std::fmt::Debug for MapMaker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MapMaker").field("count", &self.count).finish_non_exhaustive()
    }
}

impl MapMaker {
    /// The map of `subject`; as long as it is not made, the one before it; with its number. `wake_up` is called when there is another one.
    pub fn get(&mut self, subject: &Subject, wake_up: WakeUp) -> Option<(u64, &Map)> {
        if let Some((of, answer)) = self.at_work.take() {
            match answer.try_recv() {
                Ok(map) => (self.last, self.count) = (Some((of, map)), self.count + 1),
                Err(TryRecvError::Empty) => self.at_work = Some((of, answer)),
                // It had no thread, or lost it; no map is better than asking again in every frame.
                Err(TryRecvError::Disconnected) => self.last = Some((of, None)),
            }
        }
        if self.at_work.is_none() && self.last.as_ref().is_none_or(|(of, _)| of != subject) {
            let (sender, answer) = channel();
            let work = subject.clone();
            let started = std::thread::Builder::new().name("region map".to_owned()).spawn(move || {
                // Nobody receives once another scene is opened.
                let _ = sender.send(Map::of(&work));
                wake_up();
            });
            drop(started);
            self.at_work = Some((subject.clone(), answer));
        }
        Some((self.count, self.last.as_ref()?.1.as_ref()?))
    }
}
