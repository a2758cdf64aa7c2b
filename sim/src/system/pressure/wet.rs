//! Integrals over the part of a triangle that lies under water, by the depths of its corners: exact, for a triangle that is wholly
//! wet and for one that the surface of the water cuts.

/// Means over the whole triangle of what is there where the depth d is positive; phi_i is 1 at corner i and 0 at the others.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Wet {
    /// Of d^2 [m^2].
    pub square: f64,
    /// Of d phi_i [m]: half the derivative of `square` by the depth of corner i.
    pub first: [f64; 3],
    /// Of phi_i phi_j: the derivative of `first[i]` by the depth of corner j.
    pub second: [[f64; 3]; 3],
}

/// Of a triangle whose corners lie at these depths [m].
pub fn wet(depths: [f64; 3]) -> Wet {
    let mut of = Wet::default();
    let corner = |i: usize| [0, 1, 2].map(|k| if k == i { 1.0 } else { 0.0 });
    // Barycentric coordinates of the corners of the wet polygon, of which there are four at most, and their depths.
    let mut polygon = [([0.0; 3], 0.0); 4];
    let mut corners = 0;
    for i in 0..3 {
        let (here, next) = (depths[i], depths[(i + 1) % 3]);
        if here > 0.0 {
            polygon[corners] = (corner(i), here);
            corners += 1;
        }
        if (here > 0.0) != (next > 0.0) && here != 0.0 && next != 0.0 {
            let along = here / (here - next);
            let (a, b) = (corner(i), corner((i + 1) % 3));
            polygon[corners] = ([0, 1, 2].map(|k| (1.0 - along) * a[k] + along * b[k]), 0.0);
            corners += 1;
        } else if here == 0.0 {
            polygon[corners] = (corner(i), 0.0);
            corners += 1;
        }
    }
    for k in 2..corners {
        of.add([polygon[0], polygon[k - 1], polygon[k]]);
    }
    of
}

impl Wet {
    /// Adds the integrals over a triangle given by barycentric coordinates and depths of its corners.
    fn add(&mut self, corners: [([f64; 3], f64); 3]) {
        let [(a, _), (b, _), (c, _)] = corners;
        let share = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
        let depths = corners.map(|(_, depth)| depth);
        let sum: f64 = depths.iter().sum();
        // A product of two linear functions has the mean (sum f g + (sum f) (sum g)) / 12 over a triangle.
        let mean = |products: f64, product: f64| share * (products + product) / 12.0;
        self.square += mean(depths.iter().map(|d| d * d).sum(), sum * sum);
        let phi = |i: usize| corners.map(|(coordinates, _)| coordinates[i]);
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let total = |a: [f64; 3]| a[0] + a[1] + a[2];
        for i in 0..3 {
            self.first[i] += mean(dot(depths, phi(i)), sum * total(phi(i)));
            for j in 0..3 {
                self.second[i][j] += mean(dot(phi(i), phi(j)), total(phi(i)) * total(phi(j)));
            }
        }
    }
}

/// Means over an edge whose ends lie at these depths [m] of d^2 (1 - s) and d^2 s, where d is positive and s goes from 0 to 1
/// [m^2].
pub fn wet_edge([from, to]: [f64; 2]) -> [f64; 2] {
    match (from > 0.0, to > 0.0) {
        (true, true) => {
            let [ff, ft, tt] = [from * from, from * to, to * to];
            [(3.0 * ff + 2.0 * ft + tt) / 12.0, (ff + 2.0 * ft + 3.0 * tt) / 12.0]
        }
        (true, false) => of_dip(from, to),
        (false, true) => {
            let [near, far] = of_dip(to, from);
            [far, near]
        }
        (false, false) => [0.0; 2],
    }
}

/// The same where only the first end is wet.
fn of_dip(wet: f64, dry: f64) -> [f64; 2] {
    let share = wet / (wet - dry);
    [wet * wet * share * (1.0 / 3.0 - share / 12.0), wet * wet * share * share / 12.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Depths of both signs, on and near the surface of the water too.
    fn cases() -> Vec<[f64; 3]> {
        let values = [-1.3, -0.2, -1e-9, 0.0, 1e-9, 0.4, 2.0];
        (0..343).map(|k| [values[k / 49], values[k / 7 % 7], values[k % 7]]).collect()
    }

    /// Midpoints of many small triangles.
    fn sums([a, b, c]: [f64; 3]) -> Wet {
        let cells = 200;
        let mut of = Wet::default();
        let step = 1.0 / f64::from(cells);
        for (i, j) in (0..cells).flat_map(|i| (0..cells - i).map(move |j| (i, j))) {
            for (third, is_there) in [(1.0 / 3.0, true), (2.0 / 3.0, i + j + 1 < cells)] {
                let (u, v) = ((f64::from(i) + third) * step, (f64::from(j) + third) * step);
                let phi = [1.0 - u - v, u, v];
                let depth = phi[0] * a + phi[1] * b + phi[2] * c;
                if is_there && depth > 0.0 {
                    let weight = step * step;
                    of.square += weight * depth * depth;
                    for k in 0..3 {
                        of.first[k] += weight * depth * phi[k];
                        (0..3).for_each(|l| of.second[k][l] += weight * phi[k] * phi[l]);
                    }
                }
            }
        }
        of
    }

    #[test]
    fn integrals_are_what_sums_over_small_triangles_tend_to() {
        for depths in cases().into_iter().step_by(7) {
            let (exact, sum) = (wet(depths), sums(depths));
            let mut pairs = vec![(exact.square, sum.square)];
            for i in 0..3 {
                pairs.push((exact.first[i], sum.first[i]));
                pairs.extend((0..3).map(|j| (exact.second[i][j], sum.second[i][j])));
            }
            // The sums are not exact where the water's edge passes through a cell.
            assert!(pairs.iter().all(|(exact, sum)| (exact - sum).abs() < 4e-3), "{depths:?}: {exact:?} {sum:?}");
        }
    }

    #[test]
    fn derivatives_belong_to_their_integrals() {
        for depths in cases().into_iter().filter(|depths| depths.iter().all(|d| d.abs() > 1e-3)) {
            let of = wet(depths);
            for j in 0..3 {
                let moved = |by: f64| {
                    let mut depths = depths;
                    depths[j] += by;
                    wet(depths)
                };
                let (plus, minus) = (moved(1e-5), moved(-1e-5));
                assert!(((plus.square - minus.square) / 2e-5 - 2.0 * of.first[j]).abs() < 1e-8, "{depths:?}");
                for i in 0..3 {
                    let difference = (plus.first[i] - minus.first[i]) / 2e-5;
                    assert!((difference - of.second[i][j]).abs() < 1e-6, "{depths:?}: {difference} {}", of.second[i][j]);
                }
            }
        }
    }

    #[test]
    fn edges_in_the_water_by_sums() {
        for [from, to, _] in cases() {
            let (cells, mut sum) = (20_000, [0.0; 2]);
            for k in 0..cells {
                let s = (f64::from(k) + 0.5) / f64::from(cells);
                let depth = ((1.0 - s) * from + s * to).max(0.0);
                sum[0] += depth * depth * (1.0 - s) / f64::from(cells);
                sum[1] += depth * depth * s / f64::from(cells);
            }
            let exact = wet_edge([from, to]);
            assert!((0..2).all(|k| (exact[k] - sum[k]).abs() < 1e-7), "{from} {to}: {exact:?} {sum:?}");
        }
    }
}
