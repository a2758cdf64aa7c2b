//! Surfaces from elsewhere, dirty ones included, filled with tets.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;

use super::fill::{FillOptions, Filled, Size, fill};
use super::{quality, sound};
use crate::import::{RawMesh, read};
use crate::math::{Vec3, bounding_box};
use crate::mesh::Skin;
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
    /// Solid parts: bodies that a surface encloses, those that touch or cross counted as one, each of which is to be one body of tets.
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
    // The 98 parts of the file touch or cross one another in places.
    surface("dirty/raptorProps_25kp.obj", 30_000, 88, None),
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
        assert_eq!((report.components, report.parts, report.missed), (*parts, *parts, 0), "{name}");
        // Cubes change by whole layers.
        assert!(
            (report.tets as f64 / *tets as f64 - 1.0).abs()
                < if name.starts_with("dirty/two") || name.starts_with("dirty/neg") { 0.15 } else { 0.1 },
            "{name}: {} tets",
            report.tets
        );
        assert!(report.min_dihedral_degrees > 10.0, "{name}: {}", report.min_dihedral_degrees);
        assert!(report.volume_error.is_none_or(|error| error.abs() < 0.01), "{name}: {:?}", report.volume_error);
        if let Some((exact, most)) = volume {
            let found: f64 = made.iter().map(|t| quality::volume(&positions, t)).sum();
            assert!((found / exact - 1.0).abs() < *most, "{name}: {found} instead of {exact}");
        }
        comes_back(name, &raw, &positions, &made);
    }
}

/// Every vertex of the file, used or loose, is drawn where the file has it, to the last digits.
fn comes_back(name: &str, raw: &RawMesh, positions: &[Vec3], tets: &[[u32; 4]]) {
    let (carriers, weights) = embed(&raw.positions, positions, tets, &Unwatched).unwrap();
    let mut skin = Skin { positions: raw.positions.clone(), tets: carriers, weights, ..Skin::default() };
    skin.measure_arms(tets, positions);
    let mut drawn = Vec::new();
    skin.follow(tets, positions, &mut drawn);
    let (low, high) = bounding_box(&raw.positions);
    let worst = drawn.iter().zip(&raw.positions).map(|(q, p)| (q - p).norm()).fold(0.0, f64::max);
    eprintln!("   {} of {} vertices hang on arms", skin.far.len(), raw.positions.len());
    assert!(worst < 1e-9 * (high - low).norm() && drawn.len() == raw.positions.len(), "{name}: {worst}");
}
