//! Where a surface is none: open and non-manifold edges and vertices.

use super::boundary::holes;
use super::edges::{Mate, Mates, ends};
use super::surface::Surface;
use super::{Finding, Highlight};
use crate::mesh::mend::SurfaceRepair;
use crate::mesh::topology::DisjointSets;
use crate::mesh::{MeshProblem, ProblemCode};

/// Holes with more edges are left to the user: they may be meant.
const LARGEST_SMALL_HOLE: usize = 100;
/// Nor are holes filled unasked where more than one edge in so many is open: that is a sheet, and its border is meant.
const MOSTLY_CLOSED: usize = 20;

/// Findings about edges and vertices.
pub fn findings(surface: &Surface) -> [Option<Finding>; 3] {
    [non_manifold_edges(surface), open_edges(surface), non_manifold_vertices(surface)]
}

/// In brackets, how many there are once equal vertices are joined, where that is another number.
fn once_joined(count: usize, joined: usize) -> String {
    if count == joined { String::new() } else { format!(" ({joined} once equal vertices are joined)") }
}

fn non_manifold_edges(surface: &Surface) -> Option<Finding> {
    let sides: Vec<u32> = surface.mates.non_manifold().map(|sides| sides[0]).collect();
    let joined = surface.welded.non_manifold().count();
    surface.told_of_edges(ProblemCode::NonManifoldEdge, &sides, None, |n| {
        format!("{n} edges have more than two faces{}; the surface can be filled, but is no border there", once_joined(n, joined))
    })
}

fn open_edges(surface: &Surface) -> Option<Finding> {
    let sides: Vec<u32> = surface.mates.open().collect();
    let holes = holes(surface.triangles, surface.mates);
    let largest = holes.iter().map(|hole| hole.sides.len()).max().unwrap_or(0);
    let small = (3..=LARGEST_SMALL_HOLE).contains(&largest) && MOSTLY_CLOSED * sides.len() <= surface.mates.mates.len() / 2;
    let fix = small.then_some(SurfaceRepair::FillHoles(largest as u32));
    let joined = surface.welded.open().count();
    surface.told_of_edges(ProblemCode::OpenEdge, &sides, fix, |n| {
        let around = match holes.len() {
            0 => "; they end at non-manifold edges".to_owned(),
            1 => ", around 1 hole or border".to_owned(),
            count => format!(", around {count} holes or borders of at most {largest} edges"),
        };
        format!("{n} edges have one face only{}{around}", once_joined(n, joined))
    })
}

/// Vertices at which parts of the surface meet without a common edge, as they are and once equal vertices are joined.
fn non_manifold_vertices(surface: &Surface) -> Option<Finding> {
    let torn = torn_vertices(surface.triangles, surface.mates);
    let joined = torn_vertices(surface.welded_triangles, surface.welded);
    // Where joining alone makes such vertices, these are shown.
    let shown = if torn.is_empty() { &joined } else { &torn };
    let problem = MeshProblem::found(ProblemCode::NonManifoldVertex, shown, false, |n| match torn.len() {
        0 => format!("{n} vertices join parts of the surface that have no edge in common there, once equal vertices are joined"),
        _ => format!("{n} vertices join parts of the surface that have no edge in common there{}", once_joined(n, joined.len())),
    })?;
    Some(Finding { problem, place: Highlight::vertices(shown.iter().map(|&v| v as u32).collect()), fix: None })
}

/// Vertices whose triangles fall into several fans. Triangles at one non-manifold edge count as one fan.
fn torn_vertices(triangles: &[[u32; 3]], mates: &Mates) -> Vec<usize> {
    let mut fans = DisjointSets::new(3 * triangles.len());
    // Side s begins at corner s; the corner at its end is the next one of its triangle.
    let next = |s: u32| s - s % 3 + (s + 1) % 3;
    let mut join = |a: u32, b: u32| {
        let same_direction = ends(triangles, a)[0] == ends(triangles, b)[0];
        let (from, to) = if same_direction { (b, next(b)) } else { (next(b), b) };
        fans.join(a, from);
        fans.join(next(a), to);
    };
    for (side, mate) in (0..).zip(&mates.mates) {
        if let Mate::Side(other) = *mate
            && side < other
        {
            join(side, other);
        }
    }
    mates.non_manifold().for_each(|sides| sides[1..].iter().for_each(|&other| join(sides[0], other)));
    let vertices = triangles.as_flattened().iter().max().map_or(0, |&v| v as usize + 1);
    let mut fan_of = vec![u32::MAX; vertices];
    let mut torn = vec![false; vertices];
    for corner in 0..3 * triangles.len() as u32 {
        if mates.mates[corner as usize] == Mate::Void {
            continue;
        }
        let vertex = triangles.as_flattened()[corner as usize] as usize;
        let fan = fans.find(corner);
        torn[vertex] |= fan_of[vertex] != u32::MAX && fan_of[vertex] != fan;
        fan_of[vertex] = fan;
    }
    (0..vertices).filter(|&v| torn[v]).collect()
}
