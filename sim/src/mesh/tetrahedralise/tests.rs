#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use std::sync::atomic::{AtomicUsize, Ordering};

use super::implicit::{RoundCone, RoundedBox, SmoothUnion, Sphere, Torus};
use super::*;
use crate::math::random::Random;
use crate::watch::Unwatched;

fn stuff(field: &impl SignedDistanceField, cell: f64) -> Stuffing {
    tetrahedralise(field, &Options { cell, ..Options::default() }, &Unwatched).unwrap()
}

fn volume(mesh: &Stuffing) -> f64 {
    mesh.tets.iter().map(|t| quality::volume(&mesh.positions, t)).sum()
}

/// Checks what holds for every stuffing and returns the Euler characteristic of its surface.
fn check(field: &impl SignedDistanceField, mesh: &Stuffing, cell: f64) -> i64 {
    let (low, high) = quality::dihedral_extremes(&mesh.positions, &mesh.tets);
    assert!(low > 10.0 && high < 165.0, "dihedral angles {low} to {high}");
    assert_eq!(sound(&mesh.positions, &mesh.tets), Ok(mesh.components));
    let faces = boundary::faces(&mesh.tets);
    let mut vertices: Vec<u32> = faces.iter().flatten().copied().collect();
    vertices.sort_unstable();
    vertices.dedup();
    if mesh.repairs.pinched_tets == 0 {
        for &v in &vertices {
            let off = field.distance(&mesh.positions[v as usize]).abs();
            assert!(off < 1e-6 * cell, "vertex {v} lies {off} m off the surface");
        }
    }
    vertices.len() as i64 - faces.len() as i64 / 2
}

#[test]
fn ball_converges_to_second_order() {
    let ball = Sphere { centre: Vec3::new(0.1, -0.2, 0.3), radius: 1.0 };
    let exact = 4.0 / 3.0 * std::f64::consts::PI;
    let errors = [0.3, 0.15, 0.075].map(|cell| {
        let mesh = stuff(&ball, cell);
        assert_eq!((check(&ball, &mesh, cell), mesh.components), (2, 1));
        1.0 - volume(&mesh) / exact
    });
    assert!(errors[2] > 0.0 && errors[2] < 5e-3, "{errors:?}");
    assert!(errors[0] / errors[1] > 3.0 && errors[1] / errors[2] > 3.0, "{errors:?}");
}

#[test]
fn torus_has_one_hole() {
    let torus = Torus { centre: Vec3::zeros(), ring: 1.0, tube: 0.35 };
    let mesh = stuff(&torus, 0.12);
    assert_eq!((check(&torus, &mesh, 0.12), mesh.components), (0, 1));
}

#[test]
fn angles_hold_wherever_the_surface_cuts() {
    // Many positions of a small ball, a cone and a box against the lattice: every stencil occurs.
    for i in 0..60 {
        let shift = Vec3::new(f64::from(i * 7 % 60), f64::from(i * 13 % 60), f64::from(i * 23 % 60)) / 60.0;
        let ball = Sphere { centre: shift, radius: 2.3 + shift.x };
        assert_eq!(check(&ball, &stuff(&ball, 1.0), 1.0), 2);
        let cone = RoundCone { ends: [shift, Vec3::new(6.0, 3.0, 4.0) - shift], radii: [2.0, 1.3] };
        assert_eq!(check(&cone, &stuff(&cone, 1.0), 1.0), 2);
        let block = RoundedBox { centre: shift, half: Vec3::new(2.2, 2.9, 3.1) + 0.2 * shift, rounding: 0.3 };
        check(&block, &stuff(&block, 1.0), 1.0);
    }
}

/// Crowded waves, finer than the lattice in places: sheets and strands that touch in edges and points.
struct Rough(f64);

impl SignedDistanceField for Rough {
    fn distance(&self, p: &Vec3) -> f64 {
        let wave = |x: f64, y: f64, z: f64| (Vec3::new(x, y, z).dot(p) + self.0).sin();
        let waves = wave(1.7, 0.9, -1.1) + wave(-0.8, 2.1, 1.3) + wave(1.1, -1.2, 1.9) + 0.7 * wave(2.9, 2.3, -3.1);
        (p.norm() - 5.0).max(0.6 * waves)
    }
    fn bounds(&self) -> (Vec3, Vec3) {
        (Vec3::repeat(-5.1), Vec3::repeat(5.1))
    }
    fn lipschitz(&self) -> f64 {
        7.0
    }
}

#[test]
fn unresolved_detail_still_gives_a_sound_solid() {
    let mut repaired = 0;
    for i in 0..6 {
        let field = Rough(0.37 * f64::from(i));
        let mesh = stuff(&field, 0.9);
        check(&field, &mesh, 0.9);
        repaired += mesh.repairs.pinched_tets + mesh.repairs.split_vertices;
    }
    assert!(repaired > 0, "the field no longer exercises the repair");
}

#[test]
fn balls_apart_stay_apart_and_crumbs_are_dropped() {
    let ball = |x: f64, radius: f64| Box::new(Sphere { centre: Vec3::new(x, 0.0, 0.0), radius });
    let pair = SmoothUnion { parts: vec![ball(-1.5, 1.0), ball(1.5, 0.8)], blend: 0.0 };
    let mesh = stuff(&pair, 0.2);
    assert_eq!((check(&pair, &mesh, 0.2), mesh.components, mesh.repairs.dropped_components), (4, 2, 0));

    let crumb = SmoothUnion { parts: vec![ball(-1.5, 1.0), ball(1.5, 0.15)], blend: 0.0 };
    let mesh = stuff(&crumb, 0.2);
    assert_eq!((mesh.components, mesh.repairs.dropped_components), (1, 1));
}

#[test]
fn thread_count_does_not_matter() {
    let torus = Torus { centre: Vec3::zeros(), ring: 1.0, tube: 0.3 };
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| stuff(&torus, 0.1))
    };
    let (one, four) = (run(1), run(4));
    assert_eq!((one.positions, one.tets), (four.positions, four.tets));
}

#[test]
fn bad_input_is_named() {
    struct Lie(fn(&Vec3) -> f64);
    impl SignedDistanceField for Lie {
        fn distance(&self, p: &Vec3) -> f64 {
            self.0(p)
        }
        fn bounds(&self) -> (Vec3, Vec3) {
            (Vec3::repeat(-1.0), Vec3::repeat(1.0))
        }
    }
    let run = |f, cell| tetrahedralise(&Lie(f), &Options { cell, ..Options::default() }, &Unwatched).unwrap_err();
    let ball: fn(&Vec3) -> f64 = |p| p.norm() - 0.8;
    assert!(matches!(run(ball, 0.0), StuffingError::Cell { .. }));
    assert!(matches!(run(ball, f64::NAN), StuffingError::Cell { .. }));
    assert!(matches!(run(ball, 1e-6), StuffingError::TooManyCells { .. }));
    assert!(matches!(run(|_| f64::NAN, 0.2), StuffingError::NotANumber { .. }));
    assert!(matches!(run(|p| p.norm() - 3.0, 0.2), StuffingError::OutOfBounds { .. }));
    assert!(matches!(run(|_| 0.1, 0.2), StuffingError::Empty { .. }));
}

/// A ball whose sign is noise in a band around its surface, in grains of a given size, and which is open above a height: the
/// distance there is that to the rim, and jumps.
struct Dirty {
    seed: u64,
    grain: f64,
    band: f64,
    open_above: f64,
}

impl SignedDistanceField for Dirty {
    fn distance(&self, p: &Vec3) -> f64 {
        let rim = (1.0 - self.open_above * self.open_above).sqrt();
        let off =
            if p.y > self.open_above * p.norm() { (p.x.hypot(p.z) - rim).hypot(p.y - self.open_above) } else { (p.norm() - 1.0).abs() };
        let grain = p
            .iter()
            .fold(self.seed, |h, x| (h ^ (x / self.grain).floor() as i64 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29));
        let noisy = off < self.band && Random::new(grain).uniform(0.0, 1.0) < 0.5;
        if (p.norm() < 1.0 && p.y < self.open_above) != noisy { -off } else { off }
    }
    fn bounds(&self) -> (Vec3, Vec3) {
        (Vec3::repeat(-1.0 - self.band), Vec3::repeat(1.0 + self.band))
    }
}

#[test]
fn dirty_fields_give_sound_solids() {
    let (mut pinched, mut smallest) = (0, f64::INFINITY);
    for (seed, open_above) in (0..).zip([-0.4, 0.0, 0.35, 0.6]) {
        for (grain, band) in [(1e-4, 0.0), (1e-4, 0.2), (0.08, 0.3), (0.25, 0.3)] {
            let mesh = stuff_graded(&Dirty { seed, grain, band, open_above }, 0.12, f64::from(seed as u32 + 1));
            assert_eq!(sound(&mesh.positions, &mesh.tets), Ok(mesh.components));
            smallest = quality::dihedral_extremes(&mesh.positions, &mesh.tets).0.min(smallest);
            pinched += mesh.repairs.pinched_tets;
            if band == 0.0 {
                // The open ball is closed by a lid at its rim: what is left of the ball below.
                let h = 1.0 + open_above;
                let exact = std::f64::consts::PI * h * h * (3.0 - h) / 3.0;
                assert!((volume(&mesh) / exact - 1.0).abs() < 0.05, "{} of {exact}", volume(&mesh));
            }
        }
    }
    assert!(smallest > 9.3 && pinched > 0, "{smallest} {pinched}");
}

fn stuff_graded(field: &impl SignedDistanceField, cell: f64, grading: f64) -> Stuffing {
    tetrahedralise(field, &Options { cell, grading, ..Options::default() }, &Unwatched).unwrap()
}

#[test]
fn grading_changes_the_inside_only() {
    let ball = Sphere { centre: Vec3::new(0.1, 0.2, 0.3), radius: 1.0 };
    let block = RoundedBox { centre: Vec3::new(0.3, 0.1, 0.2), half: Vec3::new(1.3, 0.9, 0.7), rounding: 0.2 };
    let torus = Torus { centre: Vec3::zeros(), ring: 1.0, tube: 0.5 };
    for field in [&ball as &dyn SignedDistanceField, &block, &torus] {
        let field = &Borrowed(field);
        let surface = |mesh: &Stuffing| {
            let corner = |v: u32| mesh.positions[v as usize].map(f64::to_bits);
            let mut faces: Vec<_> = boundary::faces(&mesh.tets).iter().map(|f| f.map(|v| <[u64; 3]>::from(corner(v)))).collect();
            faces.iter_mut().for_each(|f| f.sort_unstable());
            faces.sort_unstable();
            faces
        };
        let cell = 0.1;
        let uniform = stuff(field, cell);
        assert_eq!(stuff_graded(field, cell, 1.9).tets, uniform.tets);
        let mut tets = uniform.tets.len();
        for grading in [2.0, 4.0, 8.0] {
            let graded = stuff_graded(field, cell, grading);
            check(field, &graded, cell);
            assert_eq!(surface(&graded), surface(&uniform));
            // Neither gaps nor overlaps.
            let gap = volume(&graded) / volume(&uniform) - 1.0;
            assert!(gap.abs() < 1e-10, "{gap}");
            assert!(graded.tets.len() <= tets, "{grading}: {} of {tets}", graded.tets.len());
            tets = graded.tets.len();
        }
        assert!(10 * tets < 9 * uniform.tets.len(), "{tets} of {}", uniform.tets.len());
    }
}

/// A field behind a reference.
struct Borrowed<'a>(&'a dyn SignedDistanceField);

impl SignedDistanceField for Borrowed<'_> {
    fn distance(&self, p: &Vec3) -> f64 {
        self.0.distance(p)
    }
    fn bounds(&self) -> (Vec3, Vec3) {
        self.0.bounds()
    }
    fn lipschitz(&self) -> f64 {
        self.0.lipschitz()
    }
}

#[test]
fn a_field_that_breaks_its_bound_is_followed() {
    struct Steep;
    impl SignedDistanceField for Steep {
        fn distance(&self, p: &Vec3) -> f64 {
            f64::MAX * (p.norm() - 0.8)
        }
        fn bounds(&self) -> (Vec3, Vec3) {
            (Vec3::repeat(-1.0), Vec3::repeat(1.0))
        }
    }
    let mesh = stuff(&Steep, 0.1);
    assert_eq!(sound(&mesh.positions, &mesh.tets), Ok(1));
    assert!((volume(&mesh) / (4.0 / 3.0 * std::f64::consts::PI * 0.512) - 1.0).abs() < 0.02);
}

/// A field that counts how often it is asked.
struct Counted<'a> {
    field: &'a dyn SignedDistanceField,
    asked: AtomicUsize,
}

impl SignedDistanceField for Counted<'_> {
    fn distance(&self, p: &Vec3) -> f64 {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.field.distance(p)
    }
    fn bounds(&self) -> (Vec3, Vec3) {
        self.field.bounds()
    }
}

/// Of a needle across its box the lattice has as many cells near the surface as the needle is long; the box has the cube of that.
#[test]
fn far_from_the_surface_the_field_is_hardly_asked() {
    let asked = |length: f64| {
        let needle = RoundCone { ends: [Vec3::zeros(), Vec3::new(length, 0.9 * length, 0.8 * length)], radii: [2.0; 2] };
        let field = Counted { field: &needle, asked: AtomicUsize::new(0) };
        stuff(&field, 1.0);
        field.asked.into_inner() as f64
    };
    let (short, long) = (asked(150.0), asked(600.0));
    assert!(long < 1.25 * 4.0 * short, "{short} times where it is short, {long} where it is four times as long");
}
