//! What an imported body is to be made of: tried on a thread of its own, and taken over unless the scene is changed meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, TryRecvError};

use aplomb_sim::scene::{Scene, SceneProblem};
use aplomb_sim::watch::Flagged;

use super::App;
use crate::document::{PRESETS, Proposal, propose};
use crate::session::Activity;

/// A trial of materials that goes on; dropping it gives it up.
#[derive(Debug)]
pub(super) struct Trial {
    body: usize,
    scene: Arc<Scene>,
    given_up: Arc<AtomicBool>,
    answer: Receiver<Result<Proposal, Vec<SceneProblem>>>,
}

impl Drop for Trial {
    fn drop(&mut self) {
        self.given_up.store(true, Ordering::Relaxed);
    }
}

impl App {
    /// Begins the trial for a body that was imported, once it is loaded as it is to stand.
    pub(super) fn begin_trial(&mut self) {
        let is_loaded = self.main.activity == Activity::Idle && self.main.is_up_to_date() && self.filling.is_none();
        let Some((body, material)) = self.untried.take_if(|_| is_loaded) else { return };
        // A material that the user gave is kept.
        if self.document.scene().bodies.get(body).is_none_or(|body| body.material.as_ref() != Some(&material)) {
            return;
        }
        let (scene, folder) = (Arc::clone(self.document.scene()), self.document.folder().to_path_buf());
        let given_up = Arc::new(AtomicBool::new(false));
        let (sender, answer) = mpsc::channel();
        let (tried, flag, wake_up) = (Arc::clone(&scene), Arc::clone(&given_up), Arc::clone(&self.wake_up));
        let thread = std::thread::Builder::new().name("materials".to_owned()).spawn(move || {
            let watch = Flagged { cancel: &flag, report: |_: &str, _: f64| {} };
            // Nobody receives once the trial was given up.
            let _ = sender.send(propose(&tried, &[body], &folder, &watch));
            wake_up();
        });
        // Without a thread the body keeps the material that its size asks for.
        self.trial = thread.is_ok().then_some(Trial { body, scene, given_up, answer });
    }

    /// Takes in what the trial came to. A scene that was changed meanwhile is left as its user has it, and where it was initialised or
    /// played meanwhile the material is named only: another one would drop what was computed.
    pub(super) fn take_trial(&mut self) {
        let Some(trial) = &self.trial else { return };
        if trial.scene != *self.document.scene() {
            self.trial = None;
            return;
        }
        let answer = match trial.answer.try_recv() {
            Err(TryRecvError::Empty) => return,
            Ok(answer) => answer.ok(),
            Err(TryRecvError::Disconnected) => None,
        };
        let body = trial.body;
        self.trial = None;
        let stiffest = PRESETS.last().map_or("", |preset| preset.name);
        let is_in_use = self.main.activity != Activity::Idle || self.main.certificate.is_some() || self.recorded() > 0;
        self.desk.note = match answer {
            Some(Proposal::Softest(preset)) if is_in_use => {
                let name = &self.document.scene().bodies[body].name;
                Some(format!("{} is the softest material tried with which {name} holds its shape: choose it under Material", preset.name))
            }
            Some(Proposal::Softest(preset)) => {
                let mut scene = (**self.document.scene()).clone();
                scene.bodies[body].material.iter_mut().for_each(|material| preset.apply(material));
                let name = scene.bodies[body].name.clone();
                self.document.restate(scene);
                self.load();
                Some(format!("{name} is of {}: the softest material tried with which it holds its shape", preset.name))
            }
            Some(Proposal::NoneHolds(reason)) => {
                Some(format!("None of the materials up to {stiffest} makes the body keep its shape: {reason}"))
            }
            Some(Proposal::NotHeld(reason)) => Some(format!("No material makes the body keep its shape yet: {reason}")),
            Some(Proposal::Cancelled) | None => self.desk.note.take(),
        };
    }

    /// Gives the trial up; the body keeps the material that its size asks for.
    pub(super) fn give_trial_up(&mut self) {
        if self.trial.take().is_some() || self.untried.take().is_some() {
            self.desk.note = Some("The trial of materials was given up".to_owned());
        }
    }
}
