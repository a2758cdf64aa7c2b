//! Random contact scenes: whatever comes, forces are inside their cones, no element is turned inside out, and what is out of balance is
//! named.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use nalgebra::Rotation3;
use proptest::prelude::*;

use super::initialise::rest_state;
use super::scenes::cone_violation;
use crate::bodies::solid::Solid;
use crate::contact::obstacle::PlacedObstacle;
use crate::contact::surface::{CollisionSurface, PairRules, PartInput};
use crate::element::{Batch, Tet};
use crate::material::{MATERIALS, Material};
use crate::math::{Vec3, bounding_diagonal};
use crate::mesh::TetMesh;
use crate::mesh::structured::{CubeCut, box_mesh};
use crate::mesh::topology::Faces;
use crate::sag_free::verdict::{Infeasibility, InfeasibilityCode};
use crate::scene::{Method, Shape, Transform, Unit, UpAxis};
use crate::step::{Implicit, Scheme, State, Stepper, instant};
use crate::system::{MeshObstacle, PlacedBody, Span, System, TouchPair};
use crate::watch::Unwatched;

/// Distance of things that touch [m].
const GAP: f64 = 1e-5;

/// A box on a slope, maybe another on it, turned about the slope's normal, and maybe a third beside them.
#[derive(Debug, Clone)]
struct Random {
    law: usize,
    young: f64,
    size: [f64; 3],
    cells: [usize; 3],
    degrees: f64,
    friction: f64,
    /// Whether the lower edge of the first box is held.
    fixed: bool,
    /// Whether the slope is a surface of triangles.
    of_triangles: bool,
    /// Size over that of the first box, cells, and the angle by which it is turned [rad].
    second: Option<(f64, [usize; 3], f64)>,
    /// Width over height, and cells.
    third: Option<(f64, [usize; 3])>,
}

/// Bodies first, then the slope.
#[derive(Default)]
struct Builder {
    system: System,
    tets: Vec<[u32; 4]>,
    parts: Vec<PartInput>,
}

impl Builder {
    fn add(&mut self, name: &str, size: Vec3, cells: [usize; 3], place: impl Fn(&Vec3) -> Vec3) {
        let (positions, tets) = box_mesh(size, cells, CubeCut::Five);
        let mesh = TetMesh::from_tets(positions.iter().map(place).collect(), tets).unwrap();
        let (first, first_tet) = (self.system.positions.len(), self.tets.len());
        let placed = |face: &[u32; 3]| face.map(|n| n + first as u32);
        self.parts.push(PartInput::triangles(name, Faces::of(&mesh.tets).boundary(&mesh.tets).0.iter().map(placed).collect()));
        self.system.masses.extend(mesh.lumped_masses(&vec![1000.0; mesh.tets.len()]));
        self.system.positions.extend(&mesh.positions);
        self.tets.extend(mesh.tets.iter().map(|tet| tet.map(|n| n + first as u32)));
        self.system.bodies.push(PlacedBody {
            name: name.into(),
            nodes: first..self.system.positions.len(),
            internal: 0..0,
            spans: vec![Span { family: 0, elements: first_tet..self.tets.len() }],
            mesh: mesh.into(),
            matter: Arc::new(Solid::default()),
        });
    }

    /// The slope through the origin, with its normal.
    fn slope(&mut self, turn: &Rotation3<f64>, friction: f64, of_triangles: bool) {
        let first = self.system.positions.len();
        let normal = turn * Vec3::y();
        let obstacle = |shape| PlacedObstacle::new("slope", shape);
        if !of_triangles {
            self.system.obstacles.push(obstacle(Shape::HalfSpace { point: [0.0; 3], normal: normal.into() }));
            self.system.pairs = (0..first as u32).map(|node| TouchPair { node, obstacle: 0, friction }).collect();
            return;
        }
        let corners = [(-5.0, -4.0), (-5.0, 4.5), (5.5, 4.0), (5.0, -4.0)].map(|(x, z)| turn * Vec3::new(x, 0.0, z));
        self.system.positions.extend(corners);
        let nodes = first..self.system.positions.len();
        self.system.masses.resize(nodes.end, 0.0);
        let triangles: Vec<[u32; 3]> = [[0, 1, 2], [0, 2, 3]].map(|t| t.map(|n: u32| n + first as u32)).to_vec();
        let shape = Shape::Mesh { mesh: String::new(), unit: Unit::Metre, up: UpAxis::Y, transform: Transform::default() };
        self.system.obstacles.push(obstacle(shape));
        self.system.mesh_obstacles.push(MeshObstacle {
            obstacle: 0,
            nodes,
            triangles: triangles.clone(),
            radius: None,
            inside: None,
            thickness: f64::INFINITY,
            motion: None,
        });
        self.parts.push(PartInput::triangles("slope", triangles));
    }
}

impl Random {
    fn system(&self) -> System {
        let turn = Rotation3::from_axis_angle(&Vec3::z_axis(), self.degrees.to_radians());
        let size = Vec3::from(self.size);
        let mut scene = Builder::default();
        scene.add("first", size, self.cells, |x| turn * (x + GAP * Vec3::y()));
        if let Some((factor, cells, angle)) = self.second {
            let about = Rotation3::from_axis_angle(&Vec3::y_axis(), angle);
            let top = Vec3::new(0.5 * size.x, size.y + 2.0 * GAP, 0.5 * size.z);
            let own = factor * size;
            scene.add("second", own, cells, |x| turn * (top + about * (x - Vec3::new(0.5 * own.x, 0.0, 0.45 * own.z))));
        }
        if let Some((width, cells)) = self.third {
            let corner = Vec3::new(1.0, GAP, 1.0);
            scene.add("third", Vec3::new(0.2 * width, 0.2, 0.1), cells, |x| turn * (x + corner));
        }
        let bodies = scene.system.positions.len();
        scene.slope(&turn, self.friction, self.of_triangles);
        let Builder { mut system, tets, parts } = scene;
        let materials: Vec<Arc<dyn Material>> = vec![(MATERIALS[self.law % MATERIALS.len()].build)(self.young, 0.3); tets.len()];
        system.families = vec![Box::new(Batch::<Tet, 4, 6>::at_rest(&system.positions, &tets, &materials).unwrap())];
        let at_edge = |n: usize| {
            let x = turn.inverse() * system.positions[n];
            x.y < 2.0 * GAP && x.x < 1e-9
        };
        let first = system.bodies[0].nodes.clone();
        system.fixed = (0..system.positions.len()).map(|n| n >= bodies || (self.fixed && first.contains(&n) && at_edge(n))).collect();
        system.diagonal = bounding_diagonal(&system.positions[..bodies]);
        system.gravity = Vec3::new(0.0, -9.81, 0.0);
        let mut rules = PairRules::all_touch(parts.len(), self.friction);
        (0..parts.len() as u32).for_each(|part| rules.set(part, part, None));
        let movable = system.fixed.iter().map(|fixed| !fixed).collect();
        system.surface = CollisionSurface::new(&system.positions, parts, rules, movable).unwrap();
        system
    }

    /// Whether a box of that width and height stays, by hand: it neither slides, where its lower edge is not held, nor tips over that
    /// edge. `None` near the limit.
    fn stays(&self, width: f64, height: f64, fixed: bool) -> Option<bool> {
        let friction = if fixed { f64::INFINITY } else { self.friction };
        let margin = friction.min(width / height) - self.degrees.to_radians().tan();
        (margin.abs() > 2e-3).then_some(margin > 0.0)
    }
}

fn random() -> impl Strategy<Value = Random> {
    let cells = || prop::array::uniform3(1usize..4);
    let second = prop::option::of((0.5..1.3, cells(), prop_oneof![Just(0.0), 0.0..1.6]));
    let third = prop::option::of((0.3..2.0, cells()));
    let friction = prop_oneof![Just(0.0), 0.01..1.2];
    let young = prop_oneof![Just(1e4), Just(1e5), Just(1e7)];
    let flags = (any::<bool>(), any::<bool>(), 0usize..8);
    (prop::array::uniform3(0.05..0.4), cells(), 0.0..40.0, friction, young, flags, second, third).prop_map(
        |(size, cells, degrees, friction, young, (fixed, of_triangles, law), second, third)| Random {
            law,
            young,
            size,
            cells,
            degrees,
            friction,
            fixed,
            of_triangles,
            second,
            third,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, rng_seed: prop::test_runner::RngSeed::Fixed(4), ..ProptestConfig::default() })]

    /// Whatever the scene: contact forces inside their cones, elements that are not inside out, and of the forces that a stepper then
    /// makes, what is out of balance is named, and nothing else.
    #[test]
    fn random_scenes_are_balanced_or_known_not_to_be(random in random()) {
        let mut system = random.system();
        let found = rest_state(&system, Method::SagFree, &Unwatched).unwrap();
        prop_assert!(found.site_forces.iter().all(|f| f.iter().all(|x| x.is_finite())));
        prop_assert!(cone_violation(&found.sites, &found.site_forces) < 1e-9);
        // Told where it is not so: gap reached, and one attempt in few iterations.
        let account = &found.account;
        prop_assert!(account.gap_reached || !account.infeasible.is_empty(), "gap {:?}", account.gap);
        let is_first = account.friction_used.is_none_or(|used| used == system.initialise.friction_fraction);
        prop_assert!(account.iterations <= 25 || !is_first || !account.infeasible.is_empty(), "{} iterations", account.iterations);
        system.families = found.families;
        let ratios: Vec<f64> = system.families.iter().flat_map(|family| family.compression(&system.positions)).collect();
        prop_assert!(ratios.iter().all(|ratio| *ratio > 0.0 && ratio.is_finite()), "{ratios:?}");

        let mut stepper = Implicit::new(Scheme::BackwardEuler);
        stepper.warm_start(&system, &found.balance);
        let state = State::at_rest(&system);
        let net = instant::net_force(&system, stepper.contacts(&system), &state);
        let (tolerance, largest) = (system.initialise.tolerance, system.largest_load());
        let infeasible = &found.account.infeasible;
        let residual_of = |body: &PlacedBody| net[body.nodes.clone()].iter().map(Vec3::norm).fold(0.0, f64::max) / largest;
        for body in &system.bodies {
            let residual = residual_of(body);
            let shown = format!("body '{}'", body.name);
            let is_told = infeasible.iter().any(|reason| reason.body == body.name || reason.message.contains(&shown));
            prop_assert!(is_told || residual <= 10.0 * tolerance, "{} is out of balance by {residual:e}: {infeasible:?}", body.name);
        }
        // Of two that slip on each other one may be in balance.
        for reason in infeasible {
            let is_concerned = |body: &PlacedBody| reason.message.contains(&format!("body '{}'", body.name));
            let worst = system.bodies.iter().filter(|body| is_concerned(body)).map(residual_of).fold(0.0, f64::max);
            prop_assert!(worst > 0.1 * tolerance, "in balance to {worst:e}: {reason:?}");
        }

        // By hand, where boxes stand alone and no law fails.
        let is_named = |name: &str| infeasible.iter().any(|reason| reason.body == name);
        let too_soft = !found.account.unattained.is_empty();
        if let Some(stays) = random.stays(random.size[0], random.size[1], random.fixed).filter(|_| random.second.is_none() && !too_soft) {
            prop_assert_eq!(!is_named("first"), stays, "{:?}", infeasible);
        }
        if let Some(stays) = random.third.and_then(|(width, _)| random.stays(width, 1.0, false)).filter(|_| !too_soft) {
            prop_assert_eq!(!is_named("third"), stays, "{:?}", infeasible);
        }
    }
}

/// Those of a scene without what depends on stiffness: which bodies are not held, and why.
fn not_held(system: &System) -> Vec<(String, InfeasibilityCode)> {
    let found = rest_state(system, Method::SagFree, &Unwatched).unwrap().account.infeasible;
    found.into_iter().filter(|reason| reason.code != InfeasibilityCode::TooSoft).map(|reason| (reason.body, reason.code)).collect()
}

/// What a message says that `stiffen_up_to` should be.
fn advised(message: &str) -> Option<f64> {
    message.split("`initialise.stiffen_up_to` of ").nth(1)?.split(',').next()?.parse().ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, rng_seed: prop::test_runner::RngSeed::Fixed(9), ..ProptestConfig::default() })]

    /// Whether a body is held is no matter of its stiffness.
    #[test]
    fn what_is_held_does_not_depend_on_stiffness(random in random()) {
        let verdict = |young: f64| not_held(&Random { young, ..random.clone() }.system());
        let first = verdict(1e2);
        prop_assert!(first.iter().all(|(_, code)| *code != InfeasibilityCode::Undecided), "{first:?}");
        for young in [1e4, 1e6, 1e8, 1e11] {
            prop_assert_eq!(&verdict(young), &first, "E = {}", young);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, rng_seed: prop::test_runner::RngSeed::Fixed(10), ..ProptestConfig::default() })]

    /// A factor on the stiffness that is advised is enough, and so is the other cure in the same words.
    #[test]
    fn advice_holds_when_it_is_followed(random in random(), decades in 1.0..3.0f64) {
        let random = Random { young: 10f64.powf(decades), ..random };
        let told = |system: &System| {
            let found = rest_state(system, Method::SagFree, &Unwatched).unwrap().account;
            let soft = found.infeasible.into_iter().filter(|reason| reason.code == InfeasibilityCode::TooSoft);
            (soft.map(|reason| reason.message).collect::<Vec<_>>(), found.unattained.len(), found.stiffness_factor)
        };
        let mut system = random.system();
        let (before, _, factor) = told(&system);
        prop_assert!(before.iter().all(|message| advised(message) == factor), "{factor:?}: {before:?}");
        prop_assume!(factor.is_some());
        let factor = factor.unwrap();
        let in_words = format!("{factor:.2} times as large");
        prop_assert!(before.iter().all(|message| message.contains(&in_words)));
        let (followed, left, _) = told(&Random { young: factor * random.young, ..random.clone() }.system());
        prop_assert!(followed.is_empty() && left == 0, "{} times: {:?} after {:?}", factor, followed, before);
        system.initialise.stiffen_up_to = factor;
        let (followed, left, _) = told(&system);
        prop_assert!(followed.is_empty() && left == 0, "up to {}: {:?} after {:?}", factor, followed, before);
    }

    /// Friction that is advised holds.
    #[test]
    fn advised_friction_holds_when_it_is_followed(random in random(), degrees in 3.0..40.0f64, share in 0.0..0.9f64) {
        let mut random = Random { degrees, friction: share * degrees.to_radians().tan(), fixed: false, young: 1e6, ..random };
        let reasons = |random: &Random| rest_state(&random.system(), Method::SagFree, &Unwatched).unwrap().account.infeasible;
        let before = reasons(&random);
        let needed = |reason: &Infeasibility| -> Option<f64> { reason.message.split("coefficient of about ").nth(1)?.parse().ok() };
        let Some(most) = before.iter().filter_map(needed).reduce(f64::max) else { return Err(TestCaseError::reject("nothing slips")) };
        random.friction = most;
        let slips = |reason: &&Infeasibility| matches!(reason.code, InfeasibilityCode::TooLittleFriction | InfeasibilityCode::Undecided);
        let after = reasons(&random);
        prop_assert!(after.iter().find(slips).is_none(), "with {}: {:?} after {:?}", most, after, before);
    }
}
