//! How the force of a tetrahedron in a given shape changes with its rest shape.
//!
//! With rest edges D_m, shape gradients b_i (the rows of D_m^-1, and minus their sum for node 0), F = D_s D_m^-1 and rest volume V,
//! the gradient of the energy is g_i = V P b_i. A change dX of the rest shape changes
//!
//! ```text
//! F    by -F dD_m D_m^-1, as if the current nodes moved by -F dX: the Hessian knows what that does,
//! V    by V sum_j b_j . dX_j,        b_i by -sum_j b_j (b_i . dX_j),
//! so   dg_i / dX_j = -H_ij F + g_i b_j^T - g_j b_i^T.
//! ```

use crate::element::{Element, Tet};
use crate::math::{Mat3, Vec3};

/// Derivative of the force on node i at `x` by the rest position of node j [N/m]: block (i, j). `weight`: the weight of the
/// element [N], shared equally by its nodes, which grows with the rest volume.
pub fn rest_tangent(tet: &Tet, x: &[Vec3; 4], weight: &Vec3) -> [[Mat3; 4]; 4] {
    let (hessian, gradient, f) = (tet.hessian(x, false), tet.gradient(x), tet.deformation_gradient(x));
    let rows = tet.inverse_rest_edges.transpose();
    let [b1, b2, b3] = [0, 1, 2].map(|k| rows.column(k).into_owned());
    let b = [-(b1 + b2 + b3), b1, b2, b3];
    std::array::from_fn(|i| {
        std::array::from_fn(|j| hessian[i][j] * f + (0.25 * weight - gradient[i]) * b[j].transpose() + gradient[j] * b[i].transpose())
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::material::MATERIALS;
    use crate::math::random::Random;

    /// Central differences of force and weight by each rest coordinate, for every law, far from rest.
    #[test]
    fn matches_central_differences_for_every_law() {
        let mut random = Random::new(11);
        let density = Vec3::new(0.3, -2.0, 0.7);
        let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        for law in MATERIALS {
            let material = (law.build)(1.0, 0.3);
            for _ in 0..20 {
                let rest = corners.map(|p| p + random.vector(-0.15, 0.15));
                let x = corners.map(|p| p + random.vector(-0.15, 0.15));
                let turn = random.rotation() - Mat3::identity();
                let make = |rest: &[Vec3; 4]| {
                    let mut tet = Tet::new(material.clone(), rest).unwrap();
                    tet.turn = turn;
                    tet
                };
                let tet = make(&rest);
                let tangent = rest_tangent(&tet, &x, &(density * tet.rest_volume));
                let step = 1e-5;
                for (j, axis) in (0..12).map(|k| (k / 3, k % 3)) {
                    let forces = |sign: f64| {
                        let mut moved = rest;
                        moved[j][axis] += sign * step;
                        let tet = make(&moved);
                        tet.gradient(&x).map(|g| 0.25 * tet.rest_volume * density - g)
                    };
                    let (forward, backward) = (forces(1.0), forces(-1.0));
                    for i in 0..4 {
                        let slope = (forward[i] - backward[i]) / (2.0 * step);
                        let error = (slope - tangent[i][j].column(axis)).amax();
                        let allowed = 1e-8 * (1.0 + tangent[i][j].amax());
                        assert!(error < allowed, "{} {i} {j}: {slope} {}", law.name, tangent[i][j]);
                    }
                }
            }
        }
    }
}
