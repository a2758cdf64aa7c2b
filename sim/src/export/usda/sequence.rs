//! A run as a USD stage, `frames.usda`: the points of each body by time, with their extent, of lone points their velocities too, and the given
//! shape as `primvars:rest`. Surfaces that are others in each frame have their faces and velocities by time, and no rest.
//!
//! While the run goes on the stage is a short root layer over layers in `frames_layers`: one for what does not change, and for
//! each body one an attribute that does, which grows. In the end they become one file.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::prim::{self, Text, places, point};
use crate::export::mesh::bounds;
use crate::export::sequence::{FrameWriter, Growing, Moment};
use crate::export::{ExportError, ExportMesh, Surface, save};

const LAYERS: &str = "frames_layers";

struct Stage {
    folder: PathBuf,
    /// What does not change of each body: the head of its prims, and what closes them.
    bodies: Vec<Body>,
    /// Frames a second.
    rate: f64,
    first: Option<f64>,
    last: f64,
}

struct Body {
    /// Its mesh, but for points and extents, and without its end.
    head: String,
    /// What changes of it: extents and points, and velocities of lone points.
    samples: Vec<Samples>,
}

/// The samples of an attribute.
struct Samples {
    /// Its type and name.
    attribute: &'static str,
    layer: Growing,
    /// Whether there are any.
    is_sampled: bool,
}

impl Samples {
    fn add(&mut self, code: f64, values: impl IntoIterator<Item: Display>) -> Result<(), ExportError> {
        self.is_sampled = true;
        self.layer.append(&sample(code, values))
    }
}

/// What changes of a body, as [`FrameWriter::frame`] adds it: of each the first two, of lone points and what is around them the next, and of
/// this the last two as well.
const ATTRIBUTES: [&str; 5] =
    ["float3[] extent", "point3f[] points", "vector3f[] velocities", "int[] faceVertexCounts", "int[] faceVertexIndices"];

/// What closes the samples of a layer, the attribute's prim, body and world.
const TAIL: &str = "            }\n        }\n    }\n}\n";

/// Makes the layers, without frames.
pub fn begin(folder: &Path, meshes: &[ExportMesh], interval: f64) -> Result<Box<dyn FrameWriter>, ExportError> {
    let layers = folder.join(LAYERS);
    std::fs::create_dir_all(&layers).map_err(ExportError::at(&layers))?;
    // Intervals such as 0.01 have rates that are whole but for round-off.
    let rate = if interval > 0.0 { (1e6 / interval).round() / 1e6 } else { 24.0 };
    let mut bodies = Vec::new();
    for (mesh, name) in meshes.iter().zip(prim::names(meshes)).filter(|(mesh, _)| !mesh.surface.is_empty()) {
        let layer = |attribute: &'static str| -> Result<Samples, ExportError> {
            let file = attribute.rsplit(' ').next().unwrap_or_default();
            // A layer with another rate would have its time codes scaled.
            let head = format!(
                "#usda 1.0\n(\n    timeCodesPerSecond = {rate}\n)\n\nover \"World\"\n{{\n    over \"{name}\"\n    {{\n        over \"{name}\"\n        {{\n            {attribute}.timeSamples = {{\n"
            );
            let layer = Growing::create(&layers.join(format!("{name}.{file}.usda")), &head, TAIL)?;
            Ok(Samples { attribute, layer, is_sampled: false })
        };
        let attributes = match (mesh.is_points(), mesh.surface.changes) {
            (_, true) => &ATTRIBUTES[..],
            (true, false) => &ATTRIBUTES[..3],
            (false, false) => &ATTRIBUTES[..2],
        };
        let samples = attributes.iter().map(|attribute| layer(attribute)).collect::<Result<_, _>>()?;
        bodies.push(Body { head: head(&mesh.surface, &name), samples });
    }
    let mut still = Text::default();
    still.begin_stage(&[]);
    let mut still = still.finish();
    bodies.iter().for_each(|body| still += &format!("{}        }}\n    }}\n", body.head));
    save(&layers.join("still.usda"), (still + "}\n").as_bytes())?;
    let stage = Stage { folder: folder.to_path_buf(), bodies, rate, first: None, last: 0.0 };
    stage.write_root()?;
    Ok(Box::new(stage))
}

/// The prims of a body, up to what changes.
fn head(surface: &Surface, name: &str) -> String {
    let mut text = Text::at(1);
    text.open(&format!("def Xform \"{name}\""));
    text.seen(surface, name, false);
    if surface.changes {
        return text.finish();
    }
    text.list(
        "point3f[] primvars:rest",
        places(surface).iter().map(point),
        " (\n                interpolation = \"vertex\"\n            )",
    );
    text.finish()
}

impl FrameWriter for Stage {
    fn frame(&mut self, moment: Moment, meshes: &[ExportMesh]) -> Result<(), ExportError> {
        let code = moment.time * self.rate;
        let whole = code.round();
        let code = if (code - whole).abs() < 1e-6 * whole.abs().max(1.0) { whole } else { code };
        for (body, mesh) in self.bodies.iter_mut().zip(meshes.iter().filter(|mesh| !mesh.surface.is_empty())) {
            let points = places(&mesh.surface);
            // Recorded frames may have no velocities.
            let values = [Some(bounds(&points).to_vec()), Some(points.into_owned()), mesh.velocities()];
            let of_points = body.samples.len().min(values.len());
            let (vectors, faces) = body.samples.split_at_mut(of_points);
            for (samples, values) in vectors.iter_mut().zip(values) {
                values.map_or(Ok(()), |values| samples.add(code, values.iter().map(point)))?;
            }
            if let [counts, indices] = faces {
                counts.add(code, mesh.surface.faces().map(<[u32]>::len))?;
                indices.add(code, mesh.surface.faces().flatten())?;
            }
        }
        self.first.get_or_insert(code);
        self.last = code;
        self.write_root()
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        let path = self.root();
        // Beside it, so that there is a readable stage at any moment.
        let whole = self.folder.join(LAYERS).join("whole.usda");
        File::create(&whole).and_then(|file| self.write_whole(BufWriter::new(file))).map_err(ExportError::at(&whole))?;
        std::fs::rename(&whole, &path).map_err(ExportError::at(&path))?;
        let still = self.folder.join(LAYERS).join("still.usda");
        let growing = self.bodies.iter().flat_map(|body| &body.samples).map(|samples| samples.layer.path());
        // Layers that cannot be removed do no harm: the stage no longer names them.
        for file in growing.chain([still.as_path()]) {
            std::fs::remove_file(file).unwrap_or_default();
        }
        std::fs::remove_dir(self.folder.join(LAYERS)).unwrap_or_default();
        Ok(())
    }
}

impl Stage {
    fn root(&self) -> PathBuf {
        self.folder.join("frames.usda")
    }

    /// Lines on times for the head of the stage, sorted by their names as its others are.
    fn times(&self) -> [String; 4] {
        let Self { rate, first, last, .. } = self;
        [
            format!("endTimeCode = {last}"),
            format!("framesPerSecond = {rate}"),
            format!("startTimeCode = {}", first.unwrap_or(0.0)),
            format!("timeCodesPerSecond = {rate}"),
        ]
    }

    /// The root layer of a run that goes on.
    fn write_root(&self) -> Result<(), ExportError> {
        let file = |growing: &Growing| growing.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let growing = self.bodies.iter().flat_map(|body| &body.samples).map(|samples| file(&samples.layer));
        let layers: Vec<String> = growing.chain(["still.usda".to_owned()]).map(|file| format!("@./{LAYERS}/{file}@")).collect();
        let mut metadata = self.times().to_vec();
        metadata.push(format!("subLayers = [{}]", layers.join(", ")));
        let mut text = Text::default();
        text.begin_layer(&metadata);
        save(&self.root(), text.finish().as_bytes())
    }

    /// All layers as one.
    fn write_whole(&mut self, mut out: BufWriter<File>) -> io::Result<()> {
        let mut text = Text::default();
        text.begin_stage(&self.times());
        out.write_all(text.finish().as_bytes())?;
        for body in &mut self.bodies {
            out.write_all(body.head.as_bytes())?;
            for samples in body.samples.iter_mut().filter(|samples| samples.is_sampled) {
                writeln!(out, "            {}.timeSamples = {{", samples.attribute)?;
                samples.layer.copy_to(&mut out)?;
                out.write_all(b"            }\n")?;
            }
            out.write_all(b"        }\n    }\n")?;
        }
        out.write_all(b"}\n")?;
        out.into_inner()?.sync_all()
    }
}

/// The values at a time code.
fn sample(code: f64, values: impl IntoIterator<Item: Display>) -> String {
    let mut text = format!("                {code}: ");
    prim::list(&mut text, values);
    text + ",\n"
}
