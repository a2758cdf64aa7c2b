//! Turning triangles so that neighbours agree and closed parts face outward.

use super::Surface;
use crate::mesh::health::{Mates, Shell, is_nested, sides};
use crate::mesh::{MeshProblem, ProblemCode};

/// Volume over area^(3/2) beyond which a shell with holes is taken for a body with an inside. A ball has 0.094, a flat sheet 0.
const HOLLOW: f64 = 0.01;

impl Surface {
    /// Turns triangles that look the other way than most of their shell; then shells that enclose a negative volume. Closed
    /// shells within another one keep their side: they may bound cavities.
    pub(super) fn orient(&mut self) {
        let mates = Mates::of(&self.triangles);
        let sides = sides(&self.positions, &self.triangles, &mates);
        let mut inward = Vec::new();
        let mut turn = sides.against.clone();
        for (s, shell) in sides.shells.iter().enumerate() {
            let nested = || is_nested(&self.positions, &self.triangles, &sides.shells, s);
            if shell.inward && shell.orientable && (if shell.closed { !nested() } else { self.is_hollow(shell) }) {
                shell.triangles.iter().for_each(|&t| turn[t as usize] ^= true);
                inward.extend(shell.triangles.iter().map(|&t| t as usize));
            }
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

    /// Whether an open shell is so far around something that it has an inside.
    fn is_hollow(&self, shell: &Shell) -> bool {
        let double_area = |t: &u32| {
            let [a, b, c] = self.triangles[*t as usize].map(|v| self.positions[v as usize]);
            (b - a).cross(&(c - a)).norm()
        };
        let area = 0.5 * shell.triangles.iter().map(double_area).sum::<f64>();
        shell.volume.abs() > HOLLOW * area.powf(1.5)
    }
}
