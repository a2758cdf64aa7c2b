//! How much memory there is, asked before much of it is taken: a system that has none left ends programs without a word.

/// Names the memory that may be taken [bytes], in place of what the machine has.
const VARIABLE: &str = "APLOMB_MEMORY";
/// Share of what there is that may be taken: others want some too, and needs are estimates.
const USABLE: f64 = 0.9;

/// Where no limit is given so much is there, and the machine is not asked [bytes].
const ALWAYS_THERE: u64 = 1 << 23;

/// What is wanted does not fit.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "{what} of {unknowns} unknowns needs about {} of memory, and {} can be had; use a mesh of fewer tets, or a machine with more memory",
    in_words(*.needed),
    in_words(*.available)
)]
pub struct TooLarge {
    /// What needs it.
    pub what: &'static str,
    /// Of the matrix.
    pub unknowns: usize,
    /// Estimated need beyond what is taken already [bytes].
    pub needed: u64,
    /// What may be taken [bytes].
    pub available: u64,
}

/// An error if `what` takes more than there is: more than `limit` [bytes], or, where none is given, than most of what the machine has.
/// Where that is not known nothing is refused.
///
/// # Errors
/// [`TooLarge`].
pub fn ensure(what: &'static str, unknowns: usize, needed: u64, limit: Option<u64>) -> Result<(), TooLarge> {
    if limit.is_none() && needed <= ALWAYS_THERE && std::env::var_os(VARIABLE).is_none() {
        return Ok(());
    }
    match limit.or_else(available) {
        Some(available) if needed > available => Err(TooLarge { what, unknowns, needed, available }),
        _ => Ok(()),
    }
}

/// Memory that may still be taken [bytes]: what the variable `APLOMB_MEMORY` says; else, on Linux, nine tenths of what the system counts as
/// available, or of what is left of the process' control group if that is less. `None` where nothing is known.
pub fn available() -> Option<u64> {
    if let Some(given) = std::env::var(VARIABLE).ok().and_then(|value| value.trim().parse().ok()) {
        return Some(given);
    }
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let of_machine = left_of_machine(&read("/proc/meminfo")?)?;
    let groups = groups(&read("/proc/self/cgroup").unwrap_or_default());
    let of_group = |group: &Group| {
        let file = |name: &str| read(&format!("{}/{name}", group.folder));
        left_of_group(&file(group.limit)?, &file(group.usage)?, &file("memory.stat").unwrap_or_default())
    };
    let left = groups.iter().filter_map(of_group).fold(of_machine, u64::min);
    Some((USABLE * left as f64) as u64)
}

/// `MemAvailable` of /proc/meminfo [bytes].
fn left_of_machine(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| 1024 * kilobytes)
}

/// A control group that limits memory: its folder, and the files with its limit and with what it uses.
struct Group {
    folder: String,
    limit: &'static str,
    usage: &'static str,
}

/// The groups of the lines of /proc/self/cgroup and all those above them, of both versions of control groups.
fn groups(lines: &str) -> Vec<Group> {
    let mut found = Vec::new();
    for line in lines.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (root, limit, usage) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
            "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
            _ => continue,
        };
        let mut path = path.trim_end_matches('/');
        loop {
            found.push(Group { folder: format!("{root}{path}"), limit, usage });
            let Some((above, _)) = path.rsplit_once('/') else { break };
            path = above;
        }
    }
    found
}

/// What a group may still take [bytes]; `None` if it has no limit. Pages of files go when there is need.
fn left_of_group(limit: &str, usage: &str, stat: &str) -> Option<u64> {
    let (limit, usage): (u64, u64) = (limit.trim().parse().ok()?, usage.trim().parse().ok()?);
    let entry = |name: &str| stat.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
    let of_files = entry("inactive_file ").unwrap_or(0) + entry("active_file ").unwrap_or(0);
    Some(limit.saturating_sub(usage.saturating_sub(of_files)))
}

/// With a unit.
fn in_words(bytes: u64) -> String {
    let bytes = bytes as f64;
    match bytes {
        ..1e6 => format!("{:.0} kB", bytes / 1e3),
        ..1e9 => format!("{:.0} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_what_does_not_fit_is_refused() {
        assert_eq!(ensure("a factorisation", 300, 1000, Some(1000)), Ok(()));
        let error = ensure("a factorisation", 300, 2_500_000_000, Some(40_000_000)).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("a factorisation of 300 unknowns needs about 2.5 GB of memory, and 40 MB can be had"), "{text}");
        // No machine has so much.
        assert_eq!(ensure("a factorisation", 300, u64::MAX, None).is_err(), available().is_some());
    }

    #[test]
    fn the_available_memory_of_a_machine_is_read() {
        let meminfo = "MemTotal:       24000000 kB\nMemFree:         1000000 kB\nMemAvailable:    2000000 kB\n";
        assert_eq!(left_of_machine(meminfo), Some(2_048_000_000));
        assert_eq!(left_of_machine("MemTotal: 1 kB\n"), None);
    }

    #[test]
    fn the_limits_of_all_groups_above_count() {
        let folders = |lines: &str| groups(lines).into_iter().map(|group| group.folder).collect::<Vec<_>>();
        assert_eq!(folders("0::/a/b\n"), ["/sys/fs/cgroup/a/b", "/sys/fs/cgroup/a", "/sys/fs/cgroup"]);
        assert_eq!(folders("9:cpu:/x\n4:memory:/y\n"), ["/sys/fs/cgroup/memory/y", "/sys/fs/cgroup/memory"]);
        assert_eq!(left_of_group("max\n", "1000\n", ""), None);
        let stat = "anon 600\ninactive_file 300\nactive_file 100\n";
        assert_eq!(left_of_group("5000\n", "1000\n", stat), Some(4400));
        assert_eq!(left_of_group("500\n", "1000\n", ""), Some(0));
    }
}
