//! [`Sweep`]: every constraint once, by runs of one family each ([`Projecting`]).

use rayon::prelude::*;

use super::Strength;
use super::colours;
use super::constraints::{self, Constraints, Projections};
use super::mobility::Mobility;
use crate::element::{Projecting, Projection, Row};
use crate::math::Vec3;
use crate::scene::{ProjectionMethod, ProjectionOrder, ProjectionSettings};

/// Constraints of a colour from which on many threads project them: fewer are faster alone.
const MANY: usize = 1024;
/// Of these so many by one thread at a time.
const CHUNK: usize = 256;

/// In which order constraints are visited.
#[derive(Default)]
pub struct Visits {
    order: Vec<u32>,
    /// The constraints in that order, where elements are those of `families`.
    rows: Vec<Row>,
    /// Families whose elements are in the order of their visits; `None` of those that are visited as they are.
    families: Vec<Option<Box<dyn Projection>>>,
    runs: Vec<Run>,
    /// How many constraints meet at most at a node of each.
    crowds: Vec<f64>,
    /// Changes of multipliers that threads share.
    changes: Vec<f64>,
    /// Room for the gradients of as many constraints, and for one at least.
    gradients: Vec<Vec3>,
    /// Whether every second sweep of a part goes back: many in one direction are not symmetric, and feed slow motions of stiff cloth.
    turns_about: bool,
    /// Whether the next one goes back.
    goes_back: bool,
}

/// Constraints of one family that are visited one after the other, up to where in the order of all.
#[derive(Debug, Clone, Copy)]
struct Run {
    family: u32,
    end: usize,
    /// Nodes of each.
    width: usize,
    /// How many at a time are visited as one.
    together: usize,
    /// Whether no two of them share a node, but those that are visited as one.
    is_apart: bool,
}

impl Visits {
    /// As `settings` say, of the constraints of `families`.
    pub fn of(constraints: &Constraints, families: &Projections, settings: &ProjectionSettings, nodes: usize) -> Self {
        let at_once = settings.method == ProjectionMethod::Jacobi;
        let (order, ends) = match at_once {
            true => {
                let all: Vec<u32> = (0..constraints.len() as u32).filter(|&c| constraints.is_visited(c as usize)).collect();
                let end = all.len();
                (all, vec![end])
            }
            false => colours::order(constraints, settings, nodes),
        };
        let is_apart = settings.order == ProjectionOrder::Colours;
        let mut runs: Vec<Run> = Vec::new();
        let mut first = 0;
        for end in ends {
            for (place, &c) in order[first..end].iter().enumerate() {
                let (own, width) = (&constraints.places[c as usize], constraints.nodes(c as usize).len());
                let (family, together) = (own.family, own.together as usize);
                let is_like = |run: &Run| run.family == family && (together == 0 || together == run.together);
                let goes_on = (!is_apart || place > 0) && runs.last().is_some_and(is_like);
                match runs.last_mut() {
                    Some(run) if goes_on => run.end = first + place + 1,
                    _ => runs.push(Run { family, end: first + place + 1, width, together: together.max(1), is_apart }),
                }
            }
            first = end;
        }
        let mut meet = vec![0_u32; nodes];
        order.iter().flat_map(|&c| constraints.nodes(c as usize)).for_each(|&n| meet[n as usize] += 1);
        let crowd = |&c: &u32| f64::from(constraints.nodes(c as usize).iter().map(|&n| meet[n as usize]).max().unwrap_or(1));
        let crowds = if at_once { order.iter().map(crowd).collect() } else { Vec::new() };
        // Constraints of each run, and how many gradients they have.
        let sizes = runs.iter().scan(0, |start, run| {
            let count = run.end - std::mem::replace(start, run.end);
            Some((run.is_apart && count >= MANY, count, count * run.width))
        });
        let (room, wide) = match at_once {
            true => sizes.fold((0, 0), |(room, wide), (_, count, gradients)| (room + count, wide + gradients)),
            false => sizes.filter(|size| size.0).fold((0, 0), |(room, wide), (_, count, gradients)| (room.max(count), wide.max(gradients))),
        };
        let gradients = vec![Vec3::zeros(); wide.max(constraints.widest).max(1)];
        let mut elements: Vec<Vec<u32>> = vec![Vec::new(); families.len()];
        order.iter().map(|&c| &constraints.places[c as usize]).for_each(|place| elements[place.family as usize].push(place.element));
        let in_order = |(family, elements): (&Option<&dyn Projection>, &Vec<u32>)| (*family)?.in_order(elements);
        let families: Vec<_> = families.iter().zip(&elements).map(in_order).collect();
        let mut counts = vec![0; families.len()];
        let row = |&c: &u32| {
            let family = constraints.places[c as usize].family as usize;
            let (row, place) = (constraints.rows[c as usize], counts[family]);
            counts[family] += 1;
            Row { element: if families[family].is_some() { place } else { row.element }, ..row }
        };
        let rows = order.iter().map(row).collect();
        let turns_about = !at_once && matches!(settings.order, ProjectionOrder::Forward | ProjectionOrder::Reverse);
        Self { order, rows, families, runs, crowds, changes: vec![0.0; room], gradients, turns_about, goes_back: false }
    }

    /// Takes over what may have changed of `constraints` since the last step.
    pub fn take(&mut self, constraints: &Constraints) {
        for (row, &c) in self.rows.iter_mut().zip(&self.order) {
            *row = Row { element: row.element, ..constraints.rows[c as usize] };
        }
    }

    /// A part begins, the `number`th of as many `sweeps` since the start of time, in which constraints go on from the multipliers that `balanced` are
    /// set to, or from 0.
    ///
    /// Three sweeps there and back, or five, are symmetric with those of the next part alone, if these begin the other way: ever the same, they
    /// feed cloth that is swept towards what holds it. Single ones that turn about from part to part would feed any.
    pub fn begin(&mut self, number: f64, sweeps: u32, balanced: Option<&Constraints>) {
        let goes_back = sweeps > 1 && sweeps % 2 == 1 && number.rem_euclid(2.0) == 1.0;
        if self.goes_back != goes_back {
            self.turn_about();
        }
        for (row, &c) in self.rows.iter_mut().zip(&self.order) {
            (row.multiplier, row.pull) =
                balanced.map_or((0.0, Vec3::zeros()), |all| (all.rows[c as usize].multiplier, all.rows[c as usize].pull));
        }
    }

    /// How many times each constraint is projected in full in a part; those that are not visited are as stiff as they are.
    pub fn times(&self, constraints: &Constraints, strength: Strength, settings: &ProjectionSettings) -> Vec<f64> {
        let share = if strength == Strength::Share { constraints::share(settings) } else { 1.0 };
        let mut times = vec![f64::INFINITY; constraints.len()];
        for (place, &c) in self.order.iter().enumerate() {
            let taken = self.crowds.get(place).map_or(1.0, |crowd| settings.relaxation / crowd);
            times[c as usize] = f64::from(settings.sweeps) * share * taken;
        }
        times
    }

    /// The next sweep of a part goes back the way that the last one came, where the order has a way.
    pub fn turn_about(&mut self) {
        if !self.turns_about {
            return;
        }
        let count = self.rows.len();
        self.rows.reverse();
        self.order.reverse();
        let mut start = 0;
        for run in &mut self.runs {
            // What is visited as one keeps its order.
            let (first, end) = (count - run.end, count - start);
            self.rows[first..end].chunks_mut(run.together).for_each(<[_]>::reverse);
            self.order[first..end].chunks_mut(run.together).for_each(<[_]>::reverse);
            start = std::mem::replace(&mut run.end, end);
        }
        self.runs.reverse();
        self.goes_back ^= true;
    }

    /// Whether many threads share some of it.
    #[cfg(test)]
    pub fn is_shared(&self) -> bool {
        !self.changes.is_empty()
    }
}

/// What a sweep goes by.
pub struct Sweep<'s> {
    /// The families as constraints.
    pub families: &'s Projections<'s>,
    /// Inverse masses.
    pub mobility: &'s Mobility,
    /// Where the part of the step starts [m].
    pub start: &'s [Vec3],
    /// What the strength of constraints is.
    pub strength: Strength,
    /// Size of the part [s].
    pub part: f64,
    /// How to project.
    pub settings: &'s ProjectionSettings,
}

impl Sweep<'_> {
    /// Projects every constraint once, and moves `x` [m]. The same to the bit for any number of threads.
    pub fn run(&self, visits: &mut Visits, x: &mut [Vec3]) {
        let Visits { rows, families, runs, crowds, changes, gradients, .. } = visits;
        let family = |run: &Run| families[run.family as usize].as_deref().or(self.families[run.family as usize]);
        let at_once = !crowds.is_empty();
        // What is seen before others are moved is carried over in room of its own, which one thread alone need not do.
        let is_alone = rayon::current_num_threads() == 1;
        let share = (self.strength == Strength::Share).then(|| constraints::share(self.settings));
        let by = Projecting { mobility: self.mobility, start: self.start, part: self.part, share, sweeps: self.settings.sweeps, at_once };
        let (mut first, mut before) = (0, 0);
        for run in runs.iter() {
            let (start, own) = (first, &mut rows[first..run.end]);
            first = run.end;
            let Some(family) = family(run) else { continue };
            let is_shared = run.is_apart && own.len() >= MANY && !is_alone;
            if !at_once && !is_shared {
                family.project(own, &by, gradients, x);
                continue;
            }
            // All that is seen at once has room of its own.
            let (place, wide) = if at_once { (start, before) } else { (0, 0) };
            before += own.len() * run.width;
            let changes = &mut changes[place..place + own.len()];
            let gradients = &mut gradients[wide..wide + own.len() * run.width];
            let seen = &*x;
            let chunk = CHUNK.next_multiple_of(run.together);
            let chunks = own.par_chunks(chunk).zip(changes.par_chunks_mut(chunk)).zip(gradients.par_chunks_mut(chunk * run.width));
            chunks.for_each(|((own, changes), gradients)| family.changes(own, &by, changes, gradients, seen));
            if !at_once {
                family.apply(own, &by, changes, gradients, x);
            }
        }
        if !at_once {
            return;
        }
        changes.iter_mut().zip(&*crowds).for_each(|(change, crowd)| *change *= self.settings.relaxation / crowd);
        let (mut first, mut wide) = (0, 0);
        for run in runs.iter() {
            let (own, changes) = (&mut rows[first..run.end], &changes[first..run.end]);
            let gradients = &gradients[wide..wide + own.len() * run.width];
            (first, wide) = (run.end, wide + own.len() * run.width);
            if let Some(family) = family(run) {
                family.apply(own, &by, changes, gradients, x);
            }
        }
    }

    /// What damping took in the part that ends at `x` [J]: beta / alpha (grad C . v)^2 over its time.
    pub fn dissipated(&self, constraints: &Constraints, x: &[Vec3]) -> f64 {
        let (mut gradients, mut ways) = (constraints.room(), Vec::new());
        let (mut sum, mut first) = (0.0, 0);
        for of_element in constraints.places.chunk_by(|a, b| (a.family, a.element) == (b.family, b.element)) {
            let rows = &constraints.rows[first..first + of_element.len()];
            let is_damped = constraints.is_visited(first) && rows.iter().any(|row| row.damping > 0.0);
            first += rows.len();
            let Some(family) = self.families[of_element[0].family as usize].filter(|_| is_damped) else { continue };
            ways.resize(rows.len(), 0.0);
            family.ways(rows, [self.start, x], &mut gradients, &mut ways);
            sum += rows.iter().zip(&ways).map(|(row, way)| row.damping / row.compliance * way * way / self.part).sum::<f64>();
        }
        sum
    }
}
