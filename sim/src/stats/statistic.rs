//! [`Statistic`]: one number of a step, with all that tables, recordings, reports and plots need of it.

use super::chart::{Chart, Curve, Hue};
use crate::step::StepStats;

/// One number of a step.
#[derive(Debug)]
pub struct Statistic {
    /// Name.
    pub name: &'static str,
    /// Unit; empty for none.
    pub unit: &'static str,
    /// What it is, in a line.
    pub doc: &'static str,
    /// How it is read from a step, and put back.
    pub value: Value,
    /// Key in the series of reports, with a dot before that of an object inside; numbers in succession with one key are a vector. `None`
    /// for what reports do without.
    pub report: Option<&'static str>,
    /// How it is drawn; `None` for what is not.
    pub curve: Option<Curve>,
}

impl Statistic {
    /// A number that is in reports under its name, and not drawn.
    pub const fn new(name: &'static str, unit: &'static str, doc: &'static str, value: Value) -> Self {
        Self { name, unit, doc, value, report: Some(name), curve: None }
    }

    /// Drawn in `chart`.
    pub const fn plotted(self, chart: &'static Chart, label: &'static str, hue: Hue) -> Self {
        Self { curve: Some(Curve { chart, label, hue }), ..self }
    }

    /// Under this key of reports, and not under its name.
    pub const fn reported_as(self, key: &'static str) -> Self {
        Self { report: Some(key), ..self }
    }

    /// Not in the series of reports.
    pub const fn not_reported(self) -> Self {
        Self { report: None, ..self }
    }

    /// Its value in a step.
    pub fn of(&self, step: &StepStats) -> f64 {
        (self.value.get)(step)
    }

    /// Name with unit, as it stands over columns: no other statistic has the same.
    pub fn head(&self) -> String {
        if self.unit.is_empty() { self.name.to_owned() } else { format!("{} [{}]", self.name, self.unit) }
    }
}

/// How a number is read from a step, and put back into one.
#[derive(Debug, Clone, Copy)]
pub struct Value {
    /// Reads it.
    pub get: fn(&StepStats) -> f64,
    /// Puts it back; `None` for what follows from other numbers.
    pub set: Option<fn(&mut StepStats, f64)>,
    /// Whether it is counted.
    pub is_count: bool,
}

impl Value {
    /// A number that follows from others.
    pub const fn derived(get: fn(&StepStats) -> f64) -> Self {
        Self { get, set: None, is_count: false }
    }
}

/// A type that fields of a step have.
pub trait Number: Copy {
    /// Whether it is for what is counted.
    const IS_COUNT: bool;
    /// As a plain number.
    fn number(self) -> f64;
    /// From a plain number.
    fn of(number: f64) -> Self;
}

impl Number for f64 {
    const IS_COUNT: bool = false;
    fn number(self) -> f64 {
        self
    }
    fn of(number: f64) -> Self {
        number
    }
}

impl Number for u32 {
    const IS_COUNT: bool = true;
    fn number(self) -> f64 {
        self.into()
    }
    /// What was counted comes back; the conversion saturates on anything else.
    fn of(number: f64) -> Self {
        number as u32
    }
}

/// Whether what the getter of a field gives is counted.
pub const fn is_count<T: Number>(_: fn(&StepStats) -> T) -> bool {
    T::IS_COUNT
}

/// The [`Value`] of a field of [`StepStats`].
macro_rules! field {
    ($($path:ident).+) => {
        $crate::stats::statistic::Value {
            get: |step| $crate::stats::statistic::Number::number(step.$($path).+),
            set: Some(|step, number| step.$($path).+ = $crate::stats::statistic::Number::of(number)),
            is_count: $crate::stats::statistic::is_count(|step| step.$($path).+),
        }
    };
}
pub(super) use field;
