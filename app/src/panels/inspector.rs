//! Properties of what is selected, with units.

mod attach;
mod body;
pub use body::{UNITS, UP_AXES};
mod contact;
mod fill;
mod kind;
mod material;
mod motion;
mod obstacle;
mod place;
mod probe;
mod region;
mod role;
mod several;
mod shape;
mod simulate;
mod world;

use egui::Ui;

use super::Look;
use crate::document::Selection;

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let mut scene = (**look.document.scene()).clone();
    let selection = look.document.selection;
    let before = look.desk.inspected.replace(selection);
    // Each object has fields of its own: what was said about an entry into one is not said about another.
    let edited = ui.push_id(selection, |ui| match selection {
        _ if look.document.selected().len() > 1 => several::show(ui, look, &mut scene),
        Selection::Scene => {
            // What is loaded tells as long as it is of this scene; without it, nothing is refused before its time.
            let model = look.main.model.as_ref().filter(|_| look.main.is_up_to_date());
            world::show(ui, &mut scene, model.map_or(&[], |model| &model.refused))
        }
        Selection::Body(b) => body::show(ui, look, &mut scene, b),
        Selection::Region(b, r) => region::show(ui, look, &mut scene, b, r),
        Selection::Obstacle(o) => obstacle::show(ui, look, &mut scene, o),
        Selection::Probe(p) => probe::show(ui, look, &mut scene, p),
        Selection::Place(b, place) => place::show(ui, look, &mut scene, b, place),
    });
    if before.is_some_and(|before| before != selection) {
        // What is selected is seen, under however much it stands.
        let rect = edited.response.rect;
        // Of what is taller than the column, its beginning.
        ui.scroll_to_rect(rect.with_max_y(rect.bottom().min(rect.top() + ui.clip_rect().height())), None);
    }
    let edited = edited.inner;
    if let Some(label) = edited {
        look.edit(label, scene);
    }
}

#[cfg(test)]
mod tests {
    use super::{body, contact, material, obstacle, probe, simulate};
    use crate::widgets::assert_rows;

    #[test]
    fn every_key_has_a_row() {
        assert_rows("bodies[]", body::BY_HAND);
        assert_rows("bodies[].material", material::BY_HAND);
        assert_rows("obstacles[]", obstacle::BY_HAND);
        assert_rows("probes[]", probe::BY_HAND);
        assert_rows("contact", contact::BY_HAND);
        assert_rows("simulate", simulate::BY_HAND);
    }
}
