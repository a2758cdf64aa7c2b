//! Everything that has a time of its own, as rows over time: keyframes, entrances, removals, wind, ramps. The playhead is that of the
//! transport; where nothing is recorded it is a time to author at.

mod rows;

use egui::{
    Align, Align2, Color32, FontId, Id, Key, Layout, Pos2, Rect, RichText, Role, ScrollArea, Sense, Shape, Stroke, Ui, WidgetInfo, pos2,
    vec2,
};

use super::Look;
use crate::document::command::Seek;
use crate::document::{Action, Selection};
use crate::theme::{icons, meaning};
use crate::viewport::ticks::Ticks;
use crate::widgets::{Quantity, icon_button, significant, time_entry};
pub use rows::Row;

/// Width of the names, height of a row and of the ruler, half of a mark [points].
const NAMES: f32 = 196.0;
const ROW: f32 = 22.0;
const RULER: f32 = 20.0;
const MARK: f32 = 5.5;

/// What of the timeline is seen and chosen.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TimelineState {
    /// The times that are seen [s]; those that hold everything, where none were chosen.
    pub range: Option<(f64, f64)>,
    /// The mark that is chosen.
    pub mark: Option<(Row, usize)>,
    /// Those that were seen when a button was pressed: what is dragged does not push the end away from itself.
    held: Option<(f64, f64)>,
}

/// Where times are on the screen.
#[derive(Debug, Clone, Copy)]
struct Scale {
    range: (f64, f64),
    rect: Rect,
}

impl Scale {
    fn x(&self, time: f64) -> f32 {
        let share = (time - self.range.0) / (self.range.1 - self.range.0);
        self.rect.left() + self.rect.width() * share as f32
    }

    fn time(&self, x: f32) -> f64 {
        let share = f64::from((x - self.rect.left()) / self.rect.width().max(1.0));
        self.range.0 + share * (self.range.1 - self.range.0)
    }

    /// A time rounded to what a point on the screen tells apart, or with `steps` to the lines of the ruler.
    fn rounded(&self, time: f64, steps: bool) -> f64 {
        let step = if steps {
            tenth(self.ticks())
        } else {
            10.0_f64.powf(((self.range.1 - self.range.0) / f64::from(self.rect.width().max(1.0))).log10().floor())
        };
        let per_second = (1.0 / step).round();
        let rounded = if per_second >= 1.0 { (time * per_second).round() / per_second } else { (time / step).round() * step };
        rounded.max(0.0)
    }

    fn ticks(&self) -> Ticks {
        Ticks::new(self.range, (self.rect.width() / 90.0).max(2.0) as usize)
    }
}

/// A tenth of the way between lines.
fn tenth(ticks: Ticks) -> f64 {
    match ticks.values.as_slice() {
        [a, b, ..] => 0.1 * (b - a),
        _ => 0.01,
    }
}

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let scene = look.document.scene().clone();
    let rows = Row::all(&scene);
    look.desk.timeline.mark = look.desk.timeline.mark.filter(|(row, index)| rows.contains(row) && *index < row.marks(&scene).len());
    buttons(ui, look);
    if rows.is_empty() {
        ui.weak("Nothing has a time of its own yet: give an obstacle or a region a motion, a body an entrance, or a load a ramp. Select an obstacle and press “Key” to move it.");
    }
    let (recorded, now) = (look.main.series.iter().last().map_or(0.0, |step| step.time), look.time_shown());
    let end = (1.15 * Row::latest(&scene)).max(1.05 * recorded).max(1.1 * now).max(1.0);
    let room = ui.available_rect_before_wrap();
    let over = Rect::from_min_max(pos2(room.left() + NAMES, room.top()), room.max);
    let held = look.desk.timeline.held.filter(|_| ui.input(|input| input.pointer.any_down() || input.pointer.any_released()));
    let range = look.desk.timeline.range.or(held).unwrap_or((0.0, end));
    look.desk.timeline.held = Some(range);
    let scale = Scale { range, rect: over.shrink2(vec2(10.0, 0.0)) };
    zoom(ui, look, &scale, over);
    ruler(ui, look, &scale, recorded);
    let below = Rect::from_min_max(pos2(room.left(), room.top() + RULER), room.max);
    let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(below).id_salt("rows"));
    ScrollArea::vertical().auto_shrink(false).show(&mut inside, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (index, row) in rows.into_iter().enumerate() {
            self::row(ui, look, &scale, row, index);
        }
    });
    playhead(ui, &scale, now, room);
}

/// Adding, copying, deleting, and the numbers of what is chosen.
fn buttons(ui: &mut Ui, look: &mut Look<'_>) {
    let scene = look.document.scene().clone();
    let now = look.time_shown();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let can = look.can_have_keys();
        let why = if !can {
            "Select an obstacle, or a region whose vertices are held"
        } else if now <= 0.0 {
            "Choose a time after 0 s: click in the ruler"
        } else {
            ""
        };
        let key = ui.add_enabled(why.is_empty(), egui::Button::new(format!("{}  Key", icons::PLUS)));
        key.widget_info(|| WidgetInfo::labeled(Role::Button, why.is_empty(), "Key"));
        if key.on_hover_text("A keyframe at this time, where it has got to by then (K)").on_disabled_hover_text(why).clicked() {
            look.actions.push(Action::AddKey);
        }
        let chosen = look.desk.timeline.mark;
        let keys = chosen.is_some_and(|(row, _)| row.has_keys());
        if icon_button(ui, keys && now > 0.0, false, icons::COPY, "Copy key", "Copy the chosen keyframe to this time").clicked()
            && let Some((row, index)) = chosen
            && let Some((scene, place)) = row.copied(&scene, index, now)
        {
            look.edit("Copy keyframe", scene);
            look.desk.timeline.mark = Some((row, place));
        }
        let removed = chosen.and_then(|(row, index)| row.removed(&scene, index));
        let delete = icon_button(
            ui,
            removed.is_some(),
            false,
            icons::DELETE,
            "Delete key",
            "Delete the chosen mark (Delete, with the mouse over the timeline)",
        );
        let over = ui.rect_contains_pointer(ui.max_rect()) && !ui.ctx().text_edit_focused();
        let pressed = over && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Delete));
        if (delete.clicked() || pressed)
            && let Some(scene) = removed
        {
            look.edit("Delete keyframe", scene);
            look.desk.timeline.mark = None;
        }
        ui.separator();
        let dim = meaning(ui).dim;
        ui.label(RichText::new("Time").color(dim));
        let mut time = now;
        let how = Quantity { unit: "s", range: 0.0..=1e6, hint: "The time that is looked at" };
        if time_entry(ui, "Time looked at", &mut time, &how) {
            go_to(look, time);
        }
        if let Some((row, index)) = chosen
            && let Some(&mark) = row.marks(&scene).get(index)
        {
            ui.separator();
            let (name, what) = row.words(&scene);
            let label = if row.has_keys() { format!("{name}, key {} at", index + 1) } else { format!("{name} {what}") };
            ui.label(RichText::new(label).color(dim));
            let (earliest, latest) = row.limits(&scene, index);
            let mut time = mark;
            if time_entry(ui, "Time of the mark", &mut time, &Quantity { unit: "s", range: earliest..=latest, hint: "When it is" }) {
                look.edit("Move keyframe in time", row.moved(&scene, index, time));
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if look.desk.timeline.range.is_some()
                && ui.small_button("All").on_hover_text("See everything (double-click the ruler)").clicked()
            {
                look.desk.timeline.range = None;
            }
        });
    });
}

/// Looks at a time: at its frame where it is recorded.
fn go_to(look: &mut Look<'_>, time: f64) {
    let recorded = look.main.series.iter().last().map_or(0.0, |step| step.time);
    let busy = look.main.activity.is_busy();
    if time <= recorded * (1.0 + 1e-9) && recorded > 0.0 && !busy {
        look.actions.push(Action::Seek(Seek::To(look.main.series.frame_at(time))));
    } else {
        look.desk.playhead = (time > 0.0).then_some(time);
    }
}

fn zoom(ui: &Ui, look: &mut Look<'_>, scale: &Scale, over: Rect) {
    let Some(at) = ui.input(|input| input.pointer.hover_pos()).filter(|at| over.contains(*at) && ui.clip_rect().contains(*at)) else {
        return;
    };
    let (scroll, pinch, shift) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta(), input.modifiers.shift));
    let (start, end) = scale.range;
    let sideways = scroll.x + if shift { scroll.y } else { 0.0 };
    let factor = f64::from((-scroll.y * 0.004).exp() / pinch.max(1e-3));
    if sideways != 0.0 {
        let way = -f64::from(sideways / scale.rect.width().max(1.0)) * (end - start);
        let way = way.max(-start);
        look.desk.timeline.range = Some((start + way, end + way));
    } else if factor != 1.0 && !shift {
        let about = scale.time(at.x);
        let range = ((about + factor * (start - about)).max(0.0), about + factor * (end - about));
        if (1e-3..1e6).contains(&(range.1 - range.0)) {
            look.desk.timeline.range = Some(range);
        }
    }
}

fn ruler(ui: &mut Ui, look: &mut Look<'_>, scale: &Scale, recorded: f64) {
    let colors = meaning(ui);
    let rect = Rect::from_min_size(pos2(scale.rect.left() - 10.0, scale.rect.top()), vec2(scale.rect.width() + 20.0, RULER));
    let response = ui.interact(rect, Id::unique("timeline ruler"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, "Timeline ruler"));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    if recorded > 0.0 {
        let bar = Rect::from_x_y_ranges(scale.x(0.0)..=scale.x(recorded), rect.bottom() - 3.0..=rect.bottom());
        painter.rect_filled(bar, 1.0, colors.accent.gamma_multiply(0.6));
    }
    let ticks = scale.ticks();
    let last = ticks.values.len().saturating_sub(1);
    for (index, (value, label)) in ticks.values.iter().zip(&ticks.labels).enumerate() {
        let x = scale.x(*value);
        painter.vline(x, rect.bottom() - 5.0..=rect.bottom(), Stroke::new(1.0, colors.dim));
        let text = if index == last { format!("{label} s") } else { label.clone() };
        painter.text(pos2(x, rect.top() + 7.0), Align2::CENTER_CENTER, text, FontId::proportional(11.0), colors.dim);
    }
    let response = response.on_hover_text("Look at a time: click or drag; the wheel zooms, with Shift it moves along");
    if response.double_clicked() {
        look.desk.timeline.range = None;
    } else if (response.dragged() || response.clicked())
        && let Some(at) = response.interact_pointer_pos()
    {
        let steps = ui.input(|input| input.modifiers.ctrl);
        go_to(look, scale.rounded(scale.time(at.x), steps));
    }
}

fn row(ui: &mut Ui, look: &mut Look<'_>, scale: &Scale, row: Row, index: usize) {
    let colors = meaning(ui);
    let scene = look.document.scene().clone();
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let names = rect.with_max_x(rect.left() + NAMES);
    let (name, what) = row.words(&scene);
    let selected = look.document.is_selected(row.of());
    let response = ui.interact(names, Id::unique(("timeline row", row)), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, selected, format!("{name} {what}")));
    let [ground, on_ground] = colors.selected;
    if selected {
        ui.painter().rect_filled(names.shrink2(vec2(0.0, 1.0)), 4.0, ground);
    } else if response.hovered() {
        ui.painter().rect_filled(names.shrink2(vec2(0.0, 1.0)), 4.0, ui.visuals().widgets.hovered.weak_bg_fill);
    }
    let text = if selected { on_ground } else { ui.visuals().text_color() };
    let what_line = ui.painter().layout_no_wrap(what.to_owned(), FontId::proportional(11.0), colors.dim);
    let room = NAMES - 24.0 - what_line.size().x;
    let name_line = egui::WidgetText::from(RichText::new(name.as_str()).color(text)).into_galley(
        ui,
        Some(egui::TextWrapMode::Truncate),
        room,
        egui::TextStyle::Body,
    );
    ui.painter().galley(pos2(names.left() + 8.0, names.center().y - 0.5 * name_line.size().y), name_line, text);
    ui.painter().galley(pos2(names.right() - 8.0 - what_line.size().x, names.center().y - 0.5 * what_line.size().y), what_line, colors.dim);
    if response.clicked() && row.of() != Selection::Scene {
        look.actions.push(Action::Select(row.of()));
    }
    let lane = rect.with_min_x(scale.rect.left() - 10.0);
    let painter = ui.painter().with_clip_rect(lane.intersect(ui.clip_rect()));
    if index % 2 == 1 {
        painter.rect_filled(lane, 0.0, ui.visuals().text_color().gamma_multiply(0.03));
    }
    bar(&painter, scale, row, &row.marks(&scene), lane, if selected { colors.accent } else { colors.dim });
    for (index, time) in row.marks(&scene).into_iter().enumerate() {
        mark(ui, look, scale, (row, index), time, lane);
    }
    ui.painter().hline(
        rect.x_range(),
        rect.bottom(),
        Stroke::new(1.0, ui.visuals().widgets.noninteractive.bg_stroke.color.gamma_multiply(0.5)),
    );
}

/// The time during which something goes on.
fn bar(painter: &egui::Painter, scale: &Scale, row: Row, marks: &[f64], lane: Rect, color: Color32) {
    let (Some(&first), Some(&last)) = (marks.first(), marks.last()) else { return };
    let y = lane.center().y;
    let span = |from: f64, to: f64, height: f32, strength: f32| {
        let place = Rect::from_x_y_ranges(scale.x(from)..=scale.x(to).max(scale.x(from)), y - height..=y + height);
        painter.rect_filled(place, 2.0, color.gamma_multiply(strength));
    };
    let end = scale.range.1.max(last);
    match row {
        Row::Motion(_) => span(0.0, last, 1.5, 0.45),
        Row::Entrance(_) | Row::Wind => span(first, end, 4.0, 0.25),
        Row::Removal(_) => span(0.0, first, 4.0, 0.25),
        Row::Ramp(..) => {
            let (foot, top) = (pos2(scale.x(0.0), y + 5.0), pos2(scale.x(first), y - 5.0));
            painter.add(Shape::convex_polygon(vec![foot, top, pos2(top.x, foot.y)], color.gamma_multiply(0.3), Stroke::NONE));
            painter.rect_filled(Rect::from_min_max(top, pos2(scale.x(end), foot.y)), 0.0, color.gamma_multiply(0.3));
        }
    }
}

/// A mark: dragged along, chosen with a click.
fn mark(ui: &mut Ui, look: &mut Look<'_>, scale: &Scale, of: (Row, usize), time: f64, lane: Rect) {
    let (row, index) = of;
    let at = pos2(scale.x(time), lane.center().y);
    let place = Rect::from_center_size(at, vec2(2.0 * MARK + 3.0, 2.0 * MARK + 4.0));
    let response = ui.interact(place.intersect(lane), Id::unique(("timeline mark", of)), Sense::click_and_drag());
    let scene = look.document.scene().clone();
    let (name, what) = row.words(&scene);
    let title = if row.has_keys() { format!("Key {} of {name}", index + 1) } else { format!("{name} {what}") };
    response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, format!("{title} at {} s", significant(time, 6))));
    let colors = meaning(ui);
    let chosen = look.desk.timeline.mark == Some(of);
    let fill = if chosen {
        colors.accent
    } else if response.hovered() || response.dragged() {
        ui.visuals().strong_text_color()
    } else {
        ui.visuals().text_color().gamma_multiply(0.8)
    };
    let painter = ui.painter().with_clip_rect(lane.intersect(ui.clip_rect()));
    if row.has_keys() {
        painter.add(Shape::convex_polygon(diamond(at, MARK), fill, Stroke::new(1.0, ui.visuals().panel_fill)));
    } else {
        painter.rect_filled(Rect::from_center_size(at, vec2(4.0, 14.0)), 2.0, fill);
    }
    if response.drag_started() || response.clicked() {
        look.desk.timeline.mark = Some(of);
        if row.of() != Selection::Scene && !look.document.is_selected(row.of()) {
            look.actions.push(Action::Select(row.of()));
        }
        // Its keyframe is what is looked at, so that its handles are those of the keyframe.
        if row.has_keys() && response.clicked() {
            go_to(look, time);
        }
    }
    if response.dragged()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        let steps = ui.input(|input| input.modifiers.ctrl);
        let to = scale.rounded(scale.time(pointer.x), steps);
        if to != time {
            look.edit("Move keyframe in time", row.moved(&scene, index, to));
        }
        ui.ctx().set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
    }
    response.on_hover_text(format!("{title}: {} s. Drag it; Ctrl goes by steps", significant(time, 6)));
}

fn diamond(at: Pos2, half: f32) -> Vec<Pos2> {
    [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)].map(|(x, y)| pos2(at.x + half * x, at.y + half * y)).to_vec()
}

fn playhead(ui: &Ui, scale: &Scale, time: f64, room: Rect) {
    let x = scale.x(time);
    if !scale.rect.expand(10.0).x_range().contains(x) {
        return;
    }
    let color = ui.visuals().strong_text_color();
    let painter = ui.painter();
    painter.vline(x, room.top() + RULER - 6.0..=room.bottom(), Stroke::new(1.0, color.gamma_multiply(0.8)));
    let top = room.top() + RULER;
    painter.add(Shape::convex_polygon(vec![pos2(x - 5.0, top - 8.0), pos2(x + 5.0, top - 8.0), pos2(x, top)], color, Stroke::NONE));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_places_agree_and_are_rounded_to_what_can_be_told_apart() {
        let scale = Scale { range: (1.0, 3.0), rect: Rect::from_min_size(pos2(100.0, 0.0), vec2(400.0, 20.0)) };
        for time in [1.0, 1.7, 3.0] {
            assert!((scale.time(scale.x(time)) - time).abs() < 1e-6);
        }
        assert_eq!(scale.rounded(1.23456, false), 1.235);
        assert_eq!(scale.rounded(1.23456, true), 1.25);
        assert_eq!(scale.rounded(-0.3, false), 0.0);
    }
}
