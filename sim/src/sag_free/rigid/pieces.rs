//! [`Pieces`]: elements joined through faces. What hangs together by an edge or a vertex only is several pieces with a hinge.

use crate::element::Family;
use crate::math::Vec3;
use crate::math::rigid::RigidFrame;
use crate::mesh::topology::Faces;

/// Of a node without elements.
const NO_PIECE: u32 = u32::MAX;

/// All pieces.
pub(super) struct Pieces {
    /// Where each is.
    pub all: Vec<RigidFrame>,
    of_node: Vec<u32>,
    /// Nodes that belong to two pieces, with both.
    pub hinges: Vec<(u32, [u32; 2])>,
}

impl Pieces {
    /// Those of `families` on nodes at `positions` [m].
    pub fn of(positions: &[Vec3], families: &[Box<dyn Family>]) -> Self {
        let mut pieces = Self { all: Vec::new(), of_node: vec![NO_PIECE; positions.len()], hinges: Vec::new() };
        for family in families {
            let of_element = pieces_of(family.as_ref());
            let first = pieces.all.len() as u32;
            let count = of_element.iter().max().map_or(0, |last| last + 1);
            pieces.all.resize((first + count) as usize, RigidFrame::default());
            let placed = || of_element.iter().enumerate().flat_map(|(e, piece)| family.nodes(e).iter().map(move |&n| (n, first + piece)));
            let mut counts = vec![0.0; count as usize];
            for (node, piece) in placed() {
                pieces.all[piece as usize].centre += positions[node as usize];
                counts[(piece - first) as usize] += 1.0;
                pieces.join(node, piece);
            }
            pieces.all[first as usize..].iter_mut().zip(&counts).for_each(|(piece, count)| piece.centre /= *count);
            for (node, piece) in placed() {
                let piece = &mut pieces.all[piece as usize];
                piece.size = piece.size.max((positions[node as usize] - piece.centre).norm());
            }
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
}

/// Piece of each element. Bars and the like, which have no faces, are pieces by themselves.
fn pieces_of(family: &dyn Family) -> Vec<u32> {
    let tets: Option<Vec<[u32; 4]>> = (0..family.len()).map(|e| family.nodes(e).try_into().ok()).collect();
    tets.map_or_else(|| (0..family.len() as u32).collect(), |tets| Faces::of(&tets).components(tets.len()))
}
