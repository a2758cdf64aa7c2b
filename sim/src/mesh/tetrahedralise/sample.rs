//! The field on the lattice, held in blocks: only those near the surface are evaluated and stored.

use rayon::prelude::*;

use super::lattice::{FORWARD, Frame, Key, MAX_COORDINATE, coordinates};
use super::{Options, SignedDistanceField, StuffingError};
use crate::math::Vec3;
use crate::watch::Watch;

/// Cubes along the side of a block.
pub const SIDE: usize = 4;
/// Vertices of a block: as many red ones as black ones.
const VERTICES: usize = 2 * SIDE * SIDE * SIDE;

enum Block {
    /// Every vertex of the block and all their neighbours are outside.
    Outside,
    /// Every vertex of the block and all their neighbours are inside.
    Inside,
    /// The field at each vertex.
    Near(Box<[f64; VERTICES]>),
}

/// The sampled field.
pub struct Samples {
    /// Where the lattice lies.
    pub frame: Frame,
    /// Number of blocks along each axis.
    pub blocks: [usize; 3],
    table: Vec<Block>,
}

impl Samples {
    /// Evaluates `field` once at every lattice vertex that may lie near the surface.
    pub fn new(field: &impl SignedDistanceField, options: &Options, watch: &impl Watch) -> Result<Self, StuffingError> {
        let cell = options.cell;
        let (low, high) = field.bounds();
        let extent = high - low;
        if !(cell > 0.0 && cell.is_finite()) {
            return Err(StuffingError::Cell { cell });
        }
        if !extent.iter().all(|e| *e > 0.0 && e.is_finite()) || !low.iter().all(|x| x.is_finite()) {
            return Err(StuffingError::Bounds { low, high });
        }
        // Two cells of air on every side: nothing inside may touch the rim of the lattice.
        let blocks_wanted = extent.map(|e| ((e / cell).ceil() + 4.0) / SIDE as f64).map(f64::ceil);
        let cells = blocks_wanted.product() * (SIDE * SIDE * SIDE) as f64;
        let longest = blocks_wanted.max() * (2 * SIDE) as f64;
        if cells > options.max_cells as f64 || longest > MAX_COORDINATE as f64 {
            return Err(StuffingError::TooManyCells { cells, max: options.max_cells, cell });
        }
        let blocks: [usize; 3] = std::array::from_fn(|d| blocks_wanted[d] as usize);
        let middle = 0.5 * (low + high);
        let width = Vec3::new(blocks[0] as f64, blocks[1] as f64, blocks[2] as f64) * (SIDE as f64 * cell);
        let frame = Frame { origin: middle - 0.5 * width, cell };
        let table = sample_regions(field, &frame, blocks, watch)?;
        let mut samples = Self { frame, blocks, table };
        samples.reconcile(field, watch)?;
        samples.check_rim()?;
        Ok(samples)
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Doubled coordinates of the vertices of block `b` that may belong to the solid; none for a block of air.
    pub fn vertices(&self, b: usize) -> impl Iterator<Item = [usize; 3]> {
        let count = if matches!(self.table[b], Block::Outside) { 0 } else { VERTICES };
        let corner = corner(self.blocks, b);
        (0..count).map(move |v| vertex(corner, v))
    }

    /// Whether the surface may pass through or beside block `b`.
    pub fn is_near(&self, b: usize) -> bool {
        matches!(self.table[b], Block::Near(_))
    }

    /// The field at a vertex: its value near the surface, else minus or plus infinity.
    pub fn value(&self, c: [usize; 3]) -> f64 {
        let at = c.map(|x| x / (2 * SIDE));
        if (0..3).any(|d| at[d] >= self.blocks[d]) {
            return f64::INFINITY;
        }
        match &self.table[at[0] + self.blocks[0] * (at[1] + self.blocks[1] * at[2])] {
            Block::Outside => f64::INFINITY,
            Block::Inside => f64::NEG_INFINITY,
            Block::Near(values) => {
                let local = c.map(|x| x % (2 * SIDE) / 2);
                values[c[0] % 2 + 2 * (local[0] + SIDE * (local[1] + SIDE * local[2]))]
            }
        }
    }

    /// Whether all vertices of a cube of `width` (in doubled coordinates) at `corner`, and `margin` around it, are inside.
    pub fn lie_inside(&self, corner: [usize; 3], width: usize, margin: usize) -> bool {
        if corner.iter().any(|&x| x < margin) {
            return false;
        }
        let inside = |c: [usize; 3]| self.value(c) < 0.0;
        let blocks: [usize; 3] = corner.map(|x| (x - margin) / (2 * SIDE));
        let last = corner.map(|x| (x + width + margin) / (2 * SIDE));
        if blocks == last && matches!(self.table[blocks[0] + self.blocks[0] * (blocks[1] + self.blocks[1] * blocks[2])], Block::Inside) {
            return true;
        }
        [0, 1].iter().all(|&colour| {
            let range = |d: usize| (corner[d] - margin..=corner[d] + width + margin).filter(move |x| x % 2 == colour);
            range(2).all(|z| range(1).all(|y| range(0).all(|x| inside([x, y, z]))))
        })
    }

    /// The field at a packed vertex.
    pub fn at(&self, key: Key) -> f64 {
        self.value(coordinates(key))
    }

    /// Evaluates blocks that were taken to be far from the surface although a neighbour contradicts them. A distance whose
    /// sign is that of a winding number jumps where a surface with holes is closed, far from all of its triangles, but such a
    /// lid hangs on the rim of its hole: it is followed from there, block by block.
    fn reconcile(&mut self, field: &impl SignedDistanceField, watch: &impl Watch) -> Result<(), StuffingError> {
        let mut fresh: Vec<usize> = (0..self.len()).collect();
        while !fresh.is_empty() {
            let mut wrong = fresh.par_iter().map(|&b| self.contradicted(b)).collect::<Vec<_>>().concat();
            wrong.par_sort_unstable();
            wrong.dedup();
            let evaluated = wrong
                .par_iter()
                .map(|&b| {
                    watch.check().map_err(StuffingError::from).and_then(|()| evaluate_block(field, &self.frame, corner(self.blocks, b)))
                })
                .collect::<Result<Vec<_>, _>>()?;
            for (&b, block) in wrong.iter().zip(evaluated) {
                self.table[b] = block;
            }
            fresh = wrong;
        }
        Ok(())
    }

    /// Far blocks beside block `b` that cannot lie on the side they were given.
    fn contradicted(&self, b: usize) -> Vec<usize> {
        let at = [b % self.blocks[0], b / self.blocks[0] % self.blocks[1], b / (self.blocks[0] * self.blocks[1])];
        let mut wrong = Vec::new();
        for step in (0..27).map(|i| [i % 3, i / 3 % 3, i / 9]) {
            let to: [usize; 3] = std::array::from_fn(|d| (at[d] + step[d]).wrapping_sub(1));
            if (0..3).any(|d| to[d] >= self.blocks[d]) {
                continue;
            }
            let other = to[0] + self.blocks[0] * (to[1] + self.blocks[1] * to[2]);
            let disagrees = match (&self.table[b], &self.table[other]) {
                (Block::Inside, Block::Outside) | (Block::Outside, Block::Inside) => true,
                (Block::Near(values), Block::Inside) => self.faces(values, b, other, |f| f > 0.0),
                (Block::Near(values), Block::Outside) => self.faces(values, b, other, |f| f < 0.0),
                _ => false,
            };
            if disagrees {
                wrong.push(other);
            }
        }
        wrong
    }

    /// Whether a vertex of block `b`, whose field `differs`, has a neighbour in block `other`.
    fn faces(&self, values: &[f64; VERTICES], b: usize, other: usize, differs: impl Fn(f64) -> bool) -> bool {
        let (corner_b, low) = (corner(self.blocks, b), corner(self.blocks, other));
        let holds = |c: [usize; 3], step: [i64; 3]| (0..3).all(|d| (0..2 * SIDE as i64).contains(&(c[d] as i64 + step[d] - low[d] as i64)));
        (0..VERTICES).filter(|&v| differs(values[v])).any(|v| {
            let c = vertex(corner_b, v);
            FORWARD.iter().any(|&step| holds(c, step) || holds(c, step.map(|s| -s)))
        })
    }

    /// The solid must not reach the rim of the lattice, else its bounds were wrong and it would be cut off.
    fn check_rim(&self) -> Result<(), StuffingError> {
        let last = self.blocks.map(|n| 2 * SIDE * n - 2);
        for b in 0..self.len() {
            for c in self.vertices(b) {
                if (0..3).any(|d| c[d] < 2 || c[d] >= last[d]) && self.value(c) <= 0.0 {
                    return Err(StuffingError::OutOfBounds { at: self.frame.position(c) });
                }
            }
        }
        Ok(())
    }
}

/// Doubled coordinates of the first vertex of block `b`.
fn corner(blocks: [usize; 3], b: usize) -> [usize; 3] {
    [b % blocks[0], b / blocks[0] % blocks[1], b / (blocks[0] * blocks[1])].map(|i| 2 * SIDE * i)
}

/// Vertex `v` of a block: red and black in turn, x fastest.
fn vertex(corner: [usize; 3], v: usize) -> [usize; 3] {
    let (colour, cube) = (v % 2, v / 2);
    let local = [cube % SIDE, cube / SIDE % SIDE, cube / (SIDE * SIDE)];
    std::array::from_fn(|d| corner[d] + 2 * local[d] + colour)
}

/// Blocks from `low` up to, and without, `high` along each axis.
#[derive(Clone, Copy)]
struct Region {
    low: [usize; 3],
    high: [usize; 3],
}

impl Region {
    fn is_block(&self) -> bool {
        (0..3).all(|d| self.high[d] == self.low[d] + 1)
    }

    /// Halves along every axis with more than one block.
    fn parts(self) -> impl Iterator<Item = Self> {
        let middle: [usize; 3] = std::array::from_fn(|d| self.low[d].midpoint(self.high[d]).max(self.low[d] + 1));
        (0..8).filter_map(move |k: usize| {
            let upper = |d: usize| k >> d & 1 == 1;
            let low = std::array::from_fn(|d| if upper(d) { middle[d] } else { self.low[d] });
            let high = std::array::from_fn(|d| if upper(d) { self.high[d] } else { middle[d] });
            (0..3).all(|d| low[d] < high[d]).then_some(Self { low, high })
        })
    }

    /// The numbers of its blocks, of so many along each axis.
    fn blocks(self, blocks: [usize; 3]) -> impl Iterator<Item = usize> {
        let [x, y, z] = std::array::from_fn(|d| self.low[d]..self.high[d]);
        z.flat_map(move |z| {
            let x = x.clone();
            y.clone().flat_map(move |y| x.clone().map(move |x| x + blocks[0] * (y + blocks[1] * z)))
        })
    }

    /// What the field in the middle tells of all its vertices and their neighbours; none where it does not.
    fn judge(&self, field: &impl SignedDistanceField, frame: &Frame) -> Result<Option<Block>, StuffingError> {
        let width: [usize; 3] = std::array::from_fn(|d| 2 * SIDE * (self.high[d] - self.low[d]) - 1);
        let half = Vec3::from(width.map(|w| 0.25 * w as f64 * frame.cell));
        let centre = frame.position(self.low.map(|i| 2 * SIDE * i)) + half;
        // Beyond its own vertices, all their neighbours must be on the same side too.
        let reach = field.lipschitz() * (half.norm() + frame.cell);
        let at_centre = evaluate(field, centre)?;
        if at_centre.abs() <= reach || (!self.is_block() && self.is_contradicted(field, frame, centre, half, at_centre)?) {
            return Ok(None);
        }
        Ok(Some(if at_centre > 0.0 { Block::Outside } else { Block::Inside }))
    }

    /// Whether a corner is on the other side than the middle, whatever the bound says: not every field keeps to its own.
    fn is_contradicted(
        &self,
        field: &impl SignedDistanceField,
        frame: &Frame,
        centre: Vec3,
        half: Vec3,
        at_centre: f64,
    ) -> Result<bool, StuffingError> {
        for k in 0..8 {
            // One cell further out: neighbours are meant as well.
            let corner = Vec3::from_fn(|d, _| if k >> d & 1 == 1 { half[d] + frame.cell } else { -half[d] - frame.cell });
            if (evaluate(field, centre + corner)? > 0.0) != (at_centre > 0.0) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Tells regions that are far from the surface by the field in their middles, cuts the others down to blocks, and evaluates these.
fn sample_regions(
    field: &impl SignedDistanceField,
    frame: &Frame,
    blocks: [usize; 3],
    watch: &impl Watch,
) -> Result<Vec<Block>, StuffingError> {
    let mut table: Vec<Block> = (0..blocks.iter().product()).map(|_| Block::Outside).collect();
    let mut regions = vec![Region { low: [0; 3], high: blocks }];
    while !regions.is_empty() {
        let judged = regions.par_iter().map(|region| {
            watch.check()?;
            match region.judge(field, frame)? {
                None if region.is_block() => evaluate_block(field, frame, region.low.map(|i| 2 * SIDE * i)).map(Some),
                judged => Ok(judged),
            }
        });
        let judged = judged.collect::<Result<Vec<_>, StuffingError>>()?;
        let mut cut = Vec::new();
        for (region, block) in regions.into_iter().zip(judged) {
            match block {
                Some(Block::Outside) => {}
                Some(Block::Inside) => region.blocks(blocks).for_each(|b| table[b] = Block::Inside),
                Some(near) => region.blocks(blocks).take(1).zip([near]).for_each(|(b, near)| table[b] = near),
                None => cut.extend(region.parts()),
            }
        }
        regions = cut;
    }
    Ok(table)
}

fn evaluate_block(field: &impl SignedDistanceField, frame: &Frame, corner: [usize; 3]) -> Result<Block, StuffingError> {
    let points: [Vec3; VERTICES] = std::array::from_fn(|v| frame.position(vertex(corner, v)));
    let mut values = Box::new([0.0; VERTICES]);
    field.distances(&points, &mut values[..]);
    for (value, p) in values.iter_mut().zip(points) {
        *value = finite(*value, p)?;
    }
    Ok(Block::Near(values))
}

/// The field at `p`, finite: infinity stands for blocks that were not evaluated.
fn evaluate(field: &impl SignedDistanceField, p: Vec3) -> Result<f64, StuffingError> {
    finite(field.distance(&p), p)
}

fn finite(f: f64, p: Vec3) -> Result<f64, StuffingError> {
    if f.is_nan() { Err(StuffingError::NotANumber { at: p }) } else { Ok(f.clamp(-f64::MAX, f64::MAX)) }
}
