//! The legend as a strip below the views.

use egui::{Align, Layout, Rect, Role, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use super::rail::Rail;
use super::spread::Spread;
use super::{MARGIN, Subject, THICK, ends, options, values};
use crate::theme::meaning;
use crate::viewport::draw_list::DrawList;
use crate::viewport::tone::LegendChoice;

/// Length of the bar [points].
const LONG: f32 = 264.0;
/// The shortest that can be read [points].
const SHORT: f32 = 80.0;
/// Room of half a number beyond each end [points].
const END: f32 = 26.0;
/// Room of the buttons at the right, or of the one that stands for them in strips less wide than this [points].
const BUTTONS: f32 = 240.0;
const SMALL: f32 = 20.0;
const NARROW: f32 = 560.0;

/// Draws it into `rect`.
pub(super) fn show(ui: &mut Ui, rect: Rect, subject: &Subject, lists: &[DrawList], mut choice: Option<&mut LegendChoice>) {
    let whole = ui.interact(rect, ui.scope_id().with("legend"), Sense::hover());
    whole.widget_info(|| WidgetInfo::labeled(Role::Image, true, subject.words(lists)));
    let inner = rect.shrink2(vec2(MARGIN, 0.0));
    let mut job = subject.title(ui, 13.0);
    if lists.len() > 1 {
        let format = egui::text::TextFormat::simple(egui::FontId::proportional(11.0), meaning(ui).dim);
        job.append(", both", 0.0, format);
    }
    let title = ui.painter().layout_job(job);
    let color = ui.visuals().strong_text_color();
    // Where there is little room, one button opens what would stand side by side.
    let is_narrow = inner.width() < NARROW;
    let buttons = match choice {
        None => 0.0,
        Some(_) if is_narrow => SMALL,
        Some(_) => BUTTONS,
    };
    let from = inner.left() + title.size().x + MARGIN + END;
    let to = inner.right() - buttons - END;
    ui.painter().galley(pos2(inner.left(), inner.center().y - 0.5 * title.size().y), title, color);
    if let Some(choice) = choice.as_deref_mut() {
        let area = inner.with_min_x(inner.right() - buttons);
        if is_narrow {
            options::menu(ui, Rect::from_center_size(area.center(), vec2(SMALL, 20.0)), subject, choice);
        } else {
            let layout = Layout::right_to_left(Align::Center);
            let mut right = ui.new_child(UiBuilder::new().max_rect(area).id_salt("legend options").layout(layout));
            options::row(&mut right, subject, choice);
        }
    }
    let long = (to - from).min(LONG);
    if long < SHORT {
        return;
    }
    // In the middle of the strip, where title and buttons leave that.
    let left = (inner.center().x - 0.5 * long).clamp(from, to - long);
    let bar = Rect::from_min_size(pos2(left, rect.top() + 11.0), vec2(long, THICK));
    let rail = Rail { rect: bar, upright: false, axis: ends::axis(ui, &subject.tone) };
    let colors = ui.interact(bar, ui.scope_id().with("colours of the legend"), Sense::click());
    if let Some(choice) = choice.as_deref_mut().filter(|_| colors.double_clicked()) {
        choice.limits = [None; 2];
    }
    colors.on_hover_text(subject.hint(lists));
    rail.paint(ui, &subject.tone);
    let seen = values(lists).flat_map(|(values, _)| values.iter().copied());
    rail.paint_beyond(ui, &Spread::of(seen, &subject.tone));
    rail.paint_marks(ui, subject.shown(), ends::shares(&subject.tone, &rail.axis));
    ends::show(ui, &rail, subject, choice);
}
