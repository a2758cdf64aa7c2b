//! [`Groups`]: groups of the same number of particles as a family of elements. Bodies have a family for each number.

use std::any::Any;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::forces::coordinates;
use super::{Corners, Group, NUMBERS, Shape};
use crate::element::kind::STIFFENING;
use crate::element::scatter::Meeting;
use crate::element::{
    Element, ElementField, Fact, Family, FamilyKind, ForceSubspace, OneSided, Potential, Projection, RestFit, Tet, Unattainable,
    solid_fields,
};
use crate::linear::Couplings;
use crate::math::{Mat3, Vec3};

/// The family of groups. The rest state is for each particle g, p + a and d in the given shape, then F - I in the given shape, column by
/// column, the rest volume, and the factor on the stiffness.
static KIND: FamilyKind = FamilyKind { name: "groups", rest_numbers: NUMBERS.1, fields: &solid_fields::KINDS };

/// Groups of one width.
#[derive(Debug)]
pub struct Groups {
    /// Particles a group.
    width: usize,
    /// The groups.
    pub(super) elements: Vec<Group>,
    /// Their nodes, one group after the other.
    nodes: Vec<u32>,
    meeting: Meeting,
    /// Factor on the weight of each; empty where all are 1.
    weights: Vec<f64>,
    /// The corners' vectors of the last sum, kept for their memory.
    scratch: Mutex<Vec<Vec3>>,
}

/// Groups handled by one task; fixed, so that sums do not depend on the number of threads.
const CHUNK: usize = 32;

impl Clone for Groups {
    fn clone(&self) -> Self {
        let Self { width, elements, nodes, meeting, weights, .. } = self;
        let scratch = Mutex::default();
        Self {
            width: *width,
            elements: elements.clone(),
            nodes: nodes.clone(),
            meeting: meeting.clone(),
            weights: weights.clone(),
            scratch,
        }
    }
}

impl Groups {
    /// Groups of `width` particles with the nodes of each, one after the other.
    ///
    /// # Panics
    /// If a group has another width, or there are more or fewer nodes.
    pub fn new(width: usize, elements: Vec<Group>, nodes: Vec<u32>) -> Self {
        assert!(elements.iter().all(|group| group.width() == width) && nodes.len() == width * elements.len(), "{width} nodes a group");
        let meeting = Meeting::new(&nodes);
        Self { width, elements, nodes, meeting, weights: Vec::new(), scratch: Mutex::default() }
    }

    /// The groups.
    pub fn elements(&self) -> &[Group] {
        &self.elements
    }

    pub(super) fn corners<'a>(&'a self, e: usize, x: &'a [Vec3]) -> Corners<'a> {
        Corners::new(x, &self.nodes[e * self.width..][..self.width])
    }

    fn factor(&self, e: usize) -> f64 {
        self.weights.get(e).copied().unwrap_or(1.0)
    }

    /// Adds vectors of corners to their nodes; `of_group` writes those of one group.
    fn scatter(&self, target: &mut [Vec3], of_group: impl Fn(usize, &mut [Vec3]) + Sync) {
        // Taken, not held: whoever comes meanwhile has memory of its own.
        let mut local = std::mem::take(&mut *self.scratch.lock().unwrap_or_else(PoisonError::into_inner));
        local.resize(self.nodes.len(), Vec3::zeros());
        local.par_chunks_mut(self.width).with_min_len(CHUNK).enumerate().for_each(|(e, out)| of_group(e, out));
        self.meeting.add(target, &local);
        *self.scratch.lock().unwrap_or_else(PoisonError::into_inner) = local;
    }

    fn of_each<T: Send>(&self, what: impl Fn(usize, &Group) -> T + Sync + Send) -> Vec<T> {
        self.elements.par_iter().with_min_len(CHUNK).enumerate().map(|(e, group)| what(e, group)).collect()
    }

    fn change(
        &mut self,
        x: &[Vec3],
        change: impl Fn(usize, &mut Group, &Corners) -> Result<(), Unattainable> + Sync,
    ) -> Vec<(usize, Unattainable)> {
        let groups = self.elements.par_iter_mut().zip(self.nodes.par_chunks(self.width)).with_min_len(CHUNK / 4).enumerate();
        groups.filter_map(|(e, (group, nodes))| change(e, group, &Corners::new(x, nodes)).err().map(|why| (e, why))).collect()
    }
}

impl Couplings for Groups {
    fn len(&self) -> usize {
        self.elements.len()
    }
    fn nodes_per_element(&self) -> usize {
        self.width
    }
    fn nodes(&self, e: usize) -> &[u32] {
        &self.nodes[e * self.width..][..self.width]
    }
}

impl Potential for Groups {
    fn energy(&self, x: &[Vec3]) -> f64 {
        let all = self.of_each(|e, group| group.energy(&self.corners(e, x)));
        all.iter().sum()
    }
    fn add_gradient(&self, x: &[Vec3], gradient: &mut [Vec3]) {
        self.scatter(gradient, |e, out| self.elements[e].gradient(&self.corners(e, x), out));
    }
    fn add_gradient_and_sizes(&self, x: &[Vec3], gradient: &mut [Vec3], sizes: &mut [f64]) {
        let mut all = vec![Vec3::zeros(); self.nodes.len()];
        let rows = all.par_chunks_mut(self.width).with_min_len(CHUNK).enumerate();
        rows.for_each(|(e, out)| self.elements[e].gradient(&self.corners(e, x), out));
        self.meeting.add(gradient, &all);
        for (nodes, gradient) in self.nodes.chunks(self.width).zip(all.chunks(self.width)) {
            let largest = gradient.iter().map(Vec3::norm).fold(0.0, f64::max);
            nodes.iter().for_each(|&n| sizes[n as usize] += largest);
        }
    }
    fn hessian_blocks(&self, x: &[Vec3], projected: bool, blocks: &mut [Mat3]) {
        let all = blocks.par_chunks_mut(self.width.pow(2)).enumerate();
        all.for_each(|(e, out)| self.elements[e].hessian(&self.corners(e, x), projected, out));
    }
    fn max_step(&self, x: &[Vec3], dx: &[Vec3]) -> f64 {
        let step = |(e, group): (usize, &Group)| group.max_step(&self.corners(e, x), &self.corners(e, dx));
        self.elements.par_iter().with_min_len(CHUNK).enumerate().map(step).reduce(|| 1.0, f64::min)
    }
    fn damping(&self, e: usize) -> f64 {
        self.elements[e].damping
    }
    fn set_damping(&mut self, damping: f64) {
        self.elements.iter_mut().for_each(|group| group.damping = damping);
    }
    fn take_damping(&mut self, of: &dyn Potential) {
        self.elements.iter_mut().enumerate().for_each(|(e, group)| group.damping = of.damping(e));
    }
    fn bulks(&self, x: &[Vec3]) -> Vec<f64> {
        self.of_each(|e, group| Shape::of(group, &self.corners(e, x)).map_or(0.0, |shape| shape.volume))
    }
    fn lag(&mut self, x: &[Vec3]) {
        self.change(x, |_, group, x| {
            group.lag(x);
            Ok(())
        });
    }
}

impl ForceSubspace for Groups {
    fn coordinates_per_element(&self) -> usize {
        coordinates(self.width)
    }
    fn compliance_blocks(&self, x: &[Vec3]) -> Vec<Mat3> {
        let mut blocks = vec![Mat3::zeros(); self.elements.len() * self.width.pow(2)];
        let all = blocks.par_chunks_mut(self.width.pow(2)).enumerate();
        all.for_each(|(e, out)| self.elements[e].compliance_blocks(&self.corners(e, x), self.factor(e), out));
        blocks
    }
    fn coordinates_from_dual(&self, x: &[Vec3], y: &[Vec3], s: &mut [f64]) {
        let all = s.par_chunks_mut(coordinates(self.width)).enumerate();
        all.for_each(|(e, s)| self.elements[e].coordinates_from_dual(&self.corners(e, x), &self.corners(e, y), self.factor(e), s));
    }
    fn is_tension(&self) -> bool {
        false
    }
    fn set_weights(&mut self, factors: Vec<f64>) {
        self.weights = factors;
    }
    fn tells_pushes(&self) -> bool {
        false
    }
    fn weigh_pushes(&mut self, _: &[Vec3], _: &[f64], _: f64) {
        self.weights = Vec::new();
    }
    fn authored_coordinates(&self, _: &[Vec3]) -> Option<Vec<f64>> {
        None
    }
    fn weighed_squares(&self, x: &[Vec3], s: &[f64]) -> Vec<f64> {
        self.of_each(|e, group| group.weighed_square(&self.corners(e, x), &s[e * coordinates(self.width)..][..coordinates(self.width)]))
    }
    fn pushing_squares(&self, _: &[Vec3], _: &[f64]) -> Vec<f64> {
        vec![0.0; self.elements.len()]
    }
    fn one_sided(&self, _: &[Vec3]) -> Vec<OneSided> {
        Vec::new()
    }
    fn add_forces(&self, x: &[Vec3], s: &[f64], forces: &mut [Vec3]) {
        let each = coordinates(self.width);
        if s.iter().any(|s| *s != 0.0) {
            self.scatter(forces, |e, out| self.elements[e].forces_of(&self.corners(e, x), &s[e * each..][..each], out));
        }
    }
    fn three_forces(&self, _: usize, _: &[Vec3], _: &mut [Vec3]) -> bool {
        false
    }
}

impl RestFit for Groups {
    fn fit_rest(&mut self, x: &[Vec3], s: &[f64], stiffen_up_to: f64) -> Vec<(usize, Unattainable)> {
        let each = coordinates(self.width);
        self.change(x, |e, group, x| {
            let s = &s[e * each..][..each];
            group.fit(x, s).or_else(|why| {
                let factor = why.cure().map(|cure| cure * group.stiffening).filter(|factor| *factor <= stiffen_up_to);
                let mut stiffened = Group { stiffening: factor.ok_or_else(|| why.clone())?, ..group.clone() };
                stiffened.fit(x, s).map_err(|_| why)?;
                *group = stiffened;
                Ok(())
            })
        })
    }
    fn reset_rest(&mut self, x: &[Vec3]) -> Vec<(usize, Unattainable)> {
        self.change(x, |_, group, x| group.reset(x))
    }
    fn stiffening(&self) -> Vec<f64> {
        self.elements.iter().map(|group| group.stiffening).collect()
    }
    fn set_stiffening(&mut self, factors: &[f64]) {
        assert_eq!(factors.len(), self.elements.len(), "one factor an element");
        self.elements.iter_mut().zip(factors).for_each(|(group, factor)| group.stiffening = *factor);
    }
}

impl Family for Groups {
    fn kind(&self) -> &'static FamilyKind {
        &KIND
    }
    fn is_anchored(&self) -> bool {
        false
    }
    fn projection(&self) -> Option<&dyn Projection> {
        self.elements.iter().all(|group| group.material.squares().is_some()).then_some(self)
    }
    fn without_projection(&self) -> &'static str {
        <Tet as Element<4, 6>>::without_compliance()
    }
    fn compression(&self, x: &[Vec3]) -> Vec<f64> {
        self.of_each(|e, group| (group.displacement_gradient(&self.corners(e, x)) + Mat3::identity()).determinant())
    }
    fn rest_volumes(&self) -> Vec<f64> {
        self.elements.iter().map(|group| group.rest.volume).collect()
    }
    fn fields(&self, x: &[Vec3]) -> Vec<ElementField> {
        let ratios = self.compression(x);
        let rows = self.of_each(|e, group| solid_fields::values(&group.cauchy_stress(&self.corners(e, x)), ratios[e]));
        let column = |(k, kind)| ElementField { kind, values: rows.iter().map(|row| row[k]).collect() };
        let stiffening = ElementField { kind: &STIFFENING, values: self.stiffening() };
        KIND.fields.iter().enumerate().map(column).chain([stiffening]).collect()
    }
    fn describe(&self, e: usize, x: &[Vec3]) -> Vec<Fact> {
        let (group, x) = (&self.elements[e], self.corners(e, x));
        let (gradient, stress) = (group.displacement_gradient(&x), group.cauchy_stress(&x));
        let ratio = (gradient + Mat3::identity()).determinant();
        let values = solid_fields::values(&stress, ratio);
        let mut facts: Vec<Fact> =
            KIND.fields.iter().zip(values).map(|(kind, value)| Fact::one(kind.name, kind.unit, kind.doc, value)).collect();
        facts.extend(solid_fields::facts(&*group.material, &gradient, &stress, group.rest.volume * ratio));
        facts.push(Fact::one("particles", "", "how many it holds together", self.width as f64));
        facts.push(Fact::one("rest volume", "m³", "its volume where it is undeformed", group.rest.volume));
        facts.push(Fact::one("strain energy", "J", "energy that is stored in it", group.energy(&x)));
        facts.push(Fact::one(STIFFENING.name, STIFFENING.unit, STIFFENING.doc, group.stiffening));
        facts.push(Fact::one("damping", "s", "stiffness-proportional damping", group.damping));
        facts
    }
    fn rest_numbers(&self) -> Vec<f64> {
        let each = NUMBERS.0 * self.width + NUMBERS.1;
        let mut numbers = vec![0.0; each * self.elements.len()];
        numbers.chunks_exact_mut(each).zip(&self.elements).for_each(|(numbers, group)| group.rest_numbers(numbers));
        numbers
    }
    fn set_rest_numbers(&mut self, numbers: &[f64]) {
        let each = NUMBERS.0 * self.width + NUMBERS.1;
        assert_eq!(numbers.len(), each * self.elements.len(), "{each} numbers an element");
        self.elements.iter_mut().zip(numbers.chunks_exact(each)).for_each(|(group, numbers)| group.set_rest_numbers(numbers));
    }
    fn given_at(&mut self, x: &[Vec3]) {
        self.change(x, |_, group, x| {
            group.given_at(x);
            Ok(())
        });
    }
    fn boxed_clone(&self) -> Box<dyn Family> {
        Box::new(self.clone())
    }
    fn emptied(&self) -> Box<dyn Family> {
        Box::new(Self::new(self.width, Vec::new(), Vec::new()))
    }
    fn append(&mut self, first_node: u32, other: &dyn Family) -> bool {
        let Some(other) = (other as &dyn Any).downcast_ref::<Self>().filter(|other| other.width == self.width) else { return false };
        self.elements.extend_from_slice(&other.elements);
        self.nodes.extend(other.nodes.iter().map(|n| n + first_node));
        true
    }
    fn renumber(&mut self, number: &dyn Fn(u32) -> u32) {
        self.nodes.iter_mut().for_each(|node| *node = number(*node));
        self.meeting = Meeting::new(&self.nodes);
    }
    fn index(&mut self) {
        // Elements only ever come to those that are known.
        if self.meeting.corners() != self.nodes.len() {
            self.meeting = Meeting::new(&self.nodes);
        }
    }
}
