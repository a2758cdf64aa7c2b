//! [`KindSettings`]: what a body is, by the name of its kind. The model does not know the kinds: what their settings may be,
//! [`crate::bodies`] says, and [`crate::scene_file`] checks.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// Where the schema leaves open what settings a kind has: the value says whose ([`OF_BODY`], [`OF_REGION`]).
pub const KINDS_KEY: &str = "x-kinds";
/// Settings of bodies.
pub const OF_BODY: &str = "body";
/// Settings of cells in a region.
pub const OF_REGION: &str = "region";

/// The name of a kind of body and the settings of that kind: an object with the name as its one key.
#[derive(Debug, Clone, PartialEq)]
pub struct KindSettings {
    /// Name of the kind.
    pub kind: String,
    /// Its settings.
    pub settings: Value,
}

impl KindSettings {
    /// Settings by the type that the kind has for them.
    pub fn new(kind: &str, settings: &impl Serialize) -> Self {
        Self { kind: kind.into(), settings: serde_json::to_value(settings).unwrap_or_default() }
    }

    /// The settings as the type that the kind has for them.
    ///
    /// # Errors
    /// In words, what does not fit.
    pub fn parse<'a, T: Deserialize<'a>>(&'a self) -> Result<T, String> {
        T::deserialize(&self.settings).map_err(|error| format!("{error}; compare with `aplomb schema`"))
    }
}

impl Serialize for KindSettings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(&self.kind, &self.settings)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for KindSettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut entries = Map::deserialize(deserializer)?.into_iter();
        match (entries.next(), entries.next()) {
            (Some((kind, settings)), None) => Ok(Self { kind, settings }),
            _ => Err(D::Error::custom("a kind is an object with one key, its name")),
        }
    }
}

impl JsonSchema for KindSettings {
    fn schema_name() -> Cow<'static, str> {
        "KindSettings".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "A kind of body, and its settings.", (KINDS_KEY): OF_BODY })
    }
}

/// What cells of a region have in place of what their body says, by the kind of the body.
pub(super) fn of_region(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ (KINDS_KEY): OF_REGION })
}

/// The schema of `T` without references, so that it can stand inside another.
pub fn inline_schema<T: JsonSchema>() -> Schema {
    let settings = schemars::generate::SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    settings.into_generator().into_root_schema_for::<T>()
}
