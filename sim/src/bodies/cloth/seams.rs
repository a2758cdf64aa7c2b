//! What is sewn together: stitches from the file, between borders that are near one another, and by pairs of vertices.

use super::Seams;
use super::told::places;
use crate::import::{RawMesh, RawStitch};
use crate::math::Vec3;
use crate::mesh::health::Mates;
use crate::mesh::{BodyMesh, Cells, MeshProblem, ProblemCode, Seam};

/// Way along one border over the distance of stitches, below which two of its places are neighbours and not the sides of a seam: then even at a
/// corner of 29 degrees they are farther apart.
const AROUND: f64 = 4.0;
/// Share of an edge up to which a point on it is its end.
const AT_END: f64 = 1e-9;

/// Gives `mesh` the seams that `wanted` says, in the given shape.
///
/// # Errors
/// In words: vertices that are not there.
pub fn add(mesh: &mut BodyMesh, raw: &RawMesh, wanted: &Seams) -> Result<(), String> {
    let Cells::Triangles(triangles) = &mesh.cells else { return Ok(()) };
    let sewer = Sewer::new(triangles, &mesh.positions);
    let (mut seams, mut problems) = (Vec::new(), Vec::new());
    if wanted.from_file {
        if raw.stitches.is_empty() {
            return Err("\"from_file\": the mesh file has no stitches (OBJ files have lines `stitch v a b t`); leave it out".into());
        }
        let (found, lost) = sewer.of_file(mesh, &raw.stitches);
        seams.extend(found);
        let told =
            |n| format!("{n} stitches of the file were left out: what they name is in no triangle, or is of the triangle they are sewn to");
        problems.extend(MeshProblem::found(ProblemCode::Seam, &lost, true, told));
    }
    for (p, &[v, w]) in wanted.pairs.iter().enumerate() {
        let count = mesh.positions.len();
        if let Some(vertex) = [v, w].into_iter().find(|&vertex| vertex as usize >= count) {
            return Err(format!("\"pairs\": pair {p} names vertex {vertex}, but there are {count}, counted from 0"));
        }
        let are_joined = sewer.triangles_of(v).any(|t| triangles[t as usize].contains(&w));
        let sewn = sewer.to_vertex(v, w).filter(|_| !are_joined);
        seams.push(
            sewn.ok_or_else(|| format!("\"pairs\": the vertices {v} and {w} of pair {p} are of one triangle; there is nothing to sew"))?,
        );
    }
    if let Some(distance) = wanted.distance {
        let found = sewer.near(distance);
        if found.is_empty() {
            let message = format!("no border of `mesh` is within {distance} m of another, so that nothing is sewn; raise \"distance\"");
            problems.push(MeshProblem { code: ProblemCode::Seam, count: 1, indices: Vec::new(), fixed: false, message });
        }
        seams.extend(found);
    }
    without_repeats(&mut seams, triangles);
    problems.extend(overgrown(&seams, mesh, triangles));
    mesh.seams = seams;
    mesh.problems.extend(problems);
    Ok(())
}

/// Leaves out what is sewn twice: a vertex to the same place, or to a vertex that is sewn back to it.
fn without_repeats(seams: &mut Vec<Seam>, triangles: &[[u32; 3]]) {
    let mut known = std::collections::BTreeSet::new();
    seams.retain(|seam| {
        let corners = triangles[seam.cell as usize];
        let key = match (0..3).find(|&k| seam.weights[k] >= 1.0 - AT_END) {
            Some(k) => (seam.vertex.min(corners[k]), seam.vertex.max(corners[k]), 0),
            None => (seam.vertex, seam.cell, 1),
        };
        known.insert(key)
    });
}

/// That stitches are far longer than the triangles: then it is not the shape of a garment that is put on.
fn overgrown(seams: &[Seam], mesh: &BodyMesh, triangles: &[[u32; 3]]) -> Option<MeshProblem> {
    let at = |v: u32| mesh.positions[v as usize];
    let long = |seam: &&Seam| {
        let corners = triangles[seam.cell as usize].map(at);
        let point: Vec3 = corners.iter().zip(&seam.weights).map(|(x, w)| *w * x).sum();
        let [a, b, c] = corners;
        (at(seam.vertex) - point).norm() > [b - a, c - b, a - c].iter().map(Vec3::norm).fold(0.0, f64::max)
    };
    let far: Vec<&Seam> = seams.iter().filter(long).collect();
    let named = far.iter().map(|seam| (format!("vertex {}", seam.vertex), at(seam.vertex)));
    let message = format!(
        "{} stitches are longer than the triangles that they are sewn to ({}): the seams are open there, and pull",
        far.len(),
        places(named)
    );
    let indices = far.iter().take(100).map(|seam| mesh.source_vertices[seam.vertex as usize] as usize).collect();
    (!far.is_empty()).then_some(MeshProblem { code: ProblemCode::Seam, count: far.len(), indices, fixed: false, message })
}

/// The triangles at each vertex and edge, and the borders.
struct Sewer<'a> {
    triangles: &'a [[u32; 3]],
    x: &'a [Vec3],
    /// Ends of each side, the smaller first, with triangle and corner; ascending.
    sides: Vec<([u32; 2], u32, u32)>,
    /// Vertices with each of their triangles, ascending.
    around: Vec<(u32, u32)>,
}

/// A side with one triangle.
struct BorderSide {
    triangle: u32,
    corner: usize,
    ends: [u32; 2],
    border: u32,
    /// Way along the border to its first end [m].
    way: f64,
}

impl<'a> Sewer<'a> {
    fn new(triangles: &'a [[u32; 3]], x: &'a [Vec3]) -> Self {
        let all = || triangles.iter().enumerate().flat_map(|(t, corners)| (0..3).map(move |k| (t as u32, k, corners)));
        let side = |(t, k, corners): (u32, usize, &[u32; 3])| {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            ([a.min(b), a.max(b)], t, k as u32)
        };
        let mut sides: Vec<_> = all().map(side).collect();
        sides.sort_unstable();
        let mut around: Vec<(u32, u32)> = all().map(|(t, k, corners)| (corners[k], t)).collect();
        around.sort_unstable();
        Self { triangles, x, sides, around }
    }

    fn triangles_of(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.around.partition_point(|(v, _)| *v < vertex);
        self.around[first..].iter().take_while(move |(v, _)| *v == vertex).map(|(_, t)| *t)
    }

    /// `vertex` sewn to `other`: to a triangle there that does not have it.
    fn to_vertex(&self, vertex: u32, other: u32) -> Option<Seam> {
        let cell = self.triangles_of(other).find(|&t| !self.triangles[t as usize].contains(&vertex))?;
        let weights = self.triangles[cell as usize].map(|corner| if corner == other { 1.0 } else { 0.0 });
        Some(Seam { vertex, cell, weights })
    }

    /// `vertex` sewn to a point of the side at `corner` of a triangle, a share `along` of it from there.
    fn to_side(&self, vertex: u32, cell: u32, corner: usize, along: f64) -> Seam {
        let mut weights = [0.0; 3];
        (weights[corner], weights[(corner + 1) % 3]) = (1.0 - along, along);
        Seam { vertex, cell, weights }
    }

    /// Those of a file, and the numbers of those that lead nowhere.
    fn of_file(&self, mesh: &BodyMesh, stitches: &[RawStitch]) -> (Vec<Seam>, Vec<usize>) {
        let number = |source: u32| mesh.source_vertices.binary_search(&source).ok().map(|v| v as u32);
        let (mut seams, mut lost) = (Vec::new(), Vec::new());
        for (s, stitch) in stitches.iter().enumerate() {
            let sewn = || {
                let (vertex, [a, b]) = (number(stitch.vertex)?, [number(stitch.edge[0])?, number(stitch.edge[1])?]);
                let ends = [a.min(b), a.max(b)];
                let first = self.sides.partition_point(|(of, ..)| *of < ends);
                let mut at = self.sides[first..].iter().take_while(|(of, ..)| *of == ends);
                let (_, cell, corner) = *at.find(|(_, t, _)| !self.triangles[*t as usize].contains(&vertex))?;
                let begins_at_a = self.triangles[cell as usize][corner as usize] == a;
                Some(self.to_side(vertex, cell, corner as usize, if begins_at_a { stitch.along } else { 1.0 - stitch.along }))
            };
            match sewn() {
                Some(seam) => seams.push(seam),
                None => lost.push(s),
            }
        }
        (seams, lost)
    }

    /// The sides of all borders, each border once around.
    fn borders(&self) -> (Vec<BorderSide>, Vec<f64>) {
        let open: Vec<(u32, usize)> = Mates::of(self.triangles).open().map(|s| (s / 3, s as usize % 3)).collect();
        let ends = |&(t, k): &(u32, usize)| [self.triangles[t as usize][k], self.triangles[t as usize][(k + 1) % 3]];
        let mut by_first: Vec<(u32, usize)> = open.iter().enumerate().map(|(i, side)| (ends(side)[0], i)).collect();
        by_first.sort_unstable();
        // Where borders touch at a vertex, each goes on by the side that is free.
        let mut is_taken = vec![false; open.len()];
        let (mut sides, mut lengths) = (Vec::new(), Vec::new());
        for start in 0..open.len() {
            let (mut next, mut way, border) = (Some(start), 0.0, lengths.len() as u32);
            while let Some(i) = next.filter(|&i| !is_taken[i]) {
                is_taken[i] = true;
                let [a, b] = ends(&open[i]);
                sides.push(BorderSide { triangle: open[i].0, corner: open[i].1, ends: [a, b], border, way });
                way += (self.x[b as usize] - self.x[a as usize]).norm();
                let first = by_first.partition_point(|(v, _)| *v < b);
                next = by_first[first..].iter().take_while(|(v, _)| *v == b).map(|(_, i)| *i).find(|&i| !is_taken[i]);
            }
            if way > 0.0 {
                lengths.push(way);
            }
        }
        (sides, lengths)
    }

    /// Vertices of borders and, on each other border and elsewhere on their own, the nearest point within `distance` [m].
    fn near(&self, distance: f64) -> Vec<Seam> {
        let (sides, lengths) = self.borders();
        let low = |side: &BorderSide| side.ends.map(|v| self.x[v as usize].x).into_iter().fold(f64::INFINITY, f64::min);
        let mut order: Vec<(f64, usize)> = sides.iter().enumerate().map(|(i, side)| (low(side), i)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let longest = sides.iter().map(|side| (self.x[side.ends[1] as usize] - self.x[side.ends[0] as usize]).norm()).fold(0.0, f64::max);
        let mut seams = Vec::new();
        for own in &sides {
            let (vertex, x) = (own.ends[0], self.x[own.ends[0] as usize]);
            let first = order.partition_point(|(low, _)| *low < x.x - distance - longest);
            // Of each border the nearest point.
            let mut nearest: Vec<(u32, f64, Seam)> = Vec::new();
            for &(_, i) in order[first..].iter().take_while(|(low, _)| *low <= x.x + distance) {
                let side = &sides[i];
                if self.triangles[side.triangle as usize].contains(&vertex) {
                    continue;
                }
                let [a, b] = side.ends.map(|v| self.x[v as usize]);
                let along = ((x - a).dot(&(b - a)) / (b - a).norm_squared()).clamp(0.0, 1.0);
                let along = if along < AT_END {
                    0.0
                } else if along > 1.0 - AT_END {
                    1.0
                } else {
                    along
                };
                let apart = (x - a.lerp(&b, along)).norm();
                let is_around = || {
                    let way = (own.way - side.way - along * (b - a).norm()).abs();
                    side.border == own.border && way.min(lengths[own.border as usize] - way) < AROUND * distance
                };
                if apart > distance || is_around() {
                    continue;
                }
                let seam = self.to_side(vertex, side.triangle, side.corner, along);
                match nearest.iter_mut().find(|(border, ..)| *border == side.border) {
                    Some(known) if known.1 <= apart => {}
                    Some(known) => (known.1, known.2) = (apart, seam),
                    None => nearest.push((side.border, apart, seam)),
                }
            }
            seams.extend(nearest.into_iter().map(|(.., seam)| seam));
        }
        seams
    }
}
