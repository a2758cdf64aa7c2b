//! A scene around a mesh that the user brings.

use std::path::{Path, PathBuf};

use aplomb_sim::scene::{Body, MaterialSettings, Obstacle, Scene, Shape, Transform, Unit, UpAxis};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;

/// What the file does not say.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportOptions {
    /// The mesh file.
    pub file: PathBuf,
    /// Unit of its coordinates.
    pub unit: Unit,
    /// Its axis that points up.
    pub up: UpAxis,
    /// Add the ground under it.
    pub ground: bool,
}

/// Young's modulus over the pressure of a column as tall as the body: soft enough to sag visibly, stiff enough to stand.
const STIFFNESS: f64 = 20.0;

/// A scene with the mesh as its one body, as stiff as its size asks for; with a ground, the body stands on it.
///
/// # Errors
/// What is wrong with the file, in words.
pub fn scene_of_mesh(options: &ImportOptions) -> Result<(Scene, PathBuf), String> {
    let file = super::absolute(&options.file);
    let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
    let name = file.file_stem().map_or_else(|| "body".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let mesh = file.file_name().map(|name| name.to_string_lossy().into_owned()).ok_or("this path names no file")?;
    let body = Body {
        name: name.clone(),
        mesh,
        tetrahedralise: None,
        rest_mesh: None,
        unit: options.unit,
        up: options.up,
        transform: Transform::default(),
        material: MaterialSettings { law: "stable_neo_hookean".to_owned(), young: 2e4, poisson: 0.45, density: 1000.0, damping: 0.0 },
        regions: Vec::new(),
        velocity: [0.0; 3],
        spin: [0.0; 3],
        enters_at: 0.0,
    };
    let mut scene = Scene { description: format!("Imported from {}.", file.display()), bodies: vec![body], ..Scene::empty(name) };
    let simulation = Simulation::build(&scene, &folder, &Unwatched)
        .map_err(|error| error.0.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("\n"))?;
    let system = &simulation.system;
    let material = &mut scene.bodies[0].material;
    material.young = one_digit(STIFFNESS * material.density * scene.gravity[1].abs() * system.diagonal);
    if options.ground {
        let lowest = system.positions.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
        let height = lowest - 0.5 * scene.contact.barrier_distance * system.diagonal;
        scene.obstacles.push(Obstacle {
            name: "ground".to_owned(),
            shape: Shape::HalfSpace { point: [0.0, height, 0.0], normal: [0.0, 1.0, 0.0] },
            friction: 0.6,
            removed_at: None,
            motion: None,
        });
        scene.contact.detection_distance = 5e-3;
    }
    Ok((scene, folder))
}

/// `value` with one significant digit.
fn one_digit(value: f64) -> f64 {
    let power = 10.0_f64.powf(value.log10().floor());
    (value / power).round() * power
}
