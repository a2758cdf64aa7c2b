//! Neo-Hookean in the plane: resists being squeezed to nothing.

use super::{MembraneLaw, Moduli};
use crate::math::{Mat3, Vec3};

/// mu/2 (tr C - 2) - mu ln J + lambda/2 (ln J)^2 with the Lamé constants of plane stress and C = I + 2 E.
#[derive(Debug)]
pub struct NeoHookean;

/// What the law looks at.
struct State {
    /// C^-1 as (11, 22, 12).
    inverse: Vec3,
    /// ln J.
    log: f64,
}

/// det C - 1.
fn excess([a, b, g]: [f64; 3]) -> f64 {
    2.0 * (a + b) + 4.0 * a * b - g * g
}

impl State {
    /// `None` where the area is nothing or turned over.
    fn of(strain: &Vec3) -> Option<Self> {
        let [a, b, g] = (*strain).into();
        let excess = excess([a, b, g]);
        let det = 1.0 + excess;
        let inverse = Vec3::new(1.0 + 2.0 * b, 1.0 + 2.0 * a, -g) / det;
        (det > 0.0).then(|| Self { inverse, log: 0.5 * excess.ln_1p() })
    }
}

/// ln(1 + d) - d, accurate where d is small.
fn log_less(d: f64) -> f64 {
    if d.abs() > 0.05 {
        return d.ln_1p() - d;
    }
    // -d^2/2 + d^3/3 - ...; twelve terms leave less than rounding does.
    let series = (2..14).rev().fold(0.0, |sum, k| (if k % 2 == 0 { -1.0 } else { 1.0 }) / f64::from(k) + d * sum);
    d * d * series
}

impl MembraneLaw for NeoHookean {
    fn name(&self) -> &'static str {
        "neo_hookean"
    }
    fn label(&self) -> &'static str {
        "Neo-Hookean"
    }
    fn doc(&self) -> &'static str {
        "rubber: resists being squeezed to nothing"
    }
    fn formula(&self) -> &'static str {
        "mu/2 (tr C - 2) - mu ln J + lambda/2 (ln J)^2"
    }
    fn energy(&self, moduli: &Moduli, strain: &Vec3) -> f64 {
        let Some(State { log, .. }) = State::of(strain) else { return f64::INFINITY };
        let ([mu, lambda], [a, b, g]) = (moduli.lame(), (*strain).into());
        // a + b - ln J without the terms that cancel.
        let rest = -2.0 * a * b + 0.5 * g * g - 0.5 * log_less(excess([a, b, g]));
        mu * rest + 0.5 * lambda * log * log
    }
    fn stress(&self, moduli: &Moduli, strain: &Vec3) -> Vec3 {
        let Some(State { inverse, log }) = State::of(strain) else { return Vec3::repeat(f64::NAN) };
        let ([mu, lambda], [a, b, g]) = (moduli.lame(), (*strain).into());
        let [c11, c22, c12] = inverse.into();
        // I - C^-1 = C^-1 2 E.
        let eased = Vec3::new(2.0 * c11 * a + c12 * g, 2.0 * c22 * b + c12 * g, c11 * g + 2.0 * c12 * b);
        mu * eased + lambda * log * inverse
    }
    fn tangent(&self, moduli: &Moduli, strain: &Vec3) -> Mat3 {
        let Some(State { inverse, log }) = State::of(strain) else { return Mat3::repeat(f64::NAN) };
        let [mu, lambda] = moduli.lame();
        let [a, b, c] = inverse.into();
        let (ac, bc, shear) = (a * c, b * c, 0.5 * (a * b + c * c));
        let twice = Mat3::new(a * a, c * c, ac, c * c, b * b, bc, ac, bc, shear);
        2.0 * (mu - lambda * log) * twice + lambda * inverse * inverse.transpose()
    }
}
