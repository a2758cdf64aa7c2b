#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Shape;

use super::normals::{Fans, Shape as Drawn};
use crate::offscreen::{OffscreenError, render};
use crate::viewport::{
    ArrowDraw, ArrowKind, BodyColor, BodyDraw, Camera, ColorMap, ContactDraw, DrawList, ObstacleDraw, ObstacleForm, SupportDraw,
    SupportKind, Tone,
};

const SIZE: (u32, u32) = (320, 200);

/// Corners and triangles of a cube of side 1 on the ground.
fn cube() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let corner = |i: u32| Vec3::new(f64::from(i & 1) - 0.5, f64::from(i >> 1 & 1), f64::from(i >> 2) - 0.5);
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    ((0..8).map(corner).collect(), quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}

fn scene(color: BodyColor, dark: bool) -> DrawList {
    let (positions, triangles) = cube();
    let body = BodyDraw { positions: positions.into(), triangles: triangles.into(), color, ..BodyDraw::default() };
    let ground = ObstacleDraw { form: ObstacleForm::Shape(Shape::HalfSpace { point: [0.0; 3], normal: [0.0, 1.0, 0.0] }), present: true };
    DrawList { bodies: vec![body], obstacles: vec![ground], dark, ..DrawList::default() }
}

fn camera() -> Camera {
    Camera { target: Vec3::new(0.0, 0.5, 0.0), distance: 5.0, ..Camera::default() }
}

/// The picture, or `None`, told loudly, on a machine without EGL.
fn picture(list: &DrawList) -> Option<image::RgbaImage> {
    match render(list, &camera(), SIZE) {
        Ok(picture) => Some(picture),
        Err(error @ OffscreenError::Context(_)) => {
            eprintln!("SKIPPED: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn brightness(pixel: &image::Rgba<u8>) -> u32 {
    pixel.0[..3].iter().map(|&c| u32::from(c)).sum()
}

#[test]
fn clay_stands_before_a_gradient_that_is_lighter_above() {
    let Some(dark) = picture(&scene(BodyColor::Clay(0), true)) else { return };
    let Some(light) = picture(&scene(BodyColor::Clay(0), false)) else { return };
    assert_eq!(dark.dimensions(), SIZE);
    let [red, _, blue, alpha] = dark.get_pixel(160, 100).0;
    assert!(red > blue + 5, "clay is warm: {:?}", dark.get_pixel(160, 100));
    assert_eq!(alpha, 255);
    let [red, _, blue, _] = dark.get_pixel(5, 3).0;
    assert!(blue > red, "the dark background has a trace of blue");
    let mut empty = DrawList { dark: true, ..DrawList::default() };
    empty.obstacles.clear();
    let Some(empty) = picture(&empty) else { return };
    assert!(brightness(empty.get_pixel(5, 3)) > brightness(empty.get_pixel(5, 196)) + 60);
    assert!(brightness(light.get_pixel(5, 3)) > 3 * brightness(dark.get_pixel(5, 3)));
}

#[test]
fn a_field_can_be_read_off_against_its_colour_map() {
    let field = |value: f64| BodyColor::Scalar {
        values: vec![value; 8].into(),
        tone: Tone { range: (0.0, 2.0), map: ColorMap::Viridis, log: false },
        name: "speed".into(),
        unit: "m/s".into(),
        of_elements: None,
    };
    for (value, dark) in [(0.5, true), (1.0, true), (2.0, true), (5.0, true), (1.0, false)] {
        let Some(drawn) = picture(&scene(field(value), dark)) else { return };
        let expected = ColorMap::Viridis.color((value / 2.0).min(1.0)).map(f64::from);
        // One shade of the colour in the legend, and no other colour.
        let seen = drawn.get_pixel(160, 100).0.map(f64::from);
        let shade = (seen[0] + seen[1] + seen[2]) / expected.iter().sum::<f64>();
        assert!((0.8..=1.0).contains(&shade), "{value}: {shade}");
        for (seen, expected) in seen.into_iter().zip(expected) {
            assert!((seen - shade * expected).abs() < 4.0, "{value}: {seen} for {expected}");
        }
    }
    let Some(missing) = picture(&scene(field(f64::NAN), true)) else { return };
    let [red, green, blue, _] = missing.get_pixel(160, 100).0;
    assert!(red == green && green == blue, "what is not a number is grey");
}

#[test]
fn a_body_darkens_the_ground_beside_it() {
    let Some(with) = picture(&scene(BodyColor::Clay(0), false)) else { return };
    let mut list = scene(BodyColor::Clay(0), false);
    // Far above: no shadow is left.
    let lifted: Vec<Vec3> = list.bodies[0].positions.iter().map(|p| p + Vec3::new(0.0, 40.0, 0.0)).collect();
    list.bodies[0].positions = lifted.into();
    let Some(without) = picture(&list) else { return };
    let darkest = |picture: &image::RgbaImage| (120..200).map(|x| brightness(picture.get_pixel(x, 152))).min().unwrap();
    assert!(darkest(&with) + 30 < darkest(&without), "{} and {}", darkest(&with), darkest(&without));
}

#[test]
fn pins_contacts_and_marks_show_in_their_colours() {
    let mut list = scene(BodyColor::Clay(0), true);
    let count =
        |list: &DrawList, is: fn([u8; 4]) -> bool| picture(list).map(|picture| picture.pixels().filter(|pixel| is(pixel.0)).count());
    let blue = |[r, _, b, _]: [u8; 4]| b > 150 && r < 120;
    let orange = |[r, g, b, _]: [u8; 4]| r > 190 && b < 90 && g > 80;
    let red = |[r, g, b, _]: [u8; 4]| r > 200 && g < 100 && b < 100;
    let Some(before) = count(&list, blue) else { return };
    list.supports.push(SupportDraw { point: Vec3::new(0.5, 1.0, 0.5), kind: SupportKind::Held });
    assert!(count(&list, blue) > Some(before));
    let violet = |[r, g, b, _]: [u8; 4]| b > 180 && r > 130 && g < 150;
    assert_eq!(count(&list, violet), Some(0));
    list.supports[0].kind = SupportKind::Moved;
    assert!(count(&list, violet) > Some(4));
    assert_eq!(count(&list, orange), Some(0));
    let force = Vec3::new(0.0, 1.0, 0.0);
    list.contacts.push(ContactDraw { point: Vec3::new(0.9, 0.0, 0.9), normal: force, force });
    assert!(count(&list, orange) > Some(4));
    assert_eq!(count(&list, red), Some(0));
    list.marks.push(Vec3::new(0.5, 1.0, 0.5));
    assert!(count(&list, red) > Some(4));
    // A place inside of the body is seen through it, unless it is one of many.
    list.marks[0] = Vec3::new(0.0, 0.5, 0.0);
    assert!(count(&list, red) > Some(4));
    list.marks = vec![list.marks[0]; 100];
    assert_eq!(count(&list, red), Some(0));
}

#[test]
fn what_is_authored_shows_as_arrows_and_surfaces_as_obstacles() {
    let mut list = scene(BodyColor::Clay(0), true);
    let count =
        |list: &DrawList, is: fn([u8; 4]) -> bool| picture(list).map(|picture| picture.pixels().filter(|pixel| is(pixel.0)).count());
    let green = |[r, g, b, _]: [u8; 4]| g > 150 && g > r.saturating_add(40) && g > b.saturating_add(60);
    let Some(before) = count(&list, green) else { return };
    assert_eq!(before, 0);
    let bow = [Vec3::new(-1.0, 1.3, 0.0), Vec3::new(0.0, 1.5, 0.0), Vec3::new(1.0, 1.3, 0.0)];
    list.arrows.push(ArrowDraw { points: bow.into(), kind: ArrowKind::Velocity, head: true });
    assert!(count(&list, green) > Some(40));
    // An arrow inside the body shines through.
    let greenish = |[r, g, b, _]: [u8; 4]| g.saturating_add(10) > r && g > b.saturating_add(40);
    list.arrows[0].points = vec![Vec3::new(-0.3, 0.5, 0.0), Vec3::new(0.3, 0.5, 0.0)];
    assert!(count(&list, greenish) > Some(20));
    list.arrows.clear();

    let slate = |[r, g, b, _]: [u8; 4]| r > 90 && b > r.saturating_add(8) && g >= r;
    let Some(before) = count(&list, slate) else { return };
    let (positions, triangles) = cube();
    let beside: Vec<Vec3> = positions.iter().map(|p| p + Vec3::new(1.3, 0.0, 0.0)).collect();
    let form = ObstacleForm::Surface { positions: beside.into(), triangles: triangles.into(), open: false };
    list.obstacles.push(ObstacleDraw { form, present: true });
    assert!(count(&list, slate) > Some(before + 200));
    list.obstacles[1].present = false;
    assert_eq!(count(&list, slate), Some(before));
}

#[test]
fn a_ghost_is_seen_beside_its_body_and_never_in_it() {
    let list = |shift: Option<Vec3>| {
        let mut list = scene(BodyColor::Clay(0), true);
        let body = &mut list.bodies[0];
        body.ghost = shift.map(|shift| body.positions.iter().map(|p| p + shift).collect());
        list
    };
    let Some(bare) = picture(&list(None)) else { return };
    let changed = |shift: Vec3| {
        let ghost = picture(&list(Some(shift))).unwrap();
        let pixels = bare.enumerate_pixels().filter(|(x, y, pixel)| ghost.get_pixel(*x, *y) != *pixel);
        pixels.map(|(_, _, pixel)| pixel.0[0] > pixel.0[2].saturating_add(20)).collect::<Vec<_>>()
    };
    // Turned by as little as puts parts of it before the body and parts behind, and moved well to the side.
    let near = changed(Vec3::new(0.0, 2e-4, 1e-4));
    let clay = near.iter().filter(|clay| **clay).count();
    assert!(clay < 60, "{clay} pixels of clay have a ghost over them");
    let beside = changed(Vec3::new(0.6, 0.0, 0.0));
    let (clay, beside) = (beside.iter().filter(|clay| **clay).count(), beside.iter().filter(|clay| !**clay).count());
    assert!(beside > 500 && clay < 60, "{beside} beside, {clay} over the body");
}

#[test]
fn a_few_triangles_that_stand_badly_make_no_edge() {
    // A ball with one vertex pulled out: the spike is no edge of a box, and is as smooth as the ball.
    let mut ball = aplomb_sim::mesh::TriangleMesh::capsule(&Vec3::zeros(), &Vec3::zeros(), 1.0, 48);
    let round = Fans::new(&ball.triangles, &ball.positions).sources.len();
    assert_eq!(round, ball.positions.len());
    let top = ball.positions.len() / 2;
    ball.positions[top] *= 1.25;
    let spiked = Fans::new(&ball.triangles, &ball.positions);
    assert_eq!(spiked.sources.len(), ball.positions.len(), "no vertex is doubled");
}

#[test]
fn the_ground_has_no_bands() {
    let Some(picture) = picture(&scene(BodyColor::Clay(0), true)) else { return };
    // Before the body, between the lines: a level goes over into the next by pixels of both, and not along a line.
    let reversals = |y: u32| {
        let row: Vec<i32> = (0..SIZE.0).map(|x| i32::from(picture.get_pixel(x, y).0[2])).collect();
        row.windows(3).filter(|level| (level[1] - level[0]) * (level[2] - level[1]) == -1).count()
    };
    let all: usize = (SIZE.1 - 30..SIZE.1).map(reversals).sum();
    assert!(all > 300, "{all} reversals");
}

#[test]
fn sharp_edges_stay_sharp_and_smooth_ones_smooth() {
    let (positions, triangles) = cube();
    let fans = Fans::new(&triangles, &positions);
    assert_eq!(fans.sources.len(), 24, "three faces meet at each of eight corners");
    let mut drawn = Drawn::default();
    for normal in &fans.shape(&positions, &Vec3::zeros(), &mut drawn).normals {
        let largest = normal.x.abs().max(normal.y.abs()).max(normal.z.abs());
        assert!((largest - 1.0).abs() < 1e-6, "{normal:?} is along an axis");
    }
    // Two triangles with 20 degrees between them share their vertices.
    let bend = 20.0_f64.to_radians();
    let roof = [Vec3::zeros(), Vec3::x(), Vec3::new(0.0, 0.0, -1.0), Vec3::new(0.0, -bend.sin(), bend.cos())];
    assert_eq!(Fans::new(&[[0, 1, 2], [1, 0, 3]], &roof).sources.len(), 4);
}

#[test]
fn a_ball_is_smooth_however_it_is_cut() {
    // A fan around the north pole of a ball, of corners near and far, is exact; by areas it leans by more than a degree.
    let around = [(0.0_f64, 0.1_f64), (0.4, 0.5), (1.9, 0.15), (2.6, 0.4), (4.0, 0.2), (5.2, 0.5)];
    let rim = around.map(|(turn, down)| Vec3::new(down.sin() * turn.cos(), down.cos(), -down.sin() * turn.sin()));
    let positions: Vec<Vec3> = std::iter::once(Vec3::y()).chain(rim).collect();
    let triangles: Vec<[u32; 3]> = (0..6).map(|k| [0, 1 + k, 1 + (k + 1) % 6]).collect();
    let fans = Fans::new(&triangles, &positions);
    let mut drawn = Drawn::default();
    let pole = fans.sources.iter().position(|&v| v == 0).unwrap();
    let normal = fans.shape(&positions, &Vec3::zeros(), &mut drawn).normals[pole];
    assert!(normal.y > 1.0 - 1e-6, "{normal:?}");
    let by_area: Vec3 =
        triangles.iter().map(|t| (positions[t[1] as usize] - Vec3::y()).cross(&(positions[t[2] as usize] - Vec3::y()))).sum();
    assert!(by_area.normalize().y < 1.0_f64.to_radians().cos());
}

/// The pixel at which a place [m] is seen.
fn pixel_of(place: Vec3) -> (u32, u32) {
    let [x, y] = camera().project(place, f64::from(SIZE.0) / f64::from(SIZE.1)).unwrap();
    ((0.5 * (1.0 + x) * f64::from(SIZE.0)) as u32, (0.5 * (1.0 - y) * f64::from(SIZE.1)) as u32)
}

#[test]
fn what_stands_before_the_key_light_throws_a_shadow_on_a_body_and_on_the_ground() {
    let mut list = scene(BodyColor::Clay(0), true);
    let key = Vec3::from(super::view::KEY);
    let (on_top, on_ground) = (Vec3::new(0.0, 1.0, 0.0), Vec3::new(1.1, 0.0, 0.3));
    let seen = |list: &DrawList| {
        let picture = picture(list)?;
        Some([on_top, on_ground].map(|place| {
            let (x, y) = pixel_of(place);
            brightness(picture.get_pixel(x, y))
        }))
    };
    let Some(open) = seen(&list) else { return };
    for place in [on_top, on_ground] {
        let center = (place + 1.2 * key).into();
        let form = ObstacleForm::Shape(Shape::Box { center, size: [0.5, 0.05, 0.5], rotate_degrees: [0.0; 3] });
        list.obstacles.push(ObstacleDraw { form, present: true });
    }
    let shaded = seen(&list).unwrap();
    assert!(shaded[0] + 60 < open[0] && shaded[1] + 15 < open[1], "{shaded:?} in place of {open:?}");
    list.soft_shadows = false;
    let off = seen(&list).unwrap();
    assert!(off[0].abs_diff(open[0]) < 12 && off[1].abs_diff(open[1]) < 12, "{off:?} without shadows, {open:?} in the open");
    // What one sees through keeps no light off.
    (list.soft_shadows, list.xray) = (true, true);
    let clear = seen(&list).unwrap();
    assert!(clear[0] + 30 > open[0], "{clear:?} through glass, {open:?} in the open");
}

#[test]
fn a_corner_gets_less_light_of_the_sky() {
    let mut list = scene(BodyColor::Clay(0), true);
    // A wall behind the cube's top, on the side away from the light.
    let form = ObstacleForm::Shape(Shape::Box { center: [-0.5, 1.2, -0.2], size: [0.1, 0.5, 0.8], rotate_degrees: [0.0; 3] });
    list.obstacles.push(ObstacleDraw { form, present: true });
    let (x, y) = pixel_of(Vec3::new(-0.42, 1.0, 0.0));
    let Some(with) = picture(&list) else { return };
    list.soft_shadows = false;
    let without = picture(&list).unwrap();
    let [with, without] = [with, without].map(|picture| brightness(picture.get_pixel(x, y)));
    assert!(with + 15 < without, "{with} and {without}");
}

#[test]
fn a_face_of_a_region_has_one_tint_and_a_border_within() {
    let mut list = scene(BodyColor::Clay(0), true);
    list.soft_shadows = false;
    let body = &mut list.bodies[0];
    // Without shared corners of its own, a side would bleed into the others; one side of two triangles is of the region.
    let blue = [0, 0, 255, 153];
    let side = body.triangles.iter().position(|t| t.iter().all(|&v| body.positions[v as usize].z > 0.0)).unwrap();
    body.face_tint = Some((0..body.triangles.len()).map(|t| if t / 2 == side / 2 { blue } else { [0; 4] }).collect());
    let Some(picture) = picture(&list) else { return };
    let at = |x: f64, y: f64| {
        let (x, y) = pixel_of(Vec3::new(x, y, 0.5));
        picture.get_pixel(x, y).0
    };
    let middle = at(0.0, 0.5);
    assert!(middle[2] > middle[0].saturating_add(60), "{middle:?} is blue");
    for (x, y) in [(-0.4, 0.1), (0.4, 0.1), (0.4, 0.9), (-0.4, 0.9), (0.1, 0.1)] {
        let there = at(x, y);
        assert!(there.iter().zip(middle).all(|(a, b)| a.abs_diff(b) < 12), "{there:?} at {x}, {y}, {middle:?} in the middle");
    }
    let top = pixel_of(Vec3::new(0.0, 1.0, 0.0));
    let top = picture.get_pixel(top.0, top.1).0;
    assert!(top[0] > top[2], "{top:?} beside it is clay");
    let full = picture.pixels().filter(|pixel| pixel.0[2] > 240 && pixel.0[0] < 30).count();
    assert!((60..600).contains(&full), "{full} pixels of the border");
}
