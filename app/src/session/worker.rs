//! The worker thread: one request after the other; between them, steps while it is told to run.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use aplomb_sim::sag_free::initialise::InitialiseError;
use aplomb_sim::scene::Scene;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::step::StepError;
use aplomb_sim::watch::{Cancelled, Watch};

use super::{Event, Model, Request, RunId, Seat, SessionError, Shared, WakeUp};

/// How long the worker sleeps when others on the clock are behind it.
const TURN: Duration = Duration::from_millis(1);

/// Where results go.
pub struct Post {
    outbox: Sender<(RunId, Event)>,
    shared: Arc<Shared>,
    wake_up: WakeUp,
}

impl Post {
    pub fn new(outbox: Sender<(RunId, Event)>, shared: Arc<Shared>, wake_up: WakeUp) -> Self {
        Self { outbox, shared, wake_up }
    }

    fn tell(&self, run: RunId, event: Event) {
        // The editor has gone when nobody receives; `Quit` or the closed inbox ends the thread next.
        let _ = self.outbox.send((run, event));
        (self.wake_up)();
    }
}

/// Lets a computation tell its progress and hear that it should stop.
struct Watched<'a> {
    run: RunId,
    /// Number of the request that is being answered.
    ticket: u64,
    post: &'a Post,
}

impl Watch for Watched<'_> {
    fn progress(&self, stage: &str, done: f64) {
        self.post.tell(self.run, Event::Progress { stage: stage.to_owned(), done });
    }
    fn check(&self) -> Result<(), Cancelled> {
        if self.ticket <= self.post.shared.cancelled.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
    }
}

/// A loaded scene.
struct Loaded {
    model: Arc<Model>,
    simulation: Simulation,
    steps: u64,
    step_size: Duration,
}

struct Worker {
    post: Post,
    seat: Seat,
    run: RunId,
    ticket: u64,
    loaded: Option<Loaded>,
    /// Steps still to take; `u64::MAX` for no end.
    left: u64,
    /// Earliest instant of the next step, so that playing is never faster than the scene's own time.
    next: Instant,
}

/// Runs until told to quit, or until nobody is left to tell.
pub fn work(inbox: &Receiver<(u64, Request)>, post: Post, seat: Seat) {
    let mut worker = Worker { post, seat, run: RunId::default(), ticket: 0, loaded: None, left: 0, next: Instant::now() };
    loop {
        let request = match worker.until_next_step() {
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
            Err(TryRecvError::Empty) if worker.until_next_step() == Some(Duration::ZERO) => worker.step(),
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

    fn answer(&mut self, request: Request) {
        if let Request::Load(run, scene, folder) = request {
            self.run = run;
            self.stop();
            return self.load(&scene, &folder);
        }
        let Some(loaded) = &mut self.loaded else {
            return self.post.tell(self.run, Event::Failed(SessionError::NothingLoaded));
        };
        match request {
            Request::Initialise(method) => {
                self.left = 0;
                self.seat.set(None);
                let result = loaded.simulation.initialise(method, &Watched { run: self.run, ticket: self.ticket, post: &self.post });
                match result {
                    Ok(report) => {
                        loaded.steps = 0;
                        self.publish();
                        self.post.tell(self.run, Event::Initialised(Box::new(report)));
                    }
                    Err(InitialiseError::Cancelled(_)) => self.post.tell(self.run, Event::Cancelled),
                    Err(error) => self.post.tell(self.run, Event::Failed(SessionError::Initialise(error.to_string()))),
                }
            }
            Request::Run => self.go(u64::MAX),
            Request::Step(count) => self.go(u64::from(count)),
            Request::Pause => self.stop(),
            Request::Reset => {
                loaded.simulation.reset();
                loaded.steps = 0;
                self.stop();
                self.publish();
                self.post.tell(self.run, Event::WasReset);
            }
            Request::Kick(velocity) => loaded.simulation.kick(velocity),
            Request::Load(..) | Request::Quit => {}
        }
    }

    fn load(&mut self, scene: &Scene, folder: &std::path::Path) {
        self.loaded = None;
        let watch = Watched { run: self.run, ticket: self.ticket, post: &self.post };
        match Simulation::build(scene, folder, &watch) {
            Ok(simulation) => {
                let model = Arc::new(Model::of(&simulation.system, self.run));
                let step_size = Duration::try_from_secs_f64(scene.simulate.step_size).unwrap_or_default();
                self.loaded = Some(Loaded { model: Arc::clone(&model), simulation, steps: 0, step_size });
                self.publish();
                self.post.tell(self.run, Event::Loaded(model));
            }
            Err(_) if watch.check().is_err() => self.post.tell(self.run, Event::Cancelled),
            Err(error) => self.post.tell(self.run, Event::Failed(SessionError::Scene(error.0))),
        }
    }

    fn go(&mut self, steps: u64) {
        self.left = steps;
        self.next = Instant::now();
        self.seat.set(self.loaded.as_ref().map(|loaded| loaded.steps));
        self.post.tell(self.run, Event::Running(true));
    }

    fn stop(&mut self) {
        self.seat.set(None);
        if std::mem::take(&mut self.left) > 0 {
            self.post.tell(self.run, Event::Running(false));
        }
    }

    fn step(&mut self) {
        let Some(loaded) = &mut self.loaded else { return };
        self.next = (self.next + loaded.step_size).max(Instant::now());
        let result = loaded.simulation.step(&Watched { run: self.run, ticket: self.ticket, post: &self.post });
        match result {
            Ok(stats) => {
                loaded.steps += 1;
                self.seat.set(Some(loaded.steps));
                if self.left != u64::MAX {
                    self.left -= 1;
                }
                let done = self.left == 0;
                self.publish();
                self.post.tell(self.run, Event::Stepped(stats));
                if done {
                    self.seat.set(None);
                    self.post.tell(self.run, Event::Running(false));
                }
            }
            Err(StepError::Cancelled(_)) => {
                self.stop();
                self.post.tell(self.run, Event::Cancelled);
            }
            Err(error) => {
                self.stop();
                self.post.tell(self.run, Event::Failed(SessionError::Step(error.to_string())));
            }
        }
    }

    /// Puts the present state into the slot.
    fn publish(&self) {
        if let Some(loaded) = &self.loaded {
            let snapshot = Arc::new(loaded.model.snapshot(&loaded.simulation));
            *self.post.shared.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = Some(snapshot);
        }
    }
}
