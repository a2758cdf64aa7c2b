//! Live balance: how long it takes from an edit to the balance, and to the verdict on stability, in a session as the editor has it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aplomb_sim::scene::{Method, Region, RegionRole, Scene, Selector, Shape};
use aplomb_sim::scene_file::{self, gallery};

use super::Request;
use super::report::Row;
use crate::cli::failure::Failure;
use crate::session::{Clock, Event, Model, Session};

/// Edits of each sort; the fastest counts.
const REPETITIONS: u32 = 3;
/// How long the session sleeps at a time until there is news.
const NAP: Duration = Duration::from_micros(200);

/// An edit by name: what it makes of the scene, the model of which is known, the k-th time.
type Edit = (&'static str, fn(&mut Scene, &Model, u32));

static EDITS: &[Edit] = &[
    ("fixed stroke", |scene, model, k| paint(scene, model, k, RegionRole::FIXED)),
    ("material stroke", |scene, model, k| {
        let Some(mut material) = scene.bodies[0].material.clone() else { return };
        material.young *= 3.0;
        paint(scene, model, k, RegionRole::Material(material));
    }),
    ("stiffness", |scene, _, k| {
        scene.bodies.iter_mut().filter_map(|b| b.material.as_mut()).for_each(|m| m.young *= 1.0 + 0.1 * f64::from(k))
    }),
    ("obstacle moved", |scene, _, k| {
        for obstacle in &mut scene.obstacles {
            match &mut obstacle.shape {
                Shape::HalfSpace { point, .. } => point[1] -= 1e-4 * f64::from(k),
                Shape::Torus { center, .. } => center[1] -= 1e-4 * f64::from(k),
                _ => {}
            }
        }
    }),
    ("gravity", |scene, _, k| scene.gravity[0] = 0.2 * f64::from(k)),
];

/// Paints the vertices near the highest one, farther each time.
fn paint(scene: &mut Scene, model: &Model, k: u32, role: RegionRole) {
    let Some(top) = model.positions[..model.body_nodes].iter().max_by(|a, b| a.y.total_cmp(&b.y)) else { return };
    let radius = model.diagonal * 0.03 * f64::from(k);
    let select = vec![Selector::Sphere { center: (*top).into(), radius }];
    scene.bodies[0].regions.push(Region { name: "stroke".into(), color: None, locked: false, role, select });
}

/// A scene of the gallery; one that is filled with tets, with so many. The gourds stand by contact and friction alone, the others are held.
type Subject = (&'static str, Option<u32>);

static SUBJECTS: &[Subject] = &[("gourd", Some(10_000)), ("creature", None), ("octopus", None), ("gourd", Some(100_000))];

/// One row a scene.
pub fn run(request: &Request) -> Result<Vec<Row>, Failure> {
    SUBJECTS.iter().map(|subject| measured(subject, request)).collect()
}

fn measured(&(name, tets): &Subject, request: &Request) -> Result<Row, Failure> {
    let Some(entry) = gallery::find(name) else {
        return Err(Failure::Input(format!("the gallery has no scene `{name}`")));
    };
    let mut scene = scene_file::load(&entry.path()).map_err(|problems| Failure::problems(&problems))?;
    for filling in scene.bodies.iter_mut().filter_map(|body| body.tetrahedralise.as_mut()) {
        filling.tets = tets.or(filling.tets);
    }
    let folder = entry.path().parent().map(PathBuf::from).unwrap_or_default();
    let mut live = Live::start()?;
    let name = tets.map_or_else(|| name.to_owned(), |tets| format!("{name}_{}k", tets / 1000));
    let mut row = Row { name: format!("live.{name}"), system: "edits balanced as they are made".into(), ..Row::default() };
    let first = live.balance(&scene, &folder, &mut row)?;
    row.time("first: balance", first.balance);
    row.time("first: verdict", first.verdict);
    let Some(model) = live.model.clone() else { return Ok(row) };
    for (what, edit) in EDITS {
        let mut best: Option<Took> = None;
        for k in 1..=REPETITIONS {
            request.watch.check().map_err(|_| Failure::Interrupted)?;
            let mut edited = scene.clone();
            edit(&mut edited, &model, k);
            let took = live.balance(&edited, &folder, &mut row)?;
            if best.as_ref().is_none_or(|best| took.balance < best.balance) {
                best = Some(took);
            }
        }
        if let Some(best) = best {
            row.time(&format!("{what}: balance"), best.balance);
            row.time(&format!("{what}: of CPU"), best.processor);
            row.time(&format!("{what}: verdict"), best.verdict);
        }
    }
    Ok(row)
}

/// Seconds of an edit.
struct Took {
    /// Wall time to the balance.
    balance: f64,
    /// Time of all cores to the balance.
    processor: f64,
    /// Wall time to the verdict.
    verdict: f64,
}

struct Live {
    session: Session,
    model: Option<Arc<Model>>,
}

impl Live {
    fn start() -> Result<Self, Failure> {
        let session =
            Session::start("live", Clock::default().seat(), Arc::new(|| ())).map_err(|error| Failure::Input(error.to_string()))?;
        Ok(Self { session, model: None })
    }

    fn balance(&mut self, scene: &Scene, folder: &std::path::Path, row: &mut Row) -> Result<Took, Failure> {
        let (clock, before) = (Instant::now(), processor_seconds());
        self.session.rebalance(scene.clone(), folder.to_path_buf(), Method::SagFree);
        let mut took = Took { balance: 0.0, processor: 0.0, verdict: 0.0 };
        loop {
            match self.session.poll() {
                Some(Event::Loaded(model)) => self.model = Some(model),
                Some(Event::Balanced(report, _)) => {
                    (took.balance, took.processor) = (clock.elapsed().as_secs_f64(), processor_seconds() - before);
                    (row.elements, row.masses, row.contacts) = (report.elements, report.masses, report.contacts);
                    row.residual = Some(row.residual.unwrap_or(0.0).max(report.residual.after));
                }
                Some(Event::Judged(..)) => took.verdict = clock.elapsed().as_secs_f64(),
                // The last that an edit leads to.
                Some(Event::Found(_)) => return Ok(took),
                Some(Event::Failed(error)) => return Err(Failure::Unreached(error.to_string())),
                Some(_) => {}
                None => std::thread::sleep(NAP),
            }
        }
    }
}

/// Seconds that all cores have worked for this program; 0 where the system does not tell.
fn processor_seconds() -> f64 {
    // Fields 14 and 15, in hundredths, counted from behind the name in parentheses.
    let status = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = status.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}
