//! A face with any number of corners, cut into triangles on its own corners.
//!
//! Ears are cut off one after the other (G. H. Meisters, "Polygons have ears", 1975) in the plane that fits the face
//! best (M. E. Newell's normal). A chain of ears that all turn the right way covers each point of the plane as often as the
//! face winds around it, so concave faces and holes joined to the outline by a bridge come out right; corners in the
//! middle of a straight side are kept, because the face on the other side may use them. A face that crosses itself or has
//! no area gets triangles too, of which nothing is promised but their number; so does one that takes too long, which only
//! files made to do harm hold.

mod blunt;

use crate::math::{Vec3, across};
use crate::watch::{Cancelled, Watch};
use blunt::BluntPlaces;

/// Most corners of a face; keeps the working storage at half a megabyte.
pub const MOST_CORNERS: usize = 10_000;
/// Corners are taken to lie on a side if their distance to it is this share of its length: single precision is as good.
const FLAT: f64 = 1e-6;
/// Corners to choose the best ear from, at each step, from the first ear on.
const CHOICE: usize = 8;
/// Searches in vain after which a face is taken to cross itself.
const PATIENCE: usize = 16;
/// Corners that may be looked at for each corner of a face, and those on top for all faces together.
const EFFORT_A_CORNER: usize = 500;
const SPARE_EFFORT: usize = 200_000_000;
/// Ears that are cut between two questions to the watch.
const EARS_PER_CHECK: usize = 64;

/// Working storage, to be used for one face after the other.
pub struct Cutter {
    points: Vec<[f64; 2]>,
    next: Vec<u32>,
    previous: Vec<u32>,
    convex: Vec<bool>,
    blunt: BluntPlaces,
    /// What stood in the ear of each corner when it was looked at last, which is likely to stand there still.
    blocker: Vec<u32>,
    /// Corners that may still be looked at.
    effort: usize,
    /// Faces that may cross themselves: triangles may overlap.
    pub unsure: usize,
}

impl Default for Cutter {
    fn default() -> Self {
        Self {
            points: Vec::new(),
            next: Vec::new(),
            previous: Vec::new(),
            convex: Vec::new(),
            blunt: BluntPlaces::default(),
            blocker: Vec::new(),
            effort: SPARE_EFFORT,
            unsure: 0,
        }
    }
}

/// How sure an ear must be.
#[derive(Clone, Copy, PartialEq)]
enum Care {
    /// Nothing inside nor on its boundary.
    Clear,
    /// Nothing inside.
    Touched,
    /// The best there is.
    None,
}

impl Cutter {
    /// Calls `triangle` with the corners, as places in `face`, of each of the `face.len() - 2` triangles.
    pub fn cut(
        &mut self,
        face: &[u32],
        positions: &[Vec3],
        watch: &dyn Watch,
        mut triangle: impl FnMut([usize; 3]),
    ) -> Result<(), Cancelled> {
        match face.len() {
            0..3 => {}
            3 => triangle([0, 1, 2]),
            4 => {
                self.project(face, positions);
                self.cut_quad([0, 1, 2, 3], &mut triangle);
            }
            _ => {
                self.project(face, positions);
                self.cut_ears(watch, &mut triangle)?;
            }
        }
        Ok(())
    }

    /// Lays the corners into the plane, counter-clockwise.
    fn project(&mut self, face: &[u32], positions: &[Vec3]) {
        let origin = positions[face[0] as usize];
        let arm = |i: usize| positions[face[i % face.len()] as usize] - origin;
        let extent = (0..face.len()).map(|i| arm(i).amax()).fold(0.0, f64::max);
        let scale = if extent > 0.0 { 1.0 / extent } else { 1.0 };
        let normal: Vec3 = (0..face.len()).map(|i| (arm(i) * scale).cross(&(arm(i + 1) * scale))).sum();
        let normal = normal.try_normalize(0.0).unwrap_or_else(Vec3::z);
        let first = across(&normal);
        let second = normal.cross(&first);
        self.points.clear();
        self.points.extend((0..face.len()).map(|i| arm(i) * scale).map(|p| [p.dot(&first), p.dot(&second)]));
    }

    /// Twice the area of a triangle, positive if it turns the right way.
    fn area(&self, [a, b, c]: [usize; 3]) -> f64 {
        let [a, b, c] = [a, b, c].map(|i| self.points[i]);
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    }

    fn length_squared(&self, a: usize, b: usize) -> f64 {
        let [a, b] = [a, b].map(|i| self.points[i]);
        (b[0] - a[0]).powi(2) + (b[1] - a[1]).powi(2)
    }

    /// Area over squared sides: largest for the equilateral triangle, 0 for a flat one, negative for a turned one.
    fn quality(&self, [a, b, c]: [usize; 3]) -> f64 {
        let sides = self.length_squared(a, b) + self.length_squared(b, c) + self.length_squared(c, a);
        if sides > 0.0 { self.area([a, b, c]) / sides } else { 0.0 }
    }

    /// Along the first diagonal, unless the other is clearly better: grids of quads are all cut in the same way.
    fn cut_quad(&self, [a, b, c, d]: [usize; 4], triangle: &mut impl FnMut([usize; 3])) {
        let worst = |pair: [[usize; 3]; 2]| self.quality(pair[0]).min(self.quality(pair[1]));
        let (one, other) = ([[a, b, c], [a, c, d]], [[a, b, d], [b, c, d]]);
        let is_better = worst(other) > FLAT && worst(one) < 0.5 * worst(other);
        (if is_better { other } else { one }).into_iter().for_each(triangle);
    }

    fn cut_ears(&mut self, watch: &dyn Watch, triangle: &mut impl FnMut([usize; 3])) -> Result<(), Cancelled> {
        self.start();
        let count = self.points.len();
        let (mut at, mut left, mut vain) = (0, count, 0);
        self.effort += EFFORT_A_CORNER * count;
        let mut is_sure = true;
        while left > 4 {
            if left.is_multiple_of(EARS_PER_CHECK) {
                watch.check()?;
            }
            let is_careful = vain < PATIENCE && self.effort > 0;
            let mut care = if is_careful { Care::Clear } else { Care::None };
            let ear = loop {
                match (self.find_ear(at, left, care), care) {
                    (Some(ear), _) => break ear,
                    (None, Care::Clear) => care = Care::Touched,
                    (None, Care::Touched) => care = Care::None,
                    (None, Care::None) => break at,
                }
                vain += 1;
            };
            is_sure &= care != Care::None;
            let [before, tip, after] = self.around(ear);
            triangle([before, tip, after]);
            self.next[before] = after as u32;
            self.previous[after] = before as u32;
            // What is cut off stands in nobody's way.
            self.set_convex(tip, true);
            self.set_convex(before, self.is_convex(before));
            self.set_convex(after, self.is_convex(after));
            (at, left) = (after, left - 1);
        }
        let [a, b, c] = self.around(self.next[at] as usize);
        self.cut_quad([a, b, c, self.next[c] as usize], triangle);
        self.effort = self.effort.min(SPARE_EFFORT);
        self.unsure += usize::from(!is_sure);
        Ok(())
    }

    /// The whole ring of corners.
    fn start(&mut self) {
        let count = self.points.len() as u32;
        self.next.clear();
        self.next.extend((1..count).chain([0]));
        self.previous.clear();
        self.previous.extend([count - 1].into_iter().chain(0..count - 1));
        self.blocker.clear();
        self.blocker.resize(count as usize, 0);
        self.blunt.start(&self.points);
        self.convex.clear();
        self.convex.resize(count as usize, true);
        for corner in 0..count as usize {
            self.set_convex(corner, self.is_convex(corner));
        }
    }

    fn set_convex(&mut self, corner: usize, is_convex: bool) {
        match (std::mem::replace(&mut self.convex[corner], is_convex), is_convex) {
            (true, false) => self.blunt.add(corner, &self.points),
            (false, true) => self.blunt.remove(corner, &self.points),
            _ => {}
        }
    }

    /// A corner with its neighbours.
    fn around(&self, corner: usize) -> [usize; 3] {
        [self.previous[corner] as usize, corner, self.next[corner] as usize]
    }

    fn is_convex(&self, corner: usize) -> bool {
        self.quality(self.around(corner)) > FLAT
    }

    /// The best of the first ears from `start` on.
    fn find_ear(&mut self, start: usize, left: usize, care: Care) -> Option<usize> {
        let (mut corner, mut found, mut best) = (start, 0, None);
        let mut best_quality = f64::NEG_INFINITY;
        for _ in 0..left {
            self.effort = self.effort.saturating_sub(1);
            let quality = self.quality(self.around(corner));
            let is_better = quality > best_quality && (care == Care::None || quality > FLAT);
            if is_better && (care == Care::None || !self.is_blocked(corner, care)) {
                (best, best_quality) = (Some(corner), quality);
            }
            found += usize::from(best.is_some());
            if found == CHOICE || self.effort == 0 {
                break;
            }
            corner = self.next[corner] as usize;
        }
        best
    }

    /// Whether another corner lies in the ear of `corner`. Those at the place of one of the ear's own corners do not
    /// count: where a bridge ends, the two corners there share the angle between them.
    fn is_blocked(&mut self, corner: usize, care: Care) -> bool {
        let ear = self.around(corner);
        let [a, b, c] = ear;
        let size = self.length_squared(a, b).max(self.length_squared(b, c)).max(self.length_squared(c, a));
        let least = if care == Care::Clear { -FLAT * size } else { FLAT * size };
        let own = ear.map(|corner| self.blunt.place(corner));
        let is_inside = |place: u32| {
            let other = place as usize;
            self.area([a, b, other]) > least
                && self.area([b, c, other]) > least
                && self.area([c, a, other]) > least
                && !own.contains(&place)
        };
        let last = self.blocker[corner];
        if self.blunt.holds(last) && is_inside(last) {
            return true;
        }
        // What lies beyond each side by less than the area `margin` lies beyond the box by less than two such shares of it.
        let margin = 2.0 * (-least).max(0.0) / self.area(ear);
        let ends = [0, 1].map(|axis| {
            let [a, b, c] = ear.map(|corner| self.points[corner][axis]);
            let (least, largest) = (a.min(b).min(c), a.max(b).max(c));
            let margin = margin * (largest - least);
            [least - margin, largest + margin]
        });
        let (blocker, effort) = self.blunt.find([[ends[0][0], ends[1][0]], [ends[0][1], ends[1][1]]], is_inside);
        self.effort = self.effort.saturating_sub(effort);
        self.blocker[corner] = blocker.unwrap_or(last);
        blocker.is_some()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::watch::Unwatched;

    /// The triangles of a face given in the plane, tilted in space; checks that all turn the right way, that each side
    /// belongs to one, and that their areas add up to `area`.
    fn check(name: &str, outline: &[[f64; 2]], area: f64) {
        let turn = crate::math::rotation([31.0, -47.0, 12.0]);
        let positions: Vec<Vec3> = outline.iter().map(|p| turn * Vec3::new(p[0], p[1], 0.0) + Vec3::new(20_000.0, 3.0, -7.0)).collect();
        for first in 0..outline.len() {
            let face: Vec<u32> = (0..outline.len()).map(|i| ((i + first) % outline.len()) as u32).collect();
            let mut triangles = Vec::new();
            let mut cutter = Cutter::default();
            cutter.cut(&face, &positions, &Unwatched, |t| triangles.push(t.map(|i| face[i] as usize))).unwrap();
            assert_eq!((triangles.len(), cutter.unsure), (outline.len() - 2, 0), "{name}");
            let up = turn * Vec3::z();
            let areas: Vec<f64> =
                triangles.iter().map(|t| t.map(|v| positions[v])).map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).dot(&up)).collect();
            assert!(areas.iter().all(|&a| a > 1e-5 * area), "{name} from {first}: {areas:?}");
            assert!((areas.iter().sum::<f64>() / area - 1.0).abs() < 1e-9, "{name} from {first}: {areas:?}");
            for side in 0..outline.len() {
                let ends = (side, (side + 1) % outline.len());
                let users = triangles.iter().flat_map(|t| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]).filter(|&e| e == ends);
                assert_eq!(users.count(), 1, "{name}: side {side}");
            }
        }
    }

    #[test]
    fn concave_faces_keep_their_area() {
        check("arrow", &[[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [0.5, 1.0]], 1.5);
        check("L", &[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]], 3.0);
        let star: Vec<[f64; 2]> = (0..20)
            .map(|i| {
                let (radius, angle) = (if i % 2 == 0 { 2.0 } else { 0.5 }, f64::from(i) * std::f64::consts::PI / 10.0);
                [radius * angle.cos(), radius * angle.sin()]
            })
            .collect();
        check("star", &star, 10.0 * 2.0 * 0.5 * (std::f64::consts::PI / 10.0).sin());
        // A comb: its teeth are joined by a thin back.
        let mut comb = vec![[0.0, -0.1], [9.0, -0.1]];
        comb.extend((0..9).rev().flat_map(|i| [[f64::from(i) + 1.0, 0.0], [f64::from(i) + 0.5, 5.0], [f64::from(i), 0.0]]));
        comb.dedup();
        check("comb", &comb, 9.0 * 0.1 + 9.0 * 2.5);
    }

    #[test]
    fn corners_on_straight_sides_are_kept_without_flat_triangles() {
        check("triangle of five corners", &[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [0.0, 2.0]], 3.0);
        check("quad that is a triangle", &[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 2.0]], 2.0);
        let side = |i: u32| f64::from(i) / 4.0;
        let square = (0..4).map(|i| [side(i), 0.0]).chain((0..4).map(|i| [1.0, side(i)])).chain((0..4).map(|i| [1.0 - side(i), 1.0]));
        check("square of 16 corners", &square.chain((0..4).map(|i| [0.0, 1.0 - side(i)])).collect::<Vec<_>>(), 1.0);
    }

    #[test]
    fn holes_with_a_bridge_stay_open() {
        let (a, h) = ([0.0, 0.0], [1.0, 1.0]);
        let outer = [[4.0, 0.0], [4.0, 4.0], [0.0, 4.0], a];
        let hole = [[1.0, 2.0], [2.0, 2.0], [2.0, 1.0], h];
        let one = [&[a][..], &outer, &[h], &hole].concat();
        check("one hole", &one, 15.0);
        // A second hole behind the first, its bridge between the same corners' far sides.
        let two =
            [&[a][..], &outer[..2], &[[3.5, 3.5]], &[[3.5, 3.0], [3.0, 3.0], [3.0, 3.5], [3.5, 3.5]], &outer[1..], &[h], &hole].concat();
        check("two holes", &two, 14.75);
    }

    #[test]
    fn many_corners_keep_their_area() {
        // A spiral band, worst for ears: nearly every corner is blunt or blocked at first.
        let (positions, area) = spiral(600, 2.0);
        assert_area(&positions, area);
        // One so thin that a corner sees but its neighbours and those across.
        let (positions, area) = spiral(5_000, 0.02);
        assert_area(&positions, area);
    }

    /// The corners of a band that winds outward, counter-clockwise about -y, and its area.
    fn spiral(steps: i32, width: f64) -> (Vec<Vec3>, f64) {
        let at = |i: i32, radius: f64| {
            let angle = f64::from(i) * 0.05;
            [(radius + angle) * angle.cos(), (radius + angle) * angle.sin()]
        };
        let band: Vec<[f64; 2]> = (0..steps).map(|i| at(i, 1.0 + width)).chain((0..steps).rev().map(|i| at(i, 1.0))).collect();
        let area: f64 =
            (0..band.len()).map(|i| (band[i], band[(i + 1) % band.len()])).map(|(p, q)| 0.5 * (p[0] * q[1] - p[1] * q[0])).sum();
        (band.iter().rev().map(|p| Vec3::new(p[0], 0.0, p[1])).collect(), area.abs())
    }

    fn assert_area(positions: &[Vec3], area: f64) {
        let face: Vec<u32> = (0..positions.len() as u32).collect();
        let (mut sum, mut cutter) = (0.0, Cutter::default());
        let add = |t: [usize; 3]| {
            let [a, b, c] = t.map(|i| positions[i]);
            sum += 0.5 * (b - a).cross(&(c - a)).norm();
        };
        cutter.cut(&face, positions, &Unwatched, add).unwrap();
        assert_eq!(cutter.unsure, 0);
        assert!((sum / area - 1.0).abs() < 1e-9, "{sum} {area}");
    }

    #[test]
    fn a_face_of_many_corners_can_be_given_up() {
        let (positions, _) = spiral(500, 2.0);
        let face: Vec<u32> = (0..positions.len() as u32).collect();
        let is_cancelled = std::sync::atomic::AtomicBool::new(false);
        let watch = crate::watch::Flagged { cancel: &is_cancelled, report: |_: &str, _: f64| {} };
        let mut count = 0;
        let cut = Cutter::default().cut(&face, &positions, &watch, |_| {
            count += 1;
            is_cancelled.store(count >= 300, std::sync::atomic::Ordering::Relaxed);
        });
        assert!(cut.is_err() && (300..400).contains(&count), "{count}");
    }

    #[test]
    fn faces_without_sense_get_as_many_triangles() {
        let positions =
            [Vec3::zeros(), Vec3::repeat(1e308), Vec3::repeat(-1e308), Vec3::x(), Vec3::y() * 1e-320, Vec3::new(0.5, 0.5, 1e-9)];
        let faces: [&[u32]; 6] = [
            &[0, 0, 0, 0, 0],
            &[0, 3, 0, 3, 0, 3, 0],
            &[1, 2, 1, 2, 3],
            &[0, 5, 3, 4, 5, 0, 1, 4],
            &[0, 4, 0, 4],
            &[3, 4, 5, 0, 3, 4, 5, 0, 4],
        ];
        for face in faces {
            let mut count = 0;
            let add = |t: [usize; 3]| {
                assert!(t.iter().all(|&i| i < face.len()));
                count += 1;
            };
            Cutter::default().cut(face, &positions, &Unwatched, add).unwrap();
            assert_eq!(count, face.len() - 2, "{face:?}");
        }
    }
}
