//! Dropping what is no surface: bad triangles and loose vertices.

use super::Surface;
use crate::mesh::health::{duplicate_triangles, is_degenerate};
use crate::mesh::{MeshProblem, ProblemCode};

impl Surface {
    /// Drops triangles that name a vertex twice or have no area, and all but the first of those with the same corners.
    pub(super) fn drop_bad(&mut self) {
        let count = self.triangles.len();
        let flat: Vec<usize> = (0..count).filter(|&t| is_degenerate(&self.positions, &self.triangles[t])).collect();
        let mut keep = vec![true; count];
        flat.iter().for_each(|&t| keep[t] = false);
        let again: Vec<usize> = duplicate_triangles(&self.triangles).into_iter().map(|t| t as usize).filter(|&t| keep[t]).collect();
        again.iter().for_each(|&t| keep[t] = false);
        let flat = self.in_source(flat.into_iter());
        let again = self.in_source(again.into_iter());
        self.keep_triangles(&keep);
        self.done.extend(MeshProblem::found(ProblemCode::Degenerate, &flat, true, |n| format!("{n} triangles without area were dropped")));
        let message = |n| format!("{n} triangles given before were dropped");
        self.done.extend(MeshProblem::found(ProblemCode::DuplicateFace, &again, true, message));
    }

    /// Drops vertices that no triangle uses.
    pub(super) fn drop_loose(&mut self) {
        let mut used = vec![false; self.positions.len()];
        self.triangles.as_flattened().iter().for_each(|&v| used[v as usize] = true);
        let loose: Vec<usize> = (0..used.len()).filter(|&v| !used[v]).map(|v| self.source_vertices[v] as usize).collect();
        self.keep_vertices(&used);
        let message = |n| format!("{n} vertices that no triangle uses were dropped");
        self.done.extend(MeshProblem::found(ProblemCode::LooseVertex, &loose, true, message));
    }
}
