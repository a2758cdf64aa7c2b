//! [`SOLVERS`]: every way to solve the linear systems of an implicit step, by name.

use schemars::{JsonSchema, Schema, json_schema};
use serde::{Deserialize, Serialize};

use super::iterative::Method;
use super::iterative::cg::Cg;
use super::iterative::chebyshev::Chebyshev;
use super::iterative::gauss_seidel::GaussSeidel;
use super::iterative::jacobi::Jacobi;
use super::iterative::pcg::Pcg;
use super::iterative::stationary::Stationary;

/// How linear systems are solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = also_called_cholesky)]
pub enum SolverChoice {
    /// By the size of the system: `direct` for small ones, `pcg` for large ones.
    #[default]
    Auto,
    /// Cholesky factorisation.
    #[serde(alias = "cholesky")]
    Direct,
    /// Conjugate gradients with a preconditioner, an incomplete Cholesky factor; where they do not converge, a factorisation.
    Pcg,
    /// Conjugate gradients without a preconditioner.
    Cg,
    /// Jacobi's method, x += alpha D^-1 r with the diagonal D, relaxed by `linear_relaxation`.
    Jacobi,
    /// The method of Gauss and Seidel, unknown by unknown.
    GaussSeidel,
    /// The same in the opposite order.
    GaussSeidelBackward,
    /// Jacobi's method with Chebyshev acceleration, by `spectral_radius`.
    Chebyshev,
}

/// The name of textbooks for `direct` is read too.
fn also_called_cholesky(schema: &mut Schema) {
    let alias = json_schema!({ "type": "string", "const": "cholesky", "description": "The same as `direct`." });
    if let Some(variants) = schema.get_mut("oneOf").and_then(|variants| variants.as_array_mut()) {
        variants.push(alias.to_value());
    }
}

/// A way to solve, by name.
#[derive(Clone, Copy)]
pub struct SolverEntry {
    /// The choice that it stands for.
    pub choice: SolverChoice,
    /// Name in scenes and reports.
    pub name: &'static str,
    /// Name for people.
    pub label: &'static str,
    /// One line for people.
    pub description: &'static str,
    /// What helps where it diverges, or does not get there.
    pub remedy: &'static str,
    /// Makes the iterative method that is used, where one is.
    method: fn() -> Box<dyn Method>,
    /// Whether the choice is one of that method and of no other: where it fails, nothing takes its place.
    pub is_alone: bool,
}

/// Every solver; the first is the default.
pub static SOLVERS: &[SolverEntry] = &[
    SolverEntry {
        choice: SolverChoice::Auto,
        name: "auto",
        label: "by size",
        description: "Factorisation for small systems, conjugate gradients for large ones",
        remedy: "take `direct`",
        method: || Box::new(Pcg::default()),
        is_alone: false,
    },
    SolverEntry {
        choice: SolverChoice::Direct,
        name: "direct",
        label: "direct",
        description: "Sparse Cholesky factorisation: exact up to round-off",
        remedy: "take `pcg`",
        method: || Box::new(Pcg::default()),
        is_alone: false,
    },
    SolverEntry {
        choice: SolverChoice::Pcg,
        name: "pcg",
        label: "preconditioned CG",
        description: "Conjugate gradients with an incomplete Cholesky factor; a factorisation where they do not converge",
        remedy: "take `direct`",
        method: || Box::new(Pcg::default()),
        is_alone: false,
    },
    SolverEntry {
        choice: SolverChoice::Cg,
        name: "cg",
        label: "CG",
        description: "Conjugate gradients without a preconditioner; for comparison",
        remedy: "take `pcg` or `direct`, or more `linear_iterations`",
        method: || Box::new(Cg::default()),
        is_alone: true,
    },
    SolverEntry {
        choice: SolverChoice::Jacobi,
        name: "jacobi",
        label: "Jacobi",
        description: "Jacobi's method, relaxed so that it converges unless told otherwise; for comparison",
        remedy: "take a smaller `linear_relaxation`, `direct`, or smaller steps",
        method: || Box::new(Stationary::new(Jacobi::default())),
        is_alone: true,
    },
    SolverEntry {
        choice: SolverChoice::GaussSeidel,
        name: "gauss_seidel",
        label: "Gauss-Seidel",
        description: "Unknown by unknown; converges always, and slowly where bodies are stiff; for comparison",
        remedy: "take more `linear_iterations`, `direct`, or smaller steps",
        method: || Box::new(Stationary::new(GaussSeidel::forward())),
        is_alone: true,
    },
    SolverEntry {
        choice: SolverChoice::GaussSeidelBackward,
        name: "gauss_seidel_backward",
        label: "Gauss-Seidel, backward",
        description: "Unknown by unknown, the last one first; for comparison",
        remedy: "take more `linear_iterations`, `direct`, or smaller steps",
        method: || Box::new(Stationary::new(GaussSeidel::backward())),
        is_alone: true,
    },
    SolverEntry {
        choice: SolverChoice::Chebyshev,
        name: "chebyshev",
        label: "Chebyshev",
        description: "Jacobi's method with Chebyshev acceleration; for comparison",
        remedy: "take a smaller `spectral_radius` or `linear_relaxation`, `direct`, or smaller steps",
        method: || Box::new(Stationary::new(Chebyshev::default())),
        is_alone: true,
    },
];

impl SolverEntry {
    /// Makes the iterative method that is used, where one is.
    pub(super) fn make(&self) -> Box<dyn Method> {
        (self.method)()
    }
}

impl SolverChoice {
    /// Its entry in [`SOLVERS`].
    pub fn entry(self) -> &'static SolverEntry {
        SOLVERS.iter().find(|entry| entry.choice == self).unwrap_or(&SOLVERS[0])
    }
}
