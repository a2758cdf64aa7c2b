//! Surfaces of clouds of which the volume is known.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use super::*;
use crate::mesh::quality::signed_volume;
use crate::mesh::triangle_tree::TriangleTree;
use crate::mesh::winding::Winding;
use crate::watch::Unwatched;

const SPACING: f64 = 0.1;

/// A lattice of so many points along each axis, from this corner.
fn block(sides: [i32; 3], corner: Vec3) -> Vec<Vec3> {
    let [a, b, c] = sides;
    let all = (0..a).flat_map(|i| (0..b).flat_map(move |j| (0..c).map(move |k| Vec3::new(i.into(), j.into(), k.into()))));
    all.map(|cell| corner + SPACING * (cell + Vec3::repeat(0.5))).collect()
}

/// The points of a lattice in a ball about the origin.
fn ball(radius: f64) -> Vec<Vec3> {
    let half = (radius / SPACING).ceil() as i32;
    let cube = block([2 * half; 3], Vec3::repeat(-SPACING * f64::from(half)));
    cube.into_iter().filter(|point| point.norm() <= radius).collect()
}

/// Numbers from 0 to 1 that follow from a seed.
fn chance(mut state: u64) -> impl FnMut() -> f64 {
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Points by chance in a box with room for `volumes` of each.
fn scattered(count: usize, volumes: f64, seed: u64) -> Vec<Vec3> {
    let (mut next, side) = (chance(seed), SPACING * (count as f64 * volumes).cbrt());
    (0..count).map(|_| side * Vec3::new(next(), next(), next())).collect()
}

fn surface(points: &[Vec3]) -> CloudSurface {
    Reconstruction::of(SPACING).surface(points, &Unwatched).unwrap()
}

/// Whether each edge is passed once either way.
fn is_closed(surface: &CloudSurface) -> bool {
    let edges = || surface.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
    let known: BTreeSet<(u32, u32)> = edges().collect();
    known.len() == 3 * surface.triangles.len() && edges().all(|(a, b)| known.contains(&(b, a)))
}

fn volume(surface: &CloudSurface) -> f64 {
    let far = Vec3::zeros();
    surface
        .triangles
        .iter()
        .map(|t| {
            signed_volume(&[far, surface.positions[t[0] as usize], surface.positions[t[1] as usize], surface.positions[t[2] as usize]])
        })
        .sum()
}

/// How many of the points are not inside.
fn outside(surface: &CloudSurface, points: &[Vec3]) -> usize {
    let tree = TriangleTree::new(&surface.positions, &surface.triangles);
    let winding = Winding::new(&tree);
    points.iter().filter(|point| winding.around(&tree, point) < 0.5).count()
}

/// As far as its spacing goes, the volume that a surface encloses over that of the cubes of its points, how many points are outside of it,
/// and vertices - edges + faces.
fn figures(points: &[Vec3], cubes: f64) -> (f64, usize, i64) {
    let found = surface(points);
    assert!(is_closed(&found), "{} points", points.len());
    let euler = found.positions.len() as i64 - found.triangles.len() as i64 / 2;
    (volume(&found) / (cubes * SPACING.powi(3)), outside(&found, points), euler)
}

/// Edges are rounded as far as half a spacing, which matters less the larger a block is; in between, sides are where the cubes of the points end.
#[test]
fn blocks_have_the_volume_of_their_cubes() {
    for (sides, within) in [([6, 5, 4], 0.03), ([12, 8, 6], 0.01), ([24, 24, 24], 0.005)] {
        let points = block(sides, Vec3::new(3.0, -1.0, 0.3));
        let (share, outside, euler) = figures(&points, points.len() as f64);
        assert!((share - 1.0).abs() < within && outside == 0 && euler == 2, "{sides:?}: {share} {outside} {euler}");
    }
    let found = surface(&block([24; 3], Vec3::zeros()));
    let side = found.positions.iter().filter(|p| (*p - Vec3::new(0.0, 1.2, 1.2)).norm() < 0.6);
    let off: Vec<f64> = side.map(|p| p.x / SPACING).collect();
    assert!(off.len() > 100 && off.iter().all(|x| x.abs() < 0.05), "{:?}", off.iter().copied().fold(0.0, f64::min));
}

#[test]
fn balls_have_their_volume_and_radius() {
    for (radius, within) in [(0.5, 0.04), (1.0, 0.02), (1.6, 0.015)] {
        let points = ball(radius);
        let (share, outside, euler) = figures(&points, points.len() as f64);
        assert!((share - 1.0).abs() < within && outside == 0 && euler == 2, "{radius}: {share} {outside} {euler}");
        let found = surface(&points);
        let far = found.positions.iter().map(|p| (p.norm() - radius).abs()).fold(0.0, f64::max);
        assert!(far < 0.6 * SPACING, "{radius}: {far}");
    }
}

/// Points that moved a little keep one surface; points by chance alone, half as dense and less, have many, and each is closed.
#[test]
fn what_is_broken_up_has_closed_surfaces_too() {
    let mut next = chance(5);
    let mut by_chance = || Vec3::new(next(), next(), next()) - Vec3::repeat(0.5);
    let moved: Vec<Vec3> = block([16; 3], Vec3::zeros()).iter().map(|p| p + 0.8 * SPACING * by_chance()).collect();
    let (share, outside, euler) = figures(&moved, moved.len() as f64);
    assert!((share - 1.0).abs() < 0.03 && outside == 0 && euler == 2, "{share} {outside} {euler}");
    for (count, volumes, most_outside) in [(6000, 1.0, 10), (3000, 4.0, 2), (500, 60.0, 0)] {
        let points = scattered(count, volumes, 3);
        let (share, outside, euler) = figures(&points, points.len() as f64);
        assert!(share > 0.5 && share < 2.5 && outside <= most_outside && euler != 2, "{volumes}: {share} {outside} {euler}");
    }
    // Drawn to twice its length, with spacings that are no longer alike, a block is still one.
    let drawn: Vec<Vec3> =
        block([14; 3], Vec3::zeros()).iter().map(|p| Vec3::new(2.0 * p.x, p.y / 2f64.sqrt(), p.z / 2f64.sqrt())).collect();
    let (share, outside, euler) = figures(&drawn, drawn.len() as f64);
    assert!((share - 1.0).abs() < 0.08 && outside == 0 && euler == 2, "{share} {outside} {euler}");
    let (share, outside, euler) = figures(&[Vec3::repeat(7.0)], 1.0);
    assert!((1.0..1.6).contains(&share) && outside == 0 && euler == 2, "a drop of one point: {share}");
    let sheet = block([10, 1, 10], Vec3::zeros());
    let (share, outside, euler) = figures(&sheet, sheet.len() as f64);
    assert!((1.0..1.5).contains(&share) && outside == 0 && euler == 2, "a sheet: {share} {outside}");
}

#[test]
fn it_is_the_same_for_any_number_of_threads() {
    let points = [block([40, 12, 12], Vec3::zeros()), scattered(3000, 8000.0, 11)].concat();
    let with = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| surface(&points));
    let one = with(1);
    for threads in [2, 4, 4, 3] {
        assert!(with(threads) == one, "{threads} threads");
    }
}

#[test]
fn it_moves_with_its_points() {
    let points = scattered(1500, 2.0, 9);
    let here = surface(&points);
    for way in [Vec3::new(1.0, -2.0, 0.5), Vec3::new(0.0313, 12.7, -3.1)] {
        let there = surface(&points.iter().map(|p| p + way).collect::<Vec<_>>());
        assert!(there.triangles == here.triangles);
        let apart = there.positions.iter().zip(&here.positions).map(|(a, b)| (a - b - way).norm()).fold(0.0, f64::max);
        assert!(apart < 1e-10, "{apart}");
    }
}

/// A finer grid finds the same body with more triangles.
#[test]
fn resolution_is_how_fine_it_is() {
    let points = ball(0.6);
    let at = |resolution| Reconstruction { spacing: SPACING, resolution }.surface(&points, &Unwatched).unwrap();
    let found = [1.0, 2.0, 4.0, 8.0].map(at);
    assert!(found.iter().all(is_closed));
    let volumes = found.each_ref().map(volume);
    assert!(volumes.iter().all(|volume| (volume / volumes[3] - 1.0).abs() < 0.05), "{volumes:?}");
    for (coarse, fine) in found.iter().zip(&found[1..]) {
        let ratio = fine.triangles.len() as f64 / coarse.triangles.len() as f64;
        assert!((3.0..5.0).contains(&ratio), "{ratio}");
    }
}

#[test]
fn smoothing_takes_out_bumps_and_no_volume() {
    let points = ball(0.8);
    let (mut positions, mut triangles) = level_set::triangles(&points, Vec3::zeros(), &Reconstruction::of(SPACING)).unwrap();
    order::put(&mut positions, &mut triangles, 0.5 * SPACING);
    let rough = CloudSurface { positions, triangles, ..CloudSurface::default() };
    let smooth = surface(&points);
    let bends = |surface: &CloudSurface| {
        let normal = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| surface.positions[v as usize]);
            (b - a).cross(&(c - a)).normalize()
        };
        let mut sums = vec![Vec3::zeros(); surface.positions.len()];
        surface.triangles.iter().for_each(|t| t.iter().for_each(|&v| sums[v as usize] += normal(t)));
        let off = surface.triangles.iter().map(|t| t.iter().map(|&v| 1.0 - normal(t).dot(&sums[v as usize].normalize())).sum::<f64>());
        off.sum::<f64>() / surface.triangles.len() as f64
    };
    let (before, after) = (volume(&rough), volume(&smooth));
    assert!((after / before - 1.0).abs() < 0.01, "{before} {after}");
    assert!(bends(&smooth) < 0.75 * bends(&rough), "{} {}", bends(&smooth), bends(&rough));
}

#[test]
fn one_order_whatever_the_order_was() {
    let found = surface(&ball(0.4));
    let count = found.positions.len();
    let elsewhere = |v: u32| (v as usize * 7919 + 13) % count;
    let mut positions = vec![Vec3::zeros(); count];
    (0..).zip(&found.positions).for_each(|(v, p): (u32, _)| positions[elsewhere(v)] = *p);
    let turned = |[a, b, c]: [u32; 3]| [c, a, b].map(|v| elsewhere(v) as u32);
    let mut triangles: Vec<[u32; 3]> = found.triangles.iter().rev().map(|t| turned(*t)).collect();
    assert!(!count.is_multiple_of(7919));
    order::put(&mut positions, &mut triangles, 0.5 * SPACING);
    let again = CloudSurface { positions, triangles, ..CloudSurface::default() };
    let (mut first, mut sorted) = (found.positions.clone(), found.triangles.clone());
    order::put(&mut first, &mut sorted, 0.5 * SPACING);
    assert!(again.positions == first && again.triangles == sorted && is_closed(&again));
}

#[test]
fn vertices_lie_at_the_points_around_them() {
    let points = scattered(800, 2.0, 4);
    let found = surface(&points);
    let heights: Vec<f64> = points.iter().map(|p| p.y).collect();
    let mut holed = heights.clone();
    holed[3] = f64::NAN;
    let (means, with_hole, moved) = (found.carriers.scalars(&heights), found.carriers.scalars(&holed), found.carriers.vectors(&points));
    assert!(with_hole.iter().all(|mean| mean.is_finite() || found.positions.len() > points.len()));
    for (vertex, (place, nearest)) in found.positions.iter().zip(found.carriers.nearest()).enumerate() {
        let sum: f32 = found.carriers.at(vertex).iter().map(|(_, weight)| weight).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        let squared = |p: &Vec3| (p - place).norm_squared();
        let least = points.iter().map(squared).fold(f64::INFINITY, f64::min);
        // Nearest of all before it was smoothed.
        assert!(squared(&points[nearest as usize]).sqrt() < least.sqrt() + SPACING);
        assert!((means[vertex] - place.y).abs() < 1.5 * SPACING && (moved[vertex].y - means[vertex]).abs() < 1e-5);
    }
    let constant = found.carriers.scalars(&vec![3.0; points.len()]);
    assert!(constant.iter().all(|value| (value - 3.0).abs() < 1e-12));
}

#[test]
fn what_has_no_surface_says_why() {
    let error = |settings: Reconstruction, points: &[Vec3]| settings.surface(points, &Unwatched).unwrap_err();
    let usual = Reconstruction::of(SPACING);
    assert_eq!(error(usual, &[]), ReconstructionError::Empty);
    for lost in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut points = block([3; 3], Vec3::zeros());
        points[5].z = lost;
        assert_eq!(error(usual, &points), ReconstructionError::NotFinite { point: 5 });
    }
    let far = error(usual, &[Vec3::zeros(), Vec3::new(1e6, 0.0, 0.0)]).to_string();
    assert!(far.contains("spread over 1.000e6 m") && far.contains("2.0e7 cubes"), "{far}");
    for (settings, words) in [
        (Reconstruction { spacing: 0.0, ..usual }, "spacing of points is 0 m"),
        (Reconstruction { spacing: f64::NAN, ..usual }, "must be a number above zero"),
        (Reconstruction { resolution: 0.9, ..usual }, "give one from 1 to 8"),
        (Reconstruction { resolution: f64::INFINITY, ..usual }, "give one from 1 to 8"),
    ] {
        let told = error(settings, &[Vec3::zeros()]).to_string();
        assert!(told.contains(words), "{told}");
    }
    let cancel = std::sync::atomic::AtomicBool::new(true);
    let watch = crate::watch::Flagged { cancel: &cancel, report: |_: &str, _| {} };
    assert_eq!(usual.surface(&[Vec3::zeros()], &watch), Err(ReconstructionError::Cancelled(Cancelled)));
}

/// A drop far away costs its own cubes and not those in between.
#[test]
fn drops_may_be_far_from_one_another() {
    let points = [Vec3::zeros(), Vec3::new(2e4, 0.0, 0.0), Vec3::new(0.0, -1e4, 3e4)];
    let found = surface(&points);
    assert!(is_closed(&found) && outside(&found, &points) == 0);
    assert_eq!(found.positions.len() as i64 - found.triangles.len() as i64 / 2, 6);
}
