//! Gravity and wind.

use aplomb_sim::scene::{Gust, Scene, WindSettings};
use aplomb_sim::step::Unsupported;
use egui::Ui;

use super::{contact, simulate};
use crate::widgets::{Quantity, card, heading, limits_of, value_row, vector_row};

/// Draws the properties of the scene as a whole, which some steppers have `refused`; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, scene: &mut Scene, refused: &[Unsupported]) -> Option<&'static str> {
    let world = card(ui, |ui| {
        heading(ui, "World");
        let gravity = Quantity { unit: "m/s²", range: limits_of("gravity"), hint: "acceleration of gravity g" };
        let pulled = vector_row(ui, "Gravity", &mut scene.gravity, &gravity).then_some("Change gravity");
        wind(ui, &mut scene.wind).or(pulled)
    });
    let time = card(ui, |ui| simulate::show(ui, &mut scene.simulate, refused));
    let touch = card(ui, |ui| contact::show(ui, &mut scene.contact));
    world.or(time).or(touch)
}

fn wind(ui: &mut Ui, wind: &mut Option<WindSettings>) -> Option<&'static str> {
    let mut edited = None;
    let mut note = |changed: bool, label| {
        if changed {
            edited = Some(label);
        }
    };
    let mut blows = wind.is_some();
    if ui.checkbox(&mut blows, "Wind").on_hover_text("Moving air that pushes on the bodies' surfaces").changed() {
        *wind = blows.then_some(WindSettings { velocity: [5.0, 0.0, 0.0], density: 1.2, drag: 1.0, from: 0.0, gust: None });
        note(true, "Change wind");
    }
    if let Some(WindSettings { velocity, density, drag, from, gust }) = wind {
        let speed = Quantity { unit: "m/s", range: limits_of("wind.velocity"), hint: "velocity of the air" };
        note(vector_row(ui, "Velocity", velocity, &speed), "Change wind");
        let air = Quantity { unit: "kg/m³", range: limits_of("wind.density"), hint: "Density of the air: 1.2 at sea level" };
        note(value_row(ui, "Air density", density, &air), "Change wind");
        let plate = Quantity { unit: "", range: limits_of("wind.drag"), hint: "Drag coefficient c of a plate across the wind" };
        note(value_row(ui, "Drag", drag, &plate), "Change wind");
        let rises = Quantity { unit: "s", range: limits_of("wind.from"), hint: "Time from which it blows; the air is still before" };
        note(value_row(ui, "Starts at", from, &rises), "Change wind");
        let mut gusty = gust.is_some();
        if ui.checkbox(&mut gusty, "Gusts").on_hover_text("It swells and fades; steady without them").changed() {
            *gust = gusty.then_some(Gust { amplitude: 0.5, period: 1.0 });
            note(true, "Change gusts");
        }
        if let Some(Gust { amplitude, period }) = gust {
            let share = Quantity {
                unit: "× speed",
                range: limits_of("wind.gust.amplitude"),
                hint: "By how much the speed swells, as a share of it",
            };
            note(value_row(ui, "Swell", amplitude, &share), "Change gusts");
            note(
                value_row(
                    ui,
                    "Period",
                    period,
                    &Quantity { unit: "s", range: limits_of("wind.gust.period"), hint: "Time from gust to gust" },
                ),
                "Change gusts",
            );
        }
    }
    edited
}
