//! [`Attachments`]: no node gets farther from what holds its body than along the shortest way there (Kim, Chentanez, Muller 2012, "Long Range
//! Attachments"). One sweep then does what hundreds do for chains and cloth that do not stretch.

use super::SLACK;
use super::lengths::Lengths;
use crate::math::Vec3;
use crate::step::xpbd::constraints::projections;
use crate::step::xpbd::mobility::Mobility;
use crate::system::System;

/// Ties of free nodes to held ones.
#[derive(Debug, Default)]
pub struct Attachments {
    ties: Vec<Tie>,
    /// Which nodes were held when they were made, and how much longer than in the given shape they may become.
    made_for: Option<(Vec<bool>, f64)>,
}

#[derive(Debug, Clone, Copy)]
struct Tie {
    node: u32,
    held: u32,
    /// Longest distance between them [m].
    reach: f64,
}

impl Attachments {
    /// Takes over what is held, and `stretch` times the ways in the given shape; none where there is no such factor.
    pub fn renew(&mut self, system: &System, stretch: Option<f64>) {
        let Some(stretch) = stretch else {
            *self = Self::default();
            return;
        };
        if self.made_for.as_ref().is_some_and(|(fixed, known)| *fixed == system.fixed && *known == stretch) {
            return;
        }
        let lengths = Lengths::of(&projections(system), &system.positions);
        let held = (0u32..).zip(&system.fixed).filter(|(_, fixed)| **fixed).map(|(node, _)| node);
        let nearest = (0u32..).zip(lengths.nearest(held));
        let free = nearest.filter(|(node, _)| !system.fixed[*node as usize]);
        self.ties = free.filter_map(|(node, way)| way.map(|(held, length)| Tie { node, held, reach: SLACK * stretch * length })).collect();
        self.made_for = Some((system.fixed.clone(), stretch));
    }

    /// Brings back what is too far away.
    pub fn project(&self, mobility: &Mobility, x: &mut [Vec3]) {
        for tie in &self.ties {
            let way = x[tie.node as usize] - x[tie.held as usize];
            let distance = way.norm();
            if distance > tie.reach {
                x[tie.node as usize] -= mobility.taken(tie.node, &((1.0 - tie.reach / distance) * way));
            }
        }
    }
}
