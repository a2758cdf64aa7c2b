//! What lies under the cursor, and which vertices a brush reaches.

use std::sync::Arc;

use aplomb_sim::math::Vec3;

use super::bvh::Bvh;
use super::camera::Ray;
use super::draw_list::{BodyDraw, DrawList};
use super::event::Hit;

/// The surface of one body, ready for rays.
#[derive(Debug, Clone)]
struct Surface {
    positions: Arc<[Vec3]>,
    triangles: Arc<[[u32; 3]]>,
    bvh: Bvh,
    /// Triangles about vertex v: `around[start[v]..start[v + 1]]`.
    start: Vec<usize>,
    around: Vec<usize>,
}

/// Surfaces of all bodies of a draw list.
#[derive(Debug, Clone, Default)]
pub struct Picker {
    surfaces: Vec<Surface>,
    revision: Option<u64>,
}

impl Picker {
    /// Takes over the surfaces of `list`, unless `revision` is known already.
    pub fn follow(&mut self, list: &DrawList, revision: u64) {
        if self.revision.replace(revision) == Some(revision) {
            return;
        }
        self.surfaces.truncate(list.bodies.len());
        for (index, body) in list.bodies.iter().enumerate() {
            match self.surfaces.get_mut(index) {
                Some(surface) if surface.is_of(body) => surface.refit(body),
                Some(surface) => *surface = Surface::new(body),
                None => self.surfaces.push(Surface::new(body)),
            }
        }
    }

    /// The nearest surface on the ray.
    pub fn hit(&self, ray: &Ray) -> Option<Hit> {
        let hits = self.surfaces.iter().enumerate().filter_map(|(body, surface)| {
            let (triangle, distance) = surface.bvh.hit(&surface.positions, &surface.triangles, ray)?;
            Some((body, triangle, distance))
        });
        let (body, triangle, distance) = hits.min_by(|a, b| a.2.total_cmp(&b.2))?;
        let surface = &self.surfaces[body];
        let point = ray.origin + distance * ray.direction;
        let away = |vertex: u32| (surface.positions[vertex as usize] - point).norm_squared();
        let vertex = surface.triangles[triangle].into_iter().min_by(|&a, &b| away(a).total_cmp(&away(b)))?;
        Some(Hit { body, triangle, vertex, point })
    }

    /// Unit normal of the triangle that was hit, on the side of `eye`.
    pub fn normal(&self, hit: &Hit, eye: Vec3) -> Option<Vec3> {
        let surface = self.surfaces.get(hit.body).filter(|surface| hit.triangle < surface.triangles.len())?;
        let normal = surface.area(hit.triangle).try_normalize(0.0)?;
        Some(if normal.dot(&(eye - hit.point)) < 0.0 { -normal } else { normal })
    }

    /// Vertices that a brush of `radius` [m] at `hit` reaches, increasing: within the sphere, facing `eye` as the hit
    /// does, and connected to it on the surface inside the sphere. The nearest corner always counts, so that a brush
    /// smaller than a triangle paints too.
    pub fn reach(&self, hit: &Hit, eye: Vec3, radius: f64) -> Vec<u32> {
        let Some(surface) = self.surfaces.get(hit.body).filter(|surface| hit.triangle < surface.triangles.len()) else { return Vec::new() };
        let side = surface.area(hit.triangle).dot(&(eye - hit.point)).signum();
        let takes = |vertex: u32| {
            let at = surface.positions[vertex as usize];
            (at - hit.point).norm() <= radius && side * surface.normal_at(vertex).dot(&(eye - at)) > 0.0
        };
        let mut seen = vec![false; surface.positions.len()];
        let mut found = Vec::new();
        let mut front: Vec<u32> =
            surface.triangles[hit.triangle].into_iter().filter(|&vertex| vertex == hit.vertex || takes(vertex)).collect();
        front.iter().for_each(|&vertex| seen[vertex as usize] = true);
        while let Some(vertex) = front.pop() {
            found.push(vertex);
            for &triangle in surface.about(vertex) {
                for next in surface.triangles[triangle] {
                    if !std::mem::replace(&mut seen[next as usize], true) && takes(next) {
                        front.push(next);
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }
}

impl Surface {
    fn new(body: &BodyDraw) -> Self {
        let count = body.positions.len();
        // A triangle that names no vertex cannot be drawn, nor hit; its place is kept so that indices agree.
        let sound = |corners: &[u32; 3]| if corners.iter().all(|&vertex| (vertex as usize) < count) { *corners } else { [0; 3] };
        let drawn = if count == 0 { 0 } else { body.triangles.len() };
        let triangles: Arc<[[u32; 3]]> = if body.triangles.iter().all(|corners| sound(corners) == *corners) {
            Arc::clone(&body.triangles)
        } else {
            body.triangles[..drawn].iter().map(sound).collect()
        };
        let mut start = vec![0; count + 1];
        triangles.iter().flatten().for_each(|&vertex| start[vertex as usize + 1] += 1);
        (0..count).for_each(|vertex| start[vertex + 1] += start[vertex]);
        let mut next = start.clone();
        let mut around = vec![0; 3 * triangles.len()];
        for (triangle, corners) in triangles.iter().enumerate() {
            for &vertex in corners {
                around[next[vertex as usize]] = triangle;
                next[vertex as usize] += 1;
            }
        }
        let bvh = Bvh::new(&body.positions, &triangles);
        Self { positions: Arc::clone(&body.positions), triangles, bvh, start, around }
    }

    fn is_of(&self, body: &BodyDraw) -> bool {
        Arc::ptr_eq(&self.triangles, &body.triangles) && self.positions.len() == body.positions.len()
    }

    fn refit(&mut self, body: &BodyDraw) {
        if !Arc::ptr_eq(&self.positions, &body.positions) {
            self.positions = Arc::clone(&body.positions);
            self.bvh.refit(&self.positions, &self.triangles);
        }
    }

    fn about(&self, vertex: u32) -> &[usize] {
        &self.around[self.start[vertex as usize]..self.start[vertex as usize + 1]]
    }

    /// Twice the area of a triangle along its normal [m^2].
    fn area(&self, triangle: usize) -> Vec3 {
        let [a, b, c] = self.triangles[triangle].map(|vertex| self.positions[vertex as usize]);
        (b - a).cross(&(c - a))
    }

    fn normal_at(&self, vertex: u32) -> Vec3 {
        self.about(vertex).iter().map(|&triangle| self.area(triangle)).sum()
    }
}

#[cfg(test)]
#[path = "picking_tests.rs"]
mod tests;
