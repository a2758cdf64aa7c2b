//! What the mouse does in a pattern: it moves what is seen, chooses panels, and paints as in a view.

use std::collections::BTreeMap;

use egui::{Color32, CursorIcon, Key, PointerButton, Pos2, Rect, Response, Shape, Stroke, Ui};

use super::PatternState;
use super::sheet::Sheet;
use crate::sewing_pattern::Flat;
use crate::viewport::brush::{Brush, Reach, falloff};
use crate::viewport::marquee::{Marquee, crosshair};
use crate::viewport::navigate::wheel;
use crate::viewport::{Area, ViewEvent, ViewTool};

/// What is in hand.
#[derive(Debug, Default)]
pub struct Hand {
    /// A stroke: whether it takes away, and where it was.
    stroke: Option<(bool, Pos2)>,
    marquee: Option<Marquee>,
    /// The size of the brush while it is dragged.
    brush: Brush,
    /// Where the brush is, and whether it takes away.
    ring: Option<(Pos2, bool)>,
}

/// Takes in what the mouse and the keys do; whether something was clicked.
pub fn take(ui: &Ui, response: &Response, flat: &Flat, sheet: &mut Sheet, state: &mut PatternState) -> bool {
    let before = (sheet.middle, sheet.scale);
    let mut fit = response.double_clicked() && !paints(&state.tool);
    if response.contains_pointer() && !ui.ctx().text_edit_focused() {
        fit |= ui.input(|input| input.modifiers.is_none() && input.key_pressed(Key::Home));
    }
    if let Some(cursor) = response.hover_pos() {
        let factor = ui.input(|input| wheel(input.smooth_scroll_delta().y, input.zoom_delta()));
        if factor != 1.0 {
            sheet.zoom(1.0 / factor, cursor);
        }
    }
    let alt = ui.input(|input| input.modifiers.alt);
    let strokes = paints(&state.tool) && !alt && response.dragged_by(PointerButton::Primary);
    if response.dragged() && !strokes && state.hand.stroke.is_none() && state.hand.marquee.is_none() {
        sheet.pan(response.drag_delta());
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    if fit {
        state.look = None;
    } else if (sheet.middle, sheet.scale) != before {
        state.look = Some((sheet.middle, sheet.scale));
    }
    paint(ui, response, flat, sheet, state, alt);
    response.clicked() && !response.double_clicked() && !paints(&state.tool)
}

fn paints(tool: &ViewTool) -> bool {
    matches!(tool, ViewTool::Brush { .. })
}

/// Strokes, rectangles and loops, and the size of the brush.
fn paint(ui: &Ui, response: &Response, flat: &Flat, sheet: &Sheet, state: &mut PatternState, alt: bool) {
    let (hand, events) = (&mut state.hand, &mut state.events);
    hand.ring = None;
    let ViewTool::Brush { radius, erase, through, area, body, soft, .. } = state.tool else {
        (hand.stroke, hand.marquee) = (None, None);
        return;
    };
    let cursor = response.hover_pos().or_else(|| response.interact_pointer_pos());
    let held = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down()) && (!alt || hand.stroke.is_some());
    let Some(cursor) = cursor.filter(|_| held || response.contains_pointer()) else {
        if hand.stroke.take().is_some() {
            events.push(ViewEvent::StrokeEnded);
        }
        hand.marquee = None;
        return;
    };
    let erase = erase != ui.input(|input| input.modifiers.ctrl);
    let reach = Reach { radius, through, body, soft };
    let anchor = if held || ui.ctx().text_edit_focused() { None } else { hand.brush.resize(ui, cursor, reach, events) };
    hand.ring = Some((anchor.unwrap_or(cursor), erase));
    ui.ctx().set_cursor_icon(CursorIcon::None);
    if area != Area::Round {
        match &mut hand.marquee {
            Some(marquee) if held => marquee.extend(cursor),
            None if held => hand.marquee = Some(Marquee::new(area, cursor, erase)),
            _ => {
                let inside = |marquee: &Marquee| {
                    let within = flat.points.iter().zip(&flat.vertices).filter(|(point, _)| marquee.contains(sheet.to_screen(**point)));
                    let mut vertices: Vec<u32> = within.map(|(_, vertex)| *vertex).collect();
                    vertices.sort_unstable();
                    vertices.dedup();
                    vertices
                };
                hand.marquee.take().into_iter().for_each(|marquee| marquee.finish_with(inside, (body, soft), events));
            }
        }
    } else if held {
        let (erase, from) = *hand.stroke.get_or_insert_with(|| {
            events.push(ViewEvent::StrokeBegan);
            (erase, cursor)
        });
        hand.stroke = Some((erase, cursor));
        events.extend(stroke(flat, sheet, [from, cursor], &reach).map(|(vertices, strengths)| ViewEvent::StrokeOver {
            body,
            vertices,
            strengths,
            erase,
        }));
    } else if hand.stroke.take().is_some() {
        events.push(ViewEvent::StrokeEnded);
    }
}

/// The vertices within the radius of a line on the screen, of the panels that the line passes over or else is nearest to, increasing; and how strongly each is
/// reached, where the brush is soft.
fn stroke(flat: &Flat, sheet: &Sheet, [from, to]: [Pos2; 2], reach: &Reach) -> Option<(Vec<u32>, Vec<f32>)> {
    let along = to - from;
    let steps = (along.length() / (0.5 * reach.radius).max(1.0)).ceil().clamp(1.0, 64.0);
    let under = |step: usize| flat.triangle_at(sheet.to_flat(from.lerp(to, step as f32 / steps))).map(|(t, _)| flat.panel_of[t]);
    let mut panels: Vec<u32> = (0..=steps as usize).filter_map(under).collect();
    let away = |point: &[f64; 2]| {
        let at = sheet.to_screen(*point);
        let share = ((at - from).dot(along) / along.length_sq().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        (at - (from + share * along)).length() / reach.radius
    };
    let near = || flat.points.iter().map(away).enumerate().filter(|(_, away)| *away <= 1.0);
    if panels.is_empty() {
        // Beside a panel its border is within reach.
        panels.extend(near().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(point, _)| flat.panel_at[point]));
    }
    let mut reached: BTreeMap<u32, f32> = BTreeMap::new();
    for (point, away) in near().filter(|(point, _)| panels.contains(&flat.panel_at[*point])) {
        let known = reached.entry(flat.vertices[point]).or_insert(away);
        *known = known.min(away);
    }
    if reached.is_empty() {
        return None;
    }
    let strengths = reach.soft.map_or_else(Vec::new, |soft| reached.values().map(|away| soft * falloff(*away)).collect());
    Some((reached.into_keys().collect(), strengths))
}

impl Hand {
    /// Draws what is in hand.
    pub fn show(&self, ui: &Ui, room: Rect, tool: &ViewTool) {
        let ViewTool::Brush { radius, color, area, .. } = *tool else { return };
        self.marquee.iter().for_each(|marquee| marquee.show(ui, room, color));
        let Some((at, erase)) = self.ring else { return };
        if area != Area::Round {
            return crosshair(ui, room, at);
        }
        let painter = ui.painter().with_clip_rect(room);
        painter.circle_stroke(at, radius, Stroke::new(4.0, Color32::from_black_alpha(110)));
        if erase {
            let point = |k: usize| at + radius * egui::Vec2::angled(k as f32 * std::f32::consts::TAU / 48.0);
            painter.extend(Shape::dashed_line(&(0..=48).map(point).collect::<Vec<_>>(), Stroke::new(2.0, Color32::WHITE), 6.0, 5.0));
        } else {
            painter.circle_stroke(at, radius, Stroke::new(2.0, Color32::WHITE));
        }
    }
}
