//! What the editor knows of a session: the model, the latest snapshot, every step's numbers, the certificate.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use aplomb_sim::bodies::keys::{live_changes, same_contacts, same_geometry, same_runs};
use aplomb_sim::math::Vec3;
use aplomb_sim::rest_shape::{RestMethod, RestShape};
use aplomb_sim::sag_free::FoundContact;
use aplomb_sim::scene::{Method, Scene, SceneProblem, Transform};
use aplomb_sim::stats::report::{InitReport, NudgeReport};

use super::displaced::displaced;
use super::{Clock, Event, Export, Findings, Model, Place, Request, Samples, Series, Session, SessionError, Snapshot, WakeUp};

/// What a session is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// Nothing.
    Idle,
    /// Reading meshes and assembling.
    Loading,
    /// Choosing the rest state.
    Initialising,
    /// Putting an edited scene into balance while one goes on working, and judging it.
    Balancing,
    /// Something that takes a while and is shown with its progress.
    Working,
    /// Stepping.
    Running,
}

impl Activity {
    /// Whether work is in hand that has an end, and that one waits for; what goes on beside one's own work is not.
    pub fn is_busy(self) -> bool {
        matches!(self, Self::Loading | Self::Initialising | Self::Working)
    }
}

/// How far the work in hand is.
#[derive(Debug, Clone)]
pub struct Progress {
    /// Name of the stage.
    pub stage: String,
    /// Share of it that is done, never going back within a stage.
    pub done: f64,
    /// When the work began.
    pub since: Instant,
}

/// The report of an initialisation, and the scene that it is true for.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// The report.
    pub report: InitReport,
    /// What the report has no room for.
    pub findings: Findings,
    /// What became of the nudged body, if it was nudged.
    pub nudge: Option<NudgeReport>,
    /// Whether it is known if the equilibrium is stable; until then the report is silent on it.
    pub is_judged: bool,
    /// Wall seconds from the edit to the balance, where it was found while one went on working.
    pub live_seconds: Option<f64>,
    scene: Arc<Scene>,
}

impl Certificate {
    /// Whether `scene` differs from the one certified in anything that the result depends on.
    pub fn is_stale(&self, scene: &Scene) -> bool {
        !same_runs(&self.scene, scene)
    }
}

/// A scene with its painted regions on meshes that changed.
pub struct Repainted {
    /// The scene before.
    pub asked: Arc<Scene>,
    /// The scene after.
    pub scene: Scene,
}

/// A session, and everything that it told.
pub struct Track {
    session: Session,
    /// What it is doing.
    pub activity: Activity,
    /// Progress of the work in hand.
    pub progress: Option<Progress>,
    /// The last model that loaded; it stays while a new one is being built.
    pub model: Option<Arc<Model>>,
    /// The scene that this model was made of.
    of: Option<Arc<Scene>>,
    /// Whether what is played is a recording that was opened.
    pub is_replay: bool,
    /// Whether a recording was opened since somebody asked.
    pub has_opened_replay: bool,
    /// Whether the scene that was asked for last cannot be simulated: what is on screen is only seen.
    pub is_unbuilt: bool,
    /// The last snapshot of that model.
    pub snapshot: Option<Arc<Snapshot>>,
    /// Numbers of each step since time zero.
    pub series: Series,
    /// What was changed while the run went on: the last frame before it, and the keys.
    pub changes: Vec<(u64, Vec<&'static str>)>,
    /// What probes have recorded of the run.
    pub samples: Samples,
    /// Force of the hand in the last step [N].
    pub pulled: Vec3,
    /// The last certificate.
    pub certificate: Option<Certificate>,
    /// Contacts of the given shape within the detection distance.
    pub found: Arc<[FoundContact]>,
    /// The mesh for other programs that was found last.
    pub rest_shape: Option<Arc<RestShape>>,
    /// The scene as it was loaded last, if its painted regions had to be moved to a changed mesh, since this was last taken.
    pub repainted: Option<Repainted>,
    /// Files that were written since this was last taken.
    pub exported: Vec<PathBuf>,
    /// Method of the rest state that is loaded now; naive after a load.
    pub method: Method,
    /// What the worker complained about.
    pub problems: Vec<SceneProblem>,
    /// Whether it complained since this was last set to false.
    pub has_news: bool,
    /// Changes whenever something that is drawn does.
    pub revision: u64,
    scene: Option<Arc<Scene>>,
    folder: PathBuf,
    /// The place that is looked at closely, since something was loaded.
    looked_at: Option<Option<Place>>,
    /// The scene that was last asked to be gone on with.
    tried: Option<Arc<Scene>>,
    /// The frame that was asked for and is not on screen yet.
    wanted: Option<u64>,
    /// The scene whose contacts were looked for last.
    searched: Option<Arc<Scene>>,
    /// Whether they are being looked for.
    searching: bool,
    /// Whether what is on screen looks like the scene that is being balanced.
    looks_the_same: bool,
}

impl Track {
    /// Starts a session on `clock`.
    ///
    /// # Errors
    /// The system gave no thread.
    pub fn start(name: &str, clock: &Clock, wake_up: WakeUp) -> std::io::Result<Self> {
        Ok(Self {
            session: Session::start(name, clock.seat(), wake_up)?,
            activity: Activity::Idle,
            progress: None,
            model: None,
            of: None,
            is_replay: false,
            has_opened_replay: false,
            is_unbuilt: false,
            snapshot: None,
            series: Series::default(),
            changes: Vec::new(),
            samples: Samples::default(),
            pulled: Vec3::zeros(),
            certificate: None,
            found: Arc::new([]),
            rest_shape: None,
            repainted: None,
            exported: Vec::new(),
            method: Method::Naive,
            problems: Vec::new(),
            has_news: false,
            revision: 0,
            scene: None,
            folder: PathBuf::new(),
            looked_at: None,
            tried: None,
            wanted: None,
            searched: None,
            searching: false,
            looks_the_same: false,
        })
    }

    /// Takes in what the worker told since the last call; true if anything changed.
    pub fn drain(&mut self) -> bool {
        let before = self.revision;
        while let Some(event) = self.session.poll() {
            let lost = matches!(event, Event::Failed(SessionError::Lost));
            self.take(event);
            if lost {
                break;
            }
        }
        let latest = self.session.snapshot();
        if let Some(latest) = latest.filter(|latest| self.model.as_ref().is_some_and(|model| model.run == latest.run))
            && !self.snapshot.as_ref().is_some_and(|mine| Arc::ptr_eq(mine, &latest))
        {
            self.snapshot = Some(latest);
            self.revision += 1;
        }
        before != self.revision
    }

    fn take(&mut self, event: Event) {
        self.revision += 1;
        match event {
            Event::Loaded(model) => {
                self.model = Some(model);
                self.is_unbuilt = false;
                self.of = self.scene.clone();
                self.looks_the_same = false;
                self.problems.clear();
                // Not while an initialisation or a run waits behind the load.
                if self.activity == Activity::Loading {
                    self.rest();
                }
            }
            Event::Seen(model) => (self.model, self.of, self.looks_the_same) = (Some(model), self.scene.clone(), false),
            Event::Repainted(scene) => {
                let asked = self.scene.replace(Arc::new((*scene).clone()));
                self.repainted = asked.map(|asked| Repainted { asked, scene: *scene });
            }
            Event::Progress { .. } if !self.activity.is_busy() => {}
            Event::Progress { stage, done } => {
                let since = self.progress.as_ref().map_or_else(Instant::now, |progress| progress.since);
                let floor = self.progress.as_ref().filter(|progress| progress.stage == stage).map_or(0.0, |progress| progress.done);
                self.progress = Some(Progress { stage, done: done.clamp(floor, 1.0), since });
            }
            Event::Initialised(report, findings) => {
                self.method = report.method;
                // A pose that does not do what was asked of it is news.
                self.has_news |= report.outcome.broken_promise(report.method).is_some();
                self.clear_series();
                self.certify(*report, findings, true, None);
                self.rest();
            }
            Event::Balanced(report, findings) => {
                self.method = report.method;
                let seconds = self.progress.as_ref().map(|progress| progress.since.elapsed().as_secs_f64());
                self.certify(*report, findings, false, seconds);
            }
            Event::Judged(report, findings) => {
                let seconds = self.certificate.as_ref().and_then(|certificate| certificate.live_seconds);
                self.certify(*report, findings, true, seconds);
                if self.activity == Activity::Balancing {
                    self.rest();
                }
            }
            Event::Foreseen(forecast) => {
                if let Some(certificate) = &mut self.certificate {
                    certificate.report.forecast = Some(forecast);
                }
            }
            Event::Found(found) => (self.found, self.searching) = (found, false),
            Event::Nudged(report) => {
                if let Some(certificate) = &mut self.certificate {
                    certificate.report.take_nudge(&report);
                    certificate.nudge = Some(*report);
                }
                self.rest();
            }
            Event::RestShape(found) => {
                self.rest_shape = Some(found);
                self.rest();
            }
            Event::Exported(files) => {
                self.exported = files;
                self.rest();
            }
            Event::Stepped(stats) => {
                self.pulled = stats.hand;
                self.series.push(*stats);
            }
            Event::Replayed(stats) => {
                self.clear_series();
                (self.is_replay, self.has_opened_replay) = (true, true);
                stats.into_iter().skip(1).for_each(|stats| self.series.push(stats));
                self.rest();
            }
            Event::Sampled { probes, frame, samples } => self.samples.insert(probes, frame, samples),
            Event::Shown(frame) => self.wanted = self.wanted.filter(|&wanted| wanted != frame),
            Event::RecordingStopped(why) => {
                self.has_news = true;
                self.problems.push(SceneProblem::at("", format!("recording stopped, the simulation goes on: {why}")));
            }
            Event::WasReset => self.clear_series(),
            Event::Running(true) => self.activity = Activity::Running,
            Event::Cancelled if self.activity == Activity::Balancing && !self.is_up_to_date() => {
                // What was there before is gone, and the scene is not there yet.
                self.scene = None;
                self.rest();
            }
            Event::Running(false) | Event::Cancelled => self.rest(),
            Event::Failed(error) => {
                self.has_news = true;
                self.problems = match error {
                    SessionError::Scene(problems) => {
                        self.is_unbuilt = true;
                        problems
                    }
                    // The reason is there already, from the load that failed.
                    SessionError::NothingLoaded if !self.problems.is_empty() => std::mem::take(&mut self.problems),
                    SessionError::Step(_, ref mend) => vec![SceneProblem::at("", error.to_string()).mended_by(mend.clone())],
                    other => vec![SceneProblem::at("", other.to_string())],
                };
                self.rest();
            }
        }
    }

    fn certify(&mut self, report: InitReport, findings: Findings, is_judged: bool, live_seconds: Option<f64>) {
        if let Some(scene) = &self.scene {
            let scene = Arc::clone(scene);
            self.certificate = Some(Certificate { report, findings, nudge: None, is_judged, live_seconds, scene });
        }
    }

    fn rest(&mut self) {
        self.activity = Activity::Idle;
        self.progress = None;
    }

    fn clear_series(&mut self) {
        self.is_replay = false;
        self.series = Series::default();
        self.samples.clear();
        self.changes.clear();
        self.wanted = None;
    }

    /// The last frame of the run: frames are counted from 0, the start.
    pub fn last_frame(&self) -> u64 {
        self.series.taken()
    }

    /// The frame on screen, or the one that was asked for last.
    pub fn frame(&self) -> u64 {
        self.wanted.unwrap_or(self.snapshot.as_ref().map_or(0, |snapshot| snapshot.frame))
    }

    /// Whether the model is of the scene that was loaded last.
    pub fn is_up_to_date(&self) -> bool {
        self.model.as_ref().is_some_and(|model| model.run == self.session.run())
    }

    /// Whether the session holds exactly the physics of `scene`.
    pub fn holds(&self, scene: &Scene, folder: &Path) -> bool {
        self.folder == folder && self.scene.as_ref().is_some_and(|mine| same_runs(mine, scene))
    }

    /// Whether what is on screen has the geometry of `scene`: the same meshes, placed in the same way.
    pub fn shows(&self, scene: &Scene, folder: &Path) -> bool {
        self.folder == folder && self.scene.as_ref().is_some_and(|mine| same_geometry(mine, scene))
    }

    /// The scene that tells of what is on screen: `scene`, the one at hand, unless its bodies are others or stand elsewhere.
    pub fn seen<'a>(&'a self, scene: &'a Arc<Scene>, folder: &Path) -> &'a Arc<Scene> {
        match &self.of {
            Some(of) if !(self.is_up_to_date() || self.looks_the_same) || !self.shows(scene, folder) => of,
            _ => scene,
        }
    }

    /// How bodies stood in the scene that is on screen, and how they stand in `scene`, where that is all that is different; `None` where
    /// more is, or nothing.
    pub fn displaced(&self, scene: &Scene, folder: &Path) -> Option<Vec<(Transform, Transform)>> {
        let of = self.of.as_deref().filter(|_| self.folder == folder)?;
        displaced(of, scene).filter(|transforms| self.model.as_ref().is_some_and(|model| model.bodies.len() == transforms.len()))
    }

    /// Builds `scene` in its naive rest state, at time zero.
    pub fn load(&mut self, scene: &Arc<Scene>, folder: &Path) {
        self.build(scene, folder, false);
    }

    /// The same after mesh files changed: painted regions are moved to the new meshes.
    pub fn load_changed(&mut self, scene: &Arc<Scene>, folder: &Path) {
        self.build(scene, folder, true);
    }

    fn build(&mut self, scene: &Arc<Scene>, folder: &Path, repaint: bool) {
        self.scene = Some(Arc::clone(scene));
        self.folder = folder.to_path_buf();
        self.method = Method::Naive;
        self.clear_series();
        self.problems.clear();
        self.rest_shape = None;
        self.looked_at = None;
        self.samples.forget();
        self.searched = Some(Arc::clone(scene));
        self.searching = false;
        self.looks_the_same = false;
        if scene.bodies.is_empty() {
            return self.clear();
        }
        self.begin(Activity::Loading, "reading meshes");
        self.session.load((**scene).clone(), self.folder.clone(), repaint);
    }

    /// Nothing is left of the bodies that were there: the scene has none.
    fn clear(&mut self) {
        (self.model, self.of, self.snapshot, self.certificate, self.repainted) = (None, None, None, None, None);
        self.found = Arc::new([]);
        self.rest();
        self.revision += 1;
        self.session.unload();
    }

    /// Builds `scene` and puts it into balance by `method`, at time zero, then judges it. What is on screen stays there until the balance
    /// is found.
    pub fn rebalance(&mut self, scene: &Arc<Scene>, folder: &Path, method: Method) {
        self.looks_the_same = (self.is_up_to_date() || self.looks_the_same) && self.shows(scene, folder);
        self.scene = Some(Arc::clone(scene));
        self.folder = folder.to_path_buf();
        self.clear_series();
        self.problems.clear();
        self.rest_shape = None;
        self.searched = Some(Arc::clone(scene));
        self.searching = false;
        self.begin(Activity::Balancing, "balancing");
        self.session.rebalance((**scene).clone(), self.folder.clone(), method);
    }

    /// The same scene is now called `scene` and lives in `folder`: its file moved, and its mesh paths with it.
    pub fn moved_to(&mut self, scene: &Arc<Scene>, folder: &Path) {
        self.scene = Some(Arc::clone(scene));
        self.folder = folder.to_path_buf();
        if let Some(certificate) = &mut self.certificate {
            certificate.scene = Arc::clone(scene);
        }
    }

    /// Loads `scene` unless it is what the session holds already.
    pub fn ensure(&mut self, scene: &Arc<Scene>, folder: &Path) {
        if !self.holds(scene, folder) {
            self.load(scene, folder);
        }
    }

    /// Chooses the rest state by `method`.
    pub fn initialise(&mut self, method: Method) {
        self.begin(Activity::Initialising, "starting");
        self.session.send(Request::Initialise(method, false));
    }

    /// Chooses the sag-free rest state; all cures are tried and compared if the equilibrium is unstable.
    pub fn compare_cures(&mut self) {
        self.begin(Activity::Initialising, "starting");
        self.session.send(Request::Initialise(Method::SagFree, true));
    }

    /// Kicks the body, and watches whether it comes back.
    pub fn nudge(&mut self) {
        self.begin(Activity::Working, "nudging");
        self.session.send(Request::Nudge);
    }

    /// Looks for the contacts of `scene` unless they are known, or others are being looked for just now.
    pub fn find_contacts(&mut self, scene: &Arc<Scene>, folder: &Path) {
        let known = self.searched.as_ref().is_some_and(|known| {
            Arc::ptr_eq(known, scene) || known.contact.detection_distance == scene.contact.detection_distance && same_contacts(known, scene)
        });
        if !known && !self.searching && self.activity == Activity::Idle {
            self.searched = Some(Arc::clone(scene));
            self.searching = true;
            self.session.send(Request::FindContacts(Box::new((**scene).clone()), folder.to_path_buf()));
        }
    }

    /// Looks for a mesh that holds the shape in other programs.
    pub fn find_rest_shape(&mut self, method: RestMethod) {
        self.begin(Activity::Working, "rest mesh");
        self.session.send(Request::RestShape(method));
    }

    /// Plays the recording in a file.
    pub fn replay(&mut self, path: &Path) {
        self.begin(Activity::Working, "opening the recording");
        self.session.send(Request::Replay(path.to_path_buf()));
    }

    /// Writes files. `surface`: where bodies of points are written as the surfaces around them, how many cubes lie along their spacing.
    pub fn export(&mut self, export: Export, surface: Option<f64>) {
        self.begin(Activity::Working, "writing");
        self.session.send(Request::Export(export, surface));
    }

    fn begin(&mut self, activity: Activity, stage: &str) {
        self.activity = activity;
        self.progress = Some(Progress { stage: stage.to_owned(), done: 0.0, since: Instant::now() });
        self.revision += 1;
    }

    /// Plays from the frame on screen until paused: the recording, then steps. With `repeat`, the recording up to that frame
    /// is played again and again.
    pub fn play(&mut self, repeat: Option<u64>) {
        self.activity = Activity::Running;
        self.wanted = None;
        self.session.send(Request::Run(self.repeated(repeat)));
    }

    /// Changes where playing repeats.
    pub fn repeat(&self, repeat: Option<u64>) {
        self.session.send(Request::Repeat(self.repeated(repeat)));
    }

    /// A run that has only its start cannot be played again.
    fn repeated(&self, repeat: Option<u64>) -> Option<u64> {
        repeat.map(|end| end.min(self.last_frame())).filter(|&end| end > 0)
    }

    /// Stops playing and shows `frame`; a step in hand is given up, so that this need not wait for it.
    pub fn show(&mut self, frame: u64) {
        if self.activity == Activity::Running {
            self.session.cancel();
        }
        let frame = frame.min(self.last_frame());
        self.wanted = Some(frame);
        self.session.show(frame);
    }

    /// Plays one frame.
    pub fn step(&mut self) {
        self.session.send(Request::Step(1));
    }

    /// Stops stepping.
    pub fn pause(&self) {
        self.session.send(Request::Pause);
    }

    /// Back to time zero.
    pub fn reset(&self) {
        self.session.send(Request::Reset);
    }

    /// Pushes every free mass [m/s].
    pub fn kick(&self, velocity: Vec3) {
        self.session.send(Request::Kick(velocity));
    }

    /// Goes on with `scene` where it differs only in what may change while a run goes on, and there is a run; whether it does.
    pub fn follow(&mut self, scene: &Arc<Scene>, folder: &Path) -> bool {
        let is = |known: &Option<Arc<Scene>>| known.as_ref().is_some_and(|known| Arc::ptr_eq(known, scene));
        if is(&self.scene) || is(&self.tried) || self.folder != folder || self.last_frame() == 0 || !self.is_up_to_date() {
            return false;
        }
        self.tried = Some(Arc::clone(scene));
        let Some(mine) = &self.scene else { return false };
        let Some(changes) = live_changes(mine, scene) else { return false };
        if !changes.is_empty() {
            self.changes.push((self.last_frame(), changes));
            self.session.send(Request::Follow(Box::new((**scene).clone())));
            self.scene = Some(Arc::clone(scene));
            self.revision += 1;
        }
        true
    }

    /// Looks closely at a place from now on, or at none.
    pub fn look_at(&mut self, place: Option<Place>) {
        if self.looked_at != Some(place) {
            self.looked_at = Some(place);
            self.session.send(Request::Look(place));
        }
    }

    /// The place that is looked at closely, since something was loaded.
    pub fn looked_at(&self) -> Option<Option<Place>> {
        self.looked_at
    }

    /// Takes samples at these places, if they are others than before.
    pub fn probe(&mut self, places: Vec<Place>) {
        if let Some(number) = self.is_up_to_date().then(|| self.samples.follow(&places)).flatten() {
            self.session.send(Request::Probe(number, places));
        }
    }

    /// Takes hold of the end of the run at a node, no stronger than `strength` times the body's weight.
    pub fn hold(&mut self, node: usize, strength: f64) {
        self.pulled = Vec3::zeros();
        self.session.send(Request::Hold(node, strength));
    }

    /// Pulls what is held so far from where it was taken [m].
    pub fn pull(&self, way: Vec3) {
        self.session.send(Request::Pull(way));
    }

    /// Lets go of it.
    pub fn let_go(&mut self) {
        self.pulled = Vec3::zeros();
        self.session.send(Request::LetGo);
    }

    /// Lets a gust blow: its velocity [m/s], and how long [s].
    pub fn blow(&self, velocity: Vec3, length: f64) {
        self.session.send(Request::Blow(velocity, length));
    }

    /// Gives up the work in hand.
    pub fn cancel(&self) {
        self.session.cancel();
    }

    /// Time of what is on screen [s].
    pub fn time(&self) -> f64 {
        self.snapshot.as_ref().map_or(0.0, |snapshot| snapshot.time)
    }

    /// Largest distance from the given shape over its diagonal, now.
    pub fn drift(&self) -> Option<f64> {
        let (model, snapshot) = (self.model.as_ref()?, self.snapshot.as_ref()?);
        let pairs = snapshot.positions.iter().zip(model.positions.iter()).take(model.body_nodes);
        Some(farthest(pairs.map(|(now, given)| (now - given).norm())) / model.diagonal)
    }
}

/// The largest of these, or what is no number, which `f64::max` would pass over.
fn farthest(ways: impl Iterator<Item = f64>) -> f64 {
    ways.fold(0.0, |most: f64, way| if most.is_nan() || way <= most { most } else { way })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_is_nowhere_has_not_stayed_where_it_was() {
        assert_eq!(farthest([0.0, 2.0, 1.0].into_iter()), 2.0);
        for ways in [[0.0, f64::NAN, 0.0], [f64::NAN, 3.0, 4.0], [1.0, 2.0, f64::NAN]] {
            // Whatever comes after it.
            assert!(farthest(ways.into_iter()).is_nan(), "{ways:?}");
        }
    }
}
