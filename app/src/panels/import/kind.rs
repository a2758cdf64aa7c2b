//! What a surface becomes: a solid, cloth, or another kind of body.

use aplomb_sim::bodies::cloth::{self, ClothSettings, RestShape, Seams};
use aplomb_sim::bodies::{BodyKind, kind_named};
use egui::{Checkbox, RichText, Ui};

use crate::preview::Preview;
use crate::theme::meaning;
use crate::widgets::{choice_row, fact_row, heading, significant};

/// Area of cloth over that of its panels beyond which, or below one over it, they are not cut to size.
const PLAUSIBLE: f64 = 2.0;

/// Draws the choice among `kinds`, and what is to be chosen of the one at hand.
pub fn show(ui: &mut Ui, preview: &mut Preview, kinds: &[&'static BodyKind]) {
    heading(ui, "What it becomes");
    let now = preview.choices.kind.as_ref().map_or("", |settings| settings.kind.as_str());
    let name = |kind: &BodyKind| if kind.settings.is_some() { kind.name } else { "" };
    let choices: Vec<_> = kinds.iter().map(|kind| (name(kind), kind.label, kind.doc)).collect();
    let mut chosen = now;
    if choice_row(ui, "Kind", &mut chosen, &choices)
        && let Some(kind) = kinds.iter().find(|kind| name(kind) == chosen)
    {
        preview.make(kind);
    }
    let Some(settings) = preview.choices.kind.clone() else { return };
    if settings.kind == cloth::NAME
        && let Ok(mut cloth) = settings.parse::<ClothSettings>()
    {
        if of_cloth(ui, preview, &mut cloth)
            && let (Ok(values), Some(kind)) = (serde_json::to_value(&cloth), &mut preview.choices.kind)
        {
            kind.settings = values;
        }
        return;
    }
    let doc = kind_named(&settings.kind).map_or("", |kind| kind.doc);
    let dim = meaning(ui).dim;
    ui.label(RichText::new(doc).color(dim).small());
}

/// Where cloth rests, and what is sewn; true if that changed.
fn of_cloth(ui: &mut Ui, preview: &Preview, cloth: &mut ClothSettings) -> bool {
    let before = cloth.clone();
    let colors = meaning(ui);
    let cut = preview.cut();
    let mut rests = cloth.rest == RestShape::Uv;
    let hint = "Its texture coordinates are flat panels, cut to size: unstretched at rest. Otherwise it rests in the shape of the file";
    let missing = "The file has no texture coordinates (vt lines), or not for all triangles: export it with them";
    let pattern = ui.add_enabled(cut.is_some(), Checkbox::new(&mut rests, "Rest in its sewing pattern (uv)"));
    if pattern.on_hover_text(hint).on_disabled_hover_text(missing).changed() {
        cloth.rest = if rests { RestShape::Uv } else { RestShape::Given };
    }
    if let Some(cut) = cut.filter(|_| rests) {
        let metres = preview.choices.unit.metres();
        let [wide, tall] = cut.size.map(|length| significant(length * metres, 3));
        fact_row(ui, "Panels", &format!("{wide} × {tall} m"), None, "Width and height of all panels as they lie in the file");
        let odd = !(1.0 / PLAUSIBLE..=PLAUSIBLE).contains(&cut.ratio);
        let ratio = format!("× {}", significant(cut.ratio, 3));
        let hint = "Area of the surface over that of its panels: near 1 where they are cut to size";
        fact_row(ui, "Area over theirs", &ratio, odd.then_some(colors.warning), hint);
        if odd {
            let words = "The panels are not to size. If only their unit is another one, give the unit of the pattern once it is imported.";
            ui.label(RichText::new(words).color(colors.warning).small());
        }
    }
    let stitches = preview.raw.as_ref().map_or(0, |raw| raw.stitches.len());
    let mut sewn = cloth.seams.as_ref().is_some_and(|seams| seams.from_file);
    let words = if stitches > 0 { format!("Sew its {stitches} stitches") } else { "Sew as the file says".to_owned() };
    let missing = "The file names no stitches; borders that lie near one another can be sewn once it is imported";
    let sew = ui.add_enabled(stitches > 0, Checkbox::new(&mut sewn, words));
    if sew.on_hover_text("The stitches that the file names hold its panels together").on_disabled_hover_text(missing).changed() {
        cloth.seams = sewn.then(|| Seams { from_file: true, ..Seams::default() });
    }
    ui.label(RichText::new("A light woven cotton to begin with; other fabrics stand beside its settings.").color(colors.dim).small());
    *cloth != before
}
