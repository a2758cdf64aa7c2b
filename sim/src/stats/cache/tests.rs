//! Recordings that are whole, cut off, damaged, too long, and of something else.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::Cursor;

use proptest::prelude::*;

use super::format::{HEAD, WITHOUT_NAMES};
use super::*;
use crate::files::crc32;
use crate::stats::registry::STATISTICS;

const NODES: usize = 3;
const COUNT: usize = STATISTICS.len();
const SUBJECT: Subject = Subject { nodes: NODES as u64, topology: 0x1234_5678_9ABC_DEF0, step_size: 0.01 };
const RECORD: usize = 16 + 8 * COUNT + 24 * NODES;

/// Bytes before the first record.
fn first() -> usize {
    Layout::of(SUBJECT).head().len()
}

fn frame(k: u64) -> (StepStats, Vec<Vec3>) {
    let at = |n: usize| Vec3::new(k as f64 / 3.0, -0.0, 5e-324 * n as f64);
    let stats = StepStats { time: 0.1 * k as f64, min_gap: f64::INFINITY, iterations: k as u32, ..StepStats::default() };
    (stats, (0..NODES).map(at).collect())
}

fn record(file: &mut Cursor<Vec<u8>>, frames: u64, limit: u64) -> Result<(), RecordingError> {
    let mut recording = Recording::create(file, SUBJECT, limit)?;
    (0..frames).try_for_each(|k| {
        let (stats, positions) = frame(k);
        recording.append(&stats, &positions)
    })
}

fn recorded(frames: u64) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    record(&mut file, frames, u64::MAX).unwrap();
    file.into_inner()
}

/// Opens `bytes`, reads every frame, and tells which of them are whole; what is read is what was written.
fn whole_frames(bytes: &[u8]) -> Result<Vec<bool>, RecordingError> {
    let mut recording = Recording::open(Cursor::new(bytes))?;
    let mut positions = Vec::new();
    let frames = 0..recording.frames();
    Ok(frames
        .map(|k| match recording.read(k, &mut positions) {
            Ok(stats) => {
                assert_eq!((stats, &positions), (frame(k).0, &frame(k).1));
                true
            }
            Err(RecordingError::Damaged { frame }) => {
                assert_eq!(frame, k);
                false
            }
            Err(other) => panic!("{other}"),
        })
        .collect())
}

#[test]
fn frames_come_back_to_the_bit_in_any_order() {
    let bytes = recorded(5);
    let mut recording = Recording::open(Cursor::new(bytes)).unwrap();
    assert_eq!((recording.frames(), *recording.subject()), (5, SUBJECT));
    let mut positions = vec![Vec3::zeros(); 9];
    for k in [4, 0, 2, 2, 3] {
        let stats = recording.read(k, &mut positions).unwrap();
        assert_eq!((stats, &positions), (frame(k).0, &frame(k).1));
        assert!(positions[0].y.is_sign_negative());
    }
    assert!(matches!(recording.read(5, &mut positions), Err(RecordingError::NoSuchFrame { frame: 5, frames: 5 })));
}

#[test]
fn cut_off_at_any_byte_the_frames_before_it_are_readable() {
    let bytes = recorded(3);
    assert_eq!(bytes.len(), first() + 3 * RECORD);
    for length in 0..bytes.len() {
        match whole_frames(&bytes[..length]) {
            Ok(whole) => assert_eq!(whole, vec![true; (length - first()) / RECORD], "{length} bytes"),
            Err(RecordingError::Foreign(_)) => assert!(length < first(), "{length} bytes"),
            Err(other) => panic!("{length} bytes: {other}"),
        }
    }
}

#[test]
fn a_changed_byte_is_noticed_wherever_it_is() {
    let bytes = recorded(3);
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        match whole_frames(&damaged) {
            Err(RecordingError::Foreign(_)) => assert!(place < first(), "byte {place}"),
            // The last frame is left out, as a torn one is.
            Ok(whole) if place >= first() + 2 * RECORD => assert_eq!(whole, [true; 2], "byte {place}"),
            Ok(whole) => assert_eq!(whole, std::array::from_fn::<_, 3, _>(|k| k != (place.wrapping_sub(first())) / RECORD), "byte {place}"),
            Err(other) => panic!("byte {place}: {other}"),
        }
    }
}

#[test]
fn a_head_that_promises_too_much_allocates_nothing() {
    for nodes in [u64::MAX, u64::MAX / 24, 1 << 40] {
        let mut bytes = recorded(2);
        bytes[..first()].copy_from_slice(&Layout::of(Subject { nodes, ..SUBJECT }).head());
        match whole_frames(&bytes) {
            Ok(whole) => assert!(whole.is_empty(), "{nodes} nodes"),
            Err(RecordingError::Foreign(_)) => {}
            Err(other) => panic!("{nodes} nodes: {other}"),
        }
    }
    let mut other_version = Layout::of(SUBJECT).head();
    other_version[8] = 3;
    let Err(RecordingError::Foreign(why)) = whole_frames(&other_version) else { panic!("another version was read") };
    assert!(why.contains("another version"), "{why}");
}

/// The same frames with the numbers of these columns alone, by these names, in a recording of this version: 1 has no names.
fn with_columns(frames: u64, version: u32, columns: &[(String, usize)]) -> Vec<u8> {
    let text = columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join("\n").into_bytes();
    let names = if version == 1 { Vec::new() } else { text };
    let mut bytes = Layout::of(SUBJECT).head()[..HEAD].to_vec();
    bytes[8..12].copy_from_slice(&version.to_le_bytes());
    bytes[12..16].copy_from_slice(&(columns.len() as u32).to_le_bytes());
    let (length, of_names) = if version == 1 { (0, 0) } else { (names.len() as u32, crc32(&names)) };
    bytes[40..44].copy_from_slice(&length.to_le_bytes());
    bytes[44..48].copy_from_slice(&of_names.to_le_bytes());
    let crc = crc32(&bytes[..HEAD - 4]);
    bytes[HEAD - 4..].copy_from_slice(&crc.to_le_bytes());
    bytes.extend(names);
    for k in 0..frames {
        let (whole, mut record) = (&recorded(frames)[first() + k as usize * RECORD..][..RECORD], Vec::new());
        record.extend(&whole[4..16]);
        columns.iter().for_each(|(_, from)| record.extend(&whole[16 + 8 * from..][..8]));
        record.extend(&whole[16 + 8 * COUNT..]);
        bytes.extend(crc32(&record).to_le_bytes());
        bytes.extend(record);
    }
    bytes
}

/// Recordings whose head names no numbers have the first 38 that there were; what they lack is not known, and not zero.
#[test]
fn a_recording_without_names_opens() {
    let place = |name: &str| STATISTICS.iter().position(|statistic| statistic.head() == name).unwrap();
    let columns = WITHOUT_NAMES.map(|name| (name.to_owned(), place(name)));
    let mut recording = Recording::open(Cursor::new(with_columns(3, 1, &columns))).unwrap();
    assert_eq!((recording.frames(), *recording.subject()), (3, SUBJECT));
    let mut positions = Vec::new();
    for k in [2, 0, 1] {
        let stats = recording.read(k, &mut positions).unwrap();
        let untold = [stats.linear_residual, stats.turn, stats.density_mean, stats.density_max];
        let forces = [stats.hand, stats.wall_force];
        assert!(untold.iter().chain(forces.iter().flatten()).all(|number| number.is_nan()), "what they did not tell is not known");
        let told = StepStats {
            linear_residual: 0.0,
            turn: 0.0,
            density_mean: 0.0,
            density_max: 0.0,
            hand: Vec3::zeros(),
            wall_force: Vec3::zeros(),
            ..stats
        };
        assert_eq!((told, &positions), (frame(k).0, &frame(k).1));
    }
    let Err(RecordingError::Foreign(why)) = Recording::open(Cursor::new(with_columns(3, 1, &columns[..37]))) else { panic!("37 numbers") };
    assert!(why.contains("another version"), "{why}");
}

/// Whatever the numbers that a recording names: those that are known here are read, in any order, the others are not.
#[test]
fn numbers_are_found_by_their_names() {
    let iterations = STATISTICS.iter().position(|statistic| statistic.name == "iterations").unwrap();
    let columns = [("heat [J]".into(), 3), ("iterations".into(), iterations), ("time [s]".into(), 0)];
    let mut recording = Recording::open(Cursor::new(with_columns(2, 2, &columns))).unwrap();
    let mut positions = Vec::new();
    let stats = recording.read(1, &mut positions).unwrap();
    assert_eq!((stats.time, stats.iterations, stats.contacts), (frame(1).0.time, 1, 0));
    assert!(stats.kinetic.is_nan() && stats.gravity.is_nan() && positions == frame(1).1);
    // As many names as numbers, and none without one.
    for names in ["one", "one\ntwo\nthree", "\u{fffd}\n"] {
        let mut bytes = with_columns(0, 2, &columns[..2]);
        bytes.truncate(HEAD);
        bytes[40..44].copy_from_slice(&(names.len() as u32).to_le_bytes());
        bytes[44..48].copy_from_slice(&crc32(names.as_bytes()).to_le_bytes());
        let crc = crc32(&bytes[..HEAD - 4]);
        bytes[HEAD - 4..].copy_from_slice(&crc.to_le_bytes());
        bytes.extend(names.as_bytes());
        assert!(matches!(Recording::open(Cursor::new(bytes)), Err(RecordingError::Foreign(_))), "{names:?}");
    }
}

#[test]
fn a_limit_keeps_what_fits() {
    let mut file = Cursor::new(Vec::new());
    let error = record(&mut file, 9, (first() + 3 * RECORD + 10) as u64).unwrap_err();
    assert!(matches!(error, RecordingError::Limit { frames: 3, .. }), "{error}");
    assert_eq!(whole_frames(file.get_ref()).unwrap(), [true; 3]);
    assert!(matches!(record(&mut Cursor::new(Vec::new()), 0, 100), Err(RecordingError::Limit { frames: 0, .. })));
}

/// A disk with little room: what does not fit is written in part.
struct Small {
    file: Cursor<Vec<u8>>,
    room: usize,
}

impl Write for Small {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = self.room.saturating_sub(self.file.position() as usize);
        if left == 0 { Err(ErrorKind::StorageFull.into()) } else { self.file.write(&bytes[..bytes.len().min(left)]) }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Small {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[test]
fn a_full_disk_keeps_the_frames_before_and_recording_can_go_on_when_there_is_room() {
    let small = Small { file: Cursor::new(Vec::new()), room: first() + 2 * RECORD + RECORD / 2 };
    let mut recording = Recording::create(small, SUBJECT, u64::MAX).unwrap();
    for k in 0..2 {
        recording.append(&frame(k).0, &frame(k).1).unwrap();
    }
    let error = recording.append(&frame(2).0, &frame(2).1).unwrap_err();
    assert!(matches!(error, RecordingError::DiskFull { frames: 2 }), "{error}");
    assert_eq!(whole_frames(recording.file.file.get_ref()).unwrap(), [true; 2]);
    recording.file.room = usize::MAX;
    recording.append(&frame(2).0, &frame(2).1).unwrap();
    assert_eq!(whole_frames(recording.file.file.get_ref()).unwrap(), [true; 3]);
}

/// The device that is always full, on systems that have it.
#[cfg(target_os = "linux")]
#[test]
fn the_systems_own_full_device_is_told_as_such() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let error = Recording::create(full, SUBJECT, u64::MAX).unwrap_err();
    assert!(matches!(error, RecordingError::DiskFull { frames: 0 }), "{error}");
}

#[test]
fn positions_of_another_system_are_refused() {
    let mut recording = Recording::create(Cursor::new(Vec::new()), SUBJECT, u64::MAX).unwrap();
    let error = recording.append(&StepStats::default(), &[Vec3::zeros(); NODES + 1]).unwrap_err();
    assert!(matches!(error, RecordingError::WrongLength { given: 4, nodes: 3 }), "{error}");
}

proptest! {
    /// Whatever the bytes, reading ends with frames or with an error.
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400), nodes in 0u64..5, with_head in any::<bool>()) {
        let mut file = if with_head { Layout::of(Subject { nodes, ..SUBJECT }).head() } else { Vec::new() };
        file.extend(bytes);
        if let Ok(mut recording) = Recording::open(Cursor::new(file)) {
            for k in 0..recording.frames() {
                let _ = recording.read(k, &mut Vec::new());
            }
        }
    }

    /// Several places damaged at once: every frame that is read is one that was written.
    #[test]
    fn several_changed_bytes_are_noticed(places in prop::collection::vec((first()..first() + 4 * RECORD, 1u8..), 1..6)) {
        let mut bytes = recorded(4);
        for (place, change) in places {
            bytes[place] ^= change;
        }
        let whole = whole_frames(&bytes).unwrap();
        let is_same = |k: usize| bytes[first() + k * RECORD..][..RECORD] == recorded(4)[first() + k * RECORD..][..RECORD];
        prop_assert_eq!(whole.clone(), (0..whole.len()).map(is_same).collect::<Vec<_>>());
    }
}
