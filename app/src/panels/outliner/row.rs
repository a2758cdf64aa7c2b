//! A row of the outliner: an icon, a name that is cut last, what is to be known of it, and an eye.

use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Color32, FontId, Rect, Response, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::theme::{self, icons, meaning};

/// Height of a row, room at its ends, and by how much what belongs to another is moved in [points].
pub const ROW: f32 = 24.0;
pub const MARGIN: f32 = 12.0;
pub const INDENT: f32 = 16.0;
/// Width of the columns of carets, icons and eyes [points].
const CARET: f32 = 18.0;
const ICON: f32 = 24.0;
const EYE: f32 = 22.0;

/// What stands in a row.
#[derive(Default)]
pub struct Row<'a> {
    /// How far it is moved in [points].
    pub indent: f32,
    /// Whether what belongs to it is folded away, if something does.
    pub fold: Option<bool>,
    /// Its icon; empty for none.
    pub icon: &'a str,
    /// The colour that it has in the view.
    pub swatch: Option<Color32>,
    /// Its name.
    pub name: &'a str,
    /// Whether it is a title.
    pub strong: bool,
    /// What is to be known of it.
    pub meta: String,
    /// The same at length.
    pub spoken: String,
    /// What it is, in a sentence.
    pub hint: &'a str,
    /// Whether what is to be known is what is wrong.
    pub at_fault: bool,
    /// Whether it is left alone, if that can be changed.
    pub locked: Option<bool>,
    /// Whether it is seen in the view, if that can be changed.
    pub seen: Option<bool>,
}

/// What was done to a row.
pub struct Done {
    /// It was chosen.
    pub clicked: bool,
    /// What belongs to it was folded or unfolded.
    pub folded: bool,
    /// It was locked, or its lock was opened.
    pub lock: bool,
    /// It was hidden or shown.
    pub eye: bool,
    /// All that happened to it.
    pub response: Response,
}

impl Row<'_> {
    /// Draws it in a line of its own.
    pub fn show(&self, ui: &mut Ui, selected: bool) -> Done {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
        let row = self.draw(ui, rect, selected);
        let id = row.id;
        let response = if self.hint.is_empty() { row } else { row.on_hover_text(self.hint) };
        let clicked = response.clicked();
        let folded = self.fold.is_some_and(|folded| {
            let caret = Rect::from_min_size(pos2(rect.left() + MARGIN - 4.0 + self.indent, rect.top()), vec2(CARET, ROW));
            let response = ui.interact(caret, id.with("fold"), Sense::click());
            let name = format!("{} regions of {}", if folded { "Show" } else { "Fold" }, self.name);
            response.widget_info(|| WidgetInfo::labeled(Role::DisclosureTriangle, true, &name));
            response.clicked()
        });
        if !self.meta.is_empty() {
            let response = ui.interact(self.meta_place(ui, rect), id.with("meta"), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &self.spoken));
            response.on_hover_text(&self.spoken);
        }
        let eye = self.seen.is_some_and(|seen| {
            let response = ui.interact(eye_place(rect), id.with("eye"), Sense::click());
            response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, seen, format!("show {}", self.name)));
            response.on_hover_text("Shown in the view").clicked()
        });
        let lock = self.locked.is_some_and(|locked| {
            let response = ui.interact(lock_place(rect), id.with("lock"), Sense::click());
            response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, locked, format!("lock {}", self.name)));
            response.on_hover_text("A locked region is not painted, reshaped or deleted").clicked()
        });
        Done { clicked, folded, lock, eye, response }
    }

    /// Draws it into a rectangle that is its own.
    pub fn draw(&self, ui: &Ui, rect: Rect, selected: bool) -> Response {
        let colors = meaning(ui);
        let response = ui.interact(rect, ui.make_persistent_id(("row", self.name, self.indent as i32, self.strong)), Sense::click());
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, selected, self.name));
        let strong = ui.visuals().strong_text_color();
        let [ground, on_ground] = colors.selected;
        let pointed = ui.visuals().widgets.hovered.weak_bg_fill.gamma_multiply(0.6);
        let fill = match (selected, response.hovered()) {
            (true, true) => ground.lerp_to_gamma(strong, 0.1),
            (true, false) => ground,
            (false, true) => pointed,
            (false, false) => Color32::TRANSPARENT,
        };
        ui.painter().rect_filled(rect, 0.0, fill);
        if response.has_focus() {
            ui.painter().rect_stroke(rect.shrink(1.0), 2.0, egui::Stroke::new(1.5, colors.accent), egui::StrokeKind::Inside);
        }
        let text = if selected { on_ground } else { ui.visuals().text_color() };
        let middle = rect.center().y;
        let mut x = rect.left() + MARGIN + self.indent;
        let icon = |x: f32, icon: &str, size: f32, color: Color32| {
            ui.painter().text(pos2(x, middle), Align2::LEFT_CENTER, icon, FontId::proportional(size), color);
        };
        if let Some(folded) = self.fold {
            icon(x - 1.0, if folded { icons::NEXT } else { icons::DOWN }, 10.0, colors.dim);
            x += CARET;
        }
        if !self.icon.is_empty() {
            icon(x, self.icon, 14.0, text);
            x += if self.swatch.is_some() { 20.0 } else { ICON - 2.0 };
        }
        if let Some(color) = self.swatch {
            ui.painter().rect_filled(Rect::from_min_size(pos2(x, middle - 6.0), vec2(12.0, 12.0)), 3.0, color);
            x += 18.0;
        }
        let end = if self.meta.is_empty() { self.right(rect) } else { self.meta_place(ui, rect).left() - 6.0 };
        let font = FontId::new(13.0, if self.strong { theme::strong() } else { egui::FontFamily::Proportional });
        let mut job = LayoutJob::simple_singleline(self.name.to_owned(), font, if self.strong { strong } else { text });
        job.wrap = TextWrapping::truncate_at_width((end - x).max(8.0));
        let name = ui.painter().layout_job(job);
        ui.painter().galley(pos2(x, middle - 0.5 * name.size().y), name, text);
        if !self.meta.is_empty() {
            let place = self.meta_place(ui, rect);
            let color = if self.at_fault { colors.error } else { colors.dim };
            ui.painter().text(place.right_center(), Align2::RIGHT_CENTER, &self.meta, FontId::proportional(11.0), color);
        }
        if let Some(locked) = self.locked {
            // An open lock is seen only dimly.
            let (lock, color) = if locked { (icons::LOCKED, text) } else { (icons::UNLOCKED, colors.off) };
            ui.painter().text(lock_place(rect).center(), Align2::CENTER_CENTER, lock, FontId::proportional(13.0), color);
        }
        if let Some(seen) = self.seen {
            let color = if seen { colors.dim } else { colors.off };
            let eye = if seen { icons::SHOW } else { icons::HIDDEN };
            ui.painter().text(eye_place(rect).center(), Align2::CENTER_CENTER, eye, FontId::proportional(13.0), color);
        }
        response
    }

    /// Where what stands before the eye ends.
    fn right(&self, rect: Rect) -> f32 {
        match (self.locked, self.seen) {
            (Some(_), _) => lock_place(rect).left() - 2.0,
            (None, Some(_)) => eye_place(rect).left() - 2.0,
            (None, None) => rect.right() - MARGIN,
        }
    }

    /// Where what is to be known stands; it takes at most half of the row.
    fn meta_place(&self, ui: &Ui, rect: Rect) -> Rect {
        let width = ui.painter().layout_no_wrap(self.meta.clone(), FontId::proportional(11.0), Color32::PLACEHOLDER).size().x;
        let right = self.right(rect);
        Rect::from_x_y_ranges(right - width.min(0.5 * rect.width())..=right, rect.y_range())
    }
}

fn eye_place(rect: Rect) -> Rect {
    rect.with_min_x(rect.right() - MARGIN + 2.0 - EYE).with_max_x(rect.right() - MARGIN + 2.0)
}

/// Beside the eye.
fn lock_place(rect: Rect) -> Rect {
    eye_place(rect).translate(vec2(-EYE, 0.0))
}

/// A row that adds something, chosen from a menu.
pub fn add_row(ui: &mut Ui, indent: f32, text: &str, name: &str, menu: impl FnOnce(&mut Ui)) {
    let row = ui.horizontal(|ui| {
        ui.add_space(MARGIN + indent - 4.0);
        ui.spacing_mut().button_padding = vec2(4.0, 2.0);
        plain_button(ui);
        ui.menu_button(RichText::new(format!("{}  {text}", icons::PLUS)).color(meaning(ui).dim), menu)
    });
    row.inner.response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
}

/// Buttons without a ground, until they are pointed at.
pub fn plain_button(ui: &mut Ui) {
    ui.visuals_mut().widgets.inactive.weak_bg_fill = Color32::TRANSPARENT;
    ui.visuals_mut().widgets.inactive.bg_fill = Color32::TRANSPARENT;
}
