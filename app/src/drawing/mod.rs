//! From a scene, its model and a snapshot to what a view draws over the bodies: obstacles, supports, water, loads, velocities.

mod attachments;
mod cells;
pub mod cloud;
pub mod dissect;
mod elements;
mod loads;
mod obstacles;
mod paths;
mod regions;
mod residual;
mod seams;
mod shifted;
mod still;
mod supports;
mod velocities;
mod water;

use aplomb_sim::math::Vec3;
use aplomb_sim::sag_free::FoundContact;
use aplomb_sim::scene::{Body, Scene};

use crate::session::{ContactPoint, Model, Snapshot};
use crate::viewport::{ArrowDraw, ContactDraw, LineDraw, SupportDraw};
pub use attachments::attachments;
pub use cells::cells;
pub use elements::{BodyElements, edges, pieces};
pub use obstacles::{Obstacles, points};
pub use regions::TINT;
pub use regions::{Held, Tints, layer, painted};
pub use residual::residual;
pub use shifted::shifted;
pub use still::still;

/// What follows from the scene and the model alone, kept while they stay the same; a snapshot puts it in its place.
#[derive(Debug, Default)]
pub struct Authored {
    supports: supports::Supports,
    loads: loads::Loads,
    setting_out: Vec<ArrowDraw>,
    water: Vec<LineDraw>,
    seams: seams::Seams,
}

impl Authored {
    /// What `scene` says of the bodies of `model`.
    pub fn of(scene: &Scene, model: &Model) -> Self {
        Self {
            supports: supports::Supports::of(scene, model),
            loads: loads::Loads::of(scene, model),
            setting_out: velocities::arrows(scene, model),
            water: water::nets(scene, model),
            seams: seams::Seams::of(model.bodies.iter().map(|body| (body.nodes.start, &*body.mesh))),
        }
    }

    /// Vertices that are not free, but for those of regions that are `seen` otherwise, by body and region: discs on every vertex of a
    /// face that is tinted would say no more.
    pub fn supports(&self, snapshot: &Snapshot, seen: impl Fn(usize, usize) -> bool) -> Vec<SupportDraw> {
        self.supports.points(&snapshot.positions, seen)
    }

    /// Where things are moved to, and planes that vertices slide along.
    pub fn motions(&self, snapshot: &Snapshot) -> Vec<ArrowDraw> {
        self.supports.arrows(&snapshot.positions)
    }

    /// The surface of water.
    pub fn water(&self) -> &[LineDraw] {
        &self.water
    }

    /// What is sewn, when the nodes are at `positions` [m].
    pub fn seams(&self, positions: &[Vec3]) -> Option<LineDraw> {
        self.seams.lines(positions)
    }

    /// Tractions, pressures and wind; at time zero, how the bodies set out.
    pub fn loads(&self, snapshot: &Snapshot) -> Vec<ArrowDraw> {
        let setting_out = self.setting_out.iter().filter(|_| snapshot.time == 0.0);
        self.loads.arrows(&snapshot.positions).into_iter().chain(setting_out.cloned()).collect()
    }
}

/// Contacts and their forces.
pub fn contacts(contacts: &[ContactPoint]) -> Vec<ContactDraw> {
    contacts.iter().map(|c| ContactDraw { point: c.point, normal: c.normal, force: c.force }).collect()
}

/// Contacts that are found, before they carry force.
pub fn found(contacts: &[FoundContact]) -> Vec<ContactDraw> {
    contacts.iter().map(|c| ContactDraw { point: c.point, normal: c.normal, force: Vec3::zeros() }).collect()
}

/// Whether a body of `scene` has yet to come in at `time` [s]. It comes at the step in whose first half its time lies.
pub fn is_away(body: &Body, scene: &Scene, time: f64) -> bool {
    body.enters_at > (time - 0.5 * scene.simulate.step_size).max(0.0)
}

/// The mean of some of the positions.
fn mean(positions: &[Vec3], nodes: impl ExactSizeIterator<Item = usize>) -> Vec3 {
    let count = nodes.len().max(1) as f64;
    nodes.filter_map(|node| positions.get(node)).sum::<Vec3>() / count
}
