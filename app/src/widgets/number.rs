//! Numbers for people: a few significant digits, powers of ten where they help.

use super::unit::Shown;

/// `value` with `digits` significant digits; a power of ten below 1e-3 and from 1e6 on.
pub fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return "–".to_owned();
    }
    let magnitude = value.abs().log10().floor();
    if !(-3.0..6.0).contains(&magnitude) {
        let text = format!("{value:.*e}", digits.saturating_sub(1));
        let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", without_zeros(mantissa));
    }
    let decimals = (digits as f64 - 1.0 - magnitude).max(0.0) as usize;
    without_zeros(&format!("{value:.decimals$}")).to_owned()
}

/// `value` in at most `letters` letters, with four significant digits where they have room.
pub fn compact(value: f64, letters: usize) -> String {
    let fits = |text: &String| text.chars().count() <= letters;
    (1..=4).rev().map(|digits| significant(value, digits)).find(fits).unwrap_or_else(|| significant(value, 1))
}

/// A decimal without the zeros that say nothing.
fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// `value` with its unit, or with one in which it reads well.
pub fn quantity(value: f64, unit: &str) -> String {
    let shown = Shown::of(value, unit);
    format!("{} {}", significant(value / shown.size, 4), shown.name).trim_end().to_owned()
}

/// Two values with a word between them, and behind them the one unit in which the larger reads well. With powers of ten they are shorter by a
/// digit, so that both have room in a row.
pub fn pair(one: f64, word: &str, other: f64, unit: &str) -> String {
    let shown = Shown::of(one.abs().max(other.abs()), unit);
    let as_text = |digits: usize| [one, other].map(|value| significant(value / shown.size, digits));
    let [one, other] = if as_text(3).iter().any(|text| text.contains('e')) { as_text(2) } else { as_text(3) };
    format!("{one} {word} {other} {}", shown.name).trim_end().to_owned()
}

/// A share as a percentage; as a power of ten where it is tiny, and as a factor where it is ten times the whole or more.
pub fn percent(share: f64) -> String {
    match share.abs() {
        0.0 => "0 %".to_owned(),
        tiny if tiny < 1e-4 => format!("{share:.1e}"),
        large if large >= 10.0 => format!("× {}", significant(share, 3)),
        _ => format!("{} %", significant(100.0 * share, 3)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_numbers_have_one_unit() {
        assert_eq!(pair(-20.123, "to", 40.246, "N/m"), "-20.1 to 40.2 N/m");
        assert_eq!(pair(0.0, "to", 0.0213, "m"), "0 to 2.13 cm");
        assert_eq!(pair(0.8807, "±", 0.1, ""), "0.881 ± 0.1");
        assert_eq!(pair(-7.187e-6, "±", 1.893e-4, "N"), "-7.2e-6 ± 1.9e-4 N");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(significant(20_000.0, 4), "20000");
        assert_eq!(significant(0.45, 4), "0.45");
        assert_eq!(significant(1.25e-9, 3), "1.25e-9");
        assert_eq!(significant(2e-6, 5), "2e-6");
        assert_eq!(significant(-3.1e7, 5), "-3.1e7");
        assert_eq!(significant(9.81, 3), "9.81");
        assert_eq!(percent(0.123), "12.3 %");
        assert_eq!(percent(3e-9), "3.0e-9");
        assert_eq!([percent(0.0), percent(2.51), percent(246.53), percent(f64::NAN)], ["0 %", "251 %", "× 247", "– %"]);
        assert_eq!([quantity(1.25e5, "Pa"), quantity(3e-3, "m"), quantity(12.0, "N")], ["125 kPa", "3 mm", "12 N"]);
        assert_eq!([compact(-0.12345, 6), compact(123.456, 6), compact(1.27e-9, 6)], ["-0.123", "123.5", "1.3e-9"]);
    }
}
