//! Repairs of a surface, each counted; the file itself is left as it is.

mod bad;
mod fill;
mod joined;
mod near;
mod orient;
mod repair;
mod weld;

#[cfg(test)]
mod tests;

pub use repair::SurfaceRepair;

use super::MeshProblem;
use crate::math::Vec3;
use crate::watch::{Cancelled, Watch};

/// A mended surface.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mended {
    /// Vertex positions, in the unit of the source.
    pub positions: Vec<Vec3>,
    /// Triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Vertex of the source that each vertex comes from.
    pub source_vertices: Vec<u32>,
    /// What was mended, in the order in which it was; indices are vertices or triangles of the source, `fixed` is set. What
    /// could not be mended is told with `fixed` not set.
    pub done: Vec<MeshProblem>,
}

/// A surface under repair.
struct Surface {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// Vertex of the source of each vertex.
    source_vertices: Vec<u32>,
    /// Triangle of the source of each triangle; none for one that closes a hole.
    source_triangles: Vec<Option<u32>>,
    done: Vec<MeshProblem>,
}

/// Mends a surface, repair by repair in the given order. The same repairs again change nothing more.
///
/// # Errors
/// If the watch cancels.
pub fn mend(positions: &[Vec3], triangles: &[[u32; 3]], repairs: &[SurfaceRepair], watch: &dyn Watch) -> Result<Mended, Cancelled> {
    let mut surface = Surface {
        positions: positions.to_vec(),
        triangles: triangles.to_vec(),
        source_vertices: (0..positions.len() as u32).collect(),
        source_triangles: (0..triangles.len() as u32).map(Some).collect(),
        done: Vec::new(),
    };
    for (r, repair) in repairs.iter().enumerate() {
        watch.progress("mending", r as f64 / repairs.len() as f64);
        watch.check()?;
        match *repair {
            SurfaceRepair::Weld(tolerance) => surface.weld(tolerance, watch)?,
            SurfaceRepair::DropBad => surface.drop_bad(),
            SurfaceRepair::DropLoose => surface.drop_loose(),
            SurfaceRepair::Orient => surface.orient(),
            SurfaceRepair::FillHoles(most) => surface.fill_holes(most as usize, watch)?,
        }
    }
    watch.progress("mending", 1.0);
    let Surface { positions, triangles, source_vertices, done, .. } = surface;
    Ok(Mended { positions, triangles, source_vertices, done })
}

/// Whether joining vertices within `tolerance`, a share of the diagonal, would join any.
///
/// # Errors
/// If the watch cancels.
pub fn would_weld(positions: &[Vec3], triangles: &[[u32; 3]], tolerance: f64, watch: &dyn Watch) -> Result<bool, Cancelled> {
    let mended = mend(positions, triangles, &[SurfaceRepair::Weld(tolerance)], &Silent(watch))?;
    Ok(mended.positions.len() < positions.len())
}

/// Cancels as the watch inside does, and shows nothing.
struct Silent<'a>(&'a dyn Watch);

impl Watch for Silent<'_> {
    fn progress(&self, _: &str, _: f64) {}
    fn check(&self) -> Result<(), Cancelled> {
        self.0.check()
    }
}

/// Sorts repairs into the order in which each helps the next: triangles have no neighbours before their vertices are joined; what
/// closes a hole looks as the triangles around it do, so that these must agree first; and vertices become loose by all of it.
pub fn in_order(repairs: &mut [SurfaceRepair]) {
    repairs.sort_by_key(|repair| match repair {
        SurfaceRepair::Weld(_) => 0,
        SurfaceRepair::DropBad => 1,
        SurfaceRepair::Orient => 2,
        SurfaceRepair::FillHoles(_) => 3,
        SurfaceRepair::DropLoose => 4,
    });
}

impl Surface {
    /// Keeps the vertices and triangles whose mark is set; triangles that are kept use kept vertices only.
    fn keep_vertices(&mut self, keep: &[bool]) {
        let mut new_index = vec![u32::MAX; self.positions.len()];
        for (new, index) in (0..).zip(new_index.iter_mut().zip(keep).filter(|(_, keep)| **keep).map(|(index, _)| index)) {
            *index = new;
        }
        let mut kept = keep.iter();
        self.positions.retain(|_| kept.next() == Some(&true));
        let mut kept = keep.iter();
        self.source_vertices.retain(|_| kept.next() == Some(&true));
        self.triangles.as_flattened_mut().iter_mut().for_each(|v| *v = new_index[*v as usize]);
    }

    /// Keeps the triangles whose mark is set.
    fn keep_triangles(&mut self, keep: &[bool]) {
        let mut kept = keep.iter();
        self.triangles.retain(|_| kept.next() == Some(&true));
        let mut kept = keep.iter();
        self.source_triangles.retain(|_| kept.next() == Some(&true));
    }

    /// Triangles of the source, without those that are new.
    fn in_source(&self, triangles: impl Iterator<Item = usize>) -> Vec<usize> {
        triangles.filter_map(|t| self.source_triangles[t]).map(|t| t as usize).collect()
    }
}

/// The edge between two vertices, the smaller one first.
fn edge(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}
