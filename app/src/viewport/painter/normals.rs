//! Normals of a moving surface, made anew for each frame: smooth, but for sharp edges, which stay sharp. Triangles are weighed by their corners
//! (Max 1999, Weights for Computing Vertex Normals from Facet Normals): exact on a sphere however it is cut, so that shading tells of folds and
//! not of the way in which squares are cut into triangles.

use std::collections::{BTreeMap, HashSet};

use aplomb_sim::math::Vec3;
use rayon::prelude::*;
use three_d::{InnerSpace, vec3};

/// Cosine of the angle between triangles at which an edge is sharp: 65 degrees.
const SHARP: f64 = 0.422_618_261_740_699_4;
/// Sharp edges that hang together are an edge of the thing if they are at least as many as a box has, or no small part of it all:
/// fewer are triangles that stand badly on something round.
const FEW: usize = 12;
const SMALL_PART: usize = 100;

/// No triangle.
pub(super) const NONE: u32 = u32::MAX;

/// The vertices as they are drawn, one for each smooth patch around a vertex of the mesh, and the triangles around each:
/// made once a mesh, so that normals can be gathered in parallel and in a fixed order.
pub(super) struct Fans {
    /// The vertex of the mesh that each drawn vertex is.
    pub sources: Vec<u32>,
    /// The triangles, between drawn vertices.
    pub triangles: Vec<[u32; 3]>,
    /// The triangle across each of the three edges of a triangle, from its first corner to the second and so on; [`NONE`] at an edge
    /// with one triangle, or with more than two.
    pub across: Vec<[u32; 3]>,
    starts: Vec<u32>,
    /// Corners of triangles, three a triangle.
    around: Vec<u32>,
}

impl Fans {
    /// Of a mesh in the shape in which its sharp edges are looked for.
    pub fn new(triangles: &[[u32; 3]], positions: &[Vec3]) -> Self {
        let face = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| positions[v as usize]);
            (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default()
        };
        let faces: Vec<_> = triangles.par_iter().with_min_len(1024).map(face).collect();
        let edges = Edges::of(triangles);
        let lone = lone_edges(&edges, &faces);
        let (starts, corners) = corners_around(triangles.as_flattened(), positions.len());
        let (sources, around, across) = (Vec::new(), Vec::new(), edges.across(triangles.len()));
        let mut fans = Self { sources, triangles: triangles.to_vec(), across, starts: vec![0], around };
        let mut left = Vec::new();
        for v in 0..positions.len() {
            left.clear();
            left.extend_from_slice(&corners[starts[v] as usize..starts[v + 1] as usize]);
            while !left.is_empty() {
                fans.take_patch(&mut left, triangles, (&faces, &lone), v as u32);
            }
        }
        fans
    }

    /// Of a mesh without sharp edges: its vertices are those that are drawn.
    pub fn smooth(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let (starts, around) = corners_around(triangles.as_flattened(), vertices);
        let across = Edges::of(triangles).across(triangles.len());
        Self { sources: (0..vertices as u32).collect(), triangles: triangles.to_vec(), across, starts, around }
    }

    /// Takes one patch, triangles joined by edges that are not sharp, out of the corners `left` at vertex `v`.
    fn take_patch(&mut self, left: &mut Vec<u32>, triangles: &[[u32; 3]], (faces, lone): (&[Vec3], &HashSet<[u32; 2]>), v: u32) {
        let mut patch = vec![left.remove(0)];
        let mut next = 0;
        while next < patch.len() {
            let from = (patch[next] / 3) as usize;
            let smooth = |corner: &u32| {
                let to = (corner / 3) as usize;
                let mut shared = triangles[from].iter().filter(|w| **w != v && triangles[to].contains(w));
                shared.any(|&w| faces[from].dot(&faces[to]) > SHARP || lone.contains(&[v.min(w), v.max(w)]))
            };
            patch.extend(left.extract_if(.., |corner| smooth(corner)));
            next += 1;
        }
        for corner in patch {
            self.triangles.as_flattened_mut()[corner as usize] = self.sources.len() as u32;
            self.around.push(corner);
        }
        self.sources.push(v);
        self.starts.push(self.around.len() as u32);
    }

    /// Where the drawn vertices are and face to, when those of the mesh are at `positions` [m]: relative to `origin`, rounded only then.
    pub fn shape<'a>(&self, positions: &[Vec3], origin: &Vec3, into: &'a mut Shape) -> &'a Shape {
        let Shape { positions: places, normals, facing } = into;
        self.sources.par_iter().with_min_len(1024).map(|&v| to_f32(&(positions[v as usize] - origin))).collect_into_vec(places);
        let at_corners = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| places[v as usize]);
            let normal = (b - a).cross(c - a);
            let [ab, bc, ca] = [b - a, c - b, a - c].map(InnerSpace::magnitude2);
            // A triangle without a length has no normal either.
            let over = |one: f32, other: f32| if one > 0.0 && other > 0.0 { normal / one / other } else { vec3(0.0, 0.0, 0.0) };
            [over(ab, ca), over(ab, bc), over(bc, ca)]
        };
        self.triangles.par_iter().with_min_len(1024).map(at_corners).collect_into_vec(facing);
        let normal = |v: usize| {
            let around = &self.around[self.starts[v] as usize..self.starts[v + 1] as usize];
            let sum = around.iter().fold(vec3(0.0, 0.0, 0.0), |sum, &corner| sum + facing[corner as usize / 3][corner as usize % 3]);
            let length = sum.magnitude();
            if length > 0.0 { sum / length } else { sum }
        };
        (0..places.len()).into_par_iter().with_min_len(1024).map(normal).collect_into_vec(normals);
        into
    }
}

/// Places and normals of drawn vertices, in memory that is used again from frame to frame.
#[derive(Debug, Default)]
pub(super) struct Shape {
    /// Places relative to the painter's origin [m].
    pub positions: Vec<three_d::Vec3>,
    /// Unit normals: means over the corners of a patch.
    pub normals: Vec<three_d::Vec3>,
    /// Normals of the triangles as each of their corners weighs them: over the squares of the lengths of its two sides.
    facing: Vec<[three_d::Vec3; 3]>,
}

impl Shape {
    /// Some of the vertices once more.
    pub fn repeat(&mut self, vertices: &[u32]) {
        for list in [&mut self.positions, &mut self.normals] {
            list.reserve(vertices.len());
            vertices.iter().for_each(|&v| list.push(list[v as usize]));
        }
    }
}

/// The edges of triangles, those of the same ends one after the other: the ends in order, the triangle, and which of its edges it is.
struct Edges(Vec<([u32; 2], u32, u8)>);

impl Edges {
    fn of(triangles: &[[u32; 3]]) -> Self {
        let mut edges = Vec::with_capacity(3 * triangles.len());
        for (t, &[a, b, c]) in triangles.iter().enumerate() {
            let sides = [[a, b], [b, c], [c, a]];
            edges.extend((0..).zip(sides).map(|(side, [from, to])| ([from.min(to), from.max(to)], t as u32, side)));
        }
        edges.par_sort_unstable();
        Self(edges)
    }

    /// Those of one pair of ends after the other.
    fn each(&self) -> impl Iterator<Item = &[([u32; 2], u32, u8)]> {
        self.0.chunk_by(|a, b| a.0 == b.0)
    }

    fn across(&self, triangles: usize) -> Vec<[u32; 3]> {
        let mut across = vec![[NONE; 3]; triangles];
        for edge in self.each() {
            if let &[(_, one, side), (_, other, of_other)] = edge {
                across[one as usize][side as usize] = other;
                across[other as usize][of_other as usize] = one;
            }
        }
        across
    }
}

/// Sharp edges, by their ends in order, that are none of the thing's.
fn lone_edges(edges: &Edges, faces: &[Vec3]) -> HashSet<[u32; 2]> {
    let few = FEW.min(edges.each().count().div_ceil(SMALL_PART));
    let is_sharp = |edge: &&[([u32; 2], u32, u8)]| matches!(edge, [(_, one, _), (_, other, _)] if faces[*one as usize].dot(&faces[*other as usize]) <= SHARP);
    let sharp: Vec<[u32; 2]> = edges.each().filter(is_sharp).map(|edge| edge[0].0).collect();
    let mut at: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, ends) in sharp.iter().enumerate() {
        ends.iter().for_each(|&end| at.entry(end).or_default().push(index));
    }
    let (mut lone, mut seen) = (HashSet::new(), vec![false; sharp.len()]);
    for first in 0..sharp.len() {
        let (mut together, mut next) = (if seen[first] { Vec::new() } else { vec![first] }, 0);
        seen[first] = true;
        while next < together.len() {
            for &other in sharp[together[next]].iter().filter_map(|end| at.get(end)).flatten() {
                if !std::mem::replace(&mut seen[other], true) {
                    together.push(other);
                }
            }
            next += 1;
        }
        if together.len() < few {
            lone.extend(together.into_iter().map(|edge| sharp[edge]));
        }
    }
    lone
}

/// The corners at each vertex: those of vertex v stand at `starts[v]..starts[v + 1]`.
fn corners_around(vertices: &[u32], count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0; count + 1];
    for &vertex in vertices {
        starts[vertex as usize + 1] += 1;
    }
    for v in 0..count {
        starts[v + 1] += starts[v];
    }
    let mut next = starts.clone();
    let mut corners = vec![0; vertices.len()];
    for (corner, &vertex) in vertices.iter().enumerate() {
        corners[next[vertex as usize] as usize] = corner as u32;
        next[vertex as usize] += 1;
    }
    (starts, corners)
}

/// Rounds to what the graphics card reads.
pub(super) fn to_f32(v: &Vec3) -> three_d::Vec3 {
    vec3(v.x as f32, v.y as f32, v.z as f32)
}
