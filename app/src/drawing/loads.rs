//! Tractions, pressures and wind as arrows.

use aplomb_sim::bodies::select::region_vertices;
use aplomb_sim::math::{Vec3, across, bounding_box};
use aplomb_sim::scene::{PressureSettings, RegionRole, Scene};

use crate::session::{Model, ModelBody};
use crate::viewport::{ArrowDraw, ArrowKind};

/// Length of the largest load's arrow, of the smallest that is drawn, and of the wind's [diagonals of the bodies].
const LARGEST: f64 = 0.16;
const SMALLEST: f64 = 0.04;
const WIND: f64 = 0.25;
/// Distance between arrows on a surface at most [diagonals of the bodies], and on a small one [its own diagonal].
const APART: f64 = 0.09;
const APART_ON_SMALL: f64 = 0.35;
/// Arrows of a region at most.
const MOST: usize = 80;

/// What pushes on a face.
#[derive(Debug, Clone, Copy)]
enum Push {
    /// A vector [m in the picture].
    Along(Vec3),
    /// Inward, by a length [m in the picture]; negative is outward.
    Inward(f64),
    /// Inward, by the depth under a level [m] times a length [m in the picture / m].
    Water { up: Vec3, level: f64, per_depth: f64 },
}

/// The loads of a scene on the faces that bear an arrow.
#[derive(Debug, Default)]
pub struct Loads {
    faces: Vec<([usize; 3], Push)>,
    wind: Vec<ArrowDraw>,
}

impl Loads {
    /// Arrows are in proportion to the largest load of the scene.
    pub fn of(scene: &Scene, model: &Model) -> Self {
        let regions = || scene.bodies.iter().zip(&model.bodies).flat_map(|(body, of)| body.regions.iter().map(move |region| (region, of)));
        let gravity = Vec3::from(scene.gravity);
        let up = -gravity.try_normalize(0.0).unwrap_or_default();
        let lowest = model.positions[..model.body_nodes].iter().map(|x| up.dot(x)).fold(f64::INFINITY, f64::min);
        let size = |role: &RegionRole| match role {
            RegionRole::Traction { force, .. } => Vec3::from(*force).norm(),
            RegionRole::Pressure(PressureSettings { pressure, surface, density, .. }) => match surface {
                Some(level) => density.unwrap_or(PressureSettings::WATER) * gravity.norm() * (level - lowest).max(0.0),
                None => pressure.unwrap_or(0.0).abs(),
            },
            _ => 0.0,
        };
        let largest = regions().map(|(region, _)| size(&region.role)).fold(0.0, f64::max);
        let mut loads = Self { faces: Vec::new(), wind: wind(scene, model) };
        for (region, body) in regions().filter(|(region, _)| size(&region.role) > 0.0) {
            let length = model.diagonal * (LARGEST * size(&region.role) / largest).max(SMALLEST);
            let push = match &region.role {
                RegionRole::Traction { force, .. } => Push::Along(length * Vec3::from(*force).normalize()),
                RegionRole::Pressure(PressureSettings { surface: Some(level), .. }) => {
                    Push::Water { up, level: *level, per_depth: length / (level - lowest) }
                }
                RegionRole::Pressure(settings) => Push::Inward(length * settings.pressure.unwrap_or(0.0).signum()),
                _ => continue,
            };
            let mut selected = vec![false; body.mesh.positions.len()];
            region_vertices(&body.mesh, region).iter().for_each(|&vertex| selected[vertex as usize] = true);
            let faces: Vec<_> = body.triangles.iter().filter(|face| face.iter().all(|&vertex| selected[vertex as usize])).collect();
            let corners: Vec<Vec3> =
                faces.iter().flat_map(|face| face.iter().map(|&vertex| body.mesh.positions[vertex as usize])).collect();
            if corners.is_empty() {
                continue;
            }
            let (low, high) = bounding_box(&corners);
            let chosen = spread(body, &faces, (APART * model.diagonal).min(APART_ON_SMALL * (high - low).norm()));
            loads.faces.extend(chosen.into_iter().map(|face| (face.map(|vertex| body.nodes.start + vertex as usize), push)));
        }
        loads
    }

    /// The arrows on the faces where they are now: one that pushes ends on its face, one that pulls begins there.
    pub fn arrows(&self, positions: &[Vec3]) -> Vec<ArrowDraw> {
        let on_face = |(face, push): &([usize; 3], Push)| {
            let [a, b, c] = face.map(|node| positions.get(node).copied().unwrap_or_default());
            let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
            let along = match push {
                Push::Along(along) => *along,
                Push::Inward(length) => -*length * normal,
                Push::Water { up, level, per_depth } => -per_depth * (level - up.dot(&((a + b + c) / 3.0))).max(0.0) * normal,
            };
            if along == Vec3::zeros() {
                return None;
            }
            let foot = (a + b + c) / 3.0 - if along.dot(&normal) < 0.0 { along } else { Vec3::zeros() };
            Some(ArrowDraw { points: vec![foot, foot + along], kind: ArrowKind::Load, head: true })
        };
        self.faces.iter().filter_map(on_face).chain(self.wind.iter().cloned()).collect()
    }
}

/// Faces whose middles lie at least `apart` from each other, the earlier ones first.
fn spread(body: &ModelBody, faces: &[&[u32; 3]], apart: f64) -> Vec<[u32; 3]> {
    let middle = |face: &[u32; 3]| face.iter().map(|&vertex| body.mesh.positions[vertex as usize]).sum::<Vec3>() / 3.0;
    let mut chosen: Vec<([u32; 3], Vec3)> = Vec::new();
    for &face in faces {
        let at = middle(face);
        if chosen.len() < MOST && chosen.iter().all(|(_, other)| (at - other).norm() >= apart) {
            chosen.push((*face, at));
        }
    }
    chosen.into_iter().map(|(face, _)| face).collect()
}

/// Arrows that blow onto the bodies from the windward side.
fn wind(scene: &Scene, model: &Model) -> Vec<ArrowDraw> {
    let blows = scene.wind.and_then(|wind| Vec3::from(wind.velocity).try_normalize(1e-12));
    let Some(direction) = blows.filter(|_| model.body_nodes > 0) else { return Vec::new() };
    let bodies = &model.positions[..model.body_nodes];
    let (low, high) = bounding_box(bodies);
    let middle = 0.5 * (low + high);
    let side = across(&direction);
    let up = side.cross(&direction);
    // Half the extent of the bodies along a direction.
    let half = |way: &Vec3| bodies.iter().map(|point| (point - middle).dot(way).abs()).fold(0.0, f64::max);
    let length = WIND * model.diagonal;
    let start = middle - direction * (half(&direction) + 1.3 * length);
    let (right, top) = (side * half(&side).max(0.1 * length), up * half(&up).max(0.1 * length));
    let rows = [-0.8, 0.0, 0.8];
    let places = rows.iter().flat_map(|row| rows.map(|column| start + *row * top + column * right));
    places.map(|from| ArrowDraw { points: vec![from, from + length * direction], kind: ArrowKind::Wind, head: true }).collect()
}
