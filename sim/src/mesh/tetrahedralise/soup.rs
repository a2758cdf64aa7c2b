//! Triangles in any state made fit for winding numbers: each counted once, neighbours that agree, parts that face outward.
//!
//! Nothing is moved or closed. To tell what is wrong with a surface is the task of the health report; here it must do no harm.

use rayon::slice::ParallelSliceMut;

use crate::math::Vec3;
use crate::mesh::topology::DisjointSets;
use crate::mesh::triangle_tree::TriangleTree;
use crate::mesh::winding::Winding;

/// What was done to the triangles before filling; the file is left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct SoupRepairs {
    /// Triangles without area, left out.
    pub degenerate: usize,
    /// Triangles given more than once, or back to back, left out.
    pub duplicate: usize,
    /// Triangles turned around.
    pub turned: usize,
    /// Edges with one triangle.
    pub open_edges: usize,
}

/// Triangles that count.
#[derive(Debug, Clone, Default)]
pub struct Soup {
    /// As vertices of the caller: of those at one place, the first.
    pub triangles: Vec<[u32; 3]>,
    /// Whether every edge is run through as often one way as the other, so that the surface has no rim.
    pub closed: bool,
    /// What was changed.
    pub repairs: SoupRepairs,
}

impl Soup {
    /// Cleans triangles with valid corners and finite positions.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let first = first_at_place(positions);
        let mut soup = Self::default();
        let welded = triangles.iter().map(|t| t.map(|v| first[v as usize]));
        soup.triangles = welded.filter(|t| has_area(positions, t)).collect();
        soup.repairs.degenerate = triangles.len() - soup.triangles.len();
        soup.drop_duplicates();
        soup.orient(positions);
        let edges = Edges::of(&soup.triangles);
        soup.closed = edges.fans().all(|fan| fan.iter().map(|e| e.way()).sum::<i32>() == 0);
        soup.repairs.open_edges = edges.fans().filter(|fan| fan.len() == 1).count();
        soup
    }

    /// Of triangles with the same corners keeps one, facing as most do; none where as many face either way.
    fn drop_duplicates(&mut self) {
        let mut named: Vec<([u32; 3], u32)> = self.triangles.iter().map(|t| sorted(*t).0).zip(0..).collect();
        named.par_sort_unstable();
        let mut kept = vec![true; self.triangles.len()];
        for same in named.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            let way = |t: u32| sorted(self.triangles[t as usize]).1;
            let sum: i32 = same.iter().map(|(_, t)| way(*t)).sum();
            same.iter().for_each(|(_, t)| kept[*t as usize] = false);
            if let Some((_, t)) = same.iter().find(|(_, t)| way(*t) * sum > 0) {
                kept[*t as usize] = true;
            }
        }
        let before = self.triangles.len();
        let mut fate = kept.iter();
        self.triangles.retain(|_| fate.next() == Some(&true));
        self.repairs.duplicate = before - self.triangles.len();
    }

    /// Makes neighbours over edges with two triangles agree, patch by patch as most of the patch's area has it, and turns
    /// patches inside out that enclose a negative volume, unless they bound a hollow of another.
    fn orient(&mut self, positions: &[Vec3]) {
        let patches = Patches::of(&self.triangles);
        let mut balance = vec![0.0; patches.count];
        for ((t, patch), turned) in self.triangles.iter().zip(&patches.of).zip(&patches.turned) {
            balance[*patch as usize] += if *turned { -1.0 } else { 1.0 } * double_area(positions, t).norm();
        }
        let turned: Vec<bool> =
            patches.of.iter().zip(&patches.turned).map(|(p, turned)| *turned == (balance[*p as usize] >= 0.0)).collect();
        self.turn(&turned);
        let inside_out = inside_out(positions, &self.triangles, &patches);
        let again: Vec<bool> = patches.of.iter().map(|p| inside_out[*p as usize]).collect();
        self.turn(&again);
        self.repairs.turned = turned.iter().zip(&again).filter(|(a, b)| a != b).count();
    }

    fn turn(&mut self, which: &[bool]) {
        self.triangles.iter_mut().zip(which).filter(|(_, turned)| **turned).for_each(|(t, _)| t.swap(1, 2));
    }
}

/// For each position, the first one that equals it.
fn first_at_place(positions: &[Vec3]) -> Vec<u32> {
    // Adding zero makes one of the two zeros.
    let place = |p: &Vec3| [p.x + 0.0, p.y + 0.0, p.z + 0.0].map(f64::to_bits);
    let mut places: Vec<([u64; 3], u32)> = positions.iter().map(place).zip(0..).collect();
    places.par_sort_unstable();
    let mut first = vec![0; positions.len()];
    for same in places.chunk_by(|a, b| a.0 == b.0) {
        same.iter().for_each(|(_, v)| first[*v as usize] = same[0].1);
    }
    first
}

/// Twice the area of a triangle, along its normal.
fn double_area(positions: &[Vec3], t: &[u32; 3]) -> Vec3 {
    let [a, b, c] = t.map(|v| positions[v as usize]);
    (b - a).cross(&(c - a))
}

fn has_area(positions: &[Vec3], t: &[u32; 3]) -> bool {
    double_area(positions, t).norm_squared() > 0.0
}

/// The corners in ascending order, and 1 if that is the same way around, else -1.
fn sorted([a, b, c]: [u32; 3]) -> ([u32; 3], i32) {
    let mut corners = [a, b, c];
    corners.sort_unstable();
    let [low, middle, _] = corners;
    (corners, if [[a, b], [b, c], [c, a]].contains(&[low, middle]) { 1 } else { -1 })
}

/// A side of a triangle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    ends: [u32; 2],
    triangle: u32,
    backward: bool,
}

impl Side {
    fn way(&self) -> i32 {
        if self.backward { -1 } else { 1 }
    }
}

/// The sides of all triangles, those of one edge side by side.
struct Edges(Vec<Side>);

impl Edges {
    fn of(triangles: &[[u32; 3]]) -> Self {
        let side = |triangle: u32, a: u32, b: u32| Side { ends: [a.min(b), a.max(b)], triangle, backward: b < a };
        let sides = |(&[a, b, c], t): (&[u32; 3], u32)| [side(t, a, b), side(t, b, c), side(t, c, a)];
        let mut all: Vec<Side> = triangles.iter().zip(0..).flat_map(sides).collect();
        all.par_sort_unstable();
        Self(all)
    }

    fn fans(&self) -> impl Iterator<Item = &[Side]> {
        self.0.chunk_by(|a, b| a.ends == b.ends)
    }
}

/// Triangles joined over edges that have two.
struct Patches {
    /// Patch of each triangle.
    of: Vec<u32>,
    count: usize,
    /// Whether each triangle must be turned to agree with the first of its patch.
    turned: Vec<bool>,
}

impl Patches {
    fn of(triangles: &[[u32; 3]]) -> Self {
        let edges = Edges::of(triangles);
        let mut sets = DisjointSets::new(triangles.len());
        // Neighbours of each triangle, and whether they run through the common edge the same way.
        let mut neighbours = vec![[(u32::MAX, false); 3]; triangles.len()];
        for pair in edges.fans().filter(|fan| fan.len() == 2) {
            let same = pair[0].backward == pair[1].backward;
            for (a, b) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                if let Some(slot) = neighbours[a.triangle as usize].iter_mut().find(|n| n.0 == u32::MAX) {
                    *slot = (b.triangle, same);
                }
            }
            sets.join(pair[0].triangle, pair[1].triangle);
        }
        let of = sets.numbered();
        let count = of.iter().max().map_or(0, |&p| p as usize + 1);
        let mut turned = vec![None; triangles.len()];
        let mut queue = Vec::new();
        for seed in 0..triangles.len() as u32 {
            if turned[seed as usize].is_none() {
                turned[seed as usize] = Some(false);
                queue.push(seed);
            }
            while let Some(t) = queue.pop() {
                for &(n, same) in neighbours[t as usize].iter().filter(|(n, _)| *n != u32::MAX) {
                    if turned[n as usize].is_none() {
                        turned[n as usize] = turned[t as usize].map(|turned| turned != same);
                        queue.push(n);
                    }
                }
            }
        }
        Self { of, count, turned: turned.into_iter().map(|turned| turned == Some(true)).collect() }
    }
}

/// A patch is nearly closed if its normals times areas sum to less than this share of its area.
const NEARLY_CLOSED: f64 = 0.3;

/// Which patches are to be turned: nearly closed ones with a negative volume that lie in no other.
fn inside_out(positions: &[Vec3], triangles: &[[u32; 3]], patches: &Patches) -> Vec<bool> {
    let mut sums = vec![Sums::default(); patches.count];
    for (t, patch) in triangles.iter().zip(&patches.of) {
        sums[*patch as usize].add(t.map(|v| positions[v as usize]));
    }
    let negative: Vec<bool> = sums.iter().map(|s| s.is_nearly_closed() && s.volume() < 0.0).collect();
    let outer: Vec<[u32; 3]> = triangles.iter().zip(&patches.of).filter(|(_, p)| !negative[**p as usize]).map(|(t, _)| *t).collect();
    if outer.is_empty() || !negative.contains(&true) {
        return negative;
    }
    let tree = TriangleTree::new(positions, &outer);
    let winding = Winding::new(&tree);
    // A hollow lies wholly inside another patch: its first corner does.
    let mut decided = vec![false; patches.count];
    let mut turned = vec![false; patches.count];
    for (t, patch) in triangles.iter().zip(&patches.of) {
        let patch = *patch as usize;
        if negative[patch] && !std::mem::replace(&mut decided[patch], true) {
            turned[patch] = winding.around(&tree, &positions[t[0] as usize]) < 0.5;
        }
    }
    turned
}

/// What tells whether a patch is closed, and its volume.
#[derive(Clone, Default)]
struct Sums {
    area: f64,
    normal: Vec3,
    /// Area times centroid.
    centre: Vec3,
    /// Six times the volume of the cone to the origin.
    cone: f64,
}

impl Sums {
    fn add(&mut self, [a, b, c]: [Vec3; 3]) {
        let normal = 0.5 * (b - a).cross(&(c - a));
        self.area += normal.norm();
        self.normal += normal;
        self.centre += normal.norm() * (a + b + c) / 3.0;
        self.cone += a.dot(&b.cross(&c));
    }

    fn is_nearly_closed(&self) -> bool {
        self.normal.norm() < NEARLY_CLOSED * self.area
    }

    /// Of the cone to the mean of the patch.
    fn volume(&self) -> f64 {
        self.cone / 6.0 - self.centre.dot(&self.normal) / (3.0 * self.area)
    }
}
