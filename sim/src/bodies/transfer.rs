//! Regions that follow their body to another mesh: what was painted on the old surface is found again on the new one.

use std::path::Path;

use super::select::{fingerprint, paintable_vertices};
use super::{PlacedMesh, place};
use crate::math::Vec3;
use crate::mesh::BodyMesh;
use crate::mesh::closest::{ClosestPoint, shares};
use crate::mesh::nearest::PointTree;
use crate::scene::{Body, Scene, Selector, StiffnessField};
use crate::watch::{Cancelled, Watch};

/// The scene with its painted regions on the meshes that its files hold now; `None` where nothing has to change. `old`: the meshes
/// as placed when the regions were painted, by the names of their bodies; of several of one name that which carries the body's mark.
/// Bodies that were painted on another mesh than those given here are left as they are, and so are those whose file cannot be read:
/// [`crate::system::System::build`] tells why.
///
/// # Errors
/// If the watch cancels.
pub fn transfer_regions(scene: &Scene, folder: &Path, old: &[(&str, &BodyMesh)], watch: &dyn Watch) -> Result<Option<Scene>, Cancelled> {
    let mut changed = false;
    let mut scene = scene.clone();
    for body in scene.bodies.iter_mut().filter(|body| has_indices(body)) {
        let of_name = old.iter().filter(|(name, _)| *name == body.name).map(|(_, mesh)| (*mesh, fingerprint(mesh)));
        let is_meant = |(_, was): &(&BodyMesh, String)| body.painted_on.as_ref().is_none_or(|mark| mark == was);
        let Some((old, was)) = of_name.into_iter().find(is_meant) else { continue };
        let placed = place(body, folder, watch);
        watch.check()?;
        let Ok(PlacedMesh { mesh: new, .. }) = placed else { continue };
        // By index where the lists are the same: a body that was moved or deformed keeps its regions.
        let is = fingerprint(&new);
        let (repainted, renumbered) = (was != is, old.cells != new.cells);
        if !repainted && !renumbered {
            continue;
        }
        let transfer = Transfer::new(old, &new, watch)?;
        for selector in body.regions.iter_mut().flat_map(|region| &mut region.select) {
            match selector {
                Selector::Vertices(painted) if repainted => *painted = transfer.vertices(painted),
                Selector::Elements(named) if renumbered => *named = transfer.elements(named),
                _ => continue,
            }
            changed = true;
        }
        if let Some(field) = body.stiffness_field.as_mut().filter(|_| repainted) {
            *field = transfer.field(field);
            changed = true;
        }
        body.painted_on = Some(is);
    }
    Ok(changed.then_some(scene))
}

fn has_indices(body: &Body) -> bool {
    let mut selectors = body.regions.iter().flat_map(|region| &region.select);
    body.stiffness_field.is_some() || selectors.any(|selector| matches!(selector, Selector::Vertices(_) | Selector::Elements(_)))
}

/// What can be painted on: the artist's surface, or the mesh's own.
fn surface(mesh: &BodyMesh) -> (&[Vec3], &[[u32; 3]]) {
    match &mesh.skin {
        Some(skin) => (&skin.positions, &skin.triangles),
        None => (&mesh.positions, &mesh.surface),
    }
}

/// Share of a place's old corners that must be painted. A vertex that was only moved a little keeps its mark, whatever lies
/// around it, and a large triangle with one painted edge gives none of its area.
const SHARE: f64 = 0.9;

/// From the indices of one mesh to those of another of about the same shape.
struct Transfer<'a> {
    old: &'a BodyMesh,
    /// For each vertex of the new mesh that can be painted: the old vertices that it lies between, and their shares.
    between: Vec<([u32; 3], [f64; 3])>,
    /// For each new cell, the old one with the nearest middle.
    nearest_cell: Vec<Option<u32>>,
}

impl<'a> Transfer<'a> {
    fn new(old: &'a BodyMesh, new: &BodyMesh, watch: &dyn Watch) -> Result<Self, Cancelled> {
        watch.check()?;
        let ((from, triangles), (to, new_triangles)) = (surface(old), surface(new));
        let closest = ClosestPoint::new(from, triangles);
        let mut on_surface = vec![false; to.len()];
        new_triangles.as_flattened().iter().for_each(|&v| on_surface[v as usize] = true);
        let inside = PointTree::new(from.iter().copied().zip(0..).collect());
        let between = to.iter().zip(on_surface).map(|(x, on_surface)| {
            watch.check()?;
            let hit = closest.query(x);
            Ok(match triangles.get(hit.triangle as usize).filter(|_| on_surface) {
                Some(corners) => (*corners, shares(&hit.point, &corners.map(|v| from[v as usize]))),
                None => (inside.nearest(x).map_or([0; 3], |v| [v; 3]), [1.0, 0.0, 0.0]),
            })
        });
        let between = between.collect::<Result<_, _>>()?;
        let tree = PointTree::new(old.centroids().into_iter().zip(0..).collect());
        let nearest = |x: &Vec3| watch.check().map(|()| tree.nearest(x));
        let nearest_cell = new.centroids().iter().map(nearest).collect::<Result<_, _>>()?;
        Ok(Self { old, between, nearest_cell })
    }

    /// New vertices that lie between old ones which, by their shares, are in `painted`.
    fn vertices(&self, painted: &[u32]) -> Vec<u32> {
        let held = marks(paintable_vertices(self.old), painted);
        let share = |(corners, shares): &([u32; 3], [f64; 3])| -> f64 {
            corners.iter().zip(shares).filter(|(v, _)| held[**v as usize]).map(|(_, share)| share).sum()
        };
        (0..).zip(&self.between).filter(|(_, between)| share(between) >= SHARE).map(|(v, _)| v).collect()
    }

    /// The same factors where the new vertices lie: between old ones their weighted geometric mean.
    fn field(&self, field: &StiffnessField) -> StiffnessField {
        let logarithms: Vec<f64> = field.factors(paintable_vertices(self.old)).into_iter().map(f64::ln).collect();
        let mean = |(corners, shares): &([u32; 3], [f64; 3])| -> f64 {
            let mean: f64 = corners.iter().zip(shares).map(|(&v, share)| share * logarithms[v as usize]).sum();
            // What rounding leaves of a factor of 1 is none.
            if mean.abs() < 1e-12 { 1.0 } else { mean.exp() }
        };
        StiffnessField::of(&self.between.iter().map(mean).collect::<Vec<_>>()).unwrap_or_default()
    }

    /// New cells of which the nearest old one is in `named`.
    fn elements(&self, named: &[u32]) -> Vec<u32> {
        let held = marks(self.old.cells.len(), named);
        (0..).zip(&self.nearest_cell).filter(|(_, old)| old.is_some_and(|t| held[t as usize])).map(|(t, _)| t).collect()
    }
}

fn marks(count: usize, indices: &[u32]) -> Vec<bool> {
    let mut marks = vec![false; count];
    indices.iter().for_each(|&i| marks.get_mut(i as usize).into_iter().for_each(|mark| *mark = true));
    marks
}
