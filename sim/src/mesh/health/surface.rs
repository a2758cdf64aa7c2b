//! What is wrong with the triangles of a file.

use super::boundary::holes;
use super::edges::{Mate, Mates, ends};
use super::faces::{duplicates, is_degenerate};
use super::nesting::is_nested;
use super::orientation::sides;
use super::{Finding, Highlight, self_intersections};
use crate::math::Vec3;
use crate::mesh::topology::DisjointSets;
use crate::mesh::{MeshProblem, ProblemCode};
use crate::scene::SurfaceRepair;
use crate::watch::{Cancelled, Watch};

/// Holes with more edges are left to the user: they may be meant.
const LARGEST_SMALL_HOLE: usize = 100;
/// Nor are holes filled unasked where more than one edge in so many is open: that is a sheet, and its border is meant.
const MOSTLY_CLOSED: usize = 20;

/// Findings about triangles whose corners are those of the file, or with equal vertices `joined`; and the volume inside them
/// [cubed units of `positions`], none where they are open. `first_equal`: for each vertex the first at the same point.
pub fn findings(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    first_equal: &[u32],
    joined: bool,
    watch: &dyn Watch,
) -> Result<(Vec<Finding>, Option<f64>), Cancelled> {
    let welded: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(|v| first_equal[v as usize])).collect();
    let seen = if joined { &welded } else { triangles };
    let mates = Mates::of(seen);
    watch.progress("looking for open edges", 0.2);
    watch.check()?;
    let welded_mates = if joined { mates.clone() } else { Mates::of(&welded) };
    let mut found = vec![non_manifold_edges(seen, &mates, &welded_mates), open_edges(seen, &mates, &welded_mates)];
    found.push(non_manifold_vertices(seen, &mates));
    watch.progress("looking at directions", 0.4);
    watch.check()?;
    let (turned, volume) = directions(positions, seen, &mates);
    found.extend(turned);
    found.extend(bad_faces(positions, seen));
    watch.progress("looking for faces that intersect", 0.5);
    found.insert(0, intersecting(positions, &welded, watch)?);
    Ok((found.into_iter().flatten().collect(), volume))
}

fn finding(problem: Option<MeshProblem>, place: Highlight, fix: Option<SurfaceRepair>) -> Option<Finding> {
    problem.map(|problem| Finding { problem, place, fix })
}

/// A finding about triangles.
fn of_triangles(code: ProblemCode, found: Vec<u32>, fix: Option<SurfaceRepair>, message: impl FnOnce(usize) -> String) -> Option<Finding> {
    let indices: Vec<usize> = found.iter().map(|&t| t as usize).collect();
    finding(MeshProblem::found(code, &indices, false, message), Highlight::triangles(found), fix)
}

/// A finding about edges, each given by one of its sides; it names their triangles.
fn of_edges(
    code: ProblemCode,
    triangles: &[[u32; 3]],
    sides: &[u32],
    fix: Option<SurfaceRepair>,
    message: impl FnOnce(usize) -> String,
) -> Option<Finding> {
    let indices: Vec<usize> = sides.iter().map(|&s| s as usize / 3).collect();
    let edges = sides.iter().map(|&s| ends(triangles, s)).collect();
    finding(MeshProblem::found(code, &indices, false, message), Highlight::edges(edges), fix)
}

/// In brackets, how many there are once equal vertices are joined, where that is another number.
fn once_joined(count: usize, joined: usize) -> String {
    if count == joined { String::new() } else { format!(" ({joined} once equal vertices are joined)") }
}

fn non_manifold_edges(triangles: &[[u32; 3]], mates: &Mates, welded: &Mates) -> Option<Finding> {
    let sides: Vec<u32> = mates.non_manifold().map(|sides| sides[0]).collect();
    let joined = welded.non_manifold().count();
    of_edges(ProblemCode::NonManifoldEdge, triangles, &sides, None, |n| {
        format!("{n} edges have more than two triangles{}; the surface can be filled, but is no border there", once_joined(n, joined))
    })
}

fn open_edges(triangles: &[[u32; 3]], mates: &Mates, welded: &Mates) -> Option<Finding> {
    let sides: Vec<u32> = mates.open().collect();
    let holes = holes(triangles, mates);
    let largest = holes.iter().map(|hole| hole.sides.len()).max().unwrap_or(0);
    let small = (3..=LARGEST_SMALL_HOLE).contains(&largest) && MOSTLY_CLOSED * sides.len() <= mates.mates.len() / 2;
    let fix = small.then_some(SurfaceRepair::FillHoles(largest as u32));
    let joined = welded.open().count();
    of_edges(ProblemCode::OpenEdge, triangles, &sides, fix, |n| {
        let count = holes.len();
        let around =
            if count == 1 { "1 hole or border".to_owned() } else { format!("{count} holes or borders, at most {largest} edges each") };
        format!("{n} edges have one triangle only{}, around {around}", once_joined(n, joined))
    })
}

/// Vertices whose triangles fall into several fans. Triangles at one non-manifold edge count as one fan.
fn non_manifold_vertices(triangles: &[[u32; 3]], mates: &Mates) -> Option<Finding> {
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
    let torn: Vec<usize> = (0..vertices).filter(|&v| torn[v]).collect();
    let problem = MeshProblem::found(ProblemCode::NonManifoldVertex, &torn, false, |n| {
        format!("{n} vertices join parts of the surface that have no edge in common there")
    });
    finding(problem, Highlight::vertices(torn.iter().map(|&v| v as u32).collect()), None)
}

/// Triangles that look the wrong way, and the volume inside.
fn directions(positions: &[Vec3], triangles: &[[u32; 3]], mates: &Mates) -> ([Option<Finding>; 2], Option<f64>) {
    let sides = sides(positions, triangles, mates);
    let flipped: Vec<u32> = (0..triangles.len() as u32).filter(|&t| sides.against[t as usize]).collect();
    let (mut inside_out, mut parts, mut volume) = (Vec::new(), 0, 0.0);
    for (s, shell) in sides.shells.iter().enumerate() {
        // A closed part within another one may look inward: it bounds a cavity.
        let wrong = shell.closed && shell.inward && !is_nested(positions, triangles, &sides.shells, s);
        volume += if wrong { -shell.volume } else { shell.volume };
        if wrong {
            parts += 1;
            inside_out.extend_from_slice(&shell.triangles);
        }
    }
    inside_out.sort_unstable();
    let closed = !sides.shells.is_empty() && sides.shells.iter().all(|shell| shell.closed && shell.orientable);
    let fix = Some(SurfaceRepair::Orient);
    let found = [
        of_triangles(ProblemCode::Flipped, flipped, fix, |n| format!("{n} triangles look the other way than their neighbours")),
        of_triangles(ProblemCode::InsideOut, inside_out, fix, |n| format!("{n} triangles of {parts} closed parts look inward")),
    ];
    (found, closed.then_some(volume))
}

fn bad_faces(positions: &[Vec3], triangles: &[[u32; 3]]) -> [Option<Finding>; 2] {
    let degenerate: Vec<u32> = (0..triangles.len() as u32).filter(|&t| is_degenerate(positions, &triangles[t as usize])).collect();
    let fix = Some(SurfaceRepair::DropBad);
    [
        of_triangles(ProblemCode::DuplicateFace, duplicates(triangles), fix, |n| format!("{n} triangles are given more than once")),
        of_triangles(ProblemCode::Degenerate, degenerate, fix, |n| format!("{n} triangles have no area, or name a vertex twice")),
    ]
}

fn intersecting(positions: &[Vec3], welded: &[[u32; 3]], watch: &dyn Watch) -> Result<Option<Finding>, Cancelled> {
    let pairs = self_intersections(positions, welded, watch)?;
    let mut found: Vec<u32> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    found.sort_unstable();
    found.dedup();
    Ok(of_triangles(ProblemCode::SelfIntersection, found, None, |n| {
        format!("{n} triangles pass through others; the surface can be filled, and what overlaps becomes one")
    }))
}
