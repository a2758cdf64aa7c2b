//! The predicted drift, with the time that it is predicted for.

use aplomb_sim::sag_free::stability::forecast::{Forecast, Means};
use egui::Ui;

use crate::session::Certificate;
use crate::theme::meaning;
use crate::widgets::{fact_row, percent, quantity, section};

/// A share of the diagonal below which a body stays where it is, for the eye.
const UNSEEN: f64 = 1e-4;

/// Draws the section. It has its place before the forecast is there, so that nothing moves under the mouse when it comes.
pub fn show(ui: &mut Ui, certificate: &Certificate) {
    let colors = meaning(ui);
    let Some(forecast) = &certificate.report.forecast else {
        return section(ui, "Predicted drift", "not yet told", Some(colors.dim), false, |ui| {
            ui.label("It is worked out after the verdict");
        });
    };
    let Forecast { horizon_s, drift_m, drift_share, by, reason, .. } = forecast;
    let horizon = quantity(*horizon_s, "s");
    let hint = "Largest distance of a vertex from the given shape, as a share of the diagonal, that a run will come to";
    match (drift_m, drift_share) {
        (Some(metres), Some(share)) => {
            let tone = if *share < UNSEEN { colors.good } else { colors.warning };
            section(ui, "Predicted drift", &format!("{} in {horizon}", percent(*share)), Some(tone), false, |ui| {
                fact_row(ui, &format!("After {horizon}"), &quantity(*metres, "m"), Some(tone), hint);
                let (words, hint) = match by {
                    Means::Linear => ("small motions", "By the linear system that each step solves, projected on its own answers"),
                    _ => (
                        "coarse steps",
                        "The motion is not small: followed by a few long steps, so that it is right to a factor of about two",
                    ),
                };
                fact_row(ui, "Told by", words, None, hint);
            });
        }
        _ => {
            let why = reason.as_deref().unwrap_or_default();
            section(ui, "Predicted drift", &format!("unknown in {horizon}"), Some(colors.dim), false, |ui| {
                ui.label(why);
            });
        }
    }
}
