//! Cloth that is nearer to itself or to something else than its thickness in the given shape: it touches at that distance there, and its
//! user is told.

use super::Assembly;
use crate::contact::surface::{Thinness, TightPlaces};
use crate::mesh::{MeshProblem, ProblemCode};

impl Assembly<'_> {
    /// Where surfaces are nearer to one another than their thickness, which is taken from them there.
    pub(super) fn thin_where_tight(&mut self) -> Vec<TightPlaces> {
        let system = &mut self.system;
        let x = system.surface.points.of(&system.positions);
        let (thinness, places) = Thinness::clear_of(&system.surface, &x, system.contact.barrier_distance * system.diagonal);
        system.surface.thinness = thinness;
        places
    }

    /// Tells of the places where a cloth is nearer than its thickness.
    pub(super) fn tell_of_tight(&mut self, places: &[TightPlaces]) {
        for tight in places {
            if !self.are_known_to_meet(tight.parts.into()) {
                continue;
            }
            let [a, b] = tight.parts.map(|part| part as usize);
            // Of a cloth and something else it is the cloth's: that comes last where an earlier body has no thickness.
            let is_thick = |body: usize| self.system.bodies.get(body).is_some_and(|body| body.mesh.thickness > 0.0);
            let (body, other) = if is_thick(a) { (a, b) } else { (b, a) };
            let Some(thickness) = self.system.bodies.get(body).map(|body| body.mesh.thickness) else { continue };
            let millimetres = |length: f64| format!("{:.3} mm", 1e3 * length);
            let (count, least, [x, y, z]) = (tight.count, millimetres(tight.least.max(0.0)), tight.place.into());
            let than = if body == other {
                format!("one another than its thickness of {}", millimetres(thickness))
            } else {
                let name = &self.system.surface.parts[other].name;
                let thick = if is_thick(other) { "the thickness of both allows" } else { "half its thickness" };
                format!("`{name}` than {thick} (its own is {})", millimetres(thickness))
            };
            let message = format!(
                "{count} places of the cloth are nearer to {than} (least {least} near {x:.4}, {y:.4}, {z:.4}); there it touches at that distance"
            );
            let problem = MeshProblem { code: ProblemCode::Thick, count, indices: Vec::new(), fixed: true, message };
            self.system.bodies[body].mesh.problems.push(problem);
        }
    }
}
