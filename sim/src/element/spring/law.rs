//! [`SPRING_LAWS`]: the tension of a spring by its length. Each law makes its tension from the modulus M, the length l and the rest
//! length L, of which the elongation e = l - L is given beside l: in the difference of the two a stiff spring would lose its digits.

/// A spring at some length.
#[derive(Debug, Clone, Copy)]
pub struct Stretch {
    /// Length l [m].
    pub length: f64,
    /// Elongation e [m]: length over the rest length.
    pub elongation: f64,
}

impl Stretch {
    /// Rest length L [m].
    pub fn rest_length(&self) -> f64 {
        self.length - self.elongation
    }
}

/// A law by name.
#[derive(Debug)]
pub struct SpringLaw {
    /// Name in scenes.
    pub name: &'static str,
    /// Name for people.
    pub label: &'static str,
    /// One line for people.
    pub doc: &'static str,
    /// The energy, as `docs/laws.md` writes it.
    pub formula: &'static str,
    /// Whether the modulus is a force [N] (the stiffness of a length of one metre) and not a stiffness [N/m].
    pub modulus_is_force: bool,
    /// Energy [J].
    pub energy: fn(f64, &Stretch) -> f64,
    /// Tension T, the slope of the energy over the length [N].
    pub tension: fn(f64, &Stretch) -> f64,
    /// Slope of the tension over the length [N/m].
    pub slope: fn(f64, &Stretch) -> f64,
    /// What of the slope is left where the term of the Hessian that is negative in compression is left out [N/m].
    pub slope_without_compression: fn(f64, &Stretch) -> f64,
    /// Stiffness at small strain of a spring of this length [N/m].
    pub stiffness: fn(f64, f64) -> f64,
    /// The constraint C with the energy C^2 / (2 alpha), and its slope over the length.
    pub constraint: fn(&Stretch) -> [f64; 2],
    /// Its compliance alpha by modulus and rest length.
    pub compliance: fn(f64, f64) -> f64,
    /// The elongation at which a spring of this length, if its rest length is chosen so, has a tension; or, if no positive rest length
    /// gives it, the share of the tension that is the bound of those that can be had (Hsu et al. 2022, 4.1).
    pub elongation: fn(f64, f64, f64) -> Result<f64, f64>,
}

/// Every law; the first is the default.
pub static SPRING_LAWS: &[SpringLaw] = &[
    SpringLaw {
        name: "hooke",
        label: "Hooke",
        doc: "tension proportional to the elongation",
        formula: "M/2 (l - L)^2",
        modulus_is_force: false,
        energy: |m, s| 0.5 * m * s.elongation * s.elongation,
        tension: |m, s| m * s.elongation,
        slope: |m, _| m,
        slope_without_compression: |m, _| m,
        stiffness: |m, _| m,
        constraint: |s| [s.elongation, 1.0],
        compliance: |m, _| 1.0 / m,
        elongation: |m, length, tension| {
            let elongation = tension / m;
            if elongation < length { Ok(elongation) } else { Err(length / elongation) }
        },
    },
    SpringLaw {
        name: "strain",
        label: "By strain",
        doc: "tension proportional to the strain: as of a wire of stiffness E A, however long its pieces are",
        formula: "M/2 L (l/L - 1)^2",
        modulus_is_force: true,
        energy: |m, s| 0.5 * m * s.elongation * s.elongation / s.rest_length(),
        tension: |m, s| m * s.elongation / s.rest_length(),
        slope: |m, s| m / s.rest_length(),
        slope_without_compression: |m, s| m / s.rest_length(),
        stiffness: |m, length| m / length,
        constraint: |s| [s.elongation, 1.0],
        compliance: |m, rest| rest / m,
        elongation: |m, length, tension| {
            let strain = tension / m;
            if strain > -1.0 { Ok(length * strain / (1.0 + strain)) } else { Err(-1.0 / strain) }
        },
    },
    SpringLaw {
        name: "quadratic",
        label: "Quadratic strain",
        doc: "by the square of the length, smooth where a spring turns over; four times as stiff as its modulus at small strain",
        formula: "M/2 L^2 (l^2/L^2 - 1)^2",
        modulus_is_force: false,
        energy: |m, s| 0.5 * m * (s.rest_length() * quadratic_strain(s)).powi(2),
        tension: |m, s| 2.0 * m * s.length * quadratic_strain(s),
        slope: |m, s| 2.0 * m * (3.0 * quadratic_strain(s) + 2.0),
        slope_without_compression: |m, s| 4.0 * m * (quadratic_strain(s) + 1.0),
        stiffness: |m, _| 4.0 * m,
        constraint: |s| [s.rest_length() * quadratic_strain(s), 2.0 * s.length / s.rest_length()],
        compliance: |m, _| 1.0 / m,
        elongation: |m, length, tension| {
            // l^2 / L^2 = 1 + t.
            let t = tension / (2.0 * m * length);
            let root = (1.0 + t).sqrt();
            if t > -1.0 { Ok(length * t / (root * (root + 1.0))) } else { Err(-1.0 / t) }
        },
    },
];

/// l^2 / L^2 - 1 (Li et al. 2024, 4.3).
fn quadratic_strain(s: &Stretch) -> f64 {
    let rest = s.rest_length();
    s.elongation * (s.length + rest) / (rest * rest)
}

/// Name of the law of springs for which none is named.
pub fn first_law() -> String {
    SPRING_LAWS[0].name.into()
}

/// Puts the names of the laws into the schema of a string.
pub fn list_laws(schema: &mut schemars::Schema) {
    schema.insert("enum".into(), SPRING_LAWS.iter().map(|law| law.name).collect::<Vec<_>>().into());
    let told: Vec<_> = SPRING_LAWS.iter().map(|law| format!("{}: {}. {}", law.label, law.doc, law.formula)).collect();
    schema.insert("enumDescriptions".into(), told.into());
    schema.insert("x-labels".into(), SPRING_LAWS.iter().map(|law| law.label).collect::<Vec<_>>().into());
}

/// The law of that name.
pub fn spring_law(name: &str) -> Option<&'static SpringLaw> {
    SPRING_LAWS.iter().find(|law| law.name == name)
}
