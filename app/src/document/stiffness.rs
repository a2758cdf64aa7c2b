//! Painting the stiffness field of a body: strokes that lead factors towards one, away from it, or towards those around.

use std::sync::Arc;

use aplomb_sim::bodies::select::fingerprint;
use aplomb_sim::scene::{Scene, StiffnessField};

use super::painted::Painted;
use super::symmetry::{OtherSide, Reached};
use crate::session::ModelBody;

/// How often factors are evened out with those beside them by a stroke of full strength.
const ROUNDS: usize = 12;

/// Where a stroke leads the factors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FieldMode {
    /// To this factor.
    Towards(f64),
    /// To the mean of those around.
    Smooth,
}

impl FieldMode {
    /// Back to 1.
    pub const ERASE: Self = Self::Towards(1.0);
}

/// A stroke over the field. How far a vertex goes is how strongly the stroke reached it at most, however often it passed and at whatever
/// rate it was sampled.
#[derive(Debug, Clone)]
pub struct FieldStroke {
    body: usize,
    mesh: String,
    /// Logarithms of the factors before the stroke, at its full strength, and so far.
    before: Vec<f64>,
    full: Vec<f64>,
    now: Vec<f64>,
    reached: Reached,
}

impl FieldStroke {
    /// Begins at what the body's field is now.
    pub fn begin(scene: &Scene, body: usize, model: &ModelBody, mode: FieldMode, sides: Vec<Arc<OtherSide>>) -> Option<Self> {
        let count = model.surface_vertices(false);
        let before: Vec<f64> = factors(scene, body, count)?.into_iter().map(f64::ln).collect();
        let full = match mode {
            FieldMode::Towards(factor) => vec![factor.clamp(StiffnessField::LIMITS.0, StiffnessField::LIMITS.1).ln(); count],
            FieldMode::Smooth => smoothed(&Painted::of(model), &before),
        };
        let now = before.clone();
        Some(Self { body, mesh: fingerprint(&model.mesh), before, full, now, reached: Reached::new(count, sides) })
    }

    /// The body that is painted.
    pub fn body(&self) -> usize {
        self.body
    }

    /// Whether some of what was painted has nothing on another side.
    pub fn missed(&self) -> bool {
        self.reached.missed()
    }

    /// Passes over vertices, so strongly; fully where that is not said.
    pub fn over(&mut self, vertices: &[u32], strengths: &[f32]) {
        for vertex in self.reached.over(vertices, strengths) {
            let v = vertex as usize;
            let strength = f64::from(self.reached.weights()[v]).min(1.0);
            self.now[v] = self.before[v] + strength * (self.full[v] - self.before[v]);
        }
    }

    /// Logarithms of the factors so far.
    pub fn logarithms(&self) -> &[f64] {
        &self.now
    }

    /// The scene with the stroke so far.
    pub fn written(&self, scene: &Scene) -> Scene {
        let mut scene = scene.clone();
        if let Some(body) = scene.bodies.get_mut(self.body) {
            body.painted_on = Some(self.mesh.clone());
            let factors: Vec<f64> = self.now.iter().map(|logarithm| rounded(logarithm.exp())).collect();
            body.stiffness_field = StiffnessField::of(&factors);
        }
        scene
    }
}

/// The factor of each of so many vertices of a body; `None` where there is no such body.
pub fn factors(scene: &Scene, body: usize, count: usize) -> Option<Vec<f64>> {
    let field = &scene.bodies.get(body)?.stiffness_field;
    Some(field.as_ref().map_or_else(|| vec![1.0; count], |field| field.factors(count)))
}

/// The factor that the colours of a body's field reach to on both sides of 1: the largest that it has, or is about to have, at least 4.
pub fn field_limit(scene: &Scene, body: usize, about: f64) -> f64 {
    let field = scene.bodies.get(body).and_then(|body| body.stiffness_field.as_ref());
    let all = field.into_iter().flat_map(|field| &field.factors).copied().chain([about]);
    all.map(|factor| factor.max(1.0 / factor)).filter(|factor| factor.is_finite()).fold(4.0, f64::max)
}

/// A factor with four digits: more are noise in a file.
fn rounded(factor: f64) -> f64 {
    format!("{factor:.3e}").parse().unwrap_or(factor)
}

/// Values evened out along the edges of the surface.
fn smoothed(painted: &Painted<'_>, values: &[f64]) -> Vec<f64> {
    let mut smooth = values.to_vec();
    for _ in 0..ROUNDS {
        let mut sums = vec![(0.0, 0.0); smooth.len()];
        for [a, b] in painted.edges().map(|ends| ends.map(|end| end as usize)) {
            sums[a] = (sums[a].0 + smooth[b], sums[a].1 + 1.0);
            sums[b] = (sums[b].0 + smooth[a], sums[b].1 + 1.0);
        }
        // Half of itself, which damps what alternates from vertex to vertex.
        smooth
            .iter_mut()
            .zip(sums)
            .filter(|(_, (_, count))| *count > 0.0)
            .for_each(|(value, (sum, count))| *value = 0.5 * (*value + sum / count));
    }
    smooth
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use aplomb_sim::math::random::Random;
    use aplomb_sim::scene_file::{gallery, load};

    use super::super::symmetry::tests::{halves, surface};
    use super::*;

    fn body() -> (Scene, ModelBody) {
        let (positions, triangles) = halves(8, 8, 0.0, 0);
        (load(&gallery::find("hanging_beam").unwrap().path()).unwrap(), surface(positions, triangles, Vec::new()))
    }

    /// The strength of a stroke at each of some vertices, however it is cut into samples and however often it passes.
    #[test]
    fn a_stroke_goes_as_far_as_it_is_strong_at_whatever_rate_it_is_sampled() {
        let (scene, body) = body();
        let mut random = Random::new(4);
        let samples: Vec<(u32, f32)> = (0..300).map(|_| (random.uniform(0.0, 60.0) as u32, random.uniform(0.0, 1.0) as f32)).collect();
        let after = |size: usize, rounds: usize| {
            let mut stroke = FieldStroke::begin(&scene, 0, &body, FieldMode::Towards(8.0), Vec::new()).unwrap();
            for _ in 0..rounds {
                for some in samples.chunks(size) {
                    let (vertices, strengths): (Vec<u32>, Vec<f32>) = some.iter().copied().unzip();
                    stroke.over(&vertices, &strengths);
                }
            }
            stroke.written(&scene).bodies[0].stiffness_field.clone().unwrap()
        };
        let once = after(1, 1);
        assert!(once == after(7, 1) && once == after(300, 3));
        for (&vertex, &factor) in once.vertices.iter().zip(&once.factors) {
            let most = samples.iter().filter(|(v, _)| *v == vertex).map(|(_, strength)| f64::from(*strength)).fold(0.0, f64::max);
            assert!((factor / 8f64.powf(most) - 1.0).abs() < 1e-3, "{factor} at {most}");
        }
    }

    #[test]
    fn it_is_erased_to_nothing_and_smoothed_to_what_is_between() {
        let (scene, body) = body();
        let all: Vec<u32> = (0..body.mesh.positions.len() as u32).collect();
        let stroke = |scene: &Scene, mode, vertices: &[u32], strength: f32| {
            let mut stroke = FieldStroke::begin(scene, 0, &body, mode, Vec::new()).unwrap();
            stroke.over(vertices, &vec![strength; vertices.len()]);
            stroke.written(scene)
        };
        let half: Vec<u32> = all.iter().copied().filter(|&v| body.mesh.positions[v as usize].y > 0.0).collect();
        let painted = stroke(&scene, FieldMode::Towards(16.0), &half, 1.0);
        let smooth = stroke(&painted, FieldMode::Smooth, &all, 1.0);
        let factors = |scene: &Scene| factors(scene, 0, all.len()).unwrap();
        assert!(factors(&smooth).iter().all(|factor| (1.0..=16.0).contains(factor)));
        let between = |scene: &Scene| factors(scene).iter().filter(|factor| (2.0..8.0).contains(*factor)).count();
        assert!(between(&painted) == 0 && between(&smooth) > 8, "{} {}", between(&painted), between(&smooth));
        assert_eq!(stroke(&painted, FieldMode::ERASE, &all, 1.0).bodies[0].stiffness_field, None);
        let weaker = factors(&stroke(&painted, FieldMode::ERASE, &all, 0.5));
        assert!(half.iter().all(|&v| (weaker[v as usize] - 4.0).abs() < 1e-6), "half of the way by ratios");
        assert_eq!((field_limit(&painted, 0, 1.0), field_limit(&scene, 0, 0.1)), (16.0, 10.0));
    }
}
