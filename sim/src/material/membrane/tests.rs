#![allow(clippy::unwrap_used, clippy::panic)]
use super::*;
use crate::math::random::Random;

const WOVEN: Moduli = Moduli { warp: 1000.0, weft: 100.0, shear: 40.0, poisson: 0.3 };

fn moduli(law: &dyn MembraneLaw) -> Moduli {
    if law.is_orthotropic() { WOVEN } else { Moduli::isotropic(500.0, 0.3) }
}

/// Each is one potential: stress and tangent are its derivatives, and small strain shows the moduli.
#[test]
fn stress_and_tangent_are_derivatives() {
    let mut random = Random::new(11);
    for law in MEMBRANE_LAWS {
        let moduli = moduli(*law);
        for size in [1e-3, 0.05, 0.2] {
            for _ in 0..20 {
                let strain = random.vector(-size, size);
                let (stress, tangent) = (law.stress(&moduli, &strain), law.tangent(&moduli, &strain));
                assert!((tangent - tangent.transpose()).amax() < 1e-12 * moduli.warp, "{}", law.name());
                for k in 0..3 {
                    let step = 1e-5 * size;
                    let moved = |sign: f64| strain + sign * step * Vec3::ith(k, 1.0);
                    let slope = (law.energy(&moduli, &moved(1.0)) - law.energy(&moduli, &moved(-1.0))) / (2.0 * step);
                    assert!((slope - stress[k]).abs() < 1e-7 * moduli.warp * size, "{} stress {k}: {slope} {}", law.name(), stress[k]);
                    let slope = (law.stress(&moduli, &moved(1.0)) - law.stress(&moduli, &moved(-1.0))) / (2.0 * step);
                    assert!((slope - tangent.column(k)).amax() < 1e-6 * moduli.warp, "{} tangent {k}: {slope} {tangent}", law.name());
                }
            }
        }
        let isotropic = if law.name() == "arap" { Moduli::isotropic(500.0, 0.0) } else { moduli };
        assert!((law.tangent(&moduli, &Vec3::zeros()) - isotropic.stiffness()).amax() < 1e-12 * moduli.warp, "{}", law.name());
    }
}

/// What a machine that pulls measures, along the warp and along the weft: the moduli, and the contraction across.
#[test]
fn the_orthotropic_law_gives_its_moduli_back() {
    let law = membrane_law("orthotropic").unwrap();
    let small = 1e-6;
    for (along, modulus) in [(Vec3::x(), WOVEN.warp), (Vec3::y(), WOVEN.weft), (Vec3::z(), WOVEN.shear)] {
        let fit = fit(law, &WOVEN, &(small * modulus * along)).unwrap();
        assert!((fit.strain().dot(&along) / small - 1.0).abs() < 1e-5, "{:?}", fit.strain() / small);
        if along == Vec3::x() {
            assert!((fit.strain().y / small + WOVEN.poisson).abs() < 1e-5);
        }
    }
}

/// Energies keep their digits where the strain is tiny: a quadratic form, relative to itself.
#[test]
fn energies_are_accurate_at_tiny_strain() {
    let mut random = Random::new(12);
    for law in MEMBRANE_LAWS {
        let moduli = moduli(*law);
        for size in [1e-4, 1e-8, 1e-12] {
            let strain = random.vector(-size, size);
            let exact = 0.5 * strain.dot(&(law.tangent(&moduli, &Vec3::zeros()) * strain));
            assert!((law.energy(&moduli, &strain) / exact - 1.0).abs() < 1e3 * size + 1e-12, "{} {size}", law.name());
        }
    }
}

/// A tenth of the stiffness can always be had, in any direction, to the last digits.
#[test]
fn what_is_asked_for_is_made() {
    let mut random = Random::new(13);
    for law in MEMBRANE_LAWS {
        let moduli = moduli(*law);
        let weakest = moduli.weft.min(moduli.shear).min(moduli.warp);
        for share in [1e-9, 1e-3, 0.1] {
            for _ in 0..200 {
                let wanted = share * weakest * random.vector(-1.0, 1.0).normalize();
                let fit = fit(*law, &moduli, &wanted).unwrap_or_else(|share| panic!("{} {wanted}: {share}", law.name()));
                let made = fit.resultants(*law, &moduli).0;
                assert!((made - wanted).norm() <= 1e-12 * wanted.norm(), "{}: {wanted} {made}", law.name());
            }
        }
    }
}

/// Beyond the turning point of a law, what is told to be the most is: a little less can be had.
#[test]
fn the_most_that_can_be_had_is_told() {
    let law = membrane_law("stvk").unwrap();
    let moduli = Moduli::isotropic(1.0, 0.3);
    // Pushed one way about 3^-1.5 over the stretch across there, both ways all that there is between it and nothing, 1/(2 (1 - nu)).
    let across = (1.0 + 0.3 * (1.0 - 1.0 / 3.0f64)).sqrt();
    for (way, most) in [(Vec3::new(-1.0, 0.0, 0.0), 3f64.powf(-1.5) / across), (Vec3::new(-1.0, -1.0, 0.0), 0.5 / 0.7)] {
        let share = fit(law, &moduli, &way).unwrap_err();
        assert!((share / most - 1.0).abs() < 5e-3, "{way:?}: {share}");
        assert!(fit(law, &moduli, &(0.99 * share * way)).is_ok());
    }
    // In shear more than 0.15 of the stiffness.
    let share = fit(law, &moduli, &Vec3::z()).unwrap_err();
    assert!((0.15..0.2).contains(&share), "{share}");
}

/// The derivatives with which Newton's method looks for a fit.
#[test]
fn slopes_of_the_fit_are_derivatives() {
    let mut random = Random::new(14);
    for law in MEMBRANE_LAWS {
        let moduli = moduli(*law);
        for _ in 0..10 {
            let at = random.vector(-0.2, 0.2);
            let (_, slope) = Fit(at).resultants(*law, &moduli);
            for k in 0..3 {
                let moved = |sign: f64| Fit(at + sign * 1e-6 * Vec3::ith(k, 1.0)).resultants(*law, &moduli).0;
                let expected = (moved(1.0) - moved(-1.0)) / 2e-6;
                assert!((expected - slope.column(k)).amax() < 1e-6 * moduli.warp, "{} {k}: {expected} {slope}", law.name());
            }
        }
    }
}

/// However much is asked for, what is found is on the branch of the undeformed state, where more deformation makes more force.
#[test]
fn what_is_found_is_on_the_branch_of_rest() {
    let mut random = Random::new(15);
    for law in MEMBRANE_LAWS {
        let moduli = moduli(*law);
        let mut refused = 0;
        for _ in 0..400 {
            let wanted = random.uniform(0.1, 3.0) * moduli.warp * random.vector(-1.0, 1.0);
            match fit(*law, &moduli, &wanted) {
                Ok(fit) => {
                    let (made, slope) = fit.resultants(*law, &moduli);
                    assert!(slope.determinant() > 0.0 && (made - wanted).norm() <= 1e-11 * wanted.norm(), "{} {wanted}", law.name());
                }
                Err(share) => {
                    refused += 1;
                    assert!((0.0..1.0).contains(&share), "{share}");
                }
            }
        }
        assert!(refused > 0, "{}", law.name());
    }
}

/// Up to the largest Poisson's ratio the matrix of small strain is positive definite, and beyond it is not.
#[test]
fn the_largest_poisson_is_where_energy_would_be_gained() {
    for [warp, weft] in [[10.0, 1000.0], [1000.0, 10.0], [50.0, 50.0]] {
        let at = |share: f64| {
            let plain = Moduli { warp, weft, shear: 1.0, poisson: 0.0 };
            let c = Moduli { poisson: share * plain.largest_poisson(), ..plain }.stiffness();
            c.m11 > 0.0 && c.m11 * c.m22 - c.m12 * c.m12 > 0.0
        };
        assert!(at(0.999) && at(-0.999) && !at(1.001), "{warp} {weft}");
    }
}
