//! [`Nearest`]: the nearest points of two primitives.

use crate::math::Vec3;

/// The nearest points of two primitives, as weights of their vertices. Unused vertices have the weight 0, so the
/// vertices whose weight is not 0 span the nearest feature of each primitive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// Weights of the vertices: those of the first primitive sum to 1, those of the second to -1.
    pub weights: [f64; 4],
    /// From the second primitive's nearest point to the first's [m]: the weighted sum of the vertices.
    pub offset: Vec3,
    slides: [Slide; 2],
    slide_count: usize,
}

/// A way in which a nearest point may move within its feature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Slide {
    /// Change of the offset [m]: an edge of the feature.
    pub along: Vec3,
    /// Change of the weights.
    pub rates: [f64; 4],
}

impl Nearest {
    #[inline(always)]
    pub(super) fn new(weights: [f64; 4], offset: Vec3, slides: &[Slide]) -> Self {
        let mut kept = [Slide { along: Vec3::zeros(), rates: [0.0; 4] }; 2];
        kept[..slides.len()].copy_from_slice(slides);
        Self { weights, offset, slides: kept, slide_count: slides.len() }
    }

    /// Squared distance [m^2].
    pub fn squared_distance(&self) -> f64 {
        self.offset.norm_squared()
    }

    /// Distance [m].
    pub fn distance(&self) -> f64 {
        self.offset.norm()
    }

    /// The first primitive's nearest point, the vertices being where `position` says [m].
    pub fn first_point(&self, position: impl Fn(usize) -> Vec3) -> Vec3 {
        (0..4).filter(|&k| self.weights[k] > 0.0).map(|k| self.weights[k] * position(k)).sum()
    }

    pub(super) fn slides(&self) -> &[Slide] {
        &self.slides[..self.slide_count]
    }

    /// The same pair of points with the vertices in other places: vertex `k` becomes vertex `places[k]`.
    #[inline(always)]
    pub fn placed<const K: usize>(&self, places: [usize; K]) -> Self {
        let moved = |given: &[f64; 4]| {
            let mut weights = [0.0; 4];
            for (weight, place) in given.iter().zip(places) {
                weights[place] = *weight;
            }
            weights
        };
        let slides = self.slides.map(|slide| Slide { along: slide.along, rates: moved(&slide.rates) });
        Self { weights: moved(&self.weights), offset: self.offset, slides, slide_count: self.slide_count }
    }

    /// The nearest points as seen from the second primitive.
    pub(super) fn reversed(&self) -> Self {
        let turned = |slide: Slide| Slide { along: -slide.along, rates: slide.rates.map(|rate| -rate) };
        Self {
            weights: self.weights.map(|weight| -weight),
            offset: -self.offset,
            slides: self.slides.map(turned),
            slide_count: self.slide_count,
        }
    }

    /// The nearer of two; the first of equals.
    pub(super) fn or_nearer(self, other: Self) -> Self {
        if other.squared_distance() < self.squared_distance() { other } else { self }
    }
}
