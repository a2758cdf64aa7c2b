#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use super::super::implicit::{RoundCone, RoundedBox, SmoothUnion, Sphere, Torus};
use super::super::{SignedDistanceField, Stuffing, boundary, quality, tetrahedralise};
use super::*;
use crate::watch::Unwatched;

/// The surface near `p`: Newton's method along the field's slope.
fn project(field: &dyn SignedDistanceField, p: &Vec3) -> Vec3 {
    let mut x = *p;
    for _ in 0..8 {
        let step = 1e-6;
        let slope = Vec3::from_fn(|d, _| {
            let e = Vec3::ith(d, step);
            (field.distance(&(x + e)) - field.distance(&(x - e))) / (2.0 * step)
        });
        if slope.norm() > 1e-6 {
            x -= slope * (field.distance(&x) / slope.norm_squared());
        }
    }
    x
}

fn stuff(field: &impl SignedDistanceField, cell: f64) -> Stuffing {
    tetrahedralise(field, &super::super::Options { cell, ..Default::default() }, &Unwatched).unwrap()
}

fn volume(positions: &[Vec3], tets: &[[u32; 4]]) -> f64 {
    tets.iter().map(|t| quality::volume(positions, t)).sum()
}

fn mean_shape(positions: &[Vec3], tets: &[[u32; 4]]) -> f64 {
    tets.iter().map(|t| quality::mean_ratio(positions, t)).sum::<f64>() / tets.len() as f64
}

/// Improves a stuffing of `field`, checks what always holds, and returns the smallest angle.
fn improved(field: &impl SignedDistanceField, cell: f64, volume_error: f64) -> f64 {
    let Stuffing { mut positions, tets, .. } = stuff(field, cell);
    let before = (volume(&positions, &tets), mean_shape(&positions, &tets));
    let done = improve(&mut positions, &tets, &|p| project(field, p), &Options::default(), &Unwatched).unwrap();
    assert_eq!(done.after_degrees, dihedral_extremes(&positions, &tets));
    assert!(done.after_degrees.0 >= done.before_degrees.0, "{done:?}");
    assert!(tets.iter().all(|t| quality::volume(&positions, t) > 0.0));
    let after = (volume(&positions, &tets), mean_shape(&positions, &tets));
    assert!(after.1 >= before.1, "mean ratio {} to {}", before.1, after.1);
    assert!((after.0 / before.0 - 1.0).abs() < volume_error, "volume {} to {}", before.0, after.0);
    for &v in boundary::faces(&tets).iter().flatten() {
        let off = field.distance(&positions[v as usize]).abs();
        assert!(off < 1e-6 * cell, "vertex {v} lies {off} m off the surface");
    }
    done.after_degrees.0
}

#[test]
fn smooth_solids_reach_28_degrees_and_boxes_15() {
    for i in 0..8 {
        let shift = Vec3::new(f64::from(i * 7 % 8), f64::from(i * 3 % 8), f64::from(i * 5 % 8)) / 8.0;
        let ball = Sphere { centre: shift, radius: 4.3 + shift.x };
        let torus = Torus { centre: shift, ring: 5.0, tube: 2.1 };
        let cone = RoundCone { ends: [shift, Vec3::new(9.0, 4.0, 5.0) - shift], radii: [3.0, 1.8] };
        let angles = [improved(&ball, 1.0, 0.003), improved(&torus, 1.0, 0.003), improved(&cone, 1.0, 0.003)];
        assert!(angles.iter().all(|a| *a > 28.0), "{angles:?}");
        let block = RoundedBox { centre: shift, half: Vec3::new(3.2, 3.9, 4.1) + 0.2 * shift, rounding: 0.0 };
        assert!(improved(&block, 1.0, 0.01) > 15.0);
    }
}

#[test]
fn a_crease_is_improved_too() {
    let ball = |x: f64| Sphere { centre: Vec3::new(x, 0.1 * x, 0.07), radius: 1.0 };
    let pair = SmoothUnion { parts: vec![Box::new(ball(-0.6)), Box::new(ball(0.6))], blend: 0.0 };
    assert!(improved(&pair, 0.15, 0.003) > 20.0);
}

#[test]
fn vertices_off_the_surface_stay() {
    let ball = Sphere { centre: Vec3::zeros(), radius: 1.0 };
    let Stuffing { mut positions, tets, .. } = stuff(&ball, 0.2);
    // A projection to somewhere else: nothing of the boundary lies there.
    let larger = Sphere { radius: 1.1, ..ball };
    let before = positions.clone();
    improve(&mut positions, &tets, &|p| project(&larger, p), &Options::default(), &Unwatched).unwrap();
    assert!(boundary::faces(&tets).iter().flatten().all(|&v| positions[v as usize] == before[v as usize]));
    assert_ne!(positions, before);
}

#[test]
fn a_projection_that_is_not_a_number_is_refused() {
    let ball = Sphere { centre: Vec3::zeros(), radius: 1.0 };
    let Stuffing { mut positions, tets, .. } = stuff(&ball, 0.2);
    let done = improve(&mut positions, &tets, &|_| Vec3::repeat(f64::NAN), &Options::default(), &Unwatched).unwrap();
    assert!(done.after_degrees.0 >= done.before_degrees.0);
    assert!(positions.iter().all(|p| p.iter().all(|x| x.is_finite())));
}

#[test]
fn thread_count_does_not_matter() {
    let torus = Torus { centre: Vec3::zeros(), ring: 1.0, tube: 0.3 };
    let Stuffing { positions, tets, .. } = stuff(&torus, 0.1);
    let run = |threads| {
        let mut moved = positions.clone();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| improve(&mut moved, &tets, &|p| project(&torus, p), &Options::default(), &Unwatched)).unwrap();
        moved
    };
    assert_eq!(run(1), run(4));
}

/// Stars that look the same from both sides have their best place in the middle: Newton's step gets there but for the third power of how far
/// it was, inside and on a flat boundary.
#[test]
fn smoothing_is_newtons_method() {
    let shear = |p: Vec3| Vec3::new(p.x + 0.6 * p.y, p.y + 0.2 * p.z, p.z);
    for inside in [true, false] {
        let spokes = [Vec3::x(), -Vec3::x(), 0.9 * Vec3::y(), -0.9 * Vec3::y(), 1.1 * Vec3::z(), -1.1 * Vec3::z()];
        let bend = |p: Vec3| if inside { shear(p) } else { Vec3::new(p.x + 0.6 * p.y, p.y, p.z) };
        let mut positions = vec![Vec3::zeros()];
        positions.extend(spokes.map(bend));
        let mut tets = Vec::new();
        for (x, y, z) in [1, 2].into_iter().flat_map(|x| [3, 4].map(|y| (x, y))).flat_map(|(x, y)| [5, 6].map(|z| (x, y, z))) {
            if !inside && z == 6 {
                continue;
            }
            let tet = [0, x, y, z];
            tets.push(if quality::volume(&positions, &tet) > 0.0 { tet } else { [0, y, x, z] });
        }
        let plane = |p: &Vec3| if inside { *p } else { Vec3::new(p.x, p.y, 0.0) };
        let away = 0.02 * if inside { Vec3::new(0.5, -0.6, 0.6) } else { Vec3::new(0.6, 0.8, 0.0) };
        positions[0] = away;
        let surface = Surface::new(&positions, &tets, &plane);
        assert_eq!(surface.is_inside(0), inside);
        let to = smooth::relax(&positions, &Stars::new(7, &tets), &surface, &Bounds::new((1.0, 179.0)), 0).unwrap();
        assert!(to.norm() < 0.02 * away.norm(), "{inside}: {to}");
    }
}
