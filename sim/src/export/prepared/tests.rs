#![allow(clippy::unwrap_used)]
use super::arrays::DISPLACEMENT_GRADIENT;
use super::*;

fn asset() -> PreparedAsset {
    let third = 1.0 / 3.0;
    PreparedAsset {
        positions: vec![Vec3::zeros(), Vec3::x() * third, Vec3::y(), Vec3::new(-0.0, 5e-324, 0.1)],
        masses: vec![third, 0.1, 1e-300, 7.0],
        mass_pairs: vec![[0, 2], [1, 3]],
        mass_couplings: vec![third, 0.1],
        fixed: vec![true, false, false, true],
        loads: vec![Vec3::y() * -third; 4],
        slides: vec![(1, Mat3::new(1.0, 0.0, 0.0, 0.0, third, 2.0, 0.0, 0.0, 0.5))],
        obstacles: "[]".into(),
        scene: r#"{"gravity":[0.0,-9.81,0.0]}"#.into(),
        tets: vec![[0, 1, 2, 3]],
        bodies: vec![0],
        body_names: vec!["a \"body\"".into()],
        inverse_rest_edges: vec![Mat3::new(1.0, 2.0, third, 4.0, 5.0, 6.0, 7.0, 8.0, 9.1)],
        displacement_gradients: vec![Mat3::new(1e-7, third, 0.0, 1e-300, -0.2, 0.1, 0.0, -0.0, third)],
        rest_volumes: vec![third],
        stiffening: vec![1.5],
        laws: vec![1],
        law_names: vec!["neo_hookean".into(), "arap".into()],
        young: vec![1e5],
        poisson: vec![0.45],
        density: vec![1000.0],
        damping: vec![0.01],
        families: vec![
            PreparedFamily { name: "springs".into(), width: 2, nodes: vec![0, 3, 1, 2], rest: vec![third, 1.0, 0.1, 2.0] },
            PreparedFamily { name: "none".into(), width: 3, nodes: vec![], rest: vec![] },
        ],
        contacts: vec![PreparedContact {
            node: 2,
            obstacle: 1,
            normal: Vec3::y(),
            normal_force: third,
            friction_force: Vec3::x() * 0.1,
            distance: 1e-4,
            friction: 0.3,
        }],
        pair_forces: vec![Vec3::new(0.5, -1.5, 0.25); 4],
        pairs: vec![
            PreparedPair {
                crossing: true,
                nodes: [0, 3, 1, 2],
                weights: [third, 1.0 - third, -0.25, -0.75],
                normal: Vec3::z(),
                normal_force: 0.7,
                friction_force: Vec3::y() * third,
                distance: 3e-5,
                friction: 0.1,
            },
            PreparedPair { nodes: [3, 0, 1, 2], normal: Vec3::x(), ..PreparedPair::default() },
        ],
        skin: PreparedSkin {
            positions: vec![Vec3::x() * third; 3],
            triangles: vec![[0, 2, 1]],
            tets: vec![0; 3],
            weights: vec![[-third, 1.0, third, 0.0]; 3],
        },
    }
}

#[test]
fn comes_back_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    for format in PREPARED_FORMATS {
        let path = folder.path().join(format!("asset.{}", format.extension));
        let bare = PreparedAsset {
            contacts: vec![],
            pairs: vec![],
            slides: vec![],
            obstacles: String::new(),
            skin: PreparedSkin::default(),
            families: vec![],
            ..asset()
        };
        for asset in [asset(), bare] {
            asset.write(&path).unwrap();
            let again = PreparedAsset::read(&path).unwrap();
            assert_eq!(again, asset);
            assert!(again.positions[3].x.is_sign_negative());
        }
    }
}

#[test]
fn other_extensions_are_refused_by_name() {
    let error = asset().write(Path::new("asset.obj")).unwrap_err().to_string();
    assert_eq!(error, "asset.obj: the extension names no format; use one of: .vtu, .npz");
}

/// A file of a version with fewer arrays is told from a damaged one.
#[test]
fn what_is_missing_is_named() {
    for (k, array) in asset().to_grid().arrays.iter().enumerate() {
        let mut grid = asset().to_grid();
        grid.arrays.remove(k);
        let read = Grid::from_vtu(&grid.to_vtu()).and_then(PreparedAsset::from_grid);
        if array.name == "pair_force" {
            assert!(read.unwrap().pair_forces.is_empty(), "only other programs need it");
            continue;
        }
        if array.name == "scene" {
            assert!(read.unwrap().scene.is_empty(), "older versions did not write it");
            continue;
        }
        if array.name == DISPLACEMENT_GRADIENT {
            continue;
        }
        if array.name == "families" {
            assert!(read.unwrap().families.is_empty(), "written only where there are any");
            continue;
        }
        let problem = read.unwrap_err();
        assert!(problem.contains(&format!("array {} is missing", array.name)), "{problem}");
    }
    let soft = PreparedAsset { stiffening: vec![0.0], ..asset() };
    assert!(PreparedAsset::from_grid(soft.to_grid()).unwrap_err().contains("not positive"));
}

/// Other programs write the same grid with its arrays as text.
#[test]
fn arrays_in_text_are_read_to_the_bit() {
    let grid = asset().to_grid();
    let mut text = String::from("<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece>");
    let mut group = |name: &str, arrays: &[(&str, usize, &Values)]| {
        text += &format!("<{name}>");
        for (name, components, values) in arrays {
            let (kind, numbers): (_, Vec<String>) = match values {
                Values::F64(all) => ("Float64", all.iter().map(|x| format!("{x:e}")).collect()),
                Values::I32(all) => ("Int32", all.iter().map(ToString::to_string).collect()),
                Values::U8(all) => ("UInt8", all.iter().map(ToString::to_string).collect()),
            };
            let head = format!("Name=\"{name}\" type=\"{kind}\" NumberOfComponents=\"{components}\"");
            text += &format!("<DataArray {head} format=\"ascii\">\n{}\n</DataArray>", numbers.join(" "));
        }
        text += &format!("</{name}>");
    };
    for (name, place) in [("FieldData", Place::Field), ("PointData", Place::Point), ("CellData", Place::Cell)] {
        let arrays: Vec<_> = grid.arrays.iter().filter(|a| a.place == place).map(|a| (a.name.as_str(), a.components, &a.values)).collect();
        group(name, &arrays);
    }
    group("Points", &[("Points", 3, &grid.point_values())]);
    group("Cells", &[("connectivity", 1, &grid.tet_values()), ("types", 1, &Values::U8(vec![10; grid.tets.len()]))]);
    text += "</Piece></UnstructuredGrid></VTKFile>";
    assert_eq!(PreparedAsset::from_grid(Grid::from_vtu(text.as_bytes()).unwrap()).unwrap(), asset());
    for (damage, by, why) in [
        ("<DataArray Name=\"connectivity\" type=\"Int32\"", "<DataArray Name=\"connectivity\" type=\"Float32\"", "not integers"),
        ("UnstructuredGrid\">", "ImageData\">", "not read"),
        (
            "Name=\"Points\" type=\"Float64\" NumberOfComponents=\"3\"",
            "Name=\"Points\" type=\"Float64\" NumberOfComponents=\"2\"",
            "3 coordinates",
        ),
        ("<Piece>", "<Piece></Piece><Piece>", "several pieces"),
    ] {
        assert!(text.contains(damage), "{damage}");
        let problem = Grid::from_vtu(text.replacen(damage, by, 1).as_bytes()).unwrap_err();
        assert!(problem.contains(why), "{problem}");
    }
}

/// What an older version did not write is told by F.
#[test]
fn without_the_displacement_gradient_it_is_that_of_the_positions() {
    let mut grid = asset().to_grid();
    grid.arrays.retain(|array| array.name != DISPLACEMENT_GRADIENT);
    let read = PreparedAsset::from_grid(grid).unwrap();
    let [a, b, c, d] = [0, 1, 2, 3].map(|n| read.positions[n]);
    let f = Mat3::from_columns(&[b - a, c - a, d - a]) * read.inverse_rest_edges[0];
    assert!((read.displacement_gradients[0] + Mat3::identity() - f).amax() < 1e-15 * f.amax());
    assert_eq!(PreparedAsset { displacement_gradients: asset().displacement_gradients, ..read }, asset());
}

/// Sound or refused: what is read refers to nothing outside.
fn check(read: Result<PreparedAsset, String>) {
    if let Ok(asset) = read {
        let nodes = || asset.tets.iter().chain(asset.pairs.iter().map(|pair| &pair.nodes)).flatten();
        assert!(nodes().all(|&v| (v as usize) < asset.positions.len()));
        assert!(asset.skin.tets.iter().all(|&t| (t as usize) < asset.tets.len()));
    }
}

#[test]
fn damaged_files_are_errors() {
    let archive = npz::packed(&asset().to_grid()).unwrap();
    for (bytes, tail, read) in [
        // The numbers end before the closing tags.
        (asset().to_grid().to_vtu(), 29, Grid::from_vtu as fn(&[u8]) -> Result<Grid, String>),
        (archive, 0, from_npz),
    ] {
        for length in 0..bytes.len() - tail {
            assert!(read(&bytes[..length]).and_then(PreparedAsset::from_grid).is_err(), "{length}");
        }
        for place in 0..bytes.len() {
            for byte in [0, b'9', b'"', 0xff] {
                let mut damaged = bytes.clone();
                damaged[place] = byte;
                check(read(&damaged).and_then(PreparedAsset::from_grid));
            }
        }
    }
}

#[test]
fn lists_of_wrong_length_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("asset.vtu");
    assert!(PreparedAsset { masses: vec![1.0], ..asset() }.write(&path).is_err());
    assert!(!path.exists());
}

#[test]
fn other_files_are_no_assets() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("asset.npz");
    for content in ["", "\n", "some words", "{}"] {
        std::fs::write(&path, content).unwrap();
        let told = PreparedAsset::read(&path).unwrap_err().to_string();
        assert!(told.contains("asset.npz: no prepared asset: it is neither an archive"), "{told}");
    }
}
