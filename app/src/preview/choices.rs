//! What the file does not say, and how it is filled with tets.

use aplomb_sim::import::RawMesh;
use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::health::stated_unit;
use aplomb_sim::mesh::tetrahedralise::MEAN_EDGE;
use aplomb_sim::mesh::tetrahedralise::size::{cell_for, expected};
use aplomb_sim::mesh::to_scene;
use aplomb_sim::scene::{KindSettings, SurfaceRepair, TetrahedraliseSettings, Unit, UpAxis};

/// Tets where nothing else is asked for.
const TETS: u32 = 20_000;

/// How fine the tets are: one of the two numbers leads, the other is an estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resolution {
    /// About how many tets.
    pub tets: u32,
    /// Length of edges at the surface [m].
    pub edge_length: f64,
    /// Whether the length leads.
    pub by_length: bool,
}

impl Resolution {
    /// Brings the number that follows up to date with the one that leads, for this volume and area, [m^3] and [m^2].
    pub fn follow(&mut self, measure: (f64, f64), grading: f64) {
        if measure.0 <= 0.0 {
            return;
        }
        if self.by_length {
            self.tets = expected(measure, self.edge_length / MEAN_EDGE, grading).clamp(1.0, 1e9) as u32;
        } else {
            let length = MEAN_EDGE * cell_for(self.tets as usize, &[measure], 0.0, grading, 1.0);
            // No more digits than an estimate has.
            let last = 10.0_f64.powf(length.log10().floor() - 2.0);
            self.edge_length = (length / last).round() * last;
        }
    }
}

/// What the user may choose before a file is taken in.
#[derive(Debug, Clone, PartialEq)]
pub struct Choices {
    /// Unit of the file's coordinates.
    pub unit: Unit,
    /// Its axis that points up.
    pub up: UpAxis,
    /// Whether a new scene has a ground under it.
    pub ground: bool,
    /// Whether it is added to the scene at hand.
    pub add: bool,
    /// What a surface becomes, if not a solid that is filled with tets.
    pub kind: Option<KindSettings>,
    /// How fine the tets are.
    pub resolution: Resolution,
    /// How much longer edges may be inside.
    pub grading: f64,
    /// What is mended, in the order in which it is done.
    pub repair: Vec<SurfaceRepair>,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            unit: Unit::default(),
            up: UpAxis::default(),
            ground: true,
            add: false,
            kind: None,
            resolution: Resolution { tets: TETS, edge_length: 0.01, by_length: false },
            grading: 2.0,
            repair: Vec::new(),
        }
    }
}

impl Choices {
    /// Takes over what the file says of itself.
    pub fn said_by(&mut self, raw: &RawMesh) {
        self.unit = stated_unit(raw).unwrap_or(self.unit);
        self.up = raw.up.unwrap_or(self.up);
    }

    /// A point of the file in the scene [m].
    pub fn place(&self, p: &Vec3) -> Vec3 {
        to_scene(p, self.unit.metres(), self.up)
    }

    /// For the scene.
    pub fn settings(&self) -> TetrahedraliseSettings {
        let Resolution { tets, edge_length, by_length } = self.resolution;
        TetrahedraliseSettings {
            tets: (!by_length).then_some(tets),
            edge_length: by_length.then_some(edge_length),
            grading: Some(self.grading),
            repair: self.repair.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_tets_and_edge_length_one_follows_the_other() {
        let mut resolution = Choices::default().resolution;
        let cube = (1e-3, 6e-2);
        resolution.follow(cube, 1.0);
        let found = resolution.edge_length;
        assert!((0.005..0.01).contains(&found), "{found}");
        resolution.by_length = true;
        resolution.follow(cube, 1.0);
        assert!(resolution.tets.abs_diff(20_000) < 300, "and back: {}", resolution.tets);
        resolution.edge_length = 0.5 * found;
        resolution.follow(cube, 1.0);
        let finer = resolution.tets;
        assert!((140_000..165_000).contains(&finer), "half the length, nearly eight times the tets: {finer}");
        resolution.follow(cube, 4.0);
        assert!(resolution.tets < finer - finer / 4, "coarser inside: {}", resolution.tets);
    }
}
