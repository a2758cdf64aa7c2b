//! Volumes of pieces against the surface's, surfaces that stay as they are, and pieces of shapes that are known.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::math::Mat3;
use crate::math::random::Random;
use crate::mesh::structured::{CubeCut, box_mesh};
use crate::mesh::topology::Faces;
use crate::watch::Unwatched;

/// The surface of a box, with all of its vertices.
fn box_surface(size: Vec3, cells: [usize; 3]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (positions, tets) = box_mesh(size, cells, CubeCut::Five);
    let (triangles, _) = Faces::of(&tets).boundary(&tets);
    (positions, triangles)
}

fn volume(positions: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let cone = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| positions[v as usize] - positions[0]);
        a.dot(&b.cross(&c)) / 6.0
    };
    triangles.iter().map(cone).sum()
}

fn area(positions: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let of = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| positions[v as usize]);
        0.5 * (b - a).cross(&(c - a)).norm()
    };
    triangles.iter().map(of).sum()
}

/// Everything that holds of any surface that was cut.
fn check(positions: &[Vec3], triangles: &[[u32; 3]], size: f64) -> CutCells {
    let cut = cut(positions, triangles, size, &Unwatched).unwrap();
    let whole = volume(positions, triangles);
    let sum: f64 = cut.pieces.volumes.iter().sum();
    assert!((sum / whole - 1.0).abs() < 1e-12, "volumes {sum} of {whole}");
    assert!(cut.pieces.volumes.iter().all(|volume| *volume > 0.0 && *volume < 4.0 * size.powi(3)));
    assert_eq!(&cut.positions[..positions.len()], positions, "the surface's own vertices");
    assert!(open_edge(&cut.surface).is_none());
    // No two vertices are in one place, and no triangle is flat.
    let mut places: Vec<[u64; 3]> = cut.positions.iter().map(|p| [0, 1, 2].map(|axis| (p[axis] + 0.0).to_bits())).collect();
    places.sort_unstable();
    assert!(places.windows(2).all(|pair| pair[0] != pair[1]), "vertices in one place, cells of {size}");
    let flattest = cut.surface.iter().map(|t| area(&cut.positions, &[*t])).fold(f64::INFINITY, f64::min);
    assert!(flattest > 1e-18 * size * size, "{flattest:e}, cells of {size}");
    assert!((volume(&cut.positions, &cut.surface) / whole - 1.0).abs() < 1e-12);
    assert!((area(&cut.positions, &cut.surface) / area(positions, triangles) - 1.0).abs() < 1e-12);
    // Every vertex is one of a piece, which lies within its cells.
    let mut used = vec![false; cut.positions.len()];
    for vertices in cut.pieces.iter() {
        assert!(vertices.len() >= 4 && vertices.is_sorted());
        vertices.iter().for_each(|&v| used[v as usize] = true);
    }
    cut.surface.as_flattened().iter().for_each(|&v| assert!(used[v as usize], "{v}"));
    cut
}

#[test]
fn a_box_is_cut_into_boxes() {
    let (positions, triangles) = box_surface(Vec3::new(1.0, 1.0, 1.0), [1; 3]);
    // All vertices lie on one plane modulo the size: planes go within the cell beside it.
    let found = check(&positions, &triangles, 0.25);
    assert_eq!((found.pieces.len(), found.merged), (5 * 5 * 5, 0));
    let mut volumes: Vec<f64> = found.pieces.volumes.iter().map(|volume| volume / 0.25f64.powi(3)).collect();
    volumes.sort_by(f64::total_cmp);
    let [x, y, z] = grid::INTO_GAP.map(|share| [share, 1.0, 1.0, 1.0, 1.0 - share]);
    let mut expected: Vec<f64> = (0..125).map(|k| x[k / 25] * y[k / 5 % 5] * z[k % 5]).collect();
    expected.sort_by(f64::total_cmp);
    volumes.iter().zip(&expected).for_each(|(found, expected)| assert!((found - expected).abs() < 1e-9, "{found} {expected}"));
    // Inner ones have the eight corners of the grid, and nothing of the surface.
    let on_surface = |v: &u32| found.surface.as_flattened().contains(v);
    let inner = found.pieces.iter().filter(|vertices| !vertices.iter().any(on_surface));
    assert_eq!(inner.filter(|vertices| vertices.len() == 8).count(), 27);
}

/// Where the lines of the grid could run along with those of a mesh of squares and their diagonals.
#[test]
fn meshes_of_squares_are_cut_beside_their_lines() {
    let (positions, triangles) = box_surface(Vec3::new(1.0, 0.2, 0.2), [20, 4, 4]);
    for size in [0.05, 0.06, 0.07, 0.1, 0.11, 0.025, 1.0 / 30.0] {
        check(&positions, &triangles, size);
    }
}

#[test]
fn random_surfaces_keep_their_volume() {
    let mut random = Random::new(11);
    for trial in 0..40 {
        let cells = [1 + trial % 5, 2, 1 + trial % 3];
        let (positions, triangles) = box_surface(Vec3::new(1.0, 0.7, 0.4), cells);
        let map: Mat3 = random.rotation() * (Mat3::identity() + random.matrix(-0.2, 0.2));
        let positions: Vec<Vec3> = positions.iter().map(|p| map * (p + random.vector(-0.03, 0.03)) + Vec3::new(5.0, -3.0, 2.0)).collect();
        let size = [0.5, 0.2, 0.11, 0.07][trial % 4];
        let found = check(&positions, &triangles, size);
        assert!(found.pieces.len() > 1);
    }
}

/// Two prongs in one row of cells are pieces of their own; the bar that joins them is one.
#[test]
fn pieces_that_do_not_meet_in_a_cell_are_apart() {
    let (mut positions, mut triangles) = box_surface(Vec3::new(0.1, 1.0, 0.1), [1, 4, 1]);
    let (other, more) = (positions.iter().map(|p| p + Vec3::new(0.2, 0.0, 0.0)).collect::<Vec<_>>(), triangles.clone());
    let count = positions.len() as u32;
    positions.extend(other);
    triangles.extend(more.iter().map(|t| t.map(|v| v + count)));
    let found = check(&positions, &triangles, 0.6);
    for vertices in found.pieces.iter() {
        let [low, high] = [f64::min, f64::max].map(|pick| vertices.iter().map(|&v| found.positions[v as usize].x).reduce(pick).unwrap());
        assert!(high - low < 0.11, "{low} {high}");
    }
    assert!(found.pieces.len() >= 4);
}

/// A hollow in the middle of one cell, and a channel through the middles of the sides of cells: both are of what is around them.
#[test]
fn holes_are_of_what_is_around_them() {
    let (outer, shell) = box_surface(Vec3::repeat(1.0), [2; 3]);
    for size in [Vec3::repeat(0.1), Vec3::new(0.1, 0.1, 0.9)] {
        let (inner, hollow) = box_surface(size, [1; 3]);
        let (low, high) = crate::math::bounding_box(&inner);
        let (outer_low, outer_high) = crate::math::bounding_box(&outer);
        let shift = 0.5 * (outer_low + outer_high - low - high) + Vec3::new(0.013, 0.017, 0.019);
        let positions: Vec<Vec3> = outer.iter().copied().chain(inner.iter().map(|p| p + shift)).collect();
        let count = outer.len() as u32;
        let turned = hollow.iter().map(|&[a, b, c]| [a + count, c + count, b + count]);
        let triangles: Vec<[u32; 3]> = shell.iter().copied().chain(turned).collect();
        let found = check(&positions, &triangles, 0.6);
        let hollow_vertices = |vertices: &[u32]| vertices.iter().any(|v| (*v as usize) >= outer.len() && (*v as usize) < positions.len());
        assert!(
            found
                .pieces
                .iter()
                .filter(|v| hollow_vertices(v))
                .all(|v| v.iter().any(|&v| (v as usize) < outer.len() || v as usize >= positions.len()))
        );
        let solid = volume(&positions, &triangles);
        assert!(solid < 1.0);
    }
}

#[test]
fn what_is_not_closed_is_refused() {
    let (positions, triangles) = box_surface(Vec3::repeat(1.0), [1; 3]);
    let fault = |triangles: &[[u32; 3]], size: f64| match cut(&positions, triangles, size, &Unwatched) {
        Err(Uncut::Fault(message)) => message,
        other => format!("{other:?}"),
    };
    assert!(fault(&triangles[1..], 0.3).contains("not closed"));
    assert!(fault(&triangles, 1e-4).contains("larger size"));
    let turned: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    assert!(fault(&turned, 0.3).contains("no volume"), "{}", fault(&turned, 0.3));
}
