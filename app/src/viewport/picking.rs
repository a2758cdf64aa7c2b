//! What lies under the cursor, and which vertices a brush reaches.

use std::sync::{Arc, OnceLock};

use aplomb_sim::math::Vec3;
use rayon::prelude::*;

use super::bvh::Bvh;
use super::camera::Ray;
use super::draw_list::{BodyDraw, DrawList};
use super::event::Hit;

/// Within this angle of a ray a line counts as hit [rad]: a few pixels.
const NEAR_LINE: f64 = 0.006;

/// What is seen of one body, ready for rays.
#[derive(Debug, Clone)]
struct Surface {
    positions: Arc<[Vec3]>,
    triangles: Arc<[[u32; 3]]>,
    lines: Arc<[[u32; 2]]>,
    radius: f64,
    /// It is not drawn, so that nothing of it can be hit.
    away: bool,
    bvh: Bvh,
    /// Triangles about vertex v: `around[start[v]..start[v + 1]]`.
    start: Vec<usize>,
    around: Vec<usize>,
    /// Of each vertex: the sum of the normals of its triangles, by their areas; made when they are first asked for.
    normals: OnceLock<Vec<Vec3>>,
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
            self.surfaces[index].away = body.away;
        }
    }

    /// The nearest surface or line on the ray of an eye.
    pub fn hit(&self, ray: &Ray) -> Option<Hit> {
        self.hit_beside(ray, |distance| NEAR_LINE * distance)
    }

    /// The same on one of many parallel rays, in a view that shows what is `distance` [m] away as large as an eye would.
    pub fn hit_parallel(&self, ray: &Ray, distance: f64) -> Option<Hit> {
        self.hit_beside(ray, |_| NEAR_LINE * distance)
    }

    /// `beside`: how far from the ray a line is still hit, by how far along the ray it is [m].
    fn hit_beside(&self, ray: &Ray, beside: impl Fn(f64) -> f64 + Copy) -> Option<Hit> {
        let hits = self.surfaces.iter().enumerate().filter(|(_, surface)| !surface.away).filter_map(|(body, surface)| {
            let on_triangle = surface.bvh.hit(&surface.positions, &surface.triangles, ray).map(|(t, distance)| (Some(t), distance));
            let on_line = surface.line_hit(ray, beside).map(|(line, distance)| (None, distance, line));
            let (triangle, distance, corners) = on_triangle
                .map(|(t, distance)| (t, distance, t.map_or(&[][..], |t| &surface.triangles[t][..])))
                .into_iter()
                .chain(on_line.map(|(t, distance, line)| (t, distance, &surface.lines[line][..])))
                .min_by(|a, b| a.1.total_cmp(&b.1))?;
            Some((body, triangle, distance, corners))
        });
        let (body, triangle, distance, corners) = hits.min_by(|a, b| a.2.total_cmp(&b.2))?;
        let point = ray.origin + distance * ray.direction;
        let away = |vertex: u32| (self.surfaces[body].positions[vertex as usize] - point).norm_squared();
        let vertex = corners.iter().copied().min_by(|&a, &b| away(a).total_cmp(&away(b)))?;
        Some(Hit { body, triangle, vertex, point })
    }

    /// Unit normal of the triangle that was hit, on the side of `eye`.
    pub fn normal(&self, hit: &Hit, eye: Vec3) -> Option<Vec3> {
        let surface = self.surfaces.get(hit.body)?;
        // A line is seen from wherever one looks.
        let Some(triangle) = hit.triangle else { return (eye - hit.point).try_normalize(0.0) };
        let normal = surface.area(surface.triangles.get(triangle).map(|_| triangle)?).try_normalize(0.0)?;
        Some(if normal.dot(&(eye - hit.point)) < 0.0 { -normal } else { normal })
    }

    /// Vertices that a brush of `radius` [m] at `hit` reaches, increasing: see [`Self::sweep`].
    #[cfg(test)]
    pub fn reach(&self, hit: &Hit, eye: Vec3, radius: f64) -> Vec<u32> {
        let mut swept = Sweep::default();
        self.sweep(hit, eye, radius, &mut swept);
        swept.take().map(|(vertex, _)| vertex).collect()
    }

    /// Takes in what a brush of `radius` [m] at `hit` reaches: vertices within the sphere, facing `eye` as the hit
    /// does, and connected to it on the surface inside the sphere. The nearest corner always counts, so that a brush
    /// smaller than a triangle paints too. Of lines, all within the sphere: they hide nothing.
    pub fn sweep(&self, hit: &Hit, eye: Vec3, radius: f64, swept: &mut Sweep) {
        let Some(surface) = self.surfaces.get(hit.body) else { return };
        swept.begin(surface.positions.len());
        let away = |vertex: u32| (surface.positions[vertex as usize] - hit.point).norm() / radius;
        let Some(triangle) = hit.triangle else {
            for vertex in surface.line_vertices_within(hit, radius) {
                swept.reach(vertex, away(vertex));
            }
            return;
        };
        if triangle >= surface.triangles.len() {
            return;
        }
        let side = surface.area(triangle).dot(&(eye - hit.point)).signum();
        let normals = surface.normals();
        let takes = |vertex: u32| {
            let at = surface.positions[vertex as usize];
            (at - hit.point).norm() <= radius && side * normals[vertex as usize].dot(&(eye - at)) > 0.0
        };
        let corners = surface.triangles[triangle];
        let mut front = std::mem::take(&mut swept.front);
        front.extend(corners.into_iter().filter(|&vertex| vertex == hit.vertex || takes(vertex)));
        front.iter().for_each(|&vertex| swept.seen[vertex as usize] = swept.stamp);
        while let Some(vertex) = front.pop() {
            swept.reach(vertex, away(vertex));
            for &triangle in surface.about(vertex) {
                for next in surface.triangles[triangle] {
                    if std::mem::replace(&mut swept.seen[next as usize], swept.stamp) != swept.stamp && takes(next) {
                        front.push(next);
                    }
                }
            }
        }
        swept.front = front;
    }

    /// Which of some vertices of a body are seen from `eye`: of bodies, nothing is in between.
    pub fn seen_from(&self, body: usize, vertices: &[u32], eye: Vec3) -> Vec<u32> {
        let Some(surface) = self.surfaces.get(body) else { return Vec::new() };
        let is_seen = |&vertex: &u32| {
            let at = surface.positions[vertex as usize];
            let way = at - eye;
            let Some(direction) = way.try_normalize(0.0) else { return false };
            let Some(hit) = self.hit(&Ray { origin: eye, direction }) else { return true };
            let own = hit.body == body && hit.triangle.is_some_and(|triangle| surface.triangles[triangle].contains(&vertex));
            own || (hit.point - eye).norm() >= (1.0 - 1e-6) * way.norm()
        };
        vertices.par_iter().with_min_len(64).copied().filter(|vertex| is_seen(vertex)).collect()
    }

    /// Vertices of the surface and of the lines of a body whose places [m] are such, increasing, with what is said of each; those inside
    /// of it are none.
    pub fn vertices_where<T: Send>(&self, body: usize, is_such: impl Fn(Vec3) -> Option<T> + Sync) -> Vec<(u32, T)> {
        let Some(surface) = self.surfaces.get(body) else { return Vec::new() };
        let mut seen: Vec<bool> = surface.start.windows(2).map(|range| range[0] < range[1]).collect();
        surface.lines.as_flattened().iter().for_each(|&vertex| seen[vertex as usize] = true);
        let such = |vertex: usize| is_such(surface.positions[vertex]).map(|told| (vertex as u32, told));
        (0..seen.len()).into_par_iter().with_min_len(1024).filter(|&vertex| seen[vertex]).filter_map(such).collect()
    }
}

/// What a brush reached in one frame, with its memory for the next.
#[derive(Debug, Clone, Default)]
pub struct Sweep {
    /// The stamp that saw each vertex last.
    seen: Vec<u32>,
    stamp: u32,
    front: Vec<u32>,
    /// How near the middle of a stamp each vertex was, as a share of the radius; infinite where none reached it.
    nearest: Vec<f32>,
    reached: Vec<u32>,
}

impl Sweep {
    fn begin(&mut self, vertices: usize) {
        if self.seen.len() != vertices || self.stamp == u32::MAX {
            *self = Self { seen: vec![0; vertices], nearest: vec![f32::INFINITY; vertices], ..Self::default() };
        }
        self.stamp += 1;
    }

    fn reach(&mut self, vertex: u32, away: f64) {
        let nearest = &mut self.nearest[vertex as usize];
        if *nearest == f32::INFINITY {
            self.reached.push(vertex);
        }
        *nearest = nearest.min(away as f32);
    }

    /// The vertices reached, increasing, and how near the middle each was as a share of the radius. Forgets them.
    pub fn take(&mut self) -> impl Iterator<Item = (u32, f32)> + '_ {
        self.reached.sort_unstable();
        let nearest = &mut self.nearest;
        self.reached.drain(..).map(move |vertex| (vertex, std::mem::replace(&mut nearest[vertex as usize], f32::INFINITY)))
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
        let sound = |line: &&[u32; 2]| line.iter().all(|&vertex| (vertex as usize) < count);
        let lines = if body.lines.iter().all(|line| sound(&line)) {
            Arc::clone(&body.lines)
        } else {
            body.lines.iter().filter(sound).copied().collect()
        };
        Self {
            positions: Arc::clone(&body.positions),
            triangles,
            lines,
            radius: body.radius,
            away: body.away,
            bvh,
            start,
            around,
            normals: OnceLock::new(),
        }
    }

    fn is_of(&self, body: &BodyDraw) -> bool {
        let same = Arc::ptr_eq(&self.triangles, &body.triangles) && Arc::ptr_eq(&self.lines, &body.lines);
        same && self.positions.len() == body.positions.len()
    }

    fn refit(&mut self, body: &BodyDraw) {
        if !Arc::ptr_eq(&self.positions, &body.positions) {
            self.positions = Arc::clone(&body.positions);
            self.bvh.refit(&self.positions, &self.triangles);
            self.normals = OnceLock::new();
        }
    }

    /// The nearest line that a ray meets or passes near enough `beside`, and how far along the ray [m].
    fn line_hit(&self, ray: &Ray, beside: impl Fn(f64) -> f64) -> Option<(usize, f64)> {
        let near = |(index, line): (usize, &[u32; 2])| {
            let [a, b] = line.map(|vertex| self.positions[vertex as usize] - ray.origin);
            let (distance, away) = nearest_on_ray(&ray.direction, &a, &b)?;
            (away <= self.radius.max(beside(distance))).then_some((index, distance))
        };
        self.lines.iter().enumerate().filter_map(near).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The ends of lines within `radius` [m] of a hit, and the one that was hit, ascending.
    fn line_vertices_within(&self, hit: &Hit, radius: f64) -> Vec<u32> {
        let is_near = |vertex: &u32| *vertex == hit.vertex || (self.positions[*vertex as usize] - hit.point).norm() <= radius;
        let mut found: Vec<u32> = self.lines.as_flattened().iter().copied().filter(is_near).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn about(&self, vertex: u32) -> &[usize] {
        &self.around[self.start[vertex as usize]..self.start[vertex as usize + 1]]
    }

    /// Twice the area of a triangle along its normal [m^2].
    fn area(&self, triangle: usize) -> Vec3 {
        let [a, b, c] = self.triangles[triangle].map(|vertex| self.positions[vertex as usize]);
        (b - a).cross(&(c - a))
    }

    fn normals(&self) -> &[Vec3] {
        self.normals.get_or_init(|| {
            let mut normals = vec![Vec3::zeros(); self.positions.len()];
            for (triangle, corners) in self.triangles.iter().enumerate() {
                let area = self.area(triangle);
                corners.iter().for_each(|&vertex| normals[vertex as usize] += area);
            }
            normals
        })
    }
}

/// For a ray from the origin along a unit vector and a line from `a` to `b` [m], where they are nearest: how far along the ray, and how far
/// from it. None behind the origin.
fn nearest_on_ray(direction: &Vec3, a: &Vec3, b: &Vec3) -> Option<(f64, f64)> {
    // Across the ray the line is nearest to it where its projection is nearest to the origin.
    let across = |p: &Vec3| p - p.dot(direction) * direction;
    let (from, along) = (across(a), across(b) - across(a));
    let squared = along.norm_squared();
    let share = if squared > 0.0 { (-from.dot(&along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    let distance = (a + share * (b - a)).dot(direction);
    (distance > 0.0 && distance.is_finite()).then(|| (distance, (from + share * along).norm()))
}

#[cfg(test)]
#[path = "picking_tests.rs"]
mod tests;
