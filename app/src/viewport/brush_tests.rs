#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use aplomb_sim::math::Vec3;
use egui::{pos2, vec2};

use super::*;
use crate::viewport::{BodyDraw, DrawList};

/// A wall of unit squares in the plane z = 0 that faces the camera.
fn wall() -> DrawList {
    let at = |i: u32, j: u32| i * 21 + j;
    let positions: Vec<_> =
        (0..=20).flat_map(|i| (0..=20).map(move |j| Vec3::new(f64::from(i) - 10.0, f64::from(j) - 10.0, 0.0))).collect();
    let square = |i: u32, j: u32| [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]];
    let triangles: Vec<_> = (0..20).flat_map(|i| (0..20).flat_map(move |j| square(i, j))).collect();
    let body = BodyDraw { positions: positions.into(), triangles: triangles.into(), ..BodyDraw::default() };
    DrawList { bodies: vec![body], ..DrawList::default() }
}

fn reach(radius: f32, through: bool) -> Reach {
    Reach { radius, through, body: 0, soft: None }
}

fn with_sight(test: impl FnOnce(&Sight<'_>)) {
    let mut picker = Picker::default();
    picker.follow(&wall(), 0);
    let camera = Camera { yaw: 0.0, pitch: 0.0, distance: 30.0, ..Camera::default() };
    test(&Sight { picker: &picker, camera: &camera, rect: Rect::from_min_size(pos2(10.0, 20.0), vec2(400.0, 300.0)) });
}

#[test]
fn a_stroke_paints_also_between_two_frames_and_ends_once() {
    with_sight(|sight| {
        let (mut brush, mut events) = (Brush::default(), Vec::new());
        let centre = sight.rect.center();
        brush.begin(centre - vec2(60.0, 0.0), true, &mut events);
        brush.paint(sight, centre + vec2(60.0, 0.0), reach(20.0, false), &mut events);
        brush.end(&mut events);
        brush.end(&mut events);
        let [ViewEvent::StrokeBegan, ViewEvent::StrokeOver { body: 0, vertices, erase: true, .. }, ViewEvent::StrokeEnded] = &events[..]
        else {
            panic!("{events:?}");
        };
        assert!(vertices.windows(2).all(|pair| pair[0] < pair[1]));
        let middle = 10 * 21 + 10;
        assert!(vertices.contains(&middle), "the middle was passed over: {vertices:?}");
    });
}

/// Behind the wall stands another of the same body, and between them is a vertex that nothing has.
#[test]
fn only_through_what_is_in_front_is_what_lies_behind_painted() {
    let mut list = wall();
    let front = list.bodies[0].positions.len() as u32;
    let behind: Vec<Vec3> = list.bodies[0].positions.iter().map(|p| p - Vec3::z()).collect();
    let inside = [Vec3::new(0.0, 0.0, -0.5)];
    list.bodies[0].positions = list.bodies[0].positions.iter().copied().chain(behind).chain(inside).collect();
    let further = list.bodies[0].triangles.iter().map(|corners| corners.map(|vertex| vertex + front));
    list.bodies[0].triangles = list.bodies[0].triangles.iter().copied().chain(further).collect();
    let mut picker = Picker::default();
    picker.follow(&list, 0);
    let camera = Camera { yaw: 0.0, pitch: 0.0, distance: 30.0, ..Camera::default() };
    let sight = Sight { picker: &picker, camera: &camera, rect: Rect::from_min_size(pos2(10.0, 20.0), vec2(400.0, 300.0)) };
    let painted = |through: bool| {
        let (mut brush, mut events) = (Brush::default(), Vec::new());
        let centre = sight.rect.center();
        brush.begin(centre - vec2(40.0, 0.0), false, &mut events);
        brush.paint(&sight, centre + vec2(40.0, 0.0), reach(20.0, through), &mut events);
        let [ViewEvent::StrokeBegan, ViewEvent::StrokeOver { body: 0, vertices, .. }] = &events[..] else { panic!("{events:?}") };
        vertices.clone()
    };
    let (seen, all) = (painted(false), painted(true));
    let middle = 10 * 21 + 10;
    assert!(seen.contains(&middle) && seen.iter().all(|&vertex| vertex < front), "{seen:?}");
    assert!(all.contains(&middle) && all.contains(&(middle + front)) && !all.contains(&(2 * front)), "{all:?}");
    // As wide as the ring, all along the stroke.
    let aside = |vertex: &u32| (f64::from(*vertex % front % 21) - 10.0).abs();
    let widest = |of: &[u32]| of.iter().filter(|vertex| **vertex < front).map(aside).fold(0.0, f64::max);
    assert!((widest(&seen) - widest(&all)).abs() <= 1.0, "{} {}", widest(&seen), widest(&all));
}

#[test]
fn nothing_is_painted_beside_the_body_or_without_a_stroke() {
    with_sight(|sight| {
        let (mut brush, mut events) = (Brush::default(), Vec::new());
        brush.paint(sight, sight.rect.center(), reach(20.0, false), &mut events);
        assert!(events.is_empty());
        brush.begin(sight.rect.min, false, &mut events);
        brush.paint(sight, sight.rect.min + vec2(2.0, 2.0), reach(3.0, false), &mut events);
        assert_eq!(events, [ViewEvent::StrokeBegan]);
    });
}

#[test]
fn the_ring_on_a_wall_that_faces_the_eye_is_a_circle() {
    with_sight(|sight| {
        let centre = sight.rect.center();
        let hit = sight.hit(centre).unwrap();
        let points = on_surface(sight, &hit, 40.0).unwrap();
        assert_eq!(points.len(), RING);
        assert!(points.iter().all(|point| ((*point - centre).length() - 40.0).abs() < 0.05), "{points:?}");
    });
}
