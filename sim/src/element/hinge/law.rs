//! [`HINGE_LAWS`]: the moment of a hinge by its angle. Each is given the angle and, beside it, how much more that is than the rest angle: in
//! the difference of the two a stiff hinge would lose its digits.

/// A law by name.
#[derive(Debug)]
pub struct HingeLaw {
    /// Name in scenes.
    pub name: &'static str,
    /// Name for people.
    pub label: &'static str,
    /// One line for people.
    pub doc: &'static str,
    /// The energy, as `docs/laws.md` writes it.
    pub formula: &'static str,
    /// Energy [J] by stiffness [N m], angle, and change of the angle [rad].
    pub energy: fn(f64, f64, f64) -> f64,
    /// Its slope over the angle: the moment [N m].
    pub moment: fn(f64, f64, f64) -> f64,
    /// The slope of that [N m].
    pub slope: fn(f64, f64, f64) -> f64,
    /// Whether its energy is k/2 times the square of the change.
    pub is_quadratic: bool,
    /// The change with which a hinge of this stiffness and angle has a moment, if it is at most so large [rad]; otherwise the share of the
    /// moment that can be had so.
    pub change: fn(f64, f64, f64, f64) -> Result<f64, f64>,
}

/// Every law; the first is the default.
pub static HINGE_LAWS: &[HingeLaw] = &[
    HingeLaw {
        name: "angle",
        label: "By angle",
        doc: "moment proportional to the change of the angle",
        formula: "k/2 (theta - Theta)^2",
        energy: |k, _, change| 0.5 * k * change * change,
        moment: |k, _, change| k * change,
        slope: |k, _, _| k,
        is_quadratic: true,
        change: |k, _, moment, most| {
            let change = moment / k;
            if change.abs() <= most { Ok(change) } else { Err(most / change.abs()) }
        },
    },
    HingeLaw {
        name: "sine",
        label: "By the sine of half the angle",
        doc: "moment proportional to the change of the sine of half the angle (Bridson et al. 2003); soft where it is folded far",
        formula: "k (4 (cos(Theta/2) - cos(theta/2)) - 2 (theta - Theta) sin(Theta/2))",
        // With d the change, cos(Theta/2) - cos(theta/2) = 2 sin((theta + Theta)/4) sin(d/4).
        energy: |k, angle, change| {
            let (rest, quarter) = (angle - change, 0.25 * change);
            let middle = 0.25 * (angle + rest);
            // 8 sin(middle) sin(quarter) - 8 quarter sin(rest/2), without what cancels.
            k * 8.0 * (middle.sin() * sine_less(quarter) + quarter * 2.0 * (0.5 * (rest + quarter)).cos() * (0.5 * quarter).sin())
        },
        moment: |k, angle, change| 4.0 * k * (0.5 * angle - 0.25 * change).cos() * (0.25 * change).sin(),
        slope: |k, angle, _| k * (0.5 * angle).cos(),
        is_quadratic: false,
        change: |k, angle, moment, most| {
            // sin(Theta/2) = sin(theta/2) - M/(2 k).
            let made = |change: f64| 4.0 * (0.5 * angle - 0.25 * change).cos() * (0.25 * change).sin();
            let (wanted, end) = (moment / k, most * moment.signum());
            // The moment grows with the change as long as the rest angle is within a half turn.
            let end = end.clamp(angle - std::f64::consts::PI, angle + std::f64::consts::PI);
            if wanted.abs() > made(end).abs() {
                return Err((made(end) / wanted).abs());
            }
            let rest = 2.0 * ((0.5 * angle).sin() - 0.5 * wanted).clamp(-1.0, 1.0).asin();
            // Newton's method: the digits of a small change.
            let polish = |change: f64| change - (made(change) - wanted) / (0.5 * (angle - change)).cos().max(1e-3);
            Ok(polish(polish(angle - rest)))
        },
    },
];

/// sin(x) - x, accurate where x is small.
fn sine_less(x: f64) -> f64 {
    if x.abs() > 0.3 {
        return x.sin() - x;
    }
    let square = x * x;
    -x * square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0 * (1.0 - square / 110.0))))
}

/// The law of that name.
pub fn hinge_law(name: &str) -> Option<&'static HingeLaw> {
    HINGE_LAWS.iter().find(|law| law.name == name)
}
