//! A simulation on a thread of its own: the editor sends requests, and looks at the latest snapshot.
//!
//! ```text
//! editor --Request--> worker (owns the Simulation)
//!        <--Event---- one queue: progress, reports, every step's statistics
//!        <--Snapshot- one slot: only the latest is of interest
//! ```
//!
//! The worker records every step and reads recorded frames as well: between two steps it is idle, and scrubbing stops stepping,
//! so that one thread owns simulation and recording, and the editor never waits for the disk.

mod clock;
mod displaced;
mod exports;
mod findings;
mod frames;
mod model;
mod node_fields;
mod places;
mod series;
mod skin;
mod track;
mod worker;

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use aplomb_sim::element::FieldKind;
use aplomb_sim::math::Vec3;
use aplomb_sim::rest_shape::{RestMethod, RestShape};
use aplomb_sim::sag_free::FoundContact;
use aplomb_sim::sag_free::stability::forecast::Forecast;
use aplomb_sim::scene::{Mend, Method, Scene, SceneProblem};
use aplomb_sim::stats::report::{InitReport, NudgeReport};
use aplomb_sim::step::StepStats;

pub use clock::{Clock, Seat};
pub use findings::{Findings, ModeShape, Motion};
pub use model::{Model, ModelBody, ModelSurface, is_open};
pub use node_fields::{DISPLACEMENT, NODE_FIELDS, NodeField};
pub use places::{Place, PlaceFacts, Sample, Samples};
pub use series::Series;
pub use skin::{ModelSkin, follow, on_skin};
pub use track::{Activity, Certificate, Progress, Repainted, Track};

/// Which load a result belongs to; results of an earlier one are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct RunId(pub u64);

/// What the editor asks of the worker.
#[derive(Debug)]
pub enum Request {
    /// Build this scene, whose relative paths start at the folder; what was there is dropped. With `true`, its mesh files may have
    /// changed: painted regions are moved from the meshes that were there to those that are read.
    Load(RunId, Box<Scene>, PathBuf, bool),
    /// Drop what is loaded.
    Unload(RunId),
    /// Build this scene, whose relative paths start at the folder, and put it into balance by the method; then judge its stability. What
    /// is there stays in sight until the balance is found.
    Rebalance(RunId, Box<Scene>, PathBuf, Method),
    /// Choose the rest state; with `true`, all cures are tried and compared if the equilibrium is unstable.
    Initialise(Method, bool),
    /// Kick the body in the equilibrium of the last initialisation, and watch whether it comes back.
    Nudge,
    /// Look for the contacts of this scene in the given shape; the simulation stays as it is.
    FindContacts(Box<Scene>, PathBuf),
    /// Look for a mesh that holds the shape in other programs.
    RestShape(RestMethod),
    /// Write files; bodies of points as the surfaces around them where it says how many cubes of these lie along their spacing.
    Export(Export, Option<f64>),
    /// Play the recording from the frame on screen to its end and go on stepping, until told otherwise. With a frame to
    /// repeat at, the recording up to there starts again each time that it is reached.
    Run(Option<u64>),
    /// Change where playing repeats.
    Repeat(Option<u64>),
    /// Play the recording in this file, which was made of the scene that is loaded, in place of the run at hand.
    Replay(PathBuf),
    /// Stop, and show the frame that is wanted now.
    Show,
    /// Stop stepping.
    Pause,
    /// Play this many frames.
    Step(u32),
    /// Back to time zero, with the rest state as it is.
    Reset,
    /// Add this velocity to every free mass [m/s].
    Kick(Vec3),
    /// Take hold of the end of the run at this node, no stronger than so many times the body's weight.
    Hold(usize, f64),
    /// Pull what is held so far from where it was taken [m].
    Pull(Vec3),
    /// Let go of it.
    LetGo,
    /// Let a gust blow from now on: its velocity [m/s], and how long [s].
    Blow(Vec3, f64),
    /// Go on with what this scene has otherwise, of what may change while a run goes on.
    Follow(Box<Scene>),
    /// Look closely at a place from now on, or at none.
    Look(Option<Place>),
    /// Take samples at these places: of every frame of the recording, and of all that come. The number tells them from those before.
    Probe(u64, Vec<Place>),
    /// End the thread.
    Quit,
}

/// What is written, and where.
#[derive(Debug, Clone, PartialEq)]
pub enum Export {
    /// The rest state and the contact forces of the last initialisation.
    PreparedAsset(PathBuf),
    /// The rest mesh that was found last: one file, or one for each body, named after it.
    RestMesh(PathBuf),
    /// The bodies as they are on screen, in the format of the file's extension.
    Bodies(PathBuf),
    /// Every recorded frame into this folder, in the sequence format of this name.
    Run(PathBuf, &'static str),
}

/// What the worker tells.
#[derive(Debug, Clone)]
pub enum Event {
    /// The scene is ready, in its naive rest state.
    Loaded(Arc<Model>),
    /// What can be seen of a scene that cannot be simulated; that it failed follows.
    Seen(Arc<Model>),
    /// The scene that is being loaded, with its painted regions on the meshes that its files hold now.
    Repainted(Box<Scene>),
    /// The work in hand is in `stage`, of which `done` (0 to 1) is behind it.
    Progress {
        /// Name of the stage.
        stage: String,
        /// Share of it that is done.
        done: f64,
    },
    /// The rest state is chosen.
    Initialised(Box<InitReport>, Findings),
    /// The forces are in balance, or as near to it as they get; of stability nothing is known yet.
    Balanced(Box<InitReport>, Findings),
    /// What was balanced was judged: the whole report.
    Judged(Box<InitReport>, Findings),
    /// How far what was initialised last will drift.
    Foreseen(Forecast),
    /// The contacts that were looked for; none where the scene cannot be built.
    Found(Arc<[FoundContact]>),
    /// What became of the nudged body.
    Nudged(Box<NudgeReport>),
    /// A mesh for other programs, or the best that there is.
    RestShape(Arc<RestShape>),
    /// Files were written.
    Exported(Vec<PathBuf>),
    /// A step was taken.
    Stepped(Box<StepStats>),
    /// What a frame has at the probes of this number, in their order.
    Sampled {
        /// Which probes.
        probes: u64,
        /// The frame.
        frame: u64,
        /// One sample a probe.
        samples: Vec<Sample>,
    },
    /// A recording is at hand in place of a run: the numbers of all its frames.
    Replayed(Vec<StepStats>),
    /// The frame that was wanted is on screen, or the nearest to it that there is.
    Shown(u64),
    /// Steps from here on are not recorded: why.
    RecordingStopped(String),
    /// The body was put back to time zero.
    WasReset,
    /// Stepping goes on (`true`) or stopped.
    Running(bool),
    /// The work in hand was given up on request; nothing was changed by it.
    Cancelled,
    /// The work in hand failed.
    Failed(SessionError),
}

/// Why the worker could not do what was asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SessionError {
    /// The scene could not be built: every problem found.
    #[error("the scene could not be built")]
    Scene(Vec<SceneProblem>),
    /// The rest state could not be computed.
    #[error("initialisation: {0}")]
    Initialise(String),
    /// A step could not be taken, and what mends that, if a number of the scene does.
    #[error("simulation: {0}")]
    Step(String, Option<Mend>),
    /// A recording could not be opened.
    #[error("{0}")]
    Recording(String),
    /// A recorded frame could not be read.
    #[error("recording: {0}")]
    Frame(String),
    /// The body could not be nudged.
    #[error("nudge test: {0}")]
    Nudge(String),
    /// There is no rest mesh, not even a bad one.
    #[error("rest mesh: {0}")]
    RestShape(String),
    /// A file could not be written.
    #[error("export: {0}")]
    Export(String),
    /// Nothing is loaded.
    #[error("there is no scene to work on: mend the problems first")]
    NothingLoaded,
    /// The worker thread ended by itself.
    #[error("the simulation stopped on an internal error; the scene is untouched, save it and open it again")]
    Lost,
}

/// A scalar field over all nodes of the system.
#[derive(Debug, Clone)]
pub struct Field {
    /// What it is.
    pub kind: &'static FieldKind,
    /// One value a node.
    pub values: Arc<[f64]>,
    /// One value an element, NaN where its family has none, if the values at the nodes are their means; else none at all.
    pub elements: Arc<[f64]>,
    /// Least and largest value of the elements, where the values are their means at the nodes.
    pub of_elements: Option<(f64, f64)>,
}

/// A contact and its force, in the given shape or now.
#[derive(Debug, Clone, Copy)]
pub struct ContactPoint {
    /// Place [m].
    pub point: Vec3,
    /// Unit normal out of the obstacle.
    pub normal: Vec3,
    /// Force on the body [N].
    pub force: Vec3,
}

/// Everything about an instant that can be drawn.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The load that it belongs to.
    pub run: RunId,
    /// Steps from time zero.
    pub frame: u64,
    /// Time [s].
    pub time: f64,
    /// Positions of all nodes [m].
    pub positions: Arc<[Vec3]>,
    /// Fields to look at.
    pub fields: Vec<Field>,
    /// Contacts that the rest state carries.
    pub contacts: Arc<[ContactPoint]>,
    /// The largest of the forces that nothing balances: where [m], and which [N]. Recordings do not hold them.
    pub unbalanced: Arc<[(Vec3, Vec3)]>,
    /// The numbers of the place that is looked at closely.
    pub place: Option<Arc<PlaceFacts>>,
}

/// Called from the worker when there is something new to look at.
pub type WakeUp = Arc<dyn Fn() + Send + Sync>;

/// What the two threads share.
struct Shared {
    /// Requests up to this number are to be given up; they are numbered from 1.
    cancelled: AtomicU64,
    /// Number of the last request.
    sent: AtomicU64,
    /// The frame to show: requests to do so may queue, only the latest matters.
    wanted: AtomicU64,
    snapshot: Mutex<Option<Arc<Snapshot>>>,
}

/// The editor's end of a worker thread. Dropping it cancels the work in hand; the thread ends by itself soon after.
pub struct Session {
    requests: Sender<(u64, Request)>,
    sent: Cell<u64>,
    events: Receiver<(RunId, Event)>,
    shared: Arc<Shared>,
    run: RunId,
}

impl Session {
    /// Starts a worker named `name`.
    ///
    /// # Errors
    /// The system gave no thread.
    pub fn start(name: &str, seat: Seat, wake_up: WakeUp) -> std::io::Result<Self> {
        let (requests, inbox) = mpsc::channel();
        let (outbox, events) = mpsc::channel();
        let shared = Arc::new(Shared {
            cancelled: AtomicU64::new(0),
            sent: AtomicU64::new(0),
            wanted: AtomicU64::new(0),
            snapshot: Mutex::new(None),
        });
        let post = worker::Post::new(outbox, Arc::clone(&shared), wake_up);
        std::thread::Builder::new().name(name.to_owned()).spawn(move || worker::work(&inbox, post, seat))?;
        Ok(Self { requests, sent: Cell::new(0), events, shared, run: RunId::default() })
    }

    /// Starts a new run with `scene`, whose painted regions are moved to changed meshes if `repaint`; everything that belongs to an earlier one is dropped from now on.
    pub fn load(&mut self, scene: Scene, folder: PathBuf, repaint: bool) -> RunId {
        self.run.0 += 1;
        self.cancel();
        self.send(Request::Load(self.run, Box::new(scene), folder, repaint));
        self.run
    }

    /// Drops what is loaded: there is nothing to simulate any more. Everything that belongs to an earlier run is dropped from now on.
    pub fn unload(&mut self) {
        self.run.0 += 1;
        self.cancel();
        self.send(Request::Unload(self.run));
    }

    /// Starts a new run with `scene`, put into balance by `method`; everything that belongs to an earlier one is dropped from now on.
    pub fn rebalance(&mut self, scene: Scene, folder: PathBuf, method: Method) {
        self.run.0 += 1;
        self.cancel();
        self.send(Request::Rebalance(self.run, Box::new(scene), folder, method));
    }

    /// Sends a request; it waits its turn behind earlier ones.
    pub fn send(&self, request: Request) {
        self.sent.set(self.sent.get() + 1);
        self.shared.sent.store(self.sent.get(), Ordering::Relaxed);
        // A worker that ended is reported by `poll`; there is nobody else to tell.
        let _ = self.requests.send((self.sent.get(), request));
    }

    /// Stops playing and shows `frame`, once earlier requests are answered.
    pub fn show(&self, frame: u64) {
        self.shared.wanted.store(frame, Ordering::Relaxed);
        self.send(Request::Show);
    }

    /// Gives up the work in hand, and what was asked for since.
    pub fn cancel(&self) {
        self.shared.cancelled.store(self.sent.get(), Ordering::Relaxed);
    }

    /// The present run.
    pub fn run(&self) -> RunId {
        self.run
    }

    /// The next event of the present run.
    pub fn poll(&self) -> Option<Event> {
        loop {
            match self.events.try_recv() {
                Ok((run, event)) if run == self.run => return Some(event),
                Ok(_) => {}
                Err(mpsc::TryRecvError::Empty) => return None,
                Err(mpsc::TryRecvError::Disconnected) => return Some(Event::Failed(SessionError::Lost)),
            }
        }
    }

    /// The latest snapshot of the present run.
    pub fn snapshot(&self) -> Option<Arc<Snapshot>> {
        let slot = self.shared.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        slot.as_ref().filter(|snapshot| snapshot.run == self.run).cloned()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.cancel();
        self.send(Request::Quit);
    }
}
