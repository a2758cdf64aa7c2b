//! What is wrong with the triangles of a file.

use super::edges::{Mates, ends};
use super::faces::{duplicates, is_degenerate, same_corners};
use super::polygons::Polygons;
use super::{Finding, Highlight, directions, manifold, self_intersections};
use crate::import::RawMesh;
use crate::math::Vec3;
use crate::mesh::mend::SurfaceRepair;
use crate::mesh::{MeshProblem, ProblemCode};
use crate::watch::{Cancelled, Watch};

/// The triangles of a file, and which meet at each edge.
pub struct Surface<'a> {
    /// Vertices of the file.
    pub positions: &'a [Vec3],
    /// Triangles: with the corners of the file, or with equal vertices joined.
    pub triangles: &'a [[u32; 3]],
    /// The faces that they are cut from.
    pub polygons: &'a Polygons,
    /// Across each side.
    pub mates: &'a Mates,
    /// The triangles once equal vertices are joined.
    pub welded_triangles: &'a [[u32; 3]],
    /// Across each side of these.
    pub welded: &'a Mates,
}

/// Findings about the triangles of a file, or about them with equal vertices `joined`; and the volume inside [cubed units of the
/// file], none where they are open. `first_equal`: for each vertex the first at the same point.
pub fn findings(raw: &RawMesh, first_equal: &[u32], joined: bool, watch: &dyn Watch) -> Result<(Vec<Finding>, Option<f64>), Cancelled> {
    let welded: Vec<[u32; 3]> = raw.triangles.iter().map(|t| t.map(|v| first_equal[v as usize])).collect();
    let apart = first_equal.iter().zip(0..).any(|(&first, v)| first != v);
    let polygons = &Polygons::of(raw);
    let cut = |side: u32| polygons.cut[side as usize];
    let welded_mates = Mates::within(&welded, cut);
    watch.progress("examining", 0.2);
    watch.check()?;
    let own_mates = if apart && !joined { Some(Mates::within(&raw.triangles, cut)) } else { None };
    let triangles = if joined { &welded } else { &raw.triangles };
    let mates = own_mates.as_ref().unwrap_or(&welded_mates);
    let surface = Surface { positions: &raw.positions, triangles, polygons, mates, welded_triangles: &welded, welded: &welded_mates };
    watch.progress("examining", 0.4);
    watch.check()?;
    let (turned, volume) = directions::findings(&surface);
    watch.progress("examining", 0.5);
    let mut found = vec![surface.intersecting(&welded, volume.is_some(), watch)?];
    found.extend(manifold::findings(&surface));
    found.extend(turned);
    found.extend([surface.duplicate(raw), surface.degenerate()]);
    Ok((found.into_iter().flatten().collect(), volume))
}

impl Surface<'_> {
    /// A finding about faces, given by triangles (ascending): it counts and names faces of the file, and shows the triangles.
    pub fn told_of_faces(
        &self,
        code: ProblemCode,
        triangles: Vec<u32>,
        fix: Option<SurfaceRepair>,
        message: impl FnOnce(usize) -> String,
    ) -> Option<Finding> {
        let problem = MeshProblem::found(code, &self.polygons.faces(&triangles), false, message)?;
        Some(Finding { problem, place: Highlight::triangles(triangles), fix })
    }

    /// A finding about edges, each given by one of its sides: it names their faces, and shows the edges.
    pub fn told_of_edges(
        &self,
        code: ProblemCode,
        sides: &[u32],
        fix: Option<SurfaceRepair>,
        message: impl FnOnce(usize) -> String,
    ) -> Option<Finding> {
        let faces: Vec<usize> = sides.iter().map(|&s| self.polygons.face[s as usize / 3] as usize).collect();
        let problem = MeshProblem::found(code, &faces, false, message)?;
        Some(Finding { problem, place: Highlight::edges(sides.iter().map(|&s| ends(self.triangles, s)).collect()), fix })
    }

    /// `measured`: whether a volume is told, which counts twice what is in two parts.
    fn intersecting(&self, welded: &[[u32; 3]], measured: bool, watch: &dyn Watch) -> Result<Option<Finding>, Cancelled> {
        let found = self_intersections(self.positions, welded, watch)?;
        if !found.complete && found.triangles.is_empty() {
            let message =
                "so many faces lie close to many others that only some were compared; of these, none pass through others".to_owned();
            let problem = MeshProblem { code: ProblemCode::Note, count: 1, indices: Vec::new(), fixed: false, message };
            return Ok(Some(Finding { problem, place: Highlight::default(), fix: None }));
        }
        let more = if found.complete { "" } else { "more than " };
        let twice = if measured { "; until then, the volume is the sum of the parts" } else { "" };
        Ok(self.told_of_faces(ProblemCode::SelfIntersection, found.triangles, None, |n| {
            format!("{more}{n} faces pass through others or lie on them; the surface can be filled, and what overlaps becomes one{twice}")
        }))
    }

    fn duplicate(&self, raw: &RawMesh) -> Option<Finding> {
        let fix = Some(SurfaceRepair::DropBad);
        let again: Vec<u32> = if !self.polygons.larger {
            duplicates(self.triangles)
        } else {
            let again = same_corners(raw.polygons.iter());
            (0..self.triangles.len() as u32).filter(|&t| again.binary_search(&self.polygons.face[t as usize]).is_ok()).collect()
        };
        self.told_of_faces(ProblemCode::DuplicateFace, again, fix, |n| format!("{n} faces are given more than once"))
    }

    fn degenerate(&self) -> Option<Finding> {
        let found = (0..self.triangles.len() as u32).filter(|&t| is_degenerate(self.positions, &self.triangles[t as usize])).collect();
        let fix = Some(SurfaceRepair::DropBad);
        self.told_of_faces(ProblemCode::Degenerate, found, fix, |n| format!("{n} faces have no area, or name a vertex twice"))
    }
}
