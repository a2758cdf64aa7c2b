//! What the command line says: kinds, units, axes, resolutions and repairs.

use std::str::FromStr;

use aplomb_sim::bodies::{BodyKind, body_kinds, kind_named};
use aplomb_sim::mesh::health::Health;
use aplomb_sim::scene::{SurfaceRepair, Unit, UpAxis};
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::document::{MEASURED, PRESETS};

/// Names of bodies that are made of files, and that nothing simulates yet.
const UNKNOWN: [(&str, &str); 2] = [("hair", "strands"), ("points", "vertices alone")];

/// What a mesh is of.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A kind of body.
    Known(&'static BodyKind),
    /// The name of one that nothing simulates yet.
    Unknown(&'static str),
}

impl Kind {
    /// The kind, if it is one that bodies can be of; without settings of its own it is a solid.
    pub fn known(self) -> Option<&'static BodyKind> {
        match self {
            Self::Known(kind) => Some(kind),
            Self::Unknown(_) => None,
        }
    }

    /// Whether bodies that name no kind are of this one.
    pub fn is_solid(self) -> bool {
        self.known().is_some_and(|kind| kind.settings.is_none())
    }
}

/// Kinds of bodies by name.
pub fn kinds() -> impl TypedValueParser<Value = Kind> {
    let known: Vec<(&str, &str)> = body_kinds().iter().map(|kind| (kind.name, kind.doc)).collect();
    let unknown = UNKNOWN.into_iter().filter(|(name, _)| known.iter().all(|(kind, _)| kind != name)).collect::<Vec<_>>();
    let values = known.iter().chain(&unknown).map(|(name, doc)| PossibleValue::new(*name).help(*doc));
    PossibleValuesParser::new(values.collect::<Vec<_>>()).try_map(|name| match kind_named(&name) {
        Some(kind) => Ok(Kind::Known(kind)),
        None => UNKNOWN.iter().find(|(unknown, _)| *unknown == name).map(|(unknown, _)| Kind::Unknown(unknown)).ok_or("no such kind"),
    })
}

/// A unit by its name in scenes.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum UnitName {
    /// Metres.
    M,
    /// Centimetres.
    Cm,
    /// Millimetres.
    Mm,
}

impl From<UnitName> for Unit {
    fn from(name: UnitName) -> Self {
        match name {
            UnitName::M => Self::Metre,
            UnitName::Cm => Self::Centimetre,
            UnitName::Mm => Self::Millimetre,
        }
    }
}

/// An axis by its name.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum AxisName {
    /// y.
    Y,
    /// z.
    Z,
}

impl From<AxisName> for UpAxis {
    fn from(name: AxisName) -> Self {
        match name {
            AxisName::Y => Self::Y,
            AxisName::Z => Self::Z,
        }
    }
}

/// The materials by their names.
pub fn presets() -> impl TypedValueParser<Value = &'static str> {
    let values = PRESETS.iter().chain(MEASURED).map(|preset| PossibleValue::new(preset.key).help(format!("{:e} Pa", preset.young)));
    PossibleValuesParser::new(values)
        .try_map(|key| PRESETS.iter().chain(MEASURED).find(|preset| preset.key == key).map(|preset| preset.key).ok_or("no such material"))
}

/// How fine a surface is filled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Resolution {
    /// About so many tets.
    Tets(u32),
    /// Edges of this length [m].
    EdgeLength(f64),
}

impl Resolution {
    /// `tets` and `edge_length` of the scene.
    pub fn settings(self) -> (Option<u32>, Option<f64>) {
        match self {
            Self::Tets(tets) => (Some(tets), None),
            Self::EdgeLength(length) => (None, Some(length)),
        }
    }
}

impl FromStr for Resolution {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The longer names first: `mm` ends in `m` too.
        let units = [("mm", Unit::Millimetre), ("cm", Unit::Centimetre), ("m", Unit::Metre)];
        if let Some((number, unit)) = units.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit))) {
            let length = number.trim().parse::<f64>().ok().map(|number| number * unit.metres());
            let length = length.filter(|length| (1e-9..=1e6).contains(length));
            return length
                .map(Self::EdgeLength)
                .ok_or_else(|| format!("`{number}` is no length between a nanometre and a thousand kilometres"));
        }
        let tets = text.parse().ok().filter(|tets| (12..=5_000_000).contains(tets));
        tets.map(Self::Tets).ok_or_else(|| "a number of tets from 12 to 5000000, or a length such as 5mm".to_owned())
    }
}

/// What is to be mended.
#[derive(Debug, Clone, PartialEq)]
pub enum Repairs {
    /// What the health report offers.
    Safe,
    /// These, in order.
    List(Vec<SurfaceRepair>),
}

impl Repairs {
    /// The repairs of a surface with this report.
    pub fn resolve(&self, health: &Health) -> Vec<SurfaceRepair> {
        match self {
            Self::Safe => health.safe_repairs(),
            Self::List(repairs) => repairs.clone(),
        }
    }
}

impl FromStr for Repairs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "safe" {
            return Ok(Self::Safe);
        }
        text.split(',').map(|word| repair(word.trim())).collect::<Result<_, _>>().map(Self::List)
    }
}

/// The tolerance of `weld`, and the largest hole of `fill-holes`, where none is given.
const TOLERANCE: f64 = 1e-7;
const LARGEST_HOLE: u32 = 100;

fn repair(word: &str) -> Result<SurfaceRepair, String> {
    let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
    match (name, value) {
        ("drop-bad", None) => Ok(SurfaceRepair::DropBad),
        ("drop-loose", None) => Ok(SurfaceRepair::DropLoose),
        ("orient", None) => Ok(SurfaceRepair::Orient),
        ("weld", value) => {
            let share = value.map_or(Some(TOLERANCE), |value| value.parse().ok()).filter(|share| (0.0..=0.1).contains(share));
            share.map(SurfaceRepair::Weld).ok_or_else(|| "the tolerance of `weld` is a share of the diagonal, from 0 to 0.1".to_owned())
        }
        ("fill-holes", value) => {
            let edges = value.map_or(Some(LARGEST_HOLE), |value| value.parse().ok()).filter(|edges| (3..=100_000).contains(edges));
            edges.map(SurfaceRepair::FillHoles).ok_or_else(|| "`fill-holes` takes a number of edges from 3 to 100000".to_owned())
        }
        _ => Err(format!("`{word}` is none of: weld[=SHARE], drop-bad, drop-loose, orient, fill-holes[=EDGES], safe")),
    }
}

/// A repair as it is written on the command line.
pub fn written(repair: &SurfaceRepair) -> String {
    match repair {
        SurfaceRepair::Weld(share) => format!("weld={share:e}"),
        SurfaceRepair::DropBad => "drop-bad".to_owned(),
        SurfaceRepair::DropLoose => "drop-loose".to_owned(),
        SurfaceRepair::Orient => "orient".to_owned(),
        SurfaceRepair::FillHoles(edges) => format!("fill-holes={edges}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn resolutions_are_counts_or_lengths() {
        assert_eq!("30000".parse(), Ok(Resolution::Tets(30_000)));
        for (text, metres) in [("5mm", 0.005), ("0.5cm", 0.005), ("0.005m", 0.005), ("2 m", 2.0)] {
            let Resolution::EdgeLength(length) = text.parse().unwrap() else { unreachable!("{text}") };
            assert!((length - metres).abs() < 1e-15, "{text}: {length}");
        }
        for wrong in ["", "0", "-3mm", "mm", "1e9m", "11", "30k", "NaNm", "infm"] {
            assert!(wrong.parse::<Resolution>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn repairs_are_read_as_they_are_written() {
        let list = [
            SurfaceRepair::Weld(1e-6),
            SurfaceRepair::DropBad,
            SurfaceRepair::Orient,
            SurfaceRepair::FillHoles(40),
            SurfaceRepair::DropLoose,
        ];
        let text = list.iter().map(written).collect::<Vec<_>>().join(",");
        assert_eq!(text.parse(), Ok(Repairs::List(list.to_vec())), "{text}");
        assert_eq!("safe".parse(), Ok(Repairs::Safe));
        for wrong in ["", "weld=", "weld=1", "orient=2", "fill-holes=2", "mend"] {
            assert!(wrong.parse::<Repairs>().is_err(), "{wrong}");
        }
    }
}
