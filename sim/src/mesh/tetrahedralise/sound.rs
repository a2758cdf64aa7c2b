//! Whether a tet mesh is fit for simulation: what every stuffing must hold, checked from scratch.

use super::boundary::{components, faces};
use super::quality::volume;
use crate::math::Vec3;
use crate::mesh::topology::FACES;

/// What is wrong with a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unsound {
    /// A tet is flat or inverted, or a corner of it does not exist or is not finite.
    #[error("tet {tet} has no positive volume")]
    Tet {
        /// Its number.
        tet: usize,
    },
    /// No tet uses a vertex.
    #[error("no tet uses vertex {vertex}")]
    Loose {
        /// Its number.
        vertex: u32,
    },
    /// Two tets lie on the same side of a face, or three share it.
    #[error("tets overlap at the face {face:?}")]
    Face {
        /// Its corners.
        face: [u32; 3],
    },
    /// The surface meets itself along an edge: the tets there hang together by that edge only.
    #[error("the surface meets itself along the edge {edge:?}")]
    Edge {
        /// Its ends.
        edge: [u32; 2],
    },
    /// The surface meets itself in a vertex.
    #[error("the surface meets itself in vertex {vertex}")]
    Vertex {
        /// Its number.
        vertex: u32,
    },
}

/// The number of parts of a sound mesh: all tets have positive volume and fit face to face, and the surface is a closed,
/// oriented 2-manifold, so that nothing hangs by an edge or a vertex.
///
/// # Errors
/// The first flaw found.
pub fn sound(positions: &[Vec3], tets: &[[u32; 4]]) -> Result<usize, Unsound> {
    let mut used = vec![false; positions.len()];
    for (t, tet) in tets.iter().enumerate() {
        // Written so that NaN fails.
        let fine = tet.iter().all(|&v| (v as usize) < positions.len()) && volume(positions, tet) > 0.0;
        if !fine {
            return Err(Unsound::Tet { tet: t });
        }
        tet.iter().for_each(|&v| used[v as usize] = true);
    }
    if let Some(vertex) = used.iter().position(|u| !u) {
        return Err(Unsound::Loose { vertex: vertex as u32 });
    }
    let mut sides: Vec<[u32; 3]> = tets.iter().flat_map(|tet| FACES.map(|f| first_least(f.map(|c| tet[c])))).collect();
    sides.sort_unstable();
    if let Some(pair) = sides.windows(2).find(|w| w[0] == w[1]) {
        return Err(Unsound::Face { face: pair[0] });
    }
    let surface = faces(tets);
    let mut edges: Vec<[u32; 2]> = surface.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    edges.sort_unstable();
    if let Some(pair) = edges.windows(2).find(|w| w[0] == w[1]) {
        return Err(Unsound::Edge { edge: pair[0] });
    }
    // The boundary of a solid is closed, so each edge is there in the other direction too.
    match pinched_vertices(&surface).first() {
        Some(&vertex) => Err(Unsound::Vertex { vertex }),
        None => Ok(components(tets).1),
    }
}

/// A triangle begun at its least corner: equal if the direction is.
fn first_least([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// Vertices around which the triangles of a closed surface, without pinched edges, form more than one fan; ascending.
pub(super) fn pinched_vertices(surface: &[[u32; 3]]) -> Vec<u32> {
    let mut corners: Vec<[u32; 3]> = surface.iter().flat_map(|&[a, b, c]| [[a, b, c], [b, c, a], [c, a, b]]).collect();
    corners.sort_unstable();
    let several = |fan: &&[[u32; 3]]| {
        // Each triangle leads from one spoke to the next: a single fan comes back after all of them.
        let next = |spoke: u32| fan.binary_search_by_key(&spoke, |c| c[1]).map(|i| fan[i][2]);
        let mut spoke = next(fan[0][1]);
        let mut steps = 1;
        while spoke.is_ok_and(|s| s != fan[0][1]) && steps <= fan.len() {
            spoke = spoke.and_then(next);
            steps += 1;
        }
        steps != fan.len()
    };
    corners.chunk_by(|a, b| a[0] == b[0]).filter(several).map(|fan| fan[0][0]).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn corners() -> Vec<Vec3> {
        [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [-1., 0., 0.], [0., -1., 0.], [0., 0., -1.]].map(Vec3::from).to_vec()
    }

    #[test]
    fn each_flaw_is_named() {
        let p = corners();
        assert_eq!(sound(&p[..4], &[[0, 1, 2, 3]]), Ok(1));
        assert_eq!(sound(&p[..4], &[[0, 2, 1, 3]]), Err(Unsound::Tet { tet: 0 }));
        assert_eq!(sound(&p[..3], &[[0, 1, 2, 3]]), Err(Unsound::Tet { tet: 0 }));
        assert_eq!(sound(&p[..5], &[[0, 1, 2, 3]]), Err(Unsound::Loose { vertex: 4 }));
        assert_eq!(sound(&p[..4], &[[0, 1, 2, 3], [1, 0, 3, 2]]), Err(Unsound::Face { face: [0, 1, 3] }));
        // Opposite octants share the vertex in the middle, octants across an axis share that edge.
        assert_eq!(sound(&p, &[[0, 1, 2, 3], [0, 5, 4, 6]]), Err(Unsound::Vertex { vertex: 0 }));
        let p = [&p[..4], &p[4..6]].concat();
        assert_eq!(sound(&p, &[[0, 1, 2, 3], [0, 4, 5, 3]]), Err(Unsound::Edge { edge: [0, 3] }));
    }
}
