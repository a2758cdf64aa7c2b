//! [`Expanded`]: second derivatives between contact points as blocks between the nodes on which these hang. They are summed between
//! points first, of which there are far fewer pairs. What goes where is found once for all sums with the same stencils.

use super::points::ContactPoints;
use super::stencil::NO_NODE;
use crate::linear::LinearSystem;
use crate::math::Mat3;

/// Second derivatives of contacts between surfaces [N/m], between nodes.
#[derive(Debug, Clone, Copy)]
pub enum SurfaceHessian<'a> {
    /// Nodes of each contact ([`NO_NODE`] for none), and its blocks.
    Contacts(&'a [[u32; 4]], &'a [[[Mat3; 4]; 4]]),
    /// Different pairs of a row and a lesser column, or the same twice, and the block of each.
    Pairs(&'a [[u32; 2]], &'a [Mat3]),
}

impl SurfaceHessian<'_> {
    /// Extends the pattern of `linear` by these couplings, and assembles it; see [`LinearSystem::assemble`].
    pub fn assemble(&self, linear: &mut LinearSystem, blocks: &[Vec<Mat3>], diagonal: &[Mat3], slides: &[(u32, Mat3)]) {
        match self {
            Self::Contacts(stencils, of_stencils) => {
                linear.prepare(stencils);
                linear.assemble(blocks, diagonal, stencils, of_stencils, slides);
            }
            Self::Pairs(pairs, of_pairs) => {
                linear.prepare_pairs(pairs);
                linear.assemble_pairs(blocks, diagonal, pairs, of_pairs, slides);
            }
        }
    }

    /// Gives each block to `take`, with its row and its column, those above the diagonal too.
    pub fn for_each(&self, mut take: impl FnMut(u32, u32, &Mat3)) {
        match self {
            Self::Contacts(stencils, blocks) => {
                for (nodes, blocks) in stencils.iter().zip(*blocks) {
                    let used = nodes.iter().filter(|&&n| n != NO_NODE).count();
                    for i in 0..used {
                        (0..used).for_each(|j| take(nodes[i], nodes[j], &blocks[i][j]));
                    }
                }
            }
            Self::Pairs(pairs, blocks) => {
                for (&[row, column], block) in pairs.iter().zip(*blocks) {
                    take(row, column, block);
                    if row != column {
                        take(column, row, &block.transpose());
                    }
                }
            }
        }
    }
}

/// Blocks between pairs of nodes, each pair once.
#[derive(Debug, Default)]
pub struct Expanded {
    /// The stencils of points for which the rest was found, and which of their blocks were not zero.
    of: Vec<([u32; 4], Blocks)>,
    /// Pair of points of each such block, in their order.
    places: Vec<Place>,
    /// Where the sum of each pair of points goes.
    terms: Vec<Term>,
    between_points: Vec<Mat3>,
    pairs: Vec<[u32; 2]>,
    between_nodes: Vec<Mat3>,
}

/// Blocks (row, column) of a stencil with row >= column, bit by bit.
type Blocks = u16;

const LOWER: [(usize, usize); 10] = [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2), (3, 3)];

/// How a block is added to a sum of blocks (row, column), row >= column.
#[derive(Debug, Clone, Copy)]
enum Turn {
    AsItIs,
    Over,
    /// It and its mirror image: both of its nodes are one.
    Both,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    pair: u32,
    turn: Turn,
}

#[derive(Debug, Clone, Copy)]
struct Term {
    from: u32,
    to: u32,
    weight: f64,
    turn: Turn,
}

/// The pair of a row and a column, the larger first, and how its block is turned for that.
fn ordered(row: u32, column: u32) -> ([u32; 2], Turn) {
    match row.cmp(&column) {
        std::cmp::Ordering::Greater => ([row, column], Turn::AsItIs),
        std::cmp::Ordering::Less => ([column, row], Turn::Over),
        std::cmp::Ordering::Equal => ([row, column], Turn::Both),
    }
}

fn turned(block: &Mat3, turn: Turn) -> Mat3 {
    match turn {
        Turn::AsItIs => *block,
        Turn::Over => block.transpose(),
        Turn::Both => block + block.transpose(),
    }
}

/// The blocks of a stencil that are there.
fn present(nodes: &[u32; 4], block: &[[Mat3; 4]; 4]) -> Blocks {
    let is_there = |(i, j): (usize, usize)| nodes[i] != NO_NODE && block[i][j] != Mat3::zeros();
    (0..LOWER.len()).filter(|&k| is_there(LOWER[k])).fold(0, |blocks, k| blocks | 1 << k)
}

/// Rows and columns of such blocks.
fn rows_and_columns(blocks: Blocks) -> impl Iterator<Item = (usize, usize)> {
    (0..LOWER.len()).filter(move |k| blocks & (1 << k) != 0).map(|k| LOWER[k])
}

impl Expanded {
    /// Takes the blocks [N/m] of stencils of `points`, four each ([`NO_NODE`] for none). Every sum has a fixed order.
    pub fn expand(&mut self, points: &ContactPoints, stencils: &[[u32; 4]], blocks: &[[[Mat3; 4]; 4]]) {
        let now = || stencils.iter().zip(blocks).map(|(nodes, block)| (*nodes, present(nodes, block)));
        if !now().eq(self.of.iter().copied()) {
            self.of.clear();
            self.of.extend(now());
            self.find(points);
        }
        self.between_points.fill(Mat3::zeros());
        let of_stencils = self.of.iter().zip(blocks).flat_map(|((_, there), block)| rows_and_columns(*there).map(|(i, j)| &block[i][j]));
        for (place, block) in self.places.iter().zip(of_stencils) {
            self.between_points[place.pair as usize] += turned(block, place.turn);
        }
        self.between_nodes.fill(Mat3::zeros());
        for term in &self.terms {
            self.between_nodes[term.to as usize] += term.weight * turned(&self.between_points[term.from as usize], term.turn);
        }
    }

    /// The blocks that were taken, between nodes.
    pub fn hessian(&self) -> SurfaceHessian<'_> {
        SurfaceHessian::Pairs(&self.pairs, &self.between_nodes)
    }

    /// Finds what goes where.
    fn find(&mut self, points: &ContactPoints) {
        let of_stencils =
            || self.of.iter().flat_map(|(nodes, there)| rows_and_columns(*there).map(move |(i, j)| (i == j, nodes[i], nodes[j])));
        let pairs = Pairs::new(of_stencils().map(|(_, row, column)| ordered(row, column).0));
        let place = |(on_diagonal, row, column): (bool, u32, u32)| {
            let (pair, turn) = ordered(row, column);
            Place { pair: pairs.place(pair), turn: if on_diagonal { Turn::AsItIs } else { turn } }
        };
        self.places = of_stencils().map(place).collect();
        // Of a symmetric block half the pairs stand for all.
        let products = |(from, &[row, column]): (u32, &[u32; 2])| {
            let of_row = move |(k, (a, by_row)): (usize, (u32, f64))| {
                let columns = points.shares(column).take(if row == column { k + 1 } else { usize::MAX }).enumerate();
                columns.map(move |(l, (b, by_column))| (from, row == column && k == l, a, b, by_row * by_column))
            };
            points.shares(row).enumerate().flat_map(of_row)
        };
        let of_pairs = || (0..).zip(&pairs.0).flat_map(products);
        let couplings = Pairs::new(of_pairs().map(|(_, _, a, b, _)| ordered(a, b).0));
        let term = |(from, on_diagonal, a, b, weight)| {
            let (pair, turn) = ordered(a, b);
            Term { from, to: couplings.place(pair), weight, turn: if on_diagonal { Turn::AsItIs } else { turn } }
        };
        self.terms = of_pairs().map(term).collect();
        self.between_points.resize(pairs.0.len(), Mat3::zeros());
        self.between_nodes.resize(couplings.0.len(), Mat3::zeros());
        self.pairs = couplings.0;
    }
}

/// Different pairs, ascending.
struct Pairs(Vec<[u32; 2]>);

impl Pairs {
    fn new(pairs: impl Iterator<Item = [u32; 2]>) -> Self {
        let mut pairs: Vec<[u32; 2]> = pairs.collect();
        pairs.sort_unstable();
        pairs.dedup();
        Self(pairs)
    }

    /// Where one of them is.
    fn place(&self, pair: [u32; 2]) -> u32 {
        self.0.binary_search(&pair).unwrap_or_else(|after| after) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::points::InsetPoint;
    use crate::math::Vec3;
    use crate::math::random::Random;

    /// Two of six nodes touch with points that hang on others, on four and on three, one of which has a point of its own.
    fn points(random: &mut Random) -> ContactPoints {
        let w = random.vector(0.1, 0.3);
        let on_four = InsetPoint { node: 1, nodes: [1, 2, 4, 5], weights: [1.0 - w.sum(), w.x, w.y, w.z] };
        let on_three = InsetPoint { node: 2, nodes: [2, 0, 3, NO_NODE], weights: [1.0 - w.x - w.y, w.x, w.y, 0.0] };
        ContactPoints::new(vec![on_four, on_three], 0.1)
    }

    #[test]
    fn blocks_between_nodes_are_those_of_the_energy() {
        let mut random = Random::new(6);
        let points = points(&mut random);
        let stencils = [[0, 1, 2, 5], [2, 3, NO_NODE, NO_NODE], [1, 2, 3, NO_NODE]];
        let symmetric = |random: &mut Random| {
            let m: Vec<Mat3> = (0..16).map(|_| random.matrix(-1.0, 1.0)).collect();
            std::array::from_fn(|i| std::array::from_fn(|j| m[4 * i + j] + m[4 * j + i].transpose()))
        };
        let blocks: Vec<[[Mat3; 4]; 4]> = stencils.iter().map(|_| symmetric(&mut random)).collect();
        let energy = |hessian: &SurfaceHessian, u: &[Vec3]| {
            let mut sum = 0.0;
            hessian.for_each(|row, column, block| sum += u[row as usize].dot(&(block * u[column as usize])));
            sum
        };
        let mut expanded = Expanded::default();
        // In turns stencils that are there, a block of one missing, and stencils that are not there any more.
        for round in 0..60 {
            let (mut given, mut count) = (blocks.clone(), 3);
            match round % 4 {
                1 => (given[0][3][1], given[0][1][3]) = (Mat3::zeros(), Mat3::zeros()),
                2 => given.iter_mut().flatten().flatten().for_each(|block| *block *= 0.5),
                3 => count = 2,
                _ => {}
            }
            expanded.expand(&points, &stencils[..count], &given[..count]);
            let u: Vec<Vec3> = (0..6).map(|_| random.vector(-1.0, 1.0)).collect();
            let expected = energy(&SurfaceHessian::Contacts(&stencils[..count], &given[..count]), &points.of(&u));
            let found = energy(&expanded.hessian(), &u);
            assert!((expected - found).abs() < 1e-12, "{round}: {expected} {found}");
        }
    }
}
