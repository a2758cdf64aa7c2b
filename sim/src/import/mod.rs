//! Mesh files: one file a format. A reader gives a [`RawMesh`], what the file said; [`crate::mesh`] makes it fit
//! for simulation.

mod corners;
mod cursor;
mod elements;
pub mod error;
mod faces;
mod foreign;
pub mod gltf;
pub mod gmsh;
mod left_out;
pub mod medit;
pub mod npz;
pub mod obj;
pub mod ply;
mod polygon;
pub mod stl;
pub mod tetgen;
pub mod tressfx;
mod units;
pub mod vtk;

#[cfg(test)]
mod binary_samples;
#[cfg(test)]
mod shared_files;
#[cfg(test)]
mod surface_files;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use cursor::Cursor;
pub use error::{ImportError, Place, Unreadable};
pub use units::{Unit, UpAxis};

use crate::files;
use crate::math::Vec3;
use crate::watch::{Unwatched, Watch};

/// What a mesh file holds: indices are valid and coordinates finite, nothing else is checked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RawMesh {
    /// Name of the format in [`FORMATS`].
    pub format: &'static str,
    /// Vertex positions, in the file's unit and axes; as many and in the order as in the file, used or not.
    pub positions: Vec<Vec3>,
    /// Four vertices a tet, from 0.
    pub tets: Vec<[u32; 4]>,
    /// Physical tag (region number) of each tet; 0 where the file gives none.
    pub tags: Vec<i32>,
    /// Names of tags, where the file gives some.
    pub tag_names: Vec<(i32, String)>,
    /// Triangles that the file lists, from 0, and those that its larger faces are cut into; nothing says that they bound the tets.
    pub triangles: Vec<[u32; 3]>,
    /// Faces as the file gives them, if any has more than three corners; none otherwise.
    pub polygons: Lists,
    /// Group of each triangle, as an index into `groups`; empty where the file has none.
    pub triangle_groups: Vec<u32>,
    /// Names of the groups.
    pub groups: Vec<String>,
    /// Points in texture space, and for each triangle those of its corners (`u32::MAX`: none); empty where the file has none.
    pub texture: Texture,
    /// Polylines and hair strands, as vertices.
    pub strands: Lists,
    /// Vertices that the file sews to edges.
    pub stitches: Vec<RawStitch>,
    /// Vertices that the file holds in place (roots of hair).
    pub fixed: Vec<u32>,
    /// Metres a unit of the file, where the format says so.
    pub unit: Option<f64>,
    /// Axis that points up, where the format says so.
    pub up: Option<UpAxis>,
    /// Elements that are neither tets nor triangles: name and count.
    pub other_elements: Vec<(String, usize)>,
    /// Elements with nodes on their edges, faces or inside, of which only the corners were taken over: name and count. Their other nodes
    /// are vertices that no element uses.
    pub straightened: Vec<(String, usize)>,
    /// Names of the sections that were skipped.
    pub unused_sections: Vec<String>,
    /// What the reader dropped or changed, in sentences with the place.
    pub notes: Vec<String>,
}

/// Lists of vertices, one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lists {
    /// Where in `vertices` each list ends.
    pub ends: Vec<u32>,
    /// The vertices of all lists.
    pub vertices: Vec<u32>,
}

impl Lists {
    /// Appends a list.
    pub fn push(&mut self, list: &[u32]) {
        self.vertices.extend_from_slice(list);
        self.ends.push(self.vertices.len() as u32);
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The lists in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.vertices[start as usize..end as usize])
    }
}

/// A vertex that is sewn to a point of an edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RawStitch {
    /// The vertex.
    pub vertex: u32,
    /// The ends of the edge.
    pub edge: [u32; 2],
    /// Where on the edge: 0 at its first end, 1 at the second.
    pub along: f64,
}

/// Texture coordinates.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Texture {
    /// Points (u, v).
    pub points: Vec<[f64; 2]>,
    /// Points of the corners of each triangle.
    pub triangles: Vec<[u32; 3]>,
}

/// A mesh format.
pub struct Format {
    /// Name, for people.
    pub name: &'static str,
    /// Extensions, lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// One line: what is read and what is not.
    pub doc: &'static str,
    /// Whether the beginning of the file says that it is of this format.
    pub matches: fn(content: &[u8]) -> bool,
    /// Files that are read besides the one of this path and content.
    pub beside: fn(path: &Path, content: &[u8]) -> Vec<PathBuf>,
    /// Reads a whole file, given its path and content.
    pub read: fn(path: &Path, content: &[u8], watch: &dyn Watch) -> Result<RawMesh, ImportError>,
}

/// Every format that is read.
pub const FORMATS: &[Format] = &[
    medit::FORMAT,
    gmsh::FORMAT,
    tetgen::FORMAT,
    vtk::legacy::FORMAT,
    vtk::xml::FORMAT,
    obj::FORMAT,
    stl::FORMAT,
    ply::FORMAT,
    gltf::FORMAT,
    tressfx::FORMAT,
    npz::FORMAT,
];

/// Reads a mesh file; its content decides the format before its extension does.
pub fn read(path: &Path, watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    watch.progress("reading", 0.0);
    watch.check()?;
    let content = files::read(path).map_err(|why| ImportError::whole(path, format!("cannot be read: {why}")))?;
    let mesh = read_bytes(path, &content, watch)?;
    watch.progress("reading", 1.0);
    Ok(mesh)
}

/// Every file that [`read`] reads for the mesh at `path`: itself, and those beside it that belong to it.
pub fn files_of(path: &Path) -> Vec<PathBuf> {
    let content = files::read(path).unwrap_or_default();
    let content = files::without_mark(&content);
    let beside = recognise(path, content).map_or_else(|_| Vec::new(), |format| (format.beside)(path, content));
    std::iter::once(path.to_path_buf()).chain(beside).collect()
}

/// The mesh stands in one file.
fn none_beside(_: &Path, _: &[u8]) -> Vec<PathBuf> {
    Vec::new()
}

/// Reads a mesh file of which the content is at hand; `path` names it in errors, and says where files lie that belong to it.
pub fn read_bytes(path: &Path, content: &[u8], watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    let content = files::without_mark(content);
    let mesh = (recognise(path, content)?.read)(path, content, watch)?;
    let is_measurable = |p: &Vec3| p.amax() <= LARGEST;
    match mesh.positions.iter().position(|p| !is_measurable(p)) {
        None => Ok(mesh),
        Some(vertex) => {
            let largest = mesh.positions[vertex].amax();
            let message = format!("vertex {vertex} (from 0) has a coordinate of {largest:e}: no more than {LARGEST:e} can be worked with");
            Err(ImportError::whole(path, message))
        }
    }
}

/// Largest coordinate that is read: sixth powers, the squares of volumes, are still numbers.
const LARGEST: f64 = 1e30;

/// The format of a file, or an error that names what the file is instead.
pub fn recognise(path: &Path, content: &[u8]) -> Result<&'static Format, ImportError> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    if content.iter().all(u8::is_ascii_whitespace) {
        return Err(ImportError::whole(path, "the file is empty".into()));
    }
    if files::is_utf_16(content) {
        return Err(ImportError::whole(path, files::UTF_16_ADVICE.into()));
    }
    if let Some(format) = FORMATS.iter().find(|f| (f.matches)(content)) {
        return Ok(format);
    }
    if let Some(advice) = foreign::advice_by_content(content) {
        return Err(ImportError::whole(path, advice));
    }
    if let Some(format) = FORMATS.iter().find(|f| f.extensions.contains(&extension.as_str())) {
        return Ok(format);
    }
    let names: Vec<&str> = FORMATS.iter().map(|f| f.name).collect();
    let mut start = Cursor::new(path, &content[..content.len().min(4096)], &Unwatched);
    let is_numbers = start.word().is_some_and(|(_, word)| cursor::decimal(word).is_some());
    let otherwise = || match is_numbers {
        true => "it begins with numbers, as TetGen's files do, which are known by their extensions alone: name the pair .node and .ele"
            .to_owned(),
        false => format!("the format is not known; save the mesh as one of: {}", names.join(", ")),
    };
    Err(ImportError::whole(path, foreign::advice_by_extension(&extension).unwrap_or_else(otherwise)))
}
