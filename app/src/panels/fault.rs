//! What is wrong, told where one looks: a card under the verdict with what mends it, and a strip over the views.

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Mend;
use aplomb_sim::stats::report::{Conclusion, Infeasibility, InfeasibilityCode};
use egui::{
    Align, Align2, Color32, FontId, Frame, Label, Layout, Margin, Rect, RichText, Role, Sense, Stroke, Ui, UiBuilder, WidgetInfo, vec2,
};

use super::initialise::{cure_button, mend_button};
use super::{Look, Trouble};
use crate::document::{Action, mended};
use crate::layout::Arrange;
use crate::theme::{self, Meaning, icons, meaning};
use crate::widgets::{elided, small_icon_button};

use super::desk::BottomTab;

/// Height of the strip [points].
const STRIP: f32 = 36.0;

/// A fault in a few words.
pub fn title(fault: &Infeasibility) -> String {
    let body = &fault.body;
    match fault.code {
        InfeasibilityCode::Unsupported => format!("{body} is not held"),
        InfeasibilityCode::Hinged => format!("{body} can turn"),
        InfeasibilityCode::Mechanism => format!("{body} gives way"),
        InfeasibilityCode::OnlyPulls => format!("{body} would have to push"),
        InfeasibilityCode::TooLittleFriction => format!("{body} slips"),
        InfeasibilityCode::Yields => format!("{body} flows"),
        InfeasibilityCode::TooSoft => format!("{body} is too soft"),
        InfeasibilityCode::Disordered => format!("{body}: no pressures hold it"),
        InfeasibilityCode::Unsettled => format!("{body}: does not come to rest"),
        InfeasibilityCode::Undecided => format!("{body}: not decided"),
    }
}

/// The first of all that is wrong, with the number of the others.
fn first(look: &Look<'_>) -> Option<(Trouble, usize)> {
    if let Some(problem) = look.document.problems.iter().chain(&look.main.problems).next() {
        let trouble = Trouble {
            title: match (look.document.problems.is_empty(), look.main.is_unbuilt) {
                (false, _) => "The file was not opened",
                (true, true) => "The scene cannot be simulated",
                // A recording, an export, a step: the scene itself may be in order.
                (true, false) => "Something did not work",
            }
            .to_owned(),
            verdict: Conclusion::DoesNotHold,
            message: problem.message.clone(),
            place: problem.spot.as_ref().and_then(|spot| spot.place).map(Vec3::from),
            mend: problem.mend().cloned(),
        };
        return Some((trouble, look.problem_count() - 1));
    }
    let troubles = look.troubles();
    let count = troubles.len();
    let trouble = troubles.into_iter().next()?;
    Some((trouble, count - 1))
}

/// Whether it is a problem and not a verdict on the pose.
fn is_problem(look: &Look<'_>) -> bool {
    !look.document.problems.is_empty() || !look.main.problems.is_empty()
}

fn tones(verdict: Conclusion, colors: Meaning) -> (Color32, Color32) {
    match verdict {
        Conclusion::DoesNotHold => (colors.error, colors.error_ground),
        _ => (colors.warning, colors.warning_ground),
    }
}

/// Draws the card; whether its button is the one that the user is led to.
pub(super) fn card(ui: &mut Ui, look: &mut Look<'_>) -> bool {
    let Some((trouble, others)) = first(look) else { return false };
    let (tone, ground) = tones(trouble.verdict, meaning(ui));
    let mend = trouble.mend.filter(|mend: &Mend| mended(look.document.scene(), mend).is_some());
    let mut leads = mend.is_some();
    let frame = Frame::new().fill(ground).stroke(Stroke::new(1.0, tone.gamma_multiply(0.5))).corner_radius(6).inner_margin(Margin::same(8));
    frame.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        ui.set_min_width(ui.available_width());
        let strong = ui.visuals().strong_text_color();
        ui.add(Label::new(RichText::new(&trouble.title).color(strong).family(theme::strong())).wrap());
        ui.add(Label::new(RichText::new(&trouble.message).small()).wrap());
        if is_problem(look) && mend.is_none() && trouble.place.is_none() && others == 0 {
            // A row without buttons would keep their room.
            return;
        }
        ui.add_space(2.0);
        ui.horizontal_wrapped(|ui| {
            mend_button(ui, look, mend.as_ref(), true);
            if mend.is_none() {
                leads = cure_button(ui, look);
            }
            show_the_place(ui, look, trouble.place);
            if others > 0 && ui.button(format!("{others} more…")).on_hover_text("All problems, one below the other").clicked() {
                look.actions.push(Action::Arrange(Arrange::Front(BottomTab::Problems)));
            }
        });
    });
    leads
}

/// A button that leads to a place, if there is one.
pub fn show_the_place(ui: &mut Ui, look: &mut Look<'_>, place: Option<Vec3>) {
    if let Some(place) = place
        && ui.button("Show the place").on_hover_text("Mark it, and move the camera there").clicked()
    {
        look.actions.push(Action::Show(vec![place]));
    }
}

/// Whether there is a strip over the views.
pub(super) fn has_strip(look: &Look<'_>) -> bool {
    first(look).is_some_and(|(trouble, _)| look.desk.closed_strip.as_ref() != Some(&trouble.message))
}

/// Draws the strip over `views`, as long as nobody closes it; what is left of them. With `fixes` it carries what mends the fault.
pub fn strip(ui: &mut Ui, look: &mut Look<'_>, views: Rect, fixes: bool) -> Rect {
    let Some((trouble, _)) = first(look) else {
        look.desk.closed_strip = None;
        return views;
    };
    if look.desk.closed_strip.as_ref() == Some(&trouble.message) {
        return views;
    }
    let colors = meaning(ui);
    let (tone, ground) = tones(trouble.verdict, colors);
    let (bar, rest) = views.split_top_bottom_at_y((views.top() + STRIP).min(views.bottom()));
    ui.painter().rect_filled(bar, 0.0, ground);
    ui.painter().hline(bar.x_range(), bar.bottom() - 0.5, Stroke::new(1.0, tone.gamma_multiply(0.5)));
    ui.painter().text(bar.left_center() + vec2(20.0, 0.0), Align2::CENTER_CENTER, icons::ERROR, FontId::new(16.0, theme::filled()), tone);
    let first_line = trouble.message.lines().next().unwrap_or_default().to_owned();
    let layout = Layout::right_to_left(Align::Center);
    let right = ui.scope_builder(UiBuilder::new().max_rect(bar.shrink2(vec2(8.0, 4.0))).layout(layout).id_salt("strip"), |ui| {
        if small_icon_button(ui, true, false, icons::CLOSE, "Close the strip", "Close it; Problems keeps what it says").clicked() {
            look.desk.closed_strip = Some(trouble.message.clone());
        }
        show_the_place(ui, look, trouble.place);
        if fixes {
            mend_button(ui, look, trouble.mend.as_ref(), true);
        }
        ui.min_rect().left()
    });
    let strip = ui.interact(bar.with_max_x(right.inner), ui.scope_id().with("strip words"), Sense::hover());
    let what = if is_problem(look) { trouble.title.clone() } else { trouble.verdict.to_string() };
    strip.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{what}: {first_line}")));
    strip.on_hover_text(&trouble.message);
    let left = bar.left() + 38.0;
    let strong = ui.visuals().strong_text_color();
    let title = ui.painter().layout_no_wrap(trouble.title.clone(), FontId::new(13.0, theme::strong()), strong);
    let middle = |height: f32| bar.center().y - 0.5 * height;
    let words = left + title.size().x + 8.0;
    ui.painter().galley(egui::pos2(left, middle(title.size().y)), title, strong);
    let detail = elided(ui, &first_line, FontId::proportional(13.0), ui.visuals().text_color(), right.inner - 12.0 - words);
    if right.inner - 12.0 > words {
        ui.painter().galley(egui::pos2(words, middle(detail.size().y)), detail, strong);
    }
    rest
}
