//! The legend as a bar at the right edge of a view.

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::rail::Rail;
use super::spread::Spread;
use super::{MARGIN, ROOM, Subject, THICK, ends, options, values};
use crate::viewport::draw_list::DrawList;
use crate::viewport::tone::LegendChoice;

/// Length of the bar [points].
const LONG: f32 = 200.0;
/// Width of the histogram [points].
const SPREAD: f32 = 22.0;
/// What stands above the bar: the axes in the corner, and the title [points].
const ABOVE: f32 = 132.0;
/// What stands below it: the button, and the legend of forces [points].
const BELOW: f32 = 100.0;

/// Where the bar stands in a view.
fn place(view: Rect) -> Rect {
    let long = (view.height() - ABOVE - BELOW).clamp(48.0, LONG);
    let top = (view.center().y - 0.5 * long).clamp(view.top() + ABOVE, (view.bottom() - BELOW - long).max(view.top() + ABOVE));
    let right = view.right() - MARGIN - SPREAD - 2.0;
    Rect::from_min_size(pos2(right - THICK, top), vec2(THICK, long))
}

/// Draws it into `view`.
pub(super) fn show(ui: &mut Ui, view: Rect, subject: &Subject, lists: &[DrawList], mut choice: Option<&mut LegendChoice>) {
    let rail = Rail { rect: place(view), upright: true, axis: ends::axis(ui, &subject.tone) };
    let title = ui.painter().layout_job(subject.title(ui, 11.0));
    let at = pos2(view.right() - MARGIN - title.size().x, rail.rect.top() - 16.0 - title.size().y);
    let color = ui.visuals().strong_text_color();
    let around = Rect::from_min_max(pos2(at.x.min(view.right() - ROOM), at.y), pos2(view.right() - MARGIN, rail.rect.bottom() + 12.0));
    ui.painter().galley(at, title, color);
    let whole = ui.interact(around, ui.scope_id().with("legend"), Sense::hover());
    whole.widget_info(|| WidgetInfo::labeled(Role::Image, true, subject.words(lists)));
    let bar = ui.interact(rail.rect.with_max_x(view.right() - MARGIN), ui.scope_id().with("colours of the legend"), Sense::click());
    if let Some(choice) = choice.as_deref_mut().filter(|_| bar.double_clicked()) {
        choice.limits = [None; 2];
    }
    bar.on_hover_text(subject.hint(lists));
    rail.paint(ui, &subject.tone);
    let seen = || values(lists).flat_map(|(values, _)| values.iter().copied());
    rail.paint_spread(ui, &Spread::of(seen(), &rail.axis), SPREAD);
    rail.paint_beyond(ui, &Spread::of(seen(), &subject.tone));
    rail.paint_marks(ui, subject.shown(), ends::shares(&subject.tone, &rail.axis));
    ends::show(ui, &rail, subject, choice.as_deref_mut());
    if let Some(choice) = choice {
        let button = Rect::from_center_size(pos2(rail.rect.center().x, rail.rect.bottom() + 24.0), vec2(20.0, 20.0));
        options::menu(ui, button, subject, choice);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_keeps_clear_of_the_axes_and_of_the_forces_however_small_the_view_is() {
        for height in [340.0, 400.0, 500.0, 1200.0] {
            let view = Rect::from_min_size(pos2(100.0, 50.0), vec2(760.0, height));
            let bar = place(view);
            assert!(bar.top() >= view.top() + ABOVE && bar.bottom() <= view.bottom() - BELOW + 1e-3, "{height}: {bar}");
            assert_eq!(bar.width(), THICK);
        }
        assert_eq!(place(Rect::from_min_size(pos2(0.0, 0.0), vec2(760.0, 504.0))).height(), LONG);
    }
}
