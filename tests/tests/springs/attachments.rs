//! Springs between bodies: what they carry, which vertices they join, and what a scene may say of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::export::medit;
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::mesh::structured::{CubeCut, box_mesh};
use aplomb_sim::scene::{Method, Scene};
use aplomb_sim::scene_file;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::Verdict;
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};
use tempfile::TempDir;

const GRAVITY: f64 = 9.81;
/// Size of the block that hangs [m], cubes along its sides, and its density [kg/m^3].
const BLOCK: [f64; 3] = [0.3, 0.2, 0.25];
const CUBES: [usize; 3] = [3, 2, 3];
const DENSITY: f64 = 400.0;

/// A block that hangs under a rack of wires, all of whose vertices are held.
struct Hanging {
    folder: TempDir,
    scene: Value,
}

impl Hanging {
    fn new(attach: Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (positions, tets) = box_mesh(Vec3::from(BLOCK), CUBES, CubeCut::Five);
        let mut file = Vec::new();
        medit::write(&mut file, &positions, &tets, &[]).unwrap();
        std::fs::write(folder.path().join("block.mesh"), file).unwrap();
        // A grid of wires, wider than the block, whose vertices lie above none of the block's.
        let vertices: String =
            (0..36).map(|k| format!("v {} 0.5 {}\n", 0.13 * f64::from(k % 6) - 0.17, 0.12 * f64::from(k / 6) - 0.19)).collect();
        let lines: String = (0..35).map(|k| format!("l {} {}\n", k + 1, k + 2)).collect();
        std::fs::write(folder.path().join("rack.obj"), vertices + &lines).unwrap();
        let springs = json!({ "springs": { "stiffness": 100.0, "mass": { "per_node": 0.01 } } });
        let rack = json!({ "name": "rack", "mesh": "rack.obj", "as": springs, "regions": [
            { "name": "held", "role": { "dirichlet": {} }, "select": [{ "all": {} }] },
            { "name": "front", "role": { "named": {} }, "select": [{ "plane_side": { "point": [0, 0, 0.1], "normal": [0, 0, -1] } }] },
        ] });
        let block = json!({ "name": "block", "mesh": "block.mesh",
            "material": { "law": "neo_hookean", "young": 1e5, "poisson": 0.4, "density": DENSITY },
            "regions": [{ "name": "hooks", "role": { "attach": attach }, "select": [{ "height": { "axis": "y", "from": 0.99, "to": 1 } }] }] });
        Self { folder, scene: json!({ "version": 1, "name": "hanging", "bodies": [rack, block] }) }
    }

    fn load(&self) -> Result<Scene, Vec<String>> {
        let file = self.folder.path().join("scene.json");
        std::fs::write(&file, self.scene.to_string()).unwrap();
        scene_file::load(&file).map_err(|problems| problems.iter().map(|p| format!("{}: {}", p.path, p.message)).collect())
    }

    fn build(&self) -> Result<Simulation, Vec<String>> {
        let built = Simulation::build(&self.load()?, self.folder.path(), &Unwatched);
        built.map_err(|error| error.0.iter().map(|p| format!("{}: {}", p.path, p.message)).collect())
    }

    fn problem(&self) -> String {
        self.build().err().unwrap_or_default().join("\n")
    }
}

/// The ends of all attached springs and their tensions [N].
fn springs(simulation: &Simulation) -> Vec<([usize; 2], f64)> {
    let system = &simulation.system;
    let tension = simulation.fields().into_iter().find(|field| field.kind.name == "tension").unwrap().values;
    let of = |attachment: &aplomb_sim::system::Attachment| -> Vec<_> {
        let (family, numbers) = (&system.families[attachment.span.family], system.element_numbers(&attachment.span));
        let ends = attachment.span.elements.clone().map(|e| family.nodes(e).iter().map(|&n| n as usize).collect::<Vec<_>>());
        ends.zip(numbers).map(|(ends, number)| ([ends[0], ends[1]], tension[number])).collect()
    };
    system.attachments.iter().flat_map(of).collect()
}

/// What hangs by springs alone: they pull with its weight, in its middle, whatever their law and number; nothing moves, and after a kick
/// it comes back.
#[test]
fn springs_carry_what_hangs_by_them() {
    let mass = DENSITY * BLOCK.iter().product::<f64>();
    let mut random = Random::new(7);
    for (law, stiffness) in [("hooke", "stiffness"), ("strain", "stiffness_per_length"), ("quadratic", "stiffness")] {
        for each in [2, 3, 5] {
            let hanging = Hanging::new(json!({ "body": "rack", "each": each, "law": law, stiffness: 400.0, "damping": 0.02 }));
            let mut simulation = hanging.build().unwrap();
            // As they are given they are as long as at rest, until a rest state is solved for.
            assert!(springs(&simulation).iter().all(|(_, tension)| tension.abs() < 1e-12), "{law} {each}");
            let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
            assert!(report.residual.after < 1e-10, "{law} {each}: {:?}", report.residual);
            let springs = springs(&simulation);
            assert_eq!(springs.len(), 16 * each);
            let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
            let x = &simulation.system.positions;
            let middle = x[36..].iter().zip(&simulation.system.masses[36..]).map(|(x, m)| *m * x).sum::<Vec3>() / mass;
            for &([hook, wire], tension) in &springs {
                let pull = tension * (x[wire] - x[hook]).normalize();
                force += pull;
                torque += (x[hook] - middle).cross(&pull);
            }
            let weight = mass * GRAVITY;
            assert!((force - Vec3::new(0.0, weight, 0.0)).norm() < 1e-9 * weight, "{law} {each}: {force:?} for {weight}");
            assert!(torque.norm() < 1e-9 * weight, "{law} {each}: {torque:?}");
            let still = (0..100).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
            assert!(still < 1e-9, "{law} {each}: {still:e}");
            let stability = report.stability.unwrap();
            if stability.verdict == Verdict::Stable && stability.smallest_eigenvalue > 10.0 {
                simulation.kick(1e-3 * random.vector(-1.0, 1.0));
                let kicked: Vec<f64> = (0..600).map(|_| simulation.step(&Unwatched).unwrap().drift).collect();
                let largest = kicked.iter().copied().fold(0.0, f64::max);
                assert!(largest > 1e-6 && kicked[599] < 0.2 * largest, "{law} {each}: {largest:e}, then {:e}", kicked[599]);
            }
        }
    }
}

/// Each vertex of the region is joined to the nearest ones, of the named region only, and no farther than allowed.
#[test]
fn springs_run_to_the_nearest_vertices() {
    for (region, within) in [(None, None), (Some("front"), None), (None, Some(0.32)), (Some("front"), Some(0.33))] {
        let mut attach = json!({ "body": "rack", "each": 4, "stiffness": 100.0 });
        region.inspect(|region| attach["region"] = json!(region));
        within.inspect(|within| attach["within"] = json!(within));
        let simulation = Hanging::new(attach).build().unwrap();
        let x = &simulation.system.positions;
        let mut expected = Vec::new();
        for hook in (36..x.len()).filter(|&n| x[n].y > 0.99 * BLOCK[1]) {
            let mut wires: Vec<(f64, usize)> = (0..36).map(|wire| ((x[wire] - x[hook]).norm(), wire)).collect();
            wires.retain(|(_, wire)| region.is_none() || x[*wire].z <= 0.1);
            wires.sort_by(|a, b| a.0.total_cmp(&b.0));
            expected.extend(wires.iter().take(4).filter(|(d, _)| within.is_none_or(|most| *d <= most)).map(|(_, wire)| [hook, *wire]));
        }
        let mut found: Vec<[usize; 2]> = springs(&simulation).into_iter().map(|(ends, _)| ends).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{region:?} {within:?}");
        assert!(within.is_none() || (1..60).contains(&found.len()), "{}", found.len());
    }
}

/// A prepared asset brings attached springs back to the bit.
#[test]
fn attachments_are_in_prepared_assets() {
    let hanging = Hanging::new(json!({ "body": "rack", "each": 3, "stiffness": 400.0 }));
    let mut first = hanging.build().unwrap();
    first.initialise(Method::SagFree, &Unwatched).unwrap();
    let mut second = hanging.build().unwrap();
    second.restore(&first.prepared_asset()).unwrap();
    for simulation in [&mut first, &mut second] {
        simulation.kick(Vec3::new(0.01, 0.02, -0.03));
        for _ in 0..5 {
            simulation.step(&Unwatched).unwrap();
        }
    }
    assert_eq!(first.state.positions, second.state.positions);
    let mut stiffer = hanging.scene.clone();
    stiffer["bodies"][1]["regions"][0]["role"]["attach"]["stiffness"] = json!(401.0);
    let mut other = Hanging { folder: hanging.folder, scene: stiffer }.build().unwrap();
    let refused = other.restore(&first.prepared_asset()).unwrap_err();
    assert!(refused.contains("attach"), "{refused}");
}

#[test]
fn what_does_not_fit_is_told() {
    let problem = |attach: Value| Hanging::new(attach).problem();
    let cases = [
        (json!({ "body": "rak", "stiffness": 1.0 }), "role.attach.body: there is no body `rak`; did you mean `rack`?"),
        (json!({ "body": "block", "stiffness": 1.0 }), "role.attach.body: a body cannot be attached to itself"),
        (
            json!({ "body": "rack", "region": "frunt", "stiffness": 1.0 }),
            "role.attach.region: `rack` has no region `frunt`; did you mean `front`?",
        ),
        (json!({ "body": "rack" }), "role.attach.stiffness: missing"),
        (json!({ "body": "rack", "stiffness": 1.0, "stiffness_per_length": 1.0 }), "role.attach.stiffness_per_length: "),
        (json!({ "body": "rack", "stiffness": 1.0, "each": 0 }), "role.attach.each"),
        (json!({ "body": "rack", "stiffness": 1.0, "within": 0.0 }), "role.attach.within"),
        (json!({ "body": "rack", "stiffness": 1.0, "law": "hook" }), "role.attach.law"),
    ];
    for (attach, expected) in cases {
        let told = problem(attach.clone());
        assert!(told.contains(&format!("bodies[1].regions[0].{expected}")), "{attach}: {told}");
    }
    let attach = || json!({ "body": "rack", "stiffness": 1.0 });
    let mut late = Hanging::new(attach());
    late.scene["bodies"][1]["enters_at"] = json!(0.5);
    assert!(late.problem().contains("role.attach.body: a body that comes in later"), "{}", late.problem());
    // A vertex of the block upon one of the rack: no spring has a direction there.
    let mut upon = Hanging::new(attach());
    upon.scene["bodies"][1]["transform"] = json!({ "translate": [-0.17, 0.3, -0.19] });
    upon.scene["contact"] = json!({ "between_bodies": false });
    assert!(
        upon.problem().contains("bodies[1].regions[0].role.attach: 1 vertices of `block` lie on the vertices of `rack`"),
        "{}",
        upon.problem()
    );
    let far = Hanging::new(json!({ "body": "rack", "stiffness": 1.0, "within": 0.01 }));
    let simulation = far.build().unwrap();
    let warnings = aplomb_sim::system::build::warnings(&far.load().unwrap(), &simulation.system);
    assert!(warnings.iter().any(|warning| warning.message.contains("`hooks` selects no vertex near enough")), "{warnings:?}");
}

/// What is tied to a standing block and cannot hang as it is given: a rope by one oblique spring, a flat net by its edge. Of the block, which
/// stands, nothing is said that it does not do.
#[test]
fn what_is_joined_to_something_that_cannot_hang_is_not_blamed() {
    let rope: String = (0..5).map(|k| format!("v 0.4 {} 0.1\n", 0.9 - 0.1 * f64::from(k))).collect();
    let corners = (0..25).map(|k| (k % 5, k / 5));
    let net: String =
        corners.clone().map(|(i, j)| format!("v {} 0.3 {}\n", 0.15 * f64::from(i) - 0.2, 0.15 * f64::from(j) - 0.2)).collect();
    let threads: String = corners
        .zip(1..)
        .map(|((i, j), k)| {
            let across = if i < 4 { format!("l {k} {}\n", k + 1) } else { String::new() };
            if j < 4 { across + &format!("l {k} {}\n", k + 5) } else { across }
        })
        .collect();
    let edge = json!([{ "height": { "axis": "x", "from": 0, "to": 0.01 } }]);
    let told = |lines: String, select: Value, each: usize| {
        let mut hanging = Hanging::new(json!({ "body": "rack" }));
        std::fs::write(hanging.folder.path().join("tied.obj"), lines).unwrap();
        let block = json!({ "name": "block", "mesh": "block.mesh", "transform": { "translate": [0.0, 0.001, 0.0] },
            "material": { "law": "neo_hookean", "young": 1e6, "poisson": 0.4, "density": DENSITY },
            "regions": [{ "name": "top", "role": { "named": {} }, "select": [{ "height": { "axis": "y", "from": 0.99, "to": 1 } }] }] });
        let attach = json!({ "attach": { "body": "block", "region": "top", "each": each, "stiffness": 100.0 } });
        let tied = json!({ "name": "tied", "mesh": "tied.obj", "as": { "springs": { "stiffness": 1e3, "mass": { "per_node": 0.005 } } },
            "regions": [{ "name": "knots", "role": attach, "select": select }] });
        hanging.scene["bodies"] = json!([block, tied]);
        let ground = json!({ "half_space": { "point": [0, 0, 0], "normal": [0, 1, 0] } });
        hanging.scene["obstacles"] = json!([{ "name": "ground", "shape": ground, "friction": 0.5 }]);
        let mut simulation = hanging.build().unwrap();
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        let found = serde_json::to_value(&report.infeasible).unwrap();
        let of = |body: &str| -> Vec<Value> {
            found.as_array().unwrap().iter().filter(|one| one["body"] == body).map(|one| one["code"].clone()).collect()
        };
        assert_eq!(of("tied"), ["mechanism"], "{found:#}");
        assert!(!found.to_string().contains("tips or falls"), "{found:#}");
        of("block")
    };
    assert!(told(rope + "l 1 2 3 4 5\n", json!([{ "vertices": [0] }]), 1).iter().all(|code| code == "undecided"));
    assert_eq!(told(net + &threads, edge, 3), ["undecided"], "its contacts were asked for what no net carries");
}
