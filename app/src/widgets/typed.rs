//! A number that is dragged, or typed with a unit; what does not fit is refused, and said why.

use std::cell::RefCell;

use egui::{DragValue, Id, Key, Response, RichText, Stroke, StrokeKind, Ui, vec2};

use super::Quantity;
use super::unit::{Shown, parse};
use crate::theme::meaning;

/// How a number is written.
pub struct Format<'a> {
    /// The unit beside it.
    pub shown: Shown<'a>,
    /// Its width [points].
    pub width: f32,
    /// Its digits, in that unit.
    pub write: fn(f64) -> String,
}

/// Why the last entry was not taken, and the value that stayed.
#[derive(Debug, Clone)]
struct Refusal {
    why: String,
    value: f64,
}

/// Draws the number; it changes when it is dragged, or when what was typed is done and fits.
pub fn number(ui: &mut Ui, value: &mut f64, how: &Quantity<'_>, format: &Format<'_>) -> Response {
    // A hundredth of the value a point: numbers over many decades are dragged with the same feeling.
    let relative = value.abs() * 0.01;
    let least = (how.range.end() - how.range.start()).min(1.0) * 1e-3;
    let speed = if *how.range.start() >= 0.0 && relative > 0.0 { relative } else { relative.max(least) };
    entry(ui, value, how, format, speed, Ok)
}

/// The same for a whole number.
pub fn whole_number(ui: &mut Ui, value: &mut f64, how: &Quantity<'_>, format: &Format<'_>) -> Response {
    let whole = |typed: f64| if typed.fract() == 0.0 { Ok(typed) } else { Err("this is a whole number".to_owned()) };
    entry(ui, value, how, format, 0.1, whole)
}

/// The same, `speed` a point, where it also `fits` by other rules.
pub fn entry(
    ui: &mut Ui,
    value: &mut f64,
    how: &Quantity<'_>,
    format: &Format<'_>,
    speed: f64,
    fits: impl Fn(f64) -> Result<f64, String>,
) -> Response {
    let Format { shown, width, write } = *format;
    let before = *value;
    // The text is taken once, when it is left, and in the unit that stood beside it: later frames may show another one.
    let key = ui.next_auto_id().with("typed into");
    let escaped = ui.input(|input| input.key_pressed(Key::Escape));
    let is_left = ui.data(|data| data.get_temp(key)).unwrap_or(false) && !escaped;
    let within = |typed: f64| {
        if how.range.contains(&typed) {
            return Ok(typed);
        }
        let [low, high] = [how.range.start(), how.range.end()].map(|end| super::significant(end / shown.size, 4));
        Err(format!("it lies from {low} to {high} {}", shown.name).trim_end().to_owned())
    };
    let refused = RefCell::new(None);
    let read = |text: &str| {
        // What was only looked at keeps all its digits.
        if !is_left || text == write(before / shown.size) {
            return Some(before);
        }
        match parse(text, how.unit, shown).and_then(&fits).and_then(within) {
            Ok(typed) => Some(typed),
            Err(why) => {
                refused.replace(Some(why));
                None
            }
        }
    };
    let drag = DragValue::new(value)
        .range(how.range.clone())
        // A scene may say more than a slider would; it is not edited by being looked at.
        .clamp_existing_to_range(false)
        .speed(speed)
        .clip_text(true)
        .update_while_editing(false)
        .custom_formatter(move |number, _| write(number / shown.size))
        .custom_parser(read);
    let response = ui.add_sized(vec2(width, 22.0), drag);
    let has_focus = response.has_focus();
    ui.data_mut(|data| data.insert_temp(key, has_focus));
    if response.changed() {
        *value = value.clamp(*how.range.start(), *how.range.end());
    }
    let id = response.id;
    if let Some(why) = refused.into_inner() {
        ui.data_mut(|data| data.insert_temp(id, Refusal { why, value: before }));
    } else if response.changed() || response.gained_focus() || response.dragged() {
        ui.data_mut(|data| data.remove::<Refusal>(id));
    }
    if refused_at(ui, id, *value).is_some() {
        ui.painter().rect_stroke(response.rect, 4.0, Stroke::new(1.0, meaning(ui).error), StrokeKind::Inside);
    }
    response
}

fn refused_at(ui: &Ui, id: Id, value: f64) -> Option<String> {
    let refusal = ui.data(|data| data.get_temp::<Refusal>(id))?;
    (refusal.value.to_bits() == value.to_bits()).then_some(refusal.why)
}

/// Why the last entry into the number `id`, which is `value` still, was not taken, if it was not.
pub fn refusal(ui: &mut Ui, id: Id, value: f64) {
    if let Some(why) = refused_at(ui, id, value) {
        let error = meaning(ui).error;
        ui.label(RichText::new(why).color(error).small());
    }
}
