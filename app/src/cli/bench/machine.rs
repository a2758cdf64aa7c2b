//! What the figures were measured on.

use serde::Serialize;

/// The machine, as far as it matters for comparing figures.
#[derive(Debug, Clone, Serialize)]
pub struct Machine {
    /// Logical cores.
    pub cores: usize,
    /// Threads used.
    pub threads: usize,
    /// Name of the processor; empty where the system does not tell.
    pub processor: String,
}

impl Machine {
    /// This one.
    pub fn this() -> Self {
        Self {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            threads: rayon::current_num_threads(),
            processor: processor(),
        }
    }
}

fn processor() -> String {
    let listed = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let of_list = listed.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':')).map(|(_, name)| name.trim().to_owned());
    of_list.or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok()).unwrap_or_default()
}
