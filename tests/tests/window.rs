//! The real program in a real window, used by mouse and keyboard; judged by its files and by what is on the screen.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod desktop;

use std::path::{Path, PathBuf};

use aplomb_sim::scene::{RegionRole, Scene, Selector};
use aplomb_tests::repository;
use desktop::{Area, Desktop, Picture};

// Where things stand in a window of 1280 by 800.
const VIEW: Area = Area { from: (250, 170), to: (970, 560) };
const VERDICT: Area = Area { from: (984, 80), to: (1004, 100) };
// Beside the timeline, wherever the docks below leave it.
const REST_STATE: Area = Area { from: (846, 575), to: (872, 710) };
const IMPORT_BUTTON: Area = Area { from: (988, 767), to: (1078, 789) };
const BANNER: Area = Area { from: (300, 70), to: (900, 100) };
const PLOTS: Area = Area { from: (70, 660), to: (970, 780) };
// The panels of the pattern, with the docks shown, and the upper ends of the six.
const PATTERN: Area = Area { from: (20, 674), to: (960, 790) };
const COLLARS: [(u32, u32); 6] = [(287, 686), (368, 684), (448, 684), (528, 684), (608, 684), (689, 686)];
const LEAD: (u32, u32) = (1076, 313);
const BODY_ENTRY: (u32, u32) = (70, 142);
const LIVE: (u32, u32) = (996, 153);
const JELLY_PRESET: (u32, u32) = (1056, 323);
const YOUNG: (u32, u32) = (1156, 439);
const PATH_FIELD: (u32, u32) = (840, 118);
const NEW_REGION: (u32, u32) = (62, 166);
const NEW_FIXED: (u32, u32) = (70, 196);
const NEW_REGION_UNDER_ONE: (u32, u32) = (62, 190);
const NEW_MATERIAL_UNDER_ONE: (u32, u32) = (70, 430);

const SHOW_DOCKS: &str = "alt+2";

// Colours of the dark theme, and of a curve.
const GOOD: [u8; 3] = [95, 203, 151];
const WRONG: [u8; 3] = [255, 128, 121];
const FIELD: [u8; 3] = [19, 21, 25];
const ACCENT: [u8; 3] = [53, 184, 240];
const QUESTION: [u8; 3] = [65, 50, 26];
const CURVE: [u8; 3] = [88, 184, 240];

fn is_clay([r, _, b]: [u8; 3]) -> bool {
    r > b.saturating_add(6)
}

fn is_blue([r, _, b]: [u8; 3]) -> bool {
    b > r.saturating_add(60) && b > 150
}

/// Seams on a body.
fn is_pink([r, g, b]: [u8; 3]) -> bool {
    r > 190 && b > 180 && g < 140
}

/// The second seam of a pattern.
fn is_cyan([r, g, b]: [u8; 3]) -> bool {
    r < 200 && g > 220 && b > 240
}

fn shows_body(screen: &Picture) -> bool {
    screen.count(VIEW, is_clay) > 4000
}

/// A field that is written in has a white frame.
fn is_written_in(screen: &Picture) -> bool {
    screen.count(Area::around(YOUNG, 50), |color| color.iter().all(|&part| part > 217)) > 100
}

/// The verdict is that it holds, and Play starts from the sag-free rest state.
fn is_certified(screen: &Picture) -> bool {
    screen.count_of(VERDICT, GOOD) > 10 && screen.count_of(REST_STATE, GOOD) > 10
}

fn has_curves(screen: &Picture) -> bool {
    screen.count_of(PLOTS, CURVE) > 20
}

/// The banner with a question stands over the view.
fn asks(screen: &Picture) -> bool {
    screen.count_of(BANNER, QUESTION) > 2000
}

fn asks_for_path(screen: &Picture) -> bool {
    screen.count_of(Area::around(PATH_FIELD, 6), FIELD) > 100
}

fn can_import(screen: &Picture) -> bool {
    screen.count_of(IMPORT_BUTTON, ACCENT) > 100
}

/// Waits for them to be there: where others use the cores, a view may seem to stand still before it has become smaller.
fn show_docks(desktop: &Desktop) {
    let without = desktop.settled(PLOTS);
    desktop.key(SHOW_DOCKS);
    desktop.see("the docks are shown", |now| now.differences(&without, PLOTS) > 5000);
}

/// A copy of a gallery scene, with its mesh, in a folder of its own.
fn copy_of(name: &str, folder: &Path) -> PathBuf {
    let from = repository().join(format!("scenes/{name}.json"));
    let mut scene = aplomb_sim::scene_file::load(&from).unwrap();
    for body in &mut scene.bodies {
        body.mesh = repository().join("scenes").join(&body.mesh).canonicalize().unwrap().to_string_lossy().into_owned();
    }
    let path = folder.join(format!("{name}.json"));
    aplomb_sim::scene_file::save(&path, &scene).unwrap();
    path
}

fn young(path: &Path) -> f64 {
    aplomb_sim::scene_file::load(path).map_or(f64::NAN, |scene| scene.bodies[0].material.as_ref().unwrap().young)
}

/// Vertices of each region of the first body.
fn painted(scene: &Scene) -> Vec<usize> {
    let count = |selector: &Selector| if let Selector::Vertices(vertices) = selector { vertices.len() } else { 0 };
    scene.bodies[0].regions.iter().map(|region| region.select.iter().map(count).sum()).collect()
}

#[test]
fn a_naive_beam_sags_an_initialised_one_holds_and_a_changed_file_is_taken_in() {
    let Some(mut desktop) = Desktop::start() else { return };
    let path = copy_of("hanging_beam", desktop.folder());
    desktop.open(&path);
    desktop.see("the beam is there", shows_body);
    // Docks stay where they are, whether there is something to plot or not: all pictures are of one size.
    show_docks(&desktop);
    let given = desktop.settled(VIEW);
    let before = young(&path);
    // Nothing is balanced unasked: the naive beam is to be seen first.
    desktop.click(LIVE);

    desktop.click(JELLY_PRESET);
    desktop.wait_for_title("•");
    desktop.key("ctrl+s");
    desktop.wait("the edit is saved", || young(&path) != before);
    desktop.key("ctrl+z");
    desktop.wait_for_title("•");
    desktop.key("ctrl+s");
    desktop.wait("the edit is taken back", || young(&path) == before);

    desktop.click(YOUNG);
    desktop.see("the field is written in", is_written_in);
    desktop.type_text("2 MPa");
    desktop.key("Return");
    desktop.wait_for_title("•");
    desktop.key("ctrl+s");
    desktop.wait("what was typed is saved in pascal", || young(&path) == 2e6);
    desktop.key("ctrl+z");
    desktop.wait_for_title("•");
    desktop.key("ctrl+s");
    desktop.wait("it is taken back", || young(&path) == before);

    desktop.point((610, 180));
    desktop.key("space");
    desktop.see("the naive beam sags", |now| now.differences(&given, VIEW) > 500);
    desktop.key("space");
    desktop.settled(VIEW);
    // What was recorded is lost by it: it is asked about, and the second time it is done.
    desktop.key("ctrl+Home");
    desktop.see("it asks", asks);
    desktop.key("ctrl+Home");
    desktop.see("it is as it was given", |now| now.differences(&given, VIEW) < 20);

    desktop.key("ctrl+Return");
    desktop.see("the certificate says that it holds", |now| is_certified(now) && !has_curves(now));
    desktop.key("space");
    desktop.see("it plays", has_curves);
    desktop.key("space");
    let held = desktop.settled(PLOTS);
    assert!(held.differences(&given, VIEW) < 20, "the initialised beam moved");
    desktop.key("c");
    desktop.see("two views", |now| now.differences(&held, VIEW) > 2000);
    desktop.key("c");
    let one = desktop.settled(PLOTS);
    assert!(has_curves(&one) && !asks(&one), "the recording is there still");

    let mut scene = aplomb_sim::scene_file::load(&path).unwrap();
    scene.bodies[0].material.as_mut().unwrap().young *= 1.5;
    std::fs::write(&path, aplomb_sim::scene_file::to_text(&scene).unwrap()).unwrap();
    desktop.see("a file written in place is initialised again, at time zero", |now| is_certified(now) && !has_curves(now));
    desktop.key("space");
    desktop.see("it plays", has_curves);
    desktop.key("space");
    desktop.settled(PLOTS);
    scene.bodies[0].material.as_mut().unwrap().young *= 1.5;
    let beside = desktop.folder().join("beside.tmp");
    std::fs::write(&beside, aplomb_sim::scene_file::to_text(&scene).unwrap()).unwrap();
    std::fs::rename(&beside, &path).unwrap();
    desktop.see("a file renamed over it is initialised again, at time zero", |now| is_certified(now) && !has_curves(now));
    let again = desktop.settled(VIEW);
    assert!(again.differences(&given, VIEW) < 20, "the camera moved");
    desktop.key("ctrl+q");
    desktop.wait_for_end();
}

#[test]
fn an_imported_body_is_painted_initialised_saved_and_reopened() {
    let Some(mut desktop) = Desktop::start() else { return };
    let mesh = desktop.folder().join("jelly_box.mesh");
    std::fs::copy(repository().join("assets/jelly_box.mesh"), &mesh).unwrap();
    desktop.open(&copy_of("hanging_beam", desktop.folder()));
    desktop.see("the beam is there", shows_body);
    show_docks(&desktop);

    desktop.key("ctrl+i");
    desktop.see("a path is asked for", asks_for_path);
    desktop.type_text(&mesh.display().to_string());
    desktop.key("Return");
    desktop.see("it can be imported", can_import);
    desktop.key("Return");
    desktop.wait_for_title("jelly_box");
    desktop.see("the box is there", shows_body);
    let body = desktop.settled(VIEW).around(VIEW, is_clay);

    desktop.click(NEW_REGION);
    desktop.click(NEW_FIXED);
    let below = [(0.25, 0.62), (0.33, 0.65), (0.42, 0.68), (0.5, 0.7)].map(|(across, down)| body.at(across, down));
    desktop.drag(&below, "the stroke is seen", |now| now.count(VIEW, is_blue) > 60);
    desktop.key("ctrl+s");
    desktop.see("a name is asked for", asks_for_path);
    desktop.key("Return");
    let path = desktop.folder().join("jelly_box.json");
    let saved = || aplomb_sim::scene_file::load(&path).map_or_else(|_| Vec::new(), |scene| painted(&scene));
    desktop.wait("the stroke is saved", || saved().len() == 1);
    let scene = aplomb_sim::scene_file::load(&path).unwrap();
    assert!(matches!(scene.bodies[0].regions[0].role, RegionRole::Dirichlet { .. }));
    assert!(painted(&scene)[0] >= 3, "{:?}", painted(&scene));

    desktop.click(NEW_REGION_UNDER_ONE);
    desktop.click(NEW_MATERIAL_UNDER_ONE);
    let before = desktop.settled(VIEW);
    let above = [(0.4, 0.2), (0.5, 0.2), (0.6, 0.22)].map(|(across, down)| body.at(across, down));
    desktop.drag(&above, "the second stroke is seen", |now| now.differences(&before, VIEW) > 1500);
    desktop.key("ctrl+s");
    desktop.wait("the second region is saved", || saved().len() == 2 && saved()[1] >= 3);
    desktop.key("ctrl+z");
    desktop.key("ctrl+z");
    desktop.key("ctrl+s");
    desktop.wait("both edits are taken back", || saved().len() == 1);
    assert_eq!(aplomb_sim::scene_file::load(&path).unwrap(), scene);

    desktop.key("ctrl+Return");
    desktop.see("the certificate says that it holds", is_certified);
    desktop.key("space");
    desktop.see("it plays", has_curves);
    desktop.key("space");
    let last = desktop.settled(VIEW);
    desktop.key("ctrl+q");
    desktop.wait_for_end();
    assert_eq!(aplomb_sim::scene_file::load(&path).unwrap(), scene);

    desktop.open(&path);
    desktop.see("the box is there again", shows_body);
    desktop.click(BODY_ENTRY);
    let again = desktop.settled(VIEW);
    let (was, is) = (last.count(VIEW, is_blue), again.count(VIEW, is_blue));
    assert!(is > 60 && 2 * is > was && is < 2 * was, "{was} blue pixels, {is} after opening it again");
}

#[test]
fn a_dress_is_imported_held_by_what_is_painted_in_its_pattern_cured_and_played() {
    let Some(mut desktop) = Desktop::start() else { return };
    let mesh = desktop.folder().join("tunic.obj");
    std::fs::copy(repository().join("assets/tunic.obj"), &mesh).unwrap();
    desktop.open(&copy_of("hanging_beam", desktop.folder()));
    desktop.see("the beam is there", shows_body);
    show_docks(&desktop);
    desktop.key("ctrl+i");
    desktop.see("a path is asked for", asks_for_path);
    desktop.type_text(&mesh.display().to_string());
    desktop.key("Return");
    desktop.see("it can be imported", can_import);
    desktop.key("Return");
    desktop.wait_for_title("tunic");
    let before = desktop.see("the dress is there, with its seams", |now| shows_body(now) && now.count(VIEW, is_pink) > 150);
    desktop.key("ctrl+p");
    desktop.see("commands are searched", |now| now.differences(&before, VIEW) > 5000);
    desktop.type_text("pattern");
    desktop.key("Return");
    desktop.see("its panels lie flat", |now| now.count(PATTERN, is_cyan) > 100);

    desktop.click(NEW_REGION);
    desktop.click(NEW_FIXED);
    desktop.drag(&COLLARS, "the stroke is seen on the panels and on the body", |now| {
        now.count(PATTERN, is_blue) > 300 && now.count(VIEW, is_blue) > 3000
    });
    desktop.key("b");
    desktop.key("ctrl+s");
    desktop.see("a name is asked for", asks_for_path);
    desktop.key("Return");
    let path = desktop.folder().join("tunic.json");
    desktop.wait("it is saved", || aplomb_sim::scene_file::load(&path).is_ok_and(|scene| painted(&scene).iter().any(|count| *count > 100)));
    let settings = aplomb_sim::bodies::cloth::settings_of(&aplomb_sim::scene_file::load(&path).unwrap().bodies[0]).unwrap();
    assert!(settings.rest == aplomb_sim::bodies::cloth::RestShape::Uv && settings.seams.is_some_and(|seams| seams.from_file));

    desktop.key("ctrl+Return");
    desktop.see("light cotton is too soft for these folds", |now| {
        now.count_of(VERDICT, WRONG) > 10 && now.count_of(Area::around(LEAD, 12), ACCENT) > 100
    });
    // It is lit already, as the one button that leads on.
    desktop.point(LEAD);
    std::thread::sleep(std::time::Duration::from_millis(500));
    desktop.hold(true);
    std::thread::sleep(std::time::Duration::from_millis(200));
    desktop.hold(false);
    desktop.see("what gives way is stiffened", |now| now.count_of(VERDICT, WRONG) == 0 && shows_body(now));
    let still = desktop.settled(VIEW);
    desktop.key("ctrl+p");
    desktop.see("commands are searched", |now| now.differences(&still, VIEW) > 5000);
    desktop.type_text("plots");
    desktop.key("Return");
    desktop.point((610, 300));
    // Whether it is stable is asked, and a cure looked for, before it plays.
    desktop.settled(VERDICT);
    desktop.key("space");
    desktop.see("it plays", has_curves);
    desktop.key("space");
}
