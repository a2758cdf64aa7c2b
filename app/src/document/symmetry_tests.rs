#![allow(clippy::unwrap_used)]

use aplomb_sim::math::random::Random;
use aplomb_sim::mesh::{BodyMesh, Cells};

use super::*;

/// A body of a surface.
pub fn surface(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>, lines: Vec<[u32; 2]>) -> ModelBody {
    let mesh = BodyMesh { positions, cells: Cells::Lines(Vec::new()), ..BodyMesh::default() };
    ModelBody {
        name: "body".into(),
        nodes: 0..mesh.positions.len(),
        elements: 0..0,
        further: Vec::new(),
        mesh: Arc::new(mesh),
        triangles: triangles.into(),
        lines: lines.into(),
        skin: None,
    }
}

/// A sheet from (x0, -1) to (x1, 1) of n squares across its height, with a bump that is the same on both sides of x = 0; inner vertices are
/// moved about by a share of a square.
fn sheet([x0, x1]: [f64; 2], n: u32, jitter: f64, random: &mut Random) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let size = 2.0 / f64::from(n);
    let columns = ((x1 - x0) / size).round() as u32;
    let at = |i: u32, j: u32| i * (n + 1) + j;
    let mut positions = Vec::new();
    for i in 0..=columns {
        for j in 0..=n {
            let inner = i > 0 && i < columns && j > 0 && j < n;
            let moved = if inner { jitter * size * random.vector(-0.5, 0.5) } else { Vec3::zeros() };
            let (x, y) = (x0 + f64::from(i) * size + moved.x, -1.0 + f64::from(j) * size + moved.y);
            positions.push(Vec3::new(x, y, 0.1 * (3.0 * y).cos() * (2.0 * x).cos()));
        }
    }
    let square = |i: u32, j: u32| [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]];
    let triangles = (0..columns).flat_map(|i| (0..n).flat_map(move |j| square(i, j))).collect();
    (positions, triangles)
}

/// Two sheets, left and right of x = 0, of so many squares across.
pub fn halves(left: u32, right: u32, jitter: f64, seed: u64) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut random = Random::new(seed);
    let (mut positions, mut triangles) = sheet([-1.0, 0.0], left, jitter, &mut random);
    let (more, further) = sheet([0.0, 1.0], right, jitter, &mut random);
    let first = positions.len() as u32;
    positions.extend(more);
    triangles.extend(further.into_iter().map(|corners| corners.map(|v| v + first)));
    (positions, triangles)
}

/// What a stroke over vertices holds in the end, with a body turned by so much and mirrored across its axes.
fn held(body: &ModelBody, turned: [f64; 3], axes: &[usize], vertices: &[u32]) -> (Vec<bool>, bool) {
    let rotation = aplomb_sim::math::rotation(turned);
    let sides = axes.iter().map(|&axis| Arc::new(OtherSide::of(body, &rotation, axis))).collect();
    let mut reached = Reached::new(body.mesh.positions.len(), sides);
    // In bits, as a hand does it.
    for few in vertices.chunks(3) {
        reached.over(few, &[]);
    }
    (reached.weights().iter().map(|weight| *weight > 0.0).collect(), reached.missed())
}

fn turn(positions: &[Vec3], degrees: [f64; 3]) -> Vec<Vec3> {
    let rotation = aplomb_sim::math::rotation(degrees);
    positions.iter().map(|p| rotation * p + Vec3::new(3.0, -2.0, 5.0)).collect()
}

#[test]
fn on_a_body_that_is_symmetric_the_other_side_is_the_same_however_the_body_is_turned() {
    for (seed, turned) in [(1, [0.0; 3]), (2, [20.0, -35.0, 50.0]), (3, [90.0, 10.0, 170.0])] {
        // The right half is the left one, mirrored.
        let (left, triangles) = sheet([-1.0, 0.0], 14, 0.4, &mut Random::new(seed));
        let count = left.len() as u32;
        let positions: Vec<Vec3> = left.iter().copied().chain(left.iter().map(|p| Vec3::new(-p.x, p.y, p.z))).collect();
        let further = triangles.iter().map(|&[a, b, c]| [a + count, c + count, b + count]);
        let triangles = triangles.iter().copied().chain(further).collect();
        let body = surface(turn(&positions, turned), triangles, Vec::new());
        let disc: Vec<u32> = (0..count).filter(|&v| (left[v as usize] - Vec3::new(-0.6, 0.1, 0.0)).norm() < 0.35).collect();
        assert!(disc.len() > 8);
        let (held, missed) = held(&body, turned, &[0], &disc);
        for v in 0..count {
            assert_eq!(held[v as usize], disc.contains(&v), "{v} of the side that was painted, seed {seed}");
            assert_eq!(held[(v + count) as usize], disc.contains(&v), "{v} of the other, seed {seed}");
        }
        assert!(!missed);
    }
}

/// Painted on a coarse side, a finer one has no gaps, and nothing farther out than an edge.
#[test]
fn a_finer_side_has_no_gaps() {
    for seed in 0..6 {
        let (positions, triangles) = halves(10, 24 + 7 * (seed as u32 % 3), 0.5, seed);
        let body = surface(positions.clone(), triangles.clone(), Vec::new());
        let centre = Vec3::new(-0.55, 0.0, 0.1);
        let near = |p: &Vec3, radius: f64| (p - centre).xy().norm() < radius;
        let disc: Vec<u32> =
            (0..positions.len() as u32).filter(|&v| positions[v as usize].x < 0.0 && near(&positions[v as usize], 0.42)).collect();
        let (held, _) = held(&body, [0.0; 3], &[0], &disc);
        let painted = |corners: &[u32; 3]| corners.iter().all(|corner| disc.contains(corner));
        // Inside of a triangle that is painted whole, seen from above.
        let inside = |p: &Vec3| {
            triangles.iter().filter(|corners| painted(corners)).any(|corners| {
                let at = corners.map(|v| positions[v as usize].xy());
                let side = |k: usize| (at[(k + 1) % 3] - at[k]).perp(&(p.xy() - at[k]));
                (0..3).all(|k| side(k) > 1e-3)
            })
        };
        let (mut within, mut without) = (0, 0);
        for (p, held) in positions.iter().zip(&held).filter(|(p, _)| p.x > 1e-9) {
            let image = Vec3::new(-p.x, p.y, p.z);
            if inside(&image) {
                within += 1;
                assert!(held, "a gap at {p:?}, seed {seed}");
            }
            if !near(&image, 0.42 + 0.34) {
                without += 1;
                assert!(!held, "{p:?} is far from what was painted, seed {seed}");
            }
        }
        assert!(within > 20 && without > 20, "{within} {without}");
    }
}

#[test]
fn a_coarser_side_gets_the_nearest_vertex_at_least() {
    let (positions, triangles) = halves(40, 4, 0.0, 0);
    let body = surface(positions.clone(), triangles, Vec::new());
    let one = (0..positions.len()).find(|&v| (positions[v].xy() - nalgebra::Vector2::new(-0.4, 0.2)).norm() < 1e-9).unwrap();
    let (held, missed) = held(&body, [0.0; 3], &[0], &[one as u32]);
    let other: Vec<_> = positions.iter().zip(&held).filter(|(p, held)| p.x > 0.0 && **held).map(|(p, _)| p.xy()).collect();
    let image = nalgebra::Vector2::new(0.4, 0.2);
    assert!(other.len() == 1 && (other[0] - image).norm() < 0.5 && !missed, "{other:?}");
}

#[test]
fn where_nothing_lies_nothing_is_painted_and_that_is_told() {
    // The right half has its upper part only.
    let (positions, triangles) = halves(12, 12, 0.0, 0);
    let upper = |corners: &[u32; 3]| corners.iter().all(|&v| positions[v as usize].x <= 0.0 || positions[v as usize].y > 0.2);
    let kept: Vec<[u32; 3]> = triangles.into_iter().filter(upper).collect();
    let body = surface(positions.clone(), kept, Vec::new());
    let disc = |y: f64| -> Vec<u32> {
        let centre = nalgebra::Vector2::new(-0.6, y);
        (0..positions.len() as u32).filter(|&v| (positions[v as usize].xy() - centre).norm() < 0.2).collect()
    };
    for (y, there) in [(0.6, true), (-0.6, false)] {
        let (held, missed) = held(&body, [0.0; 3], &[0], &disc(y));
        let right = positions.iter().zip(&held).filter(|(p, held)| p.x > 0.0 && **held).count();
        assert_eq!((right > 0, missed), (there, !there), "{right} at {y}");
    }
}

#[test]
fn across_two_axes_there_are_four() {
    let (positions, triangles) = halves(10, 10, 0.0, 0);
    let body = surface(positions.clone(), triangles, Vec::new());
    let (held, _) = held(
        &body,
        [0.0; 3],
        &[0, 1],
        &[(0..positions.len()).find(|&v| (positions[v].xy() - nalgebra::Vector2::new(-0.6, 0.4)).norm() < 1e-9).unwrap() as u32],
    );
    let mut places: Vec<_> =
        positions.iter().zip(&held).filter(|(_, held)| **held).map(|(p, _)| [p.x, p.y].map(|x| (10.0 * x).round())).collect();
    places.sort_by(|a, b| a.partial_cmp(b).unwrap());
    assert_eq!(places, [[-6.0, -4.0], [-6.0, 4.0], [6.0, -4.0], [6.0, 4.0]]);
}

#[test]
fn lines_are_mirrored_too_and_strengths_as_they_are() {
    // A hair to either side, cut differently.
    let positions: Vec<Vec3> =
        (0..=4).map(|k| Vec3::new(-1.0, f64::from(k), 0.0)).chain((0..=8).map(|k| Vec3::new(1.0, 0.5 * f64::from(k), 0.0))).collect();
    let lines: Vec<[u32; 2]> = (0..4).chain(5..13).map(|k| [k, k + 1]).collect();
    let body = surface(positions.clone(), Vec::new(), lines);
    let side = Arc::new(OtherSide::of(&body, &Mat3::identity(), 0));
    let mut reached = Reached::new(positions.len(), vec![side]);
    reached.over(&[1, 2], &[0.4, 0.8]);
    let right: Vec<f32> = reached.weights()[5..].to_vec();
    let expected = [0.0, 0.2, 0.4, 0.6, 0.8, 0.4, 0.0, 0.0, 0.0];
    assert!(right.iter().zip(expected).all(|(a, b): (&f32, f32)| (a - b).abs() < 1e-5), "{right:?}");
    // Passing over again with less changes nothing.
    assert!(reached.over(&[1], &[0.3]).is_empty());
}
