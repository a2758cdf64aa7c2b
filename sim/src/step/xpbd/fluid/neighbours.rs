//! [`Neighbours`]: which particles are near which, by a uniform grid whose cells are sorted, and by the walls that mirror them.
//!
//! A particle next to a wall sees the images of all particles, its own among them, behind it: at once the pressure of a wall, which is that of
//! the fluid before it, and the density of a fluid that goes on. What is seen from an image is what the particle's own image sees, so that no
//! image is made: a [`View`] turns the particle's place, and the list of a view holds what is near that.

use rayon::prelude::*;

use crate::contact::distance::SignedDistance;
use crate::math::{Mat3, Vec3};

/// Particles of which one thread makes the lists at a time.
const CHUNK: usize = 128;
/// Walls that mirror one particle at most; of more the nearest.
const MOST_WALLS: usize = 3;
/// Cosine of the angle between two walls below which a corner has an image of its own: across sharper or blunter ones it would not be that of
/// both walls.
const SQUARE: f64 = 0.1;
/// How much farther than the kernel lists reach, over its radius; they are made anew when a particle has moved by half of it.
const MARGIN: f64 = 0.1;

/// From where the neighbours of a particle are seen: from its own place, or from that of an image.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// Turns a place, or a gradient back.
    pub linear: Mat3,
    /// Added to the turned place [m].
    pub offset: Vec3,
    /// Which walls mirror, as bits, of [`Neighbours::walls_of`].
    walls: u8,
    end: u32,
}

/// Lists of some particles that follow one another.
#[derive(Debug, Default)]
struct Chunk {
    /// Where the views of each particle end.
    ends: Vec<u32>,
    views: Vec<View>,
    others: Vec<u32>,
    /// The walls next to each particle; `u32::MAX` for none.
    walls: Vec<[u32; MOST_WALLS]>,
}

/// Cells, and lists of neighbours. Particles are counted in the order of their cells.
#[derive(Debug, Default)]
pub struct Neighbours {
    /// The caller's number of each particle.
    pub order: Vec<u32>,
    keys: Vec<(u64, u32)>,
    /// Key of each cell that has particles, ascending, and where they end.
    cells: Vec<(u64, u32)>,
    /// The cells of each colour; particles of two of one colour have no neighbour in common.
    colours: Vec<Vec<u32>>,
    chunks: Vec<Chunk>,
    /// The places that the lists are of, by the caller's numbers [m].
    of: Vec<Vec3>,
    mirrors: Vec<bool>,
}

impl Neighbours {
    /// Lists of what is within `radius` [m] of each particle at `x` and of its images behind `walls`, of which those count that are in `mirrors`;
    /// they stay as they are where nothing has moved far.
    pub fn look(&mut self, x: &[Vec3], radius: f64, walls: &[Box<dyn SignedDistance>], mirrors: &[bool]) {
        let limit = (0.5 * MARGIN * radius).powi(2);
        let is_near = |(a, b): (&Vec3, &Vec3)| (a - b).norm_squared() <= limit;
        if self.of.len() != x.len() || self.mirrors != mirrors || !self.of.iter().zip(x).all(is_near) {
            self.of.clear();
            self.of.extend_from_slice(x);
            self.mirrors.clear();
            self.mirrors.extend_from_slice(mirrors);
            self.sort(x, radius * (1.0 + MARGIN));
            self.list(x, radius * (1.0 + MARGIN), walls);
        }
        self.place_walls(x, walls);
    }

    fn sort(&mut self, x: &[Vec3], size: f64) {
        self.keys.clear();
        self.keys.extend(x.iter().zip(0..).map(|(x, i)| (key(cell_of(x, size)), i)));
        self.keys.sort_unstable();
        self.order.clear();
        self.order.extend(self.keys.iter().map(|(_, i)| *i));
        self.cells.clear();
        for (at, (key, _)) in (1..).zip(&self.keys) {
            match self.cells.last_mut() {
                Some((last, end)) if last == key => *end = at,
                _ => self.cells.push((*key, at)),
            }
        }
        self.colours.resize_with(27, Vec::new);
        self.colours.iter_mut().for_each(Vec::clear);
        for (c, (key, _)) in (0..).zip(&self.cells) {
            let [a, b, c_] = coordinates(*key).map(|k| k.rem_euclid(3) as usize);
            self.colours[9 * a + 3 * b + c_].push(c);
        }
    }

    fn list(&mut self, x: &[Vec3], reach: f64, walls: &[Box<dyn SignedDistance>]) {
        let Self { order, cells, chunks, mirrors, .. } = self;
        chunks.resize_with(order.len().div_ceil(CHUNK), Chunk::default);
        let (order, cells, mirrors) = (&*order, &*cells, &*mirrors);
        order.par_chunks(CHUNK).zip(chunks.par_iter_mut()).for_each(|(own, chunk)| {
            chunk.ends.clear();
            chunk.views.clear();
            chunk.others.clear();
            chunk.walls.clear();
            for &i in own {
                let place = &x[i as usize];
                let near = nearest_walls(place, reach, walls, mirrors);
                chunk.walls.push(near);
                for subset in 0..1_u8 << MOST_WALLS {
                    let Some(mut view) = image(place, subset, &near, walls) else { continue };
                    let from = view.linear * place + view.offset;
                    let before = chunk.others.len();
                    around(&from, reach, cells, |at| {
                        let other = order[at as usize];
                        let is_self = subset == 0 && other == i;
                        if !is_self && (x[other as usize] - from).norm_squared() < reach * reach {
                            chunk.others.push(at);
                        }
                    });
                    if chunk.others.len() > before || subset == 0 {
                        view.end = chunk.others.len() as u32;
                        chunk.views.push(view);
                    }
                }
                chunk.ends.push(chunk.views.len() as u32);
            }
        });
    }

    /// Where the walls are that mirror each particle at `x`: those that are round lie otherwise for each place.
    fn place_walls(&mut self, x: &[Vec3], walls: &[Box<dyn SignedDistance>]) {
        let Self { order, chunks, .. } = self;
        order.par_chunks(CHUNK).zip(chunks.par_iter_mut()).for_each(|(own, chunk)| {
            let mut first = 0;
            for ((&i, near), &end) in own.iter().zip(&chunk.walls).zip(&chunk.ends) {
                for view in &mut chunk.views[first..end as usize] {
                    if let Some(placed) = image(&x[i as usize], view.walls, near, walls).filter(|_| view.walls > 0) {
                        (view.linear, view.offset) = (placed.linear, placed.offset);
                    }
                }
                first = end as usize;
            }
        });
    }

    /// The cells of each colour, as ranges of particles.
    pub fn colours(&self) -> impl Iterator<Item = &[u32]> {
        self.colours.iter().map(Vec::as_slice).filter(|cells| !cells.is_empty())
    }

    /// The particles of a cell.
    pub fn cell(&self, cell: u32) -> std::ops::Range<usize> {
        let start = if cell == 0 { 0 } else { self.cells[cell as usize - 1].1 };
        start as usize..self.cells[cell as usize].1 as usize
    }

    /// What particle `at` sees: each view with its neighbours; the first is that from its own place.
    #[inline]
    pub fn views(&self, at: usize) -> impl Iterator<Item = (&View, &[u32])> {
        let (chunk, k) = (&self.chunks[at / CHUNK], at % CHUNK);
        let first = if k == 0 { 0 } else { chunk.ends[k - 1] as usize };
        let mut start = if first == 0 { 0 } else { chunk.views[first - 1].end as usize };
        chunk.views[first..chunk.ends[k] as usize].iter().map(move |view| {
            let others = &chunk.others[start..view.end as usize];
            start = view.end as usize;
            (view, others)
        })
    }

    /// The neighbours of particle `at` itself, without images.
    #[inline]
    pub fn of(&self, at: usize) -> &[u32] {
        self.views(at).next().map_or(&[], |(_, others)| others)
    }
}

/// The walls nearer than `reach` [m], the nearest first.
fn nearest_walls(x: &Vec3, reach: f64, walls: &[Box<dyn SignedDistance>], mirrors: &[bool]) -> [u32; MOST_WALLS] {
    let (mut near, mut gaps) = ([u32::MAX; MOST_WALLS], [f64::INFINITY; MOST_WALLS]);
    for (w, wall) in walls.iter().enumerate().filter(|(w, _)| mirrors[*w]) {
        let gap = wall.distance(x).value;
        let after = gaps.iter().position(|other| gap < *other).unwrap_or(MOST_WALLS);
        if gap < reach && after < MOST_WALLS {
            gaps[after..].rotate_right(1);
            near[after..].rotate_right(1);
            (gaps[after], near[after]) = (gap, w as u32);
        }
    }
    near
}

/// The view by way of all walls of `subset`; none where there are no such walls, or where they are not square to one another.
fn image(x: &Vec3, subset: u8, near: &[u32; MOST_WALLS], walls: &[Box<dyn SignedDistance>]) -> Option<View> {
    let mut view = View { linear: Mat3::identity(), offset: Vec3::zeros(), walls: subset, end: 0 };
    let mut normals = [Vec3::zeros(); MOST_WALLS];
    let chosen = near.iter().enumerate().filter(|(k, _)| subset >> k & 1 == 1).map(|(_, wall)| *wall);
    for (count, wall) in chosen.enumerate() {
        let distance = walls.get(wall as usize)?.distance(x);
        if !distance.value.is_finite() || normals[..count].iter().any(|other| other.dot(&distance.normal).abs() > SQUARE) {
            return None;
        }
        let n = distance.normal;
        // The plane through the nearest point of the wall.
        let height = n.dot(x) - distance.value;
        let mirror = Mat3::identity() - 2.0 * n * n.transpose();
        view.linear = mirror * view.linear;
        view.offset = mirror * view.offset + 2.0 * height * n;
        normals[count] = n;
    }
    Some(view)
}

/// Calls `visit` with every particle of the cells around a place.
fn around(x: &Vec3, size: f64, cells: &[(u64, u32)], mut visit: impl FnMut(u32)) {
    let [a, b, c] = cell_of(x, size);
    for i in a - 1..=a + 1 {
        for j in b - 1..=b + 1 {
            let (low, high) = (key([i, j, c - 1]), key([i, j, c + 1]));
            let mut at = cells.partition_point(|(key, _)| *key < low);
            while at < cells.len() && cells[at].0 <= high {
                let start = if at == 0 { 0 } else { cells[at - 1].1 };
                (start..cells[at].1).for_each(&mut visit);
                at += 1;
            }
        }
    }
}

/// Cells on either side of the origin; what is farther away is in the last of them.
const MOST_CELLS: f64 = 1_000_000.0;

fn cell_of(x: &Vec3, size: f64) -> [i64; 3] {
    [x.x, x.y, x.z].map(|c| (c / size).floor().clamp(-MOST_CELLS, MOST_CELLS) as i64)
}

/// Orders cells by their coordinates, the last of which counts least.
fn key(cell: [i64; 3]) -> u64 {
    cell.into_iter().fold(0, |key, c| key << 21 | (c + (1 << 20)) as u64)
}

fn coordinates(key: u64) -> [i64; 3] {
    [42, 21, 0].map(|shift| (key >> shift & ((1 << 21) - 1)) as i64 - (1 << 20))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::contact::distance::placed;
    use crate::math::random::Random;
    use crate::scene::Shape;

    /// As many neighbours as by looking at all pairs, seen by both, also across the border of cells and of the origin.
    #[test]
    fn lists_hold_what_is_near() {
        let mut random = Random::new(3);
        let x: Vec<Vec3> = (0..500).map(|_| random.vector(-1.0, 1.0)).collect();
        let mut found = Neighbours::default();
        found.look(&x, 0.3, &[], &[]);
        let reach = 0.3 * (1.0 + MARGIN);
        for at in 0..x.len() {
            let own = found.order[at];
            let mut listed: Vec<u32> = found.of(at).iter().map(|&at| found.order[at as usize]).collect();
            listed.sort_unstable();
            let near = |&other: &u32| other != own && (x[other as usize] - x[own as usize]).norm() < reach;
            assert_eq!(listed, (0..500).filter(near).collect::<Vec<_>>());
        }
        let cells: usize = found.colours().map(<[u32]>::len).sum();
        assert_eq!(cells, found.cells.len());
        assert_eq!(
            found.cells.iter().map(|cell| coordinates(cell.0)).map(key).collect::<Vec<_>>(),
            found.cells.iter().map(|cell| cell.0).collect::<Vec<_>>()
        );
    }

    /// No particle is a neighbour of particles of two cells of one colour.
    #[test]
    fn cells_of_a_colour_have_no_neighbour_in_common() {
        let mut random = Random::new(4);
        let x: Vec<Vec3> = (0..800).map(|_| random.vector(-1.0, 1.0)).collect();
        let floor: Vec<Box<dyn SignedDistance>> = vec![placed(&Shape::HalfSpace { point: [0.0, -1.0, 0.0], normal: [0.0, 1.0, 0.0] })];
        let mut found = Neighbours::default();
        found.look(&x, 0.25, &floor, &[true]);
        assert!(found.colours().any(|cells| cells.len() > 1));
        for cells in found.colours() {
            let mut of = vec![u32::MAX; x.len()];
            for &cell in cells {
                for at in found.cell(cell) {
                    for touched in found.views(at).flat_map(|(_, others)| others.iter().copied()).chain([at as u32]) {
                        let owner = &mut of[touched as usize];
                        assert!(*owner == u32::MAX || *owner == cell);
                        *owner = cell;
                    }
                }
            }
        }
    }

    /// In a corner of three walls a particle has seven images.
    #[test]
    fn corners_mirror_too() {
        let wall = |normal: [f64; 3]| placed(&Shape::HalfSpace { point: [0.0; 3], normal });
        let walls = vec![wall([1.0, 0.0, 0.0]), wall([0.0, 1.0, 0.0]), wall([0.0, 0.0, 1.0])];
        let mut found = Neighbours::default();
        let x = [Vec3::new(0.05, 0.06, 0.07)];
        found.look(&x, 1.0, &walls, &[true; 3]);
        let mut images: Vec<Vec3> = found.views(0).map(|(view, _)| view.linear * x[0] + view.offset).collect();
        assert_eq!(images.len(), 8);
        images.retain(|image| image.iter().zip(x[0].iter()).all(|(a, b)| (a.abs() - b).abs() < 1e-15));
        assert_eq!(images.len(), 8);
        found.look(&x, 1.0, &walls, &[true, false, true]);
        assert_eq!(found.views(0).count(), 4);
    }
}
