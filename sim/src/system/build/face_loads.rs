//! Regions of traction and pressure, and the scene's wind -> loads on faces.

use super::Assembly;
use crate::bodies::select::region_faces;
use crate::math::Vec3;
use crate::mesh::BodyMesh;
use crate::scene::{Body, PressureSettings, RegionRole, WindSettings};
use crate::system::loads::{Pressure, Traction, Wind, area_vector};
use crate::system::pressure::{Push, Water};

impl Assembly<'_> {
    /// Adds the loads on the faces of `body`, whose first node is `first`. Of two regions of one kind, the later wins.
    pub(super) fn add_face_loads(&mut self, body: &Body, mesh: &BodyMesh, first: usize) {
        let of_node = |face: &[u32; 3]| face.map(|vertex| vertex + first as u32);
        let mut pushed: Vec<Option<&RegionRole>> = vec![None; mesh.surface.len()];
        let mut pressed = pushed.clone();
        for region in &body.regions {
            let roles = match region.role {
                RegionRole::Traction { .. } => &mut pushed,
                RegionRole::Pressure(_) => &mut pressed,
                _ => continue,
            };
            region_faces(mesh, region).iter().for_each(|&face| roles[face] = Some(&region.role));
        }
        for (face, role) in mesh.surface.iter().zip(&pushed) {
            if let Some(RegionRole::Traction { force, ramp }) = role {
                let force = Vec3::from(*force) * area_vector(face, &mesh.positions).norm();
                self.system.loads.tractions.push(Traction { face: of_node(face), force, ramp: *ramp });
            }
        }
        for (face, role) in mesh.surface.iter().zip(&pressed) {
            if let Some(RegionRole::Pressure(settings)) = role {
                let push = push(settings, &self.system.gravity);
                self.system.loads.pressures.push(Pressure { face: of_node(face), push, ramp: settings.ramp });
            }
        }
        if self.scene.wind.is_some() {
            self.system.loads.exposed.extend(mesh.exposed().map(|face| of_node(&face)));
        }
    }
}

/// How a pressure pushes. Without gravity, which scenes with water are checked for, water does not.
fn push(settings: &PressureSettings, gravity: &Vec3) -> Push {
    let density = settings.density.unwrap_or(PressureSettings::WATER);
    match (settings.surface, gravity.norm()) {
        (Some(level), strength) if strength > 0.0 => Push::Water(Water { up: -gravity / strength, level, weight: density * strength }),
        _ => Push::Uniform(settings.pressure.unwrap_or(0.0)),
    }
}

/// The wind of a scene.
pub fn wind(settings: &WindSettings) -> Wind {
    Wind {
        velocity: Vec3::from(settings.velocity),
        density: settings.density,
        drag: settings.drag,
        from: settings.from,
        gust_amplitude: settings.gust.map_or(0.0, |gust| gust.amplitude),
        gust_period: settings.gust.map_or(0.0, |gust| gust.period),
    }
}
