//! Cloth and strands that are nearer to themselves or to something else than their thickness in the given shape: they touch at that distance there, and
//! their user is told.

use super::Assembly;
use crate::contact::distance::placed;
use crate::contact::surface::{Thinness, TightPlaces, UNTOLD};
use crate::math::Vec3;
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

    /// Tells of the places where what is thick is nearer to a surface than its thickness.
    pub(super) fn tell_of_tight(&mut self, places: &[TightPlaces]) {
        for tight in places {
            if !self.are_known_to_meet(tight.parts.into()) {
                continue;
            }
            let [a, b] = tight.parts.map(|part| part as usize);
            // Of bodies, which are the first of the parts.
            let is_body = |part: usize| part < self.system.bodies.len();
            let thickness = |part: usize| if is_body(part) { 2.0 * self.system.surface.radius(part as u32) } else { 0.0 };
            // Of something thick and something else it is told of what is thick.
            let (body, other) = if thickness(a) > 0.0 { (a, b) } else { (b, a) };
            if thickness(body) == 0.0 {
                continue;
            }
            let (own, others) = (thickness(body), thickness(other));
            let than = if body == other {
                format!("one another than its thickness of {}", millimetres(own))
            } else if others > 0.0 {
                let name = &self.system.bodies[other].name;
                format!("`{name}` than half the thickness of both, {}", millimetres(0.5 * (own + others)))
            } else {
                format!("`{}` than half its thickness of {}", self.system.surface.parts[other].name, millimetres(own))
            };
            self.tell(body, &than, tight.count, tight.least, &tight.place);
        }
    }

    /// Tells of the places where what is thick is nearer than half its thickness to an obstacle that is a signed distance.
    pub(super) fn tell_of_near_obstacles(&mut self) {
        for (b, body) in self.scene.bodies.iter().enumerate() {
            let (nodes, radius) = (self.system.bodies[b].nodes.clone(), 0.5 * self.system.bodies[b].mesh.thickness);
            for (o, obstacle) in (0..).zip(&self.scene.obstacles) {
                if radius == 0.0 || !self.system.obstacles[o as usize].is_present(body.enters_at) {
                    continue;
                }
                let shape = placed(&obstacle.shape);
                let pairs = self.system.pairs.iter().filter(|pair| pair.obstacle == o && nodes.contains(&(pair.node as usize)));
                let places = pairs.map(|pair| self.system.positions[pair.node as usize]).map(|x| (shape.distance(&x).value, x));
                let near: Vec<(f64, Vec3)> = places.filter(|(distance, _)| *distance < (1.0 - UNTOLD) * radius).collect();
                if let Some((least, place)) = near.iter().min_by(|a, b| a.0.total_cmp(&b.0)) {
                    let than = format!("`{}` than half its thickness of {}", obstacle.name, millimetres(2.0 * radius));
                    self.tell(b, &than, near.len(), *least, place);
                }
            }
        }
    }

    fn tell(&mut self, body: usize, than: &str, count: usize, least: f64, place: &Vec3) {
        let (least, [x, y, z]) = (millimetres(least.max(0.0)), (*place).into());
        let message =
            format!("{count} places are nearer to {than} (least {least} near {x:.4}, {y:.4}, {z:.4}); there it touches at that distance");
        let problem = MeshProblem { code: ProblemCode::Thick, count, indices: Vec::new(), fixed: true, message };
        self.system.bodies[body].mesh.problems.push(problem);
    }
}

fn millimetres(length: f64) -> String {
    format!("{:.3} mm", 1e3 * length)
}
