//! [`Substance`]: what material points are made of. One file each, and a line in [`ParticleSettings::substances`].

use std::sync::Arc;

use super::{FluidSettings, ParticleSettings, VolumeBy};
use crate::bodies::unfilled::Fault;
use crate::bodies::{Degenerate, Families};
use crate::element::{Batch, Element, MaterialPoint};
use crate::material::Material;
use crate::material::yields::YieldSurface;
use crate::math::Vec3;

/// What the material points of a body are made of.
pub trait Substance {
    /// Key in the settings.
    fn name(&self) -> &'static str;
    /// The elastic law, with this factor on its stiffness.
    fn material(&self, factor: f64) -> Arc<dyn Material>;
    /// Where it flows, if it does.
    fn yields(&self) -> Option<YieldSurface> {
        None
    }
    /// Viscosity [Pa s].
    fn viscosity(&self) -> f64 {
        0.0
    }
    /// Shear up to which it keeps a deviator that its start needs; 0: none.
    fn kept_until(&self) -> f64 {
        0.0
    }
    /// What is wrong beside types and limits: the key in the settings of the body, and what to do.
    fn fault(&self) -> Option<(&'static str, String)>;
}

impl ParticleSettings {
    /// Every substance that is given: one, or none of a fluid by positions.
    pub fn substances(&self) -> impl Iterator<Item = &dyn Substance> {
        let elastic = self.elastic.as_ref().map(|own| own as &dyn Substance);
        let sand = self.sand.as_ref().map(|own| own as &dyn Substance);
        let metal = self.metal.as_ref().map(|own| own as &dyn Substance);
        let liquid = self.liquid.as_ref().map(|own| own as &dyn Substance);
        [elastic, sand, metal, liquid].into_iter().flatten()
    }
}

/// Points of `substance` at `rest` [m], undeformed, each with the cube of the spacing [m] as its volume, whose given places are `given` [m];
/// `factors` on the stiffness of each, or none.
pub(super) fn points(
    substance: &dyn Substance,
    (spacing, volume_by): (f64, VolumeBy),
    factors: &[f64],
    rest: &[Vec3],
    given: &[Vec3],
) -> Result<Families, Degenerate> {
    let usual = substance.material(1.0);
    let until = substance.kept_until();
    let shares_volume = match volume_by {
        VolumeBy::Matter => substance.yields().is_some_and(|surface| surface.slope == 0.0),
        VolumeBy::Point => false,
        VolumeBy::Cell => true,
    };
    let (mut points, mut degenerate) = (Vec::with_capacity(rest.len()), Vec::new());
    for (p, x) in rest.iter().enumerate() {
        let factor = factors.get(p).copied().unwrap_or(1.0);
        let material = if factor == 1.0 { usual.clone() } else { substance.material(factor) };
        match MaterialPoint::new(material, spacing.powi(3), *x) {
            Ok(mut point) => {
                (point.yields, point.viscosity, point.shares_volume) = (substance.yields(), substance.viscosity(), shares_volume);
                if until > 0.0 {
                    point = point.keeping(until);
                }
                point.given_at(&[given[p]]);
                points.push(point);
            }
            Err(why) => degenerate.push((p, why)),
        }
    }
    if !degenerate.is_empty() {
        return Err(degenerate);
    }
    let nodes = (0..rest.len() as u32).map(|node| [node]).collect();
    Ok(vec![Box::new(Batch::new(points, nodes))])
}

/// What is wrong with the substances of a body beside their types and limits.
pub(super) fn fault_of(settings: &ParticleSettings) -> Option<Fault> {
    let mut all = settings.substances();
    let Some(first) = all.next() else {
        let message = "a fluid by positions has no grid; leave this out, or make the particles a \"liquid\"";
        let volume_by = (settings.volume_by != VolumeBy::default()).then_some("volume_by");
        let key = settings.trim.map(|_| "trim").or(volume_by);
        return key.map(|key| (Some(key), message.to_owned()));
    };
    if let Some(second) = all.next() {
        let message = format!("particles are either \"{}\" or \"{}\"; leave one of the two out", first.name(), second.name());
        return Some((Some(second.name()), message));
    }
    if settings.fluid != FluidSettings::default() {
        return Some((Some("fluid"), format!("particles with \"{}\" are no fluid; leave one of the two out", first.name())));
    }
    if settings.liquid.is_some() && settings.volume_by != VolumeBy::default() {
        let message = "a liquid does not lock, as nothing holds its shape; leave this out";
        return Some((Some("volume_by"), message.to_owned()));
    }
    first.fault().map(|(key, message)| (Some(key), message))
}
