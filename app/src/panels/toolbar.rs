//! The menus and the tool bar.

use egui::{
    Align, Align2, Color32, ComboBox, FontId, Layout as Flow, Rect, RichText, Sense, Stroke, StrokeKind, TextStyle, Ui, UiBuilder, pos2,
    vec2,
};

use super::Look;
use super::Touch;
use crate::document::command::{COMMANDS, MENUS};
use crate::document::{Action, Selection, Tool};
use crate::drawing::cloud::is_cloud;
use crate::layout::{Arrange, Layout, Pane, Side, docks};
use crate::theme::{icons, meaning};
use crate::viewport::painter::legend;
use crate::widgets::unit::Shown;
use crate::widgets::{Quantity, icon_button, slider_row, small_icon_button};

/// Width of the field that opens the command palette, and least room between what stands in a bar [points].
const SEARCH: f32 = 216.0;
const GAP: f32 = 16.0;

/// Draws the menus, the scene's name in the middle, and what stands at the right.
pub fn menus(ui: &mut Ui, look: &mut Look<'_>, layout: &Layout, recent: &[std::path::PathBuf]) {
    let bar = ui.max_rect();
    let mut left = bar.left();
    ui.scope_builder(UiBuilder::new().max_rect(bar).layout(Flow::left_to_right(Align::Center)), |ui| {
        egui::MenuBar::new().ui(ui, |ui| {
            for menu in MENUS {
                let button = ui.menu_button(*menu, |ui| {
                    ui.set_min_width(220.0);
                    for command in COMMANDS.iter().filter(|command| command.menu == *menu) {
                        let action = (command.action)();
                        let why_not = look.why_not(&action);
                        let button = egui::Button::new(command.label).shortcut_text(look.desk.keymap.words(command));
                        if ui.add_enabled(why_not.is_none(), button).on_disabled_hover_text(why_not.unwrap_or_default()).clicked() {
                            look.actions.push(action);
                        }
                    }
                    if *menu == "Window" {
                        ui.menu_button("Panels", |ui| panels(ui, look, layout));
                    }
                    if *menu == "File" && !recent.is_empty() {
                        ui.separator();
                        recent_files(ui, look, recent);
                    }
                });
                left = button.response.rect.right() + GAP;
            }
        });
    });
    let end = ui.scope_builder(UiBuilder::new().max_rect(bar).layout(Flow::right_to_left(Align::Center)), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let dark = ui.visuals().dark_mode;
        let (icon, hint) = if dark { (icons::SUN, "Light theme") } else { (icons::MOON, "Dark theme") };
        if small_icon_button(ui, true, false, icon, "Theme", hint).clicked() {
            look.actions.push(Action::ToggleTheme);
        }
        ui.add_space(4.0);
        // In a narrow window the field gives its room to the name.
        let room = 0.5 * bar.width() - 150.0;
        search_field(ui, look, SEARCH.min(room.max(0.0)));
        ui.min_rect().left()
    });
    let (middle, right) = (bar.center().x, end.inner - GAP);
    let name = title(ui, look, bar, (left, right), middle);
    let words = Rect::from_x_y_ranges(name + GAP..=right.max(name + GAP), bar.y_range());
    ui.scope_builder(UiBuilder::new().max_rect(words).layout(Flow::right_to_left(Align::Center)), |ui| super::stages::words(ui, look));
}

/// The panels, each with a tick where it is open.
fn panels(ui: &mut Ui, look: &mut Look<'_>, layout: &Layout) {
    ui.set_min_width(160.0);
    let sides = [(Side::Left, "Outliner"), (Side::Right, "Right column")];
    let columns = sides.map(|(side, name)| (name, layout.shows(side), Arrange::Column(side)));
    let docks = docks().map(|tab| (Pane::Dock(tab).name(), layout.is_open(tab), Arrange::Toggle(tab)));
    for (name, mut open, wish) in columns.into_iter().chain(docks) {
        if ui.checkbox(&mut open, name).clicked() {
            look.actions.push(Action::Arrange(wish));
        }
    }
    ui.separator();
    if ui.button("Reset layout").on_hover_text("Every panel back to where it was at first").clicked() {
        look.actions.push(Action::Arrange(Arrange::Reset));
    }
}

/// What looks like a field, and opens the command palette.
fn search_field(ui: &mut Ui, look: &mut Look<'_>, width: f32) {
    let colors = meaning(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(width.max(28.0), 20.0), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Search commands"));
    let fill = if response.hovered() { ui.visuals().widgets.hovered.weak_bg_fill } else { ui.visuals().panel_fill };
    ui.painter().rect_filled(rect, 4.0, fill);
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 4.0, Stroke::new(1.0, colors.accent), StrokeKind::Inside);
    }
    let text = |x: f32, anchor: Align2, text: &str, size: f32| {
        ui.painter().text(pos2(x, rect.center().y), anchor, text, FontId::proportional(size), colors.dim)
    };
    text(rect.left() + 7.0, Align2::LEFT_CENTER, icons::SEARCH, 13.0);
    if width > 170.0 {
        text(rect.left() + 28.0, Align2::LEFT_CENTER, "Search commands", 13.0);
        text(rect.right() - 8.0, Align2::RIGHT_CENTER, &look.keys_of("Command palette"), 11.0);
    }
    if response.on_hover_text(look.hint("Every command by name", "Command palette")).clicked() {
        look.actions.push(Action::TogglePalette);
    }
}

/// Draws the tools, the stages in the middle, and what is shown of the bodies.
pub fn toolbar(ui: &mut Ui, look: &mut Look<'_>) {
    let bar = ui.max_rect();
    let left = ui.scope_builder(UiBuilder::new().max_rect(bar).layout(Flow::left_to_right(Align::Center)), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        tools(ui, look);
        ui.min_rect().right()
    });
    let right = ui.scope_builder(UiBuilder::new().max_rect(bar).layout(Flow::right_to_left(Align::Center)), |ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let compared = look.twin.is_some();
        let button = egui::Button::selectable(compared, format!("{}  A | B", icons::COMPARE)).min_size(vec2(0.0, 24.0));
        let button = ui.add(button);
        button.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, compared, "Compare A | B"));
        if button.on_hover_text(look.hint("Naive at the left, initialised at the right, on one clock", "Compare A | B")).clicked() {
            look.actions.push(Action::ToggleCompare);
        }
        overlays(ui, look);
        color_choice(ui, look);
        ui.min_rect().left()
    });
    super::stages(ui, look, bar, (left.inner + GAP, right.inner - GAP));
}

/// What is done with the mouse in the view, and steps back and forth.
fn tools(ui: &mut Ui, look: &mut Look<'_>) {
    by_hand(ui, look);
    let painting = look.desk.brush.on;
    let (can, hint) = match look.document.selection {
        Selection::Region(..) => (true, look.hint("Paint the selected region", "Brush")),
        Selection::Body(_) => (true, look.hint("Paint the stiffness of the selected body; select or make a region to paint that", "Brush")),
        Selection::Scene | Selection::Obstacle(_) | Selection::Probe(_) | Selection::Place(..) => {
            (false, "Select a region in the outliner first, or make one".to_owned())
        }
    };
    let brush = icon_button(ui, can, painting, icons::BRUSH, "Brush", &hint).on_disabled_hover_text(&hint);
    if brush.clicked() {
        look.actions.push(Action::ToggleBrush);
    }
    let usable = look.main.snapshot.is_some();
    let touch = look.desk.touch;
    let held = |what: Touch| touch == what && !painting;
    let probe = "Click on a body to put a probe there, with Ctrl on an element; Alt and a click shows all numbers of a place";
    let hand = "Pull at a body with the left button while it runs; beside it, a drag orbits";
    let tools = [
        (icons::PROBE, "Probe", held(Touch::Probe), look.hint(probe, "Probe tool"), Action::ToggleProbe),
        (icons::NUDGE, "Hand", held(Touch::Hand), look.hint(hand, "Pull with the hand"), Action::ToggleHand),
        (
            icons::SLICE,
            "Slice",
            look.desk.slice.on,
            look.hint("Cut the bodies by a plane, and look inside", "Slice plane"),
            Action::ToggleSlice,
        ),
    ];
    for (icon, name, on, hint, action) in tools {
        if icon_button(ui, usable, on, icon, name, &hint).on_disabled_hover_text("There is no body in the view").clicked() {
            look.actions.push(action);
        }
    }
    ui.separator();
    let history = &look.document.history;
    let steps = [(icons::UNDO, "Undo", history.undo_label(), Action::Undo), (icons::REDO, "Redo", history.redo_label(), Action::Redo)];
    for (icon, text, label, action) in steps {
        let hint = label.map_or_else(|| text.to_owned(), |label| look.hint(&format!("{text}: {label}"), text));
        if icon_button(ui, label.is_some(), false, icon, text, &hint).clicked() {
            look.actions.push(action);
        }
    }
}

/// Select, move, rotate, scale.
fn by_hand(ui: &mut Ui, look: &mut Look<'_>) {
    let tools = [
        (Tool::Select, icons::SELECT, "Select tool", "Select, and look around"),
        (Tool::Move, icons::MOVE, "Move tool", "Move bodies, obstacles and keyframes; pressed again, at once"),
        (Tool::Rotate, icons::ROTATE, "Rotate tool", "Rotate what is selected, wind and tractions too; pressed again, at once"),
        (Tool::Scale, icons::SCALE, "Scale tool", "Scale bodies and obstacles; pressed again, at once"),
    ];
    for (tool, icon, name, hint) in tools {
        let chosen = look.desk.tool == tool && !look.desk.brush.on;
        let hint = look.hint(hint, name);
        if icon_button(ui, true, chosen, icon, name, &hint).clicked() && !chosen {
            look.desk.brush.on = false;
            look.actions.push(Action::SetTool(tool));
        }
    }
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
    let choices = look.color_choices();
    let now = choices.iter().find(|choice| choice.0 == look.desk.color_by).map_or("", |choice| choice.1);
    let shown = format!("{}  {now}", icons::COLOR);
    // As wide as what it says.
    let text = ui.painter().layout_no_wrap(shown.clone(), TextStyle::Button.resolve(ui.style()), Color32::PLACEHOLDER).size().x;
    let response =
        ComboBox::from_id_salt("colour by").width((text + 36.0).max(128.0)).height(440.0).selected_text(shown).show_ui(ui, |ui| {
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
        ui.set_width(300.0);
        let desk = &mut *look.desk;
        let [contact, friction, held, moved, sliding, load, wind, velocity, residual] = legend();
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
        if look.main.model.as_ref().is_some_and(|model| model.bodies.iter().any(is_cloud)) {
            ui.checkbox(&mut desk.surface, "Points as a surface").on_hover_text(
                "Bodies of points are drawn as these, or as the surfaces around them; while one runs, the last that is made",
            );
        }
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
        ui.separator();
        ui.checkbox(&mut desk.residual, "Residual forces").on_hover_text(
            "The 50 largest forces that nothing balances, the largest as long as that of a contact; recorded frames have none",
        );
        key(ui, &[residual]);
        // Nothing else moves on a grid.
        if look.main.model.as_ref().is_some_and(|model| model.cells.is_some()) {
            ui.separator();
            ui.checkbox(&mut desk.cells, "Cells of the grid")
                .on_hover_text("Those that hold material points; of many, only the edges around all of them");
        }
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
            let (at, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
            let [r, g, b] = color.map(|c| (c * 255.0).round() as u8);
            ui.painter().circle_filled(at.center(), 4.0, Color32::from_rgb(r, g, b));
            ui.label(RichText::new(*name).color(dim).small());
            ui.add_space(4.0);
        }
    });
}

/// The name of the scene about the middle of the bar, between what stands at the left and at the right; gives its right end.
fn title(ui: &mut Ui, look: &Look<'_>, bar: Rect, (left, right): (f32, f32), middle: f32) -> f32 {
    let name = look.document.title();
    let text = if look.document.is_dirty() { format!("• {name}") } else { name };
    let hint = look.document.path.as_ref().map_or_else(|| "not saved yet".to_owned(), |path| path.display().to_string());
    let width = ui.painter().layout_no_wrap(text.clone(), TextStyle::Body.resolve(ui.style()), Color32::PLACEHOLDER).size().x;
    let width = width.min((right - left).max(0.0));
    let start = (middle - 0.5 * width).clamp(left, (right - width).max(left));
    let rect = Rect::from_x_y_ranges(start..=start + width, bar.y_range());
    let color = ui.visuals().strong_text_color();
    ui.scope_builder(UiBuilder::new().max_rect(rect).layout(Flow::left_to_right(Align::Center)), |ui| {
        ui.add(egui::Label::new(RichText::new(text).color(color)).truncate()).on_hover_text(hint);
    });
    rect.right()
}
