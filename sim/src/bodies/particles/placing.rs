//! The particles of a body where the scene puts them.

use std::path::Path;

use super::filling::{Enclosed, MOST, Unfilled};
use super::trim::held;
use super::{ParticleSettings, Sampling, scattering};
use crate::bodies::placed::read;
use crate::bodies::{Misplaced, PlacedMesh};
use crate::math::Vec3;
use crate::mesh::topology::Faces;
use crate::mesh::{BodyMesh, Cells, to_scene};
use crate::scene::Body;
use crate::watch::Watch;

/// The particles of `body` where the scene puts them: a lattice along the scene's axes or points by chance in what the file encloses, or the points of a file that
/// has neither tets nor triangles.
pub fn place(body: &Body, folder: &Path, watch: &dyn Watch) -> Result<PlacedMesh, Misplaced> {
    let settings = super::settings_of(body).map_err(|message| Misplaced::at("as", message))?;
    if body.rest_mesh.is_some() {
        return Err(Misplaced::at("rest_mesh", "particles are joined by nothing that had a rest shape; leave this out"));
    }
    let raw = read(&body.mesh, "mesh", folder, watch)?;
    let named = |message: &str| Misplaced::at("mesh", format!("{}: {message}", body.mesh));
    super::accepts(&raw).map_err(|message| named(&message))?;
    let mut positions: Vec<Vec3> = raw.positions.iter().map(|x| to_scene(x, body.unit.metres(), body.up)).collect();
    body.transform.apply(&mut positions);
    let surface = if raw.tets.is_empty() { raw.triangles.clone() } else { Faces::of(&raw.tets).boundary(&raw.tets).0.to_vec() };
    let is_of_points = surface.is_empty();
    let positions = if is_of_points {
        if positions.len() as f64 > MOST {
            return Err(named(&format!("it has {} points, more than the {MOST:.0e} particles that a body may have", positions.len())));
        }
        let count = positions.len();
        if let Some([first, second]) = in_one_place(&positions) {
            return Err(named(&format!(
                "points {first} and {second} of {count} are in one place, where no force could part them; leave one out"
            )));
        }
        if settings.substances().next().is_some()
            && let Some(message) = unlike(&positions, settings.spacing)
        {
            return Err(Misplaced::at("as", message));
        }
        positions
    } else {
        filled(&positions, &surface, &settings, watch).map_err(|why| match why {
            Unfilled::Cancelled => Misplaced::at("mesh", "cancelled"),
            Unfilled::Surface(message) => named(&message),
            Unfilled::Spacing(message) => Misplaced::at("as", message),
        })?
    };
    let held = settings.trim.map_or_else(|| (0..positions.len()).collect(), |edge| held(&positions, edge));
    if held.is_empty() {
        let edge = settings.trim.unwrap_or_default();
        return Err(Misplaced::at(
            "as",
            format!("trimmed for cells of {edge} m no point would be left; take a smaller spacing, or a finer grid"),
        ));
    }
    let positions: Vec<Vec3> = held.iter().map(|&p| positions[p]).collect();
    let count = positions.len();
    let mesh = BodyMesh {
        cells: Cells::Points((0..count as u32).map(|v| [v]).collect()),
        tags: vec![0; count],
        components: vec![0; count],
        source_vertices: if is_of_points { held.iter().map(|&p| p as u32).collect() } else { Vec::new() },
        radius: 0.5 * settings.spacing,
        positions,
        ..BodyMesh::default()
    };
    Ok(PlacedMesh { mesh, rest: None })
}

/// Points whose neighbours are looked for, at most, to say how far apart they are.
const SAMPLES: usize = 200;

/// The particles of what triangles enclose.
pub(super) fn filled(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    settings: &ParticleSettings,
    watch: &dyn Watch,
) -> Result<Vec<Vec3>, Unfilled> {
    let (spacing, seed) = (settings.spacing, u64::from(settings.seed));
    let enclosed = Enclosed::of(positions, triangles, spacing, watch)?;
    match settings.sampling {
        Sampling::Lattice => enclosed.lattice(spacing, watch),
        Sampling::Poisson => scattering::poisson(&enclosed, spacing, seed, watch),
        Sampling::Random => scattering::random(&enclosed, spacing, seed, watch),
    }
}

/// Points in a cube of twice the spacing around each, on average: so few, and each is by itself; so many, and they have no room. A lattice has 8.
const APART: f64 = 1.2;
const CROWDED: f64 = 40.0;

/// What is wrong with points that are given `spacing` [m] apart, where they lie much nearer together or farther apart: that is what their volumes come from.
fn unlike(x: &[Vec3], spacing: f64) -> Option<String> {
    let mut cubes: Vec<[i64; 3]> = x.iter().map(|x| [0, 1, 2].map(|axis| (x[axis] / (2.0 * spacing)).floor() as i64)).collect();
    cubes.sort_unstable();
    let squares: usize = cubes.chunk_by(|a, b| a == b).map(|cube| cube.len().pow(2)).sum();
    let around = squares as f64 / x.len() as f64;
    if x.len() < 2 || (APART..CROWDED).contains(&around) {
        return None;
    }
    let every = x.len().div_ceil(SAMPLES);
    let nearest =
        |p: usize| x.iter().enumerate().filter(|(q, _)| *q != p).map(|(_, other)| (other - x[p]).norm()).fold(f64::INFINITY, f64::min);
    let mut distances: Vec<f64> = (0..x.len()).step_by(every).map(nearest).collect();
    distances.sort_by(f64::total_cmp);
    let found = distances[distances.len() / 2];
    Some(format!(
        "\"spacing\" is {spacing} m, but the points of the file are about {found:.3e} m apart, so that their volumes, the cubes of the spacing, are not theirs; set it to that"
    ))
}

/// Two points of the same coordinates, by their numbers.
fn in_one_place(x: &[Vec3]) -> Option<[usize; 2]> {
    let mut sorted: Vec<(usize, &Vec3)> = x.iter().enumerate().collect();
    let order = |a: &Vec3, b: &Vec3| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z));
    sorted.sort_by(|a, b| order(a.1, b.1).then(a.0.cmp(&b.0)));
    sorted.windows(2).find(|pair| pair[0].1 == pair[1].1).map(|pair| [pair[0].0, pair[1].0])
}
