//! Bodies that come in later. Until then their nodes count as fixed and their surfaces touch nothing, so that nothing else
//! needs to know of them.

use std::ops::Range;
use std::sync::OnceLock;

use super::build::clearance::{Meeting, meetings, touching_distance};
use super::{PlacedBody, System};
use crate::math::Vec3;

/// A body that is not there from the start.
#[derive(Debug, Clone, PartialEq)]
pub struct Entrance {
    /// Index into [`System::bodies`].
    pub body: u32,
    /// When it comes in [s].
    pub time: f64,
    /// Its nodes that no support holds, ascending.
    pub free: Vec<u32>,
}

/// What an entering body would meet.
#[derive(Debug, Clone, PartialEq)]
pub struct Blockage {
    /// Name of the body that comes in.
    pub body: String,
    /// Name of the body or obstacle in its place.
    pub other: String,
    /// Where [m].
    pub place: Vec3,
}

impl System {
    /// Makes a body, all of whose nodes are there already, come in at `time` [s]. To be called before anything else has come in.
    pub fn enter_later(&mut self, body: u32, time: f64) {
        let PlacedBody { nodes, internal, .. } = &self.bodies[body as usize];
        let free = nodes.clone().chain(internal.clone()).filter(|&n| !self.fixed[n]).map(|n| n as u32).collect();
        let at = self.entrances.partition_point(|earlier| earlier.time <= time);
        self.entrances.insert(at, Entrance { body, time, free });
        self.place(at, false);
    }

    /// Of the entrances, which are in order of time, how many have come by `time` [s].
    pub fn due(&self, time: f64) -> usize {
        self.entrances.partition_point(|entrance| entrance.time <= time)
    }

    /// Brings in the bodies of the first `count` entrances, and takes the others away.
    pub fn set_entered(&mut self, count: usize) {
        for index in count.min(self.entered)..count.max(self.entered) {
            self.place(index, index < count);
        }
        self.entered = count;
    }

    /// Takes away the obstacles that are surfaces and gone by `time` [s], and puts the others back. Whether that changed anything.
    pub fn set_obstacles_at(&mut self, time: f64) -> bool {
        let mut changed = false;
        for obstacle in &self.mesh_obstacles {
            let Some(part) = self.surface.part_of_node(obstacle.nodes.start as u32) else { continue };
            let away = !self.obstacles[obstacle.obstacle as usize].is_present(time);
            changed |= self.surface.rules.is_away(part) != away;
            self.surface.rules.set_away(part, away);
        }
        self.obstacles_at = time;
        changed
    }

    /// Asks something of the system as it is at the start, whoever has come in since.
    pub fn as_at_the_start<R>(&mut self, ask: impl FnOnce(&mut Self) -> R) -> R {
        let (entered, time) = (self.entered, self.obstacles_at);
        if entered == 0 && time == 0.0 {
            return ask(self);
        }
        let pattern = std::mem::take(&mut self.pattern);
        self.set_entered(0);
        self.set_obstacles_at(0.0);
        let answer = ask(self);
        self.set_entered(entered);
        self.set_obstacles_at(time);
        self.pattern = pattern;
        answer
    }

    /// The bodies that have not come in yet.
    pub fn away(&self) -> impl Iterator<Item = &PlacedBody> {
        self.entrances[self.entered..].iter().map(|entrance| &self.bodies[entrance.body as usize])
    }

    /// The elements of bodies that are not there, as [`System::element_number`] counts.
    pub fn away_elements(&self) -> impl Iterator<Item = Range<usize>> {
        self.away().flat_map(|body| body.spans.iter().map(|span| self.element_numbers(span)))
    }

    /// The nodes that supports hold, whether their body is there or not.
    pub fn held_nodes(&self) -> Vec<bool> {
        let mut held = self.fixed.clone();
        for entrance in &self.entrances[self.entered..] {
            entrance.free.iter().for_each(|&node| held[node as usize] = false);
        }
        held
    }

    /// What the bodies of the entrances from `first` on, that are in, pass through or touch at the positions `x` [m].
    pub fn blockage(&self, first: usize, x: &[Vec3]) -> Option<Blockage> {
        let name = |part: u32| self.surface.parts[part as usize].name.clone();
        let meetings = meetings(&self.surface, x, touching_distance(self));
        let of = |body: u32| {
            let meets = |(&(a, b), meeting): (&(u32, u32), &Meeting)| (a == body || b == body).then_some((a + b - body, meeting.place));
            meetings.iter().find_map(meets).map(|(other, place)| Blockage { body: name(body), other: name(other), place })
        };
        self.entrances.get(first..self.entered)?.iter().find_map(|entrance| of(entrance.body))
    }

    fn place(&mut self, entrance: usize, is_in: bool) {
        let Entrance { body, free, .. } = &self.entrances[entrance];
        free.iter().for_each(|&node| self.fixed[node as usize] = !is_in);
        self.surface.rules.set_away(*body, !is_in);
        self.pattern = OnceLock::new();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::contact::surfaces::tests::{REACH, second_box, stack};

    /// Whichever of two bodies comes in, what is in its place is the other.
    #[test]
    fn what_is_in_the_place_of_a_body_is_named() {
        let mut system = stack(REACH, 0.3);
        let start = second_box(&system).start;
        let inside: Vec<Vec3> =
            system.positions.iter().enumerate().map(|(n, p)| if n < start { *p } else { p - 0.1 * Vec3::y() }).collect();
        for body in [0, 1] {
            system.entrances = vec![Entrance { body, time: 0.0, free: Vec::new() }];
            system.entered = 1;
            let name = |part: u32| system.surface.parts[part as usize].name.clone();
            let found = system.blockage(0, &inside).unwrap();
            assert_eq!((found.body, found.other), (name(body), name(1 - body)));
            let apart: Vec<Vec3> = system.positions.iter().enumerate().map(|(n, p)| if n < start { *p } else { p + Vec3::y() }).collect();
            assert_eq!(system.blockage(0, &apart), None);
        }
    }
}
