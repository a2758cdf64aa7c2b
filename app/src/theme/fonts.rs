//! The fonts: Inter for text, with digits of one width, in two weights, and Phosphor for icons, plain and filled.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily, FontTweak};

/// The family of titles and verdicts.
const STRONG: &str = "strong";
/// The family of filled icons.
pub const FILLED: &str = "filled";

/// Titles, verdicts, and what stands on the accent.
pub fn strong() -> FontFamily {
    FontFamily::Name(STRONG.into())
}

/// Filled icons.
pub fn filled() -> FontFamily {
    FontFamily::Name(FILLED.into())
}

/// All fonts. What Inter does not have, such as arrows, comes from those that egui brings.
pub(super) fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let fallback = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    let text = FontTweak::default();
    // Icons stand on the line with the text beside them.
    let icon = FontTweak { scale: 1.2, y_offset_factor: 0.06, ..FontTweak::default() };
    let files: [(&str, &'static [u8], FontTweak); 4] = [
        ("Inter", include_bytes!("../../assets/fonts/Inter-Regular.ttf"), text.clone()),
        ("Inter SemiBold", include_bytes!("../../assets/fonts/Inter-SemiBold.ttf"), text),
        ("Phosphor", include_bytes!("../../assets/fonts/Phosphor.ttf"), icon.clone()),
        ("Phosphor Fill", include_bytes!("../../assets/fonts/Phosphor-Fill.ttf"), icon),
    ];
    for (name, bytes, tweak) in files {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes).tweak(tweak)));
    }
    let family = |first: &[&str]| first.iter().map(|name| (*name).to_owned()).chain(fallback.iter().cloned()).collect::<Vec<_>>();
    fonts.families.insert(FontFamily::Proportional, family(&["Inter", "Phosphor"]));
    fonts.families.insert(strong(), family(&["Inter SemiBold", "Phosphor"]));
    fonts.families.insert(filled(), family(&["Phosphor Fill", "Inter"]));
    fonts
}
