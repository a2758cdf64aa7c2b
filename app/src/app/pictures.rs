//! Pictures of what is on screen, of every recorded frame, and from all around: drawn and written on another thread.

use std::f64::consts::TAU;
use std::path::PathBuf;
use std::sync::Arc;

use super::App;
use crate::document::{PictureKind, PictureRequest, PictureSize};
use crate::offscreen::{LegendDraw, Press, Shot};
use crate::panels::{Banner, Picture};
use crate::session::{Activity, RunId};
use crate::viewport::legend::Place;
use crate::viewport::{BodyColor, Camera, DrawList, Tone};

/// How the views are on screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct OnScreen {
    /// Height of the views and of the legend below them [points].
    pub height: f32,
    /// Pixels a point.
    pub scale: f32,
    /// Dark surroundings.
    pub dark: bool,
    /// Where the legend is.
    pub place: Option<Place>,
}

impl Default for OnScreen {
    fn default() -> Self {
        Self { height: 1.0, scale: 1.0, dark: true, place: None }
    }
}

/// Pictures in hand.
pub(super) struct Shooting {
    press: Press,
    kind: PictureKind,
    /// Where they go, in order.
    files: Vec<PathBuf>,
    /// How many were sent to be drawn, and how many are written.
    sent: usize,
    written: usize,
    /// What all of them have: what is seen at first, size and legend.
    first: Shot,
    /// Their colours: those that the legend has when they are begun.
    tone: Option<Tone>,
    /// The load that is seen, and the frame that was on screen.
    run: RunId,
    back_to: u64,
}

impl App {
    /// Begins to draw and write pictures.
    pub(super) fn shoot(&mut self, request: &PictureRequest) -> Result<(), String> {
        if self.shooting.is_some() {
            return Err("pictures are being saved: wait until they are, or cancel that".to_owned());
        }
        let Some(run) = self.main.model.as_ref().map(|model| model.run) else { return Err("there is nothing to see yet".to_owned()) };
        if request.kind == PictureKind::Run {
            if self.main.activity.is_busy() {
                return Err("the simulation is at work: wait until it is done".to_owned());
            }
            if self.main.last_frame() == 0 {
                return Err("nothing is recorded yet: press Play first".to_owned());
            }
            self.main.pause();
            self.twin.iter_mut().for_each(|twin| twin.pause());
        }
        let tracks: Vec<_> = std::iter::once(&self.main).chain(&self.twin).collect();
        let subject = Picture::legend(&tracks, self.desk.color_by, &self.desk.legends);
        let OnScreen { height, scale, place, .. } = self.on_screen;
        let legend = subject.zip(place).filter(|_| request.options.legend).map(|(subject, place)| LegendDraw { subject, place });
        let size = request.options.pixels(self.desk.view_pixels);
        let scale = match request.options.size {
            // Its sides may have been cut to what can be drawn.
            PictureSize::View(_) => scale * size.1 as f32 / self.desk.view_pixels.1.max(1) as f32,
            PictureSize::Pixels(_, high) => high as f32 / height.max(1.0),
        };
        let tone = subject.map(|subject| subject.tone);
        let panes = self.panes(tone);
        let first = Shot { panes, size, scale, transparent: request.options.transparent, legend, revision: 0 };
        let wake_up = Arc::clone(&self.wake_up);
        let press = Press::start(move || wake_up()).map_err(|error| format!("no thread could be started: {error}"))?;
        let files = request.files(self.main.last_frame());
        self.desk.picture = request.options;
        self.desk.shooting = Some((0, files.len()));
        let back_to = self.main.frame();
        self.shooting = Some(Shooting { press, kind: request.kind, files, sent: 0, written: 0, first, tone, run, back_to });
        self.take_pictures();
        Ok(())
    }

    /// What is seen now, without what tells only what is selected.
    fn panes(&mut self, tone: Option<Tone>) -> Vec<(DrawList, Camera)> {
        let compared = self.twin.is_some();
        let camera = self.views[1].camera;
        let tracks = self.twin.iter().map(|twin| (0, twin)).chain([(1, &self.main)]);
        let list = |(index, track): (usize, _)| {
            let list = self.pictures[index].draw_list(&self.document, track, &self.desk, tone, self.on_screen.dark, compared);
            (DrawList { outlined: false, ..list }, camera)
        };
        tracks.map(list).collect()
    }

    /// Takes in which pictures are written, and sends what comes next.
    pub(super) fn take_pictures(&mut self) {
        let Some(mut shooting) = self.shooting.take() else { return };
        while let Some(news) = shooting.press.poll().filter(|_| shooting.written < shooting.files.len()) {
            match news {
                Ok(()) => shooting.written += 1,
                Err(why) => {
                    self.banner = Some(Banner::Failed(format!("The pictures cannot be saved: {why}")));
                    return self.end_pictures(&shooting);
                }
            }
        }
        if shooting.written == shooting.files.len() {
            let first = shooting.files.first().map(|file| file.display().to_string()).unwrap_or_default();
            let more = if shooting.written > 1 { format!(" and {} more", shooting.written - 1) } else { String::new() };
            self.desk.note = Some(format!("Saved {first}{more}"));
            return self.end_pictures(&shooting);
        }
        while let Some(file) = shooting.files.get(shooting.sent).cloned() {
            let shot = match self.next_shot(&shooting) {
                Ok(Some(shot)) => shot,
                Ok(None) => break,
                Err(why) => {
                    self.banner =
                        Some(Banner::Failed(format!("{} of {} pictures are saved: {why}", shooting.written, shooting.files.len())));
                    return self.end_pictures(&shooting);
                }
            };
            if !shooting.press.send(shot, file) {
                break;
            }
            shooting.sent += 1;
        }
        self.desk.shooting = Some((shooting.written, shooting.files.len()));
        self.shooting = Some(shooting);
    }

    /// The next picture; none while its frame is not on screen yet.
    fn next_shot(&mut self, shooting: &Shooting) -> Result<Option<Shot>, &'static str> {
        let mut shot = shooting.first.clone();
        match shooting.kind {
            PictureKind::Still => {}
            PictureKind::Turntable => {
                let turn = TAU * shooting.sent as f64 / shooting.files.len() as f64;
                shot.panes.iter_mut().for_each(|(_, camera)| camera.orbit(turn, 0.0));
            }
            PictureKind::Run => {
                let frame = shooting.sent as u64;
                let mut ready = true;
                for track in std::iter::once(&mut self.main).chain(&mut self.twin) {
                    if track.activity != Activity::Idle {
                        return Err("the recording went on meanwhile");
                    }
                    let wanted = frame.min(track.last_frame());
                    let is_there = track.snapshot.as_ref().is_some_and(|snapshot| snapshot.frame == wanted);
                    ready &= is_there;
                    if track.frame() != wanted {
                        track.show(wanted);
                    }
                }
                if self.main.model.as_ref().is_none_or(|model| model.run != shooting.run) || frame > self.main.last_frame() {
                    return Err("its recording is gone");
                }
                if !ready {
                    return Ok(None);
                }
                let cameras: Vec<Camera> = shot.panes.iter().map(|(_, camera)| *camera).collect();
                shot.panes = self.panes(shooting.tone).into_iter().zip(cameras).map(|((list, _), camera)| (list, camera)).collect();
                let is_colored = |list: &DrawList| list.bodies.iter().any(|body| matches!(body.color, BodyColor::Scalar { .. }));
                // Not before the surfaces around points are those of this frame.
                if self.pictures.iter().any(Picture::is_at_work) {
                    return Ok(None);
                }
                if shooting.tone.is_some() && !shot.panes.iter().any(|(list, _)| is_colored(list)) {
                    return Err("recorded frames have no values of what the colours tell; choose other colours");
                }
                shot.revision = frame;
            }
        }
        Ok(Some(shot))
    }

    /// Gives pictures up that are being written; true if there were any.
    pub(super) fn stop_pictures(&mut self) -> bool {
        let Some(shooting) = self.shooting.take() else { return false };
        self.desk.note = Some(format!("Stopped: {} of {} pictures are saved", shooting.written, shooting.files.len()));
        self.end_pictures(&shooting);
        true
    }

    /// Back to how it was before the pictures.
    fn end_pictures(&mut self, shooting: &Shooting) {
        self.desk.shooting = None;
        let same = self.main.model.as_ref().is_some_and(|model| model.run == shooting.run);
        if shooting.kind == PictureKind::Run && same && self.main.activity == Activity::Idle {
            for track in std::iter::once(&mut self.main).chain(&mut self.twin) {
                track.show(shooting.back_to);
            }
        }
    }
}
