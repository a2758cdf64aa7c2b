//! The bytes of a recording: a head of fixed length, then records of one length, all little-endian.
//!
//! ```text
//! head     magic [8]  version u32  numbers u32  nodes u64  topology u64  step size f64  zeros [20]  CRC-32 of all before
//! record   CRC-32 of all that follows  mark [4]  frame u64  numbers f64 x 33  positions f64 x 3 nodes
//! ```
//!
//! Records of one length need no index: frame k begins at head + k records. Positions are kept in double precision: a body that
//! holds its pose drifts by less than single precision can tell, and a recorded frame should show what was computed.

use super::RecordingError;
use crate::files::crc32;
use crate::math::Vec3;
use crate::stats::numbers::{self, COUNT};
use crate::step::StepStats;
use crate::system::System;

/// Length of the head [bytes].
pub const HEAD: u64 = 64;
const MAGIC: [u8; 8] = *b"APLOMBRC";
const VERSION: u32 = 1;
const MARK: [u8; 4] = *b"FRAM";
/// Where the head's checksum stands.
const HEAD_CRC: usize = HEAD as usize - 4;
/// Bytes of a record before its positions.
const BEFORE_POSITIONS: usize = 16 + 8 * COUNT;

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
        // FNV-1a over the numbers of the nodes: the same on every machine and in every version.
        let topology = { nodes }.fold(0xCBF2_9CE4_8422_2325, |hash: u64, &node| (hash ^ u64::from(node)).wrapping_mul(0x0100_0000_01B3));
        Self { nodes: system.positions.len() as u64, topology, step_size: system.simulate.step_size }
    }

    /// Bytes of a record; `None` for more than a file can have.
    pub fn record_length(&self) -> Option<u64> {
        self.nodes.checked_mul(24)?.checked_add(BEFORE_POSITIONS as u64)
    }

    /// The head of a recording of this.
    pub fn head(&self) -> [u8; HEAD as usize] {
        let mut head = [0; HEAD as usize];
        head[..8].copy_from_slice(&MAGIC);
        head[8..12].copy_from_slice(&VERSION.to_le_bytes());
        head[12..16].copy_from_slice(&(COUNT as u32).to_le_bytes());
        head[16..24].copy_from_slice(&self.nodes.to_le_bytes());
        head[24..32].copy_from_slice(&self.topology.to_le_bytes());
        head[32..40].copy_from_slice(&self.step_size.to_le_bytes());
        let crc = crc32(&head[..HEAD_CRC]);
        head[HEAD_CRC..].copy_from_slice(&crc.to_le_bytes());
        head
    }

    /// What the recording with this head is of.
    ///
    /// # Errors
    /// [`RecordingError::Foreign`]: no recording, one of another version, or a damaged head.
    pub fn from_head(head: &[u8; HEAD as usize]) -> Result<Self, RecordingError> {
        let foreign = |why: String| Err(RecordingError::Foreign(why));
        if head[..8] != MAGIC {
            return foreign("it does not begin like one".into());
        }
        let (version, numbers) = (u32_at(head, 8), u32_at(head, 12));
        if (version, numbers as usize) != (VERSION, COUNT) {
            return foreign(format!(
                "it was written by another version (format {version} with {numbers} numbers a frame); record it again"
            ));
        }
        if u32_at(head, HEAD_CRC) != crc32(&head[..HEAD_CRC]) {
            return foreign("its head is damaged".into());
        }
        let subject = Self { nodes: u64_at(head, 16), topology: u64_at(head, 24), step_size: f64::from_bits(u64_at(head, 32)) };
        if subject.record_length().is_none() {
            return foreign("its head is damaged".into());
        }
        Ok(subject)
    }
}

/// Writes the record of a frame into `bytes`, in place of what was there.
pub fn encode(frame: u64, stats: &StepStats, positions: &[Vec3], bytes: &mut Vec<u8>) {
    bytes.clear();
    bytes.reserve(BEFORE_POSITIONS + 24 * positions.len());
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(&MARK);
    bytes.extend_from_slice(&frame.to_le_bytes());
    numbers::row(stats).iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    positions.iter().flat_map(|p| p.iter()).for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
    let crc = crc32(&bytes[4..]);
    bytes[..4].copy_from_slice(&crc.to_le_bytes());
}

/// Whether `bytes`, of the length of a record, are the record of `frame`.
pub fn is_whole(frame: u64, bytes: &[u8]) -> bool {
    bytes.len() >= BEFORE_POSITIONS && bytes[4..8] == MARK && u64_at(bytes, 8) == frame && u32_at(bytes, 0) == crc32(&bytes[4..])
}

/// Statistics of a whole record; its positions go into `positions`, in place of what was there.
pub fn decode(bytes: &[u8], positions: &mut Vec<Vec3>) -> StepStats {
    let row: [f64; COUNT] = std::array::from_fn(|i| f64::from_bits(u64_at(bytes, 16 + 8 * i)));
    let points = bytes[BEFORE_POSITIONS..].as_chunks::<24>().0.iter();
    positions.clear();
    positions.extend(points.map(|point| Vec3::from_fn(|axis, _| f64::from_bits(u64_at(point, 8 * axis)))));
    numbers::from_row(&row)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}
