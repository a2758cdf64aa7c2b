#![allow(clippy::unwrap_used, clippy::panic)]
use super::filling::{Unfilled, fill};
use crate::math::Vec3;
use crate::mesh::TriangleMesh;
use crate::watch::Unwatched;

/// A box whose sides are multiples of the spacing has as many particles as cubes, half a spacing from its walls.
#[test]
fn a_box_is_filled_to_the_brim() {
    let cuboid = TriangleMesh::cuboid(&Vec3::new(0.2, 0.3, 0.1), &Vec3::new(0.4, 0.6, 0.2), [0.0; 3]);
    let found = fill(&cuboid.positions, &cuboid.triangles, 0.05, &Unwatched).unwrap();
    assert_eq!(found.len(), 8 * 12 * 4);
    for (k, side) in [0.4, 0.6, 0.2].into_iter().enumerate() {
        let least = found.iter().map(|x| x[k]).fold(f64::INFINITY, f64::min);
        let most = found.iter().map(|x| x[k]).fold(f64::NEG_INFINITY, f64::max);
        assert!((least - 0.025).abs() < 1e-12 && (most - side + 0.025).abs() < 1e-12, "{k}: {least} {most}");
    }
}

/// Of a ball as much as its volume, and nothing outside.
#[test]
fn a_ball_is_filled_by_its_volume() {
    let ball = TriangleMesh::capsule(&Vec3::zeros(), &Vec3::zeros(), 1.0, 64);
    let found = fill(&ball.positions, &ball.triangles, 0.08, &Unwatched).unwrap();
    let volume = found.len() as f64 * 0.08_f64.powi(3);
    assert!((volume / (4.0 / 3.0 * std::f64::consts::PI) - 1.0).abs() < 0.02, "{volume}");
    assert!(found.iter().all(|x| x.norm() < 1.0));
    assert_eq!(found, fill(&ball.positions, &ball.triangles, 0.08, &Unwatched).unwrap());
}

/// Open surfaces, spacings that do not suit, and too many, told before they are made.
#[test]
fn what_cannot_be_filled_is_told() {
    let mut cuboid = TriangleMesh::cuboid(&Vec3::zeros(), &Vec3::repeat(1.0), [0.0; 3]);
    let of = |mesh: &TriangleMesh, spacing| fill(&mesh.positions, &mesh.triangles, spacing, &Unwatched).unwrap_err();
    let Unfilled::Spacing(large) = of(&cuboid, 1.5) else { panic!() };
    assert!(large.contains("larger than the body"), "{large}");
    let Unfilled::Spacing(many) = of(&cuboid, 1e-4) else { panic!() };
    assert!(many.contains("1.00e12 particles") && many.contains("1.00e-2 m"), "{many}");
    cuboid.triangles.pop();
    let Unfilled::Surface(open) = of(&cuboid, 0.1) else { panic!() };
    assert!(open.contains("open at 3 edges"), "{open}");
}
