//! One property a line: label left, value right, unit dimmed behind it.

use std::ops::RangeInclusive;

use egui::{Align, Button, Color32, ComboBox, DragValue, Label, Layout, Response, RichText, Role, TextEdit, Ui, WidgetInfo, vec2};

use super::significant;
use crate::theme::meaning;

/// Width of the column of units.
const UNIT_WIDTH: f32 = 40.0;
/// Width of a number that is edited.
const VALUE_WIDTH: f32 = 92.0;
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

/// A number that is edited by dragging or typing; true if it changed.
pub fn value_row(ui: &mut Ui, label: &str, value: &mut f64, how: &Quantity<'_>) -> bool {
    row(ui, label, |ui, named| {
        unit_label(ui, how.unit);
        // A hundredth of the value a point: numbers over many decades are dragged with the same feeling.
        let relative = value.abs() * 0.01;
        let least = (how.range.end() - how.range.start()).min(1.0) * 1e-3;
        let speed = if *how.range.start() >= 0.0 && relative > 0.0 { relative } else { relative.max(least) };
        let drag = DragValue::new(value).range(how.range.clone()).speed(speed).custom_formatter(|number, _| significant(number, 6));
        ui.add_sized(vec2(VALUE_WIDTH, 22.0), drag).labelled_by(named.id).on_hover_text(how.hint).changed()
    })
}

/// A fact: what it is at the left, its value at the right, in a colour that tells how it stands.
pub fn fact_row(ui: &mut Ui, label: &str, value: &str, tone: Option<Color32>, hint: &str) {
    ui.horizontal(|ui| {
        let dim = meaning(ui).dim;
        ui.label(RichText::new(label).color(dim)).on_hover_text(hint);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let text = RichText::new(value);
            ui.add(Label::new(tone.map_or(text.clone(), |tone| text.color(tone))).truncate()).on_hover_text(hint);
        });
    });
}

/// Three numbers in one line; true if one changed.
pub fn vector_row(ui: &mut Ui, label: &str, values: &mut [f64; 3], how: &Quantity<'_>) -> bool {
    row(ui, label, |ui, _| {
        unit_label(ui, how.unit);
        numbers(ui, label, values.iter_mut().zip(AXES).rev(), how, 48.0)
    })
}

/// A direction, with a button for each axis: pressed again, it points the other way. True if it changed.
pub fn direction_row(ui: &mut Ui, label: &str, values: &mut [f64; 3], hint: &str) -> bool {
    row(ui, label, |ui, _| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let mut changed = false;
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
                *values = if *values == along { along.map(|x| 0.0 - x) } else { along };
                changed = true;
            }
        }
        ui.add_space(2.0);
        let how = Quantity { unit: "", range: -1e6..=1e6, hint };
        numbers(ui, label, values.iter_mut().zip(AXES).rev(), &how, 44.0) | changed
    })
}

/// Numbers side by side from the right, each named after `label` and its own name.
fn numbers<'a>(
    ui: &mut Ui,
    label: &str,
    values: impl Iterator<Item = (&'a mut f64, &'static str)>,
    how: &Quantity<'_>,
    width: f32,
) -> bool {
    ui.spacing_mut().item_spacing.x = 4.0;
    let mut changed = false;
    for (value, name) in values {
        let speed = (value.abs() * 0.01).max(1e-3);
        let drag = DragValue::new(value).range(how.range.clone()).speed(speed).custom_formatter(|number, _| significant(number, 4));
        let response = ui.add_sized(vec2(width, 22.0), drag).on_hover_text(format!("{name}: {}", how.hint));
        response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, format!("{label} {name}")));
        changed |= response.changed();
    }
    changed
}

/// Two numbers in one line; true if one changed.
pub fn pair_row(ui: &mut Ui, label: &str, values: &mut [f64; 2], names: [&'static str; 2], how: &Quantity<'_>) -> bool {
    row(ui, label, |ui, _| {
        unit_label(ui, how.unit);
        numbers(ui, label, values.iter_mut().zip(names).rev(), how, 60.0)
    })
}

/// A whole number; true if it changed.
pub fn count_row(ui: &mut Ui, label: &str, value: &mut u32, range: RangeInclusive<u32>, hint: &str) -> bool {
    row(ui, label, |ui, named| {
        unit_label(ui, "");
        let drag = DragValue::new(value).range(range).speed(0.1);
        ui.add_sized(vec2(VALUE_WIDTH, 22.0), drag).labelled_by(named.id).on_hover_text(hint).changed()
    })
}

/// A name that is typed; true if it changed.
pub fn name_row(ui: &mut Ui, label: &str, name: &mut String) -> bool {
    row(ui, label, |ui, named| ui.add(TextEdit::singleline(name).desired_width(150.0)).labelled_by(named.id).changed())
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
    row(ui, label, |ui, named| {
        let now = choices.iter().find(|choice| choice.0 == *value).map_or("?", |choice| choice.1);
        let mut changed = false;
        let combo = ComboBox::from_id_salt(label).width(VALUE_WIDTH + UNIT_WIDTH).selected_text(now);
        let response = combo.show_ui(ui, |ui| {
            for (choice, text, hint) in choices {
                changed |= ui.selectable_value(value, choice.clone(), *text).on_hover_text(*hint).changed();
            }
        });
        response.response.labelled_by(named.id);
        changed
    })
}

fn unit_label(ui: &mut Ui, unit: &str) {
    let dim = meaning(ui).dim;
    ui.allocate_ui_with_layout(vec2(UNIT_WIDTH, 22.0), Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(UNIT_WIDTH);
        ui.label(RichText::new(unit).color(dim).small());
    });
}
