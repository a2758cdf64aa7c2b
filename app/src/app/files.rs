//! Files: open, save, import, reload, and the questions before something is lost.

use std::mem::discriminant;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, TryRecvError};

use aplomb_sim::export::sequence::SEQUENCES;
use aplomb_sim::reconstruction::Reconstruction;
use aplomb_sim::rest_shape;
use aplomb_sim::scene::{Scene, SceneProblem};
use aplomb_sim::scene_file::gallery;

use super::twin::begin;
use super::{App, Waiting};
use crate::document::{
    Action, Dialog, Document, FileAction, FileRequest, MeshFile, NetOptions, PictureKind, ShapeKind, UNTITLED, absolute, free_path,
    relative,
};
use crate::drawing::cloud::is_cloud;
use crate::panels::{Banner, BottomTab, Browser, FileCard, extensions};
use crate::session::{Activity, Export, Repainted};

/// A document without bodies, to stand in for one that cannot be read.
pub fn empty(path: &Path) -> Document {
    // The path is kept, so that mending the file in a text editor brings it in.
    let mut document = Document::unsaved(Scene::empty("empty"), PathBuf::new());
    document.path = Some(absolute(path));
    document
}

impl App {
    /// Opens the card that asks for a path, and the system's dialog beside it.
    pub(super) fn ask(&mut self, action: FileAction) {
        let wake_up = std::sync::Arc::clone(&self.wake_up);
        let is_written = action.extension().is_some();
        let folder = if is_written { self.folder_to_write() } else { self.document.folder().to_path_buf() };
        let name = self.document.path.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let mut name = name.unwrap_or_else(|| format!("{}.json", self.document.scene().name));
        let extension = action.extension();
        if let Some(extension) = extension.filter(|extension| *extension != "json") {
            let stem = Path::new(&name).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
            name = action.file_name(&stem, extension);
        }
        if action == FileAction::SaveAs && self.document.is_of_gallery() {
            let free = free_path(&folder, &name);
            name = free.file_name().map_or(name, |name| name.to_string_lossy().into_owned());
        }
        let text = if is_written { folder.join(&name).display().to_string() } else { String::new() };
        let woken = std::sync::Arc::clone(&wake_up);
        let dialog = Some(Dialog::open(action, &folder, &name, move || woken()));
        let format = extension.unwrap_or_default();
        let browser = Browser::new(&folder, extensions(action, format), self.places(), wake_up);
        let net = NetOptions::default();
        self.desk.file_card = Some(FileCard {
            action,
            text,
            format,
            net,
            picture: self.desk.picture,
            dialog,
            error: None,
            focused: false,
            saw_dialog: false,
            browser,
        });
    }

    /// Where files are looked for first: the user's own folder, the scene's, the gallery's, those of scenes that were opened lately.
    fn places(&self) -> Vec<(String, PathBuf)> {
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let named = [
            ("Home", home),
            ("Scene", self.document.path.as_ref().map(|_| self.document.folder().to_path_buf())),
            ("Working folder", std::env::current_dir().ok()),
            ("Gallery", Some(gallery_folder())),
        ];
        let named = named.into_iter().filter_map(|(name, path)| Some((name.to_owned(), absolute(&path?))));
        let recent = self.recent.files.iter().filter_map(|file| {
            let folder = file.path.parent()?;
            Some((folder.file_name()?.to_string_lossy().into_owned(), folder.to_path_buf()))
        });
        let mut places: Vec<(String, PathBuf)> = Vec::new();
        for (name, path) in named.chain(recent).chain([("/".to_owned(), PathBuf::from("/"))]) {
            if !places.iter().any(|(_, other)| *other == path) {
                places.push((name, path));
            }
        }
        places
    }

    /// Where files are offered to be written: the document's folder, but nothing in that of the gallery.
    fn folder_to_write(&self) -> PathBuf {
        let gallery = gallery_folder();
        if self.document.path.is_some() && !self.document.is_of_gallery() {
            return self.document.folder().to_path_buf();
        }
        if self.document.path.is_none() {
            // A scene without a file is offered a place beside its mesh.
            let mesh = self.document.meshes().first().and_then(|mesh| absolute(mesh).parent().map(Path::to_path_buf));
            let beside = mesh.unwrap_or_else(|| absolute(self.document.folder()));
            if beside != gallery && beside.is_dir() {
                return beside;
            }
        }
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let folders = std::env::current_dir().ok().into_iter().chain(home).chain([std::env::temp_dir()]);
        folders.into_iter().find(|folder| folder.is_dir() && absolute(folder) != gallery).unwrap_or(gallery)
    }

    /// The files that `request` writes, and whether the scene may be written over by it.
    fn targets(&self, request: &FileRequest) -> Vec<PathBuf> {
        match request {
            FileRequest::SaveAs(path) => vec![ending(path, "json")],
            FileRequest::Net(path, _) => vec![ending(path, "obj")],
            FileRequest::Export(Export::Bodies(path)) | FileRequest::Plot(path) => vec![path.clone()],
            FileRequest::Export(Export::PreparedAsset(path)) => vec![ending(path, "vtu")],
            FileRequest::Export(Export::RestMesh(path)) => rest_shape::mesh_files(self.document.scene(), &ending(path, "mesh")),
            FileRequest::Pictures(request) => request.files(self.main.last_frame()),
            _ => Vec::new(),
        }
    }

    /// Whether `request` writes over nothing that was read, and into a folder that is there; else why not.
    fn check_targets(&self, request: &FileRequest) -> Result<(), String> {
        let sources = self.document.sources(!matches!(request, FileRequest::SaveAs(_)));
        if let FileRequest::Export(Export::Run(folder, format)) = request {
            let format = SEQUENCES.iter().find(|known| known.name == *format);
            return format.map_or(Ok(()), |format| sources.keep_from_run(folder, format));
        }
        // A folder for many pictures is made, if there is one for that.
        let makes = matches!(request, FileRequest::Pictures(pictures) if pictures.kind != PictureKind::Still);
        let is_made = |folder: &Path| makes && absolute(folder).parent().is_some_and(Path::is_dir);
        self.targets(request).iter().try_for_each(|target| {
            if let Some(folder) = absolute(target).parent().filter(|folder| !folder.is_dir() && !is_made(folder)) {
                return Err(format!("there is no folder {}: make it first", folder.display()));
            }
            sources.keep_from(target)
        })
    }

    /// The file that `request` would write over, if that is to be asked about.
    fn lost_by(&self, request: &FileRequest) -> Option<PathBuf> {
        let is_asked = |target: &PathBuf| target.is_file() && (self.document.is_of_gallery() || !self.document.is_own_file(target));
        self.targets(request).into_iter().find(is_asked)
    }

    /// Writes over the file that was asked about.
    pub(super) fn overwrite(&mut self, ctx: &egui::Context) {
        if matches!(self.banner, Some(Banner::Overwrite(_))) {
            self.go_on(ctx);
        }
    }

    /// Does what was asked if nothing is lost by it; otherwise asks first.
    pub(super) fn guard(&mut self, ctx: &egui::Context, what: Waiting) {
        let adds = self.desk.preview.as_ref().is_some_and(|preview| preview.choices.add) || self.takes_first();
        let keeps = match &what {
            Waiting::File(FileRequest::Import) => adds,
            Waiting::New | Waiting::File(FileRequest::Open(_)) | Waiting::Quit => false,
            Waiting::File(_) | Waiting::Action(_) => true,
        };
        self.document.settle();
        if let Waiting::File(request) = &what {
            if let Err(why) = self.check_targets(request) {
                return self.refuse(why);
            }
            if let Some(lost) = self.lost_by(request) {
                self.banner = Some(Banner::Overwrite(lost));
                self.waiting = Some(what);
                return;
            }
        }
        let same = self.waiting.as_ref().is_some_and(|waiting| discriminant(waiting) == discriminant(&what));
        let again = same && matches!(self.banner, Some(Banner::Leaving(_)));
        self.waiting = Some(what);
        if again {
            self.go_on(ctx);
        } else if !keeps && self.document.is_dirty() {
            self.desk.file_card = self.desk.file_card.take().filter(|card| card.action == FileAction::SaveAs);
            self.banner = Some(Banner::Unsaved);
        } else if !keeps && self.has_dear_recording() {
            self.desk.file_card = None;
            self.banner = Some(Banner::Leaving(self.recorded()));
        } else {
            self.go_on(ctx);
        }
    }

    /// Does what was asked before the question.
    pub(super) fn go_on(&mut self, ctx: &egui::Context) {
        self.banner = None;
        match self.waiting.take() {
            None => {}
            Some(Waiting::Action(action)) => self.carry_out(ctx, *action),
            Some(Waiting::New) => self.new_scene(),
            Some(Waiting::Quit) => {
                self.quitting = true;
                ctx.send_viewport_cmd(egui::ViewportCommand::Close);
            }
            Some(Waiting::File(request)) => match self.do_file(&request) {
                // The card of a mesh stays until it is read: what is wrong with it is told there.
                Ok(()) if matches!(request, FileRequest::Obstacle(_)) => {}
                Ok(()) => self.desk.file_card = None,
                Err(what) => self.refuse(what),
            },
        }
    }

    /// Saves, and does what was asked before the question.
    pub(super) fn save_and_go_on(&mut self, ctx: &egui::Context) {
        if self.document.path.is_none() || self.document.is_of_gallery() {
            self.banner = None;
            return self.ask(FileAction::SaveAs);
        }
        match self.document.save(None) {
            Ok(()) => {
                self.rewatch();
                self.go_on(ctx);
            }
            Err(error) => self.banner = Some(Banner::Failed(format!("The scene cannot be saved: {error}"))),
        }
    }

    /// Puts a scene with nothing in it in the place of the present one. Files are asked for where they were before.
    fn new_scene(&mut self) {
        let folder = absolute(&self.folder_to_write());
        self.desk.file_card = None;
        self.document = Document::untitled(folder);
        self.opened();
    }

    fn do_file(&mut self, request: &FileRequest) -> Result<(), String> {
        match request {
            FileRequest::Open(path) => {
                self.document = Document::open(path).map_err(|problems| in_words(&problems))?;
                self.opened();
            }
            FileRequest::SaveAs(path) => {
                let path = ending(path, "json");
                let held = self.main.holds(self.document.scene(), self.document.folder());
                self.name_after(&path);
                self.document.save(Some(&path)).map_err(|error| error.to_string())?;
                if held {
                    for track in std::iter::once(&mut self.main).chain(&mut self.twin) {
                        track.moved_to(self.document.scene(), self.document.folder());
                    }
                }
                self.recent.add(&path);
                self.rewatch();
                self.desk.note = Some(format!("Saved {}", path.display()));
            }
            FileRequest::Import => self.import()?,
            FileRequest::Net(path, options) => self.new_net(&ending(path, "obj"), options)?,
            FileRequest::BodyRestMesh(path) => {
                if !path.is_file() {
                    return Err(format!("there is no file {}", path.display()));
                }
                let body = self.selected_body().ok_or("select the body first")?;
                let mut scene = (**self.document.scene()).clone();
                scene.bodies[body].rest_mesh = Some(relative(path, self.document.folder()));
                self.document.settle();
                self.document.edit("Choose rest mesh", scene);
                self.rewatch();
            }
            FileRequest::Recording(path) => {
                if self.main.activity.is_busy() || !self.main.is_up_to_date() || self.main.is_unbuilt {
                    return Err("load the scene that it was made of first: it has to be at rest".to_owned());
                }
                self.main.replay(path);
                self.layout.bring_up(BottomTab::Plots, false);
            }
            FileRequest::Plot(path) => self.write_plots(path)?,
            FileRequest::Export(export) => {
                let current = self.main.activity == Activity::Idle && self.main.holds(self.document.scene(), self.document.folder());
                match export {
                    Export::Bodies(_) | Export::Run(..) if self.main.activity.is_busy() || self.main.model.is_none() => {
                        return Err("the simulation is at work: wait until it is done".to_owned());
                    }
                    Export::Run(..) if self.main.last_frame() == 0 => return Err("nothing is recorded yet: press Play first".to_owned()),
                    Export::Bodies(_) | Export::Run(..) => {
                        self.main.pause();
                        // As they are seen.
                        let has_points = self.main.model.as_ref().is_some_and(|model| model.bodies.iter().any(is_cloud));
                        self.main.export(export.clone(), (self.desk.surface && has_points).then_some(Reconstruction::USUAL));
                    }
                    Export::PreparedAsset(_) if !current => {
                        return Err("initialise first: there is no rest state of the scene as it is now".to_owned());
                    }
                    Export::RestMesh(_) if !current || self.main.rest_shape.is_none() => {
                        return Err("look for a rest mesh first: there is none of the scene as it is now".to_owned());
                    }
                    Export::PreparedAsset(path) => {
                        let certificate = self.main.certificate.as_ref().map(|certificate| &certificate.report);
                        if let Some(reason) = certificate.and_then(|report| report.outcome.broken_promise(report.method)) {
                            return Err(format!("there is no balance to prepare: {reason}"));
                        }
                        self.main.export(Export::PreparedAsset(ending(path, "vtu")), None);
                    }
                    Export::RestMesh(path) => self.main.export(Export::RestMesh(ending(path, "mesh")), None),
                }
            }
            FileRequest::Pictures(request) => self.shoot(request)?,
            FileRequest::Obstacle(path) => {
                let (file, folder) = (path.clone(), self.document.folder().to_path_buf());
                self.read_mesh(path, move || MeshFile::read(&file, &folder))?;
            }
        }
        Ok(())
    }

    /// A scene that nobody has named is called like its file.
    fn name_after(&mut self, path: &Path) {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        if let Some(name) = stem.filter(|_| self.document.scene().name == UNTITLED) {
            self.document.restate(Scene { name, ..(**self.document.scene()).clone() });
        }
    }

    /// Reads the mesh of `file` on another thread.
    fn read_mesh(&mut self, file: &Path, read: impl FnOnce() -> Result<MeshFile, String> + Send + 'static) -> Result<(), String> {
        let (sender, receiver) = mpsc::channel();
        let wake_up = std::sync::Arc::clone(&self.wake_up);
        let reader = std::thread::Builder::new().name("import".to_owned()).spawn(move || {
            // Nobody receives once the editor has closed, or another import was asked for.
            let _ = sender.send(read());
            wake_up();
        });
        reader.map_err(|error| error.to_string())?;
        self.importing = Some(receiver);
        self.desk.note = Some(format!("Reading {}", file.display()));
        Ok(())
    }

    /// Takes in the mesh that was read.
    pub(super) fn take_import(&mut self) {
        let answer = match self.importing.as_ref().map(Receiver::try_recv) {
            None | Some(Err(TryRecvError::Empty)) => return,
            Some(Err(TryRecvError::Disconnected)) => Err("the mesh could not be read: the reader stopped on an internal error".to_owned()),
            Some(Ok(answer)) => answer,
        };
        self.importing = None;
        match answer {
            Ok(mesh) => {
                self.desk.file_card = None;
                self.new_obstacle(ShapeKind::Mesh, mesh);
                self.rewatch();
            }
            Err(what) => self.refuse(what),
        }
    }

    /// Tells why a file could not be used: in the card where it was named, or in the banner.
    pub(super) fn refuse(&mut self, what: String) {
        match &mut self.desk.file_card {
            Some(card) => card.error = Some(what),
            None => self.banner = Some(Banner::Failed(what)),
        }
    }

    pub(super) fn save(&mut self) {
        let Some(path) = self.document.path.clone().filter(|_| !self.document.is_of_gallery()) else {
            return self.ask(FileAction::SaveAs);
        };
        if path.is_file() && !self.document.is_own_file(&path) {
            self.banner = Some(Banner::Overwrite(path.clone()));
            self.waiting = Some(Waiting::File(FileRequest::SaveAs(path)));
            return;
        }
        match self.document.save(None) {
            Ok(()) => {
                self.rewatch();
                self.desk.note = Some("Saved".to_owned());
            }
            Err(error) => self.banner = Some(Banner::Failed(format!("The scene cannot be saved: {error}"))),
        }
    }

    pub(super) fn dismiss(&mut self) {
        self.waiting = None;
        match self.banner.take() {
            Some(Banner::Recovered(_)) => {
                self.autosave.drop_found();
                self.offer_recovered();
            }
            Some(Banner::ChangedOnDisk) => self.document.acknowledge(),
            _ => {}
        }
    }

    /// Asks about the edits of another run that ended without saving them, if there are any.
    pub(super) fn offer_recovered(&mut self) {
        self.recovered = self.autosave.recover();
        self.banner = self.recovered.as_ref().map(|found| Banner::Recovered(found.scene.name.clone()));
    }

    pub(super) fn recover(&mut self) {
        self.banner = None;
        if let Some(found) = self.recovered.take() {
            let mut document = match found.path.as_deref().map(Document::open) {
                Some(Ok(document)) => document,
                _ => Document::untitled(found.base),
            };
            document.edit("Recover unsaved edits", found.scene);
            document.settle();
            self.document = document;
            self.opened();
            self.autosave.adopt_found(&self.document);
        }
    }

    /// Watches the files of the present document.
    pub(super) fn rewatch(&mut self) {
        let mut files: Vec<_> = self.document.path.iter().cloned().collect();
        files.extend(self.document.meshes());
        self.watch.watch(&files);
    }

    /// Takes in files that another program changed.
    pub(super) fn take_changes(&mut self) {
        while let Some(change) = self.watch.poll() {
            let scene_changed = self.document.path.as_ref().is_some_and(|path| change.files.contains(path));
            if scene_changed && self.document.is_dirty() {
                self.banner = Some(Banner::ChangedOnDisk);
            } else if self.has_dear_recording() && (matches!(self.banner, Some(Banner::Recording(_))) || self.asks(&Action::Reload)) {
                // It is taken in once that is answered.
            } else if scene_changed {
                self.reload();
            } else {
                self.load_again();
            }
        }
    }

    /// Reads the scene's file again; an initialised body is initialised again, paused at time zero.
    pub(super) fn reload(&mut self) {
        if self.banner == Some(Banner::ChangedOnDisk) {
            self.banner = None;
        }
        if self.document.path.is_none() {
            return;
        }
        if self.document.reload() {
            self.rewatch();
            self.load_again();
            self.desk.note = Some("Reloaded from disk".to_owned());
        } else {
            // It is not what is on screen.
            self.desk.note = None;
            self.desk.tab = BottomTab::Problems;
        }
    }

    /// Painted regions that had to be moved to a changed mesh become part of the document.
    pub(super) fn take_repainted(&mut self) {
        let Some(Repainted { asked, scene }) = self.main.repainted.take() else { return };
        // What was edited meanwhile stays, and follows when it is asked for.
        let is_asked = *asked == **self.document.scene();
        let merged = if is_asked { scene } else { merged(self.document.scene(), &asked, scene) };
        self.document.settle();
        self.document.edit("Move regions to the changed mesh", merged);
        self.document.settle();
        self.desk.note = Some("A mesh changed: painted regions were moved to it".to_owned());
        if !is_asked {
            self.load_again();
        }
    }

    fn load_again(&mut self) {
        // By the certificate and not by what the session holds: it may be in the middle of the change before this one.
        let certified = self.main.certificate.as_ref().map(|certificate| certificate.report.method);
        self.main.load_changed(self.document.scene(), self.document.folder());
        if let Some(method) = certified.filter(|_| !self.document.scene().bodies.is_empty()) {
            self.main.initialise(method);
        }
        if let Some(twin) = &mut self.twin {
            twin.load_changed(self.document.scene(), self.document.folder());
            begin(twin, self.desk.twin_method);
        }
    }

    /// Problems of the built scene, with their places in its file.
    pub(super) fn placed(&self, problems: Vec<SceneProblem>) -> Vec<SceneProblem> {
        match &self.document.path {
            Some(path) if !self.document.is_dirty() => {
                // What names no part of the scene, such as a file that could not be written, has no place in its file.
                let locate = |problem: SceneProblem| {
                    if problem.path.is_empty() { vec![problem] } else { aplomb_sim::scene_file::locate(vec![problem], path) }
                };
                problems.into_iter().flat_map(locate).collect()
            }
            _ => problems,
        }
    }
}

/// The scene `now` with those bodies of `repainted` that nobody has edited since `asked`.
fn merged(now: &Scene, asked: &Scene, repainted: Scene) -> Scene {
    let mut merged = now.clone();
    let pairs = asked.bodies.iter().zip(repainted.bodies);
    for (before, after) in pairs.filter(|(before, after)| *before != after) {
        merged.bodies.iter_mut().filter(|body| *body == before).for_each(|body| *body = after.clone());
    }
    merged
}

/// Where the scenes of the gallery lie.
fn gallery_folder() -> PathBuf {
    let scene = gallery::GALLERY.first().map(|entry| absolute(&entry.path()));
    scene.and_then(|scene| scene.parent().map(Path::to_path_buf)).unwrap_or_default()
}

/// `path`, with this extension where it has none.
fn ending(path: &Path, extension: &str) -> PathBuf {
    if path.extension().is_none() { path.with_extension(extension) } else { path.to_path_buf() }
}

fn in_words(problems: &[SceneProblem]) -> String {
    problems.iter().take(6).map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
