//! [`Kept`]: what scenes that are built one after the other share, as those that an editor makes of one another. Everything in it is what
//! would be made again from the same files, keys and nodes, so that a system built with it is the same to the bit.

mod common;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

pub use self::common::{Common, Slot};
use super::System;
use super::build::clearance::Meetings;
use crate::bodies::{Misplaced, PlacedMesh, keys, place};
use crate::contact::ContactPoints;
use crate::contact::surface::{CollisionSurface, Thinness, TightPlaces};
use crate::files;
use crate::import;
use crate::math::Vec3;
use crate::scene::Body;
use crate::watch::Watch;

/// Meshes where scenes put them, what of their surfaces is near what, elimination orders, and factors.
#[derive(Default)]
pub struct Kept {
    pub(super) meshes: KeptMeshes,
    pub(super) near: Near,
    common: Arc<Common>,
}

impl Kept {
    /// What the systems find and leave.
    pub(super) fn common(&self) -> Arc<Common> {
        Arc::clone(&self.common)
    }
}

/// Placed meshes.
#[derive(Default)]
pub(super) struct KeptMeshes(Vec<KeptMesh>);

/// A placed mesh, and all that it depends on.
struct KeptMesh {
    keys: Option<Value>,
    files: Files,
    placed: PlacedMesh,
    /// Whether the scene that is being built uses it.
    is_in_use: bool,
}

/// Files with what is in them, as a hash.
type Files = Vec<(PathBuf, u64)>;

impl KeptMeshes {
    /// The mesh of `body` where its scene puts it, as by [`place`]: what is there already if neither keys nor files have changed.
    ///
    /// # Errors
    /// Those of [`place`].
    pub fn place(&mut self, body: &Body, folder: &Path, watch: &dyn Watch) -> Result<PlacedMesh, Misplaced> {
        let keys = keys::placing(body);
        let files = files_of(body, folder);
        if let Some(known) = self.0.iter_mut().find(|known| known.keys == keys && known.files == files) {
            known.is_in_use = true;
            return Ok(known.placed.clone());
        }
        let placed = place(body, folder, watch)?;
        self.0.push(KeptMesh { keys, files, placed: placed.clone(), is_in_use: true });
        Ok(placed)
    }

    /// Forgets the meshes that no body has asked for since this was last called.
    pub fn forget_unused(&mut self) {
        self.0.retain_mut(|mesh| std::mem::take(&mut mesh.is_in_use));
    }
}

/// What is near what, of the last system.
#[derive(Default)]
pub(super) struct Near(Option<Nearness>);

/// Where surfaces touch, and meet, and all that this depends on.
pub(super) struct Nearness {
    /// The surface before it had points inside.
    before: CollisionSurface,
    positions: Vec<Vec3>,
    tets: Vec<u32>,
    fixed: Vec<bool>,
    barrier_distance: f64,
    /// The contact points.
    pub points: ContactPoints,
    /// Which of them can move.
    pub movable: Vec<bool>,
    /// How much of their thickness parts have.
    pub thinness: Thinness,
    /// Where they are nearer to one another than that.
    pub tight: Vec<TightPlaces>,
    /// Where parts meet.
    pub meetings: Meetings,
}

impl Near {
    /// That of `system`, whose surface has no points inside yet, if it is the same.
    pub fn known(&self, system: &System) -> Option<&Nearness> {
        self.0.as_ref().filter(|known| {
            known.barrier_distance == system.contact.barrier_distance
                && known.positions == system.positions
                && known.fixed == system.fixed
                && known.before == system.surface
                && known.tets.iter().eq(tets(system))
        })
    }

    /// Remembers what was found for `system`, whose surface was `before`.
    pub fn remember(&mut self, before: CollisionSurface, system: &System, tight: Vec<TightPlaces>, meetings: Meetings) {
        self.0 = Some(Nearness {
            before,
            positions: system.positions.clone(),
            tets: tets(system).copied().collect(),
            fixed: system.fixed.clone(),
            barrier_distance: system.contact.barrier_distance,
            points: system.surface.points.clone(),
            movable: system.surface.movable.clone(),
            thinness: system.surface.thinness.clone(),
            tight,
            meetings,
        });
    }
}

/// The tets in which contact points may lie.
fn tets(system: &System) -> impl Iterator<Item = &u32> {
    system.bodies.iter().flat_map(|body| body.mesh.enclosed_tets().as_flattened())
}

/// Every file that the mesh of `body` is made of.
fn files_of(body: &Body, folder: &Path) -> Files {
    let named = std::iter::once(&body.mesh).chain(&body.rest_mesh);
    let all = named.flat_map(|file| import::files_of(&folder.join(file)));
    all.map(|path| (path.clone(), hash(&path))).collect()
}

/// Of what cannot be read, a number as well: reading it fails.
fn hash(path: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    files::read(path).ok().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::linear::NodeMatrixPattern;
    use crate::scene_file::{gallery, load};
    use crate::watch::Unwatched;

    fn is_made_anew(before: &Arc<NodeMatrixPattern>, after: &Arc<NodeMatrixPattern>) -> bool {
        !Arc::ptr_eq(before, after)
    }

    #[test]
    fn what_a_change_leaves_is_kept_and_what_it_does_not_is_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let entry = gallery::find("hanging_beam").unwrap();
        let mut scene = load(&entry.path()).unwrap();
        let mesh = folder.path().join("beam.mesh");
        std::fs::copy(entry.path().parent().unwrap().join(&scene.bodies[0].mesh), &mesh).unwrap();
        scene.bodies[0].mesh = "beam.mesh".into();
        let mut kept = Kept::default();
        let mut build = |scene: &crate::scene::Scene| System::build_with(scene, folder.path(), &mut kept, &Unwatched).unwrap();
        let first = build(&scene).pattern();
        scene.bodies[0].material.as_mut().unwrap().young *= 2.0;
        scene.gravity[0] = 1.0;
        let stiffer = build(&scene);
        assert!(!is_made_anew(&first, &stiffer.pattern()));
        assert_eq!(kept.meshes.0.len(), 1);

        let held = scene.bodies[0].regions[0].select.clone();
        scene.bodies[0].regions[0].select.clear();
        let mut build = |scene: &crate::scene::Scene| System::build_with(scene, folder.path(), &mut kept, &Unwatched).unwrap();
        assert!(is_made_anew(&first, &build(&scene).pattern()), "other nodes are free");
        scene.bodies[0].regions[0].select = held;
        assert!(!is_made_anew(&first, &build(&scene).pattern()), "an undo finds what was there");

        scene.bodies[0].transform.scale = 2.0;
        let twice = build(&scene);
        assert_eq!(twice.positions[1], 2.0 * stiffer.positions[1]);
        // The file, too.
        let text = std::fs::read_to_string(&mesh).unwrap();
        std::fs::write(&mesh, text.replace("0.5 ", "0.5001 ")).unwrap();
        let other = build(&scene);
        let cold = System::build(&scene, folder.path(), &Unwatched).unwrap();
        assert!(other.positions == cold.positions && other.positions != twice.positions);
        assert_eq!(kept.meshes.0.len(), 1, "what no scene asks for is forgotten");
    }
}
