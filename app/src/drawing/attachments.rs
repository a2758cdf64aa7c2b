//! Springs between bodies, as lines.

use aplomb_sim::math::Vec3;

use crate::session::Model;
use crate::viewport::{LineDraw, LineKind};

/// The springs of all attachments when the nodes are at `positions` [m].
pub fn attachments(model: &Model, positions: &[Vec3]) -> Option<LineDraw> {
    let springs = model.attachments.iter().flat_map(|attachment| &attachment.ends);
    let ends: Vec<[Vec3; 2]> = springs.map(|ends| ends.map(|node| positions[node as usize])).collect();
    (!ends.is_empty()).then(|| LineDraw { ends: ends.into(), kind: LineKind::Attachment })
}
