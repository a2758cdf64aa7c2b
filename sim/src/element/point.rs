//! A material point: a share of a body's volume with a deformation gradient of its own, which moves with a grid.
//!
//! Its forces act on the nodes of the grid around it and not on the point, so that on its own node it makes none: a balance on the grid
//! finds its stress and the stepper of the grid moves it, with gradients that change from step to step. What the element has is its law,
//! and its rest state: F in the given shape, where its volume is V, and with it the volume at rest V0 = V / det F. The Cauchy stress there
//! is one of the six numbers of every other solid, and the local stage the same (Hsu et al. 2022, 4.3.1, eq. 22-24).

use std::sync::Arc;

use super::tet::{STRESS_ENTRIES, isotropic_weight, weighing_lame};
use super::{Element, Fact, FamilyKind, Unattainable, solid_fields};
use crate::material::inverse::strains_from_cauchy;
use crate::material::principal::{self, Principal, cauchy, symmetric_from};
use crate::material::yields::YieldSurface;
use crate::material::{Lame, Material};
use crate::math::{Mat3, Vec3, symmetric_eigen};

/// A material point.
#[derive(Debug, Clone)]
pub struct MaterialPoint {
    /// Its law, which sees no rotations.
    pub material: Arc<dyn Material>,
    /// Volume in the given shape, V [m^3].
    pub volume: f64,
    /// Volume at rest, V0 = V / det F [m^3].
    pub rest_volume: f64,
    /// F - I in the given shape.
    pub given_gradient: Mat3,
    /// Factor on the authored stiffness: on energy, stress and their derivatives.
    pub stiffening: f64,
    /// Where it flows; its law then is Hencky's.
    pub yields: Option<YieldSurface>,
    /// Viscosity [Pa s].
    pub viscosity: f64,
    /// Where it is in the given shape [m]: elsewhere its deformation is known to the state alone.
    given: Vec3,
}

impl MaterialPoint {
    /// A point that is undeformed at `x` [m], where it has this volume [m^3].
    ///
    /// # Errors
    /// [`Unattainable::Degenerate`] where the volume is not positive.
    pub fn new(material: Arc<dyn Material>, volume: f64, x: Vec3) -> Result<Self, Unattainable> {
        if !(volume > 0.0 && volume.is_finite()) {
            return Err(Unattainable::Degenerate);
        }
        Ok(Self {
            material,
            volume,
            rest_volume: volume,
            given_gradient: Mat3::zeros(),
            stiffening: 1.0,
            yields: None,
            viscosity: 0.0,
            given: x,
        })
    }

    /// Kirchhoff stress tau = J sigma = P F^T of the displacement gradient `g` = F - I [Pa], symmetric to the last bit. V0 tau is what its
    /// forces on the grid are made of.
    pub fn kirchhoff(&self, g: &Mat3) -> Mat3 {
        self.stiffening * self.material.kirchhoff_of(g)
    }

    /// Cauchy stress of the displacement gradient `g` [Pa].
    pub fn cauchy_stress(&self, g: &Mat3) -> Mat3 {
        self.stiffening * cauchy(&*self.material, g, &Mat3::zeros())
    }

    /// Energy that the displacement gradient `g` stores [J].
    pub fn energy_of(&self, g: &Mat3) -> f64 {
        self.stiffening * self.rest_volume * principal::energy(&*self.material, g, &Mat3::zeros())
    }

    /// The stiffest modulus against small strains on top of the displacement gradient `g`, over the rest density what the square of the speed
    /// of waves is [Pa]: the largest of l_k^2 psi_kk by stretches l, and that of the law at rest where it is more.
    pub fn wave_modulus(&self, g: &Mat3) -> f64 {
        let Lame { mu, lambda } = self.material.lame();
        let strain = Principal::of(g).strain;
        let hessian = self.material.hessian(&strain);
        let along = |k: usize| (1.0 + strain[k]).powi(2) * hessian[(k, k)];
        self.stiffening * (0..3).map(along).fold(lambda + 2.0 * mu, f64::max)
    }

    /// The moduli, with the factor on them.
    pub fn stiffened_lame(&self) -> Lame {
        let Lame { mu, lambda } = self.material.lame();
        Lame { mu: self.stiffening * mu, lambda: self.stiffening * lambda }
    }

    /// Where the displacement gradient `g` flows to, and the logarithm of the volume that grains have gained, which was `gained` before; `None` where
    /// both stay.
    pub fn flowed(&self, g: &Mat3, gained: f64) -> Option<(Mat3, f64)> {
        let surface = self.yields?;
        let frame = Principal::of(g);
        let (logarithms, gained) = surface.back(&self.stiffened_lame(), &frame.strain.map(f64::ln_1p), gained)?;
        // U diag(1 + e) V^T - I with what is small kept: R - I + U diag(e) V^T.
        Some((frame.turn(g) + frame.compose(&logarithms.map(f64::exp_m1)), gained))
    }

    /// The displacement gradient where it was `g` and everything around moves on by `change` (h C), and what grains have gained, which was `gained`.
    /// Of a liquid only the volume counts, and what changes that is the trace: a rotation, which is no more than linear in a part of a step, would swell it.
    pub fn moved(&self, g: &Mat3, change: &Mat3, gained: f64) -> (Mat3, f64) {
        if self.material.liquid().is_none() {
            let trial = g + change + change * g;
            return self.flowed(&trial, gained).unwrap_or((trial, gained));
        }
        let growth = change.trace();
        if growth == 0.0 {
            return (*g, gained);
        }
        let third = g[(0, 0)].ln_1p() + growth.ln_1p() / 3.0;
        (Mat3::from_diagonal_element(third.exp_m1()), gained)
    }

    /// Kirchhoff stress of viscosity where the velocity changes by `rate` around [Pa].
    pub fn viscous(&self, g: &Mat3, rate: &Mat3) -> Mat3 {
        let strain = 0.5 * (rate + rate.transpose());
        let ratio = (g + Mat3::identity()).determinant();
        2.0 * self.viscosity * ratio * (strain - Mat3::from_diagonal_element(strain.trace() / 3.0))
    }

    /// The moduli that stresses are weighed with where a balance is looked for.
    pub fn weighing_lame(&self) -> Lame {
        let lame = self.material.lame();
        if self.material.liquid().is_some() { lame } else { weighing_lame(&lame) }
    }

    /// What can be looked at where the displacement gradient is `g`: a value for each field of its kind.
    pub fn fields_of(&self, g: &Mat3) -> [f64; 6] {
        solid_fields::values(&self.cauchy_stress(g), (g + Mat3::identity()).determinant())
    }

    /// F - I in the given shape for a Cauchy stress s there: symmetric, with the eigenvectors of the stress, as a rotation of the rest state changes
    /// nothing.
    fn rest_for(&self, s: &[f64; 6]) -> Result<Mat3, Unattainable> {
        let mut stress = Mat3::zeros();
        for (&(row, column), value) in STRESS_ENTRIES.iter().zip(s) {
            stress[(row, column)] = *value;
            stress[(column, row)] = *value;
        }
        if let Some(liquid) = self.material.liquid() {
            let pressure = -stress.trace() / (3.0 * self.stiffening);
            let volume = liquid.volume_under(pressure).ok_or(Unattainable::TooSoft { attainable_share: -liquid.stiffness / pressure })?;
            return Ok(Mat3::from_diagonal_element((volume / 3.0).exp_m1()));
        }
        let principal = symmetric_eigen(&stress);
        let strain = strains_from_cauchy(&*self.material, &(principal.values / self.stiffening))?;
        Ok(symmetric_from(&principal.vectors, &strain))
    }

    fn take(&mut self, given_gradient: Mat3) {
        self.given_gradient = given_gradient;
        self.rest_volume = self.volume / (given_gradient + Mat3::identity()).determinant();
    }

    /// F - I at `x`; not a number where only a state knows.
    fn gradient_at(&self, x: &Vec3) -> Mat3 {
        if *x == self.given { self.given_gradient } else { Mat3::repeat(f64::NAN) }
    }
}

/// The family of material points. The rest state is F - I in the given shape, column by column, the volume at rest, and the factor on the
/// stiffness.
static KIND: FamilyKind = FamilyKind { name: "material points", rest_numbers: 11, fields: &solid_fields::KINDS };

impl Element<1, 6> for MaterialPoint {
    fn kind() -> &'static FamilyKind {
        &KIND
    }

    /// That of the given shape.
    fn energy(&self, _: &[Vec3; 1]) -> f64 {
        self.energy_of(&self.given_gradient)
    }

    fn gradient(&self, _: &[Vec3; 1]) -> [Vec3; 1] {
        [Vec3::zeros()]
    }

    fn hessian(&self, _: &[Vec3; 1], _: bool) -> [[Mat3; 1]; 1] {
        [[Mat3::zeros()]]
    }

    /// The six entries of the Cauchy stress in the given shape make no force on the point itself.
    fn force_basis(&self, _: &[Vec3; 1]) -> [[Vec3; 1]; 6] {
        [[Vec3::zeros()]; 6]
    }

    fn inverse_weight(&self, _: &[Vec3; 1]) -> [[f64; 6]; 6] {
        isotropic_weight(&self.material.lame(), 1.0 / self.volume)
    }

    fn force_coordinates(&self, _: &[Vec3; 1]) -> [f64; 6] {
        let stress = self.cauchy_stress(&self.given_gradient);
        STRESS_ENTRIES.map(|(row, column)| stress[(row, column)])
    }

    fn with_rest_for(&self, x: &[Vec3; 1], s: &[f64; 6]) -> Result<Self, Unattainable> {
        let mut fitted = self.clone();
        fitted.fit_rest(x, s)?;
        Ok(fitted)
    }

    fn at_rest(&self, x: &[Vec3; 1]) -> Result<Self, Unattainable> {
        Ok(Self {
            stiffening: self.stiffening,
            yields: self.yields,
            viscosity: self.viscosity,
            ..Self::new(self.material.clone(), self.volume, x[0])?
        })
    }

    // In place: threads that count the users of one law up and down get in each other's way.

    fn fit_rest(&mut self, x: &[Vec3; 1], s: &[f64; 6]) -> Result<(), Unattainable> {
        let gradient = self.rest_for(s)?;
        self.given = x[0];
        self.take(gradient);
        Ok(())
    }

    fn reset_rest(&mut self, x: &[Vec3; 1]) -> Result<(), Unattainable> {
        self.given = x[0];
        self.take(Mat3::zeros());
        Ok(())
    }

    /// None: points lose energy to their grid by the transfer alone.
    fn damping(&self) -> f64 {
        0.0
    }

    fn set_damping(&mut self, _: f64) {}

    fn bulk(&self, _: &[Vec3; 1]) -> f64 {
        self.volume
    }

    fn stiffening(&self) -> f64 {
        self.stiffening
    }

    fn stiffened(&self, factor: f64) -> Self {
        Self { stiffening: factor, ..self.clone() }
    }

    fn stiffen(&mut self, factor: f64) {
        self.stiffening = factor;
    }

    fn fields(&self, x: &[Vec3; 1], values: &mut [f64]) {
        let gradient = self.gradient_at(&x[0]);
        values.copy_from_slice(&if gradient[(0, 0)].is_nan() { [f64::NAN; 6] } else { self.fields_of(&gradient) });
    }

    fn facts(&self, x: &[Vec3; 1]) -> Vec<Fact> {
        let gradient = self.gradient_at(&x[0]);
        if gradient[(0, 0)].is_nan() {
            return Vec::new();
        }
        solid_fields::facts(&*self.material, &gradient, &self.cauchy_stress(&gradient), self.volume)
    }

    fn rest_numbers(&self, numbers: &mut [f64]) {
        numbers[..9].copy_from_slice(self.given_gradient.as_slice());
        [numbers[9], numbers[10]] = [self.rest_volume, self.stiffening];
    }

    fn set_rest_numbers(&mut self, numbers: &[f64]) {
        self.given_gradient = Mat3::from_column_slice(&numbers[..9]);
        [self.rest_volume, self.stiffening] = [numbers[9], numbers[10]];
    }

    fn given_at(&mut self, x: &[Vec3; 1]) {
        self.given = x[0];
    }

    fn volume_ratio(&self, x: &[Vec3; 1]) -> Option<f64> {
        Some((self.gradient_at(&x[0]) + Mat3::identity()).determinant())
    }

    fn rest_volume(&self) -> Option<f64> {
        Some(self.rest_volume)
    }

    fn without_compliance() -> &'static str {
        "material points move with a grid; set \"stepper\" to \"mpm\""
    }

    fn max_step(&self, _: &[Vec3; 1], _: &[Vec3; 1]) -> f64 {
        1.0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::contract::{self, Scale};
    use super::*;
    use crate::material::{Frame, MATERIALS};
    use crate::math::random::Random;

    const YOUNG: f64 = 2e5;
    const VOLUME: f64 = 2e-6;

    /// A point that is deformed by G at `x`.
    fn deformed(material: &Arc<dyn Material>, x: Vec3, g: Mat3) -> MaterialPoint {
        let mut point = MaterialPoint::new(material.clone(), VOLUME, x).unwrap();
        point.take(g);
        point
    }

    #[test]
    fn points_keep_the_contract() {
        let mut random = Random::new(4);
        for law in MATERIALS {
            let material = (law.build)(YOUNG, 0.3);
            if material.frame() != Frame::Current {
                continue;
            }
            for _ in 0..20 {
                let x = [random.vector(-1.0, 1.0)];
                let point = deformed(&material, x[0], random.matrix(-0.08, 0.08));
                let scale = Scale { length: VOLUME.cbrt(), stiffness: YOUNG * VOLUME.cbrt() };
                contract::check_derivatives(&point, &x, &scale, law.name);
                contract::check_coordinates(&point, &x, &scale, law.name);
                contract::check_rest_fit(&point, &x, &scale, law.name).unwrap();
            }
        }
    }

    /// V0 tau is the derivative of the energy where F becomes (I + t D) F, and what fits a stress has that stress and the given volume.
    #[test]
    fn stresses_are_those_of_the_energy_and_are_fitted() {
        let mut random = Random::new(9);
        for law in MATERIALS {
            let material = (law.build)(YOUNG, 0.3);
            if material.frame() != Frame::Current {
                continue;
            }
            for size in [0.1, 1e-7] {
                let g = random.matrix(-size, size);
                let point = deformed(&material, Vec3::zeros(), g);
                let direction = random.matrix(-1.0, 1.0);
                let moved = |t: f64| point.energy_of(&(g + t * direction * (Mat3::identity() + g)));
                let step = 1e-4 * size;
                let slope = (moved(step) - moved(-step)) / (2.0 * step);
                let expected = point.rest_volume * point.kirchhoff(&g).dot(&direction);
                assert!((slope - expected).abs() < 1e-6 * YOUNG * VOLUME * size, "{}: {slope} {expected}", law.name);
                let (tau, f) = (point.kirchhoff(&g), g + Mat3::identity());
                assert!((tau / f.determinant() - point.cauchy_stress(&g)).amax() < 1e-13 * YOUNG * size, "{}", law.name);

                let s = point.force_coordinates(&[Vec3::zeros()]);
                let fitted = point.at_rest(&[Vec3::zeros()]).unwrap().with_rest_for(&[Vec3::zeros()], &s).unwrap();
                let found = fitted.force_coordinates(&[Vec3::zeros()]);
                let error = s.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(error < 1e-12 * YOUNG * size, "{} {size}: {error:e}", law.name);
                let volume = fitted.rest_volume * (fitted.given_gradient + Mat3::identity()).determinant();
                assert!((volume / VOLUME - 1.0).abs() < 1e-14);
            }
        }
    }

    /// A wave in a pre-stretched point: the curvature of the energy along its stiffest principal direction.
    #[test]
    fn the_wave_modulus_is_the_curvature_of_the_energy() {
        let material = (MATERIALS[0].build)(YOUNG, 0.3);
        let g = Mat3::from_diagonal(&Vec3::new(0.3, -0.1, 0.05));
        let point = deformed(&material, Vec3::zeros(), g);
        let f = g + Mat3::identity();
        let along = |k: usize| {
            let direction = Mat3::from_diagonal(&Vec3::ith(k, 1.0));
            let at = |t: f64| point.energy_of(&(g + t * direction * f)) / point.rest_volume;
            (at(1e-4) + at(-1e-4) - 2.0 * at(0.0)) / 1e-8
        };
        let expected = (0..3).map(along).fold(0.0, f64::max);
        assert!((point.wave_modulus(&g) / expected - 1.0).abs() < 1e-5, "{} {expected}", point.wave_modulus(&g));
        let soft = Mat3::from_diagonal(&Vec3::repeat(0.3));
        let Lame { mu, lambda } = material.lame();
        assert!(point.wave_modulus(&soft) >= lambda + 2.0 * mu);
    }

    /// What flows does so alike however it is turned, once, and gives back what its grains gained.
    #[test]
    fn flowing_does_not_see_rotations() {
        let mut random = Random::new(12);
        let material = (crate::material::law("hencky").unwrap().build)(YOUNG, 0.3);
        let mut point = MaterialPoint::new(material, VOLUME, Vec3::zeros()).unwrap();
        point.yields = Some(YieldSurface::drucker_prager(30.0, 50.0));
        let identity = Mat3::identity();
        let mut flowed = 0;
        for _ in 0..200 {
            let (f, turn) = (identity + random.matrix(-0.05, 0.05), random.rotation());
            let Some((g, gained)) = point.flowed(&(f - identity), 0.0) else { continue };
            let (turned, again) = point.flowed(&(turn * f - identity), 0.0).unwrap();
            assert!((turned + identity - turn * (g + identity)).amax() < 1e-13 && (gained - again).abs() < 1e-13);
            assert_eq!((point.flowed(&g, 0.0), point.flowed(&turned, 0.0)), (None, None));
            flowed += 1;
        }
        assert!(flowed > 50, "{flowed}");
        let (torn, gained) = point.moved(&Mat3::zeros(), &Mat3::from_diagonal_element(0.02), 0.0);
        let (back, left) = point.moved(&torn, &Mat3::from_diagonal_element(-0.02), gained);
        assert!(gained > 0.05 && left == 0.0 && (torn.trace() + 0.02).abs() > 0.01);
        assert!((back + identity).determinant() < 1.0 && (back + identity).determinant() > 0.99, "{back}");
    }

    /// A liquid that turns keeps its volume, and one that is drawn out and pressed together has it back.
    #[test]
    fn liquids_know_their_volume_alone() {
        let liquid = crate::material::liquid::Liquid { stiffness: YOUNG, exponent: 7.0 };
        let point = MaterialPoint::new(Arc::new(liquid), VOLUME, Vec3::zeros()).unwrap();
        let given = Mat3::from_diagonal_element(-0.003);
        let turned = (0..1000).fold(given, |g, _| point.moved(&g, &(0.01 * Vec3::new(1.0, 2.0, 0.5).cross_matrix()), 0.0).0);
        assert_eq!(turned, given);
        let sheared = point.moved(&given, &Mat3::from_diagonal(&Vec3::new(0.1, -0.1, 0.0)), 0.0).0;
        assert_eq!(sheared, given);
        let grown = point.moved(&given, &Mat3::from_diagonal(&Vec3::new(0.1, 0.0, 0.0)), 0.0).0;
        let ratio = |g: &Mat3| (g + Mat3::identity()).determinant();
        assert!((ratio(&grown) / ratio(&given) - 1.1).abs() < 1e-14 && grown[(0, 0)] == grown[(2, 2)]);
        let s = point.force_coordinates(&[Vec3::zeros()]);
        assert_eq!(s, [0.0; 6]);
        let pressed = point.with_rest_for(&[Vec3::zeros()], &[-3e3, -3e3, -3e3, 0.0, 0.0, 0.0]).unwrap();
        assert!((pressed.cauchy_stress(&pressed.given_gradient) + Mat3::from_diagonal_element(3e3)).amax() < 1e-9);
        assert!(point.with_rest_for(&[Vec3::zeros()], &[2.0 * YOUNG, 2.0 * YOUNG, 2.0 * YOUNG, 0.0, 0.0, 0.0]).is_err());
    }

    #[test]
    fn what_only_a_state_knows_is_no_number() {
        let material = (MATERIALS[0].build)(YOUNG, 0.3);
        let point = deformed(&material, Vec3::zeros(), 0.1 * Mat3::identity());
        let mut values = [0.0; 6];
        point.fields(&[Vec3::zeros()], &mut values);
        assert!((values[0] - 1.331).abs() < 1e-12 && values.iter().all(|value| value.is_finite()));
        point.fields(&[Vec3::x()], &mut values);
        assert!(values.iter().all(|value| value.is_nan()) && point.facts(&[Vec3::x()]).is_empty());
        assert!(MaterialPoint::new(material, 0.0, Vec3::zeros()).is_err());
    }
}
