//! The bodies of a system as [`ExportMesh`]es, and their data during a run.

use std::ops::Range;

use super::{DataArray, ExportMesh, Place, Surface, Values};
use crate::element::{self, ElementField};
use crate::math::Vec3;
use crate::mesh::{BodyMesh, Cells};
use crate::step::{State, mpm};
use crate::system::System;

/// The bodies of `system` when its nodes are at `positions` [m]; without data.
pub fn scene_meshes(system: &System, positions: &[Vec3]) -> Vec<ExportMesh> {
    let mesh = |body: &crate::system::PlacedBody| ExportMesh {
        name: body.name.clone(),
        positions: positions[body.nodes.clone()].to_vec(),
        tets: body.mesh.tets().to_vec(),
        lines: lines_of(&body.mesh),
        tags: body.mesh.tags.clone(),
        surface: surface_of(&body.mesh, &positions[body.nodes.clone()]),
        data: Vec::new(),
    };
    system.bodies.iter().map(mesh).collect()
}

/// Brings `meshes`, which [`scene_meshes`] made of `system`, to where its nodes are at `positions` [m].
fn follow(system: &System, positions: &[Vec3], meshes: &mut [ExportMesh]) {
    for (body, mesh) in system.bodies.iter().zip(meshes) {
        mesh.positions.copy_from_slice(&positions[body.nodes.clone()]);
        match &body.mesh.skin {
            Some(skin) => skin.follow(&mesh.tets, &mesh.positions, &mut mesh.surface.points),
            None => {
                let vertices = body.mesh.surface_vertices();
                mesh.surface.points.iter_mut().zip(vertices).for_each(|(point, v)| *point = mesh.positions[v as usize]);
            }
        }
        if let Some(hairs) = &body.mesh.hairs {
            let mut between = Vec::new();
            hairs.follow(&mesh.positions, &mut between);
            let points = mesh.surface.points.iter_mut().skip(mesh.positions.len());
            points.zip(between).for_each(|(point, place)| *point = place);
        }
    }
}

/// The same with the data that positions alone tell: displacements of the nodes, and what the elements know of themselves. A field that
/// the cells of no body have is one of nodes: the mean over the elements that meet there.
pub fn follow_recorded(system: &System, positions: &[Vec3], meshes: &mut [ExportMesh]) {
    follow_with(system, positions, &element::fields(&system.families, positions), meshes);
}

/// [`follow_recorded`] with these fields of the elements.
fn follow_with(system: &System, positions: &[Vec3], fields: &[ElementField], meshes: &mut [ExportMesh]) {
    follow(system, positions, meshes);
    let cells: Vec<Range<usize>> =
        system.bodies.iter().map(|body| body.cell_span().map_or(0..0, |span| system.element_numbers(span))).collect();
    for (body, mesh) in system.bodies.iter().zip(&mut *meshes) {
        let nodes = body.nodes.clone();
        let moved = positions[nodes.clone()].iter().zip(&system.positions[nodes]).map(|(x, given)| x - given);
        mesh.data = vec![vectors("displacement [m]", moved)];
    }
    for field in fields {
        let name = if field.kind.unit.is_empty() { field.kind.name.into() } else { format!("{} [{}]", field.kind.name, field.kind.unit) };
        let is_of_cells = cells.iter().any(|cells| field.values[cells.clone()].iter().any(|value| !value.is_nan()));
        let on_nodes = if is_of_cells { Vec::new() } else { system.on_nodes(&field.values) };
        for ((body, mesh), cells) in system.bodies.iter().zip(&mut *meshes).zip(&cells) {
            mesh.data.push(match is_of_cells {
                true => scalars(Place::Cell, name.clone(), &field.values[cells.clone()]),
                false => scalars(Place::Point, name.clone(), &on_nodes[body.nodes.clone()]),
            });
        }
    }
}

/// The same for a state, with velocities and the `residual` of each node.
pub fn follow_state(system: &System, state: &State, residual: &[f64], meshes: &mut [ExportMesh]) {
    follow_with(system, &state.positions, &mpm::fields(system, state), meshes);
    for (body, mesh) in system.bodies.iter().zip(meshes) {
        let velocities = vectors("velocity [m/s]", state.velocities[body.nodes.clone()].iter().copied());
        let residuals = scalars(Place::Point, "residual".into(), &residual[body.nodes.clone()]);
        mesh.data.splice(1..1, [velocities, residuals]);
    }
}

fn vectors(name: &str, values: impl Iterator<Item = Vec3>) -> DataArray {
    DataArray { place: Place::Point, name: name.into(), components: 3, values: Values::F64(values.flat_map(|v| [v.x, v.y, v.z]).collect()) }
}

fn scalars(place: Place, name: String, values: &[f64]) -> DataArray {
    DataArray { place, name, components: 1, values: Values::F64(values.to_vec()) }
}

fn lines_of(mesh: &BodyMesh) -> Vec<[u32; 2]> {
    match &mesh.cells {
        Cells::Lines(lines) => lines.clone(),
        Cells::Points(points) => points.iter().map(|[point]| [*point; 2]).collect(),
        Cells::Tets(_) | Cells::Triangles(_) => Vec::new(),
    }
}

/// The artist's surface, carried by the tets; the boundary of the tets where there is none; the lines of a body that is made of them, with
/// the hairs between them.
fn surface_of(mesh: &BodyMesh, positions: &[Vec3]) -> Surface {
    let lines = lines_of(mesh);
    if !lines.is_empty() {
        let mut surface = Surface { points: positions.to_vec(), lines, radius: mesh.radius, ..Surface::default() };
        if let Some(hairs) = &mesh.hairs {
            let (first, mut between) = (positions.len() as u32, Vec::new());
            hairs.follow(positions, &mut between);
            surface.points.append(&mut between);
            surface.lines.extend(hairs.lines.iter().map(|line| line.map(|point| point + first)));
        }
        return surface;
    }
    if let Some(skin) = &mesh.skin {
        let mut points = Vec::new();
        skin.follow(mesh.tets(), positions, &mut points);
        let (triangles, polygons, texture) = (skin.triangles.clone(), skin.polygons.clone(), skin.texture.clone());
        return Surface { points, triangles, polygons, texture, ..Surface::default() };
    }
    let vertices = mesh.surface_vertices();
    let mut number = vec![0; mesh.positions.len()];
    (0..).zip(&vertices).for_each(|(index, &v): (u32, _)| number[v as usize] = index);
    Surface {
        points: vertices.iter().map(|&v| positions[v as usize]).collect(),
        triangles: mesh.surface.iter().map(|triangle| triangle.map(|v| number[v as usize])).collect(),
        ..Surface::default()
    }
}
