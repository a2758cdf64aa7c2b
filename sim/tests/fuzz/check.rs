//! Reads one file, and tells what is wrong with how it went.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use aplomb_sim::import::{self, FORMATS, ImportError, Lists, RawMesh, tetgen};
use aplomb_sim::watch::Unwatched;

use super::memory::peak_of;

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps the messages of panics for [`check`] instead of printing them.
pub fn keep_panics() {
    std::panic::set_hook(Box::new(|info| PANIC.set(info.to_string())));
}

/// Most bytes that a reader may hold, for a file of `length` bytes.
pub fn allowed(length: usize) -> usize {
    20 * length + (1 << 20)
}

/// How reading went.
pub struct Outcome {
    /// Whether it gave a mesh.
    pub is_read: bool,
    /// Most bytes held.
    pub peak: usize,
    /// What is wrong.
    pub fault: Option<String>,
}

/// Reads `content` as a file of the name `name`; `.tetgen` is TetGen's pair in one, with `%` between.
pub fn check(name: &str, content: &[u8]) -> Outcome {
    let path = Path::new("/no folder").join(name);
    let (result, peak) = peak_of(|| catch_unwind(AssertUnwindSafe(|| read(&path, content).map_err(|error| error.to_string().len()))));
    let (is_read, mut fault) = match &result {
        Ok(Ok(mesh)) => (true, wrong(mesh)),
        Ok(Err(0)) => (false, Some("an error without a message".into())),
        Ok(Err(_)) => (false, None),
        Err(_) => (false, Some(format!("panic: {}", PANIC.take()))),
    };
    if peak > allowed(content.len()) {
        fault.get_or_insert(format!("{peak} bytes are held for a file of {}", content.len()));
    }
    Outcome { is_read, peak, fault }
}

fn read(path: &Path, content: &[u8]) -> Result<RawMesh, ImportError> {
    if path.extension().is_some_and(|e| e == "tetgen") {
        let cut = content.iter().position(|&b| b == b'%').unwrap_or(content.len());
        let (node, ele) = content.split_at(cut);
        return tetgen::read_pair((path, node), (path, ele.get(1..).unwrap_or_default()), &Unwatched);
    }
    import::read_bytes(path, content, &Unwatched)
}

/// What a mesh promises and does not hold.
fn wrong(mesh: &RawMesh) -> Option<String> {
    let vertices = mesh.positions.len();
    let valid = |indices: &[u32]| indices.iter().all(|&v| (v as usize) < vertices);
    let whole = |lists: &Lists| lists.ends.is_sorted() && lists.ends.last().copied().unwrap_or(0) as usize == lists.vertices.len();
    let triangles = mesh.triangles.len();
    let texture = &mesh.texture;
    let promises = [
        ("a known format", FORMATS.iter().any(|f| f.name == mesh.format)),
        ("finite coordinates", mesh.positions.iter().all(|p| p.iter().all(|c| c.is_finite()))),
        ("vertices of tets", valid(mesh.tets.as_flattened())),
        ("a tag a tet", mesh.tags.is_empty() || mesh.tags.len() == mesh.tets.len()),
        ("vertices of triangles", valid(mesh.triangles.as_flattened())),
        ("vertices of polygons", valid(&mesh.polygons.vertices) && whole(&mesh.polygons)),
        ("vertices of strands", valid(&mesh.strands.vertices) && whole(&mesh.strands)),
        ("fixed vertices", valid(&mesh.fixed)),
        ("a group a triangle", mesh.triangle_groups.is_empty() || mesh.triangle_groups.len() == triangles),
        ("groups", mesh.triangle_groups.iter().all(|&g| (g as usize) < mesh.groups.len())),
        ("texture of triangles", texture.triangles.is_empty() || texture.triangles.len() == triangles),
        ("points of the texture", texture.triangles.iter().flatten().all(|&t| t == u32::MAX || (t as usize) < texture.points.len())),
        ("finite texture", texture.points.iter().flatten().all(|c| c.is_finite())),
        ("a unit", mesh.unit.is_none_or(|unit| unit.is_finite() && unit > 0.0)),
    ];
    promises.iter().find(|(_, is_kept)| !is_kept).map(|(promise, _)| format!("broken: {promise}"))
}
