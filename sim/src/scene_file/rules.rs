//! What keys, types and limits cannot say: names that must differ or exist, directions that must not vanish, times in order.

use std::collections::BTreeMap;
use std::path::Path;

use super::suggest::suggest;
use crate::bodies::body_kind;
use crate::bodies::particles::{self, ParticleSettings};
use crate::element::spring::Stiffness;
use crate::material;
use crate::scene::{
    AttachSettings, Body, EqualitySettings, Expectation, KindSettings, MaterialSettings, MotionSettings, Obstacle, PressureSettings,
    Region, RegionRole, Scene, SceneProblem, Selector, Shape, WallCondition,
};

/// Everything wrong with the meaning of `scene`, known by path.
pub fn check(scene: &Scene) -> Vec<SceneProblem> {
    let mut report = Report::default();
    report.names("bodies", scene.bodies.iter().map(|body| body.name.as_str()));
    report.names("obstacles", scene.obstacles.iter().map(|obstacle| obstacle.name.as_str()));
    report.names("equalities", scene.equalities.iter().map(|equality| equality.name.as_str()));
    report.names("probes", scene.probes.iter().map(|probe| probe.name.as_str()));
    for (i, probe) in scene.probes.iter().enumerate() {
        let known: Vec<&str> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
        if !known.contains(&probe.body.as_str()) {
            report.add(format!("probes[{i}].body"), format!("there is no body `{}`{}", probe.body, suggest(&probe.body, known)));
        }
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        check_body(body, &format!("bodies[{i}]"), scene, &mut report);
    }
    for (i, obstacle) in scene.obstacles.iter().enumerate() {
        check_obstacle(obstacle, &format!("obstacles[{i}]"), scene, &mut report);
    }
    for (i, equality) in scene.equalities.iter().enumerate() {
        check_equality(equality, &format!("equalities[{i}]"), scene, &mut report);
    }
    for (i, expectation) in scene.expect.iter().enumerate() {
        check_expectation(expectation, &format!("expect[{i}]"), &mut report);
    }
    report.0
}

/// The mesh files that cannot be found; relative paths start at `folder`.
pub fn check_files(scene: &Scene, folder: &Path) -> Vec<SceneProblem> {
    let mut report = Report::default();
    for (path, mesh) in scene.mesh_files() {
        let file = folder.join(mesh);
        if !file.is_file() {
            let message = format!("there is no file {}; a relative path starts at the scene file's folder", file.display());
            report.add(path, message);
        }
    }
    report.0
}

#[derive(Default)]
struct Report(Vec<SceneProblem>);

impl Report {
    fn add(&mut self, path: String, message: impl Into<String>) {
        self.0.push(SceneProblem::at(path, message));
    }

    /// Names in one list must be there and differ.
    fn names<'a>(&mut self, list: &str, names: impl Iterator<Item = &'a str>) {
        let mut first = BTreeMap::new();
        for (i, name) in names.enumerate() {
            let path = format!("{list}[{i}].name");
            if name.trim().is_empty() {
                self.add(path, "the name is empty; give one");
            } else if let Some(earlier) = first.get(name) {
                self.add(path, format!("`{name}` is the name of {list}[{earlier}] as well; give each a name of its own"));
            } else {
                first.insert(name, i);
            }
        }
    }

    /// `what` ("a normal") must not vanish.
    fn direction(&mut self, path: String, what: &str, direction: [f64; 3]) {
        if direction.iter().all(|component| component.abs() < 1e-12) {
            self.add(path, format!("{what} without length has no direction; give a vector such as [0, 1, 0]"));
        }
    }
}

fn check_body(body: &Body, path: &str, scene: &Scene, report: &mut Report) {
    if let Some(material) = &body.material {
        check_material(material, &format!("{path}.material"), report);
    }
    // A name that no kind has, the schema does not let through.
    report.0.extend(body_kind(body).map(|kind| (kind.check)(body, path)).unwrap_or_default());
    if let Some(field) = body.stiffness_field.as_ref().filter(|field| field.vertices.len() != field.factors.len()) {
        let message = format!("there are {} vertices and {} factors; give one factor a vertex", field.vertices.len(), field.factors.len());
        report.add(format!("{path}.stiffness_field.factors"), message);
    }
    report.names(&format!("{path}.regions"), body.regions.iter().map(|region| region.name.as_str()));
    for (i, region) in body.regions.iter().enumerate() {
        if let RegionRole::Dirichlet { motion, follows, .. } = &region.role
            && body.enters_at > 0.0
        {
            let told = |key: &str| {
                let message =
                    format!("a body that comes in later cannot follow a motion that begins before; leave out \"{key}\" or \"enters_at\"");
                (format!("{path}.regions[{i}].role.dirichlet.{key}"), message)
            };
            let keys = [motion.is_some().then_some("motion"), follows.is_some().then_some("follows")];
            keys.into_iter().flatten().map(told).for_each(|(path, message)| report.add(path, message));
        }
        check_region(region, body, &format!("{path}.regions[{i}]"), scene, report);
    }
}

/// Whether there is an obstacle of this name.
fn check_names_obstacle(name: &str, path: String, scene: &Scene, report: &mut Report) {
    if !scene.obstacles.iter().any(|obstacle| obstacle.name == name) {
        let known = scene.obstacles.iter().map(|obstacle| obstacle.name.as_str());
        report.add(path, format!("there is no obstacle `{name}`{}", suggest(name, known)));
    }
}

fn check_region(region: &Region, body: &Body, path: &str, scene: &Scene, report: &mut Report) {
    match &region.role {
        RegionRole::Dirichlet { slip, motion, follows } => {
            let path = format!("{path}.role.dirichlet");
            if let Some(normal) = slip {
                report.direction(format!("{path}.slip"), "a normal", *normal);
            }
            if let Some(motion) = motion {
                check_motion(motion, &format!("{path}.motion"), report);
                if slip.is_some() {
                    report.add(format!("{path}.slip"), "vertices that follow a motion cannot slide; leave out \"slip\" or \"motion\"");
                }
            }
            if let Some(name) = follows {
                check_names_obstacle(name, format!("{path}.follows"), scene, report);
                for (key, _) in [("slip", slip.is_some()), ("motion", motion.is_some())].into_iter().filter(|(_, is_there)| *is_there) {
                    let message = format!("vertices that follow an obstacle do as it does; leave out \"{key}\" or \"follows\"");
                    report.add(format!("{path}.{key}"), message);
                }
            }
        }
        RegionRole::Contact { obstacles, .. } => {
            for (i, name) in obstacles.iter().flatten().enumerate() {
                check_names_obstacle(name, format!("{path}.role.contact.obstacles[{i}]"), scene, report);
            }
        }
        RegionRole::Material(settings) => check_material(settings, &format!("{path}.role.material"), report),
        RegionRole::Pressure(settings) => check_pressure(settings, &format!("{path}.role.pressure"), scene, report),
        RegionRole::Attach(settings) => check_attach(settings, body, &format!("{path}.role.attach"), scene, report),
        // Of the kind's own settings the kind knows what is wrong.
        RegionRole::Traction { .. } | RegionRole::As(_) | RegionRole::Named {} => {}
    }
    for (i, selector) in region.select.iter().enumerate() {
        check_selector(selector, &format!("{path}.select[{i}]"), report);
    }
}

fn check_attach(settings: &AttachSettings, body: &Body, path: &str, scene: &Scene, report: &mut Report) {
    match Stiffness::one_of(settings.stiffness, settings.stiffness_per_length) {
        Err((key, message)) => report.add(format!("{path}.{key}"), message),
        Ok(None) => report.add(format!("{path}.stiffness"), "missing; add \"stiffness\" [N/m] or \"stiffness_per_length\" [N]"),
        Ok(Some(_)) => {}
    }
    let at = format!("{path}.body");
    if settings.body == body.name {
        return report.add(at, "a body cannot be attached to itself; name another");
    }
    let Some(other) = scene.bodies.iter().find(|other| other.name == settings.body) else {
        let known = scene.bodies.iter().map(|body| body.name.as_str()).filter(|name| *name != body.name);
        return report.add(at, format!("there is no body `{}`{}", settings.body, suggest(&settings.body, known)));
    };
    if other.enters_at > 0.0 || body.enters_at > 0.0 {
        let message = "a body that comes in later cannot be attached from the start; leave out its \"enters_at\", or the region";
        report.add(at, message);
    }
    if let Some(name) = settings.region.as_ref().filter(|name| !other.regions.iter().any(|region| region.name == **name)) {
        let known = other.regions.iter().map(|region| region.name.as_str());
        report.add(format!("{path}.region"), format!("`{}` has no region `{name}`{}", other.name, suggest(name, known)));
    }
}

fn check_pressure(settings: &PressureSettings, path: &str, scene: &Scene, report: &mut Report) {
    match settings {
        PressureSettings { pressure: None, surface: None, .. } => {
            report.add(path.into(), "says not how hard it pushes; give a \"pressure\", or the height of a water's \"surface\"");
        }
        PressureSettings { pressure: Some(_), surface: Some(_), .. } => {
            report.add(format!("{path}.surface"), "water has a pressure of its own; leave out \"pressure\" or \"surface\"");
        }
        PressureSettings { pressure: Some(_), density: Some(_), .. } => {
            report.add(
                format!("{path}.density"),
                "belongs to water, not to a pressure; give \"surface\" in place of \"pressure\", or leave it out",
            );
        }
        PressureSettings { surface: Some(_), .. } if scene.gravity == [0.0; 3] => {
            report.add(format!("{path}.surface"), "water without gravity does not press; give a \"pressure\", or a scene with gravity");
        }
        _ => {}
    }
}

fn check_material(settings: &MaterialSettings, path: &str, report: &mut Report) {
    match material::law(&settings.law) {
        None => {
            let known = material::MATERIALS.iter().map(|law| law.name);
            report.add(format!("{path}.law"), format!("`{}` is not known{}", settings.law, suggest(&settings.law, known)));
        }
        Some(law) => {
            let (low, high) = (law.poisson.start, law.poisson.end);
            if !law.poisson.contains(&settings.poisson) {
                let message = format!("{} lies outside what {} allows; choose between {low} and {high}", settings.poisson, law.label);
                report.add(format!("{path}.poisson"), message);
            }
        }
    }
}

fn check_motion(motion: &MotionSettings, path: &str, report: &mut Report) {
    for (i, keyframe) in motion.keyframes.iter().enumerate() {
        let path = format!("{path}.keyframes[{i}]");
        let turned = keyframe.rotate.is_some_and(|rotate| rotate.degrees != 0.0);
        if keyframe.time == 0.0 && (keyframe.translate != [0.0; 3] || turned) {
            let message = "at time 0 everything is where the scene puts it; give a later time, or no translation and rotation";
            report.add(format!("{path}.time"), message);
        }
        if let Some(before) = i.checked_sub(1).map(|before| motion.keyframes[before].time).filter(|before| *before >= keyframe.time) {
            let message = format!("{} s does not come after the keyframe before it ({before} s); put them in order", keyframe.time);
            report.add(format!("{path}.time"), message);
        }
        if let Some(rotate) = keyframe.rotate.filter(|_| turned) {
            report.direction(format!("{path}.rotate.axis"), "an axis", rotate.axis);
        }
    }
}

fn check_selector(selector: &Selector, path: &str, report: &mut Report) {
    match selector {
        Selector::Box { min, max } if min.iter().zip(max).any(|(min, max)| min > max) => {
            report.add(format!("{path}.box.min"), "a corner's smallest coordinate is above its largest; swap them");
        }
        Selector::PlaneSide { normal, .. } => report.direction(format!("{path}.plane_side.normal"), "a normal", *normal),
        Selector::Height { from, to, .. } if from > to => {
            report.add(format!("{path}.height.from"), "is above \"to\"; swap the two");
        }
        _ => {}
    }
}

fn check_obstacle(obstacle: &Obstacle, path: &str, scene: &Scene, report: &mut Report) {
    if obstacle.wall != WallCondition::default() && !scene.bodies.iter().any(is_of_material_points) {
        let message = "only material points, which a grid moves, slip along walls or stick to them, and there are none; leave this out";
        report.add(format!("{path}.wall"), message);
    }
    check_shape(&obstacle.shape, &format!("{path}.shape"), report);
    if let Some(motion) = &obstacle.motion {
        check_motion(motion, &format!("{path}.motion"), report);
    }
}

fn is_of_material_points(body: &Body) -> bool {
    let settings = body.kind.as_ref().filter(|kind| kind.kind == particles::NAME).map(KindSettings::parse::<ParticleSettings>);
    settings.and_then(Result::ok).is_some_and(|settings| settings.substances().next().is_some())
}

fn check_shape(shape: &Shape, path: &str, report: &mut Report) {
    match shape {
        Shape::HalfSpace { normal, .. } => report.direction(format!("{path}.half_space.normal"), "a normal", *normal),
        Shape::Torus { axis, ring_radius, tube_radius, .. } => {
            report.direction(format!("{path}.torus.axis"), "an axis", *axis);
            if tube_radius >= ring_radius {
                report.add(
                    format!("{path}.torus.tube_radius"),
                    "is not smaller than \"ring_radius\", so the ring has no hole; make it smaller",
                );
            }
        }
        Shape::Revolution { axis, profile, .. } => {
            let path = format!("{path}.revolution");
            report.direction(format!("{path}.axis"), "an axis", *axis);
            for (i, [radius, _]) in profile.iter().enumerate() {
                let pole = *radius == 0.0 && (i == 0 || i + 1 == profile.len());
                if *radius <= 0.0 && !pole {
                    let message = "only the first and the last point may lie on the axis, and none beyond it; give a positive radius";
                    report.add(format!("{path}.profile[{i}]"), message);
                }
                if i > 0 && profile[i - 1] == profile[i] {
                    report.add(format!("{path}.profile[{i}]"), "is the point before it again; leave it out");
                }
            }
        }
        Shape::Sphere { .. } | Shape::Box { .. } | Shape::Capsule { .. } | Shape::Mesh { .. } => {}
    }
}

fn check_equality(equality: &EqualitySettings, path: &str, scene: &Scene, report: &mut Report) {
    for (i, term) in equality.terms.iter().enumerate() {
        let path = format!("{path}.terms[{i}]");
        if !scene.bodies.iter().any(|body| body.name == term.body) {
            let known = scene.bodies.iter().map(|body| body.name.as_str());
            report.add(format!("{path}.body"), format!("there is no body `{}`{}", term.body, suggest(&term.body, known)));
        }
        if scene.bodies.iter().any(|body| body.name == term.body && body.tetrahedralise.is_some()) {
            report.add(format!("{path}.body"), format!("`{}` is filled with tets, whose vertices have no lasting numbers", term.body));
        }
        if scene.bodies.iter().any(|body| body.name == term.body && body.enters_at > 0.0) {
            report.add(format!("{path}.body"), format!("`{}` comes in later, and cannot be tied from the start", term.body));
        }
        if term.coefficients == [0.0; 3] {
            report.add(format!("{path}.coefficients"), "three zeros say nothing about the vertex; leave the term out");
        }
        if equality.terms[..i].iter().any(|earlier| earlier.body == term.body && earlier.vertex == term.vertex) {
            report.add(format!("{path}.vertex"), "this vertex stands in the equality already; add its coefficients up");
        }
    }
}

fn check_expectation(expectation: &Expectation, path: &str, report: &mut Report) {
    match (expectation.min, expectation.max) {
        (None, None) => report.add(path.into(), "expects nothing; give \"min\", \"max\" or both"),
        (Some(min), Some(max)) if min > max => report.add(format!("{path}.min"), "is above \"max\"; swap the two"),
        _ => {}
    }
}
