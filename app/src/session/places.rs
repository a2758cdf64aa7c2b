//! Places of bodies that are looked at: one closely, with all its numbers, and probes, whose numbers are recorded over a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use aplomb_sim::element::Fact;
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::ProbePlace;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::system::System;
use aplomb_sim::system::describe::NodeSupport;
use aplomb_sim::system::probe::Located;

use super::Snapshot;

/// A place of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// The body, by its place in the scene.
    pub body: usize,
    /// Where on it.
    pub at: ProbePlace,
}

/// All numbers of a place at an instant.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceFacts {
    /// The place.
    pub place: Place,
    /// What its family of elements is called, of an element.
    pub family: Option<&'static str>,
    /// Its number where the elements, or nodes, of all bodies are counted, if it is one.
    pub number: Option<usize>,
    /// Its number in the mesh file, where that is another.
    pub in_file: Option<u32>,
    /// Its nodes, counted from the body's first.
    pub nodes: Vec<u32>,
    /// What supports leave it, of a vertex that is a node.
    pub support: Option<NodeSupport>,
    /// The numbers.
    pub facts: Vec<Fact>,
}

/// What one frame has at a probe.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Time [s].
    pub time: f64,
    /// Where the probe is [m].
    pub position: Vec3,
    /// Its value of each field that frames have, by the field's name.
    pub values: Vec<(&'static str, f64)>,
}

/// Frames and their samples, one for each probe, in the order of the scene.
#[derive(Debug, Default)]
pub struct Samples {
    /// Counts the sets of places that there were.
    number: u64,
    places: Vec<Place>,
    frames: BTreeMap<u64, Vec<Sample>>,
}

impl Samples {
    /// Takes other places, and forgets what frames had at those before; their number, if they are others.
    pub fn follow(&mut self, places: &[Place]) -> Option<u64> {
        if self.places == places {
            return None;
        }
        self.places = places.to_vec();
        self.frames.clear();
        self.number += 1;
        Some(self.number)
    }

    /// Nobody knows of the places yet: what looked at them is gone.
    pub fn forget(&mut self) {
        self.places.clear();
        self.frames.clear();
    }

    /// Adds what a frame has at the places of a number; of places before these it is of no use.
    pub fn insert(&mut self, number: u64, frame: u64, samples: Vec<Sample>) {
        if number == self.number && samples.len() == self.places.len() {
            self.frames.insert(frame, samples);
        }
    }

    /// A run begins anew.
    pub fn clear(&mut self) {
        self.frames.clear();
    }

    /// The frames that are known so far.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The last frame that has samples.
    pub fn last_frame(&self) -> Option<u64> {
        self.frames.keys().next_back().copied()
    }

    /// What a frame has at a probe.
    pub fn at(&self, frame: u64, probe: usize) -> Option<&Sample> {
        self.frames.get(&frame)?.get(probe)
    }

    /// A field at a probe against time: pairs of time [s] and value.
    pub fn field(&self, probe: usize, name: &str) -> Vec<[f64; 2]> {
        let value = |sample: &Sample| Some([sample.time, sample.values.iter().find(|(known, _)| *known == name)?.1]);
        self.frames.values().filter_map(|samples| value(samples.get(probe)?)).collect()
    }

    /// A coordinate of a probe against time [m].
    pub fn coordinate(&self, probe: usize, axis: usize) -> Vec<[f64; 2]> {
        self.frames.values().filter_map(|samples| samples.get(probe)).map(|sample| [sample.time, sample.position[axis]]).collect()
    }

    /// Its speed [m/s] against time: the mean over each step, from where frames have it.
    pub fn speed(&self, probe: usize) -> Vec<[f64; 2]> {
        let pairs = self.frames.iter().zip(self.frames.iter().skip(1));
        type Frame<'a> = (&'a u64, &'a Vec<Sample>);
        let of = |(before, after): (Frame<'_>, Frame<'_>)| {
            let (a, b) = (before.1.get(probe)?, after.1.get(probe)?);
            (after.0 - before.0 == 1).then(|| [b.time, (b.position - a.position).norm() / (b.time - a.time)])
        };
        pairs.filter_map(of).collect()
    }
}

/// What the worker looks at.
#[derive(Debug, Default)]
pub struct Watched {
    /// The place that is looked at closely.
    pub closely: Option<Place>,
    /// Number of the places at which samples are taken.
    pub number: u64,
    places: Vec<Option<Located>>,
    /// The frame before which all frames of the recording have been seen, and those after it that have been too.
    seen: u64,
}

impl Watched {
    /// Takes samples at other places: what was recorded is to be looked at anew.
    pub fn probe(&mut self, number: u64, places: &[Place], system: &System) {
        self.number = number;
        self.places = places.iter().map(|place| Located::of(system, place.body, place.at)).collect();
        self.seen = 0;
    }

    /// A run begins anew.
    pub fn restart(&mut self) {
        self.seen = 0;
    }

    /// Whether frames of a recording of `count` have not been looked at.
    pub fn is_behind(&self, count: u64) -> bool {
        !self.places.is_empty() && self.seen < count
    }

    /// The first of these; it counts as looked at.
    pub fn next_unseen(&mut self, count: u64) -> Option<u64> {
        let next = self.is_behind(count).then_some(self.seen)?;
        self.seen += 1;
        Some(next)
    }

    /// What an instant has at the probes; none where there is no probe.
    pub fn samples(&mut self, snapshot: &Snapshot) -> Option<Vec<Sample>> {
        if self.places.is_empty() {
            return None;
        }
        // A step after all that was seen is seen with it.
        if snapshot.frame == self.seen {
            self.seen += 1;
        }
        let sample = |place: &Option<Located>| {
            let Some(place) = place else { return Sample { time: snapshot.time, position: Vec3::repeat(f64::NAN), values: Vec::new() } };
            let values = snapshot.fields.iter().map(|field| (field.kind.name, place.value(&field.values, &field.elements)));
            Sample { time: snapshot.time, position: place.position(&snapshot.positions), values: values.collect() }
        };
        Some(self.places.iter().map(sample).collect())
    }

    /// All numbers of the place that is looked at closely, in the present state.
    pub fn live(&self, simulation: &mut Simulation, snapshot: &Snapshot) -> Option<Arc<PlaceFacts>> {
        let mut facts = (*self.recorded(simulation, snapshot)?).clone();
        let node = facts.support.and(facts.number);
        if let Some(described) = node.and_then(|node| simulation.describe_node(node)) {
            let fields = std::mem::take(&mut facts.facts).into_iter().filter(|fact| described.iter().all(|known| known.name != fact.name));
            facts.facts = described.iter().cloned().chain(fields.filter(|fact| fact.name != "displacement from the target")).collect();
        }
        Some(Arc::new(facts))
    }

    /// The same of a recorded instant: all that positions tell.
    pub fn recorded(&self, simulation: &Simulation, snapshot: &Snapshot) -> Option<Arc<PlaceFacts>> {
        let place = self.closely?;
        let system = &simulation.system;
        let (located, body) = (Located::of(system, place.body, place.at)?, system.bodies.get(place.body)?);
        let first = body.nodes.start as u32;
        let x = &snapshot.positions;
        let described = located.element.and_then(|element| system.describe_element(element as usize, x));
        let node = match (place.at, located.nodes.as_slice()) {
            (ProbePlace::Vertex(_), [(node, _)]) => Some(*node as usize),
            _ => None,
        };
        let file_numbers = if located.element.is_some() { &body.mesh.source_cells } else { &body.mesh.source_vertices };
        let in_file = file_numbers.get(place.at.index() as usize).copied().filter(|_| body.mesh.skin.is_none());
        let facts = match described {
            Some(ref described) => described.facts.clone(),
            None => {
                let (now, given) = (located.position(x), located.position(&system.positions));
                let fields = snapshot.fields.iter().map(|field| {
                    let value = located.value(&field.values, &field.elements);
                    Fact::one(field.kind.name, field.kind.unit, field.kind.doc, value)
                });
                let known = [
                    Fact::several("position", "m", "where it is", now.iter().copied()),
                    Fact::several("displacement", "m", "from where it was given", (now - given).iter().copied()),
                ];
                known.into_iter().chain(fields.filter(|fact| fact.name != "displacement from the target")).collect()
            }
        };
        Some(Arc::new(PlaceFacts {
            place,
            family: described.as_ref().map(|described| described.family),
            number: located.element.map(|element| element as usize).or(node),
            in_file: in_file.filter(|number| *number != place.at.index()),
            nodes: located.nodes.iter().map(|(node, _)| node - first).collect(),
            support: node.map(|node| system.support_of(node)),
            facts,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(time: f64, x: f64) -> Sample {
        Sample { time, position: Vec3::new(x, 0.0, 0.0), values: vec![("pressure", 10.0 * x)] }
    }

    #[test]
    fn a_probe_is_as_fast_as_frames_say() {
        let place = Place { body: 0, at: ProbePlace::Vertex(3) };
        let mut samples = Samples::default();
        assert_eq!((samples.follow(&[place]), samples.follow(&[place])), (Some(1), None));
        for (frame, time, x) in [(0, 0.0, 0.0), (2, 0.2, 0.5), (1, 0.1, 0.1), (7, 0.7, 2.0)] {
            samples.insert(1, frame, vec![sample(time, x)]);
        }
        samples.insert(0, 8, vec![sample(0.8, 9.0)]);
        assert_eq!(samples.field(0, "pressure"), [[0.0, 0.0], [0.1, 1.0], [0.2, 5.0], [0.7, 20.0]]);
        let speeds = samples.speed(0);
        // Between frames that do not follow one another nobody knows.
        assert_eq!(speeds.len(), 2);
        assert!((speeds[0][1] - 1.0).abs() < 1e-12 && (speeds[1][1] - 4.0).abs() < 1e-12);
        assert!(samples.follow(&[]).is_some() && samples.is_empty());
    }
}
