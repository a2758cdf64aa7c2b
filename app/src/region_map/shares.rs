//! What regions are of a body: of all that lies in several, the later one has it, as in the simulation and in the picture.

use aplomb_sim::bodies::select::region_cells;
use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::quality::signed_volume;
use aplomb_sim::scene::Body;

use crate::document::RoleKind;
use crate::drawing::Held;
use crate::session::ModelBody;

/// What is shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Measure {
    /// The volume of cells, among regions of material: all that they reach into.
    #[default]
    Volume,
    /// The surface that is seen, among all regions.
    Surface,
}

/// A region's part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The region by its number; `None` for what is in none.
    pub region: Option<usize>,
    /// Its part of the whole, 0 to 1.
    pub part: f64,
}

/// Of the volume; of a body of lines, of their length.
pub fn of_volume(body: &Body, model: &ModelBody) -> Vec<Share> {
    let mesh = &model.mesh;
    let materials = body.regions.iter().enumerate().filter(|(_, region)| RoleKind::of(&region.role) == RoleKind::Material);
    let mut holder = vec![None; mesh.cells.len()];
    for (r, region) in materials.clone() {
        region_cells(mesh, region).into_iter().for_each(|cell| holder[cell as usize] = Some(r));
    }
    let sizes = mesh.cells.iter().map(|cell| size_of(cell, &mesh.positions));
    parts(materials.map(|(r, _)| r), holder.into_iter().zip(sizes))
}

/// Of the surface; of a body of lines, of their length.
pub fn of_surface(body: &Body, model: &ModelBody, held: &Held) -> Vec<Share> {
    let positions: &[Vec3] = model.skin.as_ref().map_or(&model.mesh.positions, |skin| &skin.positions);
    let faces = model.surface_triangles(false).iter().zip(&held.faces).map(|(corners, holder)| (*holder, size_of(corners, positions)));
    let of_line = |[a, b]: &[u32; 2]| held.vertices[*a as usize].filter(|_| held.vertices[*a as usize] == held.vertices[*b as usize]);
    let lines = model.lines.iter().map(|ends| (of_line(ends), size_of(ends, positions)));
    parts(0..body.regions.len(), faces.chain(lines))
}

/// Shares of `regions` in this order, and of what none of them holds.
fn parts(regions: impl Iterator<Item = usize>, pieces: impl Iterator<Item = (Option<usize>, f64)>) -> Vec<Share> {
    let mut shares: Vec<Share> = regions.map(|region| Share { region: Some(region), part: 0.0 }).collect();
    // What is on top comes first.
    shares.reverse();
    shares.push(Share { region: None, part: 0.0 });
    let mut whole = 0.0;
    for (holder, size) in pieces {
        whole += size;
        if let Some(share) = shares.iter_mut().find(|share| share.region == holder) {
            share.part += size;
        }
    }
    shares.iter_mut().for_each(|share| share.part /= if whole > 0.0 { whole } else { 1.0 });
    shares
}

/// Volume, area or length of a cell, 1 of a point.
fn size_of(cell: &[u32], positions: &[Vec3]) -> f64 {
    let at = |k: usize| positions[cell[k] as usize];
    match cell.len() {
        4 => signed_volume(&[at(0), at(1), at(2), at(3)]).abs(),
        3 => 0.5 * (at(1) - at(0)).cross(&(at(2) - at(0))).norm(),
        2 => (at(1) - at(0)).norm(),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_several_is_that_of_the_later_one_and_all_parts_are_the_whole() {
        let pieces = [(Some(0), 1.0), (Some(2), 2.0), (None, 4.0), (Some(2), 1.0)];
        let shares = parts([0, 2].into_iter(), pieces.into_iter());
        let told: Vec<_> = shares.iter().map(|share| (share.region, share.part)).collect();
        assert_eq!(told, [(Some(2), 0.375), (Some(0), 0.125), (None, 0.5)]);
        assert_eq!(parts([1].into_iter(), std::iter::empty()).iter().map(|share| share.part).sum::<f64>(), 0.0, "of nothing, nothing");
    }
}
