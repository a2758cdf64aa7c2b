//! Surfaces from elsewhere against their known counts and boxes, and what is refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;

use crate::import::{ImportError, RawMesh, read};
use crate::math::{Vec3, bounding_box};
use crate::watch::Unwatched;

fn shared(name: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/meshes"));
    if folder.is_dir() {
        return Some(folder.join(name));
    }
    eprintln!("SKIPPED: ../shared is missing");
    None
}

fn load(name: &str) -> Option<RawMesh> {
    Some(read(&shared(name)?, &Unwatched).unwrap_or_else(|why| panic!("{why}")))
}

/// Triangles a file's faces give, and how many of its faces have more corners.
struct Known {
    name: &'static str,
    vertices: usize,
    triangles: usize,
    polygons: usize,
    low: [f64; 3],
    high: [f64; 3],
}

#[rustfmt::skip]
const KNOWN: &[Known] = &[
    Known { name: "surface/stanford-bunny.obj", vertices: 35_947, triangles: 69_451, polygons: 0, low: [-0.0947, 0.033, -0.0619], high: [0.061, 0.1873, 0.0588] },
    Known { name: "surface/bunny_watertight.obj", vertices: 34_834, triangles: 69_664, polygons: 0, low: [-94.689, -58.799, 32.987], high: [61.009, 61.873, 187.321] },
    Known { name: "surface/armadillo.obj", vertices: 43_243, triangles: 86_482, polygons: 0, low: [-0.4353, -0.5734, -0.3795], high: [0.4033, 0.4265, 0.3833] },
    Known { name: "surface/spot_quadrangulated.obj", vertices: 2_930, triangles: 5_856, polygons: 2_928, low: [-0.4716, -0.7368, -0.6689], high: [0.4716, 0.9536, 1.049] },
    Known { name: "surface/dress_knife_stage.obj", vertices: 15_656, triangles: 29_456, polygons: 0, low: [-0.3303, -0.0969, -0.2068], high: [0.3218, 0.2043, 0.5817] },
    Known { name: "surface/dress_knife_drape.obj", vertices: 28_467, triangles: 54_928, polygons: 0, low: [-0.641, -0.75, -0.1337], high: [0.641, 0.7493, 0.132] },
    Known { name: "surface/cloth80x80.obj", vertices: 6_400, triangles: 12_482, polygons: 6_241, low: [-0.5, 0.0, -0.5], high: [0.5, 0.0, 0.5] },
    Known { name: "dirty/dragon.obj", vertices: 1_190, triangles: 2_564, polygons: 0, low: [-11.4529, -7.3891, -5.0446], high: [11.4121, 8.3129, 5.0151] },
    Known { name: "dirty/raptorProps_25kp.obj", vertices: 25_262, triangles: 49_024, polygons: 24_512, low: [-2.1185, -0.2055, 0.2375], high: [2.1184, 6.5559, 6.7689] },
    Known { name: "dirty/negative_indices.obj", vertices: 8, triangles: 12, polygons: 6, low: [-1.0; 3], high: [1.0; 3] },
    Known { name: "dirty/dragon.stl", vertices: 1_190, triangles: 2_526, polygons: 0, low: [-11.4529, -5.0151, -7.3891], high: [11.4121, 5.0446, 8.3129] },
    Known { name: "dirty/large_block_obb.STL", vertices: 8, triangles: 12, polygons: 0, low: [19653.4668, 0.5469, 22485.6777], high: [22373.5371, 2901.9829, 22857.2188] },
    Known { name: "surface/CesiumMilkTruck.glb", vertices: 3_564, triangles: 3_624, polygons: 0, low: [-2.4309, 0.0015, -1.396], high: [2.438, 2.5844, 1.396] },
    Known { name: "surface/monkey.glb", vertices: 1_966, triangles: 968, polygons: 0, low: [-1.3672, -0.9844, -0.8516], high: [1.3672, 0.9844, 0.8516] },
    Known { name: "dirty/bunny.ply", vertices: 8_171, triangles: 16_301, polygons: 0, low: [-0.0946, 0.0334, -0.0619], high: [0.0609, 0.1866, 0.0587] },
    Known { name: "dirty/two-cubes-intersecting.ply", vertices: 262, triangles: 480, polygons: 0, low: [-0.5584, -0.0253, -0.0247], high: [1.8211, 1.0235, 1.028] },
    Known { name: "reference/ccd-cloth-funnel/227.ply", vertices: 9_450, triangles: 18_484, polygons: 0, low: [f64::NAN; 3], high: [f64::NAN; 3] },
];

#[test]
fn surfaces_have_their_known_counts_and_boxes() {
    for known in KNOWN {
        let Some(raw) = load(known.name) else { return };
        assert_eq!((raw.positions.len(), raw.triangles.len()), (known.vertices, known.triangles), "{}: {:?}", known.name, raw.notes);
        assert_eq!(raw.polygons.len(), known.polygons, "{}", known.name);
        let (low, high) = bounding_box(&raw.positions);
        // The table gives four decimals.
        let far = |found: Vec3, known: [f64; 3]| (found - Vec3::from(known)).amax() > 6e-5;
        assert!(!far(low, known.low) && !far(high, known.high), "{}", known.name);
        assert!(raw.tets.is_empty() && raw.strands.is_empty() && raw.fixed.is_empty(), "{}", known.name);
    }
}

fn double_area(corners: [Vec3; 3]) -> f64 {
    (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).norm()
}

fn areas(raw: &RawMesh) -> Vec<f64> {
    raw.triangles.iter().map(|t| double_area(t.map(|v| raw.positions[v as usize]))).collect()
}

fn volume(raw: &RawMesh) -> f64 {
    raw.triangles.iter().map(|t| t.map(|v| raw.positions[v as usize])).map(|[a, b, c]| a.cross(&b).dot(&c) / 6.0).sum()
}

#[test]
fn volumes_are_enclosed() {
    let (Some(cube), Some(bunny)) = (load("dirty/negative_indices.obj"), load("surface/bunny_watertight.obj")) else { return };
    assert!((volume(&cube) - 8.0).abs() < 1e-12, "{}", volume(&cube));
    assert!((volume(&bunny) - 754_924.0).abs() < 1.0, "{}", volume(&bunny));
}

#[test]
fn the_pattern_of_the_dress_is_its_texture() {
    let (Some(stage), Some(drape)) = (load("surface/dress_knife_stage.obj"), load("surface/dress_knife_drape.obj")) else { return };
    let panels: Vec<String> = (0..14).map(|n| format!("panel{n}")).collect();
    assert_eq!(stage.groups, panels);
    let sizes: Vec<usize> = (0..14).map(|n| stage.triangle_groups.iter().filter(|&&g| g == n).count()).collect();
    // The comments of the file say so.
    assert_eq!(sizes, [1_575, 1_785, 503, 452, 6_523, 2_899, 942, 1_565, 1_804, 523, 448, 6_522, 2_919, 996]);
    assert_eq!(stage.unused_sections, ["seam"]);
    assert_eq!(stage.stitches.len(), 851);
    assert_eq!(stage.texture.triangles.len(), stage.triangles.len());
    let flat = |t: &[u32; 3]| double_area(t.map(|v| stage.texture.points[v as usize]).map(|[u, v]| Vec3::new(u, v, 0.0)));
    for (t, area) in areas(&stage).into_iter().enumerate() {
        let pattern = flat(&stage.texture.triangles[t]);
        assert!((pattern / area - 1.0).abs() < 3.5e-4, "triangle {t}: {pattern} {area}");
    }
    assert_eq!(stage.triangles, drape.triangles[..stage.triangles.len()]);
}

#[test]
fn texture_points_may_outnumber_vertices() {
    let Some(spot) = load("surface/spot_quadrangulated.obj") else { return };
    assert_eq!((spot.texture.points.len(), spot.texture.triangles.len()), (3_225, 5_856));
    assert!(spot.texture.triangles.as_flattened().iter().all(|&v| v < 3_225));
}

#[test]
fn nodes_of_a_scene_are_groups_in_metres() {
    let Some(truck) = load("surface/CesiumMilkTruck.glb") else { return };
    let body = ["glass", "truck", "window_trim"];
    assert_eq!(truck.groups.len(), 5);
    assert!(body.iter().all(|material| truck.groups.contains(&format!("Cesium_Milk_Truck/{material}"))), "{:?}", truck.groups);
    assert_eq!(truck.groups[3..], ["Wheels", "Wheels"]);
    assert_eq!((truck.unit, truck.up), (Some(1.0), Some(crate::import::UpAxis::Y)));
    // The two wheels are the same but for their place, 2.785 m apart.
    let wheels = truck.positions.len() - 2 * 586;
    for v in wheels..wheels + 586 {
        let between = truck.positions[v] - truck.positions[v + 586];
        assert!((between.x.abs() - 2.785).abs() < 1e-6 && between.y.abs() < 1e-6 && between.z.abs() < 1e-6, "{between}");
    }
}

#[test]
fn hair_hangs_from_two_vertices_a_strand() {
    let Some(hair) = load("surface/Ratboy_mohawk.tfx") else { return };
    assert_eq!((hair.positions.len(), hair.strands.len(), hair.triangles.len()), (71_296, 2_228, 0));
    let (low, high) = bounding_box(&hair.positions);
    let known = [([-0.0951, 0.2143, -0.3358], low), ([0.1173, 1.1099, 0.2709], high)];
    assert!(known.iter().all(|(known, found)| (found - Vec3::from(*known)).amax() < 6e-5), "{low} {high}");
    let roots: Vec<u32> = (0..2_228).flat_map(|strand| [32 * strand, 32 * strand + 1]).collect();
    assert_eq!(hair.fixed, roots);
    let segments = hair.strands.iter().flat_map(|strand| strand.windows(2));
    let lengths: Vec<f64> = segments.map(|s| (hair.positions[s[1] as usize] - hair.positions[s[0] as usize]).norm()).collect();
    let (least, most) = lengths.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &l| (low.min(l), high.max(l)));
    assert!((least - 1.3e-7).abs() < 0.05e-7 && (most - 0.0117).abs() < 5e-5, "{least} {most}");
}

#[test]
fn what_cannot_be_right_is_refused_with_its_place() {
    let table = [
        ("dirty/malformed.obj", "malformed.obj:23: ", "vertex 12"),
        ("dirty/BoxWithInfinites.glb", "BoxWithInfinites.glb: `nodes_1` (mesh 0, primitive 0): ", "must be a finite number"),
    ];
    for (name, place, words) in table {
        let Some(path) = shared(name) else { return };
        match read(&path, &Unwatched) {
            Err(ImportError::Unreadable(why)) => {
                assert!(why.to_string().contains(place) && why.message.contains(words), "{why}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}
