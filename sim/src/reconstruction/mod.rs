//! The surface of a cloud of points: where a smooth field of their volumes falls under a threshold (Monaghan 1992 for the field, Lorensen and
//! Cline 1987 for its triangles), smoothed without loss of volume (Taubin 1995).
//!
//! ```text
//! points -> checked -> field and its triangles -> in one order -> weights of the points at each vertex -> smoothed
//! ```
//!
//! The surface is closed and outward oriented: each edge belongs to two triangles, which pass through it opposite ways. It is the same to the
//! last bit for any number of threads.

mod carriers;
mod level_set;
mod order;
mod smoothing;

#[cfg(test)]
mod tests;

pub use carriers::Carriers;

use crate::math::Vec3;
use crate::watch::{Cancelled, Watch};

/// Most cubes along a side of the box around a cloud, whether there are points in them or not: beyond, they could not be counted.
const MOST_CUBES: f64 = 1e6;

/// How a surface is made of a cloud.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reconstruction {
    /// Edge of the cube that each point stands for [m].
    pub spacing: f64,
    /// How many cubes of the grid, on which the surface is sought, lie along a spacing: [`Reconstruction::LEAST`] to
    /// [`Reconstruction::MOST`].
    pub resolution: f64,
}

/// A closed surface of triangles.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CloudSurface {
    /// Vertices [m].
    pub positions: Vec<Vec3>,
    /// Triangles, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The points that each vertex lies at, before it is smoothed, with their weights.
    pub carriers: Carriers,
}

/// Why there is no surface.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ReconstructionError {
    /// There is nothing to be around.
    #[error("there are no points, and so no surface around them; give the body some")]
    Empty,
    /// A point is nowhere.
    #[error("point {point} has no place that is a number; look at the step that moved it there")]
    NotFinite {
        /// Its number.
        point: usize,
    },
    /// The spacing or the resolution is none.
    #[error("{0}")]
    Settings(String),
    /// Points are so far from one another that the grid between them cannot be counted.
    #[error(
        "the points are spread over {extent:.3e} m, {cubes:.1e} cubes along a side and more than {MOST_CUBES:.0e}; leave out those that flew off, or take a lower resolution"
    )]
    Spread {
        /// Largest side of the box around them [m].
        extent: f64,
        /// How many cubes would lie along it.
        cubes: f64,
    },
    /// The cubes have no surface between them.
    #[error("no surface was found: {0}")]
    Failed(String),
    /// It was given up from outside.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Reconstruction {
    /// Lowest resolution: cubes as large as what a point stands for.
    pub const LEAST: f64 = 1.0;
    /// Highest resolution.
    pub const MOST: f64 = 8.0;
    /// Resolution that shows what there is: finer ones add triangles more than shape.
    pub const USUAL: f64 = 2.0;

    /// That of points this far from one another [m], at the usual resolution.
    pub fn of(spacing: f64) -> Self {
        Self { spacing, resolution: Self::USUAL }
    }

    /// The closed surface around `points` [m]. Points that move make one that moves along, as far as the grid lets it: it is counted
    /// from the lower corner of their box.
    ///
    /// # Errors
    /// No points, points that are nowhere or too far from one another, settings that are out of range, and cancellation.
    pub fn surface(&self, points: &[Vec3], watch: &dyn Watch) -> Result<CloudSurface, ReconstructionError> {
        let origin = self.check(points)?;
        watch.check()?;
        watch.progress("surface of points", 0.0);
        let (mut positions, mut triangles) = level_set::triangles(points, origin, self)?;
        watch.check()?;
        watch.progress("surface of points", 0.7);
        order::put(&mut positions, &mut triangles, self.cube());
        positions.iter_mut().for_each(|place| *place += origin);
        let carriers = Carriers::find(points, &positions, self.spacing);
        watch.check()?;
        smoothing::smooth(&mut positions, &triangles, &carriers);
        watch.progress("surface of points", 1.0);
        Ok(CloudSurface { positions, triangles, carriers })
    }

    /// The lower corner of the box around `points`, where a surface can be made of them.
    fn check(&self, points: &[Vec3]) -> Result<Vec3, ReconstructionError> {
        if !self.spacing.is_finite() || self.spacing <= 0.0 {
            let message = format!("the spacing of points is {} m; it must be a number above zero", self.spacing);
            return Err(ReconstructionError::Settings(message));
        }
        if !(Self::LEAST..=Self::MOST).contains(&self.resolution) {
            let message = format!("the resolution is {}; give one from {} to {}", self.resolution, Self::LEAST, Self::MOST);
            return Err(ReconstructionError::Settings(message));
        }
        let Some(first) = points.first() else { return Err(ReconstructionError::Empty) };
        if let Some(point) = points.iter().position(|point| !point.iter().all(|x| x.is_finite())) {
            return Err(ReconstructionError::NotFinite { point });
        }
        let (low, high) = points.iter().fold((*first, *first), |(low, high), point| (low.inf(point), high.sup(point)));
        let extent = (high - low).max();
        let cubes = extent / self.cube();
        if !cubes.is_finite() || cubes > MOST_CUBES {
            return Err(ReconstructionError::Spread { extent, cubes });
        }
        Ok(low)
    }

    /// Edge of a cube of the grid [m].
    fn cube(&self) -> f64 {
        self.spacing / self.resolution
    }
}
