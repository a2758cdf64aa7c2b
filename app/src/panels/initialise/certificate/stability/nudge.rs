//! The nudge test: a button, and what became of the kicked body.

use aplomb_sim::stats::report::{KickDirection, KickReport, NudgeVerdict};
use egui::{Button, RichText, Ui};

use crate::document::Action;
use crate::panels::Look;
use crate::session::Certificate;
use crate::theme::meaning;
use crate::widgets::unit::Shown;
use crate::widgets::{fact_row, significant};

/// How far off from 1 the softness of an initialised body may be: beyond it, holding the shape has changed how it feels.
const ALIKE: f64 = 0.2;

/// Draws the button.
pub fn button(ui: &mut Ui, look: &mut Look<'_>) {
    let ready = !look.main.activity.is_busy() && look.is_current();
    let button = ui.add_enabled(ready, Button::new("Nudge test"));
    if button.on_hover_text("Kick the body in its equilibrium, and watch whether it comes back (Ctrl+Shift+N)").clicked() {
        look.actions.push(Action::NudgeTest);
    }
}

/// Draws the last result.
pub fn show(ui: &mut Ui, certificate: &Certificate) {
    let colors = meaning(ui);
    let Some(report) = &certificate.nudge else { return };
    for kick in &report.kicks {
        let tone = if kick.verdict == NudgeVerdict::Returns { colors.good } else { colors.warning };
        let name = match kick.direction {
            KickDirection::SoftestMode => "Kick, softest mode",
            KickDirection::Uniform => "Kick, all alike",
            KickDirection::Waves => "Kick, in waves",
        };
        fact_row(ui, name, &outcome(kick), Some(tone), &details(kick));
    }
    if let Some(compliance) = report.compliance {
        let tone = if (compliance.ratio - 1.0).abs() <= ALIKE { colors.good } else { colors.warning };
        let hint = "Displacement under a small push, over that of the undeformed body: near 1, holding its shape has not made it stiff";
        fact_row(ui, "Softness over naive", &format!("× {}", significant(compliance.ratio, 3)), Some(tone), hint);
    }
    if report.agrees == Some(false) {
        ui.label(RichText::new("The eigenvalues say otherwise.").color(colors.warning).small());
    }
}

fn outcome(kick: &KickReport) -> String {
    let word = match kick.verdict {
        // What nothing pulls back, as on a smooth floor, stays near.
        NudgeVerdict::Returns if kick.decay > 0.5 => "stays",
        NudgeVerdict::Returns => "returns",
        NudgeVerdict::Leaves => "leaves",
    };
    // Both in the unit of the larger one, so that they are compared at a glance, and short enough for the row.
    let shown = Shown::of(kick.peak.max(kick.end), "m");
    let [peak, end] = [kick.peak, kick.end].map(|length| significant(length / shown.size, 2));
    format!("{word}, {peak} › {end} {}", shown.name)
}

fn details(kick: &KickReport) -> String {
    let seconds = significant(kick.steps as f64 * kick.step_size, 3);
    format!(
        "Kicked with {} m/s; farthest displacement {} m, {} m after {seconds} s. Contacts that push: {} before, {} after",
        significant(kick.velocity, 3),
        significant(kick.peak, 3),
        significant(kick.end, 3),
        kick.contacts_before,
        kick.contacts_after
    )
}
