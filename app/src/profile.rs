//! What frames cost the editor itself: the time that its own thread works, part by part, without what it waits for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Frames that are remembered.
const KEPT: usize = 240;

/// A part of the work of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Taking in what happened.
    News,
    /// Panels, and carrying out what was asked for.
    Panels,
    /// What is to be seen in the views, as plain data, and what the mouse does there.
    Views,
    /// Filling the buffers of the graphics driver.
    Buffers,
}

impl Part {
    /// All of them, in the order of a frame, with what they are called.
    pub const ALL: [(Self, &'static str); 4] =
        [(Self::News, "news"), (Self::Panels, "panels"), (Self::Views, "views"), (Self::Buffers, "buffers")];
}

/// Work outside of the frame's own functions, handed over by whoever does it.
pub type Meter = Arc<AtomicU64>;

/// The work of the last frames [s].
#[derive(Debug, Clone)]
pub struct Profile {
    frames: [[f64; Part::ALL.len()]; KEPT],
    /// Frames since the start, without the one in hand.
    count: usize,
    /// The one in hand.
    now: [f64; Part::ALL.len()],
    buffers: Meter,
}

impl Default for Profile {
    fn default() -> Self {
        Self { frames: [[0.0; Part::ALL.len()]; KEPT], count: 0, now: [0.0; Part::ALL.len()], buffers: Meter::default() }
    }
}

/// Time that this thread has worked, from some moment on.
pub fn worked() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
    }
    // Elsewhere what it waits for counts as well.
    #[cfg(not(unix))]
    {
        static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
        START.elapsed()
    }
}

impl Profile {
    /// Adds what was worked since `start` (of [`worked`]) to a part of the frame in hand.
    pub fn add(&mut self, part: Part, start: Duration) {
        self.now[part as usize] += worked().saturating_sub(start).as_secs_f64();
    }

    /// Takes `work` that was counted for one part, and belongs to another, out of the former.
    pub fn without(&mut self, part: Part, work: f64) {
        self.now[part as usize] = (self.now[part as usize] - work).max(0.0);
    }

    /// What a part of the frame in hand has cost [s].
    pub fn of(&self, part: Part) -> f64 {
        self.now[part as usize]
    }

    /// Where the painter says what it works on buffers [ns].
    pub fn buffers(&self) -> Meter {
        Arc::clone(&self.buffers)
    }

    /// A new frame begins.
    pub fn next(&mut self) {
        self.now[Part::Buffers as usize] += self.buffers.swap(0, Ordering::Relaxed) as f64 * 1e-9;
        self.frames[self.count % KEPT] = std::mem::take(&mut self.now);
        self.count += 1;
    }

    /// The frames that are remembered, the oldest first [s].
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = [f64; Part::ALL.len()]> + '_ {
        (self.count.saturating_sub(KEPT)..self.count).map(|frame| self.frames[frame % KEPT])
    }

    /// Mean and largest work of a frame [s]; nothing before the first.
    pub fn total(&self) -> (f64, f64) {
        let (count, sum, most) = self.frames().fold((0, 0.0, 0.0_f64), |(count, sum, most), frame| {
            let total: f64 = frame.iter().sum();
            (count + 1, sum + total, most.max(total))
        });
        (sum / f64::from(count.max(1)), most)
    }

    /// Mean and largest work of a part [s].
    pub fn part(&self, part: Part) -> (f64, f64) {
        let (count, sum, most) = self
            .frames()
            .map(|frame| frame[part as usize])
            .fold((0, 0.0, 0.0_f64), |(count, sum, most), work| (count + 1, sum + work, most.max(work)));
        (sum / f64::from(count.max(1)), most)
    }
}

/// Does something, and tells a meter the work.
pub fn metered<R>(meter: &Meter, work: impl FnOnce() -> R) -> R {
    let start = worked();
    let result = work();
    meter.fetch_add(worked().saturating_sub(start).as_nanos() as u64, Ordering::Relaxed);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Works until the thread's own clock has gone on by `time`.
    fn work(time: Duration) {
        let start = worked();
        while worked().saturating_sub(start) < time {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn waiting_is_no_work_and_each_part_has_its_own() {
        let mut profile = Profile::default();
        let millisecond = Duration::from_millis(1);
        for frame in 0..KEPT + 3 {
            let start = worked();
            if frame == KEPT {
                work(5 * millisecond);
                profile.add(Part::Panels, start);
                metered(&profile.buffers(), || work(2 * millisecond));
            }
            profile.next();
        }
        let (_, panels) = profile.part(Part::Panels);
        let (_, buffers) = profile.part(Part::Buffers);
        assert!((5e-3..6e-3).contains(&panels) && (2e-3..3e-3).contains(&buffers), "{panels} {buffers}");
        assert_eq!(profile.part(Part::Views), (0.0, 0.0));
        let (mean, most) = profile.total();
        assert!((most - panels - buffers).abs() < 1e-12 && (mean * KEPT as f64 - most).abs() < 1e-12);
        #[cfg(unix)]
        {
            let start = worked();
            std::thread::sleep(20 * millisecond);
            profile.add(Part::News, start);
            assert!(profile.of(Part::News) < 5e-3, "sleep is counted");
        }
        (0..KEPT).for_each(|_| profile.next());
        assert!(profile.total().1 < 5e-3, "old frames are forgotten");
    }
}
