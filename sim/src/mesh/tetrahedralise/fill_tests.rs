//! What [`fill`] promises, on surfaces that are known exactly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::f64::consts::PI;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::boundary::{components, faces};
use super::fill::{FillOptions, Filled, Size, fill};
use super::{StuffingError, quality, sound};
use crate::math::Vec3;
use crate::mesh::TriangleMesh;
use crate::watch::{Cancelled, Unwatched, Watch};

fn ball(centre: Vec3, radius: f64) -> TriangleMesh {
    TriangleMesh::capsule(&centre, &centre, radius, 32)
}

fn joined(surfaces: &[TriangleMesh]) -> TriangleMesh {
    let mut all = TriangleMesh::default();
    for surface in surfaces {
        let first = all.positions.len() as u32;
        all.positions.extend_from_slice(&surface.positions);
        all.triangles.extend(surface.triangles.iter().map(|t| t.map(|v| v + first)));
    }
    all
}

fn try_fill(surface: &TriangleMesh, size: Size, watch: &dyn Watch) -> Result<Filled, StuffingError> {
    fill(&surface.positions, &surface.triangles, &FillOptions { size, grading: 2.0 }, watch)
}

#[test]
fn small_parts_are_filled_as_well_as_large_ones() {
    let radii = [1.0, 0.1, 0.01];
    let balls = radii.map(|radius| ball(Vec3::new(3.0 * radius, 0.0, -2.0 * radius.log10()), radius));
    let Filled { positions, tets, report } = try_fill(&joined(&balls), Size::Tets(3000), &Unwatched).unwrap();
    assert_eq!((report.parts, report.components, report.missed, report.sheets), (3, 3, 0, 0));
    assert_eq!(sound(&positions, &tets), Ok(3));
    assert!((report.tets as f64 / 3000.0 - 1.0).abs() < 0.1, "{}", report.tets);
    let (component, _) = components(&tets);
    for (c, radius) in (0..).zip(radii) {
        let volumes: Vec<f64> =
            tets.iter().zip(&component).filter(|(_, of)| **of == c).map(|(t, _)| quality::volume(&positions, t)).collect();
        let share = volumes.iter().sum::<f64>() / (4.0 / 3.0 * PI * f64::powi(radius, 3));
        assert!(volumes.len() > 50 && (0.8..1.1).contains(&share), "{radius}: {} tets, {share}", volumes.len());
    }
}

#[test]
fn edges_at_the_surface_are_as_long_as_asked() {
    let block = TriangleMesh::cuboid(&Vec3::zeros(), &Vec3::new(1.0, 2.0, 1.5), [10.0, 20.0, 30.0]);
    for surface in [ball(Vec3::zeros(), 1.0), block] {
        for length in [0.1, 0.2] {
            let Filled { positions, tets, .. } = try_fill(&surface, Size::EdgeLength(length), &Unwatched).unwrap();
            let edges: Vec<f64> = faces(&tets)
                .iter()
                .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
                .map(|[a, b]| (positions[a as usize] - positions[b as usize]).norm())
                .collect();
            let mean = edges.iter().sum::<f64>() / edges.len() as f64;
            assert!((mean / length - 1.0).abs() < 0.15, "{mean} instead of {length}");
        }
    }
}

#[test]
fn more_tets_than_fit_into_memory_are_refused_with_a_length_that_would_do() {
    let block = TriangleMesh::cuboid(&Vec3::zeros(), &Vec3::repeat(1.0), [0.0; 3]);
    let why = try_fill(&block, Size::EdgeLength(0.002), &Unwatched).unwrap_err();
    let StuffingError::TooManyTets { tets, most, length } = why else { panic!("{why}") };
    assert!(tets > 2.0 * most as f64 && (0.003..0.03).contains(&length), "{why}");
    let finer = try_fill(&block, Size::EdgeLength(0.99 * length), &Unwatched);
    assert!(matches!(finer, Err(StuffingError::TooManyTets { .. })));
    assert!(matches!(try_fill(&block, Size::EdgeLength(0.0), &Unwatched), Err(StuffingError::Cell { .. })));
}

#[test]
fn sheets_are_told_and_left_out() {
    let square = TriangleMesh::square(&Vec3::zeros(), &Vec3::y(), &[-1.0, 0.0, 1.0]);
    let tilted = TriangleMesh::square(&Vec3::zeros(), &Vec3::new(1.0, 2.0, 3.0), &[-1.0, 0.0, 1.0]);
    for sheet in [&square, &tilted] {
        for size in [Size::Tets(1000), Size::EdgeLength(0.1)] {
            assert_eq!(try_fill(sheet, size, &Unwatched).unwrap_err(), StuffingError::Sheet);
        }
    }
    let made = try_fill(&joined(&[tilted, ball(Vec3::new(5.0, 0.0, 0.0), 0.5)]), Size::Tets(1000), &Unwatched).unwrap();
    assert_eq!((made.report.parts, made.report.sheets, made.report.components), (1, 1, 1));
}

#[test]
fn thin_parts_do_not_multiply_the_work() {
    // Plates that no lattice of the wanted size has a vertex in, beside a ball; all plates together have one area. With cells as fine as
    // the thicker ones ask for, each of them alone would take no more tets than all may together.
    let checks = |plates: usize, thickness: f64| {
        let side = 4.0 / (plates as f64).sqrt();
        let plate = |k: usize| {
            let place = Vec3::new(2.0 + side * k as f64, 0.37 * side * k as f64, 0.0);
            TriangleMesh::cuboid(&place, &Vec3::new(0.8 * side, thickness * side, 0.8 * side), [20.0, 30.0, 40.0])
        };
        let surface = joined(&std::iter::once(ball(Vec3::zeros(), 1.0)).chain((0..plates).map(plate)).collect::<Vec<_>>());
        let watch = Impatient { checks: AtomicUsize::new(0), last: usize::MAX, done: Mutex::default() };
        let report = try_fill(&surface, Size::Tets(2000), &watch).unwrap().report;
        assert_eq!((report.parts, report.missed), (plates + 1, plates), "{thickness}");
        watch.checks.into_inner()
    };
    for thickness in [1e-4, 1e-3, 4e-3] {
        let (few, many) = (checks(4, thickness), checks(64, thickness));
        assert!(many < 4 * few, "{thickness}: {few} checks with 4 plates, {many} with 64");
    }
}

/// Balls of one size, open at the top, beside one another.
fn bags(count: usize) -> TriangleMesh {
    let bag = |k: usize| {
        let TriangleMesh { positions, triangles } = ball(Vec3::new(0.0, 0.0, 3.0 * k as f64), 1.0);
        let triangles = triangles.into_iter().filter(|t| t.iter().any(|&v| positions[v as usize].y < 0.8)).collect();
        TriangleMesh { positions, triangles }
    };
    joined(&(0..count).map(bag).collect::<Vec<_>>())
}

#[test]
fn many_parts_share_the_tets_and_the_work_of_measuring() {
    let made = |count: usize| {
        let watch = Impatient { checks: AtomicUsize::new(0), last: usize::MAX, done: Mutex::default() };
        let report = try_fill(&bags(count), Size::Tets(4000), &watch).unwrap().report;
        assert_eq!((report.parts, report.missed, report.components), (count, 0, count));
        assert!((report.tets as f64 / 4000.0).ln().abs() < 0.5, "{count} parts: {} tets", report.tets);
        watch.checks.into_inner()
    };
    // The least number of boxes for each comes to twice as many as all are to have, cut into eights until there are enough.
    let (few, many) = (made(4), made(64));
    assert!(many < 8 * few, "{few} checks with 4 parts, {many} with 64");
}

/// Cancels from one of its checks on.
struct Impatient {
    checks: AtomicUsize,
    last: usize,
    done: Mutex<Vec<f64>>,
}

impl Watch for Impatient {
    fn progress(&self, _: &str, done: f64) {
        self.done.lock().unwrap().push(done);
    }

    fn check(&self) -> Result<(), Cancelled> {
        if self.checks.fetch_add(1, Ordering::Relaxed) < self.last { Ok(()) } else { Err(Cancelled) }
    }
}

#[test]
fn progress_never_goes_back_and_cancelling_leaves_at_once() {
    let surface = joined(&[ball(Vec3::zeros(), 1.0), ball(Vec3::new(2.0, 0.0, 0.0), 0.3)]);
    let run = |last: usize| {
        let watch = Impatient { checks: AtomicUsize::new(0), last, done: Mutex::default() };
        let made = try_fill(&surface, Size::Tets(500), &watch);
        (made, watch.checks.into_inner(), watch.done.into_inner().unwrap())
    };
    let (made, checks, done) = run(usize::MAX);
    assert!(made.is_ok() && done.is_sorted() && done.first() == Some(&0.0) && done.last() == Some(&1.0), "{done:?}");
    assert!(checks > 1000);
    let mut last = 0;
    while last < checks {
        let (made, asked, _) = run(last);
        assert_eq!(made.unwrap_err(), StuffingError::Cancelled(Cancelled), "at check {last} of {checks}");
        // Every thread asks once more, and at most a bundle of work with it.
        assert!(asked - last < 512, "{asked} checks, though the answer to number {last} was to leave");
        last += 1 + last / 4;
    }
}
