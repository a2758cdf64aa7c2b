//! The filter against inversion on a triangle in its plane, whose area is a quadratic function of the step (Li et al. 2024, 15.3):
//! the tetrahedron of unit height over it, whose top follows the first corner, has det D_s twice that area.

use super::volume_filter::max_step;
use crate::math::random::Random;
use crate::math::{Mat3, Vec3};

/// Share of the area that a step must leave.
const KEPT: f64 = 0.2;

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// The first root in [0, 1] of det(a + t da, b + t db) = kept det(a, b), or 1.
fn closed_form([a, b]: [[f64; 2]; 2], [da, db]: [[f64; 2]; 2]) -> f64 {
    let area = cross(a, b);
    let (constant, linear, quadratic) = ((1.0 - KEPT) * area, cross(a, db) + cross(da, b), cross(da, db));
    let under = linear * linear - 4.0 * quadratic * constant;
    let roots = if under < 0.0 { [f64::NAN; 2] } else { [1.0, -1.0].map(|sign| 2.0 * constant / (-linear + sign * under.sqrt())) };
    roots.into_iter().filter(|t| (0.0..=1.0).contains(t)).fold(1.0, f64::min)
}

#[test]
fn the_area_of_a_triangle_in_its_plane_stays_above_its_share_as_the_closed_form_says() {
    let mut random = Random::new(5);
    let (mut stopped, mut whole) = (0, 0);
    for trial in 0..2000 {
        let mut pair = |size: f64| {
            [[random.uniform(-size, size), random.uniform(-size, size)], [random.uniform(-size, size), random.uniform(-size, size)]]
        };
        let (mut edges, change) = (pair(1.0), pair(1.5));
        if cross(edges[0], edges[1]) < 0.0 {
            edges.swap(0, 1);
        }
        let lifted = |[a, b]: [[f64; 2]; 2], height: f64| {
            Mat3::from_columns(&[Vec3::new(a[0], a[1], 0.0), Vec3::new(b[0], b[1], 0.0), Vec3::new(0.0, 0.0, height)])
        };
        let (found, expected) = (max_step(&lifted(edges, 1.0), &lifted(change, 0.0)), closed_form(edges, change));
        assert!((found - expected).abs() < 1e-9, "trial {trial}: {found} {expected}");
        let area = |t: f64| {
            let at = |k: usize| [edges[k][0] + t * change[k][0], edges[k][1] + t * change[k][1]];
            cross(at(0), at(1))
        };
        assert!((0..=100).all(|k| area(found * f64::from(k) / 100.0) >= (KEPT - 1e-9) * area(0.0)), "trial {trial}");
        stopped += usize::from(found < 1.0);
        whole += usize::from(found == 1.0);
    }
    assert!(stopped > 500 && whole > 200, "{stopped} {whole}");
}
