//! What is wrong with the tets of a file.

use std::collections::BTreeSet;

use super::{Finding, Highlight};
use crate::import::RawMesh;
use crate::math::Vec3;
use crate::mesh::check::{Sorted, hinged_components};
use crate::mesh::quality::signed_volume;
use crate::mesh::topology::Faces;
use crate::mesh::{MeshProblem, ProblemCode};

/// Findings about the tets of a file, and their volume [cubed units of `positions`].
pub fn findings(raw: &RawMesh, positions: &[Vec3]) -> (Vec<Finding>, f64) {
    let sorted = Sorted::new(raw, positions);
    let kept: Vec<[u32; 4]> = sorted.kept.iter().map(|&(_, tet)| tet).collect();
    let faces = Faces::of(&kept);
    let components = faces.components(kept.len());
    let hinged = hinged_components(positions.len(), &kept, &components);
    let parts = hinged.len();
    let hinged: Vec<usize> = hinged.into_iter().flatten().map(|t| sorted.kept[t].0).collect();
    let told = |code, indices: &[usize], message: &dyn Fn(usize) -> String| {
        let problem = MeshProblem::found(code, indices, false, message)?;
        Some(Finding { problem, place: Highlight::tets(indices.iter().map(|&t| t as u32).collect()), fix: None })
    };
    let found = [
        told(ProblemCode::InvertedTet, &sorted.inverted, &|n| format!("{n} tets have a negative volume; they are turned round when used")),
        told(ProblemCode::Degenerate, &sorted.degenerate, &|n| format!("{n} tets have no volume; they are left out when used")),
        told(ProblemCode::DuplicateTet, &sorted.duplicate, &|n| format!("{n} tets are given more than once; they are used once")),
        told(ProblemCode::HingedComponent, &hinged, &|n| {
            format!("{n} tets in {parts} parts hang on the rest by an edge or a vertex only, and may swing; join the parts by faces")
        }),
        told(ProblemCode::Sliver, &sorted.slivers, &|n| {
            format!("{n} tets are nearly flat (quality below 0.001) and act much stiffer than the rest; fill the surface again")
        }),
        listed_triangles(raw, &faces.boundary(&kept).0),
    ];
    let volume = kept.iter().map(|tet| signed_volume(&tet.map(|v| positions[v as usize]))).sum();
    (found.into_iter().flatten().collect(), volume)
}

/// Triangles of the file that do not bound its tets.
fn listed_triangles(raw: &RawMesh, boundary: &[[u32; 3]]) -> Option<Finding> {
    let key = |triangle: &[u32; 3]| {
        let mut corners = *triangle;
        corners.sort_unstable();
        corners
    };
    let bounds: BTreeSet<[u32; 3]> = boundary.iter().map(key).collect();
    let listed: BTreeSet<[u32; 3]> = raw.triangles.iter().map(key).collect();
    let inside: Vec<usize> = (0..raw.triangles.len()).filter(|&t| !bounds.contains(&key(&raw.triangles[t]))).collect();
    let common = bounds.intersection(&listed).count();
    let problem = MeshProblem::found(ProblemCode::ListedNotBoundary, &inside, false, |n| {
        let (listed, bounds) = (raw.triangles.len(), bounds.len());
        format!(
            "{n} of the {listed} listed triangles do not bound the tets, whose boundary has {bounds} faces ({common} of them listed); the tets are used"
        )
    })?;
    Some(Finding { problem, place: Highlight::triangles(inside.iter().map(|&t| t as u32).collect()), fix: None })
}
