//! Makes the meshes in `assets/`: `cargo run -p aplomb-sim --example make_assets [FOLDER]`.
//!
//! The same bytes come out at every run; `sim/tests/assets.rs` holds it to that.

mod balloon;
mod creatures;
mod curve;
mod cut;
mod dinosaur;
mod dragon;
mod fish;
mod gourd;
mod hair_mesh;
mod heap;
mod layers;
mod octopus;
mod plant;
mod rabbit;
mod sheets;
mod springs;
mod stacks;
mod strands;
mod tunic;

use std::path::{Path, PathBuf};

use aplomb_sim::export::medit;
use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::structured::{CubeCut, box_mesh};
use aplomb_sim::mesh::tetrahedralise::implicit::SmoothUnion;
use aplomb_sim::mesh::tetrahedralise::{Options, StuffingError, quality, tetrahedralise};
use aplomb_sim::watch::Unwatched;

pub use balloon::balloon;
pub use creatures::{creature, little_creature};
pub use cut::cut;
pub use dinosaur::dinosaur;
pub use dragon::dragon;
pub use fish::fish;
pub use gourd::gourd;
pub use hair_mesh::hair_mesh;
pub use heap::heap;
pub use layers::{bar_surface, dam, layer, water};
pub use octopus::octopus;
pub use plant::plant;
pub use rabbit::rabbit;
pub use sheets::{blanket, curtain, fold, hat, page, sail, sheet, trough};
pub use springs::{chain, chain_over_edge, hanging_net, square, square_stretched};
pub use stacks::{barrel, bridge, hay_bale, plate, pudding_cube, pudding_tall, truck_bed};
pub use strands::{hair_curls, head_of_hair};
pub use tunic::{tunic, wearer};

/// Positions [m] and tets.
type Tets = (Vec<Vec3>, Vec<[u32; 4]>);

/// A mesh to be written.
pub struct Asset {
    positions: Vec<Vec3>,
    tets: Vec<[u32; 4]>,
    /// A physical tag for each tet, or nothing.
    tags: Vec<i32>,
}

impl From<Tets> for Asset {
    fn from((positions, tets): Tets) -> Self {
        Self { positions, tets, tags: Vec::new() }
    }
}

impl Asset {
    /// The file.
    pub fn bytes(&self) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        medit::write(&mut bytes, &self.positions, &self.tets, &self.tags)?;
        Ok(bytes)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets");
    let folder = std::env::args_os().nth(1).map_or(committed, PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    for (name, obj) in [
        ("gourd", gourd()),
        ("chain", chain()),
        ("chain_over_edge", chain_over_edge()),
        ("square", square()),
        ("square_stretched", square_stretched()),
        ("hanging_net", hanging_net()),
        ("hair_mesh", hair_mesh()),
        ("hair_curls", hair_curls()),
        ("page", page()),
        ("sail", sail()),
        ("hat", hat()),
        ("balloon", balloon()),
        ("blanket", blanket()),
        ("tunic", tunic()),
        ("wearer", wearer()),
        ("sheet", sheet()),
        ("curtain", curtain()),
        ("fold_along", fold(true, false)),
        ("fold_across", fold(false, true)),
        ("fold_both", fold(true, true)),
        ("trough", trough()),
        ("fish", fish()),
        ("bar_surface", bar_surface()),
        ("layer", layer()),
        ("water", water()),
        ("dam", dam()),
        ("heap", heap()),
        ("cut", cut()),
    ] {
        std::fs::write(folder.join(name).with_extension("obj"), obj)?;
    }
    std::fs::write(folder.join("head_of_hair.tfx"), head_of_hair())?;
    let assets = [
        ("beam", beam()),
        ("jelly_box", jelly_box()),
        ("leaning_beam", leaning_beam()),
        ("cube", cube()),
        ("bar", bar()),
        ("creature", creature()?),
        ("little_creature", little_creature()?),
        ("dinosaur", dinosaur()?),
        ("dragon", dragon()?),
        ("thin_beam", thin_beam()),
        ("octopus", octopus()?),
        ("plant", plant()?),
        ("rabbit", rabbit()?),
        ("pudding_cube", pudding_cube()),
        ("pudding_tall", pudding_tall()),
        ("bridge", bridge()),
        ("barrel", barrel()),
        ("plate", plate()),
        ("hay_bale", hay_bale()),
        ("truck_bed", truck_bed()),
    ];
    for (name, asset) in assets {
        let path = folder.join(name).with_extension("mesh");
        std::fs::write(&path, asset.bytes()?)?;
        let Asset { positions, tets, .. } = asset;
        let (low, high) = quality::dihedral_extremes(&positions, &tets);
        let worst = tets.iter().map(|t| quality::mean_ratio(&positions, t)).fold(f64::INFINITY, f64::min);
        println!(
            "{}: {} vertices, {} tets, dihedral angles {low:.1} to {high:.1} degrees, least mean ratio {worst:.3}",
            path.display(),
            positions.len(),
            tets.len()
        );
    }
    Ok(())
}

/// A cantilever, ten times as long as it is thick.
pub fn beam() -> Asset {
    box_mesh(Vec3::new(1.0, 0.1, 0.1), [40, 4, 4], CubeCut::Five).into()
}

/// A cube to set on a table.
pub fn jelly_box() -> Asset {
    box_mesh(Vec3::new(0.2, 0.2, 0.2), [8, 8, 8], CubeCut::Five).into()
}

/// A slender beam, clamped at one end and leaning on a block at the other.
pub fn leaning_beam() -> Asset {
    box_mesh(Vec3::new(1.0, 0.04, 0.04), [75, 3, 3], CubeCut::Five).into()
}

/// A thin beam, clamped at one end, whose other end rests on a block.
pub fn thin_beam() -> Asset {
    box_mesh(Vec3::new(1.0, 0.025, 0.1), [80, 2, 8], CubeCut::Five).into()
}

/// A coarse cube, to be dropped, pressed and stacked.
pub fn cube() -> Asset {
    box_mesh(Vec3::new(0.2, 0.2, 0.2), [5, 5, 5], CubeCut::Five).into()
}

/// A bar to be twisted.
pub fn bar() -> Asset {
    box_mesh(Vec3::new(0.8, 0.12, 0.12), [24, 4, 4], CubeCut::Five).into()
}

/// A solid cut into cells of `cell` metres, its lowest point at y = 0, its coordinates whole micrometres.
fn standing(solid: &SmoothUnion, cell: f64) -> Result<Tets, StuffingError> {
    let mesh = tetrahedralise(solid, &Options { cell, ..Options::default() }, &Unwatched)?;
    let lowest = mesh.positions.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    let place = |p: Vec3| Vec3::new(p.x, p.y - lowest, p.z).map(|x| (1e6 * x).round() / 1e6);
    Ok((mesh.positions.into_iter().map(place).collect(), mesh.tets))
}
