//! Pictures from the editor and from the command line: size, transparency, the colours of the legend, sequences, turntables.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use crate::editor::{Editor, act, gallery, initialise, is_idle, open, wait};
use aplomb::document::{Action, FileAction, FileRequest, PictureKind, PictureOptions, PictureRequest, PictureSize};
use aplomb::offscreen::Studio;
use aplomb::panels::Banner;
use aplomb::viewport::ColorMap;
use aplomb_tests::{errors, program};
use egui::{Key, Role};
use egui_kittest::kittest::Queryable;
use image::RgbaImage;

/// Whether pictures can be drawn here; told loudly where not.
fn can_draw() -> bool {
    match Studio::new() {
        Ok(_) => true,
        Err(error) => {
            println!("SKIPPED: {error}");
            false
        }
    }
}

fn colored(name: &str) -> Editor {
    let mut editor = open(&gallery(name), 800.0);
    initialise(&mut editor);
    editor.get_by_role_and_label(Role::ComboBox, "Colour by: Plain").click();
    editor.run_steps(4);
    editor.get_by_role_and_label(Role::Button, "Compression").click();
    editor.run_steps(4);
    editor
}

fn shoot(editor: &mut Editor, kind: PictureKind, path: &Path, options: PictureOptions) {
    act(editor, Action::File(FileRequest::Pictures(PictureRequest { kind, path: path.to_path_buf(), options })));
    assert_eq!(editor.state().banner(), None);
    wait(editor, "the pictures are written", |app| app.desk().shooting.is_none());
    assert_eq!(editor.state().banner(), None);
}

fn read(path: &Path) -> RgbaImage {
    image::open(path).unwrap().to_rgba8()
}

/// Opaque pixels of about this colour.
fn count(picture: &RgbaImage, color: [u8; 3]) -> usize {
    let alike = |pixel: &&image::Rgba<u8>| pixel.0[..3].iter().zip(color).all(|(a, b)| a.abs_diff(b) <= 6) && pixel.0[3] == 255;
    picture.pixels().filter(alike).count()
}

#[test]
fn a_picture_has_the_size_that_was_asked_for_and_the_legend_if_it_was() {
    if !can_draw() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut editor = colored("hanging_beam");
    let size = PictureSize::Pixels(640, 480);
    let options = PictureOptions { size, transparent: true, legend: true, ..PictureOptions::default() };
    let path = folder.path().join("with.png");
    shoot(&mut editor, PictureKind::Still, &path, options);
    let with = read(&path);
    assert_eq!(with.dimensions(), (640, 480));
    assert_eq!(with.get_pixel(2, 2).0[3], 0, "nothing covers the corner");
    let ends = [0.0, 1.0].map(|end| ColorMap::Diverging.color(end));
    shoot(&mut editor, PictureKind::Still, &folder.path().join("without"), PictureOptions { legend: false, ..options });
    let without = read(&folder.path().join("without.png"));
    for end in ends {
        let right = |picture: &RgbaImage| count(&image::imageops::crop_imm(picture, 540, 0, 100, 480).to_image(), end);
        assert!(right(&with) > 5 && right(&without) == 0, "{end:?}: {} and {}", right(&with), right(&without));
    }
    assert!(without.pixels().any(|pixel| pixel.0[3] == 255), "the body is there");
    // Before the backdrop nothing is seen through; twice the view is twice as many pixels.
    let (wide, high) = editor.state().desk().view_pixels;
    shoot(
        &mut editor,
        PictureKind::Still,
        &path.with_file_name("view.png"),
        PictureOptions { size: PictureSize::View(2), transparent: false, ..options },
    );
    let view = read(&path.with_file_name("view.png"));
    assert_eq!(view.dimensions(), (2 * wide, 2 * high));
    assert!(view.pixels().all(|pixel| pixel.0[3] == 255));
}

#[test]
fn the_card_says_how_many_and_how_large_and_nothing_is_lost_by_it() {
    if !can_draw() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut editor = colored("hanging_beam");
    let path = folder.path().join("there.png");
    std::fs::write(&path, "precious").unwrap();
    act(&mut editor, Action::Ask(FileAction::Picture(PictureKind::Still)));
    assert!(editor.query_by_label_contains("One picture, ").is_some());
    editor.get_by_role_and_label(Role::ComboBox, "Size").click();
    editor.run_steps(3);
    editor.get_by_label("in pixels").click();
    editor.run_steps(3);
    assert!(editor.query_by_role_and_label(Role::SpinButton, "Width").is_some());
    editor.get_by_role_and_label(Role::CheckBox, "Transparent background").click();
    editor.run_steps(2);
    let field = editor.get_by_role_and_label(Role::TextInput, "Path");
    field.focus();
    editor.run_steps(2);
    editor.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    editor.event(egui::Event::Text(path.display().to_string()));
    editor.run_steps(2);
    editor.get_by_role_and_label(Role::Button, "Save").click();
    editor.run_steps(3);
    assert!(matches!(editor.state().banner(), Some(Banner::Overwrite(_))), "{:?}", editor.state().banner());
    assert_eq!(std::fs::read(&path).unwrap(), b"precious");
    editor.get_by_role_and_label(Role::Button, "Overwrite it").click();
    editor.run_steps(3);
    wait(&mut editor, "it is written", |app| app.desk().shooting.is_none() && app.desk().note.is_some());
    assert_eq!(read(&path).get_pixel(0, 0).0[3], 0);
    assert!(editor.state().desk().picture.transparent, "what was chosen is there the next time");
    // What was read is kept whatever it is called.
    let mesh = gallery("hanging_beam");
    let request = PictureRequest { kind: PictureKind::Still, path: mesh.clone(), options: PictureOptions::default() };
    let before = std::fs::read(&mesh).unwrap();
    act(&mut editor, Action::File(FileRequest::Pictures(request)));
    assert!(matches!(editor.state().banner(), Some(Banner::Failed(why)) if why.contains("was read")), "{:?}", editor.state().banner());
    assert_eq!(std::fs::read(&mesh).unwrap(), before);
}

#[test]
fn a_run_is_one_picture_a_frame_and_a_turn_comes_round() {
    if !can_draw() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    let small = PictureOptions { size: PictureSize::Pixels(160, 100), ..PictureOptions::default() };
    act(
        &mut editor,
        Action::File(FileRequest::Pictures(PictureRequest { kind: PictureKind::Run, path: folder.path().join("none"), options: small })),
    );
    assert!(matches!(editor.state().banner(), Some(Banner::Failed(why)) if why.contains("Play")));
    act(&mut editor, Action::Dismiss);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "steps are taken", |app| app.main().last_frame() >= 12);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "it pauses", is_idle);
    let (last, now) = (editor.state().main().last_frame(), editor.state().main().frame());
    shoot(&mut editor, PictureKind::Run, &folder.path().join("run"), small);
    let frame = |number: u64| folder.path().join(format!("run/run_{number:05}.png"));
    assert_eq!(std::fs::read_dir(folder.path().join("run")).unwrap().count() as u64, last + 1);
    assert_ne!(read(&frame(0)), read(&frame(last)), "it sagged");
    wait(&mut editor, "the frame before is back", |app| app.main().snapshot.as_ref().unwrap().frame == now);

    let turn = folder.path().join("turn");
    shoot(&mut editor, PictureKind::Turntable, &turn, PictureOptions { turns: 4, ..small });
    let pictures: Vec<RgbaImage> = (0..4).map(|k| read(&turn.join(format!("turn_{k:05}.png")))).collect();
    assert!(pictures.windows(2).all(|pair| pair[0] != pair[1]), "each from another side");
    assert_eq!(std::fs::read_dir(&turn).unwrap().count(), 4);
}

#[test]
fn a_sequence_is_given_up_without_a_loss() {
    if !can_draw() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    let options = PictureOptions { size: PictureSize::Pixels(160, 100), turns: 3000, ..PictureOptions::default() };
    let path = folder.path().join("turn");
    act(&mut editor, Action::File(FileRequest::Pictures(PictureRequest { kind: PictureKind::Turntable, path: path.clone(), options })));
    wait(&mut editor, "some are written", |app| app.desk().shooting.is_some_and(|(done, all)| done >= 2 && all == 3000));
    assert!(editor.query_by_label_contains("Pictures saved:").is_some());
    editor.get_by_role_and_label(Role::Button, "Cancel").click();
    editor.run_steps(3);
    assert_eq!(editor.state().desk().shooting, None);
    assert!(editor.state().desk().note.as_ref().is_some_and(|note| note.starts_with("Stopped: ")), "{:?}", editor.state().desk().note);
    for file in std::fs::read_dir(&path).unwrap() {
        let file = file.unwrap().path();
        assert!(file.extension().is_none_or(|extension| extension != "png") || image::open(&file).is_ok(), "{} is whole", file.display());
    }
}

#[test]
fn the_command_line_draws_the_legend_and_leaves_out_the_backdrop() {
    if !can_draw() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let render = |name: &str, options: &[&str]| {
        let path = folder.path().join(name);
        let scene = gallery("hanging_beam");
        let mut command = program();
        command.arg("render").arg(&scene).args(["--size", "640x480", "--field", "compression ratio", "--out"]).arg(&path).args(options);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", errors(&output));
        read(&path)
    };
    let (plain, with) = (render("plain.png", &[]), render("legend.png", &["--legend"]));
    let clear = render("clear.png", &["--legend", "--transparent"]);
    for end in [0.0, 1.0].map(|end| ColorMap::Diverging.color(end)) {
        let right = |picture: &RgbaImage| count(&image::imageops::crop_imm(picture, 560, 0, 80, 480).to_image(), end);
        assert!(right(&with) > 5 && right(&clear) > 5 && right(&plain) == 0, "{end:?}");
    }
    assert_eq!([plain.get_pixel(3, 3).0[3], with.get_pixel(3, 3).0[3], clear.get_pixel(3, 3).0[3]], [255, 255, 0]);
    let scene = gallery("hanging_beam");
    let output = program().arg("render").arg(scene).args(["--legend", "--out", "x.png"]).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("--field"), "{}", errors(&output));
}
