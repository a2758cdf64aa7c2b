//! The connected pieces of cells.

use std::collections::{BTreeMap, HashMap};

use super::grid::Grid;
use super::lines::Inside;
use super::slice::{Side, Sliced};
use crate::math::{Mat3, Vec3};
use crate::mesh::clusters::Clusters;
use crate::mesh::topology::DisjointSets;

/// What bounds the solid of a cell.
#[derive(Debug, Default)]
struct Bounds {
    /// Indices of polygons.
    polygons: Vec<u32>,
    /// Directed borders of the caps: for each axis that on the lower and on the upper side, seen from outside counter-clockwise.
    caps: [[Vec<[u32; 2]>; 2]; 3],
}

/// A piece, while pieces are merged.
struct Piece {
    vertices: Vec<u32>,
    volume: f64,
}

/// Pieces with less volume than this share of a cell, or flatter than this (the determinant of their second moments over the cube of a third
/// of its trace), are parts of the neighbour that they share most vertices with.
const LEAST_SHARE: f64 = 1e-4;
const LEAST_DEPTH: f64 = 1e-6;

/// The pieces of all cells, and how many were merged into others.
pub fn pieces(sliced: &Sliced, lines: &Inside, grid: &Grid) -> (Clusters, usize) {
    let cells = bounds(sliced, lines);
    let mut all = Vec::new();
    for (cell, bounds) in &cells {
        of_cell(*cell, bounds, sliced, &lines.positions, grid, &mut all);
    }
    let merged = merge(&mut all, &lines.positions, grid.size);
    let mut clusters = Clusters::default();
    all.iter().for_each(|piece| clusters.push(&piece.vertices, piece.volume));
    (clusters, merged)
}

/// Polygons, borders of caps along them, and borders of caps along lines, by cells.
fn bounds(sliced: &Sliced, lines: &Inside) -> BTreeMap<[i32; 3], Bounds> {
    let mut cells: BTreeMap<[i32; 3], Bounds> = BTreeMap::new();
    for (number, polygon) in (0..).zip(&sliced.polygons) {
        let bounds = cells.entry(polygon.cell).or_default();
        bounds.polygons.push(number);
        let ends = polygon.vertices.iter().zip(polygon.vertices.iter().cycle().skip(1));
        for (&a, &b) in ends {
            for axis in 0..3 {
                let [from, to] = [a, b].map(|v| sliced.sides[v as usize][axis]);
                if let (Side::On(plane), true) = (from, from == to) {
                    // The cap goes the other way along the edge that it shares.
                    bounds.caps[axis][usize::from(plane > polygon.cell[axis])].push([b, a]);
                }
            }
        }
    }
    for part in &lines.parts {
        let [next, after] = [(part.axis + 1) % 3, (part.axis + 2) % 3];
        let [from, to] = part.ends;
        // The four cells around the line: above or below each of its planes.
        for (high_next, high_after) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut cell = [0; 3];
            cell[part.axis] = part.slab;
            cell[next] = part.planes[0] - i32::from(!high_next);
            cell[after] = part.planes[1] - i32::from(!high_after);
            let bounds = cells.entry(cell).or_default();
            // With the outward normal -next of its lower side, the cap lies above the line along `after` where the cell does.
            // Of (axis, next, after), right-handed, the border with the cap at +after and the normal +next runs along -axis, and so on.
            let along = |forward: bool| if forward { [from, to] } else { [to, from] };
            bounds.caps[next][usize::from(!high_next)].push(along(high_after == high_next));
            bounds.caps[after][usize::from(!high_after)].push(along(high_next != high_after));
        }
    }
    cells
}

/// Adds the pieces of one cell.
fn of_cell(cell: [i32; 3], bounds: &Bounds, sliced: &Sliced, positions: &[Vec3], grid: &Grid, all: &mut Vec<Piece>) {
    let mut number: HashMap<u32, u32> = HashMap::new();
    let polygons = || bounds.polygons.iter().map(|&p| &sliced.polygons[p as usize].vertices);
    let borders = || bounds.caps.iter().flatten().flatten();
    let vertices: Vec<u32> = {
        let mut vertices: Vec<u32> = polygons().flatten().copied().chain(borders().flatten().copied()).collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    };
    (0..).zip(&vertices).for_each(|(index, &v)| _ = number.insert(v, index));
    let of = |v: u32| number.get(&v).copied().unwrap_or(0);
    let mut sets = DisjointSets::new(vertices.len());
    polygons().for_each(|polygon| polygon.iter().for_each(|&v| sets.join(of(polygon[0]), of(v))));
    borders().for_each(|&[a, b]| sets.join(of(a), of(b)));
    let middle = grid.middle(cell);
    for axis in 0..3 {
        for (side, outwards) in bounds.caps[axis].iter().zip([-1.0, 1.0]) {
            join_holes(side, axis, outwards, positions, &of, &mut sets);
        }
    }
    let volumes_of = |sets: &mut DisjointSets| {
        let mut volumes = vec![0.0; vertices.len()];
        for polygon in polygons() {
            let corner = |k: usize| positions[polygon[k] as usize] - middle;
            let cones = (2..polygon.len()).map(|k| corner(0).dot(&corner(k - 1).cross(&corner(k))) / 6.0);
            volumes[sets.find(of(polygon[0])) as usize] += cones.sum::<f64>();
        }
        for (axis, sides) in bounds.caps.iter().enumerate() {
            for (side, outwards) in sides.iter().zip([-1.0, 1.0]) {
                for &[a, b] in side {
                    let area = outwards * swept(positions[a as usize] - middle, positions[b as usize] - middle, axis);
                    volumes[sets.find(of(a)) as usize] += 0.5 * grid.size * area / 3.0;
                }
            }
        }
        volumes
    };
    let mut volumes = volumes_of(&mut sets);
    // What has a negative volume is a hole in what has most.
    let largest = (0..volumes.len()).max_by(|&a, &b| volumes[a].total_cmp(&volumes[b])).unwrap_or(0) as u32;
    let holes: Vec<u32> = (0..vertices.len() as u32).filter(|&v| volumes[v as usize] < 0.0).collect();
    if !holes.is_empty() {
        holes.iter().for_each(|&hole| sets.join(hole, largest));
        volumes = volumes_of(&mut sets);
    }
    let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (index, &v) in (0..).zip(&vertices) {
        members.entry(sets.find(index)).or_default().push(v);
    }
    all.extend(members.into_iter().map(|(root, vertices)| Piece { volume: volumes[root as usize], vertices }));
}

/// The area that a border sweeps about the middle, counter-clockwise about the axis.
fn swept(a: Vec3, b: Vec3, axis: usize) -> f64 {
    let (first, second) = ((axis + 1) % 3, (axis + 2) % 3);
    0.5 * (a[first] * b[second] - a[second] * b[first])
}

/// Joins holes in caps, whose borders run the other way, to what is next to them along the next axis.
fn join_holes(borders: &[[u32; 2]], axis: usize, outwards: f64, positions: &[Vec3], of: &impl Fn(u32) -> u32, sets: &mut DisjointSets) {
    let mut areas: BTreeMap<u32, (f64, u32)> = BTreeMap::new();
    for &[a, b] in borders {
        let entry = areas.entry(sets.find(of(a))).or_insert((0.0, a));
        entry.0 += outwards * swept(positions[a as usize], positions[b as usize], axis);
    }
    if areas.len() < 2 {
        return;
    }
    let (first, second) = ((axis + 1) % 3, (axis + 2) % 3);
    for (root, (_, start)) in areas.iter().filter(|(_, (area, _))| *area < 0.0) {
        let from = positions[*start as usize];
        let hit = |&[a, b]: &[u32; 2]| {
            let [p, q] = [a, b].map(|v| positions[v as usize]);
            let crosses = (p[second] > from[second]) != (q[second] > from[second]);
            let place = p[first] + (from[second] - p[second]) / (q[second] - p[second]) * (q[first] - p[first]);
            (crosses && place > from[first]).then_some((place, a))
        };
        let others: Vec<[u32; 2]> = borders.iter().copied().filter(|&[a, _]| sets.find(of(a)) != *root).collect();
        let nearest = others.iter().filter_map(hit).min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, vertex)) = nearest {
            sets.join(of(*start), of(vertex));
        }
    }
}

/// Merges pieces that are too small or too flat into their neighbours; how many.
fn merge(pieces: &mut Vec<Piece>, positions: &[Vec3], size: f64) -> usize {
    let is_weak = |piece: &Piece| piece.volume < LEAST_SHARE * size.powi(3) || depth(piece, positions) < LEAST_DEPTH;
    let (mut merged, mut at) = (0, 0);
    while at < pieces.len() {
        if !is_weak(&pieces[at]) {
            at += 1;
            continue;
        }
        let own = &pieces[at];
        let shared = |other: &Piece| other.vertices.iter().filter(|v| own.vertices.binary_search(v).is_ok()).count();
        let counts = pieces.iter().enumerate().filter(|(other, _)| *other != at).map(|(other, piece)| (shared(piece), other));
        match counts.max_by_key(|&(count, other)| (count, std::cmp::Reverse(other))) {
            Some((count, other)) if count > 0 => {
                let weak = pieces.remove(at);
                let other = other - usize::from(other > at);
                let into = &mut pieces[other];
                into.volume += weak.volume;
                into.vertices.extend(weak.vertices);
                into.vertices.sort_unstable();
                into.vertices.dedup();
                merged += 1;
                // What it went into may be too small still.
                at = at.min(other);
            }
            _ => at += 1,
        }
    }
    merged
}

/// How deep a piece is in its flattest direction: 1 of a cube, 0 of what is flat.
fn depth(piece: &Piece, positions: &[Vec3]) -> f64 {
    let mean = piece.vertices.iter().map(|&v| positions[v as usize]).sum::<Vec3>() / piece.vertices.len() as f64;
    let arm = |&v: &u32| positions[v as usize] - mean;
    let moments: Mat3 = piece.vertices.iter().map(|v| arm(v) * arm(v).transpose()).sum();
    moments.determinant() / (moments.trace() / 3.0).powi(3).max(f64::MIN_POSITIVE)
}
