//! Ten files of each format that is read, through twelve kinds of damage and encodings: read right, or refused with the true reason.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod written;

use std::path::{Path, PathBuf};

use aplomb_sim::import::{self, FORMATS, RawMesh};
use aplomb_sim::mesh::health::examine;
use aplomb_sim::scene::UpAxis;
use aplomb_sim::watch::Unwatched;
use written::{Content, Sample, samples};

/// What may come of a file.
enum Outcome {
    /// The mesh that was written.
    Right,
    /// A reason that holds one of these words.
    Refused(&'static [&'static str]),
    /// The whole mesh, a reason that holds one of these words, or what is left of it, with a finding that shows it.
    Told(&'static [&'static str]),
}

/// Reasons that are true of a file that was cut.
const CUT: &[&str] = &[
    "cut off",
    "ends",
    "end within",
    "do not fit",
    "is empty",
    "damaged",
    "missing",
    "no faces",
    "is expected",
    "do not end",
    "does not end",
    "no vertices",
    "holds nothing",
    "should have",
    "gives no",
    "there are",
    "no cells",
    "needs three",
];

struct Damage {
    name: &'static str,
    /// Whether only texts can have it.
    of_text: bool,
    /// The files' new contents.
    change: fn(&[u8], seed: u64) -> Vec<u8>,
    /// The files' new names.
    rename: fn(&Path) -> PathBuf,
    outcome: fn(&Sample) -> Outcome,
}

fn same_name(path: &Path) -> PathBuf {
    path.to_path_buf()
}

fn same_content(content: &[u8], _: u64) -> Vec<u8> {
    content.to_vec()
}

fn right(_: &Sample) -> Outcome {
    Outcome::Right
}

fn replaced(content: &[u8], from: &str, to: &str) -> Vec<u8> {
    String::from_utf8(content.to_vec()).unwrap().replace(from, to).into_bytes()
}

/// `1.5e-3` as `1.5d-3`, outside of quotation marks and words.
fn with_d(content: &[u8], _: u64) -> Vec<u8> {
    let mut changed = content.to_vec();
    for i in 1..content.len().saturating_sub(1) {
        let is_exponent =
            content[i] == b'e' && content[i - 1].is_ascii_digit() && (content[i + 1] == b'-' || content[i + 1].is_ascii_digit());
        if is_exponent {
            changed[i] = b'd';
        }
    }
    changed
}

/// Every fifth single blank within a line as thousands.
fn with_spaces(content: &[u8], _: u64) -> Vec<u8> {
    let mut changed = Vec::new();
    let mut met = 0;
    for &byte in content {
        changed.push(byte);
        if byte == b' ' {
            met += 1;
            if met % 5 == 0 {
                changed.extend(std::iter::repeat_n(b' ', 2999));
            }
        }
    }
    changed
}

const DAMAGES: &[Damage] = &[
    Damage {
        name: "cut",
        of_text: false,
        change: |content, seed| {
            // Somewhere in the elements, or before: the last tenth may be no more than an end mark.
            let share = 0.05 + 0.85 * (seed as f64 * 0.618_034).fract();
            content[..(content.len() as f64 * share) as usize].to_vec()
        },
        rename: same_name,
        outcome: |_| Outcome::Told(CUT),
    },
    Damage { name: "mark", of_text: false, change: |content, _| [b"\xef\xbb\xbf", content].concat(), rename: same_name, outcome: right },
    Damage {
        name: "UTF-16",
        of_text: true,
        change: |content, seed| {
            let text = format!("{}{}", if seed.is_multiple_of(3) { "" } else { "\u{feff}" }, std::str::from_utf8(content).unwrap());
            let bytes = if seed.is_multiple_of(2) { u16::to_le_bytes } else { u16::to_be_bytes };
            text.encode_utf16().flat_map(bytes).collect()
        },
        rename: same_name,
        outcome: |_| Outcome::Refused(&["UTF-16"]),
    },
    Damage { name: "CR LF", of_text: true, change: |content, _| replaced(content, "\n", "\r\n"), rename: same_name, outcome: right },
    Damage { name: "CR", of_text: true, change: |content, _| replaced(content, "\n", "\r"), rename: same_name, outcome: right },
    Damage {
        name: "upper-case extension",
        of_text: false,
        change: same_content,
        rename: |path| path.with_extension(path.extension().unwrap().to_ascii_uppercase()),
        outcome: right,
    },
    Damage {
        name: "no extension",
        of_text: false,
        change: same_content,
        rename: |path| {
            // Of a pair, the second keeps a name of its own.
            let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
            path.with_file_name(if path.extension().is_some_and(|e| e == "ele") { stem + "2" } else { stem })
        },
        // Numbers alone say nothing of what they are.
        outcome: |sample| if sample.format == "TetGen" { Outcome::Refused(&[".node and .ele"]) } else { Outcome::Right },
    },
    Damage {
        name: "unicode path",
        of_text: false,
        change: same_content,
        rename: |path| path.with_file_name(format!("Häschen 兎 🐇.{}", path.extension().unwrap().to_string_lossy())),
        outcome: right,
    },
    Damage {
        name: "trailing zeros",
        of_text: false,
        change: |content, seed| [content, &vec![0; 1 + seed as usize % 9]].concat(),
        rename: same_name,
        outcome: right,
    },
    Damage {
        name: "missing newline",
        of_text: true,
        change: |content, _| content.trim_ascii_end().to_vec(),
        rename: same_name,
        outcome: right,
    },
    Damage { name: "thousands of spaces", of_text: true, change: with_spaces, rename: same_name, outcome: right },
    Damage {
        name: "numbers as 1d5",
        of_text: true,
        change: with_d,
        rename: same_name,
        // JSON knows no such numbers.
        outcome: |sample| if sample.format == "glTF" { Outcome::Refused(&["JSON part is damaged"]) } else { Outcome::Right },
    },
];

/// The elements as lists of coordinates: some formats have no numbers of vertices.
fn elements(raw: &RawMesh) -> Vec<Vec<[f64; 3]>> {
    let place = |v: &u32| raw.positions[*v as usize].into();
    let tets = raw.tets.iter().map(|t| t.iter().map(place).collect());
    let triangles = raw.triangles.iter().map(|t| t.iter().map(place).collect());
    let found: Vec<_> = tets.chain(triangles).chain(raw.strands.iter().map(|s| s.iter().map(place).collect())).collect();
    // Of points alone, each is one.
    if found.is_empty() { raw.positions.iter().map(|p| vec![(*p).into()]).collect() } else { found }
}

fn is_right(raw: &RawMesh, sample: &Sample) -> bool {
    let close = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-6 * b.abs().max(1e-3));
    let same = |a: &Vec<[f64; 3]>, b: &Vec<[f64; 3]>| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(a, b));
    let found = elements(raw);
    found.len() == sample.elements.len() && found.iter().zip(&sample.elements).all(|(a, b)| same(a, b))
}

/// Writes the files of a sample, those from `first` on with a damage; the first of all is to be opened. Also whether a file, or its
/// name, is another than before.
fn write(folder: &Path, sample: &Sample, damage: &Damage, seed: u64, first: usize) -> (PathBuf, bool) {
    let folder = folder.join(format!("{} {} {seed} {first}", sample.format, damage.name));
    std::fs::create_dir_all(&folder).unwrap();
    let mut is_damaged = false;
    let mut paths = Vec::new();
    for (i, (name, content)) in sample.files.iter().enumerate() {
        let sound: &[u8] = match content {
            Content::Text(text) => text.as_bytes(),
            Content::Binary(bytes) => bytes,
        };
        // A pair has one name.
        let path = if first == 0 { (damage.rename)(&folder.join(name)) } else { folder.join(name) };
        let content = if i < first { sound.to_vec() } else { (damage.change)(sound, seed) };
        is_damaged |= path != folder.join(name) || content != sound;
        std::fs::write(&path, content).unwrap();
        paths.push(path);
    }
    (paths.swap_remove(0), is_damaged)
}

#[test]
fn every_format_has_ten_files_that_are_read_right() {
    let folder = tempfile::tempdir().unwrap();
    for format in FORMATS {
        let samples = samples(format.name);
        let texts = samples.iter().filter(|sample| sample.is_text()).count();
        assert!(samples.len() >= 10 && (texts >= 10 || texts == 0), "{}: {} files, {texts} texts", format.name, samples.len());
        for (seed, sample) in (0..).zip(&samples) {
            let sound = Damage { name: "none", of_text: false, change: same_content, rename: same_name, outcome: right };
            let (path, is_damaged) = write(folder.path(), sample, &sound, seed, 0);
            assert!(!is_damaged);
            let raw = import::read(&path, &Unwatched).unwrap_or_else(|why| panic!("{}: {why}", format.name));
            assert!(raw.format == format.name && is_right(&raw, sample), "{} {seed}: read as {}, not right", format.name, raw.format);
        }
    }
}

#[test]
fn damage_and_encodings_are_read_right_or_refused_with_the_true_reason() {
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    let mut tried = 0;
    for format in FORMATS {
        for (seed, sample) in (0..).zip(&samples(format.name)) {
            let damages = DAMAGES.iter().filter(|damage| sample.is_text() || !damage.of_text);
            // All files of a pair, and the second alone.
            for (damage, first) in damages.flat_map(|damage| (0..sample.files.len()).map(move |first| (damage, first))) {
                let (path, is_damaged) = write(folder.path(), sample, damage, seed, first);
                if first > 0 && !is_damaged {
                    continue;
                }
                assert!(is_damaged, "{} {seed}, {}: nothing was changed", format.name, damage.name);
                tried += 1;
                let read = import::read(&path, &Unwatched);
                // The folder has the name of the damage.
                let folder = path.parent().unwrap().display().to_string();
                let told = |why: &str, words: &[&str]| words.iter().any(|word| why.replace(&folder, "").contains(word));
                let as_it_should = match ((damage.outcome)(sample), &read) {
                    (Outcome::Right | Outcome::Told(_), Ok(raw)) if is_right(raw, sample) => true,
                    (Outcome::Refused(words) | Outcome::Told(words), Err(why)) => told(&why.to_string(), words),
                    (Outcome::Told(_), Ok(raw)) => !examine(raw, 1.0, UpAxis::Y, &Unwatched).unwrap().findings.is_empty(),
                    _ => false,
                };
                if !as_it_should {
                    let what = read.map_or_else(|why| why.to_string(), |raw| format!("{} elements", elements(&raw).len()));
                    wrong.push(format!("{} {seed}, {} from file {first}: {what}", format.name, damage.name));
                }
            }
        }
    }
    // TressFX and NumPy have no texts.
    let of_all = DAMAGES.iter().filter(|damage| !damage.of_text).count();
    assert!(tried >= 10 * (DAMAGES.len() * (FORMATS.len() - 2) + 2 * of_all), "{tried}");
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
}
