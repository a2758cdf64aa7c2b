//! The worker thread: one request after the other; between them, recorded frames and then steps while it is told to run.

mod post;
mod repaint;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use aplomb_sim::bodies::keys::same_contacts;
use aplomb_sim::math::Vec3;
use aplomb_sim::rest_shape::{RestShape, RestShapeError, write_meshes};
use aplomb_sim::sag_free::contacts;
use aplomb_sim::sag_free::initialise::InitialiseError;
use aplomb_sim::sag_free::stability::forecast::HORIZON;
use aplomb_sim::sag_free::stability::nudge::{Nudge, NudgeError};
use aplomb_sim::scene::{Method, Scene, SceneProblem};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::cache::{RecordingError, Subject};
use aplomb_sim::stats::report::Stability;
use aplomb_sim::step::{StepError, StepStats};
use aplomb_sim::system::{Gust, Kept, System};
use aplomb_sim::watch::{Cancelled, Watch};

pub use self::post::Post;
use self::post::{Idle, Watched};
use super::frames::Frames;
use super::places::{Sample, Watched as Observed};
use super::{ContactPoint, Event, Export, Findings, Model, Request, RunId, Seat, SessionError};

/// How long the worker sleeps when others on the clock are behind it.
const TURN: Duration = Duration::from_millis(1);

/// How often a second the hand would swing the whole body, were it free: so stiffly it holds.
const HAND_RATE: f64 = 4.0;

/// A loaded scene.
pub(super) struct Loaded {
    model: Arc<Model>,
    scene: Scene,
    /// Where its relative paths start.
    folder: PathBuf,
    pub(super) simulation: Simulation,
    /// The contact forces at time zero, which recordings do not hold.
    at_start: Arc<[ContactPoint]>,
    /// The velocities then [m/s].
    velocities_at_start: Vec<Vec3>,
    /// Steps from time zero to the state of the simulation.
    pub(super) steps: u64,
    /// The frame on screen; before `steps`, it comes from the recording.
    pub(super) shown: u64,
    pub(super) frames: Frames,
    /// Whether the frames are those of a recording that was opened: the simulation stands at time zero, and nothing follows their end.
    is_replay: bool,
    step_size: Duration,
    /// Where the middle of what the hand holds was when it was taken [m].
    taken_at: Vec3,
    /// Places that are looked at.
    observed: Observed,
    /// What the present state has at the probes, until it is told.
    sampled: Option<Vec<Sample>>,
    /// The mesh for other programs that was found last.
    rest_shape: Option<Arc<RestShape>>,
    /// The verdict on stability of what was initialised last, until it is foretold how far that drifts.
    unforeseen: Option<Option<Stability>>,
}

impl Loaded {
    /// Frames that come from the recording; what follows them is the state of the simulation, if anything does.
    pub(super) fn recorded(&self) -> u64 {
        if self.is_replay { self.frames.count() } else { self.steps.min(self.frames.count()) }
    }

    /// Plays frames in place of a run.
    fn replay(&mut self, mut frames: Frames) -> Result<Vec<StepStats>, RecordingError> {
        let stats = frames.stats()?;
        self.restart();
        (self.steps, self.is_replay, self.frames) = (frames.count().saturating_sub(1), true, frames);
        Ok(stats)
    }

    /// The run starts anew at the present state.
    fn restart(&mut self) {
        (self.steps, self.shown, self.is_replay) = (0, 0, false);
        self.simulation.let_go();
        self.observed.restart();
        self.frames = Frames::default();
    }

    /// Velocities of a recorded frame [m/s], by the way since the one before; none where that cannot be read.
    fn velocities(&mut self, frame: u64, time: f64, positions: &[Vec3]) -> Option<Vec<Vec3>> {
        let Some(before) = frame.checked_sub(1) else { return Some(self.velocities_at_start.clone()) };
        let (stats, places) = self.frames.read(before).ok()?;
        let span = time - stats.time;
        (span > 0.0).then(|| positions.iter().zip(&places).map(|(now, then)| (now - then) / span).collect())
    }

    /// Writes files; their paths, or in words what went wrong.
    fn write(&mut self, export: &Export, surface: Option<f64>, watch: &dyn Watch) -> Result<Vec<PathBuf>, String> {
        match (export, &self.rest_shape) {
            (Export::Bodies(path), _) => self.write_bodies(path, surface, watch).map(|()| vec![path.clone()]),
            (Export::Run(folder, format), _) => self.write_run((folder, format), surface, watch),
            (Export::PreparedAsset(path), _) => {
                let written = self.simulation.prepared_asset().write(path);
                written.map(|()| vec![path.clone()]).map_err(|error| error.to_string())
            }
            (Export::RestMesh(path), Some(found)) => {
                let written = write_meshes((&self.scene, &self.folder), &self.simulation.system, &found.positions, path, watch);
                written.map_err(|error| error.to_string())
            }
            (Export::RestMesh(_), None) => Err("there is no rest mesh of the scene as it is now: look for one first".to_owned()),
        }
    }
}

struct Worker {
    post: Post,
    seat: Seat,
    run: RunId,
    ticket: u64,
    loaded: Option<Loaded>,
    /// The model that was loaded last, whether it is there still or not.
    known: Option<Arc<Model>>,
    /// The model that painted regions were moved from last: scenes that were edited meanwhile are still painted on it.
    former: Option<Arc<Model>>,
    /// Whether files of meshes changed since that model was made.
    outdated: bool,
    /// What scenes that are loaded one after the other share.
    kept: Kept,
    /// Frames still to play; `u64::MAX` for no end.
    left: u64,
    /// Frames played, counted on through repetitions from the frame that playing began at: sessions on one clock compare it.
    turn: u64,
    /// The frame at which playing starts again from the first.
    repeat: Option<u64>,
    /// Earliest instant of the next step, so that playing is never faster than the scene's own time.
    next: Instant,
}

/// Runs until told to quit, or until nobody is left to tell.
pub fn work(inbox: &Receiver<(u64, Request)>, post: Post, seat: Seat) {
    let mut worker = Worker {
        post,
        seat,
        run: RunId::default(),
        ticket: 0,
        loaded: None,
        known: None,
        former: None,
        outdated: false,
        kept: Kept::default(),
        left: 0,
        turn: 0,
        repeat: None,
        next: Instant::now(),
    };
    loop {
        let request = match worker.until_next_step() {
            // Between requests, probes catch up with the recording, and it is foretold what will drift.
            None if worker.is_behind() || worker.foresees() => inbox.try_recv(),
            None => inbox.recv().map_err(|_| TryRecvError::Disconnected),
            Some(wait) if wait.is_zero() => inbox.try_recv(),
            Some(wait) => inbox.recv_timeout(wait).map_err(|error| match error {
                RecvTimeoutError::Timeout => TryRecvError::Empty,
                RecvTimeoutError::Disconnected => TryRecvError::Disconnected,
            }),
        };
        match request {
            Ok((_, Request::Quit)) | Err(TryRecvError::Disconnected) => return,
            Ok((ticket, request)) => {
                worker.ticket = ticket;
                worker.answer(request);
            }
            Err(TryRecvError::Empty) if worker.until_next_step() == Some(Duration::ZERO) => worker.play(),
            Err(TryRecvError::Empty) if worker.foresees() => worker.foresee(),
            Err(TryRecvError::Empty) if worker.left == 0 => worker.catch_up(),
            Err(TryRecvError::Empty) => {}
        }
    }
}

impl Worker {
    /// How long until a step is due; `None` while none is.
    fn until_next_step(&self) -> Option<Duration> {
        if self.left == 0 || self.loaded.is_none() {
            None
        } else if self.seat.may_step() {
            Some(self.next.saturating_duration_since(Instant::now()))
        } else {
            Some(TURN)
        }
    }

    /// Whether it has yet to be told how far the body will drift, and nothing else is to be done.
    fn foresees(&self) -> bool {
        self.left == 0 && self.loaded.as_ref().is_some_and(|loaded| loaded.unforeseen.is_some())
    }

    /// Tells how far the body will drift, unless something is asked for meanwhile; then it is tried again later.
    fn foresee(&mut self) {
        let Some(loaded) = &mut self.loaded else { return };
        let Some(stability) = &loaded.unforeseen else { return };
        if let Ok(forecast) = loaded.simulation.forecast(stability.as_ref(), HORIZON, &Idle { ticket: self.ticket, post: &self.post }) {
            loaded.unforeseen = None;
            self.post.tell(self.run, Event::Foreseen(forecast));
        }
    }

    fn answer(&mut self, request: Request) {
        match request {
            Request::Load(run, scene, folder, repaint) => {
                self.run = run;
                self.stop();
                self.outdated |= repaint;
                let scene = self.repainted(scene, &folder);
                return self.load(&scene, &folder);
            }
            Request::Unload(run) => {
                self.run = run;
                self.stop();
                (self.loaded, self.known, self.former) = (None, None, None);
                return;
            }
            Request::Rebalance(run, scene, folder, method) => {
                self.run = run;
                self.stop();
                let scene = self.repainted(scene, &folder);
                return self.rebalance(&scene, &folder, method);
            }
            Request::FindContacts(scene, folder) => return self.find_contacts(&scene, &folder),
            _ => {}
        }
        let Some(loaded) = &mut self.loaded else {
            return self.post.tell(self.run, Event::Failed(SessionError::NothingLoaded));
        };
        match request {
            Request::Initialise(method, compare) => {
                self.left = 0;
                self.seat.set(None);
                let watch = Watched { run: self.run, ticket: self.ticket, post: &self.post };
                let settings = loaded.simulation.system.initialise;
                loaded.simulation.system.initialise.compare_cures |= compare;
                let result = loaded.simulation.initialise(method, &watch);
                loaded.simulation.system.initialise = settings;
                match result {
                    Ok(report) => {
                        loaded.restart();
                        loaded.unforeseen = Some(report.stability.clone());
                        let findings = Findings::of(&loaded.simulation);
                        self.publish();
                        self.post.tell(self.run, Event::Initialised(Box::new(report), findings));
                        self.tell_samples();
                    }
                    Err(InitialiseError::Cancelled(_)) => self.post.tell(self.run, Event::Cancelled),
                    Err(error) => self.post.tell(self.run, Event::Failed(SessionError::Initialise(error.to_string()))),
                }
            }
            Request::Nudge => {
                let watch = Watched { run: self.run, ticket: self.ticket, post: &self.post };
                let event = match loaded.simulation.nudge(&Nudge::default(), &watch) {
                    Ok(report) => Event::Nudged(Box::new(report)),
                    Err(NudgeError::Cancelled(_)) => Event::Cancelled,
                    Err(error) => Event::Failed(SessionError::Nudge(error.to_string())),
                };
                self.post.tell(self.run, event);
            }
            Request::RestShape(method) => {
                let watch = Watched { run: self.run, ticket: self.ticket, post: &self.post };
                let event = match loaded.simulation.rest_shape(method, &watch) {
                    Ok(found) => Event::RestShape(Arc::clone(loaded.rest_shape.insert(Arc::new(found)))),
                    Err(RestShapeError::Cancelled(_)) => Event::Cancelled,
                    Err(error) => Event::Failed(SessionError::RestShape(error.to_string())),
                };
                self.post.tell(self.run, event);
            }
            Request::Export(export, surface) => {
                let watch = Watched { run: self.run, ticket: self.ticket, post: &self.post };
                let event = match loaded.write(&export, surface, &watch) {
                    Ok(files) => Event::Exported(files),
                    Err(_) if watch.check().is_err() => Event::Cancelled,
                    Err(error) => Event::Failed(SessionError::Export(error)),
                };
                self.post.tell(self.run, event);
            }
            Request::Replay(path) => {
                let opened = Frames::open(&path, &Subject::of(&loaded.simulation.system));
                let told = opened.and_then(|frames| loaded.replay(frames).map_err(|error| error.to_string()));
                self.stop();
                match told {
                    Ok(stats) => {
                        self.post.tell(self.run, Event::Replayed(stats));
                        self.show(0);
                    }
                    Err(why) => self.post.tell(self.run, Event::Failed(SessionError::Recording(why))),
                }
            }
            // What is pushed or pulled is the end of a run, and a recording has none.
            Request::Kick(_) | Request::Hold(..) | Request::Pull(_) | Request::Blow(..) if loaded.is_replay => {}
            Request::Run(repeat) => self.go(u64::MAX, repeat),
            Request::Repeat(repeat) => self.repeat = repeat,
            Request::Show => self.show_wanted(),
            Request::Step(count) => self.go(u64::from(count), None),
            Request::Pause => self.stop(),
            Request::Reset => {
                loaded.simulation.reset();
                loaded.restart();
                self.stop();
                self.publish();
                self.post.tell(self.run, Event::WasReset);
                self.tell_samples();
            }
            Request::Kick(velocity) => {
                loaded.simulation.kick(velocity);
                // What is pushed is the body at the end of the recording.
                let end = loaded.steps;
                self.show(end);
            }
            Request::Hold(node, strength) => {
                let simulation = &mut loaded.simulation;
                let hand = simulation.system.hand_at(node, &simulation.state.positions, HAND_RATE, strength);
                loaded.taken_at = hand.as_ref().map(|hand| hand.target).unwrap_or_default();
                simulation.system.hand = hand;
                // What is held is the body at the end of the recording.
                let end = loaded.steps;
                if loaded.shown != end {
                    self.show(end);
                }
            }
            Request::Pull(way) => {
                let taken_at = loaded.taken_at;
                loaded.simulation.system.hand.iter_mut().for_each(|hand| hand.target = taken_at + way);
            }
            Request::LetGo => loaded.simulation.system.hand = None,
            Request::Blow(velocity, length) => {
                loaded.simulation.system.gust = Some(Gust { velocity, from: loaded.simulation.state.time, length });
                let end = loaded.steps;
                self.show(end);
            }
            Request::Follow(scene) => {
                let watch = Watched { run: self.run, ticket: self.ticket, post: &self.post };
                match System::build(&scene, &loaded.folder, &watch) {
                    Ok(system) => {
                        loaded.simulation.follow(system);
                        loaded.step_size = Duration::try_from_secs_f64(scene.simulate.step_size).unwrap_or_default();
                        loaded.scene = *scene;
                    }
                    Err(_) if watch.check().is_err() => self.post.tell(self.run, Event::Cancelled),
                    Err(error) => self.post.tell(self.run, Event::Failed(SessionError::Scene(error.0))),
                }
            }
            Request::Look(place) => {
                loaded.observed.closely = place;
                self.show_again();
            }
            Request::Probe(number, places) => {
                loaded.observed.probe(number, &places, &loaded.simulation.system);
                self.show_again();
                self.tell_samples();
            }
            Request::Load(..) | Request::Unload(_) | Request::Rebalance(..) | Request::FindContacts(..) | Request::Quit => {}
        }
    }

    fn load(&mut self, scene: &Scene, folder: &std::path::Path) {
        self.loaded = None;
        let watch = Watched { run: self.run, ticket: self.ticket, post: &self.post };
        match Simulation::build_with(scene, folder, &mut self.kept, &watch) {
            Ok(simulation) => {
                let model = self.put_in(scene, folder, simulation);
                self.publish();
                self.post.tell(self.run, Event::Loaded(model));
                self.find_contacts(scene, folder);
            }
            Err(_) if watch.check().is_err() => self.post.tell(self.run, Event::Cancelled),
            Err(error) => self.tell_unbuilt(scene, folder, error.0),
        }
    }

    /// Tells that `scene` cannot be built. Where only places are wrong, it can be looked at all the same, as it is.
    fn tell_unbuilt(&mut self, scene: &Scene, folder: &std::path::Path, problems: Vec<SceneProblem>) {
        if problems.iter().all(|problem| problem.spot.as_ref().is_some_and(|spot| spot.place.is_some())) {
            let mut untouching = scene.clone();
            (untouching.contact.between_bodies, untouching.contact.self_contact) = (false, false);
            untouching.obstacles.clear();
            let watch = Watched { run: self.run, ticket: self.ticket, post: &self.post };
            if let Ok(mut simulation) = Simulation::build_with(&untouching, folder, &mut self.kept, &watch) {
                let model = Arc::new(Model::after(self.known.as_deref(), &simulation.system, &[], self.run));
                self.learn(&model);
                self.post.put(model.snapshot(&mut simulation, 0));
                self.post.tell(self.run, Event::Seen(model));
            }
        }
        self.post.tell(self.run, Event::Failed(SessionError::Scene(problems)));
    }

    /// This is the model of what the files hold now.
    fn learn(&mut self, model: &Arc<Model>) {
        (self.known, self.outdated) = (Some(Arc::clone(model)), false);
    }

    /// Makes `simulation` of `scene` the loaded one; its model.
    fn put_in(&mut self, scene: &Scene, folder: &std::path::Path, simulation: Simulation) -> Arc<Model> {
        let model = Arc::new(Model::after(self.known.as_deref(), &simulation.system, &scene.obstacles, self.run));
        self.learn(&model);
        let step_size = Duration::try_from_secs_f64(scene.simulate.step_size).unwrap_or_default();
        self.loaded = Some(Loaded {
            model: Arc::clone(&model),
            scene: scene.clone(),
            folder: folder.to_path_buf(),
            simulation,
            at_start: Arc::new([]),
            velocities_at_start: Vec::new(),
            steps: 0,
            shown: 0,
            frames: Frames::default(),
            is_replay: false,
            step_size,
            taken_at: Vec3::zeros(),
            observed: Observed::default(),
            sampled: None,
            rest_shape: None,
            unforeseen: None,
        });
        model
    }

    /// Builds `scene`, puts it into balance, and shows that; then judges its stability. Given up before it is in balance, nothing is loaded.
    fn rebalance(&mut self, scene: &Scene, folder: &std::path::Path, method: Method) {
        self.loaded = None;
        let watch = Watched { run: self.run, ticket: self.ticket, post: &self.post };
        let mut simulation = match Simulation::build_with(scene, folder, &mut self.kept, &watch) {
            Ok(simulation) => simulation,
            Err(_) if watch.check().is_err() => return self.post.tell(self.run, Event::Cancelled),
            Err(error) => return self.tell_unbuilt(scene, folder, error.0),
        };
        let report = match simulation.balance(method, &watch) {
            Ok(report) => report,
            Err(InitialiseError::Cancelled(_)) => return self.post.tell(self.run, Event::Cancelled),
            Err(error) => {
                // The scene can be looked at all the same.
                let model = self.put_in(scene, folder, simulation);
                self.publish();
                self.post.tell(self.run, Event::Loaded(model));
                return self.post.tell(self.run, Event::Failed(SessionError::Initialise(error.to_string())));
            }
        };
        let findings = Findings::of(&simulation);
        let model = self.put_in(scene, folder, simulation);
        self.publish();
        self.post.tell(self.run, Event::Loaded(model));
        self.post.tell(self.run, Event::Balanced(Box::new(report), findings));
        self.judge();
        self.find_contacts(scene, folder);
    }

    /// Judges the stability of what was balanced last.
    fn judge(&mut self) {
        let Some(loaded) = &mut self.loaded else { return };
        match loaded.simulation.judge(&Watched { run: self.run, ticket: self.ticket, post: &self.post }) {
            Ok(Some(report)) => {
                loaded.unforeseen = Some(report.stability.clone());
                let findings = Findings::of(&loaded.simulation);
                // A cure changes elements.
                if report.stability.as_ref().is_some_and(|stability| stability.cured_by.is_some()) {
                    self.publish();
                }
                self.post.tell(self.run, Event::Judged(Box::new(report), findings));
            }
            Ok(None) => {}
            Err(Cancelled) => self.post.tell(self.run, Event::Cancelled),
        }
    }

    /// Looks in the loaded system where only the distance differs, otherwise in one built for this.
    fn find_contacts(&mut self, scene: &Scene, folder: &std::path::Path) {
        let reach = scene.contact.detection_distance;
        let found = match &mut self.loaded {
            Some(loaded) if same_contacts(&loaded.scene, scene) => loaded.simulation.find_contacts(reach).into(),
            _ => {
                let watch = Watched { run: self.run, ticket: self.ticket, post: &self.post };
                let built = System::build(scene, folder, &watch);
                built.map_or_else(|_| Arc::from([]), |system| contacts::look(&system, reach).into())
            }
        };
        self.post.tell(self.run, Event::Found(found));
    }

    fn go(&mut self, frames: u64, repeat: Option<u64>) {
        (self.left, self.repeat) = (frames, repeat);
        self.next = Instant::now();
        // Nothing follows the end of a recording: it is played again.
        if frames == u64::MAX && self.loaded.as_ref().is_some_and(|loaded| loaded.is_replay && loaded.shown >= loaded.steps) {
            self.show(0);
        }
        self.turn = self.loaded.as_ref().map_or(0, |loaded| loaded.shown);
        self.seat.set(Some(self.turn));
        self.post.tell(self.run, Event::Running(true));
    }

    fn stop(&mut self) {
        self.seat.set(None);
        if std::mem::take(&mut self.left) > 0 {
            self.post.tell(self.run, Event::Running(false));
        }
    }

    /// Plays the next frame: a recorded one, or at the end of the recording a step.
    fn play(&mut self) {
        let Some(loaded) = &self.loaded else { return };
        self.next = (self.next + loaded.step_size).max(Instant::now());
        let played = match self.repeat {
            Some(end) if loaded.shown >= end => self.show(0),
            _ if loaded.shown < loaded.steps => self.show(loaded.shown + 1),
            _ if loaded.is_replay => {
                self.stop();
                false
            }
            _ => self.step(),
        };
        if !played {
            return;
        }
        self.turn += 1;
        self.seat.set(Some(self.turn));
        if self.left != u64::MAX {
            self.left -= 1;
        }
        if self.left == 0 {
            self.seat.set(None);
            self.post.tell(self.run, Event::Running(false));
        }
    }

    /// Takes a step; false if it was not taken, and playing stopped.
    fn step(&mut self) -> bool {
        let Some(loaded) = &mut self.loaded else { return false };
        let begun = loaded.frames.begin(&loaded.simulation);
        match loaded.simulation.step(&Watched { run: self.run, ticket: self.ticket, post: &self.post }) {
            Ok(stats) => {
                loaded.steps += 1;
                loaded.shown = loaded.steps;
                let recorded = begun.and_then(|()| loaded.frames.append(&stats, &loaded.simulation));
                self.publish();
                self.post.tell(self.run, Event::Stepped(Box::new(stats)));
                self.tell_samples();
                if let Err(error) = recorded {
                    self.post.tell(self.run, Event::RecordingStopped(error.to_string()));
                }
                return true;
            }
            Err(StepError::Cancelled(_)) => {
                self.stop();
                self.post.tell(self.run, Event::Cancelled);
            }
            Err(error) => {
                self.stop();
                self.post.tell(self.run, Event::Failed(SessionError::Step(error.to_string(), error.mend())));
            }
        }
        false
    }

    /// Tells what the present state has at the probes: after the event that it came with, which may begin a run anew.
    fn tell_samples(&mut self) {
        let Some(loaded) = &mut self.loaded else { return };
        if let Some(samples) = loaded.sampled.take() {
            let (probes, frame) = (loaded.observed.number, loaded.steps);
            self.post.tell(self.run, Event::Sampled { probes, frame, samples });
        }
    }

    /// The frame on screen once more, with other places looked at.
    fn show_again(&mut self) {
        if let Some(shown) = self.loaded.as_ref().map(|loaded| loaded.shown) {
            self.show(shown);
        }
    }

    /// Takes samples of one frame of the recording that probes have not seen.
    fn catch_up(&mut self) {
        let Some(loaded) = &mut self.loaded else { return };
        let Some(frame) = loaded.observed.next_unseen(loaded.recorded()) else { return };
        // A frame that cannot be read has no samples; who scrubs there is told why.
        let Ok((stats, positions)) = loaded.frames.read(frame) else { return };
        let snapshot = loaded.model.recorded(&loaded.simulation, frame, stats.time, positions, None);
        if let Some(samples) = loaded.observed.samples(&snapshot) {
            let probes = loaded.observed.number;
            self.post.tell(self.run, Event::Sampled { probes, frame, samples });
        }
    }

    fn is_behind(&self) -> bool {
        self.loaded.as_ref().is_some_and(|loaded| loaded.observed.is_behind(loaded.recorded()))
    }

    fn show_wanted(&mut self) {
        self.stop();
        let wanted = self.post.shared.wanted.load(Ordering::Relaxed);
        if self.loaded.as_ref().is_some_and(|loaded| loaded.shown != wanted) {
            self.show(wanted);
        }
        self.post.tell(self.run, Event::Shown(wanted));
    }

    /// Puts a recorded frame into the slot, or the present state where `frame` is not recorded; false if it cannot be read,
    /// and playing stopped.
    fn show(&mut self, frame: u64) -> bool {
        let Some(loaded) = &mut self.loaded else { return false };
        if frame >= loaded.recorded() {
            loaded.shown = loaded.steps;
            self.publish();
            return true;
        }
        match loaded.frames.read(frame) {
            Ok((stats, positions)) => {
                loaded.shown = frame;
                let velocities = loaded.velocities(frame, stats.time, &positions);
                let mut snapshot = loaded.model.recorded(&loaded.simulation, frame, stats.time, positions, velocities.as_deref());
                if frame == 0 {
                    snapshot.contacts = Arc::clone(&loaded.at_start);
                }
                snapshot.place = loaded.observed.recorded(&loaded.simulation, &snapshot);
                self.post.put(snapshot);
                true
            }
            Err(error) => {
                self.stop();
                self.post.tell(self.run, Event::Failed(SessionError::Frame(error.to_string())));
                false
            }
        }
    }

    /// Puts the present state into the slot.
    fn publish(&mut self) {
        if let Some(loaded) = &mut self.loaded {
            let mut snapshot = loaded.model.snapshot(&mut loaded.simulation, loaded.steps);
            snapshot.place = loaded.observed.live(&mut loaded.simulation, &snapshot);
            loaded.sampled = loaded.observed.samples(&snapshot);
            if loaded.steps == 0 {
                loaded.at_start = Arc::clone(&snapshot.contacts);
                loaded.velocities_at_start.clone_from(&loaded.simulation.state.velocities);
            }
            self.post.put(snapshot);
        }
    }
}
