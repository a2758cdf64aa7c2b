//! Regions as a whole: the map that tells what each is of its body, and regions made of elements that a histogram picks.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::editor::{Editor, act, gallery, initialise, is_idle, open, scene, wait};
use aplomb::document::{Action, RoleKind, Selection};
use aplomb::drawing::Held;
use aplomb::layout::Arrange;
use aplomb::panels::BottomTab;
use aplomb::session::Certificate;
use aplomb_sim::bodies::select::region_cells;
use aplomb_sim::scene::Selector;
use egui::{Pos2, Rect, Role};
use egui_kittest::kittest::{NodeT, Queryable};

fn certificate(editor: &Editor) -> &Certificate {
    editor.state().main().certificate.as_ref().unwrap()
}

fn drag(editor: &mut Editor, from: Pos2, to: Pos2) {
    editor.drag_at(from);
    editor.run_steps(2);
    editor.hover_at(to);
    editor.run_steps(2);
    editor.drop_at(to);
    editor.run_steps(3);
}

/// The plant, initialised, with a dock in front.
fn with_dock(name: &str, tab: BottomTab) -> Editor {
    let mut editor = open(&gallery(name), 900.0);
    initialise(&mut editor);
    act(&mut editor, Action::Arrange(Arrange::Front(tab)));
    editor
}

fn bars(editor: &Editor, bins: usize) -> impl Fn(usize) -> Pos2 + use<> {
    let rect: Rect = editor.get_by_label("histogram of Compression").rect();
    move |bin| egui::pos2(rect.left() + rect.width() * (bin as f32 + 0.5) / bins as f32, rect.center().y)
}

#[test]
fn elements_that_bars_pick_become_a_region_with_a_material_of_its_own() {
    let mut editor = with_dock("hanging_beam", BottomTab::Histogram);
    let counts = certificate(&editor).report.fields[0].distribution.histogram.counts.clone();
    let at = bars(&editor, counts.len());
    let (first, last) = (counts.len() / 4, counts.len() / 2);
    drag(&mut editor, at(first), at(last));
    let chosen = editor.state().desk().choice.clone().unwrap();
    assert_eq!(chosen.elements.len(), counts[first..=last].iter().sum::<usize>());
    let before = scene(&editor);
    editor.get_by_role_and_label(Role::Button, "Make a region").click();
    editor.run_steps(3);
    wait(&mut editor, "it is taken in", is_idle);
    let after = scene(&editor);
    let region = after.bodies[0].regions.last().unwrap();
    assert_eq!(RoleKind::of(&region.role), RoleKind::Material);
    assert_eq!(editor.state().document().selection, Selection::Region(0, after.bodies[0].regions.len() - 1));
    let model = editor.state().main().model.clone().unwrap();
    assert_eq!(region_cells(&model.bodies[0].mesh, region), chosen.elements.to_vec(), "these and no others");
    assert!(editor.state().desk().choice.is_none());
    act(&mut editor, Action::Undo);
    assert!(scene(&editor) == before, "one step");
    // With nothing chosen there is nothing to make a region of.
    act(&mut editor, Action::RegionOfChoice);
    assert!(scene(&editor) == before);
}

#[test]
fn a_histogram_on_a_logarithmic_scale_shows_the_same_bars() {
    let mut editor = with_dock("hanging_beam", BottomTab::Histogram);
    editor.get_by_label("Heights of the histogram: log").click();
    editor.run_steps(2);
    assert!(editor.state().desk().histogram_log);
    let counts = certificate(&editor).report.fields[0].distribution.histogram.counts.clone();
    let at = bars(&editor, counts.len());
    drag(&mut editor, at(2), at(5));
    assert_eq!(editor.state().desk().choice.as_ref().unwrap().elements.len(), counts[2..=5].iter().sum::<usize>());
}

#[test]
fn what_is_held_is_seen_over_materials_whatever_their_order() {
    let editor = open(&gallery("fig9_plant"), 700.0);
    let (body, model) = (scene(&editor).bodies[0].clone(), editor.state().main().model.clone().unwrap());
    let fixed = body.regions.iter().position(|region| RoleKind::of(&region.role) == RoleKind::Fixed).unwrap();
    assert!(fixed + 1 < body.regions.len(), "materials come after it");
    let held = Held::by(&body, &model.bodies[0], false, |_| true);
    let alone = Held::by(&body, &model.bodies[0], false, |r| r == fixed);
    let count = |held: &Held| held.faces.iter().filter(|holder| **holder == Some(fixed)).count();
    assert!(count(&alone) > 100 && count(&held) == count(&alone), "{} of {}", count(&held), count(&alone));
    // Of two of one sort the later one is on top.
    let materials: Vec<usize> = (0..body.regions.len()).filter(|r| *r != fixed).collect();
    let [.., last] = materials[..] else { panic!("no materials") };
    let of_last = Held::by(&body, &model.bodies[0], false, |r| r == last);
    let both = of_last.faces.iter().zip(&held.faces).filter(|(alone, _)| alone.is_some());
    assert!(both.into_iter().all(|(_, seen)| *seen == Some(last) || *seen == Some(fixed)));
}

/// What the map says of a region, as it is read out.
fn shares(editor: &Editor) -> Vec<(String, f64)> {
    let labels = editor
        .root()
        .children_recursive()
        .filter_map(|node| node.accesskit_node().label().or(node.accesskit_node().value()))
        .collect::<Vec<_>>();
    let told = labels.into_iter().filter_map(|label| {
        let (name, share) = label.rsplit_once(": ")?;
        Some((name.to_owned(), share.strip_suffix(" %")?.parse().ok()?))
    });
    let names: Vec<String> = scene(editor).bodies[0].regions.iter().map(|region| region.name.clone()).collect();
    told.filter(|(name, _)| name == "no region" || names.contains(name)).collect()
}

#[test]
fn the_map_tells_what_each_region_is_of_its_body() {
    let mut editor = open(&gallery("hanging_beam"), 900.0);
    let mut edited = scene(&editor);
    let half = |from: f64, to: f64| Selector::Height { axis: aplomb_sim::scene::Axis::X, from, to };
    let mut add = |name: &str, select: Selector| {
        let mut region = aplomb::document::new_region(&edited, 0, RoleKind::Material);
        (region.name, region.select) = (name.to_owned(), vec![select]);
        edited.bodies[0].regions.push(region);
    };
    add("half", half(0.0, 0.5));
    add("quarter", half(0.0, 0.25));
    act(&mut editor, Action::Edit("Regions".to_owned(), Box::new(edited)));
    act(&mut editor, Action::Arrange(Arrange::Front(BottomTab::RegionMap)));
    wait(&mut editor, "the scene is loaded", is_idle);
    for _ in 0..200 {
        editor.step();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let told = shares(&editor);
    println!("{told:?}");
    let of = |name: &str| told.iter().find(|share| share.0 == name).unwrap_or_else(|| panic!("{name} is missing: {told:?}")).1;
    // By middles of cells, which lie a little to one side or the other.
    assert!((of("quarter") - 25.0).abs() < 4.0 && (of("half") - 25.0).abs() < 6.0 && (of("no region") - 50.0).abs() < 6.0);
    assert!((told.iter().map(|share| share.1).sum::<f64>() - 100.0).abs() < 0.3);
    for side in ["front", "side", "top"] {
        let _ = editor.get_by_label(&format!("Regions from the {side}"));
    }
    let row = editor.get_all_by_role(Role::Button).find(|node| node.accesskit_node().label().is_some_and(|l| l.starts_with("quarter: ")));
    row.unwrap().click();
    editor.run_steps(3);
    let regions = scene(&editor).bodies[0].regions.len();
    assert_eq!(editor.state().document().selection, Selection::Region(0, regions - 1));
}
