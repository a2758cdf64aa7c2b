//! [`Pieces`]: elements joined through faces, of three nodes that are not in a line, or by a node internal to them, whose turns they follow.
//! What hangs together by an edge or a vertex only is several pieces with a hinge.

use std::ops::Range;

use crate::element::Family;
use crate::math::rigid::RigidFrame;
use crate::mesh::topology::{DisjointSets, FACES};
use crate::sag_free::problem::BalanceProblem;

/// Of a node without elements.
const NO_PIECE: u32 = u32::MAX;

/// All pieces.
pub(super) struct Pieces {
    /// Where each is.
    pub all: Vec<RigidFrame>,
    of_node: Vec<u32>,
    internal: Range<u32>,
    /// Nodes that belong to two pieces, with both.
    pub hinges: Vec<(u32, [u32; 2])>,
}

impl Pieces {
    /// Those of the elements of `problem`.
    pub fn of(problem: &BalanceProblem) -> Self {
        let BalanceProblem { positions, families, internal: [first, end], .. } = *problem;
        let internal = first as u32..end as u32;
        let of_element = pieces_of(families, &internal);
        let mut pieces = Self { all: Vec::new(), of_node: vec![NO_PIECE; positions.len()], internal, hinges: Vec::new() };
        let count = of_element.iter().max().map_or(0, |last| last + 1);
        pieces.all.resize(count as usize, RigidFrame::default());
        let elements = || families.iter().flat_map(|family| (0..family.len()).map(|e| family.nodes(e)));
        let met = || elements().zip(&of_element).flat_map(|(nodes, piece)| nodes.iter().map(|&n| (n, *piece)));
        met().for_each(|(node, piece)| pieces.join(node, piece));
        let points = pieces.internal.clone();
        let placed = || met().filter(|(node, _)| !points.contains(node));
        let mut counts = vec![0.0; count as usize];
        for (node, piece) in placed() {
            pieces.all[piece as usize].centre += positions[node as usize];
            counts[piece as usize] += 1.0;
        }
        pieces.all.iter_mut().zip(&counts).for_each(|(piece, count)| piece.centre /= *count);
        for (node, piece) in placed() {
            let piece = &mut pieces.all[piece as usize];
            piece.size = piece.size.max((positions[node as usize] - piece.centre).norm());
        }
        pieces.hinges.sort_unstable();
        pieces.hinges.dedup();
        pieces
    }

    fn join(&mut self, node: u32, piece: u32) {
        match self.of_node[node as usize] {
            NO_PIECE => self.of_node[node as usize] = piece,
            known if known != piece => self.hinges.push((node, [known, piece])),
            _ => {}
        }
    }

    /// The piece of a node; one of them at a hinge.
    pub fn of_node(&self, node: u32) -> Option<u32> {
        Some(self.of_node[node as usize]).filter(|&piece| piece != NO_PIECE)
    }

    /// Whether a node is no point of its piece, but turns with it.
    pub fn is_internal(&self, node: u32) -> bool {
        self.internal.contains(&node)
    }
}

/// Piece of each element, family by family. Bars and the like, which have no faces, are pieces by themselves.
fn pieces_of(families: &[Box<dyn Family>], internal: &Range<u32>) -> Vec<u32> {
    let mut faces: Vec<([u32; 3], u32)> = Vec::new();
    let elements = families.iter().flat_map(|family| (0..family.len()).map(|e| family.nodes(e)));
    let mut count = 0;
    for nodes in elements {
        let mut add = |corners: [u32; 3]| {
            let mut sorted = corners;
            sorted.sort_unstable();
            faces.push((sorted, count));
        };
        match *nodes {
            [a, b, c] => add([a, b, c]),
            // Of a hinge two of them are triangles.
            [a, b, c, d] => FACES.iter().for_each(|face| add(face.map(|corner| [a, b, c, d][corner]))),
            _ => {}
        }
        nodes.iter().filter(|node| internal.contains(node)).for_each(|&node| add([node; 3]));
        count += 1;
    }
    faces.sort_unstable();
    let mut sets = DisjointSets::new(count as usize);
    faces.chunk_by(|a, b| a.0 == b.0).for_each(|same| same.windows(2).for_each(|pair| sets.join(pair[0].1, pair[1].1)));
    sets.numbered()
}
