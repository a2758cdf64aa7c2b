//! How far a handle was taken, in words beside the mouse.

use std::f64::consts::PI;

use egui::{Align2, Color32, FontId, Pos2, Rect, Ui, pos2, vec2};

use super::{Amount, Held, Part};
use crate::theme::meaning;
use crate::widgets::unit::Shown;
use crate::widgets::{quantity, significant};

const AXES: [&str; 3] = ["x", "y", "z"];

/// Draws it: the amount, with what is typed, and below it what the keys do.
pub fn show(ui: &Ui, rect: Rect, cursor: Pos2, held: &Held) {
    let colors = meaning(ui);
    let strong = ui.visuals().strong_text_color();
    let painter = ui.painter().with_clip_rect(rect);
    let first = painter.layout_no_wrap(words(held), FontId::proportional(13.0), strong);
    let second = painter.layout_no_wrap(hint(held), FontId::proportional(11.0), colors.dim);
    let size = vec2(first.size().x.max(second.size().x) + 20.0, first.size().y + second.size().y + 14.0);
    let mut place = Rect::from_min_size(cursor + vec2(20.0, 20.0), size);
    if place.right() > rect.right() {
        place = Align2::RIGHT_TOP.anchor_size(pos2(rect.right().min(cursor.x - 12.0), place.top()), size);
    }
    if place.bottom() > rect.bottom() {
        place = place.translate(vec2(0.0, cursor.y - 12.0 - place.bottom()));
    }
    painter.rect_filled(place, 6.0, colors.card.gamma_multiply(0.95));
    let at = place.min + vec2(10.0, 6.0);
    let below = at + vec2(0.0, first.size().y + 2.0);
    painter.galley(at, first, Color32::PLACEHOLDER);
    painter.galley(below, second, Color32::PLACEHOLDER);
}

/// The amount in words, or what is typed of it.
pub fn words(held: &Held) -> String {
    let part = held.part();
    let typed = &held.typed;
    let axis = if let Part::Axis(k) = part { AXES[k] } else { "" };
    if !typed.text.is_empty() {
        let unit = match held.amount {
            Amount::Along(_) if typed.text.ends_with(|c: char| c.is_ascii_digit() || c == '.') => " m",
            Amount::About(_) if typed.text.ends_with(|c: char| c.is_ascii_digit() || c == '.') => "°",
            _ => "",
        };
        return format!("{axis} {}|{unit}", typed.text).trim_start().to_owned();
    }
    match held.amount {
        Amount::Along(by) => {
            let largest = by.iter().fold(0.0, |largest: f64, by| largest.max(by.abs()));
            let shown = Shown::of(if largest > 0.0 { largest } else { held.handles.step }, "m");
            let parts = (0..3).filter(|&axis| part.has(axis)).map(|axis| format!("{} {}", AXES[axis], rounded(by[axis] / shown.size)));
            format!("{} {}", parts.collect::<Vec<_>>().join("   "), shown.name)
        }
        Amount::About(angle) => format!("{axis} {}°", rounded(angle * 180.0 / PI)).trim_start().to_owned(),
        Amount::Times(by) => {
            let factor = (0..3).find(|&axis| part.has(axis)).map_or(1.0, |axis| by[axis]);
            let across =
                if let Part::Plane(k) = part { (0..3).filter(|&axis| axis != k).map(|axis| AXES[axis]).collect() } else { axis.to_owned() };
            format!("{across} × {}", significant(factor, 4)).trim_start().to_owned()
        }
    }
}

/// Four digits, and no minus before nothing.
fn rounded(value: f64) -> String {
    let text = significant(value, 4);
    if text == "-0" { "0".to_owned() } else { text }
}

fn hint(held: &Held) -> String {
    let steps = |fine: bool| match held.amount {
        Amount::Along(_) => quantity(held.handles.step * if fine { 0.1 } else { 1.0 }, "m"),
        Amount::About(_) => if fine { "1°" } else { "15°" }.to_owned(),
        Amount::Times(_) => if fine { "0.01" } else { "0.1" }.to_owned(),
    };
    match held.stepped {
        Some(fine) => format!("in steps of {}", steps(fine)),
        None => format!("Ctrl steps of {}, Shift fine, x y z and numbers, Esc", steps(false)),
    }
}
