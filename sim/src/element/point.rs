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
use crate::material::yields::{ROUND_OFF, YieldSurface};
use crate::material::{Lame, Material};
use crate::math::{Mat3, Vec3, symmetric_eigen};

/// Shear modulus that a deviator which a liquid keeps is weighed with, over the stiffness against changes of volume: the stiffer, the larger deviators are.
const KEPT_SHEAR: f64 = 1e-4;
/// Share of a volume that is round-off.
const ROUNDED_VOLUME: f64 = 1e-9;

/// A deviator that a liquid keeps on top of its pressure until it has sheared, as a Bingham fluid would: what pressures alone do not balance of
/// points that lie in no lattice.
#[derive(Debug, Clone)]
pub struct Kept {
    /// Shear at which it is let go, for good.
    pub until: f64,
    /// Of the Cauchy stress in the given shape [Pa].
    pub deviator: Mat3,
}

/// A material point.
#[derive(Debug, Clone)]
pub struct MaterialPoint {
    /// Its law, which sees no rotations.
    pub material: Arc<dyn Material>,
    /// Whether that is one of liquids.
    is_liquid: bool,
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
    /// What it keeps, if it is a liquid that does.
    pub kept: Option<Box<Kept>>,
    /// Whether its volume changes by the mean of all such points in its cell of the grid.
    pub shares_volume: bool,
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
            is_liquid: material.liquid().is_some(),
            material,
            volume,
            rest_volume: volume,
            given_gradient: Mat3::zeros(),
            stiffening: 1.0,
            yields: None,
            viscosity: 0.0,
            kept: None,
            shares_volume: false,
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

    /// The same point as one that keeps a deviator up to this shear, none yet.
    pub fn keeping(&self, until: f64) -> Self {
        Self { kept: Some(Box::new(Kept { until, deviator: Mat3::zeros() })), ..self.clone() }
    }

    /// The same, but that it never yields.
    pub fn firm(&self) -> Self {
        Self { yields: None, ..self.clone() }
    }

    /// Whether it bears this Cauchy stress with a share of its strength, before it flows.
    pub fn bears(&self, stress: &Mat3, share: f64) -> bool {
        let lame = self.stiffened_lame();
        let borne = |surface: &YieldSurface| surface.shared(share).bears(&lame, stress.trace()) + 2.0 * lame.mu * ROUND_OFF;
        self.yields.as_ref().is_none_or(|surface| deviator(stress).norm() <= borne(surface))
    }

    /// The share of its strength with which it bears this Cauchy stress, before it flows; infinite where none does, `None` where it never yields.
    pub fn wanted_share(&self, stress: &Mat3) -> Option<f64> {
        let surface = self.yields.as_ref()?;
        let (borne, size) = (surface.bears(&self.stiffened_lame(), stress.trace()), deviator(stress).norm());
        Some(if borne > 0.0 { size / borne } else { f64::INFINITY })
    }

    /// The size that its yield surface would have to have to bear this Cauchy stress [Pa]; `None` where it never yields.
    pub fn wanted_size(&self, stress: &Mat3) -> Option<f64> {
        self.yields.as_ref().map(|surface| surface.wanted_size(&self.stiffened_lame(), stress.trace(), deviator(stress).norm()))
    }

    /// Its volume under this Cauchy stress, over that at rest; `None` where it cannot make the stress.
    pub fn volume_ratio_under(&self, stress: &Mat3) -> Option<f64> {
        Some((self.rest_for(stress).ok()? + Mat3::identity()).determinant())
    }

    /// V times the deviator that a liquid still keeps which remembers so much [J]: forces on the grid are made of it as of V0 tau.
    pub fn holds(&self, memory: f64) -> Mat3 {
        match &self.kept {
            Some(kept) if memory <= kept.until => self.volume * kept.deviator,
            _ => Mat3::zeros(),
        }
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

    /// The displacement gradient where it was `g` and everything around moves on by `change` (h C), and what a law remembers beside it, which was `memory`: of
    /// grains the logarithm of the volume that they have gained, of a liquid that keeps a deviator how far it has sheared. Of a liquid only the volume counts, and what changes that is the trace: a rotation, which is no more than linear in a part of a step, would swell it.
    #[inline]
    pub fn moved(&self, g: &Mat3, change: &Mat3, memory: f64) -> (Mat3, f64) {
        if !self.is_liquid {
            let trial = g + change + change * g;
            return match self.yields {
                Some(_) => self.flowed(&trial, memory).unwrap_or((trial, memory)),
                None => (trial, memory),
            };
        }
        self.moved_as_liquid(g, change, memory)
    }

    fn moved_as_liquid(&self, g: &Mat3, change: &Mat3, memory: f64) -> (Mat3, f64) {
        let memory = if self.kept.is_some() { memory + deviator(change).norm() } else { memory };
        let growth = change.trace();
        if growth == 0.0 {
            return (*g, memory);
        }
        let third = g[(0, 0)].ln_1p() + growth.ln_1p() / 3.0;
        (Mat3::from_diagonal_element(third.exp_m1()), memory)
    }

    /// Kirchhoff stress of viscosity where the velocity changes by `rate` around [Pa].
    pub fn viscous(&self, g: &Mat3, rate: &Mat3) -> Mat3 {
        2.0 * self.viscosity * (g + Mat3::identity()).determinant() * deviator(rate)
    }

    /// The moduli that stresses are weighed with where a balance is looked for.
    pub fn weighing_lame(&self) -> Lame {
        let lame = self.material.lame();
        match self.material.liquid() {
            None => weighing_lame(&lame),
            Some(_) if self.kept.is_some() => Lame { mu: KEPT_SHEAR * lame.lambda, ..lame },
            Some(_) => lame,
        }
    }

    /// What can be looked at where the displacement gradient is `g` and the law remembers so much: a value for each field of its kind.
    pub fn fields_of(&self, g: &Mat3, memory: f64) -> [f64; 6] {
        let ratio = (g + Mat3::identity()).determinant();
        solid_fields::values(&(self.cauchy_stress(g) + self.holds(memory) / (self.rest_volume * ratio)), ratio)
    }

    /// F - I in the given shape for a Cauchy stress s there: symmetric, with the eigenvectors of the stress, as a rotation of the rest state changes
    /// nothing.
    fn rest_for(&self, stress: &Mat3) -> Result<Mat3, Unattainable> {
        if let Some(liquid) = self.material.liquid() {
            let pressure = -stress.trace() / (3.0 * self.stiffening);
            let volume = liquid.volume_under(pressure).ok_or(Unattainable::TooSoft { attainable_share: -liquid.stiffness / pressure })?;
            return Ok(Mat3::from_diagonal_element((volume / 3.0).exp_m1()));
        }
        let principal = symmetric_eigen(stress);
        let strain = strains_from_cauchy(&*self.material, &(principal.values / self.stiffening))?;
        Ok(symmetric_from(&principal.vectors, &strain))
    }

    fn keep(&mut self, deviator: Mat3) {
        if let Some(kept) = &mut self.kept {
            kept.deviator = deviator;
        }
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

/// The family of material points. The rest state is F - I in the given shape, column by column, the volume at rest, the factor on the
/// stiffness, and what is kept beside the pressure, [`STRESS_ENTRIES`] of a deviator.
static KIND: FamilyKind = FamilyKind { name: "material points", rest_numbers: 17, fields: &solid_fields::KINDS };

impl MaterialPoint {
    /// Whether these can be its rest numbers: a volume that the deformation makes the given one, and a factor on the stiffness.
    pub fn takes(&self, numbers: &[f64]) -> bool {
        let ratio = (Mat3::from_column_slice(&numbers[..9]) + Mat3::identity()).determinant();
        let [volume, stiffening] = [numbers[9], numbers[10]];
        volume > 0.0 && stiffening > 0.0 && (ratio * volume - self.volume).abs() <= ROUNDED_VOLUME * self.volume
    }
}

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
        let stress = self.cauchy_stress(&self.given_gradient) + self.holds(0.0) / self.volume;
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
            kept: self.kept.as_ref().map(|kept| Box::new(Kept { deviator: Mat3::zeros(), ..**kept })),
            shares_volume: self.shares_volume,
            ..Self::new(self.material.clone(), self.volume, x[0])?
        })
    }

    // In place: threads that count the users of one law up and down get in each other's way.

    fn fit_rest(&mut self, x: &[Vec3; 1], s: &[f64; 6]) -> Result<(), Unattainable> {
        let stress = symmetric(s);
        let gradient = self.rest_for(&stress)?;
        self.given = x[0];
        self.keep(deviator(&stress));
        self.take(gradient);
        Ok(())
    }

    fn reset_rest(&mut self, x: &[Vec3; 1]) -> Result<(), Unattainable> {
        self.given = x[0];
        self.keep(Mat3::zeros());
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
        values.copy_from_slice(&if gradient[(0, 0)].is_nan() { [f64::NAN; 6] } else { self.fields_of(&gradient, 0.0) });
    }

    fn facts(&self, x: &[Vec3; 1]) -> Vec<Fact> {
        let gradient = self.gradient_at(&x[0]);
        if gradient[(0, 0)].is_nan() {
            return Vec::new();
        }
        solid_fields::facts(&*self.material, &gradient, &(self.cauchy_stress(&gradient) + self.holds(0.0) / self.volume), self.volume)
    }

    fn rest_numbers(&self, numbers: &mut [f64]) {
        numbers[..9].copy_from_slice(self.given_gradient.as_slice());
        [numbers[9], numbers[10]] = [self.rest_volume, self.stiffening];
        let kept = self.kept.as_ref().map_or_else(Mat3::zeros, |kept| kept.deviator);
        numbers[11..].copy_from_slice(&STRESS_ENTRIES.map(|(row, column)| kept[(row, column)]));
    }

    fn set_rest_numbers(&mut self, numbers: &[f64]) {
        self.given_gradient = Mat3::from_column_slice(&numbers[..9]);
        [self.rest_volume, self.stiffening] = [numbers[9], numbers[10]];
        self.keep(symmetric(&numbers[11..]));
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

/// How large the deviators of Cauchy stresses [Pa] are beside their pressures, both over these volumes [m^3]: the root of the mean square of their norm over the
/// mean pressure. None without a volume, or without pressure.
pub fn kept_share(stresses: impl Iterator<Item = (f64, Mat3)>) -> Option<f64> {
    let (mut whole, mut squares, mut pressure) = (0.0, 0.0, 0.0);
    for (volume, stress) in stresses {
        whole += volume;
        squares += volume * deviator(&stress).norm_squared();
        pressure -= volume * stress.trace() / 3.0;
    }
    (pressure > 0.0).then(|| (squares * whole).sqrt() / pressure)
}

/// The tensor with these [`STRESS_ENTRIES`].
fn symmetric(entries: &[f64]) -> Mat3 {
    let mut tensor = Mat3::zeros();
    for (&(row, column), value) in STRESS_ENTRIES.iter().zip(entries) {
        tensor[(row, column)] = *value;
        tensor[(column, row)] = *value;
    }
    tensor
}

/// The symmetric part without its trace.
pub fn deviator(m: &Mat3) -> Mat3 {
    let symmetric = 0.5 * (m + m.transpose());
    symmetric - Mat3::from_diagonal_element(symmetric.trace() / 3.0)
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

    /// A liquid that keeps a deviator fits any stress, holds it until it has sheared enough, however that comes about, and never again.
    #[test]
    fn liquids_keep_a_deviator_until_they_shear() {
        let mut random = Random::new(31);
        let law = Arc::new(crate::material::liquid::Liquid { stiffness: YOUNG, exponent: 7.0 });
        let x = [Vec3::zeros()];
        for _ in 0..20 {
            let point = MaterialPoint::new(law.clone(), VOLUME, x[0]).unwrap().keeping(0.02);
            let s: [f64; 6] = std::array::from_fn(|k| random.uniform(-1e3, 1e3) - if k < 3 { 1e4 } else { 0.0 });
            let fitted = point.with_rest_for(&x, &s).unwrap();
            let error = s.iter().zip(&fitted.force_coordinates(&x)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 1e-12 * YOUNG, "{error:e}");
            assert!((fitted.holds(0.0) - VOLUME * deviator(&symmetric(&s))).amax() < 1e-15);
            assert_eq!((fitted.holds(0.021), fitted.at_rest(&x).unwrap().holds(0.0)), (Mat3::zeros(), Mat3::zeros()));
            let mut numbers = [0.0; 17];
            fitted.rest_numbers(&mut numbers);
            let mut again = point.clone();
            again.set_rest_numbers(&numbers);
            assert_eq!((again.holds(0.0), again.given_gradient), (fitted.holds(0.0), fitted.given_gradient));
            // To and fro adds up; a change of volume, and a turn, count for nothing.
            let shear = Mat3::new(0.0, 4e-3, 0.0, 4e-3, 0.0, 0.0, 0.0, 0.0, 0.0);
            let turn = random.vector(-0.1, 0.1).cross_matrix();
            let (mut g, mut memory) = (fitted.given_gradient, 0.0);
            for way in [shear, -shear, turn, Mat3::from_diagonal_element(0.01)] {
                (g, memory) = fitted.moved(&g, &way, memory);
            }
            assert!((memory - 2.0 * shear.norm()).abs() < 1e-16 && fitted.holds(memory) == fitted.holds(0.0), "{memory}");
            assert_eq!(fitted.holds(fitted.moved(&g, &(3.0 * shear), memory).1), Mat3::zeros());
            assert_eq!(MaterialPoint::new(law.clone(), VOLUME, x[0]).unwrap().moved(&g, &shear, 0.0).1, 0.0);
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
        point.yields = Some(YieldSurface::drucker_prager(30.0, 50.0, crate::material::yields::Matched::Compression));
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
