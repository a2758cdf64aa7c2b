//! One property a line: label left, value right, unit dimmed behind it.

use std::ops::RangeInclusive;

use egui::{Align, Button, Color32, ComboBox, Label, Layout, Response, RichText, Role, Slider, TextEdit, TextStyle, Ui, WidgetInfo, vec2};

use super::number::compact;
use super::significant;
use super::typed::{Format, number, refusal, whole_number};
use super::unit::Shown;
use crate::theme::meaning;

/// Width of the column of units.
const UNIT_WIDTH: f32 = 40.0;
/// Width of a number that is edited.
const VALUE_WIDTH: f32 = 92.0;
/// Width that an entry has at least, beside a long label, and what a choice takes around its text.
const LEAST_WIDTH: f32 = 48.0;
const AROUND_CHOICE: f32 = 36.0;
/// Width of one of three numbers, and of one of two.
const ONE_OF_THREE: f32 = 50.0;
const ONE_OF_TWO: f32 = 60.0;
/// Width of one of three numbers beside buttons.
const ONE_OF_DIRECTION: f32 = 44.0;
/// Width of the unit behind several numbers.
const UNIT_OF_MANY: f32 = 32.0;
/// Names of the coordinates.
const AXES: [&str; 3] = ["x", "y", "z"];

/// How a number is edited.
#[derive(Debug, Clone)]
pub struct Quantity<'a> {
    /// Unit; empty for none.
    pub unit: &'a str,
    /// Allowed values.
    pub range: RangeInclusive<f64>,
    /// What it is, in a sentence, with the symbol of the literature.
    pub hint: &'a str,
}

/// A line with `label` at the left, and what `contents` adds from the right.
pub fn row<R>(ui: &mut Ui, label: &str, contents: impl FnOnce(&mut Ui, &Response) -> R) -> R {
    ui.horizontal(|ui| {
        ui.set_min_height(24.0);
        let label = ui.label(label);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| contents(ui, &label)).inner
    })
    .inner
}

/// A number that is edited by dragging or typing, with a unit if one likes; true if it changed. What does not fit is refused in words.
pub fn value_row(ui: &mut Ui, label: &str, value: &mut f64, how: &Quantity<'_>) -> bool {
    let shown = Shown::of(*value, how.unit);
    let response = row(ui, label, |ui, named| {
        unit_label(ui, shown.name, UNIT_WIDTH);
        let format = Format { shown, width: beside(ui, VALUE_WIDTH), write: |value| significant(value, 6) };
        number(ui, value, how, &format).labelled_by(named.id).on_hover_text(how.hint)
    });
    refusal(ui, response.id, *value);
    response.changed()
}

/// A number along a rail, and the same to be typed; true if it changed. `shown`: the unit beside it.
pub fn slider_row(ui: &mut Ui, label: &str, value: &mut f64, how: &Quantity<'_>, shown: Shown<'_>, logarithmic: bool) -> bool {
    let (response, slid) = row(ui, label, |ui, named| {
        unit_label(ui, shown.name, UNIT_OF_MANY);
        let format = Format { shown, width: ONE_OF_THREE, write: |value| significant(value, 2) };
        let response = number(ui, value, how, &format);
        response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, format!("{label} in numbers")));
        ui.spacing_mut().slider_width = 96.0;
        let slider = Slider::new(value, how.range.clone()).show_value(false).logarithmic(logarithmic);
        let slid = ui.add(slider).labelled_by(named.id).on_hover_text(how.hint).changed();
        (response, slid)
    });
    refusal(ui, response.id, *value);
    response.changed() || slid
}

/// A fact: what it is at the left, its value at the right, in a colour that tells how it stands.
pub fn fact_row(ui: &mut Ui, label: &str, value: &str, tone: Option<Color32>, hint: &str) {
    ui.horizontal(|ui| {
        // Both are words: a long one is not to be cut for a gap.
        ui.spacing_mut().item_spacing.x = 2.0;
        let dim = meaning(ui).dim;
        ui.label(RichText::new(label).color(dim)).on_hover_text(hint);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let text = RichText::new(value);
            ui.add(Label::new(tone.map_or(text.clone(), |tone| text.color(tone))).truncate()).on_hover_text(hint);
        });
    });
}

/// A number among other controls of a line, with its unit behind it; true if it changed.
pub fn time_entry(ui: &mut Ui, name: &str, value: &mut f64, how: &Quantity<'_>) -> bool {
    let format = Format { shown: Shown { name: how.unit, size: 1.0 }, width: 64.0, write: |value| significant(value, 6) };
    let response = number(ui, value, how, &format).on_hover_text(how.hint);
    response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name));
    let dim = meaning(ui).dim;
    ui.label(RichText::new(how.unit).color(dim));
    response.changed()
}

/// Three numbers in one line, in one unit; true if one changed.
pub fn vector_row(ui: &mut Ui, label: &str, values: &mut [f64; 3], how: &Quantity<'_>) -> bool {
    several(ui, label, values, AXES, how, ONE_OF_THREE, |_| {})
}

/// A direction, with a button for each axis: pressed again, it points the other way. True if it changed.
pub fn direction_row(ui: &mut Ui, label: &str, values: &mut [f64; 3], hint: &str) -> bool {
    let mut turned = None;
    let now = *values;
    let buttons = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (axis, name) in AXES.into_iter().enumerate().rev() {
            let button = Button::new(RichText::new(name).small()).min_size(vec2(15.0, 22.0));
            let response = ui.scope(|ui| {
                ui.spacing_mut().button_padding.x = 3.0;
                ui.add(button).on_hover_text(format!("Along {name}; pressed again, the other way"))
            });
            response.inner.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{label} along {name}")));
            if response.inner.clicked() {
                let mut along = [0.0; 3];
                along[axis] = 1.0;
                turned = Some(if now == along { along.map(|x| 0.0 - x) } else { along });
            }
        }
        ui.add_space(2.0);
    };
    let how = Quantity { unit: "", range: -1e6..=1e6, hint };
    let typed = several(ui, label, values, AXES, &how, ONE_OF_DIRECTION, buttons);
    *values = turned.unwrap_or(*values);
    typed || turned.is_some()
}

/// Numbers side by side, each named after `label` and its own name, with what `before` adds at the far right. True if one changed.
fn several<const N: usize>(
    ui: &mut Ui,
    label: &str,
    values: &mut [f64; N],
    names: [&str; N],
    how: &Quantity<'_>,
    width: f32,
    before: impl FnOnce(&mut Ui),
) -> bool {
    let largest = values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let shown = Shown::of(largest, how.unit);
    let drawn = row(ui, label, |ui, _| {
        ui.spacing_mut().item_spacing.x = 3.0;
        ui.spacing_mut().button_padding.x = 3.0;
        before(ui);
        if !how.unit.is_empty() {
            unit_label(ui, shown.name, UNIT_OF_MANY);
        }
        let mut drawn = Vec::with_capacity(N);
        for (value, name) in values.iter_mut().zip(names).rev() {
            let format = Format { shown, width, write: |value| compact(value, 6) };
            let response = number(ui, value, how, &format);
            let response = response.on_hover_text(format!("{name} = {} {}: {}", significant(*value, 9), how.unit, how.hint));
            response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, format!("{label} {name}")));
            drawn.push((response.id, *value, response.changed()));
        }
        drawn
    });
    drawn.iter().for_each(|(id, value, _)| refusal(ui, *id, *value));
    drawn.iter().any(|(.., changed)| *changed)
}

/// Two numbers in one line; true if one changed.
pub fn pair_row(ui: &mut Ui, label: &str, values: &mut [f64; 2], names: [&str; 2], how: &Quantity<'_>) -> bool {
    several(ui, label, values, names, how, ONE_OF_TWO, |_| {})
}

/// A whole number; true if it changed.
pub fn count_row(ui: &mut Ui, label: &str, value: &mut u32, range: RangeInclusive<u32>, hint: &str) -> bool {
    let how = Quantity { unit: "", range: f64::from(*range.start())..=f64::from(*range.end()), hint };
    let mut number_of = f64::from(*value);
    let response = row(ui, label, |ui, named| {
        unit_label(ui, "", UNIT_WIDTH);
        let format = Format { shown: Shown::of(0.0, ""), width: beside(ui, VALUE_WIDTH), write: |value| format!("{value:.0}") };
        whole_number(ui, &mut number_of, &how, &format).labelled_by(named.id).on_hover_text(hint)
    });
    refusal(ui, response.id, number_of);
    let changed = response.changed() && number_of.round() as u32 != *value;
    *value = number_of.round() as u32;
    changed
}

/// A name that is typed; true if it changed.
pub fn name_row(ui: &mut Ui, label: &str, name: &mut String) -> bool {
    row(ui, label, |ui, named| ui.add(TextEdit::singleline(name).desired_width(150.0)).labelled_by(named.id).changed())
}

/// A path as what is read, cut from the left where there is no room: its name is what tells it apart.
pub fn path_label(ui: &mut Ui, path: &str, hint: &str) {
    let dim = meaning(ui).dim;
    let font = TextStyle::Body.resolve(ui.style());
    let fits = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), font.clone(), dim).size().x <= ui.available_width();
    let starts = path.char_indices().map(|(at, _)| at);
    let cut = |at: usize| if at == 0 { path.to_owned() } else { format!("…{}", &path[at..]) };
    let text = starts.map(cut).find(|text| fits(text)).unwrap_or_default();
    ui.label(RichText::new(text).color(dim)).on_hover_text(if hint.is_empty() { path.to_owned() } else { format!("{path}\n{hint}") });
}

/// Controls that belong together, under a name for those who cannot see it.
pub fn group<R>(ui: &mut Ui, name: &str, contents: impl FnOnce(&mut Ui) -> R) -> R {
    ui.push_id(name, |ui| {
        ui.response().widget_info(|| WidgetInfo::labeled(Role::Group, true, name));
        contents(ui)
    })
    .inner
}

/// A choice from a list of (value, label, hint); true if it changed.
pub fn choice_row<T: PartialEq + Clone>(ui: &mut Ui, label: &str, value: &mut T, choices: &[(T, &str, &str)]) -> bool {
    choice_row_but(ui, label, value, choices, |_| None)
}

/// The same, where what there is a reason against cannot be chosen, and says so.
pub fn choice_row_but<T: PartialEq + Clone>(
    ui: &mut Ui,
    label: &str,
    value: &mut T,
    choices: &[(T, &str, &str)],
    why_not: impl Fn(&T) -> Option<String>,
) -> bool {
    row(ui, label, |ui, named| {
        let now = choices.iter().find(|choice| choice.0 == *value).map_or("?", |choice| choice.1);
        let mut changed = false;
        // As wide as what is chosen, where the label leaves room for that.
        let font = TextStyle::Button.resolve(ui.style());
        let text = ui.painter().layout_no_wrap(now.to_owned(), font, Color32::PLACEHOLDER).size().x;
        let width = beside(ui, (text + AROUND_CHOICE).max(VALUE_WIDTH + UNIT_WIDTH));
        let combo = ComboBox::from_id_salt(label).width(width).truncate().selected_text(now);
        let response = combo.show_ui(ui, |ui| {
            for (choice, text, hint) in choices {
                let refused = why_not(choice);
                let shown = ui.add_enabled_ui(refused.is_none(), |ui| ui.selectable_value(value, choice.clone(), *text)).inner;
                changed |= shown.on_hover_text(*hint).on_disabled_hover_text(refused.unwrap_or_default()).changed();
            }
        });
        response.response.labelled_by(named.id);
        changed
    })
}

/// A width that leaves the label at the other end of the row as it is, as far as there is room.
fn beside(ui: &Ui, width: f32) -> f32 {
    width.min(ui.available_width()).max(LEAST_WIDTH)
}

fn unit_label(ui: &mut Ui, unit: &str, width: f32) {
    let dim = meaning(ui).dim;
    ui.allocate_ui_with_layout(vec2(width, 22.0), Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(width);
        ui.label(RichText::new(unit).color(dim).small());
    });
}
