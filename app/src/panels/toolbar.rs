//! The menus and the tool bar.

use egui::{Align, ComboBox, Layout, RichText, Ui, vec2};

use super::Look;
use super::desk::PLAIN;
use super::{ColorBy, Touch};
use crate::document::command::{COMMANDS, MENUS};
use crate::document::{Action, Selection};
use crate::theme::{icons, meaning};
use crate::viewport::painter::legend;
use crate::widgets::unit::Shown;
use crate::widgets::{Quantity, icon_button, slider_row};

/// Draws the menus, with the scene's name beside them.
pub fn menus(ui: &mut Ui, look: &mut Look<'_>, recent: &[std::path::PathBuf]) {
    egui::MenuBar::new().ui(ui, |ui| {
        for menu in MENUS {
            ui.menu_button(*menu, |ui| {
                ui.set_min_width(220.0);
                for command in COMMANDS.iter().filter(|command| command.menu == *menu) {
                    if ui.add(egui::Button::new(command.label).shortcut_text(command.keys())).clicked() {
                        look.actions.push((command.action)());
                    }
                }
                if *menu == "File" && !recent.is_empty() {
                    ui.separator();
                    recent_files(ui, look, recent);
                }
            });
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let dark = ui.visuals().dark_mode;
            let (icon, hint) = if dark { (icons::SUN, "Light theme") } else { (icons::MOON, "Dark theme") };
            if icon_button(ui, true, false, icon, "Theme", hint).clicked() {
                look.actions.push(Action::ToggleTheme);
            }
            title(ui, look);
        });
    });
}

/// Draws the tools, the stages in the middle, and what is shown of the bodies.
pub fn toolbar(ui: &mut Ui, look: &mut Look<'_>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let painting = look.desk.brush.on;
        let region = matches!(look.document.selection, Selection::Region(..));
        let hint = if region { "Paint the selected region (B)" } else { "Select a region in the outliner first, or make one" };
        let brush = icon_button(ui, region, painting, icons::BRUSH, "Brush", hint).on_disabled_hover_text(hint);
        if brush.clicked() {
            look.actions.push(Action::ToggleBrush);
        }
        let probing = look.desk.touch == Touch::Probe && !painting;
        let hint = "Click on a body to put a probe there; with Ctrl, on an element (P). Alt and a click shows the numbers of a place";
        let usable = look.main.snapshot.is_some();
        if icon_button(ui, usable, probing, icons::PROBE, "Probe", hint).on_disabled_hover_text("There is no body to probe").clicked() {
            look.actions.push(Action::ToggleProbe);
        }
        let pulling = look.desk.touch == Touch::Hand && !painting;
        let hint = "Pull at a body with the left button while it runs; beside it, a drag orbits (H)";
        if icon_button(ui, usable, pulling, icons::HAND, "Hand", hint).on_disabled_hover_text("There is no body to pull at").clicked() {
            look.actions.push(Action::ToggleHand);
        }
        let sliced = look.desk.slice.on;
        let hint = "Cut the bodies by a plane, and look inside (K)";
        if icon_button(ui, usable, sliced, icons::SLICE, "Slice", hint).on_disabled_hover_text("There is no body to cut").clicked() {
            look.actions.push(Action::ToggleSlice);
        }
        ui.separator();
        let history = &look.document.history;
        let steps = [
            (icons::UNDO, "Undo", "Ctrl+Z", history.undo_label(), Action::Undo),
            (icons::REDO, "Redo", "Ctrl+Shift+Z", history.redo_label(), Action::Redo),
        ];
        for (icon, text, keys, label, action) in steps {
            let hint = label.map_or_else(|| text.to_owned(), |label| format!("{text}: {label} ({keys})"));
            if icon_button(ui, label.is_some(), false, icon, text, &hint).clicked() {
                look.actions.push(action);
            }
        }
        ui.separator();
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let compared = look.twin.is_some();
            let button = egui::Button::selectable(compared, format!("{}  A | B", icons::COMPARE)).min_size(vec2(0.0, 24.0));
            let button = ui.add(button);
            button.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, compared, "Compare A | B"));
            if button.on_hover_text("Naive at the left, initialised at the right, on one clock (C)").clicked() {
                look.actions.push(Action::ToggleCompare);
            }
            overlays(ui, look);
            color_choice(ui, look);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| super::stages(ui, look));
        });
    });
}

fn recent_files(ui: &mut Ui, look: &mut Look<'_>, recent: &[std::path::PathBuf]) {
    for file in recent {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if ui.button(name).on_hover_text(file.display().to_string()).clicked() {
            look.actions.push(Action::File(crate::document::FileRequest::Open(file.clone())));
        }
    }
}

fn color_choice(ui: &mut Ui, look: &mut Look<'_>) {
    // Every field that the bodies have.
    let fields = look.main.snapshot.iter().flat_map(|snapshot| &snapshot.fields).map(|field| field.kind);
    let choices: Vec<(ColorBy, &str, String)> = std::iter::once((ColorBy::Plain, PLAIN.0, PLAIN.1.to_owned()))
        .chain(fields.map(|kind| {
            let unit = if kind.unit.is_empty() { String::new() } else { format!(" [{}]", kind.unit) };
            (ColorBy::Field(kind.name), kind.label, format!("{}{unit}", kind.doc))
        }))
        .collect();
    let now = choices.iter().find(|choice| choice.0 == look.desk.color_by).map_or(PLAIN.0, |choice| choice.1);
    let response = ComboBox::from_id_salt("colour by").width(128.0).selected_text(format!("{}  {now}", icons::COLOR)).show_ui(ui, |ui| {
        for (color_by, label, hint) in &choices {
            ui.selectable_value(&mut look.desk.color_by, *color_by, *label).on_hover_text(hint);
        }
    });
    let name = format!("Colour by: {now}");
    response.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, &name));
}

/// What is drawn over the bodies, its colours, and how long forces are.
fn overlays(ui: &mut Ui, look: &mut Look<'_>) {
    let menu = ui.menu_button(format!("{}  Show", icons::SHOW), |ui| {
        // As wide as its colours and their names: the slider would take all of the window.
        ui.set_width(240.0);
        let desk = &mut *look.desk;
        let [contact, friction, held, moved, sliding, load, wind, velocity] = legend();
        ui.checkbox(&mut desk.forces, "Contacts and forces").on_hover_text("Contacts as discs, the forces through them as arrows");
        ui.add_enabled(desk.forces, egui::Checkbox::new(&mut desk.all_forces, "Forces of all contacts"))
            .on_hover_text("As opposed to the 50 largest ones")
            .on_disabled_hover_text("Contacts and forces are not shown");
        key(ui, &[contact, friction]);
        ui.add_enabled_ui(desk.forces, |ui| {
            let how = Quantity { unit: "×", range: 0.1..=10.0, hint: "Length of the arrows of contact forces" };
            slider_row(ui, "Length", &mut desk.force_scale, &how, Shown { name: "×", size: 1.0 }, true);
        });
        ui.separator();
        ui.checkbox(&mut desk.tets, "Tets in place of the surface")
            .on_hover_text("A body that was filled with tets is drawn as its artist made it, or as its tets (T)");
        ui.checkbox(&mut desk.clear_bodies, "See through bodies")
            .on_hover_text("Supports, contacts and probes are seen wherever they are (Shift+X)");
        let how = Quantity { unit: "", range: 0.0..=1.0, hint: "How far each element is moved from the middle of its body" };
        slider_row(ui, "Elements apart", &mut desk.apart, &how, Shown { name: "", size: 1.0 }, false);
        ui.separator();
        ui.checkbox(&mut desk.supports, "Supports and motions")
            .on_hover_text("Vertices that are not free; the path of a motion, and the plane of a slide");
        key(ui, &[held, moved, sliding]);
        ui.separator();
        ui.checkbox(&mut desk.loads, "Loads and velocities").on_hover_text("Loads on faces; at time zero, how bodies set out");
        key(ui, &[load]);
        key(ui, &[wind, velocity]);
    });
    menu.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Show"));
    menu.response.on_hover_text("What is drawn over the bodies");
}

/// A line of colours and what has them.
fn key(ui: &mut Ui, entries: &[(&str, [f32; 3])]) {
    let dim = meaning(ui).dim;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (name, color) in entries {
            let (at, _) = ui.allocate_exact_size(vec2(14.0, 14.0), egui::Sense::hover());
            let [r, g, b] = color.map(|c| (c * 255.0).round() as u8);
            ui.painter().circle_filled(at.center(), 4.0, egui::Color32::from_rgb(r, g, b));
            ui.label(RichText::new(*name).color(dim).small());
            ui.add_space(4.0);
        }
    });
}

fn title(ui: &mut Ui, look: &Look<'_>) {
    let colors = meaning(ui);
    let name = look.document.title();
    let text = if look.document.is_dirty() { format!("• {name}") } else { name };
    let hint = look.document.path.as_ref().map_or_else(|| "not saved yet".to_owned(), |path| path.display().to_string());
    ui.add(egui::Label::new(RichText::new(text).color(colors.dim)).truncate()).on_hover_text(hint);
}
