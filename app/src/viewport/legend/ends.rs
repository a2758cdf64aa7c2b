//! The ends of a legend: a handle that is dragged, and a number that is typed.

use egui::{Align2, CursorIcon, FontId, Id, Layout, Rect, Role, Sense, Shape, Stroke, TextStyle, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use super::Subject;
use super::rail::Rail;
use crate::theme::{self, meaning};
use crate::viewport::tone::{End, LegendChoice, Tone, held_apart};
use crate::widgets::typed::{Format, entry, refusal};
use crate::widgets::unit::Shown;
use crate::widgets::{Quantity, significant};

/// Height of a number [points].
const LINE: f32 = 22.0;

/// What is remembered while a handle is dragged: its end, and the colours as they were before.
#[derive(Clone, Copy)]
struct Grab {
    end: End,
    before: Tone,
}

fn grab_id(ui: &Ui) -> Id {
    ui.scope_id().with("grabbed end of the legend")
}

/// The axis along the bar: the limits, but while a handle is dragged those before that, so that nothing moves under the mouse.
pub(super) fn axis(ui: &Ui, tone: &Tone) -> Tone {
    let grab = ui.data(|data| data.get_temp::<Grab>(grab_id(ui)));
    grab.map_or(*tone, |grab| grab.before)
}

/// Where the ends lie along the axis.
pub(super) fn shares(tone: &Tone, axis: &Tone) -> [f64; 2] {
    [tone.range.0, tone.range.1].map(|limit| axis.share(limit).clamp(-0.15, 1.15))
}

/// Draws both ends; with a choice they can be changed.
pub(super) fn show(ui: &mut Ui, rail: &Rail, subject: &Subject, choice: Option<&mut LegendChoice>) {
    let shares = shares(&subject.tone, &rail.axis);
    let Some(choice) = choice else {
        for (end, share) in End::BOTH.into_iter().zip(shares) {
            let font = FontId::new(11.0, theme::strong());
            let text = written(end.of(subject.tone.range), subject.shown());
            let (at, align) = beside(rail, share);
            ui.painter().text(at, align, text, font, ui.visuals().strong_text_color());
        }
        return;
    };
    for (end, share) in End::BOTH.into_iter().zip(shares) {
        number(ui, rail, subject, end, share, choice);
        handle(ui, rail, subject, end, share, choice);
    }
}

/// A limit, as it is written.
fn written(limit: f64, shown: Shown<'_>) -> String {
    significant(limit / shown.size, 4)
}

/// Where the number of an end stands.
fn beside(rail: &Rail, share: f64) -> (egui::Pos2, Align2) {
    let at = rail.at(share);
    if rail.upright {
        (pos2(rail.rect.left() - 10.0, at.y), Align2::RIGHT_CENTER)
    } else {
        (pos2(at.x, rail.rect.bottom() + 13.0), Align2::CENTER_CENTER)
    }
}

fn name(end: End) -> &'static str {
    match end {
        End::Low => "Low limit",
        End::High => "High limit",
    }
}

/// The number of an end.
fn number(ui: &mut Ui, rail: &Rail, subject: &Subject, end: End, share: f64, choice: &mut LegendChoice) {
    let (tone, scale, shown) = (subject.tone, subject.kind.scale, subject.shown());
    let before = end.of(tone.range);
    let font = FontId::new(11.0, theme::strong());
    let width = ui.painter().layout_no_wrap(written(before, shown), font.clone(), meaning(ui).dim).size().x + 8.0;
    // What is typed belongs to one field.
    let id = ui.scope_id().with((name(end), subject.kind.name));
    let typing = ui.data(|data| data.get_temp::<Id>(id)).is_some_and(|number| ui.memory(|memory| memory.has_focus(number)));
    let size = vec2(if typing { width.max(64.0) } else { width }, LINE);
    let (at, align) = beside(rail, share);
    let rect = align.anchor_size(if rail.upright { at + vec2(4.0, 0.0) } else { at }, size);
    let mut inside = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(id).layout(Layout::left_to_right(egui::Align::Center)));
    let style = inside.style_mut();
    // Plain words over the picture; a field while one types.
    style.visuals.widgets.inactive.weak_bg_fill = egui::Color32::TRANSPARENT;
    style.visuals.widgets.inactive.fg_stroke.color = style.visuals.strong_text_color();
    style.spacing.button_padding = vec2(4.0, 0.0);
    style.spacing.interact_size = vec2(8.0, LINE);
    style.text_styles.insert(TextStyle::Small, font);
    style.drag_value_text_style = TextStyle::Small;
    let mut value = before;
    let fits = |typed: f64| LegendChoice::refuses(end, typed, scale, &tone).map_or(Ok(typed), Err);
    let hint = "Drag, or click and type; a double-click on the handle gives automatic limits";
    let how = Quantity { unit: subject.kind.unit, range: f64::MIN..=f64::MAX, hint };
    let format = Format { shown, width: size.x, write: |value| significant(value, 4) };
    let speed = if tone.log { 0.02 * before } else { (tone.range.1 - tone.range.0) / 200.0 };
    let response = entry(&mut inside, &mut value, &how, &format, speed, fits).on_hover_text(hint);
    response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name(end)));
    if response.changed() && fits(value).is_ok() {
        choice.set(end, value, scale, &tone);
    }
    ui.data_mut(|data| data.insert_temp(id, response.id));
    // Why something typed was not taken stands where there is room.
    let place = if rail.upright {
        Rect::from_min_size(rect.left_top() - vec2(232.0, 0.0), vec2(224.0, LINE))
    } else {
        Rect::from_min_size(rect.left_top() - vec2(0.0, 40.0), vec2(224.0, LINE))
    };
    let layout = Layout::right_to_left(egui::Align::Center);
    let mut words = ui.new_child(UiBuilder::new().max_rect(place).id_salt((id, "why")).layout(layout));
    refusal(&mut words, response.id, before);
}

/// The handle of an end.
fn handle(ui: &mut Ui, rail: &Rail, subject: &Subject, end: End, share: f64, choice: &mut LegendChoice) {
    let (corners, around) = rail.handle(share);
    let response = ui.interact(around, ui.scope_id().with((name(end), "handle")), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, format!("{} handle", name(end))));
    let strong = ui.visuals().strong_text_color();
    let lit = if response.hovered() || response.dragged() { meaning(ui).accent } else { strong };
    ui.painter().add(Shape::convex_polygon(corners, lit, Stroke::new(1.0, ui.visuals().panel_fill.gamma_multiply(0.8))));
    let key = grab_id(ui);
    if response.drag_started() {
        ui.data_mut(|data| data.insert_temp(key, Grab { end, before: subject.tone }));
    }
    let grab = ui.data(|data| data.get_temp::<Grab>(key)).filter(|grab| grab.end == end);
    if let (Some(grab), Some(cursor)) = (grab, response.interact_pointer_pos().filter(|_| response.dragged())) {
        let share = held_apart(end, rail.share_at(cursor), subject.kind.scale, &grab.before);
        choice.set(end, grab.before.value(share), subject.kind.scale, &grab.before);
    }
    if grab.is_some() && !response.dragged() && !response.drag_started() {
        ui.data_mut(|data| data.remove::<Grab>(key));
    }
    if response.hovered() || response.dragged() {
        ui.ctx().set_cursor_icon(if rail.upright { CursorIcon::ResizeVertical } else { CursorIcon::ResizeHorizontal });
    }
    if response.double_clicked() {
        choice.limits = [None; 2];
    }
    response.on_hover_text(format!("{}: drag it, or click its number and type; double-click for automatic limits", name(end)));
}
