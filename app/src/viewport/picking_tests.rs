#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;

fn body(positions: Vec<Vec3>, triangles: &Arc<[[u32; 3]]>) -> BodyDraw {
    BodyDraw { positions: positions.into(), triangles: Arc::clone(triangles), ..BodyDraw::default() }
}

fn picker(bodies: Vec<BodyDraw>) -> Picker {
    let mut picker = Picker::default();
    picker.follow(&DrawList { bodies, ..DrawList::default() }, 1);
    picker
}

/// A flat sheet of n x n unit squares at a height, facing up.
fn sheet(n: u32, height: f64) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let at = |i: u32, j: u32| i * (n + 1) + j;
    let positions = (0..=n).flat_map(|i| (0..=n).map(move |j| Vec3::new(f64::from(i), height, f64::from(j)))).collect();
    let square = |i: u32, j: u32| [[at(i, j), at(i, j + 1), at(i + 1, j)], [at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)]];
    (positions, (0..n).flat_map(|i| (0..n).flat_map(move |j| square(i, j))).collect())
}

fn down(x: f64, z: f64) -> Ray {
    Ray { origin: Vec3::new(x, 10.0, z), direction: -Vec3::y() }
}

#[test]
fn the_nearest_body_is_hit_at_its_nearest_corner() {
    let (low, triangles) = sheet(4, 0.0);
    let triangles: Arc<[[u32; 3]]> = triangles.into();
    let high = sheet(4, 2.0).0;
    let picker = picker(vec![body(low, &triangles), body(high, &triangles)]);
    let hit = picker.hit(&down(1.9, 2.8)).unwrap();
    assert_eq!((hit.body, hit.vertex), (1, 2 * 5 + 3));
    assert!((hit.point - Vec3::new(1.9, 2.0, 2.8)).norm() < 1e-12);
    assert_eq!(picker.normal(&hit, Vec3::new(0.0, 10.0, 0.0)), Some(Vec3::y()));
    let below = Ray { origin: Vec3::new(1.9, -5.0, 2.8), direction: Vec3::y() };
    let hit = picker.hit(&below).unwrap();
    assert_eq!(hit.body, 0);
    assert_eq!(picker.normal(&hit, below.origin), Some(-Vec3::y()));
    assert_eq!(picker.hit(&down(-1.0, 2.0)), None);
}

#[test]
fn moved_bodies_are_found_where_they_are() {
    let (positions, triangles) = sheet(4, 0.0);
    let triangles: Arc<[[u32; 3]]> = triangles.into();
    let moved = positions.iter().map(|x| x + Vec3::new(10.0, 0.0, 0.0)).collect();
    let mut picker = picker(vec![body(positions, &triangles)]);
    let list = DrawList { bodies: vec![body(moved, &triangles)], ..DrawList::default() };
    picker.follow(&list, 1);
    assert!(picker.hit(&down(12.0, 2.0)).is_none(), "a known revision is not looked at again");
    picker.follow(&list, 2);
    assert!(picker.hit(&down(12.1, 2.1)).is_some() && picker.hit(&down(2.1, 2.1)).is_none());
}

#[test]
fn the_brush_takes_the_disc_and_at_least_a_corner() {
    let (positions, triangles) = sheet(6, 0.0);
    let picker = picker(vec![body(positions.clone(), &triangles.into())]);
    let ray = down(3.05, 3.02);
    let hit = picker.hit(&ray).unwrap();
    let disc: Vec<u32> = (0..positions.len()).filter(|&v| (positions[v] - hit.point).norm() <= 1.6).map(|v| v as u32).collect();
    assert!(disc.len() > 5);
    assert_eq!(picker.reach(&hit, ray.origin, 1.6), disc);
    assert_eq!(picker.reach(&hit, ray.origin, 1e-3), [hit.vertex]);
}

#[test]
fn the_brush_stays_on_the_side_in_sight_and_on_the_connected_part() {
    // Two sheets close together that share no vertex, the lower one facing down as the far side of a slab does.
    let (mut positions, mut triangles) = sheet(4, 0.1);
    let top = positions.len() as u32;
    let (below, more) = sheet(4, 0.0);
    positions.extend(below);
    triangles.extend(more.iter().map(|&[a, b, c]| [a + top, c + top, b + top]));
    // Joined along one edge of the slab, like a sack.
    triangles.extend((0..4).flat_map(|j| [[j, j + top, j + 1], [j + 1, j + top, j + top + 1]]));
    let picker = picker(vec![body(positions, &triangles.into())]);
    let ray = down(1.1, 2.1);
    let hit = picker.hit(&ray).unwrap();
    let reached = picker.reach(&hit, ray.origin, 1.5);
    assert!(reached.len() >= 5 && reached.iter().all(|&vertex| vertex < top), "{reached:?}");
}

#[test]
fn triangles_that_name_no_vertex_are_passed_over() {
    let (positions, mut triangles) = sheet(2, 0.0);
    triangles.push([0, 1, 999]);
    let picker = picker(vec![body(positions, &triangles.into()), body(Vec::new(), &Arc::from([[0, 1, 2]]))]);
    assert!(picker.hit(&down(0.5, 1.2)).is_some());
}
