//! Materials with names that people know, and which of them a new body is to be of.

use std::path::Path;

use aplomb_sim::bodies::cloth::{ClothSettings, RegionCloth};
use aplomb_sim::bodies::springs::{RegionSprings, SpringMass, SpringSettings};
use aplomb_sim::sag_free::initialise::InitialiseError;
use aplomb_sim::scene::{MaterialSettings, Method, Scene, SceneProblem};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{Conclusion, InfeasibilityCode, InitReport};
use aplomb_sim::watch::Watch;

/// A material with a name.
#[derive(Debug, PartialEq)]
pub struct Preset {
    /// Name, for people.
    pub name: &'static str,
    /// Name on the command line.
    pub key: &'static str,
    /// Young's modulus [Pa].
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Density [kg/m^3].
    pub density: f64,
    /// Stiffness-proportional damping [s].
    pub damping: f64,
    /// Where the numbers are from.
    pub source: &'static str,
}

/// Those that are tried on what is imported, the softest first.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "Jelly",
        key: "jelly",
        young: 5e3,
        poisson: 0.45,
        density: 1000.0,
        damping: 0.0,
        source: "gelatine with 20 times its mass of water has 4.3 ± 0.6 kPa (Bonavia 2025); its Poisson's ratio is nearer to 0.5",
    },
    Preset {
        name: "Foam",
        key: "foam",
        young: 2e4,
        poisson: 0.3,
        density: 60.0,
        damping: 0.01,
        source: "a soft seat: open-cell polyurethane has 45 MPa (ρ / 1200 kg/m³)², 20 kPa at 25 kg/m³ (Gibson and Ashby 1997); such foams \
                 weigh 46 to 85 kg/m³ (Casavola et al. 2022)",
    },
    Preset {
        name: "Soft rubber",
        key: "soft-rubber",
        young: 1e5,
        poisson: 0.47,
        density: 1100.0,
        damping: 0.0,
        source: "the softest silicone rubbers: EcoFlex 00-30 has 0.125 MPa (Case, White and Kramer 2015)",
    },
    Preset {
        name: "Rubber",
        key: "rubber",
        young: 1e6,
        poisson: 0.48,
        density: 1100.0,
        damping: 0.0,
        source: "natural rubber of hardness 30 to 35 IRHD has 0.92 to 1.18 MPa (Lindley 1974); its Poisson's ratio is nearer to 0.5",
    },
    Preset {
        name: "Hard rubber",
        key: "hard-rubber",
        young: 1e7,
        poisson: 0.48,
        density: 1150.0,
        damping: 0.0,
        source: "natural rubber of hardness 75 IRHD has 9.4 MPa (Lindley 1974); its Poisson's ratio is nearer to 0.5",
    },
    Preset {
        name: "Plastic",
        key: "plastic",
        young: 1e9,
        poisson: 0.4,
        density: 950.0,
        damping: 0.0,
        source: "polyethylene of high density has 1.08 GPa and 959 kg/m³ (Callister 2007)",
    },
];

/// Further materials with numbers that were measured.
pub const MEASURED: &[Preset] = &[
    Preset {
        name: "Fat",
        key: "fat",
        young: 3.25e3,
        poisson: 0.48,
        density: 900.0,
        damping: 0.0,
        source: "3.25 ± 0.91 kPa (Samani, Zubovits and Plewes 2007), 900 kg/m³ (Fidanza, Keys and Anderson 1953); nearly incompressible",
    },
    Preset {
        name: "Muscle",
        key: "muscle",
        young: 1.2e4,
        poisson: 0.48,
        density: 1060.0,
        damping: 0.0,
        source: "relaxed: 8 to 17 kPa, 12 here (Engler et al. 2006), 1060 kg/m³ (Mendez and Keys 1960); nearly incompressible",
    },
    Preset {
        name: "Skin",
        key: "skin",
        young: 4.2e5,
        poisson: 0.48,
        density: 1100.0,
        damping: 0.0,
        source: "0.42 MPa in the young, 0.85 MPa in the old (Agache et al. 1980), about 1100 kg/m³ (Duck 1990); nearly incompressible",
    },
    Preset {
        name: "Silicone",
        key: "silicone",
        young: 1.32e6,
        poisson: 0.49,
        density: 1030.0,
        damping: 0.0,
        source: "Sylgard 184 cured at 25 °C: 1.32 MPa, and 2.97 MPa at 200 °C (Johnston et al. 2014); its Poisson's ratio is nearer to 0.5",
    },
    Preset {
        name: "Wood",
        key: "wood",
        young: 1.08e10,
        poisson: 0.37,
        density: 450.0,
        damping: 0.0,
        source: "Sitka spruce, along the grain: 10.8 GPa, 0.37, 450 kg/m³ with 12 % of water (Forest Products Laboratory 2010); it is much \
                 softer across",
    },
];

/// A fibre with a name: what a spring of it is, whatever its length.
#[derive(Debug, PartialEq)]
pub struct Fibre {
    /// Name, for people.
    pub name: &'static str,
    /// Young's modulus [Pa].
    pub young: f64,
    /// Density [kg/m^3].
    pub density: f64,
    /// Diameter [m].
    pub diameter: f64,
    /// Where the numbers are from.
    pub source: &'static str,
}

/// Fibres, the softest first.
pub const FIBRES: &[Fibre] = &[
    Fibre { name: "Rubber cord", young: 1e6, density: 1100.0, diameter: 5e-3, source: "1 MPa (Gosline et al. 1999)" },
    Fibre { name: "Hair", young: 3.9e9, density: 1320.0, diameter: 7e-5, source: "3.9 GPa, 1320 kg/m³ (Robbins 2012)" },
    Fibre { name: "Nylon line", young: 5e9, density: 1140.0, diameter: 5e-4, source: "5 GPa (Gosline et al. 1999)" },
    Fibre {
        name: "Silk thread",
        young: 7e9,
        density: 1300.0,
        diameter: 2e-4,
        source: "of Bombyx mori: 7 GPa, 1300 kg/m³ (Gosline et al. 1999)",
    },
    Fibre { name: "Steel wire", young: 2e11, density: 7800.0, diameter: 1e-3, source: "200 GPa, 7800 kg/m³ (Gosline et al. 1999)" },
];

impl Fibre {
    fn section(&self) -> f64 {
        0.25 * std::f64::consts::PI * self.diameter * self.diameter
    }

    /// Stiffness of a piece of one metre, E A [N].
    pub fn stiffness(&self) -> f64 {
        self.young * self.section()
    }

    /// Mass of a metre [kg/m].
    pub fn mass(&self) -> f64 {
        self.density * self.section()
    }

    /// Makes springs those of this fibre: their stiffness, and their mass where that goes by the length. All else stays.
    pub fn apply(&self, settings: &mut SpringSettings) {
        (settings.stiffness, settings.stiffness_per_length) = (None, Some(self.stiffness()));
        if let SpringMass::PerLength(mass) = &mut settings.mass {
            *mass = self.mass();
        }
    }

    /// Makes the springs of a region those of this fibre.
    pub fn apply_to_region(&self, settings: &mut RegionSprings) {
        (settings.stiffness, settings.stiffness_per_length) = (None, Some(self.stiffness()));
    }
}

/// A sheet with a name: cloth, paper, rubber.
#[derive(Debug, PartialEq)]
pub struct Sheet {
    /// Name, for people.
    pub name: &'static str,
    /// Stiffness along the warp [N/m].
    pub warp: f64,
    /// Stiffnesses along the weft and against shear [N/m] of what is woven; none of what is the same in all directions.
    pub woven: Option<[f64; 2]>,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Bending rigidity [N m].
    pub rigidity: f64,
    /// Mass per area [kg/m^2].
    pub density: f64,
    /// Thickness [m].
    pub thickness: f64,
    /// Where the numbers are from.
    pub source: &'static str,
}

/// Sheets, those that bend most easily first. The numbers of Wang et al. are those of the materials that come with the paper, at the smallest strain
/// that they measured, in the Green strain: twice what the files say, as their simulator takes them; of shear, whose strain E12 they
/// square once, a quarter of that.
pub const SHEETS: &[Sheet] = &[
    Sheet {
        name: "Polyester tablecloth",
        warp: 4050.0,
        woven: Some([4000.0, 9.6]),
        poisson: 0.0,
        rigidity: 4.1e-5,
        density: 0.128,
        thickness: 2e-4,
        source: "measured: \"white dots on black\", all polyester, bends by 31 to 52 µN m (Wang, O'Brien and Ramamoorthi 2011); its thickness is \
                 a typical one",
    },
    Sheet {
        name: "Denim",
        warp: 2030.0,
        woven: Some([410.0, 27.0]),
        poisson: 0.05,
        rigidity: 8e-5,
        density: 0.324,
        thickness: 6e-4,
        source: "measured: 11 oz black denim of 99 % cotton, whose weft stretches, bends by 64 to 97 µN m (Wang, O'Brien and Ramamoorthi 2011); \
                 its thickness is a typical one",
    },
    Sheet {
        name: "Rubber sheet",
        warp: 1000.0,
        woven: None,
        poisson: 0.48,
        rigidity: 1.1e-4,
        density: 1.1,
        thickness: 1e-3,
        source: "a millimetre of natural rubber with 1 MPa: of hardness 30 to 35 IRHD it has 0.92 to 1.18 MPa (Lindley 1974); it bends as a plate",
    },
    Sheet {
        name: "Cotton trousers",
        warp: 4070.0,
        woven: Some([4030.0, 52.0]),
        poisson: 0.0,
        rigidity: 1.2e-4,
        density: 0.22,
        thickness: 4e-4,
        source: "measured: \"royal target\", 65 % cotton and 35 % polyester, bends by 108 to 125 µN m (Wang, O'Brien and Ramamoorthi 2011); its \
                 thickness is a typical one",
    },
    Sheet {
        name: "Paper",
        warp: 5e5,
        woven: None,
        poisson: 0.3,
        rigidity: 4.6e-4,
        density: 0.08,
        thickness: 1e-4,
        source: "printer paper of 80 g/m², a tenth of a millimetre with 5 GPa (Narain, Pfaff and O'Brien 2013): typical, and stiffer along the \
                 machine's direction than across; it bends as a plate",
    },
];

impl Sheet {
    /// Makes cloth this sheet. A law that does not tell directions apart becomes the one of woven cloth, and back; that of springs stays.
    pub fn apply(&self, settings: &mut ClothSettings) {
        let plain = ClothSettings::default();
        match (self.woven, settings.law.as_str()) {
            (_, "springs") => {}
            (Some(_), _) => settings.law = "orthotropic".into(),
            (None, "orthotropic") => settings.law = plain.law,
            (None, _) => {}
        }
        (settings.stiffness, settings.poisson) = (self.warp, self.poisson);
        (settings.weft_stiffness, settings.shear_stiffness) = (self.woven.map(|[weft, _]| weft), self.woven.map(|[_, shear]| shear));
        (settings.bending_stiffness, settings.density, settings.thickness) = (self.rigidity, self.density, self.thickness);
    }

    /// Makes the cloth of a region as stiff and as heavy as this sheet; what its directions have to one another stays that of its body.
    pub fn apply_to_region(&self, settings: &mut RegionCloth) {
        (settings.stiffness, settings.bending_stiffness, settings.density) = (Some(self.warp), Some(self.rigidity), Some(self.density));
    }
}

impl Preset {
    /// Makes a material one of this name; its law stays.
    pub fn apply(&self, material: &mut MaterialSettings) {
        (material.young, material.poisson) = (self.young, self.poisson);
        (material.density, material.damping) = (self.density, self.damping);
    }
}

/// What the trial of the materials came to.
#[derive(Debug, PartialEq)]
pub enum Proposal {
    /// The softest with which the bodies hold their shape, and stably.
    Softest(&'static Preset),
    /// None does; this is what was said of the stiffest.
    NoneHolds(String),
    /// Supports, contacts or friction do not hold the bodies, whatever they are made of.
    NotHeld(String),
    /// It was given up.
    Cancelled,
}

/// Tries the materials on the `bodies` of `scene`, all of one, the softest first. Relative paths start at `folder`.
///
/// # Errors
/// The problems of a scene that cannot be built.
pub fn propose(scene: &Scene, bodies: &[usize], folder: &Path, watch: &dyn Watch) -> Result<Proposal, Vec<SceneProblem>> {
    let mut last = String::new();
    for preset in PRESETS {
        let mut tried = scene.clone();
        for &body in bodies {
            if let Some(body) = tried.bodies.get_mut(body) {
                body.material.iter_mut().for_each(|material| preset.apply(material));
            }
        }
        if watch.check().is_err() {
            return Ok(Proposal::Cancelled);
        }
        let mut simulation = match Simulation::build(&tried, folder, watch) {
            Ok(simulation) => simulation,
            Err(_) if watch.check().is_err() => return Ok(Proposal::Cancelled),
            Err(error) => return Err(error.0),
        };
        last = match simulation.initialise(Method::SagFree, watch) {
            Err(InitialiseError::Cancelled(_)) => return Ok(Proposal::Cancelled),
            Err(error) => error.to_string(),
            Ok(report) if report.outcome.verdict == Conclusion::Holds => return Ok(Proposal::Softest(preset)),
            Ok(report) => {
                let reason = report.outcome.reason.clone().unwrap_or_else(|| report.outcome.verdict.to_string());
                if !depends_on_the_material(&report) {
                    return Ok(Proposal::NotHeld(reason));
                }
                reason
            }
        };
    }
    Ok(Proposal::NoneHolds(last))
}

fn depends_on_the_material(report: &InitReport) -> bool {
    use InfeasibilityCode::{Hinged, TooLittleFriction, Unsupported};
    !report.infeasible.iter().any(|why| matches!(why.code, Unsupported | Hinged | TooLittleFriction))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_material_is_one_that_a_scene_may_have_and_names_its_source() {
        // An author's year.
        let year = |text: &str| text.len() == 4 && text.starts_with(['1', '2']) && text.chars().all(|c| c.is_ascii_digit());
        for sheet in SHEETS {
            assert!(sheet.source.split(|c: char| !c.is_ascii_digit()).any(year), "{}", sheet.source);
        }
        let all: Vec<&Preset> = PRESETS.iter().chain(MEASURED).collect();
        for (i, preset) in all.iter().enumerate() {
            assert!(preset.poisson < 0.499 && (1e-3..1e13).contains(&preset.young) && preset.density > 0.0, "{}", preset.name);
            assert!(preset.source.split(|c: char| !c.is_ascii_digit()).any(year), "{}", preset.source);
            assert!(all[..i].iter().all(|other| other.name != preset.name && other.key != preset.key));
        }
        assert!(PRESETS.is_sorted_by(|a, b| a.young < b.young) && MEASURED.is_sorted_by(|a, b| a.young < b.young));
        assert!(FIBRES.is_sorted_by(|a, b| a.young < b.young));
    }

    #[test]
    fn a_fibre_is_as_stiff_and_as_heavy_as_its_section_makes_it() {
        let wire = &FIBRES[4];
        assert!((wire.stiffness() / 157_080.0 - 1.0).abs() < 1e-4 && (wire.mass() / 6.126e-3 - 1.0).abs() < 1e-3, "a wire of a millimetre");
        let mut by_length = SpringSettings::new(5.0, SpringMass::PerLength(1.0));
        wire.apply(&mut by_length);
        assert_eq!((by_length.stiffness, by_length.stiffness_per_length), (None, Some(wire.stiffness())));
        assert_eq!(by_length.mass, SpringMass::PerLength(wire.mass()));
        let mut by_node = SpringSettings::new(5.0, SpringMass::PerNode(1.0));
        wire.apply(&mut by_node);
        assert_eq!(by_node.mass, SpringMass::PerNode(1.0), "what goes by something else stays");
    }

    #[test]
    fn every_sheet_is_one_that_a_scene_may_have() {
        use aplomb_sim::bodies::kind_named;
        use aplomb_sim::scene::Body;
        assert!(SHEETS.is_sorted_by(|a, b| a.rigidity < b.rigidity));
        for (i, sheet) in SHEETS.iter().enumerate() {
            assert!(SHEETS[..i].iter().all(|other| other.name != sheet.name));
            for law in ["stvk", "orthotropic", "springs"] {
                let mut settings = ClothSettings { law: law.into(), ..ClothSettings::default() };
                sheet.apply(&mut settings);
                let expected = match (law, sheet.woven) {
                    ("springs", _) => "springs",
                    (_, Some(_)) => "orthotropic",
                    (_, None) => "stvk",
                };
                assert_eq!(settings.law, expected, "{}", sheet.name);
                assert_eq!((settings.weft_stiffness, settings.shear_stiffness), (sheet.woven.map(|[a, _]| a), sheet.woven.map(|[_, b]| b)));
                // Nothing that limits of keys or the kind itself object to.
                let body = serde_json::json!({ "name": "cloth", "mesh": "cloth.obj", "as": { "cloth": settings } });
                let body: Body = serde_json::from_value(body).unwrap();
                assert_eq!((kind_named("cloth").unwrap().check)(&body, "bodies[0]"), vec![], "{}", sheet.name);
            }
            // What is the same in all directions bends as a plate of its stiffness and thickness.
            if sheet.woven.is_none() {
                let plate = sheet.warp * sheet.thickness * sheet.thickness / (12.0 * (1.0 - sheet.poisson * sheet.poisson));
                assert!((sheet.rigidity / plate - 1.0).abs() < 0.02, "{}: {plate}", sheet.name);
            }
            let mut region = RegionCloth::default();
            sheet.apply_to_region(&mut region);
            assert_eq!(
                (region.stiffness, region.bending_stiffness, region.density),
                (Some(sheet.warp), Some(sheet.rigidity), Some(sheet.density))
            );
        }
    }
}
