//! One clock for several sessions: none takes a step before all have taken the one before it.

use std::sync::{Arc, Mutex, PoisonError};

/// Steps taken by each session on the clock; `None` where a seat is not stepping.
#[derive(Debug, Clone, Default)]
pub struct Clock(Arc<Mutex<Vec<Option<u64>>>>);

/// A session's place on a [`Clock`].
#[derive(Debug)]
pub struct Seat {
    clock: Clock,
    index: usize,
}

impl Clock {
    /// A new place, at rest.
    pub fn seat(&self) -> Seat {
        let mut seats = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seats.push(None);
        Seat { clock: self.clone(), index: seats.len() - 1 }
    }
}

impl Seat {
    /// Says that this session has taken `steps` since time zero and wants to go on; `None`: it is at rest, and nobody
    /// waits for it.
    pub fn set(&self, steps: Option<u64>) {
        self.clock.0.lock().unwrap_or_else(PoisonError::into_inner)[self.index] = steps;
    }

    /// Whether nobody who is stepping is behind this session.
    pub fn may_step(&self) -> bool {
        let seats = self.clock.0.lock().unwrap_or_else(PoisonError::into_inner);
        seats[self.index].is_some_and(|mine| seats.iter().flatten().all(|&other| other >= mine))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.set(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_runs_ahead_and_nobody_waits_for_one_at_rest() {
        let clock = Clock::default();
        let (a, b) = (clock.seat(), clock.seat());
        a.set(Some(0));
        assert!(a.may_step(), "alone");
        b.set(Some(0));
        a.set(Some(1));
        assert!(!a.may_step() && b.may_step(), "b is behind");
        b.set(Some(1));
        assert!(a.may_step() && b.may_step(), "level");
        b.set(None);
        a.set(Some(2));
        assert!(a.may_step(), "b rests");
    }
}
