//! Colours, spacing, fonts and text sizes, dark and light.

mod fonts;
pub mod icons;

pub use fonts::{filled, strong};

use std::path::Path;

use egui::{Color32, CornerRadius, FontFamily, FontId, Stroke, Style, TextStyle, Theme, Visuals, vec2};

/// What is kept for the light theme.
const LIGHT: &str = "light";

/// Colours that carry a meaning.
#[derive(Debug, Clone, Copy)]
pub struct Meaning {
    /// Selection, focus, the primary action.
    pub accent: Color32,
    /// The primary action under the cursor.
    pub accent_hover: Color32,
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
    /// What cannot be used now.
    pub off: Color32,
    /// Ground of the menus.
    pub base: Color32,
    /// Ground of a card.
    pub card: Color32,
    /// Lines between parts, and borders of cards.
    pub line: Color32,
    /// Ground of what is selected, and text on it.
    pub selected: [Color32; 2],
    /// Ground of words about something that is well.
    pub good_ground: Color32,
    /// Ground of words about something to look at.
    pub warning_ground: Color32,
    /// Ground of words about something wrong.
    pub error_ground: Color32,
}

/// The meanings in the theme of `ui`.
pub fn meaning(ui: &egui::Ui) -> Meaning {
    of(ui.visuals().dark_mode)
}

/// Border of what one can drop on or tick: seen well on any ground.
pub fn edge(ui: &egui::Ui) -> Color32 {
    if ui.visuals().dark_mode { hex(0x6c_75_81) } else { hex(0x81_8a_95) }
}

/// A colour as it is written on the web.
const fn hex(rgb: u32) -> Color32 {
    let [_, r, g, b] = rgb.to_be_bytes();
    Color32::from_rgb(r, g, b)
}

/// The meanings in the dark theme, or in the light one.
pub const fn of(dark: bool) -> Meaning {
    if dark {
        Meaning {
            accent: hex(0x35_b8_f0),
            accent_hover: hex(0x5c_c8_f5),
            on_accent: hex(0x04_20_2e),
            warning: hex(0xf1_b4_4c),
            error: hex(0xff_80_79),
            good: hex(0x5f_cb_97),
            dim: hex(0x9c_a5_b1),
            off: hex(0x64_6c_78),
            base: hex(0x15_17_1b),
            card: hex(0x25_29_2f),
            line: hex(0x32_37_3f),
            selected: [hex(0x16_43_5a), hex(0xe4_f5_fd)],
            good_ground: hex(0x1c_3a_2e),
            warning_ground: hex(0x41_32_1a),
            error_ground: hex(0x4b_24_27),
        }
    } else {
        Meaning {
            accent: hex(0x07_66_99),
            accent_hover: hex(0x05_57_83),
            on_accent: hex(0xff_ff_ff),
            warning: hex(0x7a_4f_00),
            error: hex(0xb0_24_27),
            good: hex(0x10_63_3a),
            dim: hex(0x54_5d_68),
            off: hex(0x98_a0_aa),
            base: hex(0xdb_df_e4),
            card: hex(0xff_ff_ff),
            line: hex(0xd0_d5_db),
            selected: [hex(0xcd_e7_f5), hex(0x0a_3f_5e)],
            good_ground: hex(0xdd_f1_e6),
            warning_ground: hex(0xfb_eb_cb),
            error_ground: hex(0xfb_e0_df),
        }
    }
}

/// Sets up both themes, and the one that is `kept` in a file; dark is the default.
pub fn install(ctx: &egui::Context, kept: Option<&Path>) {
    let text = kept.and_then(|file| std::fs::read_to_string(file).ok());
    ctx.set_fonts(fonts::definitions());
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
        (TextStyle::Heading, FontId::new(13.0, strong())),
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

/// Grounds and lines that carry no meaning.
struct Ground {
    panel: Color32,
    field: Color32,
    /// Buttons: at rest, under the cursor, pressed.
    raised: [Color32; 3],
    text: Color32,
    strong: Color32,
}

const DARK: Ground = Ground {
    panel: hex(0x1d_20_25),
    field: hex(0x13_15_19),
    raised: [hex(0x31_36_3e), hex(0x35_3b_44), hex(0x44_4b_56)],
    text: hex(0xd2_d6_dc),
    strong: hex(0xf2_f4_f6),
};

const LIGHT_GROUND: Ground = Ground {
    panel: hex(0xee_f0_f3),
    field: hex(0xff_ff_ff),
    raised: [hex(0xe2_e6_ea), hex(0xd8_dd_e2), hex(0xc6_cd_d5)],
    text: hex(0x27_2c_33),
    strong: hex(0x0f_13_17),
};

fn visuals(dark: bool) -> Visuals {
    let meaning = of(dark);
    let line = meaning.line;
    let Ground { panel, field, raised, text, strong } = if dark { DARK } else { LIGHT_GROUND };
    let mut visuals = if dark { Visuals::dark() } else { Visuals::light() };
    visuals.panel_fill = panel;
    visuals.window_fill = meaning.card;
    visuals.extreme_bg_color = field;
    // On a white card too, a field is seen as one.
    visuals.text_edit_bg_color = Some(if dark { field } else { raised[0] });
    visuals.faint_bg_color = meaning.card;
    visuals.warn_fg_color = meaning.warning;
    visuals.error_fg_color = meaning.error;
    visuals.hyperlink_color = meaning.accent;
    visuals.weak_text_color = Some(meaning.dim);
    let [ground, on_ground] = meaning.selected;
    visuals.selection.bg_fill = ground;
    visuals.selection.stroke = Stroke::new(1.0, on_ground);
    visuals.window_stroke = Stroke::new(1.0, line);
    visuals.window_corner_radius = CornerRadius::same(6);
    visuals.menu_corner_radius = CornerRadius::same(6);
    let widgets = &mut visuals.widgets;
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, line);
    widgets.noninteractive.fg_stroke = Stroke::new(1.0, text);
    let [rest, hover, press] = raised;
    for (state, fill, colour) in [
        (&mut widgets.inactive, rest, text),
        (&mut widgets.hovered, hover, strong),
        (&mut widgets.active, press, strong),
        (&mut widgets.open, rest, strong),
    ] {
        state.weak_bg_fill = fill;
        state.bg_fill = fill;
        state.bg_stroke = Stroke::NONE;
        state.fg_stroke = Stroke::new(1.0, colour);
        state.corner_radius = CornerRadius::same(4);
        state.expansion = 0.0;
    }
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
