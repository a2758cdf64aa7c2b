//! [`EnclosedVolumes`]: what fills closed surfaces of the same number of vertices, as a family of elements. Bodies have a family for each number.

use std::any::Any;

use super::{Enclosed, Rest};
use crate::element::kind::STIFFENING;
use crate::element::{
    Corners, ElementField, Fact, Family, FamilyKind, FieldKind, ForceSubspace, OneSided, Potential, Projection, RestFit, Scale,
    Unattainable,
};
use crate::linear::Couplings;
use crate::math::{Mat3, Vec3};

/// The family. The rest state is V0, V in the given shape, V - V0 there, and the factor on the stiffness.
static KIND: FamilyKind = FamilyKind { name: "enclosed volumes", rest_numbers: 4, fields: &[PRESSURE, FILLING] };
const PRESSURE: FieldKind = FieldKind {
    name: "inner pressure",
    label: "Inner pressure",
    unit: "Pa",
    doc: "with which what fills a closed surface pushes outwards",
    scale: Scale::About0,
};
const FILLING: FieldKind = FieldKind {
    name: "filling",
    label: "Filling",
    unit: "",
    doc: "enclosed volume at rest over that which is enclosed: above 1 it pushes outwards",
    scale: Scale::About1,
};

/// Closed surfaces of one number of vertices.
#[derive(Debug, Clone)]
pub struct EnclosedVolumes {
    width: usize,
    elements: Vec<Enclosed>,
    /// Their nodes, one surface after the other.
    nodes: Vec<u32>,
    /// Factor on the weight of each; empty where all are 1.
    weights: Vec<f64>,
}

impl EnclosedVolumes {
    /// Fillings of `width` vertices each with the nodes of all, one after the other.
    ///
    /// # Panics
    /// If there are more or fewer nodes.
    pub fn new(width: usize, elements: Vec<Enclosed>, nodes: Vec<u32>) -> Self {
        assert_eq!(nodes.len(), width * elements.len(), "{width} nodes a surface");
        Self { width, elements, nodes, weights: Vec::new() }
    }

    fn factor(&self, e: usize) -> f64 {
        self.weights.get(e).copied().unwrap_or(1.0)
    }

    fn corners<'a>(&'a self, e: usize, x: &'a [Vec3]) -> Corners<'a> {
        Corners::new(x, self.nodes(e))
    }

    fn of_each<T>(&self, x: &[Vec3], what: impl Fn(usize, &Enclosed, &Corners) -> T) -> Vec<T> {
        self.elements.iter().enumerate().map(|(e, filled)| what(e, filled, &self.corners(e, x))).collect()
    }

    fn change(
        &mut self,
        x: &[Vec3],
        mut change: impl FnMut(usize, &mut Enclosed, &Corners) -> Result<(), Unattainable>,
    ) -> Vec<(usize, Unattainable)> {
        let each = self.elements.iter_mut().zip(self.nodes.chunks_exact(self.width)).enumerate();
        each.filter_map(|(e, (filled, nodes))| change(e, filled, &Corners::new(x, nodes)).err().map(|why| (e, why))).collect()
    }

    /// Adds the areas at the vertices of each, times its factor.
    fn add_areas(&self, x: &[Vec3], target: &mut [Vec3], mut factor: impl FnMut(usize, &Enclosed, &Corners) -> f64) {
        let mut areas = vec![Vec3::zeros(); self.width];
        for (e, filled) in self.elements.iter().enumerate() {
            let x = self.corners(e, x);
            let factor = factor(e, filled, &x);
            if factor != 0.0 {
                filled.areas(&x, &mut areas);
                self.nodes(e).iter().zip(&areas).for_each(|(&n, area)| target[n as usize] += factor * area);
            }
        }
    }
}

impl Couplings for EnclosedVolumes {
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

impl Potential for EnclosedVolumes {
    fn energy(&self, x: &[Vec3]) -> f64 {
        self.of_each(x, |_, filled, x| filled.energy(x)).iter().sum()
    }
    fn add_gradient(&self, x: &[Vec3], gradient: &mut [Vec3]) {
        self.add_areas(x, gradient, |_, filled, x| -filled.pressure(x));
    }
    fn add_gradient_and_sizes(&self, x: &[Vec3], gradient: &mut [Vec3], sizes: &mut [f64]) {
        self.add_gradient(x, gradient);
        let mut areas = vec![Vec3::zeros(); self.width];
        for (e, filled) in self.elements.iter().enumerate() {
            let x = self.corners(e, x);
            filled.areas(&x, &mut areas);
            let pressure = filled.pressure(&x).abs();
            self.nodes(e).iter().zip(&areas).for_each(|(&n, area)| sizes[n as usize] += pressure * area.norm());
        }
    }
    fn hessian_blocks(&self, x: &[Vec3], projected: bool, blocks: &mut [Mat3]) {
        let each = self.elements.iter().zip(blocks.chunks_exact_mut(self.width.pow(2))).enumerate();
        each.for_each(|(e, (filled, blocks))| filled.hessian(&self.corners(e, x), projected, blocks));
    }
    fn max_step(&self, _: &[Vec3], _: &[Vec3]) -> f64 {
        1.0
    }
    fn damping(&self, e: usize) -> f64 {
        self.elements[e].damping
    }
    fn set_damping(&mut self, damping: f64) {
        self.elements.iter_mut().for_each(|filled| filled.damping = damping);
    }
    fn take_damping(&mut self, of: &dyn Potential) {
        self.elements.iter_mut().enumerate().for_each(|(e, filled)| filled.damping = of.damping(e));
    }
    fn bulks(&self, _: &[Vec3]) -> Vec<f64> {
        vec![0.0; self.len()]
    }
    fn lag(&mut self, _: &[Vec3]) {}
}

impl ForceSubspace for EnclosedVolumes {
    fn coordinates_per_element(&self) -> usize {
        1
    }
    fn compliance_blocks(&self, x: &[Vec3]) -> Vec<Mat3> {
        let mut blocks = vec![Mat3::zeros(); self.len() * self.width.pow(2)];
        for (e, (filled, blocks)) in self.elements.iter().zip(blocks.chunks_exact_mut(self.width.pow(2))).enumerate() {
            let x = self.corners(e, x);
            filled.outer(&x, filled.inverse_weight(&x) / self.factor(e), blocks);
        }
        blocks
    }
    fn coordinates_from_dual(&self, x: &[Vec3], y: &[Vec3], s: &mut [f64]) {
        let mut areas = vec![Vec3::zeros(); self.width];
        for (e, (filled, s)) in self.elements.iter().zip(s).enumerate() {
            let x = self.corners(e, x);
            filled.areas(&x, &mut areas);
            // Areas add up to nothing, so that the first vertex may stand still.
            let first = y[self.nodes(e)[0] as usize];
            let swept: f64 = self.nodes(e).iter().zip(&areas).map(|(&n, area)| area.dot(&(y[n as usize] - first))).sum();
            *s = filled.inverse_weight(&x) / self.factor(e) * swept;
        }
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
        let authored: Vec<Option<f64>> = self.elements.iter().map(Enclosed::authored_pressure).collect();
        let is_told = authored.iter().any(Option::is_some);
        is_told.then(|| authored.into_iter().map(Option::unwrap_or_default).collect())
    }
    fn weighed_squares(&self, x: &[Vec3], s: &[f64]) -> Vec<f64> {
        self.of_each(x, |e, filled, x| s[e] * s[e] / filled.inverse_weight(x))
    }
    fn pushing_squares(&self, _: &[Vec3], _: &[f64]) -> Vec<f64> {
        vec![0.0; self.len()]
    }
    fn one_sided(&self, _: &[Vec3]) -> Vec<OneSided> {
        Vec::new()
    }
    fn add_forces(&self, x: &[Vec3], s: &[f64], forces: &mut [Vec3]) {
        self.add_areas(x, forces, |e, _, _| s[e]);
    }
    fn three_forces(&self, _: usize, _: &[Vec3], _: &mut [Vec3]) -> bool {
        false
    }
}

impl RestFit for EnclosedVolumes {
    fn fit_rest(&mut self, x: &[Vec3], s: &[f64], stiffen_up_to: f64) -> Vec<(usize, Unattainable)> {
        self.change(x, |e, filled, x| {
            filled.fit(x, s[e]).or_else(|why| {
                let factor = why.cure().map(|cure| cure * filled.stiffening).filter(|factor| *factor <= stiffen_up_to);
                let mut stiffened = Enclosed { stiffening: factor.ok_or_else(|| why.clone())?, ..filled.clone() };
                stiffened.fit(x, s[e]).map_err(|_| why)?;
                *filled = stiffened;
                Ok(())
            })
        })
    }
    fn reset_rest(&mut self, x: &[Vec3]) -> Vec<(usize, Unattainable)> {
        self.change(x, |_, filled, x| filled.reset(x))
    }
    fn stiffening(&self) -> Vec<f64> {
        self.elements.iter().map(|filled| filled.stiffening).collect()
    }
    fn set_stiffening(&mut self, factors: &[f64]) {
        assert_eq!(factors.len(), self.elements.len(), "one factor an element");
        self.elements.iter_mut().zip(factors).for_each(|(filled, factor)| filled.stiffening = *factor);
    }
}

impl Family for EnclosedVolumes {
    fn kind(&self) -> &'static FamilyKind {
        &KIND
    }
    fn is_anchored(&self) -> bool {
        false
    }
    fn projection(&self) -> Option<&dyn Projection> {
        Some(self)
    }
    fn without_projection(&self) -> &'static str {
        ""
    }
    fn compression(&self, _: &[Vec3]) -> Vec<f64> {
        Vec::new()
    }
    fn rest_volumes(&self) -> Vec<f64> {
        Vec::new()
    }
    fn fields(&self, x: &[Vec3]) -> Vec<ElementField> {
        let pressure = self.of_each(x, |_, filled, x| filled.pressure(x));
        let filling = self.of_each(x, |_, filled, x| filled.rest.volume / filled.volume(x));
        let column = |(kind, values)| ElementField { kind, values };
        KIND.fields.iter().chain([&STIFFENING]).zip([pressure, filling, self.stiffening()]).map(column).collect()
    }
    fn describe(&self, e: usize, x: &[Vec3]) -> Vec<Fact> {
        let (filled, x) = (&self.elements[e], self.corners(e, x));
        let volume = filled.volume(&x);
        let values = [filled.pressure(&x), filled.rest.volume / volume];
        let mut facts: Vec<Fact> =
            KIND.fields.iter().zip(values).map(|(kind, value)| Fact::one(kind.name, kind.unit, kind.doc, value)).collect();
        facts.push(Fact::one("volume", "m³", "what the surface encloses", volume));
        facts.push(Fact::one("rest volume", "m³", "what it would enclose where nothing pushes", filled.rest.volume));
        facts.push(Fact::one("strain energy", "J", "energy that is stored in it", filled.energy(&x)));
        facts.push(Fact::one(STIFFENING.name, STIFFENING.unit, STIFFENING.doc, filled.stiffening));
        facts.push(Fact::one("damping", "s", "stiffness-proportional damping", filled.damping));
        facts
    }
    fn rest_numbers(&self) -> Vec<f64> {
        let of = |filled: &Enclosed| [filled.rest.volume, filled.rest.given, filled.rest.excess, filled.stiffening];
        self.elements.iter().flat_map(of).collect()
    }
    fn set_rest_numbers(&mut self, numbers: &[f64]) {
        assert_eq!(numbers.len(), KIND.rest_numbers * self.elements.len(), "{} numbers an element", KIND.rest_numbers);
        for (filled, &[volume, given, excess, stiffening]) in self.elements.iter_mut().zip(numbers.as_chunks::<4>().0) {
            (filled.rest, filled.stiffening) = (Rest { volume, given, excess }, stiffening);
        }
    }
    fn given_at(&mut self, x: &[Vec3]) {
        self.change(x, |_, filled, x| {
            filled.given_at(x);
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
    }
    fn index(&mut self) {}
}

impl Projection for EnclosedVolumes {
    fn constraints_per_element(&self) -> usize {
        1
    }
    fn constraint(&self, e: usize, _: usize, x: &[Vec3], gradients: &mut [Vec3]) -> f64 {
        let (filled, x) = (&self.elements[e], self.corners(e, x));
        filled.areas(&x, &mut gradients[..self.width]);
        filled.excess(&x)
    }
    fn compliance(&self, e: usize, _: usize) -> f64 {
        1.0 / self.elements[e].resistance()
    }
    fn curvatures(&self, e: usize, _: usize, x: &[Vec3], curvatures: &mut [f64]) {
        self.elements[e].curvatures(&self.corners(e, x), curvatures);
    }
    /// By the sums of its rows (Gershgorin 1931), as its vertices turn one another's areas and not their own.
    fn turning(&self, e: usize, k: usize, x: &[Vec3], inverse: &dyn Fn(u32) -> f64, room: &mut [f64]) -> f64 {
        self.curvatures(e, k, x, room);
        self.nodes(e).iter().zip(room).map(|(&n, curvature)| inverse(n) * *curvature).fold(0.0, f64::max)
    }
}
