//! What is sewn to what: borders of panels by the seams that they are sides of.

use std::collections::{BTreeMap, BTreeSet};

use aplomb_sim::mesh::BodyMesh;
use aplomb_sim::mesh::topology::DisjointSets;

use super::Flat;

/// Shares of a stitch below which a corner takes no part in it.
const NO_PART: f64 = 1e-9;

/// A side of a triangle without another beside it in the pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Border {
    /// Its points.
    pub ends: [u32; 2],
    /// Its triangle.
    pub triangle: u32,
    /// The seam that it is part of, counted from 0.
    pub seam: Option<u32>,
    /// Which run of sides, one after the other along one panel, it is of in its seam; counted over all seams.
    pub run: u32,
}

/// The borders of a pattern with their seams, and how many seams there are.
pub fn find(flat: &Flat, mesh: &BodyMesh, cells: &[[u32; 3]]) -> (Vec<Border>, usize) {
    let sides = flat.sides();
    let lone = sides.chunk_by(|a, b| a.0 == b.0).filter(|sides| sides.len() == 1);
    let mut borders: Vec<Border> = lone.map(|side| Border { ends: side[0].0, triangle: side[0].1, seam: None, run: 0 }).collect();
    let mates = mates(flat, mesh, cells, &borders);
    let mut at_point: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (border, index) in borders.iter().zip(0..) {
        border.ends.iter().for_each(|end| at_point.entry(*end).or_default().push(index));
    }
    let panel = |border: u32| flat.panel_of[borders[border as usize].triangle as usize];
    let meet = |a: u32, b: u32| a == b || borders[a as usize].ends.iter().any(|end| borders[b as usize].ends.contains(end));
    // Sides one after the other go on in the same seam where what they are sewn to does, too.
    let go_on = |a: u32, b: u32| {
        panel(a) == panel(b) && mates[a as usize].iter().any(|x| mates[b as usize].iter().any(|y| panel(*x) == panel(*y) && meet(*x, *y)))
    };
    let mut runs = DisjointSets::new(borders.len());
    for there in at_point.values() {
        for (k, &a) in there.iter().enumerate() {
            there[k + 1..].iter().filter(|b| go_on(a, **b)).for_each(|b| runs.join(a, *b));
        }
    }
    let run_of = runs.numbered();
    let mut seams = DisjointSets::new(run_of.iter().max().map_or(0, |last| *last as usize + 1));
    for (a, of) in mates.iter().enumerate() {
        of.iter().for_each(|b| seams.join(run_of[a], run_of[*b as usize]));
    }
    let set_of = seams.numbered();
    let mut number = BTreeMap::new();
    for (index, border) in borders.iter_mut().enumerate() {
        border.run = run_of[index];
        if !mates[index].is_empty() {
            let next = number.len() as u32;
            border.seam = Some(*number.entry(set_of[border.run as usize]).or_insert(next));
        }
    }
    (borders, number.len())
}

/// Of each border those that it is sewn to, or that it was cut from.
fn mates(flat: &Flat, mesh: &BodyMesh, cells: &[[u32; 3]], borders: &[Border]) -> Vec<Vec<u32>> {
    let mut sewn: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for seam in &mesh.seams {
        let Some(corners) = cells.get(seam.cell as usize) else { continue };
        for (&corner, _) in corners.iter().zip(seam.weights).filter(|(_, weight)| *weight > NO_PART) {
            sewn.entry(seam.vertex).or_default().insert(corner);
            sewn.entry(corner).or_default().insert(seam.vertex);
        }
    }
    let ends = |border: &Border| border.ends.map(|end| flat.vertices[end as usize]);
    let mut at_vertex: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (border, index) in borders.iter().zip(0..) {
        ends(border).into_iter().for_each(|vertex| at_vertex.entry(vertex).or_default().push(index));
    }
    // Where a dart ends, and where a surface is cut, both sides have the same vertex.
    let are_one = |a: u32, b: u32| a == b || sewn.get(&a).is_some_and(|to| to.contains(&b));
    let of = |(index, border): (usize, &Border)| {
        let [a, b] = ends(border);
        let near = std::iter::once(a).chain(sewn.get(&a).into_iter().flatten().copied());
        let beside = near.flat_map(|vertex| at_vertex.get(&vertex).into_iter().flatten().copied());
        let meets = |other: &u32| {
            let [c, d] = ends(&borders[*other as usize]);
            *other as usize != index && (are_one(a, c) && are_one(b, d) || are_one(a, d) && are_one(b, c))
        };
        let mut mates: Vec<u32> = beside.filter(meets).collect();
        mates.sort_unstable();
        mates.dedup();
        mates
    };
    borders.iter().enumerate().map(of).collect()
}
