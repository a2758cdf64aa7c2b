//! What a scene says of a body of particles.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use super::{ElasticSettings, LiquidSettings, MetalSettings, SandSettings};
use crate::scene::inline_schema;

/// Particles: the points of a file as they are, or those that fill a closed surface or tets. What they are made of stands beside their
/// spacing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParticleSettings {
    /// Edge of the cube that each particle stands for [m]: the spacing of a lattice.
    #[schemars(range(min = 1e-6, max = 1e3), extend("x-affects" = "geometry"))]
    pub spacing: f64,
    /// How a closed surface or tets are filled.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-affects" = "geometry"))]
    pub sampling: Sampling,
    /// Number that chance follows from, of samplings that are by chance.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(range(max = 1000000), extend("x-affects" = "geometry"))]
    pub seed: u32,
    /// Mass over volume [kg/m^3].
    #[serde(default = "water")]
    #[schemars(range(min = 1e-3, max = 1e6), extend("x-affects" = "physics"))]
    pub density: f64,
    /// Leave out the points that no stress could hold on a grid with cells of this edge [m]: those that have two nodes of it or more to themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-6, max = 1e3), extend("x-affects" = "geometry"))]
    pub trim: Option<f64>,
    /// What changes of volume are by: nearly incompressible solids, and all that flows without a change of volume, lock where each point has its own.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-affects" = "physics"))]
    pub volume_by: VolumeBy,
    /// They are a fluid that keeps its density.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fluid: FluidSettings,
    /// In place of a fluid, an elastic solid: material points, which move with a grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-affects" = "physics"))]
    pub elastic: Option<ElasticSettings>,
    /// In place of a fluid, grains: material points that bear so much shear as the pressure between them rubs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-affects" = "physics"))]
    pub sand: Option<SandSettings>,
    /// In place of a fluid, metal: material points that are elastic up to where they flow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-affects" = "physics"))]
    pub metal: Option<MetalSettings>,
    /// In place of a fluid by positions, a liquid of material points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-affects" = "physics"))]
    pub liquid: Option<LiquidSettings>,
}

/// How a volume is filled with particles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// In rows along the axes: liquids and what stands under its own weight are in balance so to round-off.
    #[default]
    Lattice,
    /// By chance, but no two near one another (Poisson disks): no direction is another's equal, and nothing clumps.
    Poisson,
    /// By chance alone, in clumps and with gaps.
    Random,
}

/// What changes of volume are by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VolumeBy {
    /// By cells for what flows without a change of volume, as metal does, and by points for all others.
    #[default]
    Matter,
    /// Each point has its own.
    Point,
    /// All of the points in a cell of the grid have the same (Mast et al. 2012).
    Cell,
}

/// A fluid by positions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FluidSettings {
    /// Radius of the kernel, over the spacing.
    #[schemars(range(min = 1.5, max = 6.0), extend("x-affects" = "physics"))]
    pub radius: f64,
    /// Kernels of density and its gradient.
    #[schemars(extend("x-affects" = "physics"))]
    pub kernel: Kernels,
    /// Compressibility [1/Pa]: the share of its volume that the fluid loses under a pascal.
    #[schemars(range(max = 1.0), extend("x-affects" = "physics", "exclusiveMinimum" = 0.0))]
    pub compliance: f64,
    /// Whether walls mirror the fluid before them, and so its pressure; without, no column stands: for comparison.
    #[schemars(extend("x-affects" = "physics"))]
    pub mirror: bool,
    /// What keeps particles from clumping.
    #[schemars(extend("x-affects" = "physics"))]
    pub tensile: Tensile,
    /// Share c of the velocity of those around it that a particle takes over in each part of a step: viscosity of XSPH.
    #[schemars(range(min = 0.0, max = 0.5), extend("x-affects" = "run"))]
    pub xsph: f64,
    /// Strength epsilon of vorticity confinement, which gives back the swirls that steps lose [m/s]; 0 for none.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-affects" = "run"))]
    pub vorticity: f64,
}

/// The kernels of Muller, Charypar, Gross 2003.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kernels {
    /// Both by (h - r)^3: gradients are those of the density, so that pressures have an energy, and what is damped comes to rest.
    #[default]
    Spiky,
    /// Density by (h^2 - r^2)^3, and in place of its gradient that of (h - r)^3, as Macklin, Muller 2013 do: such forces have no energy, and a fluid
    /// that rests on a floor boils for ever. For comparison.
    Poly6Spiky,
}

/// The tensile term: two particles push one another apart by so much more than their pressures say.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Tensile {
    /// Share k of their pressures at the distance below; 0 for none.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-affects" = "physics"))]
    pub strength: f64,
    /// Power n with which the share falls as the kernel does.
    #[schemars(range(min = 1, max = 8), extend("x-affects" = "physics"))]
    pub power: u32,
    /// Distance at which it is k, over the radius of the kernel.
    #[schemars(range(max = 0.9), extend("x-affects" = "physics", "exclusiveMinimum" = 0.0))]
    pub distance: f64,
}

impl ParticleSettings {
    /// Water with particles this far apart [m].
    pub fn new(spacing: f64) -> Self {
        Self {
            spacing,
            sampling: Sampling::default(),
            seed: 0,
            density: water(),
            trim: None,
            volume_by: VolumeBy::default(),
            fluid: FluidSettings::default(),
            elastic: None,
            sand: None,
            metal: None,
            liquid: None,
        }
    }

    /// Whether they are a liquid, by positions or on a grid.
    pub fn is_liquid(&self) -> bool {
        self.liquid.is_some() || self.substances().next().is_none()
    }

    /// What the particles are made of.
    pub fn matter(&self) -> &FluidSettings {
        &self.fluid
    }

    /// Schema of the settings of a body.
    pub(super) fn schema() -> Schema {
        inline_schema::<Self>()
    }
}

impl Default for FluidSettings {
    fn default() -> Self {
        Self {
            radius: 2.6,
            kernel: Kernels::default(),
            compliance: 1e-6,
            mirror: true,
            tensile: Tensile::default(),
            xsph: 0.01,
            vorticity: 0.0,
        }
    }
}

impl Default for Tensile {
    fn default() -> Self {
        Self { strength: 0.1, power: 4, distance: 0.3 }
    }
}

fn water() -> f64 {
    1000.0
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
