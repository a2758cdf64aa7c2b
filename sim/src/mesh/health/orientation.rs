//! Which way faces look: whether neighbours agree, and whether closed parts face outward.

use super::edges::{Mate, Mates, ends};
use crate::math::Vec3;

/// A part whose triangles are joined by edges between two triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct Shell {
    /// Its triangles, the first one first.
    pub triangles: Vec<u32>,
    /// Whether it has no open and no non-manifold edge.
    pub closed: bool,
    /// Whether its triangles can agree at all; a Moebius strip's cannot.
    pub orientable: bool,
    /// Sum of det(a, b, c) / 6 over its triangles with agreeing directions, from a point in its middle: its volume if it is closed.
    pub volume: f64,
    /// Whether agreeing triangles, as most of it looks in the file, enclose a negative volume.
    pub inward: bool,
}

/// How triangles look among their neighbours.
#[derive(Debug, Clone, PartialEq)]
pub struct Sides {
    /// Parts joined by edges.
    pub shells: Vec<Shell>,
    /// Triangles that look the other way than most of their shell does.
    pub against: Vec<bool>,
}

/// Sorts triangles into shells, and finds those that look the other way than most of the area of their shell.
pub fn sides(positions: &[Vec3], triangles: &[[u32; 3]], mates: &Mates) -> Sides {
    let mut shells = Vec::new();
    let mut against = vec![false; triangles.len()];
    let mut seen = vec![false; triangles.len()];
    for first in 0..triangles.len() {
        if seen[first] || mates.mates[3 * first] == Mate::Void {
            continue;
        }
        let shell = spread(triangles, mates, first as u32, &mut seen, &mut against);
        shells.push(measured(positions, triangles, shell, &mut against));
    }
    Sides { shells, against }
}

/// The shell of `first`, with every triangle of it marked as looking with or against `first`.
fn spread(triangles: &[[u32; 3]], mates: &Mates, first: u32, seen: &mut [bool], against: &mut [bool]) -> Shell {
    let mut shell = Shell { triangles: vec![first], closed: true, orientable: true, volume: 0.0, inward: false };
    seen[first as usize] = true;
    let mut at = 0;
    while let Some(&t) = shell.triangles.get(at) {
        at += 1;
        for side in 3 * t..3 * t + 3 {
            let Mate::Side(across) = mates.mates[side as usize] else {
                shell.closed = false;
                continue;
            };
            let other = across / 3;
            // Neighbours agree where they run their common edge in opposite directions.
            let opposed = against[t as usize] ^ (ends(triangles, side)[0] == ends(triangles, across)[0]);
            if seen[other as usize] {
                shell.orientable &= against[other as usize] == opposed;
            } else {
                seen[other as usize] = true;
                against[other as usize] = opposed;
                shell.triangles.push(other);
            }
        }
    }
    shell
}

/// Turns the marks round if most of the area looks against the first triangle, and measures the volume.
fn measured(positions: &[Vec3], triangles: &[[u32; 3]], shell: Shell, against: &mut [bool]) -> Shell {
    let corners = |t: u32| triangles[t as usize].map(|v| positions[v as usize]);
    let middle = shell.triangles.iter().map(|&t| corners(t).iter().sum::<Vec3>()).sum::<Vec3>() / (3 * shell.triangles.len()) as f64;
    let (mut majority, mut volume) = (0.0, 0.0);
    for &t in &shell.triangles {
        let [a, b, c] = corners(t).map(|p| p - middle);
        let sign = if against[t as usize] { -1.0 } else { 1.0 };
        majority += sign * (b - a).cross(&(c - a)).norm();
        volume += sign * a.cross(&b).dot(&c) / 6.0;
    }
    if majority < 0.0 {
        shell.triangles.iter().for_each(|&t| against[t as usize] ^= true);
        volume = -volume;
    }
    Shell { volume, inward: volume < 0.0, ..shell }
}
