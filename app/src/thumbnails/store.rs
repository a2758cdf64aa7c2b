//! Pictures on disk, each under a number that follows from all that is seen in it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use aplomb_sim::scene_file::gallery::GalleryScene;
use image::{ImageFormat, RgbaImage};

use super::SIZE;

/// Counted up when pictures of the same files look different.
const LOOKS: u32 = 1;

/// A folder of pictures, or none.
pub(super) struct Store(Option<PathBuf>);

impl Store {
    pub fn in_folder(folder: Option<&Path>) -> Self {
        Self(folder.map(Path::to_path_buf))
    }

    /// The picture of `scene` that is kept; otherwise `draw` draws it, and it is kept.
    pub fn picture(&self, scene: &GalleryScene, dark: bool, draw: impl FnOnce() -> Option<RgbaImage>) -> Option<RgbaImage> {
        let Some(folder) = &self.0 else { return draw() };
        let file = folder.join(format!("{:016x}.png", content(scene, dark)));
        let kept = std::fs::read(&file).ok().and_then(|bytes| image::load_from_memory_with_format(&bytes, ImageFormat::Png).ok());
        if let Some(kept) = kept.map(|kept| kept.to_rgba8()).filter(|kept| kept.dimensions() == SIZE) {
            return Some(kept);
        }
        let picture = draw()?;
        let mut bytes = std::io::Cursor::new(Vec::new());
        if picture.write_to(&mut bytes, ImageFormat::Png).is_ok() {
            // A convenience: a disk that cannot keep it is no reason to disturb anybody.
            let _ = std::fs::create_dir_all(folder).and_then(|()| aplomb_sim::files::write_atomically(&file, bytes.get_ref()));
        }
        Some(picture)
    }
}

/// A number that differs where the scene's file or a mesh of it does.
fn content(entry: &GalleryScene, dark: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    (LOOKS, env!("CARGO_PKG_VERSION"), SIZE, dark, entry.text).hash(&mut hasher);
    let path = entry.path();
    let folder = path.parent().unwrap_or(Path::new(""));
    let meshes = serde_json::from_str::<aplomb_sim::scene::Scene>(entry.text)
        .map(|scene| scene.mesh_files().map(|(_, mesh)| folder.join(mesh)).collect::<Vec<_>>());
    for mesh in meshes.into_iter().flatten() {
        aplomb_sim::files::read(&mesh).ok().hash(&mut hasher);
    }
    hasher.finish()
}
