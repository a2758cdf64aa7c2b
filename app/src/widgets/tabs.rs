//! Tabs: an icon and a word each, the one at hand underlined.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, FontId, Role, Sense, Ui, WidgetInfo, vec2};

use crate::theme::{self, meaning};

/// Height of a bar of tabs, and of the line under the one at hand [points].
const HEIGHT: f32 = 30.0;
const LINE: f32 = 2.0;

/// A tab: what it stands for, its icon, its name, and how many things in it call for attention.
pub struct Tab<T> {
    /// What it stands for.
    pub value: T,
    /// Its icon.
    pub icon: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What calls for attention in it; 0 for nothing.
    pub count: usize,
}

/// Draws the bar; a click chooses.
pub fn tab_bar<T: Copy + PartialEq>(ui: &mut Ui, chosen: &mut T, tabs: &[Tab<T>]) {
    let colors = meaning(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for tab in tabs {
            let is_chosen = *chosen == tab.value;
            let text = if is_chosen { ui.visuals().strong_text_color() } else { colors.dim };
            let format = |size, color| TextFormat { valign: Align::Center, ..TextFormat::simple(FontId::proportional(size), color) };
            let mut job = LayoutJob::default();
            job.append(tab.icon, 0.0, format(14.0, if is_chosen { colors.accent } else { colors.dim }));
            job.append(tab.name, 6.0, format(13.0, text));
            if tab.count > 0 {
                let count = TextFormat { valign: Align::Center, ..TextFormat::simple(FontId::new(11.0, theme::strong()), colors.error) };
                job.append(&tab.count.to_string(), 6.0, count);
            }
            let line = ui.painter().layout_job(job);
            let (rect, response) = ui.allocate_exact_size(vec2(line.size().x + 16.0, HEIGHT), Sense::click());
            let name = if tab.count > 0 { format!("{} ({})", tab.name, tab.count) } else { tab.name.to_owned() };
            response.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_chosen, &name));
            if response.hovered() && !is_chosen {
                ui.painter().rect_filled(rect.shrink2(vec2(0.0, 3.0)), 4.0, ui.visuals().widgets.hovered.weak_bg_fill);
            }
            ui.painter().galley(rect.left_center() + vec2(8.0, -0.5 * line.size().y), line, text);
            if is_chosen {
                ui.painter().rect_filled(rect.with_min_y(rect.bottom() - LINE), 0.0, colors.accent);
            }
            if response.clicked() {
                *chosen = tab.value;
            }
        }
    });
}
