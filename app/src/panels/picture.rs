//! The draw list of a view: the document's regions and obstacles over the session's latest snapshot.

use std::collections::BTreeSet;
use std::f64::consts::TAU;
use std::sync::Arc;

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::{Body, Scene, Transform};

use super::{ColorBy, Desk, PlayedMode};
use crate::document::{Document, Selection};
use crate::drawing::cloud::{self, Made};
use crate::drawing::dissect::{Dissected, Pieces as Parts};
use crate::drawing::{self, Authored, BodyElements, Obstacles};
use crate::session::{Field, Model, ModelBody, Motion, Snapshot, Track, WakeUp};
use crate::viewport::{BodyColor, BodyDraw, DrawList, Extent, Legends, LineDraw, LineKind, Origins, Tone, legend};

/// Time in which a played mode swings to and fro [s].
const PERIOD: f64 = 1.6;
/// Regions without a tint, as (body, region).
type HiddenRegions = BTreeSet<(usize, usize)>;

/// What the tints, the obstacles and the marks follow from.
type Key = (Arc<Scene>, Option<Arc<Model>>, HiddenRegions, bool);

/// How bodies stood when they were loaded, and how they stand now.
type Transforms = Vec<(Transform, Transform)>;

/// Region tints and everything authored, remembered while scene, model and eyes stay the same.
#[derive(Debug, Default)]
pub struct Picture {
    key: Option<Key>,
    /// The scene that the obstacles are of.
    with_obstacles: Option<Arc<Scene>>,
    tints: Vec<drawing::Tints>,
    obstacles: Obstacles,
    authored: Authored,
    pieces: Pieces,
    seen: Vec<Seen>,
    dissected: Vec<Dissected>,
    shifted: Shifted,
    surfaces: cloud::Maker,
    dressed: Vec<cloud::Dressed>,
    revision: u64,
}

/// A snapshot with bodies where the scene has them by now.
#[derive(Debug, Default)]
struct Shifted {
    of: Option<(Arc<Snapshot>, Transforms)>,
    snapshot: Option<Arc<Snapshot>>,
}

impl Shifted {
    fn follow(&mut self, snapshot: &Arc<Snapshot>, model: &Model, transforms: Transforms) -> Arc<Snapshot> {
        let known = self.of.as_ref().is_some_and(|(known, of)| Arc::ptr_eq(known, snapshot) && *of == transforms);
        let shifted = self.snapshot.take().filter(|_| known).unwrap_or_else(|| Arc::new(drawing::shifted(snapshot, model, &transforms)));
        self.of = Some((Arc::clone(snapshot), transforms));
        Arc::clone(self.snapshot.insert(shifted))
    }
}

/// A field of the nodes, and the same at what is seen.
type Carried = (Arc<[f64]>, Arc<[f64]>);

/// What is seen of a body, remembered while its nodes stay where they are: pictures are asked for more often than steps are taken.
#[derive(Debug, Default)]
struct Seen {
    /// The positions of all nodes that it was made of, and whether tets are seen.
    of: Option<(Arc<[Vec3]>, bool)>,
    positions: Arc<[Vec3]>,
    /// The field that was last put on it.
    values: Option<Carried>,
}

impl Seen {
    fn follow(&mut self, body: &ModelBody, nodes: &Arc<[Vec3]>, tets: bool) {
        if !self.of.as_ref().is_some_and(|(known, were_tets)| Arc::ptr_eq(known, nodes) && *were_tets == tets) {
            self.positions = body.surface(nodes, tets);
            self.of = Some((Arc::clone(nodes), tets));
            self.values = None;
        }
    }

    fn field(&mut self, body: &ModelBody, values: &Arc<[f64]>, tets: bool) -> Arc<[f64]> {
        match &self.values {
            Some((known, seen)) if Arc::ptr_eq(known, values) => Arc::clone(seen),
            _ => {
                let seen = body.on_surface(values, tets);
                self.values = Some((Arc::clone(values), Arc::clone(&seen)));
                seen
            }
        }
    }
}

/// The elements that are pointed out, as pieces of bodies.
#[derive(Debug, Default)]
struct Pieces {
    /// The elements and the model that the pieces are of.
    of: Option<(Arc<[u32]>, Arc<Model>)>,
    pieces: Vec<BodyElements>,
}

impl Pieces {
    fn follow(&mut self, elements: Option<&Arc<[u32]>>, model: &Arc<Model>) {
        let same = match (&self.of, elements) {
            (Some((known, of)), Some(elements)) => Arc::ptr_eq(known, elements) && Arc::ptr_eq(of, model),
            (known, elements) => known.is_none() && elements.is_none(),
        };
        if !same {
            self.of = elements.map(|elements| (Arc::clone(elements), Arc::clone(model)));
            self.pieces = elements.map_or_else(Vec::new, |elements| drawing::pieces(model, elements));
        }
    }
}

impl Picture {
    /// What is to be drawn of `track` now. `tone`: the colours of the legend, shared by views side by side.
    pub fn draw_list(&mut self, document: &Document, track: &Track, desk: &Desk, tone: Option<Tone>, dark: bool, ghost: bool) -> DrawList {
        let mut list = DrawList {
            dark,
            marks: desk.marks.clone(),
            xray: desk.xray,
            clear_bodies: desk.clear_bodies,
            soft_shadows: desk.soft_shadows,
            all_forces: desk.all_forces,
            ..DrawList::default()
        };
        list.obstacle_cut = (desk.slice.on && desk.slice.obstacles).then(|| desk.slice.plane()).map(|plane| (plane.normal, plane.offset));
        // While another scene is being loaded, the bodies before it wear what was theirs.
        let scene = track.seen(document.scene(), document.folder());
        let snapshot = track.snapshot.as_ref().filter(|snapshot| track.model.as_ref().is_some_and(|model| model.run == snapshot.run));
        // Where bodies only stand elsewhere, they are drawn there at once; those of a recording are let go of first.
        let follows = !Arc::ptr_eq(scene, document.scene()) && (desk.dragging || track.last_frame() == 0);
        let transforms = if follows { track.displaced(document.scene(), document.folder()) } else { None };
        let is_at_hand = Arc::ptr_eq(scene, document.scene()) || transforms.is_some();
        let obstacles = if is_at_hand { document.scene() } else { scene };
        self.refresh(scene, obstacles, track.model.as_ref(), desk);
        let is_shifted = transforms.is_some();
        let shifted = transforms.zip(snapshot).zip(track.model.as_ref());
        let shifted = shifted.map(|((transforms, snapshot), model)| self.shifted.follow(snapshot, model, transforms));
        let snapshot = shifted.as_deref().or(snapshot.map(Arc::as_ref));
        list.obstacles = self.obstacles.draw(obstacles, track.model.as_deref(), snapshot, desk.playhead);
        for hidden in &desk.hidden_obstacles {
            list.obstacles.get_mut(*hidden).into_iter().for_each(|obstacle| obstacle.present = false);
        }
        let (Some(model), Some(snapshot)) = (&track.model, snapshot) else { return list };
        let field = match desk.color_by {
            ColorBy::Plain => None,
            ColorBy::Field(name) => snapshot.fields.iter().find(|field| field.kind.name == name),
        };
        let swung = desk.mode.and_then(|mode| swung(track, model, mode, desk.swing));
        let positions = swung.as_ref().unwrap_or(&snapshot.positions);
        let rest = track.rest_shape.as_ref().filter(|rest| desk.rest_ghost && rest.positions.len() == model.positions.len());
        let tets = desk.shows_tets();
        let how = desk.dissection();
        self.seen.resize_with(model.bodies.len(), Seen::default);
        self.dissected.resize_with(if how.is_nothing() { 0 } else { model.bodies.len() }, Dissected::default);
        let surfaces = self.surround(model, positions, desk);
        for (b, (body, seen)) in model.bodies.iter().zip(&mut self.seen).enumerate() {
            let away =
                desk.hidden_bodies.contains(&b) || scene.bodies.get(b).is_some_and(|body| drawing::is_away(body, scene, snapshot.time));
            if let Some(dissected) = self.dissected.get_mut(b).filter(|_| !away) {
                let pieces = dissected.follow(body, positions, &how).clone();
                let color =
                    field.map_or(BodyColor::Clay(b), |field| scalar(field, dissected.field(body, &field.values, &field.elements), tone));
                let tints = self.tints.get(b).filter(|_| field.is_none()).map(|tints| carried_tints(&pieces, tints));
                list.bodies.push(in_pieces(pieces, body.mesh.radius, color, tints));
                continue;
            }
            let cloud = surfaces.as_ref().and_then(|made| made.of_body(b)).filter(|_| !away);
            if let Some((cloud, dressed)) = cloud.zip(self.dressed.get_mut(b)) {
                let own = || scene.bodies.get(b).map_or(BodyColor::Clay(b), |body| cloud::plain(body, b));
                let color = field.map_or_else(own, |field| scalar(field, dressed.values(cloud, body, &field.values), tone));
                let tints = self.tints.get(b).filter(|_| field.is_none()).and_then(|tints| dressed.tints(cloud, &tints.vertices));
                list.bodies.push(cloud.draw(color, tints));
                continue;
            }
            seen.follow(body, positions, tets);
            let rest = || rest.map(|rest| body.surface(&rest.positions.as_slice().into(), tets));
            let given = || match &body.skin {
                Some(skin) if !tets => Arc::clone(&skin.positions),
                _ => body.surface(&model.positions, tets),
            };
            let tints = self.tints.get(b).filter(|_| field.is_none());
            list.bodies.push(BodyDraw {
                positions: Arc::clone(&seen.positions),
                triangles: Arc::clone(body.surface_triangles(tets)),
                lines: Arc::clone(&body.lines),
                radius: body.mesh.radius,
                hairs: body.mesh.hairs.clone(),
                color: field.map_or(BodyColor::Clay(b), |field| scalar(field, seen.field(body, &field.values, tets), tone)),
                face_tint: tints.map(|tints| Arc::clone(&tints.faces)),
                vertex_tint: tints.map(|tints| Arc::clone(&tints.vertices)),
                away,
                ghost: if is_shifted { None } else { ghost.then(given).or_else(rest) },
                smooth: false,
                origins: None,
            });
            if tets && !ghost {
                list.lines.push(LineDraw { ends: drawing::edges(&body.triangles, &seen.positions), kind: LineKind::Wire });
            }
        }
        self.pieces.follow(desk.choice.as_ref().map(|choice| &choice.elements), model);
        list.chosen.extend(self.pieces.pieces.iter().filter_map(|piece| {
            let body = model.bodies.get(piece.body)?;
            Some(BodyDraw {
                positions: body.surface(positions, true),
                triangles: Arc::clone(&piece.triangles),
                lines: Arc::clone(&piece.lines),
                radius: body.mesh.radius,
                color: BodyColor::Accent,
                ..BodyDraw::default()
            })
        }));
        list.lines.extend(drawing::attachments(model, positions));
        list.lines.extend(self.authored.seams(positions));
        list.lines.extend_from_slice(self.authored.water());
        if let Some(spacing) = model.cells.filter(|_| desk.cells) {
            list.lines.push(drawing::cells(&positions[..model.body_nodes], spacing));
        }
        if desk.supports {
            let seen =
                |b: usize, r: usize| field.is_none() && self.tints.get(b).and_then(|tints| tints.seen.get(r)).is_some_and(|seen| *seen);
            list.supports = self.authored.supports(snapshot, seen);
            list.arrows.extend(self.authored.motions(snapshot));
        }
        if desk.loads {
            list.arrows.extend(self.authored.loads(snapshot));
        }
        if desk.forces && !is_shifted {
            list.contacts = drawing::contacts(&snapshot.contacts);
            list.force_length *= desk.force_scale;
        }
        if desk.residual {
            let length = list.force_length * 0.5 * model.diagonal * if desk.forces { 1.0 } else { desk.force_scale };
            let (arrows, largest) = drawing::residual(snapshot, length);
            list.arrows.extend(arrows);
            list.unbalanced = largest;
        }
        // Before anything is solved, the contacts that will be offered to the solver.
        if desk.found && !is_shifted && snapshot.frame == 0 && snapshot.contacts.is_empty() {
            list.contacts = drawing::found(&track.found);
        }
        // Side by side, nothing is to lie over the shapes that are compared.
        list.outlined = !ghost;
        (list.selected_body, list.selected_obstacle) = match document.selection {
            _ if !is_at_hand => (None, None),
            Selection::Body(body) | Selection::Region(body, _) => (Some(body), None),
            Selection::Obstacle(obstacle) => (None, Some(obstacle)),
            Selection::Scene | Selection::Probe(_) | Selection::Place(..) => (None, None),
        };
        for along in document.selected().iter().skip(1).filter(|_| is_at_hand) {
            match *along {
                Selection::Body(body) | Selection::Region(body, _) => list.selected_along.0.push(body),
                Selection::Obstacle(obstacle) => list.selected_along.1.push(obstacle),
                Selection::Scene | Selection::Probe(_) | Selection::Place(..) => {}
            }
        }
        list
    }

    /// The surfaces around points, where they are wanted and made.
    fn surround(&mut self, model: &Arc<Model>, positions: &Arc<[Vec3]>, desk: &Desk) -> Option<Arc<Made>> {
        if !desk.shows_surface() || !model.bodies.iter().any(cloud::is_cloud) {
            self.surfaces.rest();
            self.dressed.clear();
            return None;
        }
        let made = self.surfaces.get(model, positions)?;
        self.dressed.resize_with(model.bodies.len(), cloud::Dressed::default);
        self.dressed.iter_mut().for_each(|dressed| dressed.follow(&made));
        Some(made)
    }

    /// Has this called when surfaces around points are made.
    pub fn wake(&mut self, wake_up: &WakeUp) {
        self.surfaces.wake(wake_up);
    }

    /// How often surfaces around points were made.
    pub fn surfaces(&self) -> u64 {
        self.surfaces.count()
    }

    /// Whether surfaces around points are being made that are newer than those that are seen.
    pub fn is_at_work(&self) -> bool {
        self.surfaces.is_at_work()
    }

    /// A body in its colours, whole, however views take it apart.
    pub fn whole(&mut self, document: &Document, track: &Track, desk: &Desk, tone: Option<Tone>, b: usize) -> Option<BodyDraw> {
        let model = track.model.as_ref()?;
        let (body, snapshot) = (model.bodies.get(b)?, track.snapshot.as_ref().filter(|snapshot| model.run == snapshot.run)?);
        let scene = track.seen(document.scene(), document.folder());
        self.refresh(scene, &self.with_obstacles.clone().unwrap_or_else(|| Arc::clone(scene)), Some(model), desk);
        let field = match desk.color_by {
            ColorBy::Plain => None,
            ColorBy::Field(name) => snapshot.fields.iter().find(|field| field.kind.name == name),
        };
        let tints = self.tints.get(b).filter(|_| field.is_none());
        Some(BodyDraw {
            positions: body.surface(&snapshot.positions, false),
            triangles: Arc::clone(body.surface_triangles(false)),
            color: field.map_or(BodyColor::Clay(b), |field| scalar(field, body.on_surface(&field.values, false), tone)),
            face_tint: tints.map(|tints| Arc::clone(&tints.faces)),
            vertex_tint: tints.map(|tints| Arc::clone(&tints.vertices)),
            ..BodyDraw::default()
        })
    }

    /// Changes when the scene, the model or the eyes do, and with the surfaces around points.
    pub fn revision(&self) -> u64 {
        self.revision.wrapping_add(self.surfaces.count() << 32)
    }

    /// `obstacles`: the scene that has the obstacles.
    fn refresh(&mut self, scene: &Arc<Scene>, obstacles: &Arc<Scene>, model: Option<&Arc<Model>>, desk: &Desk) {
        let same_model = |known: Option<&Arc<Model>>| match (known, model) {
            (Some(known), Some(model)) => Arc::ptr_eq(known, model),
            (known, model) => known.is_none() && model.is_none(),
        };
        let tets = desk.shows_tets();
        let known_model = self.key.as_ref().is_some_and(|(_, of, ..)| same_model(of.as_ref()));
        if !known_model || !self.with_obstacles.as_ref().is_some_and(|known| Arc::ptr_eq(known, obstacles)) {
            self.with_obstacles = Some(Arc::clone(obstacles));
            self.obstacles = Obstacles::of(obstacles, model.map(Arc::as_ref));
            self.revision += 1;
        }
        // An obstacle that is dragged changes nothing of the bodies.
        let same = self.key.as_ref().is_some_and(|(known, _, hidden, were_tets)| {
            known_model && same_authored(known, scene) && *hidden == desk.hidden && *were_tets == tets
        });
        if same {
            self.key.iter_mut().for_each(|key| key.0 = Arc::clone(scene));
            return;
        }
        self.key = Some((Arc::clone(scene), model.cloned(), desk.hidden.clone(), tets));
        self.revision += 1;
        self.authored = model.map_or_else(Authored::default, |model| Authored::of(scene, model));
        let bodies = model.map_or(&[][..], |model| &model.bodies);
        let tints = |(b, (body, of)): (usize, (&Body, &ModelBody))| {
            let shown = |r: usize| !desk.hidden.contains(&(b, r));
            drawing::Tints::of(body, of, tets, shown)
        };
        self.tints = scene.bodies.iter().zip(bodies).enumerate().map(tints).collect();
    }

    /// What the legend of all `tracks` tells: none where bodies are plain, or where no snapshot has the field.
    pub fn legend(tracks: &[&Track], color_by: ColorBy, legends: &Legends) -> Option<legend::Subject> {
        let ColorBy::Field(name) = color_by else { return None };
        let fields = || tracks.iter().filter_map(|track| track.snapshot.as_ref()?.fields.iter().find(|field| field.kind.name == name));
        let kind = fields().next()?.kind;
        let extent = fields().map(extent).reduce(Extent::with)?;
        Some(legend::Subject { kind, tone: legends.of(kind).tone(kind.scale, &extent), extent })
    }
}

/// Whether two scenes say the same of bodies, loads and motions.
fn same_authored(a: &Arc<Scene>, b: &Arc<Scene>) -> bool {
    let moves = |scene: &Scene| scene.obstacles.iter().any(|obstacle| obstacle.motion.is_some());
    Arc::ptr_eq(a, b) || a.bodies == b.bodies && a.gravity == b.gravity && a.wind == b.wind && !moves(a) && !moves(b)
}

/// The given shape, swung along a mode: as far as `swing` (share of the diagonal) where it moves most; or as it begins to give way, and back.
fn swung(track: &Track, model: &Model, mode: PlayedMode, swing: f64) -> Option<Arc<[Vec3]>> {
    let shape = track.certificate.as_ref()?.findings.along(mode.motion)?;
    let most = shape.iter().map(Vec3::norm).fold(0.0, f64::max);
    if shape.len() != model.positions.len() || most == 0.0 {
        return None;
    }
    let turn = TAU * (mode.span.1 - mode.span.0) / PERIOD;
    let share = match mode.motion {
        Motion::Mode(_) => turn.sin(),
        Motion::GivesWay => 0.5 - 0.5 * turn.cos(),
    };
    let way = swing * model.diagonal / most * share;
    Some(model.positions.iter().zip(shape.iter()).map(|(given, along)| given + way * along).collect())
}

/// Tints of the pieces of a body, of triangles and of points: where all nodes that one lies between have it.
fn carried_tints(pieces: &Parts, tints: &drawing::Tints) -> drawing::Tints {
    let of_node = |node: u32| tints.vertices.get(node as usize).copied().unwrap_or_default();
    let all = |tints: &[[u8; 4]]| if tints.iter().all(|tint| *tint == tints[0]) { tints[0] } else { [0; 4] };
    let vertices: Vec<[u8; 4]> = pieces.blends.iter().map(|blend| all(&blend.nodes.map(of_node))).collect();
    let faces = pieces.triangles.iter().map(|corners| all(&corners.map(|corner| vertices[corner as usize]))).collect();
    drawing::Tints { faces, vertices: vertices.into(), seen: tints.seen.clone() }
}

/// What is drawn of a body that was taken apart.
fn in_pieces(pieces: Parts, radius: f64, color: BodyColor, tints: Option<drawing::Tints>) -> BodyDraw {
    let nodes = pieces.blends.iter().map(|blend| blend.nearest()).collect();
    BodyDraw {
        origins: Some(Origins { nodes, cells: pieces.cells }),
        positions: pieces.positions,
        triangles: pieces.triangles,
        lines: pieces.lines,
        radius,
        color,
        face_tint: tints.as_ref().map(|tints| Arc::clone(&tints.faces)),
        vertex_tint: tints.map(|tints| tints.vertices),
        ..BodyDraw::default()
    }
}

fn extent(field: &Field) -> Extent {
    Extent::of(field.kind.scale, &field.values)
}

fn scalar(field: &Field, values: Arc<[f64]>, tone: Option<Tone>) -> BodyColor {
    let tone = tone.unwrap_or_else(|| Legends::default().of(field.kind).tone(field.kind.scale, &extent(field)));
    BodyColor::scalar(field.kind, values, tone, field.of_elements)
}
