//! Progress on the terminal, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use aplomb_sim::watch::{Cancelled, Watch};
use indicatif::{ProgressBar, ProgressStyle};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Steps of the bar.
const LENGTH: u64 = 1000;

/// A progress bar on a terminal, a line for each stage elsewhere.
pub struct Console {
    bar: Option<ProgressBar>,
    stage: Mutex<String>,
}

impl Console {
    /// Shows progress on standard error, and listens to Ctrl-C: the first one lets the command end in order, a second
    /// one ends it at once.
    pub fn new() -> Self {
        // Fails only where a handler is set already, which is then this one.
        ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        })
        .ok();
        let style =
            ProgressStyle::with_template("{msg:24} [{bar:40}] {percent:>3} % {elapsed}").unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = std::io::stderr().is_terminal().then(|| ProgressBar::new(LENGTH).with_style(style));
        Self { bar, stage: Mutex::default() }
    }

    /// Removes the bar, so that messages stand alone.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Watch for Console {
    fn progress(&self, stage: &str, done: f64) {
        let mut shown = self.stage.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match &self.bar {
            Some(bar) => {
                if *shown != stage {
                    bar.set_message(stage.to_string());
                }
                bar.set_position((done.clamp(0.0, 1.0) * LENGTH as f64) as u64);
            }
            None if *shown != stage => eprintln!("{stage} ..."),
            None => {}
        }
        if *shown != stage {
            *shown = stage.to_string();
        }
    }

    fn check(&self) -> Result<(), Cancelled> {
        if INTERRUPTED.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
    }
}
