//! [`Chebyshev`]: Jacobi's method accelerated by the semi-iteration of Golub and Varga 1961 ("Chebyshev semi-iterative methods, successive
//! overrelaxation iterative methods, and second order Richardson iterative methods", Numer. Math. 3), in the form of Wang 2015 ("A
//! Chebyshev semi-iterative approach for accelerating projective and position-based dynamics", ACM Trans. Graph. 34 (6)).

use super::IterationOptions;
use super::jacobi::Jacobi;
use super::spectrum::Spectrum;
use super::stationary::Sweep;
use crate::linear::rows::Rows;
use crate::math::Vec3;

/// x <- omega x^ + (1 - omega) x_last, where x^ is Jacobi's next iterate, x_last the one before x, and omega = 1, 2 / (2 - rho^2), then
/// 4 / (4 - rho^2 omega), with the spectral radius rho of Jacobi's iteration. A smaller rho is slower; one that is too large is slower
/// too, and with 1 or more nothing converges.
#[derive(Debug, Default)]
pub struct Chebyshev {
    jacobi: Jacobi,
    spectral_radius: f64,
    /// Of the last sweep; 0 before the first.
    omega: f64,
    /// x before the last sweep.
    last: Vec<Vec3>,
}

impl Sweep for Chebyshev {
    fn prepare(&mut self, rows: Rows<'_>, options: &IterationOptions) {
        let (relaxation, radius) = match (options.relaxation, options.spectral_radius) {
            (Some(relaxation), Some(radius)) => (relaxation, radius),
            (relaxation, radius) => {
                let spectrum = Spectrum::of(rows);
                let relaxation = relaxation.unwrap_or_else(|| spectrum.relaxation());
                (relaxation, radius.unwrap_or_else(|| spectrum.radius(relaxation)))
            }
        };
        self.jacobi.relax(rows, relaxation);
        self.spectral_radius = radius;
    }

    fn begin(&mut self) {
        self.omega = 0.0;
        self.last.clear();
    }

    fn sweep(&mut self, rows: Rows<'_>, _: &[Vec3], r: &[Vec3], x: &mut [Vec3]) {
        let square = self.spectral_radius * self.spectral_radius;
        let is_first = self.omega == 0.0;
        self.omega = if is_first {
            1.0
        } else if self.omega == 1.0 {
            2.0 / (2.0 - square)
        } else {
            4.0 / (4.0 - square * self.omega)
        };
        self.last.resize(rows.len(), Vec3::zeros());
        for (i, ((x, last), r)) in x.iter_mut().zip(&mut self.last).zip(r).enumerate() {
            let next = *x + self.jacobi.correction(i, r);
            let before = std::mem::replace(last, *x);
            *x = self.omega * next + (1.0 - self.omega) * before;
        }
    }
}
