//! What a joint of a discrete elastic rod measures of its two edges and their twist (Bergou et al. 2008, 2010). Its material frames follow the edges
//! ([`Adapted`]), and the unit quaternion r that turns the first into the second, in the axes of the first, is the parallel transport of the first
//! frame along the edges, and then the twist about the second: with the angle b between the edges, the twist a, and n across, in the frame that is
//! half way in twist,
//!
//! ```text
//! r = (cos(b/2) cos(a/2), sin(b/2) n, cos(b/2) sin(a/2))
//! ```
//!
//! So the curvature binormal 2 t1 x t2 / (1 + t1 . t2), of length 2 tan(b/2), has in that frame the components 2 (r1, r2) / |(r0, r3)|, and the twist is
//! 2 atan(r3 / r0): both see the ratios of r alone, which need not have unit length. Bergou et al. take the mean of the components in the frames of
//! both edges, which is cos(a/2) of these; so a straight rod of round section bends alike however it is twisted.

use nalgebra::{Matrix4, Quaternion, Vector2, Vector4};

use super::adapted::{Adapted, BySide};
use super::bend_twist::{BENDING, CHANGE, TWISTING};
use super::{MOST_CHANGE, Measure, Strain, write_frames};
use crate::element::{FamilyKind, Unattainable};
use crate::math::{Mat3, Vec3};

/// Edges between three nodes, and the frames of two more.
#[derive(Debug, Clone)]
pub struct CurvatureTwist {
    /// Arms of the internal nodes [m].
    arms: [f64; 2],
    /// The frames in the given shape, the second one turned about its edge so that nothing is twisted there.
    frames: [Quaternion<f64>; 2],
    /// Half of the length of each of the two segments, together [m].
    pub length: f64,
}

static KIND: FamilyKind = FamilyKind { name: "discrete joints", rest_numbers: 15, fields: &[BENDING, TWISTING, CHANGE] };

/// Which edges and internal nodes each node is an end of, and with which sign: the first edge, its frame, the second edge, its frame.
const PARTS: [&[(usize, f64)]; 5] = [&[(0, -1.0)], &[(0, 1.0), (2, -1.0)], &[(2, 1.0)], &[(1, 1.0)], &[(3, 1.0)]];

/// The edges may not be nearer to pointing against one another than this, as the cosine of half their angle.
const REVERSED: f64 = 1e-3;

/// Both material frames, and the second in the first.
struct Pair {
    sides: [Adapted; 2],
    frames: [Quaternion<f64>; 2],
    relative: Relative,
}

/// r, of any length, with a real part that is not negative, and which sign that took.
struct Relative {
    r: Quaternion<f64>,
    sign: f64,
    /// |(r0, r3)|.
    share: f64,
}

impl Relative {
    fn of(r: Quaternion<f64>) -> Self {
        let sign = if r.w < 0.0 { -1.0 } else { 1.0 };
        let r = sign * r;
        Self { r, sign, share: r.w.hypot(r.k).max(f64::MIN_POSITIVE) }
    }

    fn value(&self) -> Vec3 {
        let Self { r, share, .. } = self;
        Vec3::new(2.0 * r.i / share, 2.0 * r.j / share, 2.0 * r.k.atan2(r.w))
    }

    /// (r0, r3) over its length.
    fn direction(&self) -> Vector2<f64> {
        Vector2::new(self.r.w, self.r.k) / self.share
    }

    /// Gradient of `f` . value by r, as it was before its sign was taken.
    fn gradient(&self, f: &Vec3) -> Quaternion<f64> {
        let (unit, bent) = (self.direction(), f.x * self.r.i + f.y * self.r.j);
        let along = -2.0 * bent / self.share.powi(2) * unit + 2.0 * f.z / self.share * Vector2::new(-unit.y, unit.x);
        self.sign * Quaternion::new(along.x, 2.0 * f.x / self.share, 2.0 * f.y / self.share, along.y)
    }

    /// Second derivatives of the same, by the coordinates (i, j, k, 1).
    fn curvature(&self, f: &Vec3) -> Matrix4<f64> {
        let (unit, bent) = (self.direction(), f.x * self.r.i + f.y * self.r.j);
        let (c, s) = (unit.x, unit.y);
        let square = self.share.powi(2);
        let across = -2.0 / square * f.xy() * unit.transpose();
        let bends = 2.0 * bent / self.share.powi(3);
        let (ww, kk, wk) = (bends * (3.0 * c * c - 1.0), bends * (3.0 * s * s - 1.0), bends * 3.0 * c * s);
        let twist = f.z / square;
        let (ww, kk, wk) = (ww + twist * 4.0 * c * s, kk - twist * 4.0 * c * s, wk + twist * 2.0 * (s * s - c * c));
        let (iw, jw, ik, jk) = (across[(0, 0)], across[(1, 0)], across[(0, 1)], across[(1, 1)]);
        Matrix4::new(0.0, 0.0, ik, iw, 0.0, 0.0, jk, jw, ik, jk, kk, wk, iw, jw, wk, ww)
    }
}

impl CurvatureTwist {
    /// Of edges [m] with these frames in the given shape, whose third axes are along them.
    ///
    /// # Errors
    /// [`Unattainable::FoldedBack`] where they point against one another.
    pub fn new(edges: &[Vec3; 2], frames: [Quaternion<f64>; 2]) -> Result<Self, Unattainable> {
        let [a, b] = edges.map(|edge| edge.norm());
        let relative = Relative::of(frames[0].conjugate() * frames[1]);
        let is_bent = relative.share > REVERSED * relative.r.norm();
        if !is_bent {
            return Err(Unattainable::FoldedBack);
        }
        let half = 0.5 * relative.value().z;
        let back = Quaternion::new(half.cos(), 0.0, 0.0, -half.sin());
        Ok(Self { arms: [a, b], frames: [frames[0], frames[1] * back], length: 0.5 * (a + b) })
    }

    fn pair(&self, x: &[Vec3; 5]) -> Pair {
        let edges = [x[1] - x[0], x[2] - x[1]];
        let sides = [0, 1].map(|k| Adapted::of(&x[3 + k], self.arms[k], &self.frames[k], &edges[k]));
        let frames = sides.each_ref().map(Adapted::quaternion);
        Pair { relative: Relative::of(frames[0].conjugate() * frames[1]), sides, frames }
    }
}

impl Pair {
    /// What pulls at each of the frames, where `h` pulls at r: h . (conj(p) q) = (q conj(h)) . p = (p h) . q.
    fn pulls(&self, h: &Quaternion<f64>) -> [Quaternion<f64>; 2] {
        [self.frames[1] * h.conjugate(), self.frames[0] * h]
    }
}

impl Measure<5> for CurvatureTwist {
    fn kind() -> &'static FamilyKind {
        &KIND
    }

    fn value(&self, x: &[Vec3; 5]) -> Vec3 {
        self.pair(x).relative.value()
    }

    fn by_nodes(&self, x: &[Vec3; 5]) -> [Mat3; 5] {
        let pair = self.pair(x);
        let by = pair.sides.each_ref().map(Adapted::by_side);
        let mut parts = [Mat3::zeros(); 4];
        for axis in 0..3 {
            let pulls = pair.pulls(&pair.relative.gradient(&Vec3::ith(axis, 1.0)));
            for (side, (by, pull)) in by.iter().zip(&pulls).enumerate() {
                let row = by.tr_mul(&pull.coords);
                parts[2 * side].set_row(axis, &row.fixed_rows::<3>(0).transpose());
                parts[2 * side + 1].set_row(axis, &row.fixed_rows::<3>(3).transpose());
            }
        }
        PARTS.map(|ends| ends.iter().map(|&(part, sign)| sign * parts[part]).sum())
    }

    fn curvature(&self, x: &[Vec3; 5], f: &Vec3) -> [[Mat3; 5]; 5] {
        let pair = self.pair(x);
        let by = pair.sides.each_ref().map(Adapted::by_side);
        let pull = pair.relative.gradient(f);
        let bent = pair.relative.curvature(f);
        let of_column = |by: &BySide, k: usize| Quaternion::from(by.column(k).into_owned());
        let columns = |change: &dyn Fn(usize) -> Vector4<f64>| BySide::from_fn(|row, column| change(column)[row]);
        let r = [
            columns(&|k| (of_column(&by[0], k).conjugate() * pair.frames[1]).coords),
            columns(&|k| (pair.frames[0].conjugate() * of_column(&by[1], k)).coords),
        ];
        let own = |side: usize, pulled: &Quaternion<f64>| {
            let [of_edge, mixed, of_node] = pair.sides[side].curvature(pulled);
            let mut whole = r[side].tr_mul(&(bent * r[side]));
            for (i, j, block) in [(0, 0, of_edge), (0, 3, mixed), (3, 0, mixed.transpose()), (3, 3, of_node)] {
                let mut place = whole.fixed_view_mut::<3, 3>(i, j);
                place += block;
            }
            whole
        };
        let pulls = pair.pulls(&pull);
        let turned = columns(&|k| (of_column(&by[0], k) * pull).coords);
        let mixed = r[0].tr_mul(&(bent * r[1])) + turned.tr_mul(&by[1]);
        let sides = [[own(0, &pulls[0]), mixed], [mixed.transpose(), own(1, &pulls[1])]];
        let part = |a: usize, b: usize| sides[a / 2][b / 2].fixed_view::<3, 3>(3 * (a % 2), 3 * (b % 2)).into_owned();
        PARTS.map(|first| {
            PARTS.map(|second| {
                let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
                pairs.map(|(a, b)| a.1 * b.1 * part(a.0, b.0)).sum()
            })
        })
    }

    /// Of the change, its length is at least the angle; what is twisted by half a turn is twisted as far the other way.
    fn is_attainable(&self, value: &Vec3, change: &Vec3) -> Result<(), Unattainable> {
        let angle = change.norm();
        let mut share = if angle > MOST_CHANGE { MOST_CHANGE / angle } else { 1.0 };
        let half_turn = std::f64::consts::PI;
        if (value.z - share * change.z).abs() >= half_turn {
            share = ((half_turn - value.z.abs()) / change.z.abs()).clamp(0.0, share);
        }
        if share < 1.0 { Err(Unattainable::RestBend { attainable_share: share, angle }) } else { Ok(()) }
    }

    fn bulk(&self) -> f64 {
        self.length
    }

    /// The frames in the given shape, as x, y, z, w.
    fn further_numbers(&self, numbers: &mut [f64]) {
        write_frames(&self.frames, numbers);
    }

    fn fields(&self, strain: &Strain, values: &mut [f64]) {
        // The torque on the second edge with its frame, in the axes of the first: half of Im(h conj(r)).
        let half = 0.5 * strain.value.z;
        let relative = Relative::of(Quaternion::new(half.cos(), 0.5 * strain.value.x, 0.5 * strain.value.y, half.sin()));
        let moment = 0.5 * (relative.gradient(&strain.force) * relative.r.conjugate()).imag();
        values.copy_from_slice(&[moment.xy().norm(), moment.z, strain.change.norm()]);
    }
}
