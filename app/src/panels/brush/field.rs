//! The stiffness field: how strongly it is painted, to what, and what its colours say.

use aplomb_sim::scene::Body;
use egui::{Align2, Color32, FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::document::field_limit;
use crate::panels::Look;
use crate::theme::meaning;
use crate::viewport::ColorMap;
use crate::viewport::legend::gradient;
use crate::widgets::unit::Shown;
use crate::widgets::{Quantity, significant, slider_row};

/// Height of the bar of colours, and of the line of numbers under it [points].
const BAR: f32 = 10.0;
const NUMBERS: f32 = 16.0;

/// Draws the numbers, and the legend.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, body: usize) {
    let how = Quantity {
        unit: "%",
        range: 0.0..=1.0,
        hint: "How far one stroke goes, in its middle; Shift+F and a motion of the mouse change it",
    };
    let mut strength = f64::from(look.desk.brush.strength);
    if slider_row(ui, "Strength", &mut strength, &how, Shown { name: "%", size: 0.01 }, false) {
        look.desk.brush.strength = strength as f32;
    }
    let how =
        Quantity { unit: "×", range: 0.01..=100.0, hint: "How many times as stiff as its material the body becomes where it is painted" };
    slider_row(ui, "Factor", &mut look.desk.brush.factor, &how, Shown { name: "×", size: 1.0 }, true);
    let scene = look.document.scene();
    let most = field_limit(scene, body, look.desk.brush.factor);
    let spread = scene.bodies.get(body).map(summary).unwrap_or_default();
    legend(ui, most, &spread);
}

/// Least and largest factor of a body's field; empty where it has none.
pub fn summary(body: &Body) -> String {
    let Some(field) = &body.stiffness_field else { return String::new() };
    let (low, high) = field.factors.iter().fold((1.0_f64, 1.0_f64), |(low, high), &factor| (low.min(factor), high.max(factor)));
    format!("{} to {} ×", significant(low, 3), significant(high, 3))
}

fn legend(ui: &mut Ui, most: f64, spread: &str) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), BAR + NUMBERS), Sense::hover());
    let bar = Rect::from_min_size(rect.min, vec2(rect.width(), BAR));
    let paint = |share: f64| {
        let [r, g, b] = ColorMap::Stiffness.color(share);
        Color32::from_rgb(r, g, b)
    };
    ui.painter().add(gradient([bar.left_bottom(), bar.left_top()], [bar.right_bottom(), bar.right_top()], 48, paint));
    let (strong, dim) = (ui.visuals().strong_text_color(), meaning(ui).dim);
    let below = bar.bottom() + 0.5 * NUMBERS;
    let ends = [
        (rect.left(), Align2::LEFT_CENTER, format!("{} ×", significant(1.0 / most, 2)), strong),
        (rect.center().x, Align2::CENTER_CENTER, "1".to_owned(), dim),
        (rect.right(), Align2::RIGHT_CENTER, format!("{} ×", significant(most, 2)), strong),
    ];
    for (x, align, text, tone) in ends {
        ui.painter().text(pos2(x, below), align, text, FontId::proportional(11.0), tone);
    }
    let told = if spread.is_empty() { "nothing is painted".to_owned() } else { spread.to_owned() };
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Stiffness: {told}")));
    response.on_hover_text(format!("Times the stiffness of the material, evenly by ratios; painted: {told}"));
}
