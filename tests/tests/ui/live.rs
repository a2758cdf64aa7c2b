//! Live balance in the editor: edits are balanced as they are made, only the latest counts, and no recording is dropped for it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::editor::{Editor, act, gallery, is_idle, open, scene, wait};
use aplomb::app::App;
use aplomb::document::{Action, RoleKind};
use aplomb::panels::ColorBy;
use aplomb::session::Activity;
use aplomb_sim::scene::{Method, Scene, Selector};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::Conclusion;
use aplomb_sim::watch::Unwatched;
use egui::Role;
use egui_kittest::kittest::{NodeT, Queryable};

fn live(name: &str) -> Editor {
    let mut editor = open(&gallery(name), 800.0);
    act(&mut editor, Action::SetLive(true));
    editor
}

fn edit(editor: &mut Editor, change: impl FnOnce(&mut Scene)) {
    let mut edited = scene(editor);
    change(&mut edited);
    act(editor, Action::Edit("edit".to_owned(), Box::new(edited)));
}

fn stiffen(editor: &mut Editor, factor: f64) {
    edit(editor, |scene| scene.bodies[0].material.as_mut().unwrap().young *= factor);
}

/// Whether what is at hand is balanced and judged.
fn is_certified(app: &App) -> bool {
    let certificate = app.main().certificate.as_ref();
    is_idle(app) && certificate.is_some_and(|certificate| certificate.is_judged && !certificate.is_stale(app.document().scene()))
}

/// Mean det F of the certificate, and the same from nothing.
fn compression(editor: &Editor) -> [f64; 2] {
    let app = editor.state();
    let mut simulation = Simulation::build(app.document().scene(), app.document().folder(), &Unwatched).unwrap();
    let cold = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    [&app.main().certificate.as_ref().unwrap().report, &cold].map(|report| report.compression.as_ref().unwrap().mean)
}

#[test]
fn edits_are_balanced_as_they_are_made_and_undone() {
    let mut editor = live("hanging_beam");
    assert!(editor.state().main().certificate.is_none(), "looking at a scene is no edit");
    stiffen(&mut editor, 1.5);
    wait(&mut editor, "it is balanced", is_certified);
    editor.get_by_label("Holds");
    let [stiffer, cold] = compression(&editor);
    assert_eq!(stiffer, cold);
    assert!(editor.state().main().certificate.as_ref().unwrap().live_seconds.is_some_and(|seconds| seconds > 0.0));

    act(&mut editor, Action::Undo);
    wait(&mut editor, "the undo is balanced", is_certified);
    let [softer, cold] = compression(&editor);
    assert_eq!(softer, cold);
    assert_ne!(softer, stiffer);
    act(&mut editor, Action::Redo);
    wait(&mut editor, "the redo is balanced", is_certified);
    assert_eq!(compression(&editor)[0], stiffer);
    // What is drawn is of the balance, too.
    let snapshot = editor.state().main().snapshot.clone().unwrap();
    assert!(snapshot.fields.iter().any(|field| field.kind.name == "compression ratio" && field.values.iter().any(|value| *value != 1.0)));
}

#[test]
fn a_stroke_is_balanced_and_stays_in_sight_meanwhile() {
    let mut editor = live("hanging_beam");
    act(&mut editor, Action::NewRegion(RoleKind::Material));
    let model = editor.state().main().model.clone().unwrap();
    edit(&mut editor, |scene| {
        let region = scene.bodies[0].regions.last_mut().unwrap();
        region.select = vec![Selector::Vertices(model.bodies[0].triangles.iter().take(40).flatten().copied().collect())];
        if let aplomb_sim::scene::RegionRole::Material(material) = &mut region.role {
            material.young *= 3.0;
        }
    });
    // What is on screen wears the stroke although the balance is not there yet.
    let app = editor.state();
    let document = app.document();
    assert!(std::sync::Arc::ptr_eq(app.main().seen(document.scene(), document.folder()), document.scene()));
    wait(&mut editor, "it is balanced", is_certified);
    let [live, cold] = compression(&editor);
    assert_eq!(live, cold);
    let after = editor.state().main().model.clone().unwrap();
    assert!(
        std::sync::Arc::ptr_eq(&model.bodies[0].triangles, &after.bodies[0].triangles),
        "the mesh is the same: nothing of it is made anew"
    );
}

/// Many edits, faster than balances: the last one is what is certified.
#[test]
fn only_the_latest_edit_counts() {
    let mut editor = live("hanging_beam");
    for _ in 0..12 {
        let mut edited = scene(&editor);
        edited.bodies[0].material.as_mut().unwrap().young *= 1.1;
        let ctx = editor.ctx.clone();
        editor.state_mut().request(&ctx, Action::Edit("edit".to_owned(), Box::new(edited)));
        editor.step();
    }
    wait(&mut editor, "the last is balanced", is_certified);
    let [live, cold] = compression(&editor);
    assert_eq!(live, cold);
}

#[test]
fn it_goes_through_what_has_no_balance_and_back() {
    let mut editor = live("slope");
    let friction = scene(&editor).obstacles[0].friction;
    edit(&mut editor, |scene| scene.obstacles[0].friction = 0.1);
    wait(&mut editor, "it is balanced", is_certified);
    editor.get_by_label("Does not hold");
    edit(&mut editor, |scene| scene.obstacles[0].friction = friction);
    wait(&mut editor, "it is balanced", is_certified);
    editor.get_by_label("Holds");
    assert_eq!(editor.state().main().certificate.as_ref().unwrap().report.outcome.verdict, Conclusion::Holds);
}

#[test]
fn a_recording_is_never_dropped_for_it_and_it_says_so() {
    let mut editor = live("hanging_beam");
    stiffen(&mut editor, 1.5);
    wait(&mut editor, "it is balanced", is_certified);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "steps are taken", |app| app.main().last_frame() >= 3);
    editor.get_by_label("waits while it plays");
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "it pauses", is_idle);
    let frames = editor.state().main().last_frame();
    stiffen(&mut editor, 1.5);
    editor.run_steps(6);
    assert_eq!((editor.state().main().activity, editor.state().main().last_frame()), (Activity::Idle, frames));
    editor.get_by_label(&format!("waits: it would drop {frames} recorded frames"));
    editor.get_by_label("Stale");
    // Initialise asks, and then the recording is dropped on purpose.
    act(&mut editor, Action::Initialise);
    assert_eq!(editor.state().main().last_frame(), frames);
    act(&mut editor, Action::Initialise);
    wait(&mut editor, "it is initialised", is_certified);
    stiffen(&mut editor, 1.5);
    wait(&mut editor, "it goes on", is_certified);
}

#[test]
fn a_balance_is_given_up_by_escape_until_the_next_edit() {
    let mut editor = live("creature");
    let mut edited = scene(&editor);
    edited.gravity[0] = 1.0;
    let ctx = editor.ctx.clone();
    editor.state_mut().request(&ctx, Action::Edit("edit".to_owned(), Box::new(edited)));
    editor.step();
    assert_eq!(editor.state().main().activity, Activity::Balancing);
    editor.step();
    editor.get_by_label("Balancing");
    act(&mut editor, Action::Cancel);
    wait(&mut editor, "it is given up", is_idle);
    editor.run_steps(5);
    assert!(!is_certified(editor.state()));
    edit(&mut editor, |scene| scene.gravity[0] = 2.0);
    wait(&mut editor, "the next edit is balanced", is_certified);
    editor.get_by_label("Holds");
}

#[test]
fn it_is_on_below_twenty_thousand_elements_and_off_where_that_is_chosen() {
    // The harness switches it off.
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    let check = |editor: &Editor| editor.get_by_role_and_label(Role::CheckBox, "Live").accesskit_node().toggled();
    assert_eq!(check(&editor), Some(egui::accesskit::Toggled::False));
    stiffen(&mut editor, 1.5);
    editor.run_steps(4);
    assert_eq!(editor.state().main().activity, Activity::Idle);
    editor.get_by_role_and_label(Role::CheckBox, "Live").click();
    wait(&mut editor, "what was edited before is balanced", is_certified);
    assert_eq!(check(&editor), Some(egui::accesskit::Toggled::True));
    let desk = aplomb::panels::Desk::default();
    assert!(desk.is_live(19_999) && !desk.is_live(20_000) && desk.color_by == ColorBy::Plain);
}

/// The certificate tells how far the pose will drift; where that is nothing, a run agrees.
#[test]
fn the_forecast_follows_the_balance() {
    let mut editor = live("hanging_beam");
    stiffen(&mut editor, 1.5);
    let is_foreseen = |app: &App| is_certified(app) && app.main().certificate.as_ref().unwrap().report.forecast.is_some();
    wait(&mut editor, "it is foreseen", is_foreseen);
    let forecast = editor.state().main().certificate.as_ref().unwrap().report.forecast.clone().unwrap();
    assert!(forecast.drift_share.unwrap() < 1e-7 && forecast.horizon_s == 1.0, "{forecast:?}");
}

/// A shows the scene by a method of its own.
#[test]
fn any_two_methods_are_compared() {
    let mut editor = open(&gallery("slope"), 800.0);
    act(&mut editor, Action::Initialise);
    wait(&mut editor, "the certificate is there", is_certified);
    act(&mut editor, Action::ToggleCompare);
    let twin_is = |method: Method| move |app: &App| app.twin().is_some_and(|twin| twin.activity == Activity::Idle && twin.method == method);
    wait(&mut editor, "A is naive", twin_is(Method::Naive));
    editor.get_by_label("View A, naive");
    for method in [Method::NoContact, Method::PinnedContacts, Method::SagFree, Method::Naive] {
        act(&mut editor, Action::SetTwinMethod(method));
        wait(&mut editor, "A is by its method", twin_is(method));
        assert_eq!(editor.state().main().method, Method::SagFree);
    }
    editor.get_by_role_and_label(Role::ComboBox, "Method of A");
    // B's choice initialises.
    act(&mut editor, Action::InitialiseBy(Method::NoContact));
    wait(&mut editor, "B is by its method", |app| is_certified(app) && app.main().method == Method::NoContact);
    wait(&mut editor, "A is ready", twin_is(Method::Naive));
    // A recording of A is not dropped unasked.
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "A has frames", |app| app.twin().is_some_and(|twin| twin.last_frame() > 2));
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "both pause", |app| is_idle(app) && app.twin().is_some_and(|twin| twin.activity == Activity::Idle));
    act(&mut editor, Action::SetTwinMethod(Method::SagFree));
    assert!(editor.state().twin().unwrap().last_frame() > 2 && editor.state().banner().is_some());
    act(&mut editor, Action::SetTwinMethod(Method::SagFree));
    wait(&mut editor, "A starts anew", |app| app.twin().is_some_and(|twin| twin.last_frame() == 0) && twin_is(Method::SagFree)(app));
}
