//! [`MEMBRANE_LAWS`]: the laws by name.

use super::MembraneLaw;
use super::corotated::{Arap, Corotated};
use super::neo_hookean::NeoHookean;
use super::stvk::{OrthotropicStvk, Stvk};

/// Every law; the first is the default.
pub static MEMBRANE_LAWS: &[&dyn MembraneLaw] = &[&Stvk, &NeoHookean, &OrthotropicStvk, &Corotated, &Arap];

/// Name of the law for which none is named.
pub fn first_law() -> String {
    MEMBRANE_LAWS[0].name().into()
}

/// Puts the names of the laws into the schema of a string.
pub fn list_laws(schema: &mut schemars::Schema) {
    schema.insert("enum".into(), MEMBRANE_LAWS.iter().map(|law| law.name()).collect::<Vec<_>>().into());
    let told: Vec<_> = MEMBRANE_LAWS.iter().map(|law| format!("{}: {}. {}", law.label(), law.doc(), law.formula())).collect();
    schema.insert("enumDescriptions".into(), told.into());
    schema.insert("x-labels".into(), MEMBRANE_LAWS.iter().map(|law| law.label()).collect::<Vec<_>>().into());
}

/// The law of that name.
pub fn membrane_law(name: &str) -> Option<&'static dyn MembraneLaw> {
    MEMBRANE_LAWS.iter().copied().find(|law| law.name() == name)
}
