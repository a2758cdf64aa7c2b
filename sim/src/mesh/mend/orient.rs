//! Turning triangles so that neighbours agree and closed parts face outward.

use super::Surface;
use crate::mesh::health::{Mates, inside_out, sides};
use crate::mesh::{MeshProblem, ProblemCode};

impl Surface {
    /// Turns triangles that look the other way than most of their shell; then shells that enclose a negative volume. Those
    /// within another one keep their side: they may bound cavities.
    pub(super) fn orient(&mut self) {
        let mates = Mates::of(&self.triangles);
        let sides = sides(&self.positions, &self.triangles, &mates);
        let mut inward = Vec::new();
        let mut turn = sides.against.clone();
        for s in inside_out(&self.positions, &self.triangles, &sides) {
            let shell = &sides.shells[s];
            shell.triangles.iter().for_each(|&t| turn[t as usize] ^= true);
            inward.extend(shell.triangles.iter().map(|&t| t as usize));
        }
        for (triangle, _) in self.triangles.iter_mut().zip(&turn).filter(|(_, turn)| **turn) {
            triangle.swap(1, 2);
        }
        inward.sort_unstable();
        let flipped = self.in_source((0..self.triangles.len()).filter(|&t| sides.against[t]));
        let inward = self.in_source(inward.into_iter());
        let message = |n| format!("{n} triangles that looked the other way than their neighbours were turned round");
        self.done.extend(MeshProblem::found(ProblemCode::Flipped, &flipped, true, message));
        let message = |n| format!("{n} triangles of parts that looked inward were turned round");
        self.done.extend(MeshProblem::found(ProblemCode::InsideOut, &inward, true, message));
    }
}
