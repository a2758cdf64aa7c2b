//! Stability: the verdict, and the softest ways out of the pose, to look at.

mod cures;
mod nudge;

pub use cures::lead as cure_button;

use std::f64::consts::TAU;

use aplomb_sim::stats::report::Verdict;
use egui::{Align, Button, Layout, RichText, Role, Ui, WidgetInfo};

use crate::document::Action;
use crate::panels::Look;
use crate::session::{Certificate, Motion};
use crate::theme::meaning;
use crate::widgets::unit::Shown;
use crate::widgets::{Quantity, fact_row, quantity, section, significant, slider_row};

/// Draws the part, where the question has a meaning.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, certificate: &Certificate) {
    let Some(stability) = &certificate.report.stability else { return };
    let colors = meaning(ui);
    let (count, verdict) = (stability.negative_eigenvalues, stability.verdict);
    let (text, tone) = match verdict {
        Verdict::Stable if stability.cured_by.is_some() => ("stable, cured".to_owned(), colors.good),
        Verdict::Stable => ("stable".to_owned(), colors.good),
        Verdict::Unstable => (format!("unstable, {count} direction{}", if count == 1 { "" } else { "s" }), colors.warning),
        Verdict::NotInBalance => ("not in balance".to_owned(), colors.warning),
        Verdict::Undecided => ("undecided".to_owned(), colors.warning),
        Verdict::NotTried => ("not tried".to_owned(), colors.dim),
    };
    // What the nudge test found is seen, however it was asked for.
    let is_open = matches!(verdict, Verdict::Unstable | Verdict::Undecided | Verdict::NotTried) || certificate.nudge.is_some();
    section(ui, "Stability", &text, Some(tone), is_open, |ui| {
        if let Some(reason) = &stability.reason {
            ui.label(RichText::new(reason).color(colors.dim).small());
        }
        if verdict == Verdict::NotTried || certificate.nudge.as_ref().is_some_and(|nudge| nudge.agrees.is_none()) {
            // There are no eigenvalues.
            nudge::button(ui, look);
            nudge::show(ui, certificate);
            return;
        }
        let hint = "Negative eigenvalues of the energy's Hessian: directions in which the pose falls away";
        fact_row(ui, "Negative eigenvalues", &count.to_string(), Some(tone), hint);
        let softest = quantity(stability.smallest_eigenvalue, "N/m");
        fact_row(ui, "Smallest eigenvalue", &softest, None, "Stiffness of the softest way out of the pose");
        if stability.neutral_motions > 0 {
            let hint = "Rigid motions that nothing resists: neither stable nor unstable";
            fact_row(ui, "Neutral motions", &stability.neutral_motions.to_string(), None, hint);
        }
        modes(ui, look, certificate);
        ui.horizontal(|ui| {
            nudge::button(ui, look);
            if verdict == Verdict::Unstable || !stability.cures.is_empty() {
                cures::button(ui, look);
            }
        });
        nudge::show(ui, certificate);
        cures::show(ui, look, stability);
    });
}

/// How far what is played moves.
pub fn swing(ui: &mut Ui, look: &mut Look<'_>) {
    let how = Quantity { unit: "of diag.", range: 0.01..=0.5, hint: "How far the fastest point swings, as a share of the body's diagonal" };
    slider_row(ui, "Amplitude", &mut look.desk.swing, &how, Shown { name: "%", size: 0.01 }, false);
}

/// The softest modes, each with a button that plays it.
fn modes(ui: &mut Ui, look: &mut Look<'_>, certificate: &Certificate) {
    let modes = &certificate.findings.modes;
    if modes.is_empty() {
        return;
    }
    let colors = meaning(ui);
    ui.label(RichText::new("Softest modes").color(colors.dim).small());
    for (index, mode) in modes.iter().enumerate() {
        let playing = look.desk.mode.is_some_and(|played| played.motion == Motion::Mode(index));
        ui.horizontal(|ui| {
            let (word, hint) = if playing { ("Stop", "Back to the pose (Esc)") } else { ("Play", "Swing the pose along this mode") };
            let button = ui.add(Button::selectable(playing, RichText::new(word).small()).frame_when_inactive(true)).on_hover_text(hint);
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{word} mode {}", index + 1)));
            if button.clicked() {
                look.actions.push(Action::PlayMode((!playing).then_some(Motion::Mode(index))));
            }
            ui.label(format!("Mode {}", index + 1));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let tone = if mode.eigenvalue < 0.0 { colors.warning } else { ui.visuals().text_color() };
                let rate = if mode.eigenvalue < 0.0 {
                    format!("Falls away: {} times as far every second at first", significant(mode.rate.exp(), 3))
                } else {
                    format!("Vibrates {} times a second", significant(mode.rate / TAU, 3))
                };
                ui.label(RichText::new(quantity(mode.eigenvalue, "N/m")).color(tone)).on_hover_text(rate);
            });
        });
    }
    swing(ui, look);
}
