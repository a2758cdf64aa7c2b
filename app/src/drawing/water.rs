//! The surface of water that presses on bodies, as a net of lines.

use std::sync::Arc;

use aplomb_sim::math::{Vec3, across, bounding_box};
use aplomb_sim::scene::{PressureSettings, RegionRole, Scene};

use crate::session::Model;
use crate::viewport::{LineDraw, LineKind};

/// Half the side of the net [diagonals of the bodies], and squares along a side.
const HALF: f64 = 0.9;
const SQUARES: u32 = 12;

/// A net a level, around the bodies. Without gravity there is none.
pub fn nets(scene: &Scene, model: &Model) -> Vec<LineDraw> {
    let Some(up) = (-Vec3::from(scene.gravity)).try_normalize(0.0) else { return Vec::new() };
    let (low, high) = bounding_box(&model.positions[..model.body_nodes]);
    let mut levels: Vec<f64> = scene.bodies.iter().flat_map(|body| &body.regions).filter_map(|region| level(&region.role)).collect();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let middle = 0.5 * (low + high);
    levels.into_iter().map(|level| net(&(middle + (level - up.dot(&middle)) * up), &up, HALF * model.diagonal)).collect()
}

fn level(role: &RegionRole) -> Option<f64> {
    match role {
        RegionRole::Pressure(PressureSettings { surface, .. }) => *surface,
        _ => None,
    }
}

fn net(middle: &Vec3, up: &Vec3, half: f64) -> LineDraw {
    let across = across(up);
    let along = across.cross(up);
    let at = |k: u32| half * (2.0 * f64::from(k) / f64::from(SQUARES) - 1.0);
    let line = |k: u32, side: &Vec3, way: &Vec3| [-half, half].map(|end| middle + at(k) * side + end * way);
    let ends: Arc<[[Vec3; 2]]> = (0..=SQUARES).flat_map(|k| [line(k, &across, &along), line(k, &along, &across)]).collect();
    LineDraw { ends, kind: LineKind::Water }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_net_is_level_and_around_its_middle() {
        for up in [Vec3::y(), Vec3::z(), Vec3::new(0.6, 0.0, -0.8)] {
            let (middle, half) = (Vec3::new(1.0, 2.0, 3.0), 0.5);
            let ends = net(&middle, &up, half).ends;
            assert_eq!(ends.len(), 2 * (SQUARES as usize + 1));
            for point in ends.iter().flatten() {
                assert!(up.dot(&(point - middle)).abs() < 1e-12 && (point - middle).norm() < 1.5 * half);
            }
            let mean = ends.iter().flatten().sum::<Vec3>() / (2 * ends.len()) as f64;
            assert!((mean - middle).norm() < 1e-12);
        }
    }
}
