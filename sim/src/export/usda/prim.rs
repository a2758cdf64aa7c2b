//! Prims and attributes as text.

use std::borrow::Cow;
use std::fmt::{Display, Write};

use crate::export::mesh::{CornerTexture, bounds};
use crate::export::names::unique;
use crate::export::{ExportMesh, Surface};
use crate::math::Vec3;
use crate::mesh::topology::Faces;

/// The text of a layer while it is written, with the depth of the present prim.
#[derive(Debug, Default)]
pub struct Text {
    text: String,
    depth: usize,
}

impl Text {
    /// A text that begins at this depth.
    pub fn at(depth: usize) -> Self {
        Self { depth, ..Self::default() }
    }

    /// Writes the layer's head with further metadata.
    pub fn begin_layer(&mut self, metadata: &[String]) {
        self.line("#usda 1.0\n(");
        self.depth = 1;
        self.line("defaultPrim = \"World\"");
        self.line("metersPerUnit = 1");
        metadata.iter().for_each(|line| self.line(line));
        self.line("upAxis = \"Y\"");
        self.depth = 0;
        self.line(")\n");
    }

    /// Writes the layer's head with further metadata, and opens the prim that holds all bodies.
    pub fn begin_stage(&mut self, metadata: &[String]) {
        self.begin_layer(metadata);
        self.open("def Xform \"World\"");
    }

    /// A line at the present depth.
    pub fn line(&mut self, line: &str) {
        self.indent();
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n("    ", self.depth));
    }

    /// Opens a prim.
    pub fn open(&mut self, prim: &str) {
        self.line(prim);
        self.line("{");
        self.depth += 1;
    }

    /// Closes it.
    pub fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    /// The whole text.
    pub fn finish(self) -> String {
        self.text
    }

    /// An attribute with a list of values.
    pub fn list<T: Display>(&mut self, attribute: &str, values: impl IntoIterator<Item = T>, metadata: &str) {
        self.indent();
        self.text.push_str(attribute);
        self.text.push_str(" = ");
        list(&mut self.text, values);
        self.text.push_str(metadata);
        self.text.push('\n');
    }

    /// What is seen of a body, under its name: its surface, its lone points, or its lines as curves, of which those that follow one another
    /// are one.
    pub fn seen(&mut self, surface: &Surface, name: &str, still: bool) {
        if surface.lines.is_empty() {
            return self.surface(surface, name, still);
        }
        if surface.is_points() {
            self.open(&format!("def Points \"{name}\""));
        } else {
            self.open(&format!("def BasisCurves \"{name}\""));
            self.line("uniform token type = \"linear\"");
            self.list("int[] curveVertexCounts", curves(&surface.lines).map(|curve| curve.len() + 1), "");
        }
        if surface.radius > 0.0 {
            self.list("float[] widths", [2.0 * surface.radius as f32], CONSTANT);
        }
        if still {
            let points = places(surface);
            self.list("float3[] extent", bounds(&points).iter().map(point), "");
            self.list("point3f[] points", points.iter().map(point), "");
            self.close();
        }
    }

    /// A Mesh of the body's name, which is what programs show that join it with its Xform: its faces, unless they are others in each frame, and,
    /// where it does not move, its extent and points.
    fn surface(&mut self, surface: &Surface, name: &str, still: bool) {
        self.open(&format!("def Mesh \"{name}\""));
        // The default is to subdivide.
        self.line("uniform token subdivisionScheme = \"none\"");
        if still || !surface.changes {
            self.list("int[] faceVertexCounts", surface.faces().map(<[u32]>::len), "");
            self.list("int[] faceVertexIndices", surface.faces().flatten(), "");
        }
        let texture = CornerTexture::of(surface);
        if !texture.points.is_empty() {
            // Corners without a point take the first: the list must be full.
            let point = |corner: &u32| if *corner == u32::MAX { 0 } else { *corner };
            self.list("texCoord2f[] primvars:st", texture.points.iter().map(|[u, v]| Tuple([*u as f32, *v as f32])), FACE_VARYING);
            self.list("int[] primvars:st:indices", texture.corners.iter().map(point), "");
        }
        if still {
            self.list("float3[] extent", bounds(&surface.points).iter().map(point), "");
            self.list("point3f[] points", surface.points.iter().map(point), "");
            self.close();
        }
    }

    /// A TetMesh, for simulators: it is not drawn. Bodies without tets have none.
    pub fn tets(&mut self, mesh: &ExportMesh) {
        if mesh.tets.is_empty() {
            return;
        }
        self.open("def TetMesh \"tets\"");
        self.line("uniform token purpose = \"guide\"");
        let (faces, _) = Faces::of(&mesh.tets).boundary(&mesh.tets);
        let tuple = |v: &[u32; 4]| Tuple(*v);
        self.list("int4[] tetVertexIndices", mesh.tets.iter().map(tuple), "");
        self.list("int3[] surfaceFaceVertexIndices", faces.iter().map(|v| Tuple(*v)), "");
        self.list("float3[] extent", bounds(&mesh.positions).iter().map(point), "");
        self.list("point3f[] points", mesh.positions.iter().map(point), "");
        self.close();
    }
}

const CONSTANT: &str = " (\n            interpolation = \"constant\"\n        )";
const FACE_VARYING: &str = " (\n                interpolation = \"faceVarying\"\n            )";

/// Numbers in parentheses.
pub struct Tuple<T, const N: usize>([T; N]);

impl<T: Display, const N: usize> Display for Tuple<T, N> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (k, value) in self.0.iter().enumerate() {
            write!(formatter, "{}{value}", if k == 0 { "(" } else { ", " })?;
        }
        formatter.write_str(")")
    }
}

/// The points of what [`Text::seen`] writes: curves share none.
pub fn places(surface: &Surface) -> Cow<'_, [Vec3]> {
    match surface.lines.is_empty() || surface.is_points() {
        true => Cow::Borrowed(&surface.points),
        false => {
            let vertices =
                curves(&surface.lines).flat_map(|curve| curve[..1].iter().map(|line| line[0]).chain(curve.iter().map(|line| line[1])));
            vertices.map(|v| surface.points[v as usize]).collect()
        }
    }
}

/// Runs of lines each of which begins where the one before it ends.
fn curves(lines: &[[u32; 2]]) -> impl Iterator<Item = &[[u32; 2]]> {
    lines.chunk_by(|before, after| before[1] == after[0])
}

/// A point in single precision, as `point3f` and `float3` are.
pub fn point(p: &Vec3) -> Tuple<f32, 3> {
    Tuple([p.x as f32, p.y as f32, p.z as f32])
}

/// Values in brackets.
pub fn list<T: Display>(text: &mut String, values: impl IntoIterator<Item = T>) {
    for (k, value) in values.into_iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}{value}", if k == 0 { "[" } else { ", " });
    }
    text.push_str(if text.ends_with("= ") || text.ends_with(": ") { "[]" } else { "]" });
}

/// A name for each body that is an identifier, and no other's.
pub fn names(meshes: &[ExportMesh]) -> Vec<String> {
    let prefixed: Vec<String> = meshes.iter().map(|mesh| prefixed(&mesh.name)).collect();
    unique(prefixed.iter().map(String::as_str), |c| c.is_ascii_alphanumeric())
}

/// Identifiers begin with no digit.
fn prefixed(name: &str) -> String {
    if name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() { format!("_{name}") } else { name.to_owned() }
}
