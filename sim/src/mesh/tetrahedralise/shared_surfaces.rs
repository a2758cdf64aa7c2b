//! Surfaces from elsewhere, dirty ones included, filled with tets.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;

use super::fill::{FillOptions, Filled, Size, fill};
use super::{quality, sound};
use crate::import::{RawMesh, read};
use crate::math::{Vec3, bounding_box};
use crate::mesh::embedding::embed;
use crate::watch::Unwatched;

fn load(name: &str) -> Option<RawMesh> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/meshes"));
    if !folder.is_dir() {
        eprintln!("SKIPPED: ../shared is missing");
        return None;
    }
    Some(read(&folder.join(name), &Unwatched).unwrap_or_else(|why| panic!("{name}: {why}")))
}

fn filled(raw: &RawMesh, tets: usize) -> Filled {
    let options = FillOptions { size: Size::Tets(tets), ..FillOptions::default() };
    fill(&raw.positions, &raw.triangles, &options, &Unwatched).unwrap()
}

/// What is known of a surface.
struct Expected {
    name: &'static str,
    /// Tets asked for.
    tets: usize,
    /// Solid parts: bodies that a surface encloses, those that cross counted as one, and none too small for the tets.
    parts: usize,
    /// Volume, in the file's unit, and the greatest error as a share of it.
    volume: Option<(f64, f64)>,
}

const fn surface(name: &'static str, tets: usize, parts: usize, volume: Option<(f64, f64)>) -> Expected {
    Expected { name, tets, parts, volume }
}

const TABLE: &[Expected] = &[
    surface("surface/bunny_watertight.obj", 50_000, 1, Some((754_924.0, 0.01))),
    // The same rabbit in metres, with holes.
    surface("surface/stanford-bunny.obj", 20_000, 1, Some((754_924e-9, 0.02))),
    surface("surface/armadillo.obj", 50_000, 1, None),
    surface("surface/spot_quadrangulated.obj", 50_000, 1, None),
    surface("dirty/bunny.ply", 20_000, 1, Some((754_924e-9, 0.03))),
    surface("dirty/dragon.obj", 20_000, 1, None),
    surface("dirty/dragon.stl", 20_000, 1, None),
    surface("dirty/raptorProps_25kp.obj", 30_000, 14, None),
    surface("dirty/two-cubes-intersecting.ply", 50_000, 1, None),
    surface("surface/monkey.glb", 20_000, 1, None),
    surface("dirty/negative_indices.obj", 20_000, 1, Some((8.0, 0.01))),
];

#[test]
fn every_surface_is_filled_with_sound_tets() {
    for Expected { name, tets, parts, volume } in TABLE {
        let Some(raw) = load(name) else { return };
        let Filled { positions, tets: made, report } = filled(&raw, *tets);
        eprintln!("{name}: {report:?}");
        assert_eq!(sound(&positions, &made), Ok(report.components), "{name}");
        assert_eq!(report.components, *parts, "{name}");
        // Cubes change by whole layers.
        assert!(
            (report.tets as f64 / *tets as f64 - 1.0).abs()
                < if name.starts_with("dirty/two") || name.starts_with("dirty/neg") { 0.15 } else { 0.05 },
            "{name}: {} tets",
            report.tets
        );
        assert!(report.min_dihedral_degrees > 10.0, "{name}: {}", report.min_dihedral_degrees);
        assert!(report.volume_error.is_none_or(|error| error.abs() < 0.01), "{name}: {:?}", report.volume_error);
        if let Some((exact, most)) = volume {
            let found: f64 = made.iter().map(|t| quality::volume(&positions, t)).sum();
            assert!((found / exact - 1.0).abs() < *most, "{name}: {found} instead of {exact}");
        }
        follows(name, &raw, &positions, &made, report.cell);
    }
}

/// The surface in the file, embedded in the tets, is what it was; loose vertices do no harm.
fn follows(name: &str, raw: &RawMesh, positions: &[Vec3], tets: &[[u32; 4]], cell: f64) {
    let (carriers, weights) = embed(&raw.positions, positions, tets);
    let (low, high) = bounding_box(positions);
    let mut used = vec![false; raw.positions.len()];
    raw.triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
    let mut moved = 0;
    for (((p, tet), weights), used) in raw.positions.iter().zip(carriers).zip(weights).zip(used) {
        let q: Vec3 = tets[tet as usize].iter().zip(weights).map(|(&v, w)| w * positions[v as usize]).sum();
        assert!(q.iter().all(|x| x.is_finite()) && (q - 0.5 * (low + high)).norm() < (high - low).norm() + 8.0 * cell);
        moved += usize::from(used && (p - q).norm() > 1e-9 * (high - low).norm());
    }
    eprintln!("   {moved} of {} vertices are drawn in", raw.positions.len());
    assert!(name.contains("raptor") || moved * 100 <= raw.positions.len(), "{name}: {moved} vertices do not come back");
}
