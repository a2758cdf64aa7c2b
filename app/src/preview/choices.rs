//! What the file does not say, and how it is filled with tets.

use aplomb_sim::import::RawMesh;
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::{SurfaceRepair, TetrahedraliseSettings, Unit, UpAxis};

/// Allowed gradings.
pub const GRADING: std::ops::RangeInclusive<f64> = 1.0..=16.0;
/// Tets where nothing else is asked for.
const TETS: u32 = 20_000;
/// Tets in a cube of the lattice, with edges as long as those of the tets along the axes.
const TETS_IN_CUBE: f64 = 12.0;

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
    /// Brings the number that follows up to date with the one that leads, for a volume [m^3].
    pub fn follow(&mut self, volume: f64, grading: f64) {
        if volume <= 0.0 {
            return;
        }
        // Inside, edges grow: as a rule of thumb, half of the volume has cells in the middle between fine and coarse.
        let coarser = 0.5 + 0.5 * (0.5 * (1.0 + grading)).powi(-3);
        let tets_times_cube = TETS_IN_CUBE * volume * coarser;
        if self.by_length {
            self.tets = (tets_times_cube / self.edge_length.powi(3)).clamp(1.0, 1e9) as u32;
        } else {
            let length = (tets_times_cube / f64::from(self.tets.max(1))).cbrt();
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
            resolution: Resolution { tets: TETS, edge_length: 0.01, by_length: false },
            grading: 2.0,
            repair: Vec::new(),
        }
    }
}

impl Choices {
    /// Takes over what the file says of itself.
    pub fn said_by(&mut self, raw: &RawMesh) {
        let near = |unit: &Unit| raw.unit.is_some_and(|said| (metres(*unit) / said - 1.0).abs() < 1e-9);
        self.unit = [Unit::Metre, Unit::Centimetre, Unit::Millimetre].into_iter().find(near).unwrap_or(self.unit);
        self.up = raw.up.unwrap_or(self.up);
    }

    /// A point of the file in the scene [m].
    pub fn place(&self, p: &Vec3) -> Vec3 {
        let p = metres(self.unit) * p;
        match self.up {
            UpAxis::Y => p,
            UpAxis::Z => Vec3::new(p.x, p.z, -p.y),
        }
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

    /// Joining comes first and turning last, whatever the order in which they were chosen.
    pub fn in_order(&mut self) {
        self.repair.sort_by_key(|repair| match repair {
            SurfaceRepair::Weld(_) => 0,
            SurfaceRepair::DropBad => 1,
            SurfaceRepair::FillHoles(_) => 2,
            SurfaceRepair::Orient => 3,
            SurfaceRepair::DropLoose => 4,
        });
    }
}

/// Metres a unit.
pub fn metres(unit: Unit) -> f64 {
    match unit {
        Unit::Metre => 1.0,
        Unit::Centimetre => 1e-2,
        Unit::Millimetre => 1e-3,
    }
}

/// For people, in the plural.
pub fn unit_name(unit: Unit) -> &'static str {
    match unit {
        Unit::Metre => "metres",
        Unit::Centimetre => "centimetres",
        Unit::Millimetre => "millimetres",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_tets_and_edge_length_one_follows_the_other() {
        let mut resolution = Choices::default().resolution;
        resolution.follow(1e-3, 1.0);
        let found = resolution.edge_length;
        assert!((found - (12.0 * 1e-3 / 20_000.0_f64).cbrt()).abs() < 1e-2 * found, "{found}");
        resolution.by_length = true;
        resolution.edge_length = 0.5 * found;
        resolution.follow(1e-3, 1.0);
        assert!(resolution.tets.abs_diff(160_000) < 4_000, "half the length, eight times the tets: {}", resolution.tets);
        resolution.follow(1e-3, 4.0);
        assert!(resolution.tets < 120_000, "coarser inside");
    }
}
