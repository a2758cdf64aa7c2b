//! NumPy archives, `.npz`: points, as programs of particles save them.
//!
//! Read: one array of n x 3 numbers, `positions` or `points`. All others are named, and left out.

use std::path::Path;

use super::left_out::LeftOut;
use super::{Format, ImportError, RawMesh, none_beside};
use crate::files::{Values, npy, zip};
use crate::math::Vec3;
use crate::watch::Watch;

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "NumPy archive",
    extensions: &["npz"],
    doc: "NumPy .npz, not compressed: points alone, from the array `positions` or `points`; velocities, masses and others are left out",
    matches: |content| zip::begins_with_one(content, END),
    beside: none_beside,
    read,
};

/// The end of the name of an array in an archive.
const END: &str = ".npy";
/// What points may be called; the first that is there is read.
const POINTS: [&str; 2] = ["positions", "points"];
/// Beginnings of the names of arrays that a simulation would have had, and what it has in their place.
const HAD: [(&str, &str); 4] = [
    ("velocit", "a body sets out with one velocity and one spin of its own"),
    ("mass", "a particle has the mass of its cube of the spacing"),
    ("volume", "a particle has the volume of its cube of the spacing"),
    ("density", "a body has one density"),
];

fn read(path: &Path, content: &[u8], watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    let refused = |why: String| ImportError::whole(path, why);
    let files = zip::unpack(content).map_err(refused)?;
    let named = |file: &str| file.strip_suffix(END).unwrap_or(file).to_owned();
    let Some(wanted) = POINTS.iter().find(|name| files.iter().any(|(file, _)| named(file) == **name)) else {
        let names: Vec<String> = files.iter().take(10).map(|(file, _)| named(file)).collect();
        let message = format!(
            "the archive has no array `positions` or `points`, only: {}; save the points under one of these names",
            names.join(", ")
        );
        return Err(refused(message));
    };
    let (mut positions, mut left_out) = (None, LeftOut::default());
    for (file, bytes) in &files {
        watch.check()?;
        let name = named(file);
        if name == *wanted && positions.is_none() {
            positions = Some(points(bytes).map_err(|why| refused(format!("array {name}: {why}")))?);
            continue;
        }
        match HAD.iter().find(|(begins, _)| name.to_ascii_lowercase().starts_with(begins)) {
            Some((_, instead)) => left_out.note(format!("the array `{name}` was left out: {instead}")),
            None => left_out.section(&name),
        }
    }
    let mut mesh = RawMesh { format: FORMAT.name, positions: positions.unwrap_or_default(), ..RawMesh::default() };
    left_out.tell(&mut mesh);
    Ok(mesh)
}

/// The rows of an array as points.
fn points(bytes: &[u8]) -> Result<Vec<Vec3>, String> {
    let (values, shape) = npy::from_npy(bytes)?;
    if shape.len() != 2 || shape[1] != 3 {
        return Err(format!("its shape is {shape:?}, and points are n x 3"));
    }
    let numbers: Vec<f64> = match values {
        Values::F64(numbers) => numbers,
        Values::I32(numbers) => numbers.into_iter().map(f64::from).collect(),
        Values::U8(_) => return Err("it is of bytes; save it as numbers".into()),
    };
    if numbers.is_empty() {
        return Err("it has no points; there is nothing to read".into());
    }
    match numbers.iter().position(|number| !number.is_finite()) {
        Some(place) => Err(format!("point {} (from 0) has a coordinate that is no number", place / 3)),
        None => Ok(numbers.as_chunks().0.iter().map(|&p: &[f64; 3]| Vec3::from(p)).collect()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::watch::Unwatched;

    fn archive(arrays: &[(&str, Values, &[usize])]) -> Vec<u8> {
        zip::pack(&arrays.iter().map(|(name, values, shape)| (format!("{name}.npy"), npy::to_npy(values, shape))).collect::<Vec<_>>())
            .unwrap()
    }

    fn read(bytes: &[u8]) -> Result<RawMesh, String> {
        crate::import::read_bytes(Path::new("points.npz"), bytes, &Unwatched).map_err(|why| why.to_string())
    }

    #[test]
    fn points_are_read_and_all_else_is_told() {
        let numbers = vec![0.5, 1.0, -2.0, 1.0 / 3.0, 5e-324, 7.0];
        let six = || Values::F64(numbers.clone());
        let raw = read(&archive(&[
            ("points", Values::F64(vec![9.0; 3]), &[1, 3]),
            ("velocities", six(), &[2, 3]),
            ("positions", six(), &[2, 3]),
            ("colour", Values::U8(vec![0; 2]), &[2]),
        ]))
        .unwrap();
        assert_eq!(raw.positions, [Vec3::new(0.5, 1.0, -2.0), Vec3::new(1.0 / 3.0, 5e-324, 7.0)]);
        assert_eq!((raw.format, raw.unused_sections), ("NumPy archive", vec!["points".to_owned(), "colour".to_owned()]));
        assert!(raw.notes.len() == 1 && raw.notes[0].contains("`velocities`"), "{:?}", raw.notes);
        let whole = read(&archive(&[("points", Values::I32(vec![1, 2, 3]), &[1, 3])])).unwrap();
        assert_eq!(whole.positions, [Vec3::new(1.0, 2.0, 3.0)]);
    }

    #[test]
    fn what_is_no_list_of_points_is_refused_by_name() {
        let refused = |name: &str, values: Values, shape: &[usize], words: &str| {
            let why = read(&archive(&[(name, values, shape)])).unwrap_err();
            assert!(why.contains(words), "{why}");
        };
        refused("x", Values::F64(vec![0.0; 3]), &[1, 3], "only: x;");
        refused("points", Values::F64(vec![0.0; 4]), &[2, 2], "[2, 2], and points are n x 3");
        refused("points", Values::F64(vec![0.0; 3]), &[3], "[3], and points");
        refused("points", Values::F64(vec![0.0, 0.0, 0.0, 1.0, f64::NAN, 0.0]), &[2, 3], "point 1 (from 0)");
        refused("points", Values::F64(Vec::new()), &[0, 3], "no points");
        refused("points", Values::U8(vec![0; 3]), &[1, 3], "of bytes");
    }
}
