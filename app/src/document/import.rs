//! A scene around a mesh that the user brings, or a further body in the scene at hand.

use std::path::{Path, PathBuf};

use aplomb_sim::bodies::particles;
use aplomb_sim::math::{Vec3, bounding_box};
use aplomb_sim::scene::{
    Body, KindSettings, MassMatrix, MaterialSettings, Obstacle, Scene, Shape, TetrahedraliseSettings, Transform, Unit, UpAxis,
    WallCondition,
};

use super::{UNTITLED, free_name, relative};

/// A mesh, and what its file does not say.
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
    /// Add it to the scene at hand.
    pub add: bool,
    /// What it is made into, if not a solid.
    pub kind: Option<KindSettings>,
    /// How it is filled with tets, if it is a surface.
    pub fill: Option<TetrahedraliseSettings>,
    /// Lowest and highest corner of what it holds [m], in the scene's axes.
    pub bounds: [Vec3; 2],
}

/// Young's modulus over the pressure of a column as tall as the body: stiff enough that what is thin, as an animal's ears and legs, stands.
const STIFFNESS: f64 = 200.0;
/// Density [kg/m^3]: that of water.
const DENSITY: f64 = 1000.0;
/// Name of the ground.
const GROUND: &str = "ground";

/// A scene with the mesh as its one body, as stiff as its size asks for, and the folder that its paths start at; with a ground,
/// the body stands on it.
pub fn scene_of_mesh(options: &ImportOptions) -> (Scene, PathBuf) {
    let folder = options.file.parent().map(Path::to_path_buf).unwrap_or_default();
    (scene_of_meshes(&folder, std::slice::from_ref(options)), folder)
}

/// The same of several meshes, each where its file puts it, with paths that start at `folder`. The lowest stands on the ground.
pub fn scene_of_meshes(folder: &Path, meshes: &[ImportOptions]) -> Scene {
    let name = meshes.first().map_or_else(String::new, |options| stem(&options.file));
    let mut scene = Scene { description: origin(meshes), ..Scene::empty(name) };
    people(&mut scene, folder, meshes);
    scene
}

/// `scene`, which has no body yet and whose paths start at `folder`, with the mesh as its first one, on a ground unless there is one.
/// A scene without a name takes that of the mesh.
pub fn scene_with_first_mesh(scene: &Scene, folder: &Path, options: &ImportOptions) -> Scene {
    let mut scene = scene.clone();
    if scene.name == UNTITLED {
        scene.name = stem(&options.file);
    }
    let grounded = scene.obstacles.iter().any(|obstacle| matches!(obstacle.shape, Shape::HalfSpace { .. }));
    let options = ImportOptions { ground: options.ground && !grounded, ..options.clone() };
    let meshes = std::slice::from_ref(&options);
    if scene.description.is_empty() {
        scene.description = origin(meshes);
    }
    people(&mut scene, folder, meshes);
    scene
}

/// Where the meshes came from, in a sentence.
fn origin(meshes: &[ImportOptions]) -> String {
    let files: Vec<String> = meshes.iter().map(|options| options.file.display().to_string()).collect();
    format!("Imported from {}.", files.join(", "))
}

/// Adds the meshes as bodies, and the ground that they ask for.
fn people(scene: &mut Scene, folder: &Path, meshes: &[ImportOptions]) {
    for options in meshes {
        scene.bodies.push(body(scene, folder, options));
    }
    step_particles(scene);
    if meshes.iter().any(|options| options.ground) {
        (scene.contact.detection_distance, scene.contact.barrier_distance) = (5e-3, 5e-3);
        let (low, high) = bounding_box(meshes.iter().flat_map(|options| options.bounds).collect::<Vec<_>>().as_slice());
        let height = low.y - gap(scene, (high - low).norm());
        scene.obstacles.push(Obstacle {
            name: free_name(GROUND, scene.obstacles.iter().map(|obstacle| obstacle.name.as_str())),
            shape: Shape::HalfSpace { point: [0.0, height, 0.0], normal: [0.0, 1.0, 0.0] },
            friction: 0.6,
            removed_at: None,
            wall: WallCondition::default(),
            motion: None,
        });
    }
}

/// Gives `scene` the stepper that its particles need, if it has some: no other moves them.
pub fn step_particles(scene: &mut Scene) {
    let matters: Vec<_> = scene.bodies.iter().filter_map(|body| particles::settings_of(body).ok()).collect();
    if matters.is_empty() {
        return;
    }
    if matters.iter().all(|matter| matter.substances().next().is_some()) {
        scene.simulate.stepper = "mpm".into();
    } else {
        scene.simulate.stepper = "xpbd".into();
        // One sweep alone leaves a fluid soft.
        scene.simulate.projection.sweeps = scene.simulate.projection.sweeps.max(4);
    }
}

/// `scene`, whose paths start at `folder`, with the mesh as a further body: beside the bodies that are there, whose lowest and highest
/// corners are given [m], and as low as they are.
pub fn scene_with_mesh(scene: &Scene, folder: &Path, there: Option<(Vec3, Vec3)>, options: &ImportOptions) -> Scene {
    let mut scene = scene.clone();
    let mut body = body(&scene, folder, options);
    if let Some((lowest, highest)) = there {
        let [low, high] = options.bounds;
        let room = 0.1 * (high - low).norm();
        let way = Vec3::new(highest.x + room - low.x, lowest.y - low.y, 0.5 * (lowest.z + highest.z - low.z - high.z));
        body.transform.translate = way.into();
    }
    scene.bodies.push(body);
    scene
}

/// `scene` with the ground that an import gave it as far below the lowest vertex of its first body, at `lowest` [m], as contacts
/// want it; `None` where it is there already, or where there is no such ground. The tets of a filled surface reach a little less
/// or more far down than the surface itself.
pub fn standing(scene: &Scene, lowest: f64, diagonal: f64) -> Option<Scene> {
    let height = lowest - gap(scene, diagonal);
    let mut standing = scene.clone();
    let ground = standing.obstacles.iter_mut().find(|obstacle| obstacle.name == GROUND)?;
    let Shape::HalfSpace { point, .. } = &mut ground.shape else { return None };
    (std::mem::replace(&mut point[1], height) != height).then_some(standing)
}

/// `scene` with a body moved up or down until its lowest vertex, now at `lowest` [m], is at `height` [m]; `None` where it is there
/// already, or where the body is no longer placed by `transform`.
pub fn levelled(scene: &Scene, body: usize, transform: &Transform, lowest: f64, height: f64) -> Option<Scene> {
    let mut levelled = scene.clone();
    let placed = levelled.bodies.get_mut(body).filter(|body| body.transform == *transform)?;
    placed.transform.translate[1] += height - lowest;
    (placed.transform != *transform).then_some(levelled)
}

/// Distance between a body and what it stands on [m].
fn gap(scene: &Scene, diagonal: f64) -> f64 {
    0.5 * scene.contact.barrier_distance * diagonal
}

fn body(scene: &Scene, folder: &Path, options: &ImportOptions) -> Body {
    let size = (options.bounds[1] - options.bounds[0]).norm();
    let pressure = DENSITY * Vec3::from(scene.gravity).norm() * size;
    let young = if pressure > 0.0 { one_digit(STIFFNESS * pressure) } else { 1e5 };
    Body {
        name: free_name(&stem(&options.file), scene.bodies.iter().map(|body| body.name.as_str())),
        mesh: relative(&options.file, folder),
        tetrahedralise: options.fill.clone(),
        mass_matrix: MassMatrix::default(),
        rest_mesh: None,
        stiffness_field: None,
        painted_on: None,
        unit: options.unit,
        up: options.up,
        transform: Transform::default(),
        material: options.kind.is_none().then(|| MaterialSettings { young, ..MaterialSettings::default() }),
        kind: options.kind.clone(),
        regions: Vec::new(),
        velocity: [0.0; 3],
        spin: [0.0; 3],
        enters_at: 0.0,
    }
}

fn stem(file: &Path) -> String {
    file.file_stem().map_or_else(|| "body".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// `value` with one significant digit.
fn one_digit(value: f64) -> f64 {
    let power = 10.0_f64.powf(value.log10().floor());
    ((value / power).round() * power).clamp(1e-3, 1e13)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn options() -> ImportOptions {
        ImportOptions {
            file: PathBuf::from("/meshes/cow.obj"),
            unit: Unit::Metre,
            up: UpAxis::Y,
            ground: true,
            add: false,
            kind: None,
            fill: None,
            bounds: [Vec3::new(-1.0, 0.5, -1.0), Vec3::new(1.0, 2.5, 1.0)],
        }
    }

    #[test]
    fn a_new_body_stands_on_a_ground_or_beside_the_others() {
        let (scene, folder) = scene_of_mesh(&options());
        assert_eq!(folder, Path::new("/meshes"));
        assert_eq!(scene.bodies[0].mesh, "cow.obj");
        let Shape::HalfSpace { point, .. } = &scene.obstacles[0].shape else { unreachable!() };
        assert!(point[1] < 0.5 && point[1] > 0.4, "{}", point[1]);

        let lower = standing(&scene, 0.3, 12.0_f64.sqrt()).unwrap();
        let Shape::HalfSpace { point: lowered, .. } = &lower.obstacles[0].shape else { unreachable!() };
        assert!((point[1] - lowered[1] - 0.2).abs() < 1e-12);
        assert_eq!(standing(&lower, 0.3, 12.0_f64.sqrt()), None, "it is there");

        let there = (Vec3::new(4.0, -1.0, 0.0), Vec3::new(5.0, 0.0, 2.0));
        let both = scene_with_mesh(&scene, Path::new("/scenes"), Some(there), &options());
        assert_eq!((both.bodies[1].name.as_str(), both.bodies[1].mesh.as_str()), ("cow 2", "../meshes/cow.obj"));
        let way = both.bodies[1].transform.translate;
        assert!(way[0] - 1.0 > 5.0 && way[1] == -1.5 && way[2] == 1.0, "{way:?}");

        let imported = both.bodies[1].transform;
        let level = levelled(&both, 1, &imported, -1.25, -1.0).unwrap();
        assert_eq!(level.bodies[1].transform.translate, [way[0], -1.25, way[2]]);
        assert_eq!(levelled(&both, 1, &imported, -1.0, -1.0), None, "it is there");
        assert_eq!(levelled(&level, 1, &imported, -1.25, -1.0), None, "somebody moved it");
        assert_eq!(levelled(&scene, 1, &imported, -1.25, -1.0), None, "somebody took it away");
    }
}
