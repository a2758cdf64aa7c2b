//! Vertices that are held, moved or slide: discs on them, paths of motions, and a glyph for the plane of a slide.

use std::collections::{BTreeMap, HashSet};

use aplomb_sim::bodies::select::region_vertices;
use aplomb_sim::bodies::supports::{Support, supports};
use aplomb_sim::math::{Vec3, across};
use aplomb_sim::scene::{RegionRole, Scene};

use super::{mean, paths, points};
use crate::session::Model;
use crate::viewport::{ArrowDraw, ArrowKind, SupportDraw, SupportKind};

/// Smallest and largest half side of a plane's glyph [diagonals of the bodies].
const GLYPH: (f64, f64) = (0.05, 0.25);

/// A region that slides.
#[derive(Debug)]
struct Slide {
    nodes: Vec<usize>,
    normal: Vec3,
    /// Half the side of its glyph [m].
    half: f64,
}

/// The supports of a scene.
#[derive(Debug, Default)]
pub struct Supports {
    kinds: BTreeMap<usize, SupportKind>,
    /// The nodes of the regions that they are of, by body and region.
    regions: Vec<((usize, usize), Vec<usize>)>,
    slides: Vec<Slide>,
    paths: Vec<ArrowDraw>,
}

impl Supports {
    /// Those of the regions of `scene` on the meshes of `model`.
    pub fn of(scene: &Scene, model: &Model) -> Self {
        let mut drawn = Self::default();
        for (b, (body, of)) in scene.bodies.iter().zip(&model.bodies).enumerate() {
            let kind = |(vertex, support): (u32, Support)| {
                let kind = match support {
                    Support::Held => SupportKind::Held,
                    Support::Moved(_) => SupportKind::Moved,
                    Support::Sliding(_) => SupportKind::Sliding,
                };
                (of.nodes.start + vertex as usize, kind)
            };
            drawn.kinds.extend(supports(body, &of.mesh).into_iter().map(kind));
            for (r, region) in body.regions.iter().enumerate() {
                let RegionRole::Dirichlet { slip, motion, .. } = &region.role else { continue };
                let vertices = region_vertices(&of.mesh, region);
                let nodes = || vertices.iter().map(|&vertex| of.nodes.start + vertex as usize);
                drawn.regions.push(((b, r), nodes().collect()));
                let places: Vec<Vec3> = vertices.iter().map(|&vertex| of.mesh.positions[vertex as usize]).collect();
                drawn.paths.extend(motion.as_ref().and_then(|motion| paths::path(motion, &places)));
                let normal = slip.filter(|_| motion.is_none()).and_then(|normal| Vec3::from(normal).try_normalize(1e-12));
                if let Some(normal) = normal.filter(|_| !vertices.is_empty()) {
                    let nodes = nodes().collect();
                    let middle = mean(&places, 0..places.len());
                    let reach = places.iter().map(|point| (point - middle).cross(&normal).norm()).fold(0.0, f64::max);
                    let half = (0.8 * reach).clamp(GLYPH.0 * model.diagonal, GLYPH.1 * model.diagonal);
                    drawn.slides.push(Slide { nodes, normal, half });
                }
            }
        }
        for (index, obstacle) in scene.obstacles.iter().enumerate() {
            let path = obstacle.motion.as_ref().and_then(|motion| paths::path(motion, &points(scene, Some(model), index)));
            drawn.paths.extend(path);
        }
        drawn
    }

    /// A disc on each vertex, but for those of regions that are `seen` otherwise.
    pub fn points(&self, positions: &[Vec3], seen: impl Fn(usize, usize) -> bool) -> Vec<SupportDraw> {
        let told = self.regions.iter().filter(|((body, region), _)| seen(*body, *region)).flat_map(|(_, nodes)| nodes.iter().copied());
        let told: HashSet<usize> = told.collect();
        let others = self.kinds.iter().filter(|(node, _)| !told.contains(node));
        others.filter_map(|(&node, &kind)| Some(SupportDraw { point: *positions.get(node)?, kind })).collect()
    }

    /// The paths, and the glyphs of planes where their regions are now.
    pub fn arrows(&self, positions: &[Vec3]) -> Vec<ArrowDraw> {
        self.paths.iter().cloned().chain(self.slides.iter().flat_map(|slide| slide.glyph(positions))).collect()
    }
}

impl Slide {
    /// A square in the plane, and a cross of arrows: where the vertices may go.
    fn glyph(&self, positions: &[Vec3]) -> Vec<ArrowDraw> {
        let middle = mean(positions, self.nodes.iter().copied());
        let u = self.half * across(&self.normal);
        let v = self.normal.cross(&u);
        let draw = |points: Vec<Vec3>, head| ArrowDraw { points, kind: ArrowKind::Plane, head };
        let corners = [u + v, v - u, -u - v, u - v, u + v].map(|corner| middle + corner);
        let ways = [u, v, -u, -v].map(|way| draw(vec![middle, middle + 0.7 * way], true));
        std::iter::once(draw(corners.into(), false)).chain(ways).collect()
    }
}
