//! The numbers of each step of a run, for plots.

use aplomb_sim::step::StepStats;

/// Steps whose numbers are kept; beyond it, every second of them is dropped.
const LIMIT: usize = 20_000;

/// Numbers of the steps since time zero: of every one until there are too many, then of every second, fourth, ...
#[derive(Debug)]
pub struct Series {
    kept: Vec<StepStats>,
    taken: u64,
    /// Every so many steps one is kept.
    stride: u64,
    /// What they took, together [s].
    seconds: f64,
}

impl Default for Series {
    fn default() -> Self {
        Self { kept: Vec::new(), taken: 0, stride: 1, seconds: 0.0 }
    }
}

impl Series {
    /// Adds a step.
    pub fn push(&mut self, step: StepStats) {
        self.taken += 1;
        self.seconds += step.seconds;
        if !self.taken.is_multiple_of(self.stride) {
            return;
        }
        self.kept.push(step);
        if self.kept.len() > LIMIT {
            let mut frame = 0;
            self.kept.retain(|_| {
                frame += 1;
                frame % 2 == 0
            });
            self.stride *= 2;
        }
    }

    /// Steps taken since time zero.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Wall time that all steps since time zero took [s].
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Steps whose numbers are kept.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether no step was taken.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// What is kept, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, StepStats> {
        self.kept.iter()
    }

    /// The frame nearest to `time` [s], of the start and the steps that are kept.
    pub fn frame_at(&self, time: f64) -> u64 {
        let after = self.kept.partition_point(|step| step.time < time);
        let before = after.checked_sub(1).map_or(0.0, |entry| self.kept[entry].time);
        let later = self.kept.get(after).is_some_and(|step| step.time - time < time - before);
        // The start is frame 0 and has no entry.
        self.stride * (after as u64 + u64::from(later))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(steps: u64) -> Series {
        let mut series = Series::default();
        (1..=steps).for_each(|k| series.push(StepStats { time: 0.5 * k as f64, iterations: k as u32, ..StepStats::default() }));
        series
    }

    #[test]
    fn a_time_is_that_of_the_nearest_frame() {
        let series = series(4);
        for (time, frame) in [(-1.0, 0), (0.0, 0), (0.2, 0), (0.3, 1), (0.5, 1), (1.7, 3), (1.8, 4), (2.0, 4), (9.0, 4)] {
            assert_eq!(series.frame_at(time), frame, "at {time} s");
        }
        assert_eq!(Series::default().frame_at(1.0), 0);
    }

    #[test]
    fn a_long_run_is_thinned_evenly_and_frames_keep_their_numbers() {
        let long = series(3 * LIMIT as u64 + 1);
        assert!(long.len() <= LIMIT && long.len() > LIMIT / 2, "{} kept", long.len());
        assert_eq!(long.taken(), 3 * LIMIT as u64 + 1);
        let frames: Vec<u64> = long.iter().map(|step| step.iterations.into()).collect();
        assert!(frames.windows(2).all(|pair| pair[1] - pair[0] == long.stride) && frames[0] == long.stride);
        for frame in [frames[0], frames[100], frames[frames.len() - 1]] {
            assert_eq!(long.frame_at(0.5 * frame as f64), frame);
        }
    }
}
