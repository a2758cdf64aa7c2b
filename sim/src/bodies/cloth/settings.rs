//! What a scene says of a body of cloth.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use super::{Fabric, Stretching, bending, stretching};
use crate::import::RawMesh;
use crate::material::membrane;
use crate::scene::inline_schema;

/// Cloth from the triangles of a mesh file. Stiffnesses are those of the sheet: Young's modulus times thickness, and bending rigidity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ClothSettings {
    /// Name of the law of stretching. The letters of the energies are those of `docs/laws.md`.
    #[schemars(transform = stretching::list_laws, extend("x-affects" = "physics"))]
    pub law: String,
    /// Stiffness against stretching along the warp [N/m]: of laws that do not tell directions apart, in all directions.
    #[schemars(range(min = 1e-6, max = 1e12), extend("x-affects" = "physics"))]
    pub stiffness: f64,
    /// Poisson's ratio: contraction along the weft over the strain along the warp.
    #[schemars(range(min = -0.99, max = 0.99), extend("x-affects" = "physics", "x-label" = "Poisson's ratio"))]
    pub poisson: f64,
    /// Stiffness along the weft [N/m], of the orthotropic law; as along the warp where this is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-6, max = 1e12), extend("x-affects" = "physics"))]
    pub weft_stiffness: Option<f64>,
    /// Stiffness against shear [N/m], of the orthotropic law; that of a sheet without directions where this is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-6, max = 1e12), extend("x-affects" = "physics"))]
    pub shear_stiffness: Option<f64>,
    /// What the cloth is at rest: its triangles undeformed, and the edges between them unbent.
    #[serde(skip_serializing_if = "RestShape::is_given")]
    #[schemars(extend("x-affects" = "geometry"))]
    pub rest: RestShape,
    /// Length of a unit of the sewing pattern [m]; that of the file's unit, scaled as the body is, where this is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-9, max = 1e9), extend("x-affects" = "geometry", "x-label" = "Unit of the pattern"))]
    pub uv_scale: Option<f64>,
    /// What is sewn together; nothing where this is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seams: Option<Seams>,
    /// What fills it, where the surface is closed; nothing where this is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filling: Option<Filling>,
    /// Direction of the warp where the body is at rest, laid into the plane of each triangle; with a sewing pattern it is the direction of u.
    #[schemars(inner(range(min = -1e6, max = 1e6)), extend("x-affects" = "physics"))]
    pub warp: [f64; 3],
    /// Whether springs in place of membranes only pull in the sag-free rest state; where that carries no balance, the report says so.
    #[serde(skip_serializing_if = "is_false")]
    #[schemars(extend("x-affects" = "physics"))]
    pub only_pull: bool,
    /// Name of the law of bending.
    #[schemars(transform = bending::list_laws, extend("x-affects" = "physics"))]
    pub bending_law: String,
    /// Bending rigidity D [N m]: of a plate Y h^3 / (12 (1 - nu^2)) with Young's modulus Y and thickness h. 0: bends freely.
    #[schemars(range(min = 0.0, max = 1e9), extend("x-affects" = "physics"))]
    pub bending_stiffness: f64,
    /// Mass per area [kg/m^2].
    #[schemars(range(min = 1e-9, max = 1e6), extend("x-affects" = "physics"))]
    pub density: f64,
    /// Thickness [m]: layers keep it apart where they touch. 0: none.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-affects" = "geometry"))]
    pub thickness: f64,
    /// Stiffness-proportional damping of stretching: ratio of damping to stiffness [s].
    #[serde(skip_serializing_if = "is_zero")]
    #[schemars(range(min = 0.0, max = 10.0), extend("x-affects" = "run"))]
    pub damping: f64,
    /// The same of bending [s].
    #[serde(skip_serializing_if = "is_zero")]
    #[schemars(range(min = 0.0, max = 10.0), extend("x-affects" = "run"))]
    pub bending_damping: f64,
}

/// Where the rest shape of cloth is from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RestShape {
    /// The given shape, or the rest mesh of the body.
    #[default]
    #[schemars(extend("x-label" = "given shape"))]
    Given,
    /// Its sewing pattern: the texture coordinates of the file. Seams are closed.
    #[schemars(extend("x-label" = "sewing pattern (uv)"))]
    Uv,
}

impl RestShape {
    fn is_given(&self) -> bool {
        *self == Self::Given
    }
}

/// What fills a closed surface, each of its parts on its own: air in a balloon, water in a bag. It resists changes of the enclosed volume; its
/// mass does not count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Filling {
    /// Bulk modulus [Pa]: change of its pressure over the share by which its volume changes. Of air 1e5.
    #[schemars(range(min = 1e-6, max = 1e12), extend("x-affects" = "physics"))]
    pub bulk_modulus: f64,
    /// Volume that would rest, over that which the shape at rest encloses: above 1 it is blown up. The sag-free rest state is the nearest to it.
    #[schemars(range(min = 1e-3, max = 1e3), extend("x-affects" = "physics", "x-label" = "Volume at rest"))]
    pub volume: f64,
}

/// Air that does not push.
impl Default for Filling {
    fn default() -> Self {
        Self { bulk_modulus: 1e5, volume: 1.0 }
    }
}

/// What is sewn together. Each of the three adds to the others. Stitches hold what they sew in its place, also apart, and turn with it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Seams {
    /// Whether the stitches of the mesh file are taken over.
    #[serde(skip_serializing_if = "is_false")]
    #[schemars(extend("x-affects" = "geometry", "x-label" = "Sew as the file says"))]
    pub from_file: bool,
    /// Sews vertices of borders to the edges of other borders, or of the same border elsewhere, that are at most so far away in the given
    /// shape [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 10.0), extend("x-affects" = "geometry", "x-label" = "Sew borders within"))]
    pub distance: Option<f64>,
    /// Pairs of vertices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-affects" = "geometry"))]
    pub pairs: Vec<[u32; 2]>,
}

/// What cloth of a region has in place of what its body says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RegionCloth {
    /// Stiffness along the warp [N/m]; those of the other directions change in proportion.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-6, max = 1e12), extend("x-affects" = "physics"))]
    pub stiffness: Option<f64>,
    /// Bending rigidity [N m].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e9), extend("x-affects" = "physics"))]
    pub bending_stiffness: Option<f64>,
    /// Mass per area [kg/m^2].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-9, max = 1e6), extend("x-affects" = "physics"))]
    pub density: Option<f64>,
    /// Stiffness-proportional damping of stretching [s].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 10.0), extend("x-affects" = "run"))]
    pub damping: Option<f64>,
    /// The same of bending [s].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 10.0), extend("x-affects" = "run"))]
    pub bending_damping: Option<f64>,
}

/// A light woven cotton.
impl Default for ClothSettings {
    fn default() -> Self {
        Self {
            law: membrane::first_law(),
            stiffness: 500.0,
            poisson: 0.3,
            weft_stiffness: None,
            shear_stiffness: None,
            rest: RestShape::Given,
            uv_scale: None,
            seams: None,
            filling: None,
            warp: [1.0, 0.0, 0.0],
            only_pull: false,
            bending_law: bending::first_law(),
            bending_stiffness: 1e-5,
            density: 0.2,
            thickness: 5e-4,
            damping: 0.0,
            bending_damping: 0.0,
        }
    }
}

impl ClothSettings {
    /// Schema of the settings of a body.
    pub(super) fn schema() -> Schema {
        inline_schema::<Self>()
    }

    /// Those of a cloth that was just imported: where the file says what is sewn, its texture coordinates are panels that were cut to be sewn, and
    /// not a picture's place on the cloth.
    pub(super) fn imported(raw: &RawMesh) -> Self {
        let texture = &raw.texture.triangles;
        let is_cut = texture.len() == raw.triangles.len() && !texture.as_flattened().contains(&u32::MAX);
        let is_sewn = !raw.stitches.is_empty();
        Self {
            rest: if is_sewn && is_cut { RestShape::Uv } else { RestShape::Given },
            seams: is_sewn.then(|| Seams { from_file: true, ..Seams::default() }),
            ..Self::default()
        }
    }

    /// What keys, types and limits cannot say: a key, and what is wrong with it.
    pub(super) fn fault(&self) -> Option<(&'static str, String)> {
        if self.only_pull && !matches!(Stretching::named(&self.law), Some(Stretching::EdgeSprings)) {
            return Some(("only_pull", "only springs along edges can be told so; leave this out, or write \"law\": \"springs\"".into()));
        }
        let largest = Fabric::of(self).moduli.largest_poisson();
        if self.poisson.abs() >= largest {
            let message = format!("with these stiffnesses it must be below {largest:.3}, or the cloth would gain energy by being pulled");
            return Some(("poisson", message));
        }
        if self.uv_scale.is_some() && self.rest == RestShape::Given {
            return Some(("uv_scale", "it has no effect without \"rest\": \"uv\"; leave it out".into()));
        }
        if self.rest == RestShape::Uv {
            if !matches!(Stretching::named(&self.law), Some(Stretching::Membranes(_))) {
                return Some(("law", "springs cannot rest in a sewing pattern; choose a law of membranes, or \"rest\": \"given\"".into()));
            }
            if bending::bending_law(&self.bending_law).is_some_and(|law| !law.knows_patterns()) {
                let message = "it cannot rest in a sewing pattern; choose a law of hinges, or \"rest\": \"given\"";
                return Some(("bending_law", message.into()));
            }
        }
        if let Some(pair) = self.seams.iter().flat_map(|seams| &seams.pairs).find(|[a, b]| a == b) {
            return Some(("seams.pairs", format!("vertex {} is paired with itself", pair[0])));
        }
        (self.warp == [0.0; 3]).then(|| ("warp", "it has no direction".into()))
    }
}

impl RegionCloth {
    /// Schema of the settings of a region.
    pub(super) fn schema() -> Schema {
        inline_schema::<Self>()
    }

    /// A fabric with what the region says in place of what it has.
    pub(super) fn over(&self, fabric: &Fabric) -> Fabric {
        let mut moduli = fabric.moduli;
        if let Some(stiffness) = self.stiffness {
            let factor = stiffness / moduli.warp;
            (moduli.warp, moduli.weft, moduli.shear) = (stiffness, factor * moduli.weft, factor * moduli.shear);
        }
        Fabric {
            moduli,
            rigidity: self.bending_stiffness.unwrap_or(fabric.rigidity),
            density: self.density.unwrap_or(fabric.density),
            damping: self.damping.unwrap_or(fabric.damping),
            bending_damping: self.bending_damping.unwrap_or(fabric.bending_damping),
        }
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}
