//! Days as people name them: today, Tuesday, 12 Nov. By the clock on the wall, whose distance from UTC is read from the system's
//! file of the time zone (RFC 8536).

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds of a day.
const DAY: i64 = 86_400;
const WEEKDAYS: [&str; 7] = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Seconds since 1970, UTC.
pub fn seconds(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
        Err(before) => -i64::try_from(before.duration().as_secs()).unwrap_or(i64::MAX),
    }
}

/// Seconds since 1970 now, UTC.
pub fn now() -> i64 {
    seconds(SystemTime::now())
}

/// How far the clock on the wall is ahead of UTC [s]; 0 where the system does not say.
pub fn wall_clock() -> i64 {
    std::fs::read("/etc/localtime").ok().and_then(|zone| ahead(&zone, now())).unwrap_or(0)
}

/// The day of `time` as seen from `now` [s since 1970, by the clock on the wall].
pub fn day_in_words(time: i64, now: i64) -> String {
    let (day, today) = (time.div_euclid(DAY), now.div_euclid(DAY));
    match today - day {
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        2..=6 => WEEKDAYS[day.rem_euclid(7) as usize].to_owned(),
        _ => {
            let (year, month, of_month) = civil(day);
            let date = format!("{of_month} {}", MONTHS[month - 1]);
            if year == civil(today).0 { date } else { format!("{date} {year}") }
        }
    }
}

/// Date and time to the minute, as in lists of files.
pub fn stamp(time: i64) -> String {
    let (year, month, day) = civil(time.div_euclid(DAY));
    let minutes = time.rem_euclid(DAY) / 60;
    format!("{year}-{month:02}-{day:02} {:02}:{:02}", minutes / 60, minutes % 60)
}

/// Year, month (1 to 12) and day of the month of a day since 1970, in the Gregorian calendar: years that begin in March, in eras of 400.
fn civil(day: i64) -> (i64, usize, i64) {
    let day = day + 719_468;
    let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + 400 * era + i64::from(month <= 2), month as usize, of_month)
}

/// The distance from UTC that a time zone file has at `time`: that of the last change before it.
fn ahead(zone: &[u8], time: i64) -> Option<i64> {
    let number = |at: usize| Some(i64::from(i32::from_be_bytes(zone.get(at..at + 4)?.try_into().ok()?)));
    let count = |header: usize, which: usize| usize::try_from(number(header + 20 + 4 * which)?).ok();
    if zone.get(..4)? != b"TZif" {
        return None;
    }
    // Counts: UTC marks, standard marks, leap seconds, changes, types, letters. What comes first has 32 bits.
    let [utc, standard, leaps, changes, types, letters] = [0, 1, 2, 3, 4, 5].map(|which| count(0, which));
    let first = 44 + changes? * 5 + types? * 6 + letters? + leaps? * 8 + standard? + utc?;
    let (header, wide) = if zone.get(4).is_some_and(|&version| version >= b'2') { (first, 8) } else { (0, 4) };
    let (changes, types) = (count(header, 3)?, count(header, 4)?);
    let begin = header + 44;
    let when = |change: usize| {
        let at = begin + wide * change;
        if wide == 8 { Some(i64::from_be_bytes(zone.get(at..at + 8)?.try_into().ok()?)) } else { number(at) }
    };
    let last = (0..changes).rev().find(|&change| when(change).is_some_and(|when| when <= time));
    let kind = match last {
        Some(change) => usize::from(*zone.get(begin + wide * changes + change)?),
        None => 0,
    };
    if kind < types { number(begin + (wide + 1) * changes + 6 * kind) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_named_as_people_do() {
        // Tuesday, 24 November 2026, 08:05.
        let now = 1_795_507_500;
        assert_eq!(stamp(now), "2026-11-24 08:05");
        for (ago, name) in [
            (0, "today"),
            (8 * 3600, "today"),
            (9 * 3600, "yesterday"),
            (2 * DAY, "Sunday"),
            (6 * DAY, "Wednesday"),
            (7 * DAY, "17 Nov"),
            (12 * DAY, "12 Nov"),
            (365 * DAY, "24 Nov 2025"),
        ] {
            assert_eq!(day_in_words(now - ago, now), name, "{ago} s ago");
        }
        assert_eq!(civil(19_782), (2024, 2, 29));
        assert_eq!(civil(-1), (1969, 12, 31));
    }

    #[test]
    fn the_clock_on_the_wall_is_that_of_the_zone() {
        // Version 1: two changes, to 3600 s ahead and to 7200 s ahead.
        let mut zone = b"TZif\0".to_vec();
        zone.extend([0; 15]);
        for count in [0_i32, 0, 0, 2, 2, 8] {
            zone.extend(count.to_be_bytes());
        }
        zone.extend([1000_i32, 2000].iter().flat_map(|when| when.to_be_bytes()));
        zone.extend([0, 1]);
        for (offset, summer) in [(3600_i32, 0), (7200, 1)] {
            zone.extend(offset.to_be_bytes());
            zone.extend([summer, 0]);
        }
        zone.extend(b"CET\0CES\0");
        assert_eq!([500, 1500, 2500].map(|time| ahead(&zone, time)), [Some(3600), Some(3600), Some(7200)]);
        for end in 0..zone.len() - 8 {
            assert!(ahead(&zone[..end], 2500).is_none_or(|seconds| seconds == 7200), "cut after {end} bytes");
        }
        assert_eq!(ahead(b"no zone", 0), None);
    }
}
