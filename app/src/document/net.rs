//! A net of springs of the editor's own making: a mesh file, and a body that is made of it.

use std::path::Path;

use aplomb_sim::bodies::springs::{self, SpringMass, SpringSettings};
use aplomb_sim::files::write_atomically;
use aplomb_sim::math::{Vec3, bounding_box};
use aplomb_sim::mesh::net::Net;
use aplomb_sim::scene::{KindSettings, Region, RegionRole, Scene, Selector, Unit, UpAxis};

use super::{ImportOptions, PALETTE, scene_with_mesh};

/// A square net.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NetOptions {
    /// Length of a side [m].
    pub side: f64,
    /// Cells along a side.
    pub cells: u32,
    /// Whether it hangs by its corners; if not, it is flat.
    pub hanging: bool,
}

impl Default for NetOptions {
    fn default() -> Self {
        Self { side: 1.0, cells: 16, hanging: true }
    }
}

/// Mass of a vertex [kg], and what the stiffness of a cord [N/m] is over the net's weight and side.
const MASS: f64 = 0.002;
const STIFF: f64 = 35.0;
/// Contraction [m/m] that keeps every cord of a net taut.
const TENSION: f64 = 0.02;

impl NetOptions {
    fn net(&self) -> Net {
        let cells = self.cells as usize;
        if self.hanging { Net::hanging(self.side, cells) } else { Net::square(self.side, cells) }
    }

    fn settings(&self, vertices: usize) -> SpringSettings {
        let stiffness = STIFF * 9.81 * MASS * vertices as f64 / self.side;
        let digit = 10f64.powf(stiffness.log10().floor());
        SpringSettings { damping: 0.01, ..SpringSettings::new((stiffness / digit).round() * digit, SpringMass::PerNode(MASS)) }
    }

    /// Writes the mesh to `file`, and gives `scene`, whose paths start at `folder`, the body, held by its corners: above and beside the
    /// bodies that are there, whose lowest and highest corners are given [m].
    ///
    /// # Errors
    /// Why the file cannot be written.
    pub fn add_to(&self, scene: &Scene, folder: &Path, there: Option<(Vec3, Vec3)>, file: &Path) -> std::io::Result<Scene> {
        let net = self.net();
        write_atomically(file, net.to_obj("net").as_bytes())?;
        let (low, high) = bounding_box(&net.positions);
        let options = ImportOptions {
            file: file.to_path_buf(),
            unit: Unit::Metre,
            up: UpAxis::Y,
            ground: false,
            add: true,
            kind: Some(KindSettings::new(springs::NAME, &self.settings(net.positions.len()))),
            fill: None,
            bounds: [low, high],
        };
        let is_alone = scene.bodies.is_empty();
        let mut scene = scene_with_mesh(scene, folder, there, &options);
        if is_alone && self.hanging {
            scene.initialise.tension = TENSION;
        }
        if let Some(body) = scene.bodies.last_mut() {
            body.transform.translate[1] += self.side;
            body.regions.push(Region {
                name: "corners".into(),
                color: Some(PALETTE[0]),
                locked: false,
                role: RegionRole::FIXED,
                select: vec![Selector::Vertices(net.corners().map(|v| v as u32).into())],
            });
        }
        Ok(scene)
    }
}
