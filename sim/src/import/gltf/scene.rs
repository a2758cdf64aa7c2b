//! The nodes of a scene, and each use of a primitive that they make.

use std::collections::BTreeMap;

use nalgebra::{Quaternion, UnitQuaternion};

use super::super::ImportError;
use super::super::cursor::MOST_LETTERS;
use super::super::left_out::LeftOut;
use super::Document;
use super::accessor::{self, Use};
use super::json::{Material, Mesh, Node, Primitive, Scene};
use crate::math::{Mat3, Vec3};

/// Deepest node that is read.
const MOST_DEPTH: usize = 500;

/// x ↦ A x + b.
#[derive(Clone, Copy)]
pub struct Transform {
    pub linear: Mat3,
    pub shift: Vec3,
}

impl Transform {
    const IDENTITY: Self = Self { linear: Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), shift: Vec3::new(0.0, 0.0, 0.0) };

    /// That of `node` within its parent.
    fn of(node: &Node) -> Self {
        if let Some(m) = &node.matrix {
            // By columns of four; the last row is 0, 0, 0, 1.
            return Self { linear: Mat3::from_fn(|row, column| m[4 * column + row]), shift: Vec3::new(m[12], m[13], m[14]) };
        }
        let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let rotation = UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 0.0).unwrap_or_else(UnitQuaternion::identity);
        let scale = Mat3::from_diagonal(&Vec3::from(node.scale.unwrap_or([1.0; 3])));
        Self { linear: rotation.to_rotation_matrix() * scale, shift: Vec3::from(node.translation.unwrap_or_default()) }
    }

    pub fn apply(&self, point: Vec3) -> Vec3 {
        self.linear * point + self.shift
    }

    /// First `inner`, then this.
    fn after(&self, inner: &Self) -> Self {
        Self { linear: self.linear * inner.linear, shift: self.apply(inner.shift) }
    }
}

/// Entries of an accessor among those of the mesh that is read.
#[derive(Clone, Copy)]
pub struct Share {
    pub accessor: usize,
    pub count: usize,
    pub first: usize,
    /// Whether no primitive of the same use of the mesh had them before.
    pub is_new: bool,
}

/// One use of a primitive made of triangles.
pub struct Draw<'a> {
    pub name: String,
    /// Mesh and primitive.
    pub place: [usize; 2],
    pub transform: &'a Transform,
    pub primitive: &'a Primitive,
    pub vertices: Share,
    pub texture: Option<Share>,
}

/// Where the walk is.
struct Walk<'a, 'b, F> {
    document: &'a Document<'b>,
    visit: F,
    left_out: LeftOut,
    /// Vertices and points in the texture so far.
    totals: [usize; 2],
}

/// Calls `visit` for each use of a primitive of triangles, in the order of the tree; gives what else there is.
pub fn walk<'b>(document: &Document<'b>, visit: impl FnMut(&Draw) -> Result<(), ImportError>) -> Result<LeftOut, ImportError> {
    let (root, path) = (&document.root, document.path);
    let mut walk = Walk { document, visit, left_out: LeftOut::default(), totals: [0; 2] };
    if root.nodes.len() == 0 {
        // A library of meshes.
        (0..root.meshes.len()).try_for_each(|mesh| walk.mesh(None, mesh, &Transform::IDENTITY))?;
        return Ok(walk.left_out);
    }
    let mut is_met = vec![false; root.nodes.len()];
    let roots = if root.scenes.len() == 0 {
        for index in 0..root.nodes.len() {
            let node: Node = root.nodes.get(path, "node", index)?;
            for &child in &node.children {
                if let Some(is_child) = is_met.get_mut(child as usize) {
                    *is_child = true;
                }
            }
        }
        let roots = (0..is_met.len() as u32).filter(|&node| !is_met[node as usize]).collect();
        is_met.fill(false);
        roots
    } else {
        let scene = root.scene.unwrap_or(0);
        if root.scenes.len() > 1 {
            walk.left_out.note(format!("scene {scene} was read, the default of {}", root.scenes.len()));
        }
        root.scenes.get::<Scene>(path, "scene", scene)?.nodes
    };
    let mut open = vec![(roots.into_iter(), Transform::IDENTITY)];
    while let Some((children, outer)) = open.last_mut() {
        document.watch.check()?;
        let Some(index) = children.next() else {
            open.pop();
            continue;
        };
        let node: Node = root.nodes.get(path, "node", index as usize)?;
        if std::mem::replace(&mut is_met[index as usize], true) {
            return Err(document.error(format!("node {index} hangs in the scene twice; the file is damaged, export it again")));
        }
        let transform = outer.after(&Transform::of(&node));
        if let Some(mesh) = node.mesh {
            if node.skin.is_some() {
                walk.left_out.note(format!("the bones of node {index} were left out: its mesh stands as its node puts it"));
            }
            walk.mesh(node.name, mesh, &transform)?;
        }
        if open.len() == MOST_DEPTH {
            return Err(document.error(format!("node {index} lies below {MOST_DEPTH} others; at most so many are read")));
        }
        open.push((node.children.into_iter(), transform));
    }
    Ok(walk.left_out)
}

impl<F: FnMut(&Draw) -> Result<(), ImportError>> Walk<'_, '_, F> {
    /// One use of a mesh.
    fn mesh(&mut self, name: Option<String>, index: usize, transform: &Transform) -> Result<(), ImportError> {
        let Document { root, path, .. } = self.document;
        let mesh: Mesh = root.meshes.get(path, "mesh", index)?;
        let name = name.or(mesh.name).unwrap_or_else(|| format!("mesh {index}"));
        // Entries that primitives of this mesh have in common: accessor, and first of its entries.
        let (mut vertices, mut points) = (BTreeMap::new(), BTreeMap::new());
        for p in 0..mesh.primitives.len() {
            self.document.watch.check()?;
            let primitive: Primitive = mesh.primitives.get(path, "primitive", p)?;
            if primitive.extensions.draco.is_some() {
                let message = "the meshes are packed by Draco (KHR_draco_mesh_compression), which is not read; export without compression";
                return Err(self.document.error(message));
            }
            match primitive.mode {
                None | Some(4..=6) => {}
                Some(0) => self.left_out.elements("point sets", 1),
                Some(1..=3) => self.left_out.elements("line sets", 1),
                Some(mode) => return Err(self.document.error(format!("mesh {index}, primitive {p}: no mode {mode} is known"))),
            }
            let Some(position) = primitive.attributes.position.filter(|_| primitive.is_surface()) else {
                continue;
            };
            if primitive.targets.is_some() {
                self.left_out.elements("morph targets", 1);
            }
            let name = match primitive.material {
                _ if mesh.primitives.len() == 1 => name.clone(),
                None => format!("{name}/part {p}"),
                Some(m) => {
                    let material = root.materials.get::<Material>(path, "material", m)?.name;
                    format!("{name}/{}", material.unwrap_or_else(|| format!("material {m}")))
                }
            };
            let name = name.chars().take(MOST_LETTERS).collect();
            let vertices = share::<3>(self.document, position, &mut vertices, &mut self.totals[0])?;
            let texture = primitive.attributes.texture;
            let texture = texture.map(|accessor| share::<2>(self.document, accessor, &mut points, &mut self.totals[1])).transpose()?;
            // A part without texture points among others, or a damaged one.
            let texture = texture.filter(|texture| texture.count >= vertices.count);
            (self.visit)(&Draw { name, place: [index, p], transform, primitive: &primitive, vertices, texture })?;
        }
        Ok(())
    }
}

/// The entries of an accessor, whether they are among those that are `known`, or come behind the others.
fn share<const N: usize>(
    document: &Document,
    accessor: usize,
    known: &mut BTreeMap<usize, usize>,
    total: &mut usize,
) -> Result<Share, ImportError> {
    let count = accessor::numbers::<N>(document, accessor, Use::Vectors)?.count;
    let is_new = !known.contains_key(&accessor);
    let first = *known.entry(accessor).or_insert(*total);
    if is_new {
        *total = total.checked_add(count).ok_or_else(|| document.error(format!("accessor {accessor} has {count} entries")))?;
    }
    Ok(Share { accessor, count, first, is_new })
}
