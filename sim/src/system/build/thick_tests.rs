//! Cloth with a thickness, from a scene to its rest and its fall: a network of springs over triangles stands in for it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::contact::broad_phase::BroadPhase;
use crate::contact::distance::placed;
use crate::contact::intersection::intersections;
use crate::contact::surface::Thinness;
use crate::contact::surfaces::Touch;
use crate::contact::{Balance, Candidates, ObstacleContacts};
use crate::element::spring::{Clamp, SPRING_LAWS, Spring};
use crate::element::{Batch, Element, Family};
use crate::math::random::Random;
use crate::mesh::structured::{CubeCut, box_mesh};
use crate::mesh::{Cells, TetMesh};
use crate::sag_free::initialise::rest_state;
use crate::sag_free::problem::{Between, ContactSite};
use crate::scene::Method;
use crate::scene_file;
use crate::step::{Implicit, Scheme, State, Stepper};
use crate::watch::Unwatched;

const THICKNESS: f64 = 0.004;
const SIDE: f64 = 0.3;
const CELLS: u32 = 8;
const STEP: f64 = 0.005;

/// A sheet of so many squares a side, halved, at `place` of its coordinates from 0 to 1.
fn sheet(cells: u32, thickness: f64, place: impl Fn(f64, f64) -> Vec3) -> BodyMesh {
    let node = |i: u32, j: u32| i * (cells + 1) + j;
    let share = |k: u32| f64::from(k) / f64::from(cells);
    let positions: Vec<Vec3> = (0..=cells).flat_map(|i| (0..=cells).map(move |j| (i, j))).map(|(i, j)| place(share(i), share(j))).collect();
    let halves = |(i, j): (u32, u32)| {
        let [a, b, c, d] = [node(i, j), node(i, j + 1), node(i + 1, j), node(i + 1, j + 1)];
        if (i + j) % 2 == 0 { [[a, b, c], [b, d, c]] } else { [[a, b, d], [a, d, c]] }
    };
    let surface: Vec<[u32; 3]> = (0..cells).flat_map(|i| (0..cells).map(move |j| (i, j))).flat_map(halves).collect();
    BodyMesh {
        cells: Cells::Triangles(surface.clone()),
        tags: vec![0; surface.len()],
        components: vec![0; surface.len()],
        source_vertices: (0..positions.len() as u32).collect(),
        positions,
        surface,
        thickness,
        ..BodyMesh::default()
    }
}

fn flat(height: f64) -> BodyMesh {
    sheet(CELLS, THICKNESS, |u, v| Vec3::new(SIDE * (u - 0.5), height, SIDE * (v - 0.5)))
}

/// The sheets in a scene, with springs along their edges and across these.
fn cloths(sheets: &[BodyMesh], scene: Value) -> Result<System, Vec<String>> {
    cloths_near(sheets, scene, None)
}

/// The same with what was near what before.
fn cloths_near(sheets: &[BodyMesh], mut scene: Value, near: Option<&mut Near>) -> Result<System, Vec<String>> {
    let springs = json!({ "springs": { "stiffness_per_length": 1.0, "mass": { "per_area": 0.3 } } });
    let body = |k: usize| json!({ "name": format!("cloth {k}"), "mesh": "../assets/jelly_box.mesh", "as": springs });
    scene["version"] = json!(1);
    scene["name"] = json!("test");
    scene["bodies"] = (0..sheets.len()).map(body).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes");
    let scene = scene_file::parse(&scene.to_string(), &folder.join("scene.json")).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut place = |body: &Body| Ok(PlacedMesh { mesh: sheets[body.name[6..].parse::<usize>().unwrap()].clone(), rest: None });
    let problems = |error: BuildError| error.0.iter().map(|p| format!("{}: {}", p.path, p.message)).collect::<Vec<_>>();
    let mut system = System::assemble(&scene, &folder, &Unwatched, &mut place, near).map_err(problems)?;
    let mut ends: Vec<[u32; 2]> = Vec::new();
    let mut spans = Vec::new();
    for body in &system.bodies {
        let sides = body.mesh.surface.iter().flat_map(|&[a, b, c]| [([a, b], c), ([b, c], a), ([c, a], b)]);
        let mut sides: Vec<([u32; 2], u32)> = sides.map(|([a, b], c)| ([a.min(b), a.max(b)], c)).collect();
        sides.sort_unstable();
        let (count, first) = (ends.len(), body.nodes.start as u32);
        for group in sides.chunk_by(|a, b| a.0 == b.0) {
            ends.push(group[0].0.map(|v| v + first));
            ends.extend((group.len() == 2).then(|| [group[0].1 + first, group[1].1 + first]));
        }
        spans.push(Span { family: 0, elements: count..ends.len() });
    }
    let spring = |ends: &[u32; 2]| {
        let mut spring = Spring::new(&SPRING_LAWS[0], 300.0, Clamp::default(), &ends.map(|n| system.positions[n as usize])).unwrap();
        spring.set_damping(0.02);
        spring
    };
    let family: Box<dyn Family> = Box::new(Batch::new(ends.iter().map(spring).collect(), ends.clone()));
    system.families = vec![family];
    system.bodies.iter_mut().zip(spans).for_each(|(body, span)| body.spans = vec![span]);
    Ok(system)
}

fn obstacle(shape: Value, friction: f64) -> Value {
    json!({ "obstacles": [{ "name": "thing", "shape": shape, "friction": friction }] })
}

fn ground() -> Value {
    json!({ "half_space": { "point": [0, 0, 0], "normal": [0, 1, 0] } })
}

/// Least distance of the surfaces of two parts, their thickness taken off [m], at `x` [m]; infinite where it is more than a few millimetres.
fn least(system: &System, parts: [u32; 2], x: &[Vec3]) -> f64 {
    let mut candidates = Candidates::default();
    BroadPhase::default().find(&system.surface, x, 0.003, &mut candidates);
    let between = candidates.pairs().filter(|pair| {
        let found = pair.parts(&system.surface);
        found == parts || found == [parts[1], parts[0]]
    });
    between.map(|pair| pair.distance(&system.surface, x)).fold(f64::INFINITY, f64::min)
}

/// Steps, after each of which nothing passes through anything; the least distance of surfaces after any of them [m].
fn run(system: &mut System, state: &mut State, balance: &Balance, steps: usize) -> f64 {
    let mut nearest = f64::INFINITY;
    let mut stepper = Implicit::new(Scheme::BackwardEuler);
    stepper.warm_start(system, balance);
    for step in 0..steps {
        stepper.step(system, state, STEP, &Unwatched).unwrap_or_else(|error| panic!("{step}: {error:?}"));
        let x = system.surface.points.of(&state.positions);
        assert_eq!(intersections(&system.surface, &x), [], "step {step}");
        for part in 0..system.surface.parts.len() as u32 {
            for other in 0..=part {
                let least = least(system, [part, other], &x);
                assert!(least > 0.0, "step {step}: {part} {other}");
                nearest = nearest.min(least);
            }
        }
    }
    nearest
}

#[test]
fn an_open_surface_touches_with_its_triangles_and_has_no_points_inside() {
    let system = cloths(&[flat(0.1)], json!({})).unwrap();
    let part = &system.surface.parts[0];
    assert_eq!((part.triangles.len(), part.vertices.len()), (128, 81));
    assert!(part.radius == 0.5 * THICKNESS && !part.is_round && system.surface.border().len() == 32);
    assert!(system.surface.may_touch(0, 0) && system.surface.is_active());
    let thin = BodyMesh { thickness: 0.0, ..flat(0.1) };
    assert_eq!(cloths(&[thin], json!({})).unwrap().surface.parts[0].radius, 0.0);
    let system = cloths(&[flat(0.0), flat(1.01 * THICKNESS)], json!({})).unwrap();
    assert!(system.surface.points.are_vertices());
    assert!(system.bodies.iter().all(|body| body.mesh.problems.is_empty()));
}

/// What lies in the middle of the thickness may be as near to an obstacle as it is given, and not in it.
#[test]
fn cloth_inside_of_an_obstacle_is_told_of() {
    let depth = |height: f64| cloths(&[flat(height)], obstacle(ground(), 0.5)).err().map(|problems| problems.join(" "));
    assert_eq!(depth(0.1 * THICKNESS), None);
    assert!(depth(-0.5 * THICKNESS).unwrap().contains("up to 2.000e-3 m deep"), "{:?}", depth(-0.5 * THICKNESS));
}

/// Layers and other bodies nearer than the thickness: how many places, how near, and where; once a pair.
#[test]
fn what_is_nearer_than_the_thickness_is_told() {
    let told = |sheets: &[BodyMesh], scene: Value| -> Vec<String> {
        let system = cloths(sheets, scene).unwrap_or_else(|problems| panic!("{problems:?}"));
        system.bodies.iter().flat_map(|body| body.mesh.problems.iter().map(|problem| problem.message.clone())).collect()
    };
    let fold = sheet(16, THICKNESS, |u, v| {
        let (height, bend) = (0.0015, 0.45);
        let (x, y) = if u < bend {
            (u, 0.0)
        } else if u < 1.0 - bend {
            (bend, (u - bend) / (1.0 - 2.0 * bend))
        } else {
            (1.0 - u, 1.0)
        };
        Vec3::new(2.0 * x, height * y, v)
    });
    let messages = told(&[fold], json!({}));
    assert!(messages.len() == 1, "{messages:?}");
    assert!(messages[0].contains(" places are nearer to one another than its thickness of 4.000 mm (least 1.499 mm near"), "{messages:?}");
    assert!(messages[0].ends_with("; there it touches at that distance"));
    let messages = told(&[flat(0.0), flat(0.75 * THICKNESS)], json!({}));
    assert!(
        messages.len() == 1 && messages[0].contains("nearer to `cloth 1` than half the thickness of both, 4.000 mm (least 3.000 mm"),
        "{messages:?}"
    );
    let slab = json!({ "box": { "center": [0, -0.05, 0], "size": [1, 0.1, 1] } });
    let messages = told(&[flat(0.25 * THICKNESS)], obstacle(slab.clone(), 0.5));
    assert!(
        messages.len() == 1 && messages[0].contains("nearer to `thing` than half its thickness of 4.000 mm (least 1.000 mm"),
        "{messages:?}"
    );
    assert!(told(&[flat(0.5 * THICKNESS)], obstacle(slab, 0.5)).is_empty());
    let messages = told(&[flat(0.25 * THICKNESS)], obstacle(ground(), 0.5));
    assert!(
        messages.len() == 1
            && messages[0].starts_with("81 places are nearer to `thing` than half its thickness of 4.000 mm (least 1.000 mm"),
        "{messages:?}"
    );
    assert!(told(&[flat(0.5 * THICKNESS)], obstacle(ground(), 0.5)).is_empty());
    // What is known from before is told again.
    let mut near = Near::default();
    let mut again = || cloths_near(&[flat(0.0), flat(0.75 * THICKNESS)], json!({}), Some(&mut near)).unwrap();
    let (first, second) = (again(), again());
    assert!(first.bodies[0].mesh.problems == second.bodies[0].mesh.problems && second.bodies[0].mesh.problems.len() == 1);
    assert!(first.surface == second.surface && second.surface.thinness != Thinness::default());
    assert!(told(&[flat(0.001), flat(0.002)], json!({ "contact": { "between_bodies": false } })).is_empty());
}

/// Sheets that fall onto something, and one onto another, come to rest half a thickness above it, and a thickness above one another.
#[test]
fn sheets_come_to_rest_their_thickness_apart() {
    let slab = json!({ "box": { "center": [0, -0.1, 0], "size": [0.5, 0.2, 0.5] } });
    let table = json!({ "box": { "center": [0.01, -0.1, 0.005], "size": [0.2, 0.2, 0.2] } });
    let ball = json!({ "sphere": { "center": [0.004, -0.15, 0.007], "radius": 0.15 } });
    for shape in [ground(), slab, table, ball] {
        let lowest = 0.5 * THICKNESS + 0.001;
        let mut system = cloths(&[flat(lowest), flat(lowest + THICKNESS + 0.001)], obstacle(shape.clone(), 0.6)).unwrap();
        let reach = system.contact.barrier_distance * system.diagonal;
        let mut state = State::at_rest(&system);
        run(&mut system, &mut state, &Balance::default(), 60);
        let x = &state.positions;
        let of_layers = least(&system, [0, 1], x);
        assert!(of_layers < reach, "{shape}: {of_layers}");
        let distance = placed(&system.obstacles[0].shape);
        let nearest = |body: usize| system.bodies[body].nodes.clone().map(|n| distance.distance(&x[n]).value).fold(f64::INFINITY, f64::min);
        let (lower, upper) = (nearest(0), nearest(1));
        println!("{shape}: {of_layers} {lower} {upper}");
        assert!(lower > 0.5 * THICKNESS && upper > 0.5 * THICKNESS, "{shape}: {lower}");
        let on_it = if system.mesh_obstacles.is_empty() { lower - 0.5 * THICKNESS } else { least(&system, [0, 2], x) };
        assert!(on_it > 0.0 && on_it < reach, "{shape}: {on_it}");
    }
}

/// Two sheets on one another and on what they lie on keep their places from the first instant, on a slope too, and where they are nearer to
/// one another than they are thick.
#[test]
fn a_pile_of_sheets_starts_at_rest() {
    let slope = json!({ "half_space": { "point": [0, 0, 0], "normal": [0.1, 1, 0] } });
    let slab = json!({ "box": { "center": [0, -0.1, 0], "size": [0.5, 0.2, 0.5] } });
    let gap = 2e-5;
    let snug = [0.5 * THICKNESS + gap, 1.5 * THICKNESS + 2.0 * gap];
    for (shape, tilt, heights) in
        [(&slope, 0.1, snug), (&slab, 0.0, snug), (&slope, 0.1, [0.1 * THICKNESS, 0.4 * THICKNESS]), (&slab, 0.0, [1e-5, 0.2 * THICKNESS])]
    {
        let lying = |height: f64| {
            sheet(CELLS, THICKNESS, |u, v| {
                let along = Vec3::new(1.0, -tilt, 0.0).normalize();
                SIDE * (u - 0.5) * along + height * along.cross(&-Vec3::z()) + SIDE * (v - 0.5) * Vec3::z()
            })
        };
        let scene = json!({ "obstacles": [{ "name": "thing", "shape": shape, "friction": 0.6 }], "contact": { "friction": 0.6 } });
        let mut system = cloths(&heights.map(lying), scene).unwrap();
        assert_eq!(system.bodies.iter().all(|body| body.mesh.problems.is_empty()), heights == snug);
        let rest = rest_state(&system, Method::SagFree, &Unwatched).unwrap();
        assert!(rest.account.infeasible.is_empty(), "{:?}", rest.account.infeasible);
        assert!(rest.sites.len() >= 100, "{}", rest.sites.len());
        // Between surfaces there is some gap for the barrier to keep.
        let least = 0.25 * system.contact.barrier_distance * system.diagonal;
        for site in rest.sites.iter().filter(|_| heights == snug) {
            let most = if matches!(site.between, Between::Obstacle(_)) { gap } else { least };
            assert!(site.distance > gap - 1e-9 && site.distance < most + 1e-9, "{site:?}");
        }
        system.families = rest.families;
        let mut state = State::at_rest(&system);
        run(&mut system, &mut state, &rest.balance, 40);
        let moved = farthest(&system, &state);
        println!("{shape} {heights:?}: {} sites, moved {moved:e}", rest.sites.len());
        assert!(moved < 1e-7 * SIDE, "{shape}: {moved:e}");
    }
}

/// How far any node is from where it was given [m].
fn farthest(system: &System, state: &State) -> f64 {
    state.positions.iter().zip(&system.positions).map(|(x, given)| (x - given).norm()).fold(0.0, f64::max)
}

/// A fold whose layers are nearer than the thickness, of small triangles, does not spring apart.
#[test]
fn a_tight_fold_stays_folded() {
    let fold = sheet(24, THICKNESS, |u, v| {
        let (radius, s) = (0.2 * THICKNESS, 0.1 * (u - 0.5));
        let angle = (s / radius).clamp(-0.5 * std::f64::consts::PI, 0.5 * std::f64::consts::PI);
        let straight = (s.abs() - 0.5 * std::f64::consts::PI * radius).max(0.0);
        Vec3::new(radius * angle.cos() - straight, radius * angle.sin(), 0.1 * v)
    });
    let mut system = cloths(&[fold], json!({ "gravity": [0, 0, 0] })).unwrap();
    assert_eq!(system.bodies[0].mesh.problems.len(), 1);
    let mut state = State::at_rest(&system);
    run(&mut system, &mut state, &Balance::default(), 10);
    assert!(farthest(&system, &state) == 0.0, "{}", farthest(&system, &state));
}

/// Wavy sheets that are thrown at a ball, a box and one another, and a bent one that is shut, never pass through, at no step and at no place.
#[test]
fn thrown_sheets_never_pass_through() {
    let ball = json!({ "sphere": { "center": [0, 0, 0], "radius": 0.06 } });
    let block = json!({ "box": { "center": [0, 0, 0], "size": [0.08, 0.08, 0.08], "rotate_degrees": [20, 30, 40] } });
    for (seed, shape) in [ball, block, Value::Null, Value::Null].into_iter().enumerate() {
        let mut random = Random::new(seed as u64);
        let is_bent = seed == 3;
        let mut thrown = |height: f64| {
            let (turn, waves) = (if is_bent { crate::math::Mat3::identity() } else { random.rotation() }, random.uniform(4.0, 8.0));
            let jitter: Vec<Vec3> = (0..81).map(|_| random.vector(-0.002, 0.002)).collect();
            let mut mesh = sheet(CELLS, THICKNESS, |u, v| {
                let wavy = Vec3::new(SIDE * (u - 0.5), 0.01 * (waves * (u + 0.3 * v)).sin(), SIDE * (v - 0.5));
                let bent = SIDE * Vec3::new((u - 0.5).abs(), 0.25 * (u - 0.5), v);
                turn * if is_bent { bent } else { wavy } + height * Vec3::y()
            });
            mesh.positions.iter_mut().zip(jitter).for_each(|(x, jitter)| *x += jitter);
            mesh
        };
        let sheets = [thrown(0.28), thrown(-0.28)];
        let scene = if shape.is_null() { json!({ "gravity": [0, 0, 0] }) } else { obstacle(shape, 0.3) };
        let mut system = cloths(if is_bent { &sheets[..1] } else { &sheets }, scene).unwrap();
        let mut state = State::at_rest(&system);
        let (bodies, middle) = (system.body_nodes(), system.positions[40].y);
        for (v, x) in state.velocities[..bodies].iter_mut().zip(&system.positions) {
            let towards = if is_bent { 12.0 * (middle - x.y) / 0.04 } else { -3.0 * x.y.signum() };
            *v = towards * Vec3::y() + random.vector(-0.3, 0.3);
        }
        let nearest = run(&mut system, &mut state, &Balance::default(), 40);
        let reach = system.contact.barrier_distance * system.diagonal;
        println!("{seed}: {nearest} of {reach}");
        assert!(nearest > 0.0 && nearest < 0.9 * reach, "{seed}: it hits: {nearest}");
    }
}

/// Edges that cross on both sides of a sheet carry as vertices do: a ridge that looks against its triangles too.
#[test]
fn ridges_of_cloth_are_found_on_both_sides() {
    let gap = 1e-4;
    for side in [1.0, -1.0] {
        let ridge = |at: f64, across: bool, height: f64, up: f64| {
            sheet(2, THICKNESS, move |u, v| {
                let y = side * (height + up * 0.1 * (if across { v } else { u } - 0.5).abs());
                Vec3::new(0.2 * (u - at), y, 0.2 * (v - at))
            })
        };
        let sheets = [ridge(0.45, true, 0.0, -1.0), ridge(0.55, false, THICKNESS + gap, 1.0)];
        let mut system = cloths(&sheets, json!({})).unwrap();
        system.contact.detection_distance = system.contact.barrier_distance;
        let sites = crate::sag_free::contacts::find(&system);
        let is_crossing = |site: &&ContactSite| matches!(site.between, Between::Surfaces(Touch::EdgeEdge { .. }));
        let crossings = sites.sites.iter().filter(is_crossing).filter(|site| (site.distance - gap).abs() < 1e-9);
        assert!(crossings.count() >= 1, "{side}: {:?}", sites.sites.len());
    }
}

/// A sheet whose vertices lie on a ball by half its thickness touches by its vertices: its triangles cut the corner.
#[test]
fn sheets_draped_on_a_ball_touch_by_their_vertices() {
    let radius = 0.3;
    let draped = |off: f64| {
        sheet(CELLS, THICKNESS, |u, v| {
            let from_middle = Vec3::new(0.3 * (u - 0.5), radius, 0.3 * (v - 0.5));
            (radius + off) * from_middle.normalize() - radius * Vec3::y()
        })
    };
    let ball = json!({ "sphere": { "center": [0, -radius, 0], "radius": radius } });
    for (off, by_vertices) in [(0.5 * THICKNESS, true), (0.5 * THICKNESS + 2e-3, false)] {
        let system = cloths(&[draped(off)], obstacle(ball.clone(), 0.5)).unwrap();
        assert_eq!(!system.pairs.is_empty(), by_vertices, "{off}");
    }
}

/// Layers of one sheet that lie on one another are contacts, wherever they face one another: of both sides.
#[test]
fn layers_of_one_sheet_are_contacts_of_the_given_shape() {
    let gap = 1e-4;
    for side in [1.0, -1.0] {
        let strip = sheet(16, THICKNESS, |u, v| {
            let arc = std::f64::consts::PI * 0.5 * (THICKNESS + gap);
            let (s, radius) = ((u - 0.5) * 0.6, 0.5 * (THICKNESS + gap));
            let angle = (s / radius).clamp(-0.5 * std::f64::consts::PI, 0.5 * std::f64::consts::PI);
            Vec3::new(radius * angle.cos() - (s.abs() - 0.5 * arc).max(0.0), side * radius * angle.sin(), 0.3 * v)
        });
        let mut system = cloths(&[strip], json!({})).unwrap();
        assert!(system.bodies[0].mesh.problems.is_empty(), "{:?}", system.bodies[0].mesh.problems);
        system.contact.detection_distance = system.contact.barrier_distance;
        let sites = crate::sag_free::contacts::find(&system).sites;
        let of_layers = sites.iter().filter(|site| (site.distance - gap).abs() < 0.3 * gap && site.normal.y.abs() > 0.99).count();
        assert!(of_layers >= 90, "{side}: {of_layers} of {}", sites.len());
    }
}

/// What floats is let down until its thickness touches.
#[test]
fn a_sheet_that_floats_is_let_down_by_its_thickness() {
    let scene = json!({ "obstacles": [{ "name": "thing", "shape": ground(), "friction": 0.5 }] });
    let system = cloths(&[flat(0.1)], scene).unwrap();
    let rest = rest_state(&system, Method::SagFree, &Unwatched).unwrap();
    let moves: Vec<f64> = rest
        .account
        .infeasible
        .iter()
        .filter_map(|found| match &found.mend {
            Some(Mend::Move { by, .. }) => Some(by[1]),
            _ => None,
        })
        .collect();
    let gap = 0.1 * system.contact.barrier_distance * system.diagonal;
    assert!(moves.len() == 1 && (moves[0] + 0.1 - 0.5 * THICKNESS - gap).abs() < 1e-9, "{moves:?} {:?}", rest.account.infeasible);
}

/// A bag without a border has layers that face one another inside: they are contacts as well, as its thickness reaches there.
#[test]
fn layers_inside_of_a_bag_are_contacts() {
    let gap = 1.5e-4;
    let (points, tets) = box_mesh(Vec3::new(SIDE, THICKNESS + gap, SIDE), [6, 1, 6], CubeCut::Five);
    let mesh = TetMesh::from_tets(points, tets).unwrap();
    let cells = Cells::Triangles(mesh.surface.clone());
    let (tags, components) = (vec![0; mesh.surface.len()], vec![0; mesh.surface.len()]);
    let bag = BodyMesh { cells, tags, components, thickness: THICKNESS, ..mesh.into() };
    let mut system = cloths(&[bag], json!({})).unwrap();
    assert!(system.surface.border().is_empty() && system.bodies[0].mesh.problems.is_empty());
    system.contact.detection_distance = system.contact.barrier_distance;
    let sites = crate::sag_free::contacts::find(&system).sites;
    assert!(sites.iter().filter(|site| (site.distance - gap).abs() < 1e-9).count() >= 50, "{}", sites.len());
}

/// A step of a vertex towards an obstacle ends before half the thickness touches.
#[test]
fn steps_towards_obstacles_end_before_the_thickness_touches() {
    let gap = 0.01;
    let system = cloths(&[flat(0.5 * THICKNESS + gap)], obstacle(ground(), 0.5)).unwrap();
    let contacts = ObstacleContacts::new(&system, &Balance::default());
    let potential = contacts.freeze(&system, &system.positions, 0.0);
    let down = vec![-2.0 * gap * Vec3::y(); system.positions.len()];
    let mut steps = vec![1.0; down.len()];
    potential.limit_steps(&system.positions, &down, &mut steps);
    assert!(steps.iter().all(|step| *step < 0.5 && *step > 0.45), "{}", steps[0]);
    let there: Vec<Vec3> = system.positions.iter().map(|x| x - 2.0 * gap * steps[0] * Vec3::y()).collect();
    assert!(potential.energy(&there).is_finite() && potential.energy(&there) > 0.0);
}
