//! `aplomb render`: one picture of a scene, without a window.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use aplomb_sim::export::ExportError;
use aplomb_sim::reconstruction::ReconstructionError;
use aplomb_sim::scene::{Method, Scene};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::step::StepError;
use aplomb_sim::watch::Watch;
use clap::Args;
use egui::{Rect, pos2, vec2};

use super::console::Console;
use super::failure::Failure;
use super::init::{MethodName, initialise};
use super::output;
use super::simulate::{Quiet, non_negative};
use super::surface::SurfaceArguments;
use super::targets::Targets;
use crate::drawing::cloud::{self, Cloud, is_cloud};
use crate::drawing::{self, Authored};
use crate::offscreen::{self, LegendDraw, Shot, Studio};
use crate::session::{Field, Model, RunId, Snapshot};
use crate::viewport::legend::{Place, Subject};
use crate::viewport::{BodyColor, Camera, DrawList, Extent, LegendChoice, Room, frame_all};

/// Draw a scene into a PNG file, without a window.
#[derive(Debug, Args)]
pub struct Render {
    /// Scene: a file or a name of the gallery.
    scene: PathBuf,
    /// The picture.
    #[arg(long)]
    out: PathBuf,
    /// How the rest state is chosen; the scene's own method where this is missing.
    #[arg(long)]
    init: Option<MethodName>,
    /// Time of the picture [s]: the scene is simulated until then.
    #[arg(long, default_value_t = 0.0, value_parser = non_negative)]
    time: f64,
    /// Field that colours the bodies, such as "compression ratio"; plain clay where this is missing.
    #[arg(long)]
    field: Option<String>,
    /// Width and height in pixels.
    #[arg(long, default_value = "1280x800", value_parser = size)]
    size: (u32, u32),
    /// Light surroundings.
    #[arg(long)]
    light: bool,
    /// The legend of the field, in the picture.
    #[arg(long, requires = "field")]
    legend: bool,
    /// Without backdrop and ground: what nothing covers is seen through.
    #[arg(long)]
    transparent: bool,
    #[command(flatten)]
    surface: SurfaceArguments,
    /// Contacts and their forces, loads and initial velocities.
    #[arg(long)]
    forces: bool,
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    parts
        .filter(|(w, h)| (1..=8192).contains(w) && (1..=8192).contains(h))
        .ok_or_else(|| "give WIDTHxHEIGHT, such as 1280x800, at most 8192x8192".into())
}

impl Render {
    /// Exit status 3 where the method or a step fails.
    pub fn run(&self) -> Result<(), Failure> {
        let targets = Targets::new([Some(self.out.as_path())])?;
        let console = Console::new();
        let drawn = self.picture(&targets, &console);
        console.clear();
        let picture = drawn?;
        let mut bytes = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, image::ImageFormat::Png).context("the picture cannot be encoded")?;
        output::write_file(&self.out, bytes.get_ref())
    }

    fn picture(&self, targets: &Targets, watch: &dyn Watch) -> Result<image::RgbaImage, Failure> {
        let (scene, mut simulation) = self.simulate(&output::scene_path(&self.scene), targets, watch)?;
        let model = Model::of(&simulation.system, &scene.obstacles, RunId::default());
        let frame = (simulation.state.time / simulation.system.simulate.step_size).round() as u64;
        let snapshot = model.snapshot(&mut simulation, frame);
        let mut list = DrawList { dark: !self.light, ..self.draw_list(&scene, &model, &snapshot)? };
        if let Some(resolution) = self.surface.resolution() {
            self.surround(&mut list, (&scene, &model, &snapshot), resolution, watch)?;
        }
        let scale = offscreen::scale(self.size);
        let whole = Rect::from_min_size(pos2(0.0, 0.0), vec2(self.size.0 as f32, self.size.1 as f32) / scale);
        let field = self.field.as_deref().filter(|_| self.legend).map(|name| find(&snapshot.fields, name)).transpose()?;
        let legend = field.map(|field| LegendDraw { subject: subject(field), place: Place::of(whole, false) });
        let views = legend.map_or(whole, |legend| legend.place.split(whole).0);
        let room = legend.map_or(Room::from(f64::from(views.aspect_ratio())), |legend| legend.place.room(views));
        let camera = frame_all(&Camera::default(), &list, room);
        let shot = Shot { panes: vec![(list, camera)], size: self.size, scale, transparent: self.transparent, legend, revision: 0 };
        Ok(Studio::new().and_then(|mut studio| studio.shoot(&shot)).context("the picture cannot be drawn")?)
    }

    /// Puts surfaces around the points of what is in `list`.
    fn surround(
        &self,
        list: &mut DrawList,
        (scene, model, snapshot): (&Scene, &Model, &Snapshot),
        resolution: f64,
        watch: &dyn Watch,
    ) -> Result<(), Failure> {
        let field = self.field.as_deref().map(|name| find(&snapshot.fields, name)).transpose()?;
        let present = (0..).zip(scene.bodies.iter().zip(&model.bodies));
        let present = present.filter(|(_, (body, _))| !drawing::is_away(body, scene, snapshot.time));
        let clouds = list.bodies.iter_mut().zip(present).filter(|(_, (_, (_, of)))| is_cloud(of));
        let mut count = 0;
        for (drawn, (index, (body, of))) in clouds {
            let cloud = Cloud::around(of, &snapshot.positions, resolution, watch).map_err(|why| match why {
                ReconstructionError::Cancelled(_) => Failure::Interrupted,
                why => Failure::Input(format!("body `{}`: {why}", of.name)),
            })?;
            let color = field.map_or_else(|| cloud::plain(body, index), |field| scalar(field, cloud.scalars(of, &field.values)));
            *drawn = cloud.draw(color, drawn.vertex_tint.as_ref().and_then(|tints| cloud.tints(tints)));
            count += 1;
        }
        if count == 0 { Err(ExportError::NoPoints.into()) } else { Ok(()) }
    }

    fn simulate(&self, path: &Path, targets: &Targets, watch: &dyn Watch) -> Result<(Scene, Simulation), Failure> {
        let (scene, mut simulation) = output::load(path, targets, watch)?;
        initialise(&mut simulation, self.init.map_or(scene.initialise.method, Method::from), watch)?;
        // A whole number of steps that round-off made slightly larger is still that number.
        let steps = (self.time / scene.simulate.step_size - 1e-6).ceil() as usize;
        for step in 0..steps {
            watch.progress("simulating", step as f64 / steps as f64);
            simulation.step(&Quiet(watch)).map_err(|error| match error {
                StepError::Cancelled(_) => Failure::Interrupted,
                other => Failure::Unreached(other.to_string()),
            })?;
        }
        Ok((scene, simulation))
    }

    fn draw_list(&self, scene: &Scene, model: &Model, snapshot: &Snapshot) -> Result<DrawList, Failure> {
        let field = self.field.as_deref().map(|name| find(&snapshot.fields, name)).transpose()?;
        let mut list = drawing::still(scene, model, snapshot, field.is_none(), |index, body| {
            field.map_or(BodyColor::Clay(index), |field| scalar(field, body.on_surface(&field.values, false)))
        });
        if self.forces {
            list.contacts = drawing::contacts(&snapshot.contacts);
            list.arrows = Authored::of(scene, model).loads(snapshot);
        }
        Ok(list)
    }
}

fn find<'a>(fields: &'a [Field], name: &str) -> Result<&'a Field, Failure> {
    fields.iter().find(|field| field.kind.name == name).ok_or_else(|| {
        let names: Vec<_> = fields.iter().map(|field| field.kind.name).collect();
        Failure::Input(format!("there is no field `{name}`; choose one of: {}", names.join(", ")))
    })
}

/// The colours of `field` over its whole range, of which `values` are one body's.
fn scalar(field: &Field, values: Arc<[f64]>) -> BodyColor {
    BodyColor::scalar(field.kind, values, subject(field).tone, field.of_elements)
}

/// What the legend of `field` tells.
fn subject(field: &Field) -> Subject {
    let extent = Extent::of(field.kind.scale, &field.values);
    Subject { kind: field.kind, tone: LegendChoice::default().tone(field.kind.scale, &extent), extent }
}
