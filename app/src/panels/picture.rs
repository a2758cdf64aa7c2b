//! The draw list of a view: the document's regions and obstacles over the session's latest snapshot.

use std::collections::BTreeSet;
use std::sync::Arc;

use aplomb_sim::scene::{Body, RegionRole, Scene};
use aplomb_sim::system::select::region_vertices;

use super::{ColorBy, Desk};
use crate::document::{Document, Selection, region_color};
use crate::session::{Field, Model, ModelBody, Track};
use crate::viewport::{BodyColor, BodyDraw, ColorMap, ContactDraw, DrawList, ObstacleDraw};

/// Opacity of a region's tint.
const TINT: u8 = 102;

/// Regions without a tint, as (body, region).
type HiddenRegions = BTreeSet<(usize, usize)>;

/// Region tint and fixed vertices of each body, remembered while scene, model and eyes stay the same.
#[derive(Debug, Default)]
pub struct Picture {
    key: Option<(Arc<Scene>, Arc<Model>, HiddenRegions)>,
    tints: Vec<Arc<[[u8; 4]]>>,
    pins: Vec<usize>,
    revision: u64,
}

impl Picture {
    /// What is to be drawn of `track` now. `range`: limits of the legend, shared by views side by side.
    pub fn draw_list(
        &mut self,
        document: &Document,
        track: &Track,
        desk: &Desk,
        range: Option<(f64, f64)>,
        dark: bool,
        ghost: bool,
    ) -> DrawList {
        let mut list = DrawList { dark, marks: desk.marks.clone(), ..DrawList::default() };
        let time = track.time();
        list.obstacles = document
            .scene()
            .obstacles
            .iter()
            .map(|obstacle| ObstacleDraw {
                shape: obstacle.shape.clone(),
                present: obstacle.removed_at.is_none_or(|removed| time < removed),
            })
            .collect();
        let (Some(model), Some(snapshot)) = (&track.model, &track.snapshot) else { return list };
        if snapshot.run != model.run {
            return list;
        }
        self.refresh(document.scene(), model, desk);
        let field = match desk.color_by {
            ColorBy::Plain => None,
            ColorBy::Field(name) => snapshot.fields.iter().find(|field| field.name == name),
        };
        for (b, body) in model.bodies.iter().enumerate() {
            list.bodies.push(BodyDraw {
                positions: slice(&snapshot.positions, body),
                triangles: Arc::clone(&body.triangles),
                color: field.map_or(BodyColor::Clay, |field| scalar(field, body, range)),
                region_tint: self.tints.get(b).filter(|_| field.is_none()).cloned(),
                ghost: ghost.then(|| slice(&model.positions, body)),
            });
        }
        list.pins = self.pins.iter().filter_map(|&node| snapshot.positions.get(node).copied()).collect();
        if desk.forces {
            let draw =
                |contact: &crate::session::ContactPoint| ContactDraw { point: contact.point, normal: contact.normal, force: contact.force };
            list.contacts = snapshot.contacts.iter().map(draw).collect();
        }
        list.selected_body = match document.selection {
            Selection::Body(body) | Selection::Region(body, _) => Some(body),
            Selection::Scene | Selection::Obstacle(_) => None,
        };
        list
    }

    /// Changes when the tints do.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    fn refresh(&mut self, scene: &Arc<Scene>, model: &Arc<Model>, desk: &Desk) {
        let same = self
            .key
            .as_ref()
            .is_some_and(|(known, of, hidden)| Arc::ptr_eq(known, scene) && Arc::ptr_eq(of, model) && *hidden == desk.hidden);
        if same {
            return;
        }
        self.key = Some((Arc::clone(scene), Arc::clone(model), desk.hidden.clone()));
        self.revision += 1;
        self.tints.clear();
        self.pins.clear();
        for (b, (body, of)) in scene.bodies.iter().zip(&model.bodies).enumerate() {
            let tint = self.paint(b, body, of, desk);
            self.tints.push(tint.into());
        }
        self.pins.sort_unstable();
        self.pins.dedup();
    }

    fn paint(&mut self, index: usize, body: &Body, model: &ModelBody, desk: &Desk) -> Vec<[u8; 4]> {
        let mut tint = vec![[0; 4]; model.mesh.positions.len()];
        for (r, region) in body.regions.iter().enumerate() {
            let vertices = region_vertices(&model.mesh, region);
            if matches!(region.role, RegionRole::Dirichlet { .. }) {
                self.pins.extend(vertices.iter().map(|&vertex| model.nodes.start + vertex as usize));
            }
            if !desk.hidden.contains(&(index, r)) {
                let [red, green, blue] = region_color(region, r);
                vertices.iter().for_each(|&vertex| tint[vertex as usize] = [red, green, blue, TINT]);
            }
        }
        tint
    }

    /// Limits of the legend over all of `tracks`.
    pub fn range(tracks: &[&Track], color_by: ColorBy) -> Option<(f64, f64)> {
        let ColorBy::Field(name) = color_by else { return None };
        let fields = tracks.iter().filter_map(|track| track.snapshot.as_ref()?.fields.iter().find(|field| field.name == name));
        fields.map(Field::range).reduce(|(a, b), (c, d)| (a.min(c), b.max(d))).or(Some((0.0, 1.0)))
    }
}

fn slice(positions: &Arc<[aplomb_sim::math::Vec3]>, body: &ModelBody) -> Arc<[aplomb_sim::math::Vec3]> {
    if body.nodes.len() == positions.len() { Arc::clone(positions) } else { positions[body.nodes.clone()].into() }
}

fn scalar(field: &Field, body: &ModelBody, range: Option<(f64, f64)>) -> BodyColor {
    BodyColor::Scalar {
        values: if body.nodes.len() == field.values.len() { Arc::clone(&field.values) } else { field.values[body.nodes.clone()].into() },
        range: range.unwrap_or((0.0, 1.0)),
        map: if field.name == "compression ratio" { ColorMap::Diverging } else { ColorMap::Viridis },
        name: field.name.to_owned(),
        unit: field.unit.to_owned(),
    }
}
