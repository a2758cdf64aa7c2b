//! [`Pencil`]: the eigenproblem H v = lambda M v of small motions about an equilibrium. H is the Hessian of the energy
//! [N/m]; M is the mass matrix over the mean of its lumped masses, so that lambda is a stiffness [N/m], does not depend on how finely the
//! body is meshed, and tells how fast a motion goes: omega^2 = lambda over the mean mass. By Sylvester's law of inertia it has as many
//! negative eigenvalues as H.

use super::neutral::Neutral;
use super::space::Space;
use crate::linear::{InertiaFactor, NodeMatrix, NodeMatrixPattern, NotPositive};
use crate::math::Vec3;
use crate::system::{Mass, System};
use crate::watch::{Cancelled, Watch};

/// H, M and the directions that are left out.
pub struct Pencil<'a> {
    /// Pattern of H.
    pub pattern: &'a NodeMatrixPattern,
    /// The Hessian [N/m].
    pub hessian: &'a NodeMatrix,
    /// The system, for what its supports hold.
    pub system: &'a System,
    /// The mass matrix over the mean of the lumped masses of free nodes.
    pub mass: Mass<'static>,
    /// That mean [kg].
    pub mean_mass: f64,
    /// Rigid motions that no force resists.
    pub neutral: Neutral,
    /// Median diagonal entry of H [N/m].
    pub typical: f64,
}

/// Masses below this share of the mean count as that.
const LEAST_MASS: f64 = 1e-6;

/// H - shift M, factorised, and how many eigenvalues are below the shift.
pub struct Shifted {
    /// L D L^T.
    pub factor: InertiaFactor,
    /// The shift [N/m].
    pub shift: f64,
    /// Eigenvalues below it.
    pub below: usize,
}

impl<'a> Pencil<'a> {
    /// The small motions of `system` where its Hessian is `hessian`, neutral ones included.
    pub fn new(system: &'a System, pattern: &'a NodeMatrixPattern, hessian: &'a NodeMatrix) -> Self {
        // Those of internal nodes are moments of inertia, and no measure of the others.
        let free =
            || system.masses.iter().zip(&system.fixed).take(system.body_nodes()).filter(|(_, fixed)| !**fixed).map(|(mass, _)| *mass);
        let mean = free().sum::<f64>() / (free().count() as f64).max(1.0);
        let mean_mass = if mean > 0.0 { mean } else { 1.0 };
        let mass = system.mass().over(mean_mass, LEAST_MASS);
        let median = hessian.median_diagonal(pattern).abs();
        // Where nothing resists anything, any number serves.
        let typical = if median > 0.0 { median } else { 1.0 };
        Self { pattern, hessian, system, mass, mean_mass, neutral: Neutral::default(), typical }
    }

    /// Leaves the neutral motions out.
    ///
    /// # Errors
    /// Cancelled.
    pub fn without_neutral_motions(mut self, watch: &dyn Watch) -> Result<Self, Cancelled> {
        self.neutral = Neutral::of(&self, watch)?;
        Ok(self)
    }

    /// Factorises H - shift M; an exactly zero pivot is stepped over by a relative 1e-14.
    ///
    /// # Errors
    /// [`NotPositive`] where a number is not finite.
    pub fn shifted(&self, mut factor: InertiaFactor, shift: f64) -> Result<Shifted, NotPositive> {
        if self.mass.is_lumped() {
            let mut less = |shift: f64| factor.factorize_less(self.pattern, self.hessian, shift, self.mass.lumped());
            let below = less(shift).or_else(|_| less(shift + 1e-14 * self.typical))?;
            return Ok(Shifted { factor, shift, below });
        }
        let mut matrix = self.hessian.clone();
        self.mass.add_to(&mut matrix, self.pattern, -shift, &self.system.slides);
        let below = factor.factorize(self.pattern, &matrix).or_else(|_| {
            self.mass.add_to(&mut matrix, self.pattern, -1e-14 * self.typical, &self.system.slides);
            factor.factorize(self.pattern, &matrix)
        })?;
        Ok(Shifted { factor, shift, below })
    }

    /// (H - shift M)^-1 M v of each of these vectors, in place.
    pub fn invert(&self, shifted: &mut Shifted, block: &mut [Vec<Vec3>]) {
        block.iter_mut().for_each(|vector| *vector = self.mass.product(vector));
        shifted.factor.solve(self.pattern, block);
    }

    /// How many of the eigenvalues below the shift are not those of neutral motions. For A = H - shift M and neutral motions R,
    /// A has as many negative eigenvalues as on what is orthogonal to them, and as R^T M A^-1 M R has (Haynsworth 1968).
    pub fn resisted_below(&self, shifted: &mut Shifted) -> usize {
        let neutral: usize = self.neutral_below(shifted).into_iter().map(|(_, count)| count).sum();
        shifted.below.saturating_sub(neutral)
    }

    /// The same of each part of the pattern; empty where it does not fall apart.
    pub fn resisted_below_in_parts(&self, shifted: &mut Shifted) -> Vec<usize> {
        let mut below: Vec<usize> = shifted.factor.negative_of_parts().iter().map(|&count| count as usize).collect();
        for (node, neutral) in self.neutral_below(shifted) {
            if let Some(below) = self.pattern.part_of(node).and_then(|part| below.get_mut(part)) {
                *below = below.saturating_sub(neutral);
            }
        }
        below
    }

    /// How many neutral motions are below the shift, by groups of what is coupled, each with one of its nodes.
    fn neutral_below(&self, shifted: &mut Shifted) -> Vec<(u32, usize)> {
        self.neutral.negative_among(&self.mass, |right_sides| shifted.factor.solve(self.pattern, right_sides))
    }
}

impl Space for Pencil<'_> {
    fn nodes(&self) -> usize {
        self.mass.nodes()
    }

    fn unknowns(&self) -> usize {
        self.pattern.unknowns()
    }

    fn dot(&self, a: &[Vec3], b: &[Vec3]) -> f64 {
        self.mass.dot(a, b)
    }

    fn confine(&self, vector: &mut [Vec3]) {
        self.system.take_supported(vector);
        self.neutral.take_out(&self.mass, vector);
    }
}
