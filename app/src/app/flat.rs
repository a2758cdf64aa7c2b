//! The sewing pattern between the frames: what its panel is told, and what was done in it.

use super::App;
use crate::document::Action;
use crate::panels::{Look, Picture};
use crate::viewport::{BodyDraw, DrawList};

impl App {
    /// Tells the panel of the pattern what the body at hand looks like, whether a view shows it or not, and what the brush does.
    pub(super) fn tell_pattern(&mut self) {
        let is_shown = std::mem::take(&mut self.desk.pattern.wanted);
        if !is_shown || self.layout.maximised().is_some() {
            self.desk.pattern.over = None;
        }
        if !is_shown {
            (self.desk.pattern.seen, self.desk.pattern.pointed) = (None, None);
            return;
        }
        let at_hand = self.look(&mut Vec::new(), |look: &mut Look<'_>| look.body_at_hand());
        let tracks: Vec<_> = std::iter::once(&self.main).chain(&self.twin).collect();
        let tone = Picture::legend(&tracks, self.desk.color_by, &self.desk.legends).map(|subject| subject.tone);
        let whole = at_hand.and_then(|b| Some((b, self.pictures[1].whole(&self.document, &self.main, &self.desk, tone, b)?)));
        // Strokes and fields go into lists of all bodies.
        let list = whole.map(|(b, body)| {
            let before = std::iter::repeat_with(BodyDraw::default).take(b);
            DrawList { bodies: before.chain([body]).collect(), dark: self.dark, ..DrawList::default() }
        });
        let seen = list.and_then(|mut list| {
            self.color_field(&mut list);
            self.tint_painted(&mut list);
            list.bodies.pop()
        });
        self.desk.pattern.seen = seen;
        self.desk.pattern.tool = self.tool();
    }

    /// Does what was done in the pattern, as if a view had it.
    pub(super) fn take_pattern(&mut self, actions: &mut Vec<Action>) {
        for event in std::mem::take(&mut self.desk.pattern.events) {
            self.take_view_event(event, false, actions);
        }
    }
}
