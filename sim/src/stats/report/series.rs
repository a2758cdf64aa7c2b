//! [`Series`]: the statistics of all steps of a run.

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use crate::stats::registry::statistics;
use crate::stats::statistic::Statistic;
use crate::step::StepStats;

/// Time series, one entry a step; in JSON an array for each key that statistics have for reports. A number that is not finite is `null`.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// The steps, in order.
    pub steps: Vec<StepStats>,
}

impl Serialize for Series {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let told: Vec<Told> = { statistics() }.into_iter().filter_map(|of| Some(Told { key: of.report?, of })).collect();
        Keys { steps: &self.steps, told: &told }.serialize(serializer)
    }
}

/// A statistic with what is left of its key.
#[derive(Clone, Copy)]
struct Told {
    key: &'static str,
    of: &'static Statistic,
}

impl Told {
    /// The key here, and what is left of it for the object inside, if it is of one.
    fn split(&self) -> (&'static str, Option<&'static str>) {
        self.key.split_once('.').map_or((self.key, None), |(key, rest)| (key, Some(rest)))
    }
}

/// An object of arrays; statistics of one key follow one another.
struct Keys<'a> {
    steps: &'a [StepStats],
    told: &'a [Told],
}

impl Serialize for Keys<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for told in self.told.chunk_by(|a, b| a.split().0 == b.split().0) {
            let (key, rest) = told[0].split();
            if rest.is_some() {
                let inside: Vec<Told> = told.iter().filter_map(|told| Some(Told { key: told.split().1?, ..*told })).collect();
                map.serialize_entry(key, &Keys { steps: self.steps, told: &inside })?;
            } else {
                map.serialize_entry(key, &Rows { steps: self.steps, told })?;
            }
        }
        map.end()
    }
}

/// One entry a step: a number, or a vector of several.
struct Rows<'a> {
    steps: &'a [StepStats],
    told: &'a [Told],
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(self.steps.len()))?;
        for step in self.steps {
            match self.told {
                [one] if one.of.value.is_count => rows.serialize_element(&(one.of.of(step) as u64))?,
                [one] => rows.serialize_element(&one.of.of(step))?,
                several => rows.serialize_element(&several.iter().map(|told| told.of.of(step)).collect::<Vec<_>>())?,
            }
        }
        rows.end()
    }
}
