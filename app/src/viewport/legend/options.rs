//! What else can be chosen for a legend: colours, logarithmic or not, automatic limits.

use egui::{Button, Checkbox, ComboBox, Rect, Role, Sense, Ui, WidgetInfo, vec2};

use super::rail::paint;
use super::{Subject, gradient};
use crate::theme::icons;
use crate::viewport::color_map::{MAPS, MapEntry};
use crate::viewport::tone::{LegendChoice, Tone};

const FIT: &str = "Limits as the values are";
const FITTED: &str = "The limits are those of the values";
const LOG: &str = "Equal ratios equally far apart; zeros lie below the low limit";

/// A small button that opens the choices, at the middle of `rect`.
pub(super) fn menu(ui: &mut Ui, rect: Rect, subject: &Subject, choice: &mut LegendChoice) {
    let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt("legend options"));
    inside.spacing_mut().button_padding = vec2(3.0, 1.0);
    inside.spacing_mut().interact_size = rect.size();
    inside.visuals_mut().widgets.inactive.weak_bg_fill = egui::Color32::TRANSPARENT;
    let menu = inside.menu_button(egui::RichText::new(icons::COLOR).size(14.0), |ui| {
        ui.set_width(196.0);
        ui.small("Colour map");
        maps(ui, subject, choice);
        ui.separator();
        log(ui, subject, choice);
        let fit = ui.add_enabled(!choice.is_automatic(), Button::new("Automatic limits"));
        if fit.on_hover_text(FIT).on_disabled_hover_text(FITTED).clicked() {
            choice.limits = [None; 2];
            ui.close();
        }
    });
    menu.response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Legend options"));
    menu.response.on_hover_text("Colours, scale and limits of the legend");
}

/// The same side by side, from the right.
pub(super) fn row(ui: &mut Ui, subject: &Subject, choice: &mut LegendChoice) {
    let reason = subject.extent.refuses_log();
    let button = ui.add_enabled(reason.is_none(), Button::new("Log").selected(subject.tone.log).min_size(vec2(0.0, 24.0)));
    button.widget_info(|| WidgetInfo::selected(Role::Button, reason.is_none(), subject.tone.log, "Logarithmic scale"));
    if button.on_hover_text(LOG).on_disabled_hover_text(reason.unwrap_or_default()).clicked() {
        choice.log = !subject.tone.log;
    }
    let fit = ui.add_enabled(!choice.is_automatic(), Button::new("Fit").min_size(vec2(0.0, 24.0)));
    fit.widget_info(|| WidgetInfo::labeled(Role::Button, !choice.is_automatic(), "Automatic limits"));
    if fit.on_hover_text(FIT).on_disabled_hover_text(FITTED).clicked() {
        choice.limits = [None; 2];
    }
    let name = subject.tone.map.entry().name;
    let combo = ComboBox::from_id_salt("colour map").width(112.0).selected_text(format!("{}  {name}", icons::COLOR));
    let response = combo.show_ui(ui, |ui| maps(ui, subject, choice)).response;
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, format!("Colour map: {name}")));
}

/// Every colour map: first those that fit the quantity.
fn maps(ui: &mut Ui, subject: &Subject, choice: &mut LegendChoice) {
    let own = crate::viewport::ColorMap::of(subject.kind.scale);
    let fitting = |entry: &&MapEntry| entry.diverging == own.is_diverging();
    for entry in MAPS.iter().filter(fitting).chain(MAPS.iter().filter(|entry| !fitting(entry))) {
        ui.horizontal(|ui| {
            let (swatch, _) = ui.allocate_exact_size(vec2(48.0, 12.0), Sense::hover());
            let tone = Tone { range: (0.0, 1.0), map: entry.map, log: false };
            let [from, to] = [[swatch.left_bottom(), swatch.left_top()], [swatch.right_bottom(), swatch.right_top()]];
            ui.painter().add(gradient(from, to, 24, |share| paint(&tone, share)));
            let row = ui.selectable_label(subject.tone.map == entry.map, entry.name).on_hover_text(entry.doc);
            if row.clicked() {
                choice.map = (entry.map != own).then_some(entry.map);
                ui.close();
            }
        });
    }
}

fn log(ui: &mut Ui, subject: &Subject, choice: &mut LegendChoice) {
    let reason = subject.extent.refuses_log();
    let mut on = subject.tone.log;
    let check = ui.add_enabled(reason.is_none(), Checkbox::new(&mut on, "Logarithmic scale"));
    if check.on_hover_text(LOG).on_disabled_hover_text(reason.unwrap_or_default()).changed() {
        choice.log = on;
    }
}
