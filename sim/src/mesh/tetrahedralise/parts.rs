//! The solid parts of a soup: triangles that touch, cross or enclose each other belong together, and no others do, so that each part
//! can be filled on a lattice as fine as it needs.

use super::soup::{has_inside, is_closed};
use crate::math::{Vec3, bounding_box};
use crate::mesh::closest::nearest;
use crate::mesh::health::intersecting_groups;
use crate::mesh::topology::DisjointSets;
use crate::mesh::triangle_tree::TriangleTree;
use crate::mesh::winding::Winding;
use crate::watch::{Cancelled, Watch};

/// Rims closer than so many of their mean edges are two sides of one crack.
const CRACK: f64 = 1.0;

/// Triangles that bound a solid together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SolidPart {
    /// Its triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Whether they have no rim.
    pub closed: bool,
}

/// Sorts clean triangles into parts, ordered by their first triangles.
///
/// # Errors
/// [`Cancelled`].
pub fn parts(positions: &[Vec3], triangles: &[[u32; 3]], watch: &dyn Watch) -> Result<Vec<SolidPart>, Cancelled> {
    let piece_of = by_common_vertices(positions.len(), triangles);
    let lists = split(triangles, &piece_of);
    watch.check()?;
    let mut sets = DisjointSets::new(lists.len());
    if lists.len() > 1 {
        for (a, b) in intersecting_groups(positions, triangles, &piece_of, watch)? {
            sets.join(a, b);
        }
        let pieces: Vec<SurfacePiece> =
            lists.iter().map(|list| watch.check().map(|()| SurfacePiece::new(positions, list))).collect::<Result<_, _>>()?;
        join_torn(&pieces, &mut sets, watch)?;
        join_nested(positions, &pieces, &mut sets, watch)?;
    }
    let part_of_piece = sets.numbered();
    let part_of: Vec<u32> = piece_of.iter().map(|&piece| part_of_piece[piece as usize]).collect();
    watch.check()?;
    let part = |triangles: Vec<[u32; 3]>| SolidPart { closed: is_closed(&triangles), triangles };
    Ok(split(triangles, &part_of).into_iter().map(part).collect())
}

/// A number for each triangle, the same for those that a chain of common vertices joins.
fn by_common_vertices(vertices: usize, triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut sets = DisjointSets::new(triangles.len());
    let mut first = vec![u32::MAX; vertices];
    for (t, corners) in (0..).zip(triangles) {
        for &v in corners {
            match first[v as usize] {
                u32::MAX => first[v as usize] = t,
                other => sets.join(other, t),
            }
        }
    }
    sets.numbered()
}

fn split(triangles: &[[u32; 3]], number: &[u32]) -> Vec<Vec<[u32; 3]>> {
    let count = number.iter().max().map_or(0, |&last| last as usize + 1);
    let mut lists = vec![Vec::new(); count];
    triangles.iter().zip(number).for_each(|(t, &n)| lists[n as usize].push(*t));
    lists
}

/// Triangles joined by common vertices.
struct SurfacePiece<'a> {
    triangles: &'a [[u32; 3]],
    /// Any of its vertices [m].
    point: Vec3,
    bounds: (Vec3, Vec3),
    /// Where it is torn.
    rim: Option<Rim>,
    /// Whether it has an inside without the help of other pieces.
    hollow: bool,
}

/// The edges that a surface ends in.
struct Rim {
    points: Vec<Vec3>,
    /// The edges, as flat triangles.
    edges: TriangleTree,
    mean_edge: f64,
}

impl<'a> SurfacePiece<'a> {
    fn new(positions: &[Vec3], triangles: &'a [[u32; 3]]) -> Self {
        let corners: Vec<Vec3> = triangles.iter().flatten().map(|&v| positions[v as usize]).collect();
        let rim = Rim::of(positions, triangles);
        let hollow = rim.is_none() || has_inside(positions, triangles);
        Self { triangles, point: corners[0], bounds: bounding_box(&corners), rim, hollow }
    }
}

impl Rim {
    fn of(positions: &[Vec3], triangles: &[[u32; 3]]) -> Option<Self> {
        let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]].map(|[a, b]| ([a.min(b), a.max(b)], if a < b { 1 } else { -1 }));
        let mut all: Vec<([u32; 2], i32)> = triangles.iter().flat_map(sides).collect();
        all.sort_unstable();
        let open = all.chunk_by(|a, b| a.0 == b.0).filter(|edge| edge.iter().map(|(_, way)| way).sum::<i32>() != 0);
        let edges: Vec<[u32; 3]> = open.map(|edge| edge[0].0).map(|[a, b]| [a, b, b]).collect();
        let place = |v: u32| positions[v as usize];
        let length: f64 = edges.iter().map(|&[a, b, _]| (place(a) - place(b)).norm()).sum();
        (!edges.is_empty()).then(|| Self {
            points: edges.iter().map(|&[a, ..]| place(a)).collect(),
            mean_edge: length / edges.len() as f64,
            edges: TriangleTree::new(positions, &edges),
        })
    }

    fn is_near(&self, other: &Rim) -> bool {
        let reach = CRACK * self.mean_edge.max(other.mean_edge);
        let near = |tree: &TriangleTree, points: &[Vec3]| points.iter().any(|p| nearest(tree, p, reach).is_some());
        near(&self.edges, &other.points) || near(&other.edges, &self.points)
    }
}

/// Joins what is left of a surface that was torn: pieces whose rims lie side by side, and those that enclose nothing alone with
/// the torn ones around them.
fn join_torn(pieces: &[SurfacePiece], sets: &mut DisjointSets, watch: &dyn Watch) -> Result<(), Cancelled> {
    let torn: Vec<(u32, &SurfacePiece, &Rim)> = (0..).zip(pieces).filter_map(|(k, piece)| Some((k, piece, piece.rim.as_ref()?))).collect();
    for (at, (i, a, rim_a)) in torn.iter().enumerate() {
        watch.check()?;
        for (j, b, rim_b) in &torn[at + 1..] {
            let reach = CRACK * rim_a.mean_edge.max(rim_b.mean_edge);
            let boxes_meet = (0..3).all(|d| a.bounds.0[d] <= b.bounds.1[d] + reach && b.bounds.0[d] <= a.bounds.1[d] + reach);
            if boxes_meet && sets.find(*i) != sets.find(*j) && (!(a.hollow && b.hollow) || rim_a.is_near(rim_b)) {
                sets.join(*i, *j);
            }
        }
    }
    Ok(())
}

/// Joins a piece that lies inside of others with them: it bounds a hollow there, or is part of what it lies in. What lies in a hollow
/// is a part of its own.
fn join_nested(positions: &[Vec3], pieces: &[SurfacePiece], sets: &mut DisjointSets, watch: &dyn Watch) -> Result<(), Cancelled> {
    let mut ready: Vec<Option<(TriangleTree, Winding)>> = pieces.iter().map(|_| None).collect();
    for (i, piece) in pieces.iter().enumerate() {
        watch.check()?;
        let p = piece.point;
        let around = |other: &SurfacePiece| (0..3).all(|d| other.bounds.0[d] < p[d] && p[d] < other.bounds.1[d]);
        let mut holders = Vec::new();
        let mut sum = 0.0;
        for (j, other) in pieces.iter().enumerate().filter(|(j, other)| *j != i && around(other)) {
            let (tree, winding) = ready[j].get_or_insert_with(|| {
                let tree = TriangleTree::new(positions, other.triangles);
                let winding = Winding::new(&tree);
                (tree, winding)
            });
            let number = winding.around(tree, &p);
            sum += number;
            if number.abs() > 0.5 {
                holders.push(j as u32);
            }
        }
        if sum > 0.5 {
            holders.into_iter().for_each(|j| sets.join(i as u32, j));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::mesh::TriangleMesh;
    use crate::watch::Unwatched;

    /// Sizes of the parts, and whether they are closed, of some surfaces in one list.
    fn found(surfaces: &[TriangleMesh]) -> Vec<(usize, bool)> {
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        for surface in surfaces {
            let first = positions.len() as u32;
            positions.extend_from_slice(&surface.positions);
            triangles.extend(surface.triangles.iter().map(|t| t.map(|v| v + first)));
        }
        parts(&positions, &triangles, &Unwatched).unwrap().iter().map(|part| (part.triangles.len(), part.closed)).collect()
    }

    fn cube(centre: [f64; 3], size: f64) -> TriangleMesh {
        TriangleMesh::cuboid(&Vec3::from(centre), &Vec3::repeat(size), [0.0; 3])
    }

    fn inside_out(mut surface: TriangleMesh) -> TriangleMesh {
        surface.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        surface
    }

    /// Without the triangles whose corners all fit.
    fn without(mut surface: TriangleMesh, fits: impl Fn(&Vec3) -> bool) -> TriangleMesh {
        surface.triangles.retain(|t| !t.iter().all(|&v| fits(&surface.positions[v as usize])));
        surface
    }

    #[test]
    fn what_touches_crosses_or_lies_inside_is_one_part() {
        let whole = || cube([0.0; 3], 1.0);
        assert_eq!(found(&[whole(), cube([3.0, 0.0, 0.0], 1.0)]), [(12, true), (12, true)], "apart");
        assert_eq!(found(&[whole(), cube([0.7, 0.6, 0.5], 1.0)]), [(24, true)], "crossing");
        assert_eq!(found(&[whole(), cube([0.75, 0.1, 0.1], 0.5)]), [(24, true)], "face on face");
        assert_eq!(found(&[whole(), cube([0.0; 3], 0.5)]), [(24, true)], "swallowed");
        assert_eq!(found(&[whole(), inside_out(cube([0.0; 3], 0.5))]), [(24, true)], "a hollow");
        let hollow = [whole(), inside_out(cube([0.0; 3], 0.5)), cube([0.0; 3], 0.2)];
        assert_eq!(found(&hollow), [(24, true), (12, true)], "a kernel that is loose in a hollow");
        // Its box lies in that of the ring, but in no hollow.
        let ring = TriangleMesh::torus(&Vec3::zeros(), &Vec3::y(), 1.0, 0.2, 24);
        let count = ring.triangles.len();
        assert_eq!(found(&[ring, cube([0.0; 3], 0.3)]), [(count, true), (12, true)]);
    }

    #[test]
    fn torn_surfaces_stay_together_and_open_bags_apart() {
        let ring = || TriangleMesh::torus(&Vec3::zeros(), &Vec3::y(), 1.0, 0.3, 24);
        let (left, mut right) = (without(ring(), |p| p.x > -0.05), without(ring(), |p| p.x < 0.05));
        right.positions.iter_mut().for_each(|p| p.x += 0.01);
        let count = left.triangles.len() + right.triangles.len();
        assert_eq!(found(&[left, right]), [(count, false)]);
        // Six faces of a cube, each with corners of its own that do not meet.
        let faces = (0..6).map(|f| {
            let mut face = cube([0.0; 3], 1.0);
            let (axis, side) = (f / 2, if f % 2 == 0 { -0.5 } else { 0.5 });
            face.triangles.retain(|t| t.iter().all(|&v| face.positions[v as usize][axis] == side));
            face.positions.iter_mut().for_each(|p| p[axis] *= 1.01);
            face
        });
        assert_eq!(found(&faces.collect::<Vec<_>>()), [(12, false)]);
        let bag = |x: f64| without(cube([x, 0.0, 0.0], 1.0), |p| p.y > 0.4);
        assert_eq!(found(&[bag(0.0), bag(4.0)]), [(10, false), (10, false)]);
    }
}
