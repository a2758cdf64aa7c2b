//! Linear tetrahedron with an isotropic hyperelastic law, which may lag or lack the rotation of F ([`Frame`]).
//!
//! F = D_s D_m^-1, with the current edges x_i - x_0 and the rest edges as columns; the energy is the rest volume
//! times psi(F). Whatever the rest state, the forces are those of a symmetric Cauchy stress, six numbers:
//! [f1 f2 f3] = -V sigma D_s^-T, f0 = -(f1 + f2 + f3) (Hsu et al. 2022, eq. 16-19).
//!
//! In F, a stiff body's strain of 1e-7 has lost half of its digits. So the tetrahedron knows its edges D_s0 in the given shape and
//! the displacement gradient G_0 = F - I there, and F - I = G_0 + (D_s - D_s0) D_m^-1: in the given shape it is G_0 to the last bit.

use std::sync::Arc;

use super::{Constraint, Element, Fact, FamilyKind, Unattainable, solid_fields};
use crate::material::inverse::strains_from_cauchy;
use crate::material::principal::{
    self, Principal, PrincipalHessian, cauchy, first_piola, principal_frame, principal_hessian, symmetric_from,
};
use crate::material::{Frame, Lame, Material, Measure, Squares};
use crate::math::{Mat3, Vec3, symmetric_eigen};

/// Row and column of the stress that each force coordinate is: xx, yy, zz, yz, zx, xy [Pa].
pub const STRESS_ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (1, 2), (2, 0), (0, 1)];

/// A tetrahedron; the nodes are so ordered that (x1 - x0, x2 - x0, x3 - x0) is right-handed.
#[derive(Debug, Clone)]
pub struct Tet {
    /// Its law.
    pub material: Arc<dyn Material>,
    /// D_m^-1 [1/m].
    pub inverse_rest_edges: Mat3,
    /// Volume at rest [m^3].
    pub rest_volume: f64,
    /// D_s0: edges in the given shape [m], as they are rounded.
    given_edges: Mat3,
    /// G_0 = F - I in the given shape.
    pub given_gradient: Mat3,
    /// Factor on the authored stiffness: on energy, stress and their derivatives.
    pub stiffening: f64,
    /// Stiffness-proportional damping [s].
    pub damping: f64,
    /// R - I for the rotation R of F at the start of the time step, of a law that lags it ([`Frame::Lagged`]); else zero.
    pub turn: Mat3,
}

impl Tet {
    /// A tetrahedron that is undeformed at `x`.
    ///
    /// # Errors
    /// [`Unattainable::Degenerate`] where the volume is not positive.
    pub fn new(material: Arc<dyn Material>, x: &[Vec3; 4]) -> Result<Self, Unattainable> {
        let Rest { inverse_edges: inverse_rest_edges, volume: rest_volume, given_edges, given_gradient } = Rest::undeformed(x)?;
        let (stiffening, damping, turn) = (1.0, 0.0, Mat3::zeros());
        Ok(Self { material, inverse_rest_edges, rest_volume, given_edges, given_gradient, stiffening, damping, turn })
    }

    /// Law, stiffness and damping stay.
    fn take(&mut self, rest: Rest) {
        (self.inverse_rest_edges, self.rest_volume) = (rest.inverse_edges, rest.volume);
        (self.given_edges, self.given_gradient, self.turn) = (rest.given_edges, rest.given_gradient, Mat3::zeros());
    }

    /// F is only known up to a rotation of the rest state: take it symmetric, with the stress's eigenvectors. Then no law has a
    /// rotation to take off, and its stress shares the eigenvectors of F, so that it is symmetric whatever the law's frame.
    fn rest_for(&self, x: &[Vec3; 4], s: &[f64; 6]) -> Result<Rest, Unattainable> {
        let mut stress = Mat3::zeros();
        for (&(row, column), value) in STRESS_ENTRIES.iter().zip(s) {
            stress[(row, column)] = *value;
            stress[(column, row)] = *value;
        }
        let undeformed = Rest::undeformed(x)?;
        let principal = symmetric_eigen(&stress);
        let strain = strains_from_cauchy(&*self.material, &(principal.values / self.stiffening))?;
        let given_gradient = symmetric_from(&principal.vectors, &strain);
        let volume = undeformed.volume / strain.add_scalar(1.0).product();
        let inverse_edges = undeformed.inverse_edges * (given_gradient + Mat3::identity());
        Rest { inverse_edges, volume, given_gradient, ..undeformed }.checked()
    }

    /// F - I at `x`.
    pub fn displacement_gradient(&self, x: &[Vec3; 4]) -> Mat3 {
        self.given_gradient + (current_edges(x) - self.given_edges) * self.inverse_rest_edges
    }

    /// Deformation gradient F at `x`.
    pub fn deformation_gradient(&self, x: &[Vec3; 4]) -> Mat3 {
        self.displacement_gradient(x) + Mat3::identity()
    }

    /// Cauchy stress at `x` [Pa].
    pub fn cauchy_stress(&self, x: &[Vec3; 4]) -> Mat3 {
        self.stiffening * cauchy(&*self.material, &self.displacement_gradient(x), &self.turn)
    }

    /// What the square `k` of its law is of, where it has so many.
    fn measure(&self, k: usize) -> Option<Measure> {
        self.material.squares()?.measures.get(k).copied()
    }

    /// What energy densities of the authored law are multiplied by [m^3].
    fn stiffened_volume(&self) -> f64 {
        self.stiffening * self.rest_volume
    }
}

/// A rest state, and the given shape that it belongs to.
struct Rest {
    inverse_edges: Mat3,
    volume: f64,
    given_edges: Mat3,
    given_gradient: Mat3,
}

impl Rest {
    fn undeformed(x: &[Vec3; 4]) -> Result<Self, Unattainable> {
        let given_edges = current_edges(x);
        let inverse_edges = given_edges.try_inverse().ok_or(Unattainable::Degenerate)?;
        Self { inverse_edges, volume: given_edges.determinant() / 6.0, given_edges, given_gradient: Mat3::zeros() }.checked()
    }

    fn checked(self) -> Result<Self, Unattainable> {
        let sound = self.volume > 0.0 && self.volume.is_finite() && self.inverse_edges.iter().all(|e| e.is_finite());
        if sound { Ok(self) } else { Err(Unattainable::Degenerate) }
    }
}

/// The family of tetrahedra. The rest state is the inverse rest edges, column by column, the rest volume, the factor on the stiffness, and
/// F - I in the given shape, column by column.
static KIND: FamilyKind = FamilyKind { name: "tetrahedra", rest_numbers: 20, fields: &solid_fields::KINDS };

impl Element<4, 6> for Tet {
    fn kind() -> &'static FamilyKind {
        &KIND
    }

    fn energy(&self, x: &[Vec3; 4]) -> f64 {
        self.stiffened_volume() * principal::energy(&*self.material, &self.displacement_gradient(x), &self.turn)
    }

    fn gradient(&self, x: &[Vec3; 4]) -> [Vec3; 4] {
        let stress = first_piola(&*self.material, &self.displacement_gradient(x), &self.turn);
        let forces = self.stiffened_volume() * stress * self.inverse_rest_edges.transpose();
        with_balancing_node(&forces)
    }

    fn hessian(&self, x: &[Vec3; 4], projected: bool) -> [[Mat3; 4]; 4] {
        let frame = principal_frame(&*self.material, &self.displacement_gradient(x), &self.turn);
        let h = principal_hessian(&*self.material, &frame.strain, projected);
        // Shape gradients of the nodes 1 to 3 in the principal rest frame, one a column.
        let g = (self.inverse_rest_edges * frame.v).transpose();
        let volume = self.stiffened_volume();
        let mut blocks = [[Mat3::zeros(); 4]; 4];
        for i in 0..3 {
            for j in i..3 {
                let block = volume * (frame.u * principal_block(&h, &g.column(i).into(), &g.column(j).into()) * frame.u.transpose());
                // The diagonal blocks are symmetric but for round-off.
                let block = if i == j { 0.5 * (block + block.transpose()) } else { block };
                blocks[i + 1][j + 1] = block;
                blocks[j + 1][i + 1] = block.transpose();
            }
        }
        // No force from a translation of all nodes.
        for i in 1..4 {
            let row = -(blocks[i][1] + blocks[i][2] + blocks[i][3]);
            blocks[i][0] = row;
            blocks[0][i] = row.transpose();
        }
        let corner = -(blocks[0][1] + blocks[0][2] + blocks[0][3]);
        blocks[0][0] = 0.5 * (corner + corner.transpose());
        blocks
    }

    #[inline]
    fn force_basis(&self, x: &[Vec3; 4]) -> [[Vec3; 4]; 6] {
        let areas = gradient_areas(&current_edges(x));
        let mut basis = [[Vec3::zeros(); 4]; 6];
        // A loop: large arrays are mapped by calls.
        for (forces, &(row, column)) in basis.iter_mut().zip(&STRESS_ENTRIES) {
            let mut stress = Mat3::zeros();
            stress[(row, column)] = -1.0;
            stress[(column, row)] = -1.0;
            *forces = with_balancing_node(&(stress * areas));
        }
        basis
    }

    /// Isotropic elasticity over the current volume, so that s = -C eps(y), the stress of the displacement -y; weighed
    /// by the square of the tetrahedron's quality, which keeps slivers from being given large stresses. By the authored moduli: the
    /// forces come first, and what must be stiffened to make them follows.
    fn inverse_weight(&self, x: &[Vec3; 4]) -> [[f64; 6]; 6] {
        isotropic_weight(&self.material.lame(), quality_squared_over_volume(x))
    }

    fn force_coordinates(&self, x: &[Vec3; 4]) -> [f64; 6] {
        let stress = self.cauchy_stress(x);
        STRESS_ENTRIES.map(|(row, column)| stress[(row, column)])
    }

    fn with_rest_for(&self, x: &[Vec3; 4], s: &[f64; 6]) -> Result<Self, Unattainable> {
        let mut fitted = self.clone();
        fitted.take(self.rest_for(x, s)?);
        Ok(fitted)
    }

    fn at_rest(&self, x: &[Vec3; 4]) -> Result<Self, Unattainable> {
        Ok(Self { stiffening: self.stiffening, damping: self.damping, ..Self::new(self.material.clone(), x)? })
    }

    // In place: threads that count the users of one law up and down get in each other's way.

    fn fit_rest(&mut self, x: &[Vec3; 4], s: &[f64; 6]) -> Result<(), Unattainable> {
        self.take(self.rest_for(x, s)?);
        Ok(())
    }

    fn reset_rest(&mut self, x: &[Vec3; 4]) -> Result<(), Unattainable> {
        self.take(Rest::undeformed(x)?);
        Ok(())
    }

    fn stiffen(&mut self, factor: f64) {
        self.stiffening = factor;
    }

    fn fields(&self, x: &[Vec3; 4], values: &mut [f64]) {
        let ratio = self.deformation_gradient(x).determinant();
        values.copy_from_slice(&solid_fields::values(&self.cauchy_stress(x), ratio));
    }

    fn facts(&self, x: &[Vec3; 4]) -> Vec<Fact> {
        let volume = current_edges(x).determinant() / 6.0;
        solid_fields::facts(&*self.material, &self.displacement_gradient(x), &self.cauchy_stress(x), volume)
    }

    fn rest_numbers(&self, numbers: &mut [f64]) {
        numbers[..9].copy_from_slice(self.inverse_rest_edges.as_slice());
        [numbers[9], numbers[10]] = [self.rest_volume, self.stiffening];
        numbers[11..].copy_from_slice(self.given_gradient.as_slice());
    }

    fn set_rest_numbers(&mut self, numbers: &[f64]) {
        self.inverse_rest_edges = Mat3::from_column_slice(&numbers[..9]);
        [self.rest_volume, self.stiffening] = [numbers[9], numbers[10]];
        self.given_gradient = Mat3::from_column_slice(&numbers[11..]);
        self.turn = Mat3::zeros();
    }

    /// F - I is kept to the last bit at `x`.
    fn given_at(&mut self, x: &[Vec3; 4]) {
        self.given_gradient = self.displacement_gradient(x);
        self.given_edges = current_edges(x);
    }

    fn volume_ratio(&self, x: &[Vec3; 4]) -> Option<f64> {
        Some(self.deformation_gradient(x).determinant())
    }

    fn rest_volume(&self) -> Option<f64> {
        Some(self.rest_volume)
    }

    fn damping(&self) -> f64 {
        self.damping
    }

    fn set_damping(&mut self, damping: f64) {
        self.damping = damping;
    }

    fn bulk(&self, x: &[Vec3; 4]) -> f64 {
        let [a, b, c, d] = x;
        (b - a).cross(&(c - a)).dot(&(d - a)).abs() / 6.0
    }

    fn stiffening(&self) -> f64 {
        self.stiffening
    }

    fn stiffened(&self, factor: f64) -> Self {
        Self { stiffening: factor, ..self.clone() }
    }

    fn lag(&mut self, x: &[Vec3; 4]) {
        if self.material.frame() == Frame::Lagged {
            let gradient = self.displacement_gradient(x);
            self.turn = Principal::of(&gradient).turn(&gradient);
        }
    }

    fn kept_edges() -> &'static [[usize; 2]] {
        &[[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    }

    fn constraints() -> usize {
        Squares::MOST
    }

    /// Of the squares that the law's energy density is the sum of, over the rest volume.
    fn compliance(&self, k: usize) -> Option<f64> {
        Some(1.0 / (self.material.squares()?.modulus(k) * self.stiffened_volume()))
    }

    fn without_compliance() -> &'static str {
        "its energy is no sum of squares that are finite in elements turned inside out; choose `stable_neo_hookean`, `stvk`, `quartic`, or with a Poisson's ratio of at least 0 `corotated`, `arap`, `linear`, or an implicit stepper"
    }

    fn constraint(&self, k: usize, x: &[Vec3; 4]) -> Constraint<4> {
        let Some(measure) = self.measure(k) else { return Constraint { value: 0.0, gradients: [Vec3::zeros(); 4] } };
        let (value, slope) = measure.of(&self.displacement_gradient(x));
        Constraint { value, gradients: with_balancing_node(&(slope * self.inverse_rest_edges.transpose())) }
    }

    fn curvatures(&self, k: usize, x: &[Vec3; 4]) -> [f64; 4] {
        let Some(measure) = self.measure(k) else { return [0.0; 4] };
        let curvature = measure.curvature(&self.displacement_gradient(x));
        with_balancing_node(&self.inverse_rest_edges.transpose()).map(|gradient| curvature * gradient.norm_squared())
    }

    fn max_step(&self, x: &[Vec3; 4], dx: &[Vec3; 4]) -> f64 {
        super::volume_filter::max_step_of(&*self.material, &current_edges(x), &current_edges(dx))
    }
}

/// Bounds of lambda over mu in the weight: Poisson's ratio 0.49, beyond which the global system only gets worse
/// conditioned, and -1/2, where the bulk modulus is still positive.
const MOST_LAMBDA: f64 = 49.0;
const LEAST_LAMBDA: f64 = -0.5;

/// The moduli that weights are made of.
pub(super) fn weighing_lame(lame: &Lame) -> Lame {
    Lame { lambda: lame.lambda.clamp(LEAST_LAMBDA * lame.mu, MOST_LAMBDA * lame.mu), ..*lame }
}

/// Isotropic elasticity times `scale`: the inverse weight of a Cauchy stress.
pub(super) fn isotropic_weight(lame: &Lame, scale: f64) -> [[f64; 6]; 6] {
    let Lame { mu, lambda } = weighing_lame(lame);
    let mut weight = [[0.0; 6]; 6];
    for i in 0..3 {
        for j in 0..3 {
            weight[i][j] = scale * if i == j { 2.0 * mu + lambda } else { lambda };
        }
        weight[i + 3][i + 3] = scale * mu;
    }
    weight
}

/// D_s: the edges from node 0, one a column [m].
#[inline]
fn current_edges(x: &[Vec3; 4]) -> Mat3 {
    Mat3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]])
}

/// V D_s^-T [m^2], one column for each of the nodes 1 to 3, finite for flat elements too.
#[inline]
fn gradient_areas(edges: &Mat3) -> Mat3 {
    let (a, b, c) = (edges.column(0), edges.column(1), edges.column(2));
    Mat3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)]) / 6.0
}

/// The vectors of the nodes 1 to 3, and for node 0 what makes the sum vanish.
#[inline]
fn with_balancing_node(columns: &Mat3) -> [Vec3; 4] {
    let (a, b, c) = (columns.column(0).into_owned(), columns.column(1).into_owned(), columns.column(2).into_owned());
    [-(a + b + c), a, b, c]
}

/// q^2 / V [1/m^3] with q = 6 sqrt2 V / l_rms^3, which is 1 for the regular tetrahedron.
fn quality_squared_over_volume(x: &[Vec3; 4]) -> f64 {
    let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let mean_square = pairs.iter().map(|&(i, j)| (x[i] - x[j]).norm_squared()).sum::<f64>() / 6.0;
    let cube = mean_square * mean_square.sqrt();
    let volume = current_edges(x).determinant().abs() / 6.0;
    // A flat element keeps a weight that can be inverted.
    72.0 * volume.max(1e-12 * cube) / (cube * cube)
}

/// d^2 psi / (dy_i dy_j) in the principal frame, y = U^T x, between two nodes with these shape gradients: dF' = sum_i dy_i g_i^T
/// put into the quadratic form of [`PrincipalHessian`].
pub(super) fn principal_block(h: &PrincipalHessian, gi: &Vec3, gj: &Vec3) -> Mat3 {
    let mut block = Mat3::zeros();
    for a in 0..3 {
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        // Pairs are numbered by the axis they leave out.
        block[(a, a)] = h.normal[(a, a)] * gi[a] * gj[a] + h.pair_diagonal[c] * gi[b] * gj[b] + h.pair_diagonal[b] * gi[c] * gj[c];
        block[(a, b)] = h.normal[(a, b)] * gi[a] * gj[b] + h.pair_off_diagonal[c] * gi[b] * gj[a];
        block[(a, c)] = h.normal[(a, c)] * gi[a] * gj[c] + h.pair_off_diagonal[b] * gi[c] * gj[a];
    }
    block
}
