//! The scenes that come along, by name.

use std::path::{Path, PathBuf};

use crate::scene::Scene;

/// A scene of the gallery.
#[derive(Debug, Clone, Copy)]
pub struct GalleryScene {
    /// Name: that of the file, without the extension.
    pub name: &'static str,
    /// The file's text.
    pub text: &'static str,
}

macro_rules! scenes {
    ($($name:literal),* $(,)?) => {
        &[$(GalleryScene { name: $name, text: include_str!(concat!("../../../scenes/", $name, ".json")) }),*]
    };
}

/// Every scene of the gallery; the first is the one that the editor opens with.
pub const GALLERY: &[GalleryScene] = scenes![
    "creature",
    "creature_stvk",
    "creature_corotated",
    "octopus",
    "fig3_beam",
    "fig4_stack",
    "fig5_bridge",
    "fig6_tilted_stack",
    "fig7_hay_bales",
    "fig9_plant",
    "fig9_plant_neo_hookean",
    "fig9_plant_stvk",
    "fig14_inverse",
    "hanging_beam",
    "jelly_on_table",
    "leaning_beam",
    "gourd",
    "slope",
    "slope_slides",
    "box_drop",
    "torus_drop",
    "press",
    "two_boxes",
    "two_boxes_frictionless",
    "stack_topple",
    "twist_bar",
    "funnel",
    "floating",
    "too_slippery",
    "too_soft",
    "locally_stiffened",
    "hanging_chain",
    "xpbd_chain",
    "chain_over_edge",
    "xpbd_cloth",
    "inflating_ball",
    "xpbd_bear",
    "pbd_vs_xpbd",
    "hanging_net",
    "fig15_hair_mesh",
    "spring_square_drop",
    "spring_square_stretched",
    "spring_square_hanging",
    "spring_slope",
    "spring_ceiling",
    "spring_and_jelly",
    "fig17_dragon_springs",
    "fig10_book",
    "fig11_blanket",
    "fig12_hats",
    "fig13_sail",
    "garment",
    "cloth_locking",
    "drape_sphere",
    "tablecloth_pull",
    "tent_and_jelly",
    "hair_curls",
    "hair_curls_discrete",
    "strands_on_head",
    "pbsm_bars",
    "pbsm_twist",
    "pbsm_fish",
    "pbsm_layers",
    "pbf_column",
    "mpm_creature",
    "mpm_bunny",
    "mpm_dam",
    "sand_heap",
    "vertical_cut",
    "metal_press",
    "mpm_blocks",
    "mpm_sand_sphere",
    "jelly_in_sand",
    "jelly_in_sling",
    "sampling",
    "solvers",
];

/// The scene of that name.
pub fn find(name: &str) -> Option<&'static GalleryScene> {
    GALLERY.iter().find(|scene| scene.name == name)
}

impl GalleryScene {
    /// One line for people, from the file.
    pub fn description(&self) -> String {
        serde_json::from_str::<Scene>(self.text).map(|scene| scene.description).unwrap_or_default()
    }

    /// The file: in the folder `scenes` next to or above the program, or where the program was built.
    pub fn path(&self) -> PathBuf {
        let file = Path::new("scenes").join(self.name).with_extension("json");
        let program = std::env::current_exe().unwrap_or_default();
        let beside = program.ancestors().skip(1).map(|folder| folder.join(&file)).find(|path| path.is_file());
        beside.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(&file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_is_in_order_and_says_what_it_shows() {
        for entry in GALLERY {
            let scene = crate::scene_file::load(&entry.path());
            assert!(scene.is_ok(), "{scene:#?}");
            assert!(!entry.description().is_empty(), "{}: no description", entry.name);
            assert!(scene.is_ok_and(|scene| !scene.expect.is_empty()), "{}: expects nothing", entry.name);
        }
    }
}
