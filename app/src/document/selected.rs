//! Several things at once: the one that was selected last leads, the others come along.

use aplomb_sim::scene::Scene;

use super::{Document, Selection};

impl Selection {
    /// Whether there is such a thing in `scene`.
    pub fn is_in(self, scene: &Scene) -> bool {
        match self {
            Self::Scene => true,
            Self::Body(b) => b < scene.bodies.len(),
            Self::Region(b, r) => scene.bodies.get(b).is_some_and(|body| r < body.regions.len()),
            Self::Obstacle(o) => o < scene.obstacles.len(),
            Self::Probe(p) => p < scene.probes.len(),
            Self::Place(b, _) => b < scene.bodies.len(),
        }
    }

    /// Its name.
    pub fn name(self, scene: &Scene) -> &str {
        match self {
            Self::Scene => Some(&scene.name),
            Self::Body(b) => scene.bodies.get(b).map(|body| &body.name),
            Self::Region(b, r) => scene.bodies.get(b).and_then(|body| body.regions.get(r)).map(|region| &region.name),
            Self::Obstacle(o) => scene.obstacles.get(o).map(|obstacle| &obstacle.name),
            Self::Probe(p) => scene.probes.get(p).map(|probe| &probe.name),
            Self::Place(..) => None,
        }
        .map_or("", String::as_str)
    }

    /// Everything that can be selected but the scene itself, as the outliner has it.
    pub fn all(scene: &Scene) -> Vec<Self> {
        let bodies = scene.bodies.iter().enumerate().flat_map(|(b, body)| {
            let regions = (0..body.regions.len()).map(move |r| Self::Region(b, r));
            std::iter::once(Self::Body(b)).chain(regions)
        });
        bodies.chain((0..scene.obstacles.len()).map(Self::Obstacle)).collect()
    }
}

impl Document {
    /// All that is selected, beginning with what leads; never the scene along with others.
    pub fn selected(&self) -> Vec<Selection> {
        std::iter::once(self.selection).chain(self.along().iter().copied()).collect()
    }

    /// Whether it is selected, alone or with others.
    pub fn is_selected(&self, what: Selection) -> bool {
        self.selection == what || self.along().contains(&what)
    }

    fn along(&self) -> &[Selection] {
        if self.along.0 == self.selection { &self.along.1 } else { &[] }
    }

    /// Selects these, of which the last leads; the scene where there are none.
    pub fn select_these(&mut self, these: &[Selection]) {
        let mut these: Vec<Selection> = these.iter().copied().filter(|one| *one != Selection::Scene).collect();
        self.selection = these.pop().unwrap_or_default();
        these.retain(|one| *one != self.selection);
        these.reverse();
        self.along = (self.selection, these);
    }

    /// Selects one more, which leads from now on; not if it is selected already: then no more.
    pub fn select_along(&mut self, what: Selection) {
        let mut these = self.selected();
        these.reverse();
        if self.is_selected(what) {
            these.retain(|one| *one != what);
        } else {
            these.push(what);
        }
        self.select_these(&these);
    }

    /// Selects everything between what leads and this one, in the order of the outliner.
    pub fn select_up_to(&mut self, what: Selection) {
        let all = Selection::all(&self.scene);
        let place = |of: Selection| all.iter().position(|one| *one == of);
        match (place(self.selection), place(what)) {
            (Some(from), Some(to)) if from <= to => self.select_these(&all[from..=to]),
            (Some(from), Some(to)) => {
                let mut back = all[to..=from].to_vec();
                back.reverse();
                self.select_these(&back);
            }
            _ => self.select_these(&[what]),
        }
    }

    /// What comes along and is gone is selected no more.
    pub(super) fn keep_along(&mut self) {
        self.along.1.retain(|one| one.is_in(&self.scene));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::document::ShapeKind;

    fn document() -> Document {
        let mut scene = Scene::empty("s");
        for kind in [ShapeKind::Ball, ShapeKind::Box, ShapeKind::Ring, ShapeKind::Capsule] {
            let bounds = (aplomb_sim::math::Vec3::zeros(), aplomb_sim::math::Vec3::repeat(1.0));
            let obstacle = crate::document::new_obstacle(&scene, kind, bounds, Default::default());
            scene.obstacles.push(obstacle);
        }
        Document::unsaved(scene, Default::default())
    }

    #[test]
    fn one_more_leads_and_one_more_time_is_no_more() {
        use Selection::Obstacle;
        let mut document = document();
        document.select_along(Obstacle(0));
        assert_eq!(document.selected(), [Obstacle(0)]);
        document.select_along(Obstacle(2));
        document.select_along(Obstacle(1));
        assert_eq!(document.selected(), [Obstacle(1), Obstacle(2), Obstacle(0)]);
        document.select_along(Obstacle(1));
        assert_eq!(document.selected(), [Obstacle(2), Obstacle(0)], "what was there before leads again");
        document.select_these(&[Obstacle(2)]);
        assert_eq!(document.selected(), [Obstacle(2)], "what leads alone is alone");
        document.selection = Obstacle(3);
        assert_eq!(document.selected(), [Obstacle(3)], "whoever selects one thing selects no other");
        document.select_these(&[]);
        assert_eq!(document.selected(), [Selection::Scene]);
    }

    #[test]
    fn a_range_goes_both_ways_and_what_is_gone_is_selected_no_more() {
        use Selection::Obstacle;
        let mut document = document();
        document.selection = Obstacle(2);
        document.select_up_to(Obstacle(0));
        assert_eq!(document.selected(), [Obstacle(0), Obstacle(1), Obstacle(2)]);
        let mut scene = (**document.scene()).clone();
        scene.obstacles.truncate(2);
        document.edit("less", scene);
        assert_eq!(document.selected(), [Obstacle(0), Obstacle(1)]);
        document.undo();
        assert_eq!(document.selected(), [Obstacle(0), Obstacle(1)]);
    }
}
