//! Numbers for people: a few significant digits, powers of ten where they help.

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

/// A decimal without the zeros that say nothing.
fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// `value` with its unit.
pub fn quantity(value: f64, unit: &str) -> String {
    format!("{} {unit}", significant(value, 4))
}

/// A share as a percentage, or as a power of ten where it is tiny.
pub fn percent(share: f64) -> String {
    if share != 0.0 && share.abs() < 1e-4 { format!("{share:.1e}") } else { format!("{} %", significant(100.0 * share, 3)) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
