//! Taking out what is no surface: bad triangles and loose vertices.

use std::collections::BTreeSet;

use super::{Surface, edge};
use crate::mesh::health::{Mate, Mates, duplicate_triangles, is_degenerate};
use crate::mesh::{MeshProblem, ProblemCode};

/// Rounds of taking out flat triangles that lie next to one another.
const ROUNDS: usize = 8;

impl Surface {
    /// Drops triangles that name a vertex twice or have no area, and all but the first of those with the same corners. Where a corner
    /// of a flat triangle lies on its longest side, the triangle on the other side is cut there instead, and no gap comes.
    pub(super) fn drop_bad(&mut self) {
        let again: Vec<usize> = duplicate_triangles(&self.triangles).into_iter().map(|t| t as usize).collect();
        let mut keep = vec![true; self.triangles.len()];
        again.iter().for_each(|&t| keep[t] = false);
        let again = self.in_source(again.into_iter());
        self.keep_triangles(&keep);
        let mut flat = Vec::new();
        let mut cuts = 0;
        for round in 0..ROUNDS {
            let found: Vec<usize> = (0..self.triangles.len()).filter(|&t| is_degenerate(&self.positions, &self.triangles[t])).collect();
            let (gone, cut) = self.cut_neighbours(&found, round + 1 == ROUNDS);
            let done = cut.is_empty();
            cuts += cut.len();
            flat.extend(self.in_source(cut.into_iter()));
            let mut keep = vec![true; self.triangles.len()];
            gone.iter().for_each(|&t| keep[t] = false);
            flat.extend(self.in_source(gone.into_iter()));
            self.keep_triangles(&keep);
            if done {
                break;
            }
        }
        flat.sort_unstable();
        self.done.extend(MeshProblem::found(ProblemCode::Degenerate, &flat, true, |n| {
            format!("{n} triangles without area were taken out, {cuts} of them by cutting their neighbour")
        }));
        let message = |n| format!("{n} triangles given before were dropped");
        self.done.extend(MeshProblem::found(ProblemCode::DuplicateFace, &again, true, message));
    }

    /// Cuts the neighbours of `flat` triangles across their longest sides. Returns the triangles that can go, and those that were used
    /// up by cuts; those that wait for a neighbour stay for the next round, unless this is the `last`.
    fn cut_neighbours(&mut self, flat: &[usize], last: bool) -> (Vec<usize>, Vec<usize>) {
        let mates = Mates::of(&self.triangles);
        let mut edges: BTreeSet<(u32, u32)> = self.triangles.iter().flat_map(|&[a, b, c]| [edge(a, b), edge(b, c), edge(c, a)]).collect();
        let mut changed = vec![false; self.triangles.len()];
        let (mut gone, mut waiting, mut cuts) = (Vec::new(), Vec::new(), Vec::new());
        for &t in flat {
            let side = 3 * t + self.longest_side(t);
            let Mate::Side(across) = mates.mates[side] else {
                gone.push(t);
                continue;
            };
            let (other, k) = (across as usize / 3, across as usize % 3);
            let middle = self.triangles[t][(side % 3 + 2) % 3];
            let [p, q, far] = [0, 1, 2].map(|i| self.triangles[other][(k + i) % 3]);
            let halves = [[p, middle, far], [middle, q, far]];
            if changed[t] || changed[other] || flat.binary_search(&other).is_ok() {
                waiting.push(t);
            } else if middle == far || edges.contains(&edge(middle, far)) || halves.iter().any(|half| is_degenerate(&self.positions, half))
            {
                gone.push(t);
            } else {
                // One half takes the neighbour's place, the other that of the flat one.
                edges.insert(edge(middle, far));
                [self.triangles[other], self.triangles[t]] = halves;
                [changed[other], changed[t]] = [true; 2];
                cuts.push(t);
            }
        }
        if cuts.is_empty() || last {
            gone.extend(waiting);
        }
        (gone, cuts)
    }

    /// The longest side of a triangle, as its first corner.
    fn longest_side(&self, t: usize) -> usize {
        let at = |k: usize| self.positions[self.triangles[t][k % 3] as usize];
        let length = |k: usize| (at(k + 1) - at(k)).norm_squared();
        (1..3).fold(0, |longest, k| if length(k) > length(longest) { k } else { longest })
    }

    /// Drops vertices that no triangle uses.
    pub(super) fn drop_loose(&mut self) {
        let used = self.used();
        let loose: Vec<usize> = (0..used.len()).filter(|&v| !used[v]).map(|v| self.source_vertices[v] as usize).collect();
        self.keep_vertices(&used);
        let message = |n| format!("{n} vertices that no triangle uses were dropped");
        self.done.extend(MeshProblem::found(ProblemCode::LooseVertex, &loose, true, message));
    }
}
