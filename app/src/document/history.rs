//! Undo and redo: whole scenes, one for each interaction that has settled.

use std::sync::Arc;

use aplomb_sim::scene::Scene;

/// Undo steps that are kept.
const LIMIT: usize = 200;

/// A step that can be taken back.
#[derive(Debug, Clone)]
struct Entry {
    label: String,
    scene: Arc<Scene>,
}

/// What can be undone and redone.
#[derive(Debug, Default)]
pub struct History {
    done: Vec<Entry>,
    undone: Vec<Entry>,
    open: Option<Entry>,
}

impl History {
    /// An interaction named `label` goes on, or begins at `before`.
    pub fn begin(&mut self, label: &str, before: &Arc<Scene>) {
        if self.open.as_ref().is_some_and(|open| open.label != label) {
            self.settle(before);
        }
        self.open.get_or_insert_with(|| Entry { label: label.to_owned(), scene: Arc::clone(before) });
    }

    /// The interaction ended at `now`.
    pub fn settle(&mut self, now: &Arc<Scene>) {
        if let Some(open) = self.open.take().filter(|open| open.scene != *now) {
            self.done.push(open);
            self.undone.clear();
            if self.done.len() > LIMIT {
                self.done.remove(0);
            }
        }
    }

    /// The scene before the last step.
    pub fn undo(&mut self, now: &Arc<Scene>) -> Option<Arc<Scene>> {
        swap(&mut self.done, &mut self.undone, now)
    }

    /// The scene after the step that was taken back last.
    pub fn redo(&mut self, now: &Arc<Scene>) -> Option<Arc<Scene>> {
        swap(&mut self.undone, &mut self.done, now)
    }

    /// Names of all steps, from the first on, and how many of them are done.
    pub fn steps(&self) -> (Vec<&str>, usize) {
        let done = self.done.iter().chain(&self.open);
        let steps: Vec<&str> = done.chain(self.undone.iter().rev()).map(|entry| entry.label.as_str()).collect();
        (steps, self.done.len() + usize::from(self.open.is_some()))
    }

    /// Name of the step that [`Self::undo`] would take back.
    pub fn undo_label(&self) -> Option<&str> {
        self.open.as_ref().or(self.done.last()).map(|entry| entry.label.as_str())
    }

    /// Name of the step that [`Self::redo`] would do again.
    pub fn redo_label(&self) -> Option<&str> {
        self.undone.last().map(|entry| entry.label.as_str())
    }
}

fn swap(from: &mut Vec<Entry>, to: &mut Vec<Entry>, now: &Arc<Scene>) -> Option<Arc<Scene>> {
    let Entry { label, scene } = from.pop()?;
    to.push(Entry { label, scene: Arc::clone(now) });
    Some(scene)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_told_in_the_order_in_which_they_were_made() {
        let scene = |name: &str| Arc::new(Scene::empty(name));
        let mut history = History::default();
        let mut now = scene("0");
        for name in ["1", "2", "3"] {
            history.begin(name, &now);
            now = scene(name);
            history.settle(&now);
        }
        assert_eq!(history.steps(), (vec!["1", "2", "3"], 3));
        now = history.undo(&now).unwrap_or(now);
        now = history.undo(&now).unwrap_or(now);
        assert_eq!((history.steps(), now.name.as_str()), ((vec!["1", "2", "3"], 1), "1"));
        history.begin("4", &now);
        assert_eq!(history.steps(), (vec!["1", "4", "2", "3"], 2), "while it lasts, nothing is lost");
        history.settle(&scene("4"));
        assert_eq!(history.steps(), (vec!["1", "4"], 2));
    }
}
