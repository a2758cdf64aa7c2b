//! Joining vertices by distance, where the surface stays as manifold as it is.

use super::Surface;
use super::joined::Joined;
use super::near::{Near, pairs_between};
use crate::math::{Vec3, bounding_diagonal};
use crate::mesh::health::equal_vertices;
use crate::mesh::{MeshProblem, ProblemCode};
use crate::watch::{Cancelled, Watch};

/// How many vertices or pairs are handled between two looks at the watch.
const CHUNK: usize = 1 << 14;
/// Of vertices at one point that cannot all be joined, a further one is tried with so many, and so many are tried with those around.
const MOST_AT_A_POINT: usize = 16;
/// Pairs of near vertices that are looked at together: so many, and so many a vertex.
const MOST_PAIRS: usize = 1 << 20;
const MOST_PAIRS_EACH: usize = 24;
/// A reach is halved so often at most.
const HALVINGS: i32 = 60;

impl Surface {
    /// Joins vertices that triangles use within `tolerance`, a share of their diagonal: equal ones, then nearest pairs first, each to
    /// the vertex of the smaller index. Not joined: corners of one triangle, and vertices of which an edge with more than two triangles
    /// or a second triangle with the same corners would come.
    pub(super) fn weld(&mut self, tolerance: f64, watch: &dyn Watch) -> Result<(), Cancelled> {
        let used = self.used();
        let points: Vec<Vec3> = self.positions.iter().zip(&used).filter(|(_, used)| **used).map(|(p, _)| *p).collect();
        let reach = tolerance * bounding_diagonal(&points);
        let mut joined = Joined::new(&self.triangles, self.positions.len());
        let (mut left, mut refused) = self.join_equal(&mut joined, &used, watch)?;
        let within = if reach > 0.0 { self.join_near(&mut joined, &mut left, reach, &mut refused, watch)? } else { reach };
        let names: Vec<u32> = (0..self.positions.len() as u32).map(|v| joined.name(v)).collect();
        let keep: Vec<bool> = (0..).zip(&names).map(|(v, &name)| v == name).collect();
        let gone: Vec<usize> = (0..keep.len()).filter(|&v| !keep[v]).map(|v| self.source_vertices[v] as usize).collect();
        // What was refused to one vertex may have been granted by another.
        refused.retain(|&v| keep[v as usize]);
        refused.sort_unstable();
        refused.dedup();
        let refused: Vec<usize> = refused.into_iter().map(|v| self.source_vertices[v as usize] as usize).collect();
        let rest: Vec<usize> = left.iter().map(|&v| self.source_vertices[v as usize] as usize).collect();
        self.triangles.as_flattened_mut().iter_mut().for_each(|v| *v = names[*v as usize]);
        self.keep_vertices(&keep);
        let message = |n| format!("{n} vertices were joined to others");
        self.done.extend(MeshProblem::found(ProblemCode::DuplicateVertex, &gone, true, message));
        let message = |n| format!("{n} vertices were left apart: joined, they would make an edge of more than two triangles");
        self.done.extend(MeshProblem::found(ProblemCode::DuplicateVertex, &refused, false, message));
        if within < reach {
            self.done.extend(MeshProblem::found(ProblemCode::DuplicateVertex, &rest, false, |n| {
                let share = tolerance * within / reach;
                format!("too many of the {n} vertices lie within the tolerance of others: only those nearer than {share:.1e} were joined")
            }));
        }
        Ok(())
    }

    /// Joins vertices at exactly the same point. Returns those that are left of the ones in use, without most of a crowd at one point, and
    /// those that were refused.
    fn join_equal(&self, joined: &mut Joined, used: &[bool], watch: &dyn Watch) -> Result<(Vec<u32>, Vec<u32>), Cancelled> {
        let first = equal_vertices(&self.positions);
        let mut order: Vec<u32> = (0..used.len() as u32).filter(|&v| used[v as usize]).collect();
        order.sort_by_key(|&v| first[v as usize]);
        let (mut left, mut refused) = (Vec::new(), Vec::new());
        let mut tried = 0_usize;
        for equal in order.chunk_by(|a, b| first[*a as usize] == first[*b as usize]) {
            let mut here: Vec<u32> = Vec::new();
            for &v in equal {
                tried += 1;
                if tried.is_multiple_of(CHUNK) {
                    watch.check()?;
                }
                let newest = here.len().saturating_sub(MOST_AT_A_POINT);
                if !here[newest..].iter().any(|&other| joined.join(other, v)) {
                    here.push(v);
                }
            }
            refused.extend(here.iter().skip(1));
            left.extend(here.iter().take(MOST_AT_A_POINT));
        }
        left.sort_unstable();
        Ok((left, refused))
    }

    /// Joins vertices of `left` within `reach`, nearest first, and takes those that are joined out of it. Returns how far it came:
    /// `reach`, unless more lie within it of one another than can be looked at.
    fn join_near(
        &self,
        joined: &mut Joined,
        left: &mut Vec<u32>,
        reach: f64,
        refused: &mut Vec<u32>,
        watch: &dyn Watch,
    ) -> Result<f64, Cancelled> {
        let (mut done, mut radius) = (0.0, reach);
        while done < reach {
            let most = MOST_PAIRS + MOST_PAIRS_EACH * left.len();
            let Near::Pairs(pairs) = pairs_between(&self.positions, left, done, radius, most, watch)? else {
                radius *= 0.5;
                if radius <= done || radius < reach * 0.5_f64.powi(HALVINGS) {
                    break;
                }
                continue;
            };
            for pairs in pairs.chunks(CHUNK) {
                watch.check()?;
                for &(_, a, b) in pairs {
                    let (a, b) = (joined.name(a), joined.name(b));
                    // A chain of near vertices does not reach farther than the tolerance.
                    let near = || (self.positions[a as usize] - self.positions[b as usize]).norm() <= reach;
                    if a != b && near() && !joined.join(a, b) {
                        refused.push(a.max(b));
                    }
                }
            }
            left.retain(|&v| joined.name(v) == v);
            (done, radius) = (radius, reach.min(2.0 * radius));
        }
        Ok(done)
    }

    /// Which vertices triangles use.
    pub(super) fn used(&self) -> Vec<bool> {
        let mut used = vec![false; self.positions.len()];
        self.triangles.as_flattened().iter().for_each(|&v| used[v as usize] = true);
        used
    }
}
