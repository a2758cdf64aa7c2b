//! From what a file said to a mesh that a simulation can trust; every change is reported.

use super::problem::{MeshError, MeshProblem, ProblemCode};
use super::topology::{DisjointSets, Faces};
use super::{TetMesh, quality};
use crate::import::RawMesh;
use crate::import::UpAxis;
use crate::math::Vec3;

impl TetMesh {
    /// Checks and repairs what a file said. `scale`: metres a unit of the file; `up`: the file's upward axis.
    ///
    /// Dropped: duplicate and degenerate tets, loose vertices. Reoriented: inverted tets. Reported only: slivers and
    /// hinged parts. Order of vertices and tets is kept.
    pub fn from_raw(raw: &RawMesh, scale: f64, up: UpAxis) -> Result<Self, MeshError> {
        check_indices(raw)?;
        let points: Vec<Vec3> = raw.positions.iter().map(|p| to_scene(p, scale, up)).collect();
        if let Some(vertex) = points.iter().position(|p| !p.iter().all(|c| c.is_finite())) {
            return Err(MeshError::NonFinite { vertex });
        }
        let tets = Sorted::new(raw, &points);
        if tets.kept.is_empty() {
            let hint = if raw.tets.is_empty() { instead(raw) } else { ": every one has zero volume; check the coordinates".into() };
            return Err(MeshError::NoTets { hint });
        }
        let (source_vertices, new_index) = used_vertices(points.len(), &tets.kept);
        let mut mesh = Self {
            positions: source_vertices.iter().map(|&v| points[v as usize]).collect(),
            tets: tets.kept.iter().map(|(_, tet)| tet.map(|v| new_index[v as usize])).collect(),
            tags: tets.kept.iter().map(|&(t, _)| raw.tags.get(t).copied().unwrap_or(0)).collect(),
            source_tets: tets.kept.iter().map(|&(t, _)| t as u32).collect(),
            source_vertices,
            ..Self::default()
        };
        let faces = Faces::of(&mesh.tets);
        (mesh.surface, mesh.surface_tets) = faces.boundary(&mesh.tets);
        mesh.components = faces.components(mesh.tets.len());
        mesh.problems = problems(raw, &tets, &mesh, &new_index);
        Ok(mesh)
    }

    /// The checked mesh of tets made in memory [m].
    pub fn from_tets(positions: Vec<Vec3>, tets: Vec<[u32; 4]>) -> Result<Self, MeshError> {
        Self::from_raw(&RawMesh { positions, tets, ..RawMesh::default() }, 1.0, UpAxis::Y)
    }
}

/// A point of the file in the scene's unit and axes; `scale`: metres a unit of the file.
pub fn to_scene(p: &Vec3, scale: f64, up: UpAxis) -> Vec3 {
    match up {
        UpAxis::Y => scale * p,
        UpAxis::Z => scale * Vec3::new(p.x, p.z, -p.y),
    }
}

fn check_indices(raw: &RawMesh) -> Result<(), MeshError> {
    let count = raw.positions.len();
    for (tet, corners) in raw.tets.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= count) {
            return Err(MeshError::IndexOutOfRange { tet, vertex: vertex.into(), count });
        }
    }
    Ok(())
}

/// What a mesh without tets holds, and what to do.
fn instead(raw: &RawMesh) -> String {
    let mut held: Vec<String> = raw.other_elements.iter().map(|(name, count)| format!("{count} {name}")).collect();
    if !raw.triangles.is_empty() {
        held.insert(0, format!("{} triangles", raw.triangles.len()));
    }
    match held.is_empty() {
        true => ": it has no elements at all; check that the file was exported with its elements".into(),
        false if !raw.triangles.is_empty() => {
            format!(", but {}; add \"tetrahedralise\": {{}} to the body, and the surface is filled", held.join(", "))
        }
        false => format!(", but {}; export 4-node (first-order) tetrahedra", held.join(", ")),
    }
}

/// The tets of the source, told apart by what is wrong with them.
pub(super) struct Sorted {
    /// Index in the source and corners of the tets that stay, positively oriented.
    pub(super) kept: Vec<(usize, [u32; 4])>,
    pub(super) inverted: Vec<usize>,
    pub(super) degenerate: Vec<usize>,
    pub(super) duplicate: Vec<usize>,
    pub(super) slivers: Vec<usize>,
}

impl Sorted {
    pub(super) fn new(raw: &RawMesh, points: &[Vec3]) -> Self {
        let mut sorted =
            Self { kept: Vec::with_capacity(raw.tets.len()), inverted: vec![], degenerate: vec![], duplicate: vec![], slivers: vec![] };
        for (t, &tet) in raw.tets.iter().enumerate() {
            let quality = quality::quality(&tet.map(|v| points[v as usize]));
            let [a, b, c, d] = tet;
            // NaN (all corners at one point, or overflow) and repeated corners are degenerate too.
            if quality.is_nan() || quality.abs() < quality::DEGENERATE || a == b || a == c || a == d || b == c || b == d || c == d {
                sorted.degenerate.push(t);
                continue;
            }
            if quality < 0.0 {
                sorted.inverted.push(t);
            }
            if quality.abs() < quality::SLIVER {
                sorted.slivers.push(t);
            }
            sorted.kept.push((t, if quality < 0.0 { [a, b, d, c] } else { tet }));
        }
        sorted.drop_duplicates(raw);
        sorted
    }

    /// Of tets with the same corners, keeps the first.
    fn drop_duplicates(&mut self, raw: &RawMesh) {
        let mut keys: Vec<([u32; 4], usize)> = self
            .kept
            .iter()
            .map(|&(t, mut tet)| {
                (
                    ({
                        tet.sort_unstable();
                        tet
                    }),
                    t,
                )
            })
            .collect();
        keys.sort_unstable();
        self.duplicate = keys.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1).collect();
        if self.duplicate.is_empty() {
            return;
        }
        self.duplicate.sort_unstable();
        let mut dropped = vec![false; raw.tets.len()];
        for &t in &self.duplicate {
            dropped[t] = true;
        }
        self.kept.retain(|&(t, _)| !dropped[t]);
        self.inverted.retain(|&t| !dropped[t]);
        self.slivers.retain(|&t| !dropped[t]);
    }
}

/// Source indices of the vertices in use, and the new index of each source vertex (`u32::MAX`: loose).
fn used_vertices(count: usize, kept: &[(usize, [u32; 4])]) -> (Vec<u32>, Vec<u32>) {
    let mut new_index = vec![u32::MAX; count];
    for &vertex in kept.iter().flat_map(|(_, tet)| tet) {
        new_index[vertex as usize] = 0;
    }
    let used: Vec<u32> = (0..count as u32).filter(|&v| new_index[v as usize] == 0).collect();
    for (new, &source) in used.iter().enumerate() {
        new_index[source as usize] = new as u32;
    }
    (used, new_index)
}

fn problems(raw: &RawMesh, tets: &Sorted, mesh: &TetMesh, new_index: &[u32]) -> Vec<MeshProblem> {
    use ProblemCode::{Degenerate, DuplicateTet, HingedComponent, InvertedTet, LooseVertex, Sliver, UnusedSection};
    let loose: Vec<usize> = (0..new_index.len()).filter(|&v| new_index[v] == u32::MAX).collect();
    let hinged = hinged_components(mesh.positions.len(), &mesh.tets, &mesh.components);
    let hinged: Vec<usize> = hinged.iter().map(|part| mesh.source_tets[part[0]] as usize).collect();
    let found = [
        MeshProblem::found(LooseVertex, &loose, true, |n| format!("{n} vertices that no tet uses were dropped")),
        MeshProblem::found(Degenerate, &tets.degenerate, true, |n| format!("{n} tets of zero volume were dropped")),
        MeshProblem::found(DuplicateTet, &tets.duplicate, true, |n| format!("{n} tets given more than once were dropped")),
        MeshProblem::found(InvertedTet, &tets.inverted, true, |n| format!("{n} tets with negative volume were turned round")),
        MeshProblem::found(Sliver, &tets.slivers, false, |n| format!("{n} tets are nearly flat (quality below 0.001)")),
        MeshProblem::found(HingedComponent, &hinged, false, |n| {
            format!("{n} parts hang on the rest by an edge or a vertex only and may swing; the first tet of each is named")
        }),
    ];
    let skipped = |what: &str, count| {
        let message = format!("{what} not used");
        MeshProblem { code: UnusedSection, count, indices: Vec::new(), fixed: false, message }
    };
    let elements = raw.other_elements.iter().map(|(name, count)| skipped(&format!("{count} {name} are"), *count));
    let sections = raw.unused_sections.iter().map(|name| skipped(&format!("section {name} is"), 1));
    found.into_iter().flatten().chain(elements).chain(sections).collect()
}

/// The tets of each component that shares vertices, but no face, with a larger one. `components`: that of each tet.
pub(super) fn hinged_components(vertices: usize, tets: &[[u32; 4]], components: &[u32]) -> Vec<Vec<usize>> {
    let count = components.iter().max().map_or(0, |&c| c as usize + 1);
    let mut bodies = DisjointSets::new(count);
    let mut owner = vec![u32::MAX; vertices];
    let mut members = vec![Vec::new(); count];
    for (t, (tet, &component)) in tets.iter().zip(components).enumerate() {
        members[component as usize].push(t);
        for &vertex in tet {
            let owner = &mut owner[vertex as usize];
            if *owner == u32::MAX {
                *owner = component;
            }
            bodies.join(*owner, component);
        }
    }
    // The largest component of each body (the first of equal ones) is what the others hang on.
    let body = bodies.numbered();
    let mut largest = vec![usize::MAX; count];
    for c in 0..count {
        let held = &mut largest[body[c] as usize];
        if *held == usize::MAX || members[c].len() > members[*held].len() {
            *held = c;
        }
    }
    members.into_iter().enumerate().filter(|(c, _)| largest[body[*c] as usize] != *c).map(|(_, part)| part).collect()
}
