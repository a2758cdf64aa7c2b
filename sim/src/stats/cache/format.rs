//! The bytes of a recording: a head that names the numbers of a frame, then records of one length, all little-endian.
//!
//! ```text
//! head     magic [8]  version u32  numbers u32  nodes u64  topology u64  step size f64
//!          bytes of names u32  CRC-32 of names u32  zeros [12]  CRC-32 of all before
//! names    of the numbers, one a line, filled up to a multiple of 8 bytes by empty lines
//! record   CRC-32 of all that follows  mark [4]  frame u64  numbers f64 each  positions f64 x 3 nodes
//! ```
//!
//! Records of one length need no index: frame k begins k records behind the names. What a recording has no number for is no number when
//! it is read, and numbers that are not known here are passed over; so statistics can be added to. Version 1 had no names. Positions are
//! kept in double precision: a body that holds its pose drifts by less than single precision can tell, and a recorded frame should show
//! what was computed.

use std::io::{ErrorKind, Read};

use super::RecordingError;
use crate::files::{crc32, fnv};
use crate::math::Vec3;
use crate::stats::registry::statistics;
use crate::stats::statistic::Statistic;
use crate::step::StepStats;
use crate::system::System;

/// Length of the head without names [bytes].
pub const HEAD: usize = 64;
const MAGIC: [u8; 8] = *b"APLOMBRC";
const VERSION: u32 = 2;
/// The last version without names.
const NAMELESS: u32 = 1;
const MARK: [u8; 4] = *b"FRAM";
/// Where the head's checksum stands.
const HEAD_CRC: usize = HEAD - 4;
/// Bytes of a record before its numbers.
const BEFORE_NUMBERS: usize = 16;
/// The numbers of recordings without names, in their order.
pub(super) const WITHOUT_NAMES: [&str; 38] = [
    "time [s]",
    "kinetic [J]",
    "elastic [J]",
    "gravity [J]",
    "contact [J]",
    "pressure [J]",
    "total [J]",
    "friction [J]",
    "damping [J]",
    "momentum_x [kg m/s]",
    "momentum_y [kg m/s]",
    "momentum_z [kg m/s]",
    "angular_momentum_x [kg m^2/s]",
    "angular_momentum_y [kg m^2/s]",
    "angular_momentum_z [kg m^2/s]",
    "residual",
    "friction_lag",
    "iterations",
    "unsolved",
    "halvings",
    "substeps",
    "by_backward_euler",
    "unsettled",
    "volume [m^3]",
    "inversions",
    "couple",
    "min_gap [m]",
    "min_effective_gap [m]",
    "contacts",
    "contact_pairs",
    "drift",
    "seconds [s]",
    "elements [s]",
    "contact [s]",
    "ccd [s]",
    "linear [s]",
    "line_search [s]",
    "phases_total [s]",
];
/// Bytes of names at most.
const MOST_NAMES: u32 = 1 << 16;

/// What a recording is of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Subject {
    /// Nodes of a frame.
    pub nodes: u64,
    /// Hash of the nodes of all elements.
    pub topology: u64,
    /// Step size [s].
    pub step_size: f64,
}

impl Subject {
    /// What a recording of `system` is of.
    pub fn of(system: &System) -> Self {
        let nodes = system.families.iter().flat_map(|family| (0..family.len()).flat_map(|element| family.nodes(element)));
        let topology = fnv::of_words(nodes.copied());
        Self { nodes: system.positions.len() as u64, topology, step_size: system.simulate.step_size }
    }
}

/// Where everything is in a recording.
#[derive(Debug, Clone)]
pub struct Layout {
    /// What it is of.
    pub subject: Subject,
    /// What each number of a record is; `None` for one that is not known here.
    columns: Vec<Option<&'static Statistic>>,
    /// Byte at which the first record begins.
    first: u64,
}

impl Layout {
    /// That of a recording made now.
    pub fn of(subject: Subject) -> Self {
        let columns = statistics();
        Self { subject, first: (HEAD + names(&columns).len()) as u64, columns: columns.into_iter().map(Some).collect() }
    }

    /// Bytes of a record; `None` for more than a file can have.
    pub fn record_length(&self) -> Option<u64> {
        self.subject.nodes.checked_mul(24)?.checked_add(self.before_positions() as u64)
    }

    /// Byte at which a frame's record begins.
    pub fn start_of(&self, frame: u64) -> u64 {
        self.first.saturating_add(frame.saturating_mul(self.record_length().unwrap_or(u64::MAX)))
    }

    /// Head and names of a recording made now.
    pub fn head(&self) -> Vec<u8> {
        let names = names(&self.columns.iter().copied().flatten().collect::<Vec<_>>());
        let mut head = vec![0; HEAD];
        head[..8].copy_from_slice(&MAGIC);
        head[8..12].copy_from_slice(&VERSION.to_le_bytes());
        head[12..16].copy_from_slice(&(self.columns.len() as u32).to_le_bytes());
        head[16..24].copy_from_slice(&self.subject.nodes.to_le_bytes());
        head[24..32].copy_from_slice(&self.subject.topology.to_le_bytes());
        head[32..40].copy_from_slice(&self.subject.step_size.to_le_bytes());
        head[40..44].copy_from_slice(&(names.len() as u32).to_le_bytes());
        head[44..48].copy_from_slice(&crc32(&names).to_le_bytes());
        let crc = crc32(&head[..HEAD_CRC]);
        head[HEAD_CRC..].copy_from_slice(&crc.to_le_bytes());
        head.extend(names);
        head
    }

    /// That of the recording that begins with these bytes.
    ///
    /// # Errors
    /// [`RecordingError::Foreign`]: no recording, one of another version, or a damaged head; those of the file system.
    pub fn read(file: &mut impl Read) -> Result<Self, RecordingError> {
        let foreign = |why: &str| RecordingError::Foreign(why.into());
        let mut read = |bytes: &mut [u8]| {
            file.read_exact(bytes).map_err(|error| match error.kind() {
                ErrorKind::UnexpectedEof => foreign("it is too short"),
                _ => error.into(),
            })
        };
        let mut head = [0; HEAD];
        read(&mut head)?;
        if head[..8] != MAGIC {
            return Err(foreign("it does not begin like one"));
        }
        let (version, count) = (u32_at(&head, 8), u32_at(&head, 12));
        if version != VERSION && (version != NAMELESS || count as usize != WITHOUT_NAMES.len()) {
            let why = format!("it was written by another version (format {version} with {count} numbers a frame); record it again");
            return Err(RecordingError::Foreign(why));
        }
        if u32_at(&head, HEAD_CRC) != crc32(&head[..HEAD_CRC]) {
            return Err(foreign("its head is damaged"));
        }
        let subject = Subject { nodes: u64_at(&head, 16), topology: u64_at(&head, 24), step_size: f64::from_bits(u64_at(&head, 32)) };
        let layout = if version == NAMELESS {
            Self { subject, columns: WITHOUT_NAMES.iter().map(|name| named(name)).collect(), first: HEAD as u64 }
        } else {
            let length = u32_at(&head, 40);
            if length > MOST_NAMES {
                return Err(foreign("its head is damaged"));
            }
            let mut names = vec![0; length as usize];
            read(&mut names)?;
            let columns = columns(&names, count).filter(|_| u32_at(&head, 44) == crc32(&names));
            Self { subject, columns: columns.ok_or_else(|| foreign("its head is damaged"))?, first: HEAD as u64 + u64::from(length) }
        };
        if layout.record_length().is_none() { Err(foreign("its head is damaged")) } else { Ok(layout) }
    }

    /// Whether `bytes`, of the length of a record, are the record of `frame`.
    pub fn is_whole(&self, frame: u64, bytes: &[u8]) -> bool {
        self.is_begun(frame, bytes) && u32_at(bytes, 0) == crc32(&bytes[4..])
    }

    /// Whether `bytes` are the beginning of the record of `frame`.
    pub fn is_begun(&self, frame: u64, bytes: &[u8]) -> bool {
        bytes.len() >= self.before_positions() && bytes[4..8] == MARK && u64_at(bytes, 8) == frame
    }

    /// Statistics of a whole record, with NaN, or 0 of what is counted, where it has none; its positions go into `positions`, in place of
    /// what was there.
    pub fn decode(&self, bytes: &[u8], positions: &mut Vec<Vec3>) -> StepStats {
        let mut stats = StepStats::default();
        let mut set = |statistic: &Statistic, number: f64| statistic.value.set.iter().for_each(|set| set(&mut stats, number));
        statistics().iter().for_each(|statistic| set(statistic, f64::NAN));
        for (k, statistic) in self.columns.iter().enumerate() {
            let number = f64::from_bits(u64_at(bytes, BEFORE_NUMBERS + 8 * k));
            statistic.iter().for_each(|statistic| set(statistic, number));
        }
        let points = bytes[self.before_positions()..].as_chunks::<24>().0.iter();
        positions.clear();
        positions.extend(points.map(|point| Vec3::from_fn(|axis, _| f64::from_bits(u64_at(point, 8 * axis)))));
        stats
    }

    /// Writes the record of a frame into `bytes`, in place of what was there.
    pub fn encode(&self, frame: u64, stats: &StepStats, positions: &[Vec3], bytes: &mut Vec<u8>) {
        bytes.clear();
        bytes.reserve(self.before_positions() + 24 * positions.len());
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&MARK);
        bytes.extend_from_slice(&frame.to_le_bytes());
        let numbers = self.columns.iter().map(|column| column.map_or(f64::NAN, |statistic| statistic.of(stats)));
        numbers.for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        positions.iter().flat_map(|p| p.iter()).for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
        let crc = crc32(&bytes[4..]);
        bytes[..4].copy_from_slice(&crc.to_le_bytes());
    }

    /// Bytes of a record before its positions.
    pub fn before_positions(&self) -> usize {
        BEFORE_NUMBERS + 8 * self.columns.len()
    }
}

/// The names of numbers, as they stand behind the head.
fn names(of: &[&Statistic]) -> Vec<u8> {
    let mut names = of.iter().map(|statistic| statistic.head()).collect::<Vec<_>>().join("\n").into_bytes();
    names.resize(names.len().next_multiple_of(8), b'\n');
    names
}

fn named(name: &str) -> Option<&'static Statistic> {
    statistics().into_iter().find(|statistic| statistic.head() == name)
}

/// What the named numbers are, if there are `count`.
fn columns(names: &[u8], count: u32) -> Option<Vec<Option<&'static Statistic>>> {
    let names = std::str::from_utf8(names).ok()?;
    let columns: Vec<_> = names.lines().filter(|name| !name.is_empty()).map(named).collect();
    (columns.len() == count as usize).then_some(columns)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}
