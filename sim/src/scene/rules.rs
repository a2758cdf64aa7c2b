//! What keys, types and limits cannot say: names that must differ or exist, directions that must not vanish.

use std::collections::BTreeMap;
use std::path::Path;

use super::suggest::suggest;
use super::{Body, MaterialSettings, Region, RegionRole, Scene, SceneProblem, Selector, Shape};
use crate::material;

/// Everything wrong with the meaning of `scene`, known by path.
pub fn check(scene: &Scene) -> Vec<SceneProblem> {
    let mut report = Report::default();
    report.names("bodies", scene.bodies.iter().map(|body| body.name.as_str()));
    report.names("obstacles", scene.obstacles.iter().map(|obstacle| obstacle.name.as_str()));
    for (i, body) in scene.bodies.iter().enumerate() {
        check_body(body, &format!("bodies[{i}]"), scene, &mut report);
    }
    for (i, obstacle) in scene.obstacles.iter().enumerate() {
        check_shape(&obstacle.shape, &format!("obstacles[{i}].shape"), &mut report);
    }
    for (i, expectation) in scene.expect.iter().enumerate() {
        match (expectation.min, expectation.max) {
            (None, None) => report.add(format!("expect[{i}]"), "expects nothing; give \"min\", \"max\" or both"),
            (Some(min), Some(max)) if min > max => report.add(format!("expect[{i}].min"), "is above \"max\"; swap the two"),
            _ => {}
        }
    }
    report.0
}

/// The mesh files that cannot be found; relative paths start at `folder`.
pub fn check_files(scene: &Scene, folder: &Path) -> Vec<SceneProblem> {
    let mut report = Report::default();
    for (i, body) in scene.bodies.iter().enumerate() {
        let path = folder.join(&body.mesh);
        if !path.is_file() {
            let message = format!("there is no file {}; a relative path starts at the scene file's folder", path.display());
            report.add(format!("bodies[{i}].mesh"), message);
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

    fn direction(&mut self, path: String, direction: [f64; 3]) {
        if direction.iter().all(|component| component.abs() < 1e-12) {
            self.add(path, "a normal without length has no direction; give a vector such as [0, 1, 0]");
        }
    }
}

fn check_body(body: &Body, path: &str, scene: &Scene, report: &mut Report) {
    check_material(&body.material, &format!("{path}.material"), report);
    report.names(&format!("{path}.regions"), body.regions.iter().map(|region| region.name.as_str()));
    for (i, region) in body.regions.iter().enumerate() {
        check_region(region, &format!("{path}.regions[{i}]"), scene, report);
    }
}

fn check_region(region: &Region, path: &str, scene: &Scene, report: &mut Report) {
    match &region.role {
        RegionRole::Dirichlet {} => {}
        RegionRole::Contact { obstacles, .. } => {
            for (i, name) in obstacles.iter().flatten().enumerate() {
                if !scene.obstacles.iter().any(|obstacle| obstacle.name == *name) {
                    let known = scene.obstacles.iter().map(|obstacle| obstacle.name.as_str());
                    let message = format!("there is no obstacle `{name}`{}", suggest(name, known));
                    report.add(format!("{path}.role.contact.obstacles[{i}]"), message);
                }
            }
        }
        RegionRole::Material(settings) => check_material(settings, &format!("{path}.role.material"), report),
    }
    for (i, selector) in region.select.iter().enumerate() {
        check_selector(selector, &format!("{path}.select[{i}]"), report);
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

fn check_selector(selector: &Selector, path: &str, report: &mut Report) {
    match selector {
        Selector::Box { min, max } if min.iter().zip(max).any(|(min, max)| min > max) => {
            report.add(format!("{path}.box.min"), "a corner's smallest coordinate is above its largest; swap them");
        }
        Selector::PlaneSide { normal, .. } => report.direction(format!("{path}.plane_side.normal"), *normal),
        Selector::Height { from, to, .. } if from > to => {
            report.add(format!("{path}.height.from"), "is above \"to\"; swap the two");
        }
        _ => {}
    }
}

fn check_shape(shape: &Shape, path: &str, report: &mut Report) {
    if let Shape::HalfSpace { normal, .. } = shape {
        report.direction(format!("{path}.half_space.normal"), *normal);
    }
}
