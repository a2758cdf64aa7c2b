//! All numbers of one vertex or element, now.

use aplomb_sim::bodies::select::region_cells;
use aplomb_sim::element::Fact;
use aplomb_sim::scene::{Body, MaterialSettings, ProbePlace, RegionRole, Scene};
use aplomb_sim::system::describe::NodeSupport;
use egui::{RichText, Ui};

use crate::document::{Selection, new_probe};
use crate::panels::Look;
use crate::session::{ModelBody, PlaceFacts};
use crate::theme::meaning;
use crate::widgets::unit::Shown;
use crate::widgets::{card, dense, fact_row, heading, quantity, significant};

/// Draws the numbers of a place, with a button that pins a probe there; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, scene: &mut Scene, body: usize, at: ProbePlace) -> Option<&'static str> {
    let hint = "Keep this place as a probe: it gets a name, a card in the view, and plots";
    if ui.button("Pin a probe here").on_hover_text(hint).clicked() {
        scene.probes.push(new_probe(scene, body, at)?);
        look.actions.push(crate::document::Action::Select(Selection::Probe(scene.probes.len() - 1)));
        return Some("New probe");
    }
    numbers(ui, look);
    None
}

/// Draws the numbers of the place that the session looks at closely.
pub fn numbers(ui: &mut Ui, look: &Look<'_>) {
    let facts = look.main.snapshot.as_ref().and_then(|snapshot| snapshot.place.clone());
    let Some(facts) = facts.filter(|facts| Some(Some(facts.place)) == look.main.looked_at()) else {
        ui.weak("The numbers come as soon as the scene is loaded.");
        return;
    };
    let model = look.main.model.as_ref().and_then(|model| model.bodies.get(facts.place.body));
    let body = look.document.scene().bodies.get(facts.place.body);
    card(ui, |ui| {
        dense(ui);
        let noun = facts.place.at.noun();
        let mut title = noun[..1].to_uppercase();
        title.push_str(&noun[1..]);
        heading(ui, &format!("{title} {}", facts.place.at.index()));
        whereabouts(ui, &facts, body, model);
    });
    card(ui, |ui| {
        dense(ui);
        heading(ui, "Now");
        facts.facts.iter().for_each(|fact| number(ui, fact));
    });
}

fn whereabouts(ui: &mut Ui, facts: &PlaceFacts, body: Option<&Body>, model: Option<&ModelBody>) {
    let plain = |ui: &mut Ui, label: &str, value: &str, hint: &str| fact_row(ui, label, value, None, hint);
    if let Some(body) = body {
        plain(ui, "Body", &body.name, "The body that it is of");
    }
    if let Some(family) = facts.family {
        plain(ui, "Kind", family, "The family of elements that it is of");
    }
    if let Some(number) = facts.number {
        plain(ui, "In the system", &number.to_string(), "Its number where all bodies are counted, as in exports and messages");
    }
    if let Some(number) = facts.in_file {
        plain(ui, "In the file", &number.to_string(), "Its number in the mesh file");
    }
    let nodes = facts.nodes.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    plain(ui, "Nodes", &nodes, "The nodes that it is made of, counted from the first of the body");
    if let Some(support) = facts.support {
        let words = match support {
            NodeSupport::Free => "free",
            NodeSupport::Held => "held",
            NodeSupport::Driven => "moved",
            NodeSupport::Sliding => "slides",
        };
        plain(ui, "Support", words, "What supports leave it");
    }
    if let (ProbePlace::Element(cell), Some(body), Some(model)) = (facts.place.at, body, model)
        && let Some((law, of)) = law(body, model, cell)
    {
        plain(ui, "Law", &law, &format!("Of {of}"));
    }
}

/// The law of a cell, and what says so: the last region of materials that holds it, else the body.
fn law(body: &Body, model: &ModelBody, cell: u32) -> Option<(String, String)> {
    let named = |material: &MaterialSettings, of: &str| (material.law.clone(), format!("`{of}`"));
    let regions = body.regions.iter().rev().filter_map(|region| match &region.role {
        RegionRole::Material(material) => Some((region, material)),
        _ => None,
    });
    let holding = { regions }.find(|(region, _)| region_cells(&model.mesh, region).contains(&cell));
    holding.map(|(region, material)| named(material, &region.name)).or(body.material.as_ref().map(|material| named(material, &body.name)))
}

/// One number, or several below one another's name.
fn number(ui: &mut Ui, fact: &Fact) {
    let mut name = fact.name.to_owned();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let unit = if fact.unit.is_empty() { String::new() } else { format!(" [{}]", fact.unit) };
    let exact = fact.values.iter().map(|value| significant(*value, 9)).collect::<Vec<_>>().join(", ");
    let hint = format!("{}{unit}\n{exact}", fact.doc);
    if let [one] = fact.values.as_slice() {
        return fact_row(ui, &name, &quantity(*one, fact.unit), None, &hint);
    }
    // In one unit, that of the largest.
    let largest = fact.values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let shown = Shown::of(largest, fact.unit);
    let size = fact.values.iter().map(|value| value * value).sum::<f64>().sqrt();
    let values = fact.values.iter().map(|value| significant(value / shown.size, 4)).collect::<Vec<_>>().join("  ");
    let is_vector = fact.values.len() == 3 && !fact.unit.is_empty() && !fact.name.starts_with("principal") && fact.name != "position";
    let head = if is_vector { quantity(size, fact.unit) } else { String::new() };
    fact_row(ui, &name, &head, None, &hint);
    ui.horizontal(|ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let text = RichText::new(format!("{values} {}", shown.name).trim_end()).small().color(meaning(ui).dim);
            ui.label(text).on_hover_text(hint);
        });
    });
}
