//! Painting: the stroke in hand, seen as it goes and one edit at its end, and whole regions changed at once.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use aplomb_sim::math::rotation;
use aplomb_sim::scene::Scene;
use rayon::prelude::*;

use super::App;
use crate::document::{
    ByPlace, FieldMode, FieldStroke, OtherSide, Reshape, Selection, Stroke, factors, field_limit, nearness, region_color,
};
use crate::drawing::{TINT, Tints, layer};
use crate::session::{Model, WakeUp};
use crate::theme;
use crate::viewport::{BodyColor, BodyDraw, ColorMap, DrawList, Tone};

/// Opacity of what is looked at by place.
const LOOKED: u8 = 190;
/// How near contacts are suggested at least, as a share of the diagonal of all bodies.
const SUGGESTED: f64 = 0.01;

/// Tints, and what they follow from.
struct Tinted {
    revision: u64,
    body: usize,
    /// The tints below them.
    over: Option<Arc<[[u8; 4]]>>,
    dark: bool,
    faces: Arc<[[u8; 4]]>,
    vertices: Arc<[[u8; 4]]>,
}

impl Tinted {
    fn is_of(&self, revision: u64, body: usize, over: Option<&Arc<[[u8; 4]]>>, dark: bool) -> bool {
        let same = match (&self.over, over) {
            (Some(known), Some(over)) => Arc::ptr_eq(known, over),
            (known, over) => known.is_none() && over.is_none(),
        };
        same && (self.revision, self.body, self.dark) == (revision, body, dark)
    }
}

/// What is painted at hand.
#[derive(Default)]
pub(super) struct Painting {
    stroke: Option<InHand>,
    seen: Option<Seen>,
    /// Whether a stroke over the field has begun that has met nothing yet.
    waiting: bool,
    sides: Sides,
    /// The part by place that is looked at: what it is, and its vertices.
    looked: Option<(Arc<Model>, usize, ByPlace, Vec<u32>)>,
    near: Option<Near>,
    /// The tints that were seen last.
    tinted: Option<Tinted>,
    /// Logarithms of a body's stiffness field as it stands in a scene.
    field: Option<(Arc<Scene>, usize, Arc<[f64]>)>,
    /// Changes whenever what is seen of a stroke or a preview does.
    pub revision: u64,
}

/// What a stroke paints.
enum InHand {
    Set(Stroke),
    Field(FieldStroke),
}

impl InHand {
    fn body(&self) -> usize {
        match self {
            Self::Set(stroke) => stroke.body(),
            Self::Field(stroke) => stroke.body(),
        }
    }

    /// Passes over vertices; whether some of it had nothing on the other side.
    fn over(&mut self, vertices: &[u32], strengths: &[f32], erase: bool) -> bool {
        match self {
            Self::Set(stroke) => {
                stroke.over(vertices, erase);
                stroke.missed()
            }
            Self::Field(stroke) => {
                stroke.over(vertices, strengths);
                stroke.missed()
            }
        }
    }

    fn written(&self, scene: &Scene) -> (&'static str, Scene) {
        match self {
            Self::Set(stroke) => ("Paint", stroke.written(scene)),
            Self::Field(stroke) => ("Paint stiffness", stroke.written(scene)),
        }
    }
}

/// How near the vertices of a body are to what it may touch, found on a thread of its own.
struct Near {
    of: (Arc<Model>, Arc<Scene>, usize),
    receiver: Receiver<Vec<f64>>,
    found: Option<Vec<f64>>,
}

impl Near {
    fn begin(model: &Arc<Model>, scene: &Arc<Scene>, body: usize, wake_up: WakeUp) -> Option<Self> {
        let (sender, receiver) = mpsc::channel();
        let (of_model, of_scene) = (Arc::clone(model), Arc::clone(scene));
        let thread = std::thread::Builder::new().name("near".to_owned()).spawn(move || {
            // Nobody receives once something else is asked for.
            let _ = sender.send(nearness(&of_scene, &of_model, body));
            wake_up();
        });
        thread.ok()?;
        Some(Self { of: (Arc::clone(model), Arc::clone(scene), body), receiver, found: None })
    }

    /// Whether it is of this body, and obstacles as they stand.
    fn is_of(&self, model: &Arc<Model>, scene: &Scene, body: usize) -> bool {
        Arc::ptr_eq(&self.of.0, model) && self.of.2 == body && self.of.1.obstacles == scene.obstacles
    }
}

/// The tints around the region that is painted.
struct Seen {
    /// Of the regions before it, and its own colour; none where it is not shown.
    below: Tints,
    own: Option<[u8; 4]>,
    /// Of those after it.
    above: Tints,
}

/// The other sides of one body, each made on a thread of its own when it is first wanted.
#[derive(Default)]
struct Sides {
    of: Option<(Arc<Model>, usize, [f64; 3])>,
    made: [Option<Side>; 3],
}

enum Side {
    Making(Receiver<OtherSide>),
    Made(Arc<OtherSide>),
}

impl Sides {
    /// Begins with those across `axes` that are not there yet.
    fn prepare(&mut self, model: &Arc<Model>, body: usize, turned: [f64; 3], axes: [bool; 3]) {
        let known = self.of.as_ref().is_some_and(|(of, b, by)| Arc::ptr_eq(of, model) && (*b, *by) == (body, turned));
        if !known {
            *self = Self { of: Some((Arc::clone(model), body, turned)), made: [const { None }; 3] };
        }
        for axis in (0..3).filter(|&axis| axes[axis]) {
            if self.made[axis].is_none() {
                let (sender, receiver) = mpsc::channel();
                let model = Arc::clone(model);
                let thread = std::thread::Builder::new().name("symmetry".to_owned()).spawn(move || {
                    if let Some(body) = model.bodies.get(body) {
                        // Nobody receives once the body is another one.
                        let _ = sender.send(OtherSide::of(body, &rotation(turned), axis));
                    }
                });
                self.made[axis] = thread.is_ok().then_some(Side::Making(receiver));
            }
        }
    }

    /// Those across `axes`. A stroke that begins before they are there waits: what it passed over cannot be made up for.
    fn get(&mut self, axes: [bool; 3]) -> Vec<Arc<OtherSide>> {
        let of_axis = |(side, wanted): (&mut Option<Side>, bool)| {
            if let Some(Side::Making(receiver)) = side {
                *side = receiver.recv().ok().map(|made| Side::Made(Arc::new(made)));
            }
            match side {
                Some(Side::Made(made)) if wanted => Some(Arc::clone(made)),
                _ => None,
            }
        };
        self.made.iter_mut().zip(axes).filter_map(of_axis).collect()
    }
}

impl App {
    /// Begins what the brush at hand needs before its first stroke.
    pub(super) fn prepare_brush(&mut self) {
        let (Some(model), Some(b)) = (&self.main.model, self.selected_body()) else { return };
        let brush = &self.desk.brush;
        let Some(body) = self.document.scene().bodies.get(b).filter(|_| brush.on && brush.symmetry.contains(&true)) else { return };
        if self.is_of_scene() {
            self.painting.sides.prepare(model, b, body.transform.rotate_degrees, brush.symmetry);
        }
    }

    /// Looks at the part by place that is set, before it is taken.
    pub(super) fn look_at_place(&mut self) {
        let place = self.desk.brush.place.filter(|_| self.desk.brush.on && self.is_of_scene());
        let wanted = match (place, self.selected_body(), &self.main.model) {
            (Some(place), Some(b), Some(model)) => Some((place, b, model)),
            _ => None,
        };
        let known = match (&self.painting.looked, &wanted) {
            (Some((of, body, known, _)), Some((place, b, model))) => Arc::ptr_eq(of, model) && (body, known) == (b, place),
            (known, wanted) => known.is_none() && wanted.is_none(),
        };
        if known {
            return;
        }
        let near = match wanted {
            Some((ByPlace::Near { .. }, b, model)) => {
                let scene = self.document.scene();
                if !self.painting.near.as_ref().is_some_and(|near| near.is_of(model, scene, b)) {
                    self.painting.near = Near::begin(model, scene, b, Arc::clone(&self.wake_up));
                }
                let Some(near) = &mut self.painting.near else { return };
                if near.found.is_none() {
                    near.found = near.receiver.try_recv().ok();
                }
                near.found.as_deref()
            }
            _ => Some(&[][..]),
        };
        // What is near is still being looked for.
        self.desk.brush.looking = near.is_none();
        let looked = |near: &[f64]| {
            let (place, b, model) = wanted?;
            Some((Arc::clone(model), b, place, place.vertices(model.bodies.get(b)?, near)))
        };
        let Some(looked) = near.map(looked) else { return };
        self.painting.looked = looked;
        self.desk.brush.looked_at = self.painting.looked.as_ref().map_or(0, |(.., vertices)| vertices.len());
        self.painting.revision += 1;
    }

    /// Looks at what may touch something, for the selected region of contact.
    pub(super) fn suggest_contacts(&mut self) {
        let Some(model) = &self.main.model else { return };
        let share = self.document.scene().contact.detection_distance.max(SUGGESTED);
        // One digit is a number that one would give.
        let digit = 10f64.powf((share * model.diagonal).log10().floor());
        let within = (share * model.diagonal / digit).ceil() * digit;
        self.desk.brush.on = matches!(self.document.selection, Selection::Region(..));
        self.desk.brush.place = Some(ByPlace::Near { within }).filter(|_| self.desk.brush.on);
    }

    /// Whether what is in view is of the scene as it is now: while another one is being loaded, it is of the one before.
    pub(super) fn is_of_scene(&self) -> bool {
        Arc::ptr_eq(self.main.seen(self.document.scene(), self.document.folder()), self.document.scene())
    }

    /// Takes the brush, or puts it down.
    pub(super) fn toggle_brush(&mut self) {
        let paintable = matches!(self.document.selection, Selection::Region(..) | Selection::Body(_));
        self.desk.brush.on = !self.desk.brush.on && paintable;
    }

    /// Whether a stroke is in hand.
    pub(super) fn is_painting(&self) -> bool {
        self.painting.stroke.is_some()
    }

    /// Why the selected region is left alone, if it is.
    fn refusal(&self) -> Option<String> {
        let Selection::Region(b, r) = self.document.selection else { return None };
        let region = self.document.scene().bodies.get(b)?.regions.get(r).filter(|region| region.locked)?;
        Some(format!("{} is locked and stays as it is: open its lock in the outliner first", region.name))
    }

    /// Whether the selected region is left alone; says so.
    pub(super) fn is_locked(&mut self) -> bool {
        let refusal = self.refusal();
        let locked = refusal.is_some();
        self.desk.note = refusal.or(self.desk.note.take());
        locked
    }

    pub(super) fn begin_stroke(&mut self) {
        self.document.settle();
        self.prepare_brush();
        let symmetry = self.desk.brush.symmetry;
        if self.paints_field() {
            // Whether it erases is known with its first vertices.
            self.painting.waiting = true;
        } else if !self.is_locked() {
            self.painting.stroke = self.new_stroke(symmetry).map(InHand::Set);
            self.painting.seen = match &self.painting.stroke {
                Some(InHand::Set(stroke)) => self.around(stroke),
                _ => None,
            };
        }
        self.desk.brush.missed = false;
    }

    pub(super) fn stroke_over(&mut self, body: usize, vertices: &[u32], strengths: &[f32], erase: bool) {
        if std::mem::take(&mut self.painting.waiting) {
            self.painting.stroke = self.new_field_stroke(erase, self.desk.brush.symmetry).map(InHand::Field);
        }
        if let Some(stroke) = self.painting.stroke.as_mut().filter(|stroke| stroke.body() == body) {
            self.desk.brush.missed = stroke.over(vertices, strengths, erase);
            self.painting.revision += 1;
        }
    }

    /// Whether the brush paints the stiffness field: what else is there to paint of a body as a whole?
    pub(super) fn paints_field(&self) -> bool {
        let brush = &self.desk.brush;
        brush.on && (brush.field || matches!(self.document.selection, Selection::Body(_)))
    }

    fn new_field_stroke(&mut self, erase: bool, symmetry: [bool; 3]) -> Option<FieldStroke> {
        let b = self.selected_body().filter(|_| self.is_of_scene())?;
        let mode = match (erase, self.desk.brush.smooth) {
            (true, _) => FieldMode::ERASE,
            (false, true) => FieldMode::Smooth,
            (false, false) => FieldMode::Towards(self.desk.brush.factor),
        };
        let sides = if symmetry.contains(&true) { self.painting.sides.get(symmetry) } else { Vec::new() };
        FieldStroke::begin(self.document.scene(), b, self.main.model.as_ref()?.bodies.get(b)?, mode, sides)
    }

    pub(super) fn end_stroke(&mut self) {
        self.painting.waiting = false;
        let Some(stroke) = self.painting.stroke.take() else { return };
        self.painting.seen = None;
        self.painting.revision += 1;
        let (label, scene) = stroke.written(self.document.scene());
        self.document.edit(label, scene);
        self.document.settle();
    }

    /// Gives the stroke in hand up.
    pub(super) fn drop_stroke(&mut self) {
        (self.painting.stroke, self.painting.seen, self.painting.waiting) = (None, None, false);
        self.painting.revision += 1;
    }

    /// Changes the whole of the selected region, as one step of the history.
    pub(super) fn reshape(&mut self, reshape: Reshape) {
        self.change_region(reshape.entry().label, |stroke, body| stroke.reshape(reshape, body));
    }

    /// Adds what lies at the place that is looked at to the selected region, or takes it out.
    pub(super) fn take_place(&mut self, out: bool) {
        let Some(place) = self.desk.brush.place else { return };
        self.look_at_place();
        let label = match (place, out) {
            (ByPlace::Near { .. }, false) => "Add what is near",
            (ByPlace::Near { .. }, true) => "Take out what is near",
            (_, false) => "Add by place",
            (_, true) => "Take out by place",
        };
        let Some((.., vertices)) = self.painting.looked.take() else { return };
        if !self.paints_field() {
            return self.change_region(label, |stroke, _| stroke.over(&vertices, out));
        }
        if let Some(mut stroke) = self.new_field_stroke(out, [false; 3]) {
            stroke.over(&vertices, &vec![self.desk.brush.strength; vertices.len()]);
            let scene = stroke.written(self.document.scene());
            self.document.settle();
            self.document.edit(label, scene);
            self.document.settle();
        }
    }

    fn change_region(&mut self, label: &str, change: impl FnOnce(&mut Stroke, &crate::session::ModelBody)) {
        if self.is_locked() {
            return;
        }
        let Some(mut stroke) = self.new_stroke([false; 3]) else { return };
        let Some(body) = self.main.model.as_ref().and_then(|model| model.bodies.get(stroke.body())) else { return };
        change(&mut stroke, body);
        let scene = stroke.written(self.document.scene());
        self.document.settle();
        self.document.edit(label, scene);
        self.document.settle();
    }

    fn new_stroke(&mut self, symmetry: [bool; 3]) -> Option<Stroke> {
        let Selection::Region(b, r) = self.document.selection else { return None };
        if !self.is_of_scene() {
            return None;
        }
        let sides = if symmetry.contains(&true) { self.painting.sides.get(symmetry) } else { Vec::new() };
        Stroke::begin(self.document.scene(), b, r, self.main.model.as_ref()?.bodies.get(b)?, sides)
    }

    /// The tints around the region that a stroke paints: where several lie over one another, the one on top is seen.
    fn around(&self, stroke: &Stroke) -> Option<Seen> {
        let (b, r) = (stroke.body(), stroke.region());
        let model = self.main.model.as_ref()?.bodies.get(b)?;
        let body = self.document.scene().bodies.get(b)?;
        let shown = |r: usize| !self.desk.hidden.contains(&(b, r));
        let region = body.regions.get(r)?;
        let (own, [red, green, blue]) = (layer(region, r), region_color(region, r));
        Some(Seen {
            below: Tints::of(body, model, false, |other| layer(&body.regions[other], other) < own && shown(other)),
            own: Some([red, green, blue, TINT]).filter(|_| shown(r)),
            above: Tints::of(body, model, false, |other| layer(&body.regions[other], other) > own && shown(other)),
        })
    }

    /// Colours the body by its stiffness field while that is painted: by the logarithms of the factors, between limits that are the same on
    /// both sides of 1.
    pub(super) fn color_field(&mut self, list: &mut DrawList) {
        let Some(b) = self.selected_body().filter(|_| self.paints_field() && self.is_of_scene()) else { return };
        let Some(body) = list.bodies.get_mut(b) else { return };
        let count = body.positions.len();
        let scene = self.document.scene();
        let values: Arc<[f64]> = match (&self.painting.stroke, &self.painting.field) {
            (Some(InHand::Field(stroke)), _) if stroke.body() == b => stroke.logarithms().into(),
            (_, Some((of, body, values))) if Arc::ptr_eq(of, scene) && *body == b && values.len() == count => Arc::clone(values),
            _ => {
                let factors = factors(scene, b, count).unwrap_or_default();
                let values: Arc<[f64]> = factors.into_iter().map(f64::ln).collect();
                self.painting.field = Some((Arc::clone(scene), b, Arc::clone(&values)));
                values
            }
        };
        let most = field_limit(self.document.scene(), b, self.desk.brush.factor).ln();
        body.color = BodyColor::Scalar {
            values,
            tone: Tone { range: (-most, most), map: ColorMap::Stiffness, log: false },
            name: "stiffness".to_owned(),
            unit: String::new(),
            of_elements: None,
        };
        (body.face_tint, body.vertex_tint) = (None, None);
    }

    /// Puts the stroke in hand, or what would be taken by place, over what is seen of the regions.
    pub(super) fn tint_painted(&mut self, list: &mut DrawList) {
        let painting = &mut self.painting;
        let painted = painting.stroke.as_ref().map(InHand::body).or(painting.looked.as_ref().map(|(_, b, ..)| *b));
        let Some(b) = painted else { return };
        let Some(body) = list.bodies.get_mut(b) else { return };
        let over = body.vertex_tint.clone();
        if let Some(tinted) = &painting.tinted
            && tinted.is_of(painting.revision, b, over.as_ref(), list.dark)
        {
            (body.face_tint, body.vertex_tint) = (Some(Arc::clone(&tinted.faces)), Some(Arc::clone(&tinted.vertices)));
            return;
        }
        match (&painting.stroke, &painting.seen, &painting.looked) {
            (Some(InHand::Set(stroke)), Some(seen), _) if body.vertex_tint.is_some() => {
                let tint = |inside: bool, above: [u8; 4], below: [u8; 4]| match seen.own {
                    _ if above[3] > 0 => above,
                    Some(own) if inside => own,
                    _ => below,
                };
                let of = |tints: &Arc<[[u8; 4]]>, at: usize| tints.get(at).copied().unwrap_or_default();
                tinted(
                    body,
                    stroke.held(),
                    |at, inside| tint(inside, of(&seen.above.faces, at), of(&seen.below.faces, at)),
                    |at, inside| tint(inside, of(&seen.above.vertices, at), of(&seen.below.vertices, at)),
                );
            }
            (_, _, Some((.., looked))) => {
                let [red, green, blue, _] = theme::of(list.dark).accent.to_array();
                let mut inside = vec![false; body.positions.len()];
                looked.iter().for_each(|&vertex| inside.get_mut(vertex as usize).into_iter().for_each(|inside| *inside = true));
                let (faces, vertices) = (body.face_tint.take(), body.vertex_tint.take());
                let before = |tint: &Option<Arc<[[u8; 4]]>>, at: usize| tint.as_ref().and_then(|tint| tint.get(at)).copied();
                let tint =
                    |inside: bool, before: Option<[u8; 4]>| if inside { [red, green, blue, LOOKED] } else { before.unwrap_or_default() };
                tinted(body, &inside, |at, inside| tint(inside, before(&faces, at)), |at, inside| tint(inside, before(&vertices, at)));
            }
            _ => return,
        }
        if let (Some(faces), Some(vertices)) = (body.face_tint.clone(), body.vertex_tint.clone()) {
            painting.tinted = Some(Tinted { revision: painting.revision, body: b, over, dark: list.dark, faces, vertices });
        }
    }
}

/// Tints what is seen of a body: each triangle, by its number and whether all of its corners are `inside`, and each vertex alike.
fn tinted(
    body: &mut BodyDraw,
    inside: &[bool],
    face: impl Fn(usize, bool) -> [u8; 4] + Sync,
    vertex: impl Fn(usize, bool) -> [u8; 4] + Sync,
) {
    let is_inside = |vertex: u32| inside.get(vertex as usize).copied().unwrap_or(false);
    let whole = |corners: &[u32; 3]| corners.iter().all(|&corner| is_inside(corner));
    let faces: Vec<_> = body.triangles.par_iter().enumerate().with_min_len(4096).map(|(at, corners)| face(at, whole(corners))).collect();
    let vertices: Vec<_> =
        (0..body.positions.len()).into_par_iter().with_min_len(4096).map(|at| vertex(at, is_inside(at as u32))).collect();
    (body.face_tint, body.vertex_tint) = (Some(faces.into()), Some(vertices.into()));
}
