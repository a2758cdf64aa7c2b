//! The settings of a body's kind: a form from the schema that the kind gives.

use aplomb_sim::bodies::particles::{self, ElasticSettings, LiquidSettings, Matched, MetalSettings, SandSettings};
use aplomb_sim::bodies::{cloth, kind_named, springs};
use aplomb_sim::scene::KindSettings;
use egui::Ui;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::document::{FIBRES, Fibre, SHEETS, Sheet};
use crate::widgets::{choice_row, form, form_without, heading, quantity, significant};

/// Draws the settings of a body; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, settings: &mut KindSettings) -> Option<&'static str> {
    let kind = kind_named(&settings.kind)?;
    heading(ui, kind.label);
    let applied = fibres(ui, settings, Fibre::apply).or_else(|| sheets(ui, settings, Sheet::apply));
    let schema = (kind.settings?)().to_value();
    if kind.name == particles::NAME {
        return matter(ui, &mut settings.settings, &schema);
    }
    form(ui, &mut settings.settings, &schema).then_some("Change kind settings").or(applied)
}

/// The label of the edit that makes another matter of particles.
pub const OTHER_MATTER: &str = "Change what particles are";

/// What particles can be made of, by the key of its settings.
const MATTERS: &[(&str, &str, &str)] = &[
    (FLUID, "Fluid", "It keeps its density, and is stepped by positions"),
    ("elastic", "Elastic solid", "Material points, which move with a grid and spring back"),
    ("sand", "Sand", "Grains that rub: material points, which move with a grid and bear no more than friction between them does"),
    ("liquid", "Liquid", "Material points, which move with a grid and resist changes of volume alone"),
    ("metal", "Metal", "Material points, which move with a grid, spring back from a little and flow under more"),
];

/// The settings of particles: what all of them have, and that of the matter they are; none has those of both.
fn matter(ui: &mut Ui, settings: &mut Value, schema: &Value) -> Option<&'static str> {
    let all: Vec<&str> = MATTERS.iter().map(|(key, ..)| *key).collect();
    let of_common = form_without(ui, settings, schema, &all);
    let is_given = |key: &&str| settings.get(*key).is_some_and(|own| !own.is_null());
    let was = all.iter().rev().copied().find(is_given).unwrap_or(FLUID);
    let mut key = was;
    if choice_row(ui, "Matter", &mut key, MATTERS)
        && let Some(keys) = settings.as_object_mut()
    {
        // What only solids have, and what only material points do.
        let of_others: &[&str] = match key {
            FLUID => &["volume_by", "trim"],
            "liquid" => &["volume_by"],
            _ => &[],
        };
        all.iter().chain(of_others).for_each(|other| {
            keys.remove(*other);
        });
        if let Some(first) = to_begin_with(key) {
            keys.insert(key.into(), first);
        }
        return (key != was).then_some(OTHER_MATTER);
    }
    let mut own = settings.get(key).cloned().unwrap_or_default();
    let of_matter = ui.push_id(key, |ui| form(ui, &mut own, &schema["properties"][key])).inner;
    if of_matter {
        settings[key] = own;
    }
    (of_common || of_matter).then_some("Change kind settings")
}

const FLUID: &str = "fluid";

/// Settings of the matter with this key, to begin with: something soft, dry sand, something to be kneaded, water that is softer than it is. None of a fluid, which is usual.
fn to_begin_with(key: &str) -> Option<Value> {
    match key {
        "elastic" => serde_json::to_value(ElasticSettings { law: "neo_hookean".into(), young: 1e5, poisson: 0.3 }).ok(),
        "sand" => serde_json::to_value(SandSettings {
            young: 1e6,
            poisson: 0.3,
            friction_angle: 34.0,
            cohesion: 0.0,
            matched: Matched::default(),
        })
        .ok(),
        "liquid" => serde_json::to_value(LiquidSettings { stiffness: 5e4, exponent: 7.0, viscosity: 1e-3, kept_until: 0.0 }).ok(),
        "metal" => serde_json::to_value(MetalSettings { young: 1e6, poisson: 0.3, yield_stress: 2e4 }).ok(),
        _ => None,
    }
}

/// Draws what a region has in their place; the label of the edit, if one was made.
pub fn show_region(ui: &mut Ui, title: &str, settings: &mut KindSettings) -> Option<&'static str> {
    let kind = kind_named(&settings.kind)?;
    heading(ui, title);
    let applied = fibres(ui, settings, Fibre::apply_to_region).or_else(|| sheets(ui, settings, Sheet::apply_to_region));
    let schema = (kind.region_settings?)().to_value();
    form(ui, &mut settings.settings, &schema).then_some("Change region settings").or(applied)
}

/// Fibres with names, for springs.
fn fibres<T: DeserializeOwned + Serialize>(ui: &mut Ui, settings: &mut KindSettings, apply: fn(&Fibre, &mut T)) -> Option<&'static str> {
    let hint = |fibre: &Fibre| {
        let (diameter, stiffness) = (quantity(fibre.diameter, "m"), quantity(fibre.stiffness(), "N"));
        format!("{diameter} thick: E A = {stiffness}, {} kg/m\n{}", significant(fibre.mass(), 3), fibre.source)
    };
    presets(ui, springs::NAME, settings, FIBRES, |fibre| (fibre.name, hint(fibre)), apply).then_some("Apply fibre preset")
}

/// Sheets with names, for cloth.
fn sheets<T: DeserializeOwned + Serialize>(ui: &mut Ui, settings: &mut KindSettings, apply: fn(&Sheet, &mut T)) -> Option<&'static str> {
    let hint = |sheet: &Sheet| {
        let [stiffness, rigidity] = [quantity(sheet.warp, "N/m"), format!("{} N m", significant(sheet.rigidity, 3))];
        let (thickness, density) = (quantity(sheet.thickness, "m"), significant(sheet.density, 3));
        format!("{thickness} thick, {density} kg/m²: stretches by {stiffness}, bends by {rigidity}\n{}", sheet.source)
    };
    presets(ui, cloth::NAME, settings, SHEETS, |sheet| (sheet.name, hint(sheet)), apply).then_some("Apply sheet preset")
}

/// Buttons that put what is known by a name into the settings of a kind; whether one was pressed. None in those of another kind.
fn presets<P, T: DeserializeOwned + Serialize>(
    ui: &mut Ui,
    kind: &str,
    settings: &mut KindSettings,
    known: &[P],
    told: impl Fn(&P) -> (&'static str, String),
    apply: fn(&P, &mut T),
) -> bool {
    let Some(mut values): Option<T> = settings.parse().ok().filter(|_| settings.kind == kind) else { return false };
    let mut applied = false;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
        for preset in known {
            let (name, hint) = told(preset);
            if ui.button(egui::RichText::new(name).small()).on_hover_text(hint).clicked() {
                apply(preset, &mut values);
                applied = true;
            }
        }
    });
    match serde_json::to_value(&values) {
        Ok(value) if applied => settings.settings = value,
        _ => return false,
    }
    true
}
