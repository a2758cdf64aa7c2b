//! Scenes of one body of strands, and what statics and the elastica say of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code, missing_docs)]

use std::f64::consts::{PI, TAU};

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};

use crate::spring_scene::{Springs, field, line};

pub const GRAVITY: f64 = 9.81;

/// A body of strands along the lines of `mesh`, an OBJ, with what `select` chooses held.
pub fn strands(mesh: &str, settings: Value, select: Value) -> Springs {
    let mut scene = Springs::new(mesh, json!({}), select);
    scene.scene["bodies"][0]["as"] = json!({ "strands": settings });
    scene
}

/// Hair of 6.5 mg a metre with this bending stiffness [N m^2].
pub fn hair(bending: f64) -> Value {
    json!({ "radius": 4e-5, "density": 6.5e-6 / (PI * 1.6e-9), "young": 4e9, "bending_stiffness": bending, "twisting_stiffness": bending / 1.3 })
}

pub fn root() -> Value {
    json!({ "vertices": [0] })
}

/// The way along its axis: sideways, hanging, standing.
pub const SIDEWAYS: [f64; 3] = [1.0, 0.0, 0.0];
pub const HANGING: [f64; 3] = [0.0, -1.0, 0.0];
pub const STANDING: [f64; 3] = [0.0, 1.0, 0.0];

/// A helix of this radius and number of turns along an axis, of which 0.2 m of arc have so many segments; radius 0: straight.
pub fn helix(radius: f64, turns: f64, segments: usize, axis: [f64; 3]) -> Vec<[f64; 3]> {
    let axis = Vec3::from(axis);
    let (first, second) = (Vec3::z(), axis.cross(&Vec3::z()));
    let rise = (0.04 - (TAU * radius * turns).powi(2)).sqrt();
    let at = |k: usize| {
        let share = k as f64 / segments as f64;
        let angle = TAU * turns * share;
        (rise * share * axis + radius * ((angle.cos() - 1.0) * first + angle.sin() * second)).into()
    };
    (0..=segments).map(at).collect()
}

/// The moment at each vertex between two segments by statics: what hangs beyond it, times its arm [N m].
pub fn moments(simulation: &Simulation) -> Vec<f64> {
    let (x, masses) = (&simulation.system.positions, &simulation.system.masses);
    let count = simulation.system.bodies[0].nodes.len();
    let at = |joint: usize| (joint + 1..count).map(|i| (x[i] - x[joint]).cross(&(-GRAVITY * masses[i] * Vec3::y()))).sum::<Vec3>().norm();
    (1..count - 1).map(at).collect()
}

/// Bending and twisting moment of each joint together [N m].
pub fn found_moments(simulation: &Simulation) -> Vec<f64> {
    let [bending, twisting] = ["rod bending moment", "twisting moment"].map(|name| field(simulation, name));
    bending.iter().zip(&twisting).map(|(b, t)| b.hypot(*t)).filter(|moment| !moment.is_nan()).collect()
}

/// End of a heavy inextensible strand, clamped horizontally at the origin, by the elastica: E I theta'' = w (L - s) cos(theta), theta falling from
/// 0 to a free end (Runge-Kutta, and bisection on the curvature at the clamp).
pub fn elastica(bending: f64, weight: f64, length: f64) -> (f64, f64) {
    let run = |start: f64| {
        let steps = 4000;
        let h = length / f64::from(steps);
        let slope = |s: f64, [theta, bent, _, _]: [f64; 4]| [bent, weight * (length - s) * theta.cos() / bending, theta.cos(), theta.sin()];
        let mut y = [0.0, start, 0.0, 0.0];
        for step in 0..steps {
            let s = f64::from(step) * h;
            let moved = |by: f64, k: [f64; 4]| std::array::from_fn(|i| y[i] + by * k[i]);
            let k1 = slope(s, y);
            let k2 = slope(s + 0.5 * h, moved(0.5 * h, k1));
            let k3 = slope(s + 0.5 * h, moved(0.5 * h, k2));
            let k4 = slope(s + h, moved(h, k3));
            y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        }
        y
    };
    let (mut low, mut high) = (-weight * length * length / bending, 0.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if run(middle)[1] < 0.0 { low = middle } else { high = middle }
    }
    let [_, _, along, up] = run(0.5 * (low + high));
    (along, up)
}

/// Turned by its clamped root, a strand of these settings follows as a whole, without any strain; jointed there, it is only carried along.
pub fn follows_its_root_where_that_is_clamped(settings: Value) {
    for clamped in [true, false] {
        let points = helix(5e-3, 2.0, 24, SIDEWAYS);
        let mut settings = settings.clone();
        settings["clamped"] = clamped.into();
        let mut scene = strands(&line(&points), settings, root());
        scene.scene["gravity"] = json!([0.0, 0.0, 0.0]);
        let pivot = [0.0, 0.05, 0.0];
        let turn = json!({ "pivot": pivot, "keyframes": [{ "time": 0.0 }, { "time": 1.0, "rotate": { "axis": [0.0, 1.0, 1.0], "degrees": 100.0 } }] });
        scene.scene["bodies"][0]["regions"][0]["role"] = json!({ "dirichlet": { "motion": turn } });
        scene.scene["simulate"] = json!({ "step_size": 0.1, "stepper": "backward_euler", "tolerance": 1e-10 });
        let (mut simulation, _) = scene.initialised(Method::Naive);
        let last = (0..150).map(|_| simulation.step(&Unwatched).unwrap()).last().unwrap();
        let axis = nalgebra::Unit::new_normalize(Vec3::new(0.0, 1.0, 1.0));
        let rotation = nalgebra::Rotation3::from_axis_angle(&axis, 100f64.to_radians());
        let place = |x: &Vec3| rotation * (x - Vec3::from(pivot)) + Vec3::from(pivot);
        let (given, now) = (&simulation.system.positions[..25], &simulation.state.positions[..25]);
        let off = given.iter().zip(now).map(|(given, now)| (place(given) - now).norm()).fold(0.0, f64::max);
        assert_eq!(off < 1e-6, clamped, "{off:e}");
        assert!(last.elastic < 1e-12, "{}", last.elastic);
    }
}
