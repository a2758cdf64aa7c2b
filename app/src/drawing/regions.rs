//! The vertices of a region on what is seen of its body, and the tints of its faces.

use std::sync::Arc;

use aplomb_sim::bodies::select::{region_skin_vertices, region_vertices};
use aplomb_sim::scene::{Body, Region};

use crate::document::{RoleKind, region_color};
use crate::session::ModelBody;

/// Opacity of a region's tint: 60 %.
pub const TINT: u8 = 153;

/// Vertices of the region: of the artist's surface where there is one, unless `tets` are seen.
pub fn painted(body: &ModelBody, region: &Region, tets: bool) -> Vec<u32> {
    if body.skin.is_some() && !tets { region_skin_vertices(&body.mesh, region) } else { region_vertices(&body.mesh, region) }
}

/// How regions tint what is seen of a body; of those that overlap, the one on top is seen.
#[derive(Debug)]
pub struct Tints {
    /// Of each triangle, all of whose corners belong to the region: sRGB and strength.
    pub faces: Arc<[[u8; 4]]>,
    /// Of each vertex, for lines.
    pub vertices: Arc<[[u8; 4]]>,
    /// Whether any face has the tint of a region, for each region of the body.
    pub seen: Vec<bool>,
}

impl Tints {
    /// Those of the regions of `body` that are `shown`, by their number.
    pub fn of(body: &Body, model: &ModelBody, tets: bool, shown: impl Fn(usize) -> bool) -> Self {
        let held = Held::by(body, model, tets, shown);
        let mut seen = vec![false; body.regions.len()];
        held.faces.iter().flatten().for_each(|&r| seen[r] = true);
        let colors: Vec<[u8; 4]> = body.regions.iter().enumerate().map(|(r, region)| tint(region_color(region, r))).collect();
        let tinted = |held: &[Option<usize>]| held.iter().map(|held| held.map_or([0; 4], |r| colors[r])).collect();
        Self { faces: tinted(&held.faces), vertices: tinted(&held.vertices), seen }
    }
}

fn tint([red, green, blue]: [u8; 3]) -> [u8; 4] {
    [red, green, blue, TINT]
}

/// What lies over what: materials are what a body is made of, and everything else is on it; of one sort, the later one is on top.
pub fn layer(region: &Region, r: usize) -> (bool, usize) {
    (RoleKind::of(&region.role) != RoleKind::Material, r)
}

/// Which region of a body has what is seen of it: where they overlap, the one on top.
pub struct Held {
    /// That of each triangle, all of whose corners belong to it.
    pub faces: Vec<Option<usize>>,
    /// That of each vertex.
    pub vertices: Vec<Option<usize>>,
}

impl Held {
    /// Among the regions of `body` that are `shown`, by their number.
    pub fn by(body: &Body, model: &ModelBody, tets: bool, shown: impl Fn(usize) -> bool) -> Self {
        let triangles = model.surface_triangles(tets);
        let mut faces = vec![None; triangles.len()];
        let mut vertices = vec![None; model.surface_vertices(tets)];
        let mut inside = vec![false; vertices.len()];
        let mut regions: Vec<(usize, &Region)> = body.regions.iter().enumerate().filter(|(r, _)| shown(*r)).collect();
        regions.sort_by_key(|(r, region)| layer(region, *r));
        for (r, region) in regions {
            inside.fill(false);
            for vertex in painted(model, region, tets) {
                inside[vertex as usize] = true;
                vertices[vertex as usize] = Some(r);
            }
            let of_region = |corners: &[u32; 3]| corners.iter().all(|&vertex| inside[vertex as usize]);
            for (face, _) in faces.iter_mut().zip(triangles.iter()).filter(|(_, corners)| of_region(corners)) {
                *face = Some(r);
            }
        }
        Self { faces, vertices }
    }
}
