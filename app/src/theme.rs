//! Colours, spacing and text sizes, dark and light.

use std::path::Path;

use egui::{Color32, CornerRadius, FontFamily, FontId, Stroke, Style, TextStyle, Theme, Visuals, vec2};

/// What is kept for the light theme.
const LIGHT: &str = "light";

/// Colours that carry a meaning.
#[derive(Debug, Clone, Copy)]
pub struct Meaning {
    /// Selection, focus, the primary action.
    pub accent: Color32,
    /// Text on the accent.
    pub on_accent: Color32,
    /// Something to look at.
    pub warning: Color32,
    /// Something is wrong.
    pub error: Color32,
    /// All is well.
    pub good: Color32,
    /// Units and secondary text.
    pub dim: Color32,
    /// Ground of a card.
    pub card: Color32,
    /// Ground of words about something to look at.
    pub warning_ground: Color32,
    /// Ground of words about something wrong.
    pub error_ground: Color32,
}

/// The meanings in the theme of `ui`.
pub fn meaning(ui: &egui::Ui) -> Meaning {
    of(ui.visuals().dark_mode)
}

const fn of(dark: bool) -> Meaning {
    if dark {
        Meaning {
            accent: Color32::from_rgb(46, 190, 232),
            on_accent: Color32::from_rgb(8, 26, 34),
            warning: Color32::from_rgb(240, 178, 74),
            error: Color32::from_rgb(255, 128, 121),
            good: Color32::from_rgb(98, 200, 150),
            dim: Color32::from_rgb(136, 144, 156),
            card: Color32::from_rgb(37, 41, 48),
            warning_ground: Color32::from_rgb(65, 50, 26),
            error_ground: Color32::from_rgb(75, 36, 39),
        }
    } else {
        Meaning {
            accent: Color32::from_rgb(7, 102, 153),
            on_accent: Color32::from_rgb(255, 255, 255),
            warning: Color32::from_rgb(122, 79, 0),
            error: Color32::from_rgb(176, 36, 39),
            good: Color32::from_rgb(16, 99, 58),
            dim: Color32::from_rgb(84, 93, 104),
            card: Color32::from_rgb(250, 251, 252),
            warning_ground: Color32::from_rgb(251, 235, 203),
            error_ground: Color32::from_rgb(251, 224, 223),
        }
    }
}

/// Sets up both themes, and the one that is `kept` in a file; dark is the default.
pub fn install(ctx: &egui::Context, kept: Option<&Path>) {
    let text = kept.and_then(|file| std::fs::read_to_string(file).ok());
    ctx.set_theme(if text.is_some_and(|text| text.trim() == LIGHT) { Theme::Light } else { Theme::Dark });
    for theme in [Theme::Dark, Theme::Light] {
        ctx.style_mut_of(theme, |style| shape(style, theme == Theme::Dark));
    }
}

/// Takes the other theme, and keeps it in a file for the next window.
pub fn toggle(ctx: &egui::Context, kept: Option<&Path>) {
    let (theme, name) = match ctx.theme() {
        Theme::Dark => (Theme::Light, LIGHT),
        Theme::Light => (Theme::Dark, "dark"),
    };
    ctx.set_theme(theme);
    // A convenience: a disk that cannot keep it is no reason to disturb anybody.
    let _ = kept.map(|file| std::fs::create_dir_all(file.parent().unwrap_or(Path::new("."))).and_then(|()| std::fs::write(file, name)));
}

fn shape(style: &mut Style, dark: bool) {
    let text = |size| FontId::new(size, FontFamily::Proportional);
    style.text_styles = [
        (TextStyle::Small, text(11.0)),
        (TextStyle::Body, text(13.0)),
        (TextStyle::Button, text(13.0)),
        (TextStyle::Heading, text(13.0)),
        (TextStyle::Monospace, FontId::new(12.0, FontFamily::Monospace)),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(8.0, 6.0);
    spacing.button_padding = vec2(8.0, 3.0);
    spacing.interact_size = vec2(32.0, 24.0);
    spacing.combo_width = 120.0;
    spacing.indent = 16.0;
    spacing.window_margin = egui::Margin::same(12);
    spacing.scroll = egui::style::ScrollStyle::thin();
    style.visuals = visuals(dark);
}

fn visuals(dark: bool) -> Visuals {
    let grey = |value: u8| {
        // A trace of blue in every grey.
        Color32::from_rgb(value, value.saturating_add(2), value.saturating_add(if dark { 7 } else { 3 }))
    };
    let meaning = of(dark);
    let mut visuals = if dark { Visuals::dark() } else { Visuals::light() };
    let (panel, field, rest, hover, line, text, strong) = if dark {
        (grey(28), grey(19), grey(47), grey(60), grey(46), grey(206), grey(238))
    } else {
        (grey(238), grey(252), grey(222), grey(208), grey(208), grey(44), grey(14))
    };
    visuals.panel_fill = panel;
    visuals.window_fill = meaning.card;
    visuals.extreme_bg_color = field;
    // On a white card too, a field is seen as one.
    visuals.text_edit_bg_color = Some(if dark { field } else { grey(230) });
    visuals.faint_bg_color = if dark { grey(33) } else { grey(232) };
    visuals.warn_fg_color = meaning.warning;
    visuals.error_fg_color = meaning.error;
    visuals.hyperlink_color = meaning.accent;
    visuals.weak_text_color = Some(meaning.dim);
    visuals.selection.bg_fill = meaning.accent.gamma_multiply(if dark { 0.32 } else { 0.25 });
    visuals.selection.stroke = Stroke::new(1.0, if dark { strong } else { meaning.accent });
    visuals.window_stroke = Stroke::new(1.0, line);
    visuals.window_corner_radius = CornerRadius::same(6);
    visuals.menu_corner_radius = CornerRadius::same(6);
    let widgets = &mut visuals.widgets;
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, line);
    widgets.noninteractive.fg_stroke = Stroke::new(1.0, text);
    for (state, fill, colour) in [
        (&mut widgets.inactive, rest, text),
        (&mut widgets.hovered, hover, strong),
        (&mut widgets.active, hover, strong),
        (&mut widgets.open, rest, strong),
    ] {
        state.weak_bg_fill = fill;
        state.bg_fill = fill;
        state.bg_stroke = Stroke::NONE;
        state.fg_stroke = Stroke::new(1.0, colour);
        state.corner_radius = CornerRadius::same(4);
        state.expansion = 0.0;
    }
    widgets.hovered.bg_stroke = Stroke::new(1.0, meaning.accent.gamma_multiply(0.6));
    widgets.active.bg_stroke = Stroke::new(1.0, meaning.accent);
    visuals
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_theme_that_was_chosen_is_that_of_the_next_window() {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("state").join("theme.txt");
        for expected in [Theme::Dark, Theme::Light, Theme::Dark] {
            let ctx = egui::Context::default();
            install(&ctx, Some(&kept));
            assert_eq!(ctx.theme(), expected);
            toggle(&ctx, Some(&kept));
            assert_ne!(ctx.theme(), expected);
        }
    }
}
