//! Closing holes with triangles of least area (Barequet and Sharir 1995, "Filling gaps in the boundary of a polyhedron").

use std::cmp::Ordering;
use std::collections::{BTreeSet, BinaryHeap};

use super::{Surface, edge};
use crate::math::Vec3;
use crate::mesh::health::{Hole, Mates, holes};
use crate::mesh::{MeshProblem, ProblemCode};
use crate::watch::{Cancelled, Watch};

/// Holes with more edges are closed ear by ear: least area takes the cube of their number.
const LARGEST_BY_AREA: usize = 150;
/// How many ears are cut off between two looks at the watch.
const EARS_BETWEEN_LOOKS: usize = 4096;

/// The edges of a surface, smaller end first.
type Edges = BTreeSet<(u32, u32)>;

impl Surface {
    /// Closes holes with at most so many edges, where that makes no edge of more than two triangles.
    pub(super) fn fill_holes(&mut self, most: usize, watch: &dyn Watch) -> Result<(), Cancelled> {
        let all = holes(&self.triangles, &Mates::of(&self.triangles));
        let mut edges: Edges = self.triangles.iter().flat_map(|&[a, b, c]| [edge(a, b), edge(b, c), edge(c, a)]).collect();
        let (mut closed, mut left) = (Vec::new(), Vec::new());
        for hole in all.iter().filter(|hole| hole.sides.len() <= most) {
            watch.check()?;
            let named = self.source_triangles[hole.sides[0] as usize / 3].map(|t| t as usize);
            let patch = if is_simple(hole) { self.patch(hole, &edges, watch)? } else { None };
            match patch {
                Some(patch) => {
                    edges.extend(patch.iter().flat_map(|&[a, b, c]| [edge(a, b), edge(b, c), edge(c, a)]));
                    self.source_triangles.extend(patch.iter().map(|_| None));
                    self.triangles.extend(patch);
                    closed.extend(named);
                }
                None => left.extend(named),
            }
        }
        let message = |n| format!("{n} holes were closed");
        self.done.extend(MeshProblem::found(ProblemCode::Hole, &closed, true, message));
        let message = |n| format!("{n} holes were left: their borders touch themselves");
        self.done.extend(MeshProblem::found(ProblemCode::Hole, &left, false, message));
        Ok(())
    }

    /// Triangles that close a hole, in the direction of those around it.
    fn patch(&self, hole: &Hole, edges: &Edges, watch: &dyn Watch) -> Result<Option<Vec<[u32; 3]>>, Cancelled> {
        let border = &hole.vertices;
        let points: Vec<Vec3> = border.iter().map(|&v| self.positions[v as usize]).collect();
        let taken = |i: usize, j: usize| edges.contains(&edge(border[i], border[j]));
        let patch = if border.len() <= LARGEST_BY_AREA { least_area(&points, &taken) } else { ears(&points, &taken, watch)? };
        // The border runs as the triangles outside of it do, so that those inside run the other way.
        Ok(patch.map(|patch| patch.into_iter().map(|[i, j, k]| [border[i], border[k], border[j]]).collect()))
    }
}

/// Whether the border meets no vertex twice.
fn is_simple(hole: &Hole) -> bool {
    let mut vertices = hole.vertices.clone();
    vertices.sort_unstable();
    vertices.windows(2).all(|pair| pair[0] != pair[1])
}

fn area(points: &[Vec3], i: usize, j: usize, k: usize) -> f64 {
    0.5 * (points[j] - points[i]).cross(&(points[k] - points[i])).norm()
}

/// The triangles of least area in sum that close a polygon, without edges that are `taken`; by growing chains of its corners.
fn least_area(points: &[Vec3], taken: &impl Fn(usize, usize) -> bool) -> Option<Vec<[usize; 3]>> {
    let n = points.len();
    let at = |i: usize, j: usize| i * n + j;
    let (mut best, mut middle) = (vec![0.0; n * n], vec![0; n * n]);
    for span in 2..n {
        for i in 0..n - span {
            let k = i + span;
            let inner = span + 1 < n;
            (best[at(i, k)], middle[at(i, k)]) = (f64::INFINITY, i + 1);
            if inner && taken(i, k) {
                continue;
            }
            for j in i + 1..k {
                let sum = best[at(i, j)] + best[at(j, k)] + area(points, i, j, k);
                if sum < best[at(i, k)] {
                    (best[at(i, k)], middle[at(i, k)]) = (sum, j);
                }
            }
        }
    }
    if !best[at(0, n - 1)].is_finite() {
        return None;
    }
    let (mut triangles, mut open) = (Vec::new(), vec![(0, n - 1)]);
    while let Some((i, k)) = open.pop() {
        if k - i > 1 {
            let j = middle[at(i, k)];
            triangles.push([i, j, k]);
            open.extend([(i, j), (j, k)]);
        }
    }
    Some(triangles)
}

/// Closes a polygon by cutting off, again and again, the corner between its two most acute sides.
fn ears(points: &[Vec3], taken: &impl Fn(usize, usize) -> bool, watch: &dyn Watch) -> Result<Option<Vec<[usize; 3]>>, Cancelled> {
    let n = points.len();
    let (mut before, mut after): (Vec<usize>, Vec<usize>) = (0..n).map(|c| ((c + n - 1) % n, (c + 1) % n)).unzip();
    let sharpness = |[a, b, c]: [usize; 3]| (points[a] - points[b]).normalize().dot(&(points[c] - points[b]).normalize());
    let ear = |corner: [usize; 3]| Ear { sharpness: sharpness(corner), corner };
    let mut queue: BinaryHeap<Ear> = (0..n).map(|c| ear([before[c], c, after[c]])).collect();
    let mut triangles = Vec::with_capacity(n - 2);
    while triangles.len() + 3 < n {
        if triangles.len().is_multiple_of(EARS_BETWEEN_LOOKS) {
            watch.check()?;
        }
        let Some(Ear { corner, .. }) = queue.pop() else { return Ok(None) };
        let [a, b, c] = corner;
        // A corner whose neighbours were cut off has come again with new ones; one that is not free may be so with others.
        if [before[b], b, after[b]] != corner || taken(a, c) {
            continue;
        }
        triangles.push(corner);
        (after[a], before[c]) = (c, a);
        // Nothing that is still queued has it as a neighbour on both sides.
        (before[b], after[b]) = (b, b);
        queue.extend([ear([before[a], a, c]), ear([a, c, after[c]])]);
    }
    triangles.extend((0..n).find(|&c| after[c] != c).map(|c| [before[c], c, after[c]]));
    Ok(Some(triangles))
}

/// A corner that may be cut off, with those before and after it.
#[derive(Debug, Clone, Copy)]
struct Ear {
    /// Cosine of its angle.
    sharpness: f64,
    corner: [usize; 3],
}

impl Ord for Ear {
    /// The sharpest is the greatest, the first of equally sharp ones.
    fn cmp(&self, other: &Self) -> Ordering {
        self.sharpness.total_cmp(&other.sharpness).then(other.corner[1].cmp(&self.corner[1])).then(other.corner.cmp(&self.corner))
    }
}

impl PartialOrd for Ear {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ear {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ear {}
