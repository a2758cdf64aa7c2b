//! The tets of a body that was made of a surface: how many, how good, and how fine they are to be.

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::{Body, TetrahedraliseSettings};
use egui::{RichText, Ui};

use crate::document::Action;
use crate::panels::import::{grading_row, repair_name};
use crate::panels::outliner::grouped;
use crate::preview::Resolution;
use crate::session::ModelBody;
use crate::theme::meaning;
use crate::widgets::{dense, fact_row, heading, percent, significant};

/// Tets where the scene names neither a number nor a length, and the grading where it names none.
const TETS: u32 = 20_000;
const SAME: f64 = 2.0;
/// Smallest dihedral angle that is well shaped [degrees].
const SOUND: f64 = 8.0;

/// Draws the card of a body that is filled; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, body: &mut Body, model: Option<&ModelBody>, actions: &mut Vec<Action>) -> Option<&'static str> {
    heading(ui, "Shape");
    let skin = model.and_then(|model| Some((model, model.skin.as_ref()?)));
    if let Some((model, skin)) = skin {
        let colors = meaning(ui);
        ui.scope(|ui| {
            dense(ui);
            fact_row(ui, "Tets", &grouped(model.mesh.tets().len()), None, "Tetrahedra inside the surface");
            let report = &skin.report;
            let angle = format!("{}°", significant(report.min_dihedral_degrees, 3));
            let tone = if report.min_dihedral_degrees < SOUND { colors.warning } else { colors.good };
            fact_row(ui, "Smallest angle", &angle, Some(tone), "Smallest angle between two faces of a tet; 70.5° in a regular one");
            let error = report.volume_error.map_or_else(|| "open surface".to_owned(), percent);
            fact_row(ui, "Volume error", &error, None, "Volume of the tets over that inside the surface, less 1");
            let dropped = report.repairs.dropped_components;
            if dropped > 0 {
                let hint = "Parts of the solid that are so small or thin that few tets fell into them: use more tets, or shorter edges";
                fact_row(ui, "Parts left out", &grouped(dropped), Some(colors.warning), hint);
            }
            let thin = &report.thin;
            if thin.share > 0.0 {
                let hint = "Share of the surface under which the solid is thinner than one tet: it bends more stiffly there than it should";
                fact_row(ui, "Thinner than the tets", &percent(thin.share), None, hint);
            }
            if let Some(at) = thin.at {
                let hint = "Share of the surface that is far from all tets: use more of them, or shorter edges";
                fact_row(ui, "Missed by the tets", &percent(thin.lost), Some(colors.warning), hint);
                let mut place = [Vec3::from(at)];
                body.transform.apply(&mut place);
                if ui.button("Show the place").on_hover_text("Mark where most is missed, and move the camera there").clicked() {
                    actions.push(Action::Show(place.to_vec()));
                }
            }
        });
    }
    let settings = body.tetrahedralise.as_mut()?;
    let measure = skin.map_or((0.0, 0.0), |(_, skin)| skin.measure);
    let mut edited = None;
    if resolution(ui, settings, measure) {
        edited = Some("Change resolution");
    }
    let mut dropped = None;
    for (index, repair) in settings.repair.iter().enumerate() {
        let mut on = true;
        if ui.checkbox(&mut on, repair_name(*repair)).on_hover_text("Done before filling; the file stays as it is").changed() {
            dropped = Some(index);
        }
    }
    if let Some(index) = dropped {
        settings.repair.remove(index);
        edited = Some("Change repairs");
    }
    let dim = meaning(ui).dim;
    ui.label(RichText::new("Painted regions stay: they are on the surface.").color(dim).small());
    edited
}

/// Of the number of tets and the length of edges, the one changed last leads. True if something changed.
fn resolution(ui: &mut Ui, settings: &mut TetrahedraliseSettings, measure: (f64, f64)) -> bool {
    let mut grading = settings.grading.unwrap_or(SAME);
    let by_length = settings.edge_length.is_some();
    let mut resolution = Resolution { tets: settings.tets.unwrap_or(TETS), edge_length: settings.edge_length.unwrap_or(0.01), by_length };
    resolution.follow(measure, grading);
    let changed = resolution.show(ui);
    if changed {
        settings.tets = (!resolution.by_length).then_some(resolution.tets);
        settings.edge_length = resolution.by_length.then_some(resolution.edge_length);
    }
    let graded = grading_row(ui, &mut grading);
    if graded {
        settings.grading = Some(grading);
    }
    changed | graded
}
