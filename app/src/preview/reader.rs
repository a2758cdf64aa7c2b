//! The thread that reads and examines: the surface comes first, the report when it is ready.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};

use aplomb_sim::import::{self, RawMesh};
use aplomb_sim::mesh::health::{Health, examine};
use aplomb_sim::mesh::mend::mend;
use aplomb_sim::mesh::{MeshProblem, TetMesh};
use aplomb_sim::scene::{SurfaceRepair, UpAxis};
use aplomb_sim::watch::{Cancelled, Flagged, Watch};

use super::Surface;
use crate::session::WakeUp;

/// What is mended before a file is examined, and the flag that is raised when nobody wants to know any more.
type Ask = (Vec<SurfaceRepair>, Arc<AtomicBool>);

/// The report on a file, or on what repairs made of it.
#[derive(Debug)]
pub struct Report {
    /// What was found; in the unit and the axes of the file, because another unit is no reason to look again.
    pub health: Health,
    /// The surface that places in it are of, where it is another one than before.
    pub surface: Option<Surface>,
    /// What the repairs did.
    pub done: Vec<MeshProblem>,
    /// Why it cannot be simulated, whatever is chosen.
    pub refusal: Option<String>,
}

/// What the thread tells.
#[derive(Debug)]
pub enum News {
    /// It is in this stage, of which a share is done.
    Progress(String, f64),
    /// The file is read.
    Read(Arc<RawMesh>, Box<Surface>),
    /// It is examined as was asked last.
    Examined(Arc<Report>),
    /// The file cannot be read.
    Failed(String),
}

/// The editor's end of the thread; dropping it ends the work in hand.
#[derive(Debug)]
pub struct Reader {
    asks: Sender<Ask>,
    news: Receiver<News>,
    /// Raised when nobody wants what is being done now.
    given_up: Arc<AtomicBool>,
    lost: bool,
}

impl Reader {
    /// Starts to read `file`.
    ///
    /// # Errors
    /// The system gave no thread.
    pub fn start(file: &Path, wake_up: WakeUp) -> std::io::Result<Self> {
        let (asks, inbox) = mpsc::channel();
        let (outbox, news) = mpsc::channel();
        let given_up = Arc::new(AtomicBool::new(false));
        let (file, flag) = (file.to_path_buf(), Arc::clone(&given_up));
        std::thread::Builder::new().name("import".to_owned()).spawn(move || work(&file, &inbox, &flag, &Post { outbox, wake_up }))?;
        Ok(Self { asks, news, given_up, lost: false })
    }

    /// Asks for a report on what these repairs leave; an earlier one that is not ready yet is given up.
    pub fn ask(&mut self, repair: Vec<SurfaceRepair>) {
        self.given_up.store(true, Ordering::Relaxed);
        self.given_up = Arc::new(AtomicBool::new(false));
        // A thread that ended is told by `poll`.
        let _ = self.asks.send((repair, Arc::clone(&self.given_up)));
    }

    /// What the thread told next.
    pub fn poll(&mut self) -> Option<News> {
        match self.news.try_recv() {
            Ok(news) => {
                self.lost |= matches!(news, News::Failed(_));
                Some(news)
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => (!std::mem::replace(&mut self.lost, true))
                .then(|| News::Failed("this file cannot be used: reading it stopped on an internal error".to_owned())),
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.given_up.store(true, Ordering::Relaxed);
    }
}

struct Post {
    outbox: Sender<News>,
    wake_up: WakeUp,
}

impl Post {
    fn tell(&self, news: News) {
        // Nobody receives once the file is no longer looked at; the closed inbox ends the thread next.
        let _ = self.outbox.send(news);
        (self.wake_up)();
    }

    fn progress(&self, stage: &str, done: f64) {
        self.tell(News::Progress(stage.to_owned(), done));
    }
}

fn work(file: &Path, inbox: &Receiver<Ask>, given_up: &AtomicBool, post: &Post) {
    let raw = match import::read(file, &Flagged { cancel: given_up, report: |stage: &str, done| post.progress(stage, done) }) {
        Ok(raw) => Arc::new(raw),
        Err(error) => return post.tell(News::Failed(error.to_string())),
    };
    let surface = Surface::of(&raw);
    post.tell(News::Read(Arc::clone(&raw), Box::new(surface.clone())));
    while let Ok(mut latest) = inbox.recv() {
        while let Ok(later) = inbox.try_recv() {
            latest = later;
        }
        let (repair, given_up) = latest;
        let watch = Flagged { cancel: &given_up, report: |stage: &str, done| post.progress(stage, done) };
        if let Ok(report) = report(&raw, &surface, &repair, &watch) {
            post.tell(News::Examined(Arc::new(report)));
        }
    }
}

fn report(raw: &RawMesh, surface: &Surface, repair: &[SurfaceRepair], watch: &dyn Watch) -> Result<Report, Cancelled> {
    let refusal = match (raw.tets.is_empty(), raw.triangles.is_empty()) {
        (false, _) => TetMesh::from_raw(raw, 1.0, UpAxis::Y).err().map(|error| error.to_string()),
        (true, false) => None,
        (true, true) if !raw.strands.is_empty() => Some("the file holds strands only; bodies are made of tets or of a surface".to_owned()),
        (true, true) => Some("the file holds neither tets nor triangles; check that it was exported with its faces".to_owned()),
    };
    if repair.is_empty() {
        let health = examine(raw, 1.0, UpAxis::Y, watch)?;
        return Ok(Report { health, surface: Some(surface.clone()), done: Vec::new(), refusal });
    }
    let mended = mend(&raw.positions, &raw.triangles, repair, watch)?;
    let surface = Surface::of_triangles(&mended.positions, &mended.triangles);
    let raw = RawMesh {
        format: raw.format,
        positions: mended.positions,
        triangles: mended.triangles,
        unit: raw.unit,
        up: raw.up,
        ..RawMesh::default()
    };
    Ok(Report { health: examine(&raw, 1.0, UpAxis::Y, watch)?, surface: Some(surface), done: mended.done, refusal })
}
