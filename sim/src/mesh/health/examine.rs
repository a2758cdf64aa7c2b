//! The report on one file.

use super::{Finding, Health, Highlight, equal_vertices, surface, tets, unit, up};
use crate::import::RawMesh;
use crate::import::UpAxis;
use crate::math::{Vec3, bounding_box};
use crate::mesh::check::to_scene;
use crate::mesh::mend::SurfaceRepair;
use crate::mesh::mend::would_weld;
use crate::mesh::topology::{DisjointSets, Faces};
use crate::mesh::{MeshProblem, ProblemCode};
use crate::watch::{Cancelled, Watch};

/// Where more than one vertex in so many lies on another one, faces are meant to be joined by position.
const MOSTLY_SEPARATE: usize = 4;
/// So many diagonals away from the origin, single precision leaves a body fewer than six digits.
const FAR: f64 = 5.0;
/// The tolerance of the safe weld, as a share of the diagonal: equal up to rounding in single precision.
const WELD: f64 = 1e-7;

/// Examines what a file said. `scale`: metres a unit of the file; `up`: the file's upward axis. Places are indices in the file.
///
/// # Errors
/// If the watch cancels.
pub fn examine(raw: &RawMesh, scale: f64, up: UpAxis, watch: &dyn Watch) -> Result<Health, Cancelled> {
    watch.progress("examining", 0.0);
    watch.check()?;
    let mut findings = Vec::new();
    let non_finite: Vec<usize> = (0..raw.positions.len()).filter(|&v| !raw.positions[v].iter().all(|c| c.is_finite())).collect();
    let in_use = used(raw);
    let first_equal = equal_vertices(&raw.positions);
    let (copies, joined) = copies(&first_equal, &in_use);
    let mut volume = None;
    if let Some(problem) = MeshProblem::found(ProblemCode::NonFinite, &non_finite, false, |n| {
        format!("{n} vertices have coordinates that are not finite numbers; export the mesh again")
    }) {
        findings.push(Finding { problem, place: of_vertices(&non_finite), fix: None });
    } else if !raw.tets.is_empty() {
        let (found, inside) = tets::findings(raw, &raw.positions);
        findings.extend(found);
        volume = Some(inside);
    } else if !raw.triangles.is_empty() {
        let (found, inside) = surface::findings(raw, &first_equal, joined, watch)?;
        findings.extend(found);
        volume = inside;
    }
    let outline = if raw.tets.is_empty() { raw.triangles.clone() } else { Faces::of(&raw.tets).boundary(&raw.tets).0 };
    let box_of = |scale: f64, up: UpAxis| {
        let shown = |v: &usize| (in_use[*v] || !in_use.contains(&true)) && raw.positions[*v].iter().all(|c| c.is_finite());
        let points: Vec<Vec3> = (0..raw.positions.len()).filter(shown).map(|v| to_scene(&raw.positions[v], scale, up)).collect();
        let (low, high) = bounding_box(&points);
        if points.is_empty() { [Vec3::zeros(); 2] } else { [low, high] }
    };
    let [low, high] = box_of(1.0, UpAxis::Y);
    findings.extend(no_element(raw));
    findings.extend(loose_ends(raw, &in_use, &copies, watch)?);
    findings.extend(far_away(&low, &high));
    findings.extend(unread(raw));
    watch.progress("examining", 1.0);
    watch.check()?;
    Ok(Health {
        format: raw.format,
        vertices: raw.positions.len(),
        triangles: raw.triangles.len(),
        tets: raw.tets.len(),
        strands: raw.strands.len(),
        other_elements: raw.other_elements.clone(),
        components: components(raw, &first_equal),
        bounding_box: box_of(scale, up),
        volume: volume.map(|volume| scale.powi(3) * volume),
        joined,
        unit: unit::guess(raw, (high - low).amax()),
        up: up::guess(raw, &raw.positions, &outline),
        findings,
    })
}

/// Which vertices an element uses.
fn used(raw: &RawMesh) -> Vec<bool> {
    let mut used = vec![false; raw.positions.len()];
    let corners = raw.triangles.as_flattened().iter().chain(raw.tets.as_flattened()).chain(&raw.strands.vertices);
    corners.for_each(|&v| used[v as usize] = true);
    used
}

/// The vertices in use that lie exactly on an earlier one in use, and whether they are so many that faces were meant to be joined.
fn copies(first_equal: &[u32], in_use: &[bool]) -> (Vec<usize>, bool) {
    let mut met = vec![false; in_use.len()];
    let mut copies = Vec::new();
    for v in (0..in_use.len()).filter(|&v| in_use[v]) {
        if std::mem::replace(&mut met[first_equal[v] as usize], true) {
            copies.push(v);
        }
    }
    let used = in_use.iter().filter(|&&used| used).count();
    let joined = MOSTLY_SEPARATE * copies.len() > used;
    (copies, joined)
}

/// Parts that have no vertex in common.
fn components(raw: &RawMesh, first_equal: &[u32]) -> usize {
    let mut sets = DisjointSets::new(raw.positions.len());
    let elements = raw.triangles.iter().map(|t| &t[..]).chain(raw.tets.iter().map(|t| &t[..])).chain(raw.strands.iter());
    let mut roots = Vec::new();
    for element in elements {
        let Some((&first, rest)) = element.split_first() else { continue };
        roots.push(first_equal[first as usize]);
        rest.iter().for_each(|&v| sets.join(first_equal[first as usize], first_equal[v as usize]));
    }
    roots.iter_mut().for_each(|root| *root = sets.find(*root));
    roots.sort_unstable();
    roots.dedup();
    roots.len()
}

fn of_vertices(vertices: &[usize]) -> Highlight {
    Highlight::vertices(vertices.iter().map(|&v| v as u32).collect())
}

/// Vertices that are given again, and those that nothing uses.
fn loose_ends(
    raw: &RawMesh,
    in_use: &[bool],
    copies: &[usize],
    watch: &dyn Watch,
) -> Result<impl Iterator<Item = Finding> + use<>, Cancelled> {
    let surface = raw.tets.is_empty() && !raw.triangles.is_empty();
    // A repair that would change nothing is none.
    let helps = surface && !copies.is_empty() && would_weld(&raw.positions, &raw.triangles, WELD, watch)?;
    let why = if surface && !helps { "; joined, they would make edges of more than two triangles" } else { "" };
    let again = MeshProblem::found(ProblemCode::DuplicateVertex, copies, false, |n| {
        format!("{n} vertices are at exactly the same point as an earlier one{why}")
    });
    let again = again.map(|problem| Finding { problem, place: of_vertices(copies), fix: helps.then_some(SurfaceRepair::Weld(WELD)) });
    // Where there are no elements at all, the vertices are what the file is about.
    let loose: Vec<usize> = if in_use.contains(&true) { (0..in_use.len()).filter(|&v| !in_use[v]).collect() } else { Vec::new() };
    let unused = MeshProblem::found(ProblemCode::LooseVertex, &loose, false, |n| format!("{n} vertices are used by no element"));
    let unused = unused.map(|problem| Finding { problem, place: of_vertices(&loose), fix: surface.then_some(SurfaceRepair::DropLoose) });
    Ok(again.into_iter().chain(unused))
}

/// Vertices alone: a cloud of points, or what was left of a mesh.
fn no_element(raw: &RawMesh) -> Option<Finding> {
    let is_alone = raw.triangles.is_empty() && raw.tets.is_empty() && raw.strands.is_empty() && !raw.positions.is_empty();
    is_alone.then(|| {
        let count = raw.positions.len();
        let message = format!(
            "{count} vertices are all that is used of it, with no face, tet or line between them: it is a cloud of points, or was cut off"
        );
        told(ProblemCode::NoElement, count, message)
    })
}

fn told(code: ProblemCode, count: usize, message: String) -> Finding {
    let problem = MeshProblem { code, count, indices: Vec::new(), fixed: false, message };
    Finding { problem, place: Highlight::default(), fix: None }
}

fn far_away(low: &Vec3, high: &Vec3) -> Option<Finding> {
    let (distance, size) = ((0.5 * (low + high)).norm(), (high - low).norm());
    (size > 0.0 && distance > FAR * size).then(|| {
        let message =
            format!("the body is {:.0} times its size away from the origin; move it there (translate) to see it", distance / size);
        told(ProblemCode::FarFromOrigin, 1, message)
    })
}

/// Elements and sections that are not used, and what the reader noted.
fn unread(raw: &RawMesh) -> impl Iterator<Item = Finding> {
    let elements = raw
        .other_elements
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| told(ProblemCode::UnusedSection, *count, format!("{count} {name} are not used")));
    let sections = raw.unused_sections.iter().map(|name| told(ProblemCode::UnusedSection, 1, format!("section {name} is not used")));
    let straightened = raw.straightened.iter().map(|(name, count)| {
        let message = format!("{count} {name} are used with their corners only: straight edges; their other nodes belong to no element");
        told(ProblemCode::SecondOrder, *count, message)
    });
    let notes = raw.notes.iter().map(|note| told(ProblemCode::Note, 1, note.clone()));
    elements.chain(sections).chain(straightened).chain(notes)
}
