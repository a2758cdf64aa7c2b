//! [`Batch`]: elements of one kind with their node indices, and the object-safe capabilities through which
//! the initialiser and the steppers see them.

use std::any::Any;
use std::ops::Range;

use nalgebra::{SMatrix, SVector};
use rayon::prelude::*;

use super::kind::STIFFENING;
use super::scatter::Scatter;
use super::{Element, Fact, FamilyKind, FieldKind, MaterialPoint, Projection, Tet, Unattainable};
use crate::linear::Couplings;
use crate::math::{Mat3, Vec3};

/// Energy of a set of elements over a node space.
pub trait Potential: Couplings {
    /// Stored energy [J].
    fn energy(&self, x: &[Vec3]) -> f64;
    /// Adds the gradient of the energy [N].
    fn add_gradient(&self, x: &[Vec3], gradient: &mut [Vec3]);
    /// [`Potential::add_gradient`], and adds the sizes of the gradients of the elements that meet at each node [N]: what round-off of their sum
    /// is measured by.
    fn add_gradient_and_sizes(&self, x: &[Vec3], gradient: &mut [Vec3], sizes: &mut [f64]);
    /// Second derivatives [N/m]: for each element N x N blocks, row by row; `blocks` has len() N N entries.
    fn hessian_blocks(&self, x: &[Vec3], projected: bool, blocks: &mut [Mat3]);
    /// The largest step in [0, 1] along `dx` that inverts no element.
    fn max_step(&self, x: &[Vec3], dx: &[Vec3]) -> f64;
    /// Stiffness-proportional damping of element `e` [s].
    fn damping(&self, e: usize) -> f64;
    /// Gives all elements this damping [s].
    fn set_damping(&mut self, damping: f64);
    /// Gives each element the damping that it has in another family of as many [s].
    fn take_damping(&mut self, of: &dyn Potential);
    /// How much of its body is in each element at `x`, in a unit that the body's other elements share.
    fn bulks(&self, x: &[Vec3]) -> Vec<f64>;
    /// Starts a time step at `x`: elements freeze what their law keeps constant during a step. To be called before every step, and
    /// where a state is put back. Only laws that lag the rotation ([`crate::material::Frame::Lagged`]) do anything.
    fn lag(&mut self, x: &[Vec3]);
}

/// The linear space of forces that a set of elements can make in a given shape.
pub trait ForceSubspace: Send + Sync {
    /// Scalar force coordinates an element (K).
    fn coordinates_per_element(&self) -> usize;
    /// Blocks of B W^-1 B^T for each element, laid out as in [`Potential::hessian_blocks`] [N/m].
    fn compliance_blocks(&self, x: &[Vec3]) -> Vec<Mat3>;
    /// s = W^-1 B^T y for each element; `s` has len() K entries.
    fn coordinates_from_dual(&self, x: &[Vec3], y: &[Vec3], s: &mut [f64]);
    /// Whether the one coordinate of its elements is a tension.
    fn is_tension(&self) -> bool;
    /// Multiplies the weight of each element by a factor; none for those that elements have of themselves. Factors are left out of copies
    /// that other families take over.
    fn set_weights(&mut self, factors: Vec<f64>);
    /// Whether what of its forces pushes is told from what pulls.
    fn tells_pushes(&self) -> bool;
    /// Adds `more` times what of the forces s pushes to the weight of each element ([`Element::push_weight`]), in place of factors.
    fn weigh_pushes(&mut self, x: &[Vec3], s: &[f64], more: f64);
    /// The force coordinates that a rest state is to be near to: those with the rest shape that an author gave, 0 of elements that have none;
    /// nothing where none has one ([`Element::authored_coordinates`]).
    fn authored_coordinates(&self, x: &[Vec3]) -> Option<Vec<f64>>;
    /// s^T W s of each element [N m], whatever weight it was given.
    fn weighed_squares(&self, x: &[Vec3], s: &[f64]) -> Vec<f64>;
    /// s^T P s of each element [N m]: what of its forces pushes.
    fn pushing_squares(&self, x: &[Vec3], s: &[f64]) -> Vec<f64>;
    /// The elements whose one coordinate may not be negative.
    fn one_sided(&self, x: &[Vec3]) -> Vec<OneSided>;
    /// Adds the forces B s [N].
    fn add_forces(&self, x: &[Vec3], s: &[f64], forces: &mut [Vec3]);
    /// Of element `e` with three coordinates, what a unit of each makes: the forces on its nodes [N], one coordinate after the other. Whether it
    /// has three.
    fn three_forces(&self, e: usize, x: &[Vec3], forces: &mut [Vec3]) -> bool;
}

/// An element whose one force coordinate may not be negative.
#[derive(Debug, Clone, PartialEq)]
pub struct OneSided {
    /// Its place in its family.
    pub element: usize,
    /// Its nodes, with the force on each where the coordinate is 1.
    pub forces: Vec<(u32, Vec3)>,
    /// Inverse weight of the coordinate [N/m].
    pub stiffness: f64,
}

/// Rest states that can be refitted.
pub trait RestFit {
    /// Changes every rest state so that the force at `x` has coordinates `s`. An element that is too soft for that is stiffened as
    /// [`Unattainable::cure`] says, where its factor then is at most `stiffen_up_to` (1: never). Elements that still cannot keep the
    /// rest state and stiffness they have, and are returned with the reason.
    fn fit_rest(&mut self, x: &[Vec3], s: &[f64], stiffen_up_to: f64) -> Vec<(usize, Unattainable)>;
    /// Makes every element undeformed at `x`.
    fn reset_rest(&mut self, x: &[Vec3]) -> Vec<(usize, Unattainable)>;
    /// How many times as stiff as authored each element is.
    fn stiffening(&self) -> Vec<f64>;
    /// Makes every element so many times as stiff as authored, with the rest state that it has: forces grow by the factor. To be called
    /// before [`RestFit::fit_rest`] where the forces are to stay.
    ///
    /// # Panics
    /// If there is not one factor an element.
    fn set_stiffening(&mut self, factors: &[f64]);
}

/// A quantity of elements at some positions.
#[derive(Debug, Clone)]
pub struct ElementField {
    /// What it is.
    pub kind: &'static FieldKind,
    /// One value an element.
    pub values: Vec<f64>,
}

/// The fields of all families at `x`, by name: one value an element, counted one family after the other; NaN where its family has no such
/// field.
pub fn fields(families: &[Box<dyn Family>], x: &[Vec3]) -> Vec<ElementField> {
    let count = families.iter().map(|family| family.len()).sum();
    let mut all: Vec<ElementField> = Vec::new();
    let mut first = 0;
    for family in families {
        for field in family.fields(x) {
            match all.iter_mut().find(|known| known.kind == field.kind) {
                Some(known) => known.values[first..first + field.values.len()].copy_from_slice(&field.values),
                None if field.values.len() == count => all.push(field),
                None => {
                    let mut values = vec![f64::NAN; count];
                    values[first..first + field.values.len()].copy_from_slice(&field.values);
                    all.push(ElementField { values, ..field });
                }
            }
        }
        first += family.len();
    }
    all
}

/// Everything the rest of the library asks of a family of elements.
pub trait Family: Potential + ForceSubspace + RestFit + Any {
    /// What its elements are.
    fn kind(&self) -> &'static FamilyKind;
    /// Whether its elements pull towards something that is no node, so that their forces need not cancel.
    fn is_anchored(&self) -> bool;
    /// Its elements as constraints; `None` where the law of one has none.
    fn projection(&self) -> Option<&dyn Projection>;
    /// What to choose where there are none.
    fn without_projection(&self) -> &'static str;
    /// det F of each element at `x`; empty where it has no meaning.
    fn compression(&self, x: &[Vec3]) -> Vec<f64>;
    /// Volume of each element at rest [m^3]; empty where it has no meaning.
    fn rest_volumes(&self) -> Vec<f64>;
    /// Fields to look at.
    fn fields(&self, x: &[Vec3]) -> Vec<ElementField>;
    /// All that element `e` tells of itself at `x`: what every element has, its fields, and what it adds.
    fn describe(&self, e: usize, x: &[Vec3]) -> Vec<Fact>;
    /// The rest states as numbers, as many for each element as its kind takes, to be stored and brought back.
    fn rest_numbers(&self) -> Vec<f64>;
    /// Brings back rest states from [`Family::rest_numbers`], for the given shape that they belong to.
    ///
    /// # Panics
    /// If there are more or fewer numbers.
    fn set_rest_numbers(&mut self, numbers: &[f64]);
    /// Makes `x` [m] the given shape, to which the forces are exact, of rest states that were reset to another. They stay as they are.
    fn given_at(&mut self, x: &[Vec3]);
    /// A copy with its own rest states.
    fn boxed_clone(&self) -> Box<dyn Family>;
    /// A family of this sort without elements.
    fn emptied(&self) -> Box<dyn Family>;
    /// Gives every node another number.
    fn renumber(&mut self, number: &dyn Fn(u32) -> u32);
    /// Takes over the elements of another family of this sort, whose nodes count from `first_node`; whether it is one. To be followed by
    /// [`Family::index`].
    fn append(&mut self, first_node: u32, other: &dyn Family) -> bool;
    /// Finds out anew which elements meet at each node.
    fn index(&mut self);
}

/// The place of elements: their family, and which of its elements they are.
pub type Placed = (usize, Range<usize>);

/// Makes one family of all that are of one sort. Of each body the number of its first node, and its families over its own nodes; returned
/// beside the families: for each body, where the elements of each of its families are.
pub fn join(bodies: Vec<(u32, Vec<Box<dyn Family>>)>) -> (Vec<Box<dyn Family>>, Vec<Vec<Placed>>) {
    let mut joined: Vec<Box<dyn Family>> = Vec::new();
    let mut place = |first_node: u32, mut family: Box<dyn Family>| {
        for (f, known) in joined.iter_mut().enumerate() {
            let before = known.len();
            if known.append(first_node, family.as_ref()) {
                return (f, before..known.len());
            }
        }
        let count = family.len();
        if first_node == 0 {
            // As it is: what a copy would leave out goes.
            family.set_weights(Vec::new());
            joined.push(family);
        } else {
            let mut first = family.emptied();
            first.append(first_node, family.as_ref());
            joined.push(first);
        }
        (joined.len() - 1, 0..count)
    };
    let places = bodies.into_iter().map(|(node, families)| families.into_iter().map(|family| place(node, family)).collect()).collect();
    joined.iter_mut().for_each(|family| family.index());
    (joined, places)
}

impl dyn Family {
    /// The elements themselves, where they are tetrahedra: only these have a rest state that can be a mesh.
    pub fn tetrahedra(&self) -> Option<&Batch<Tet, 4, 6>> {
        (self as &dyn Any).downcast_ref()
    }

    /// The elements themselves, where they are material points: only these are moved by a grid.
    pub fn points(&self) -> Option<&Batch<MaterialPoint, 1, 6>> {
        (self as &dyn Any).downcast_ref()
    }

    /// [`Family::points`](dyn Family::points), to be changed.
    pub fn points_mut(&mut self) -> Option<&mut Batch<MaterialPoint, 1, 6>> {
        (self as &mut dyn Any).downcast_mut()
    }
}

/// Elements of one kind and their nodes.
#[derive(Debug, Clone)]
pub struct Batch<E, const N: usize, const K: usize> {
    /// The elements.
    pub elements: Vec<E>,
    nodes: Vec<[u32; N]>,
    scatter: Scatter<N>,
    /// Factor on the weight of each element; empty where all are 1.
    weights: Vec<f64>,
    /// Inverse weight of each element that was given one in place of its own; empty where none was.
    given_weights: Vec<Option<[[f64; K]; K]>>,
}

/// Elements handled by one task; fixed, so that sums do not depend on the number of threads.
const CHUNK: usize = 256;

impl<E: Element<N, K>, const N: usize, const K: usize> Batch<E, N, K> {
    /// Elements with the nodes of each, in the same order.
    pub fn new(elements: Vec<E>, nodes: Vec<[u32; N]>) -> Self {
        let scatter = Scatter::new(&nodes);
        Self { elements, nodes, scatter, weights: Vec::new(), given_weights: Vec::new() }
    }

    /// The nodes of every element.
    pub fn connectivity(&self) -> &[[u32; N]] {
        &self.nodes
    }

    pub(super) fn gather(&self, e: usize, x: &[Vec3]) -> [Vec3; N] {
        self.nodes[e].map(|n| x[n as usize])
    }

    /// The first and the last node of an element.
    pub(super) fn ends(&self, e: u32) -> [u32; 2] {
        let nodes = &self.nodes[e as usize];
        [nodes[0], nodes[N - 1]]
    }

    /// Inverse weight of an element's coordinates, with the factor that it has.
    fn inverse_weight(&self, e: usize, x: &[Vec3; N]) -> [[f64; K]; K] {
        if let Some(Some(given)) = self.given_weights.get(e) {
            return *given;
        }
        let own = self.elements[e].inverse_weight(x);
        self.weights.get(e).map_or(own, |factor| own.map(|row| row.map(|entry| entry / factor)))
    }

    fn fill_blocks(&self, blocks: &mut [Mat3], element: impl Fn(usize) -> [[Mat3; N]; N] + Sync + Send) {
        blocks.par_chunks_mut(N * N).with_min_len(CHUNK / 4).enumerate().for_each(|(e, out)| {
            out.copy_from_slice(element(e).as_flattened());
        });
    }

    /// `change` of every element, with the positions of its nodes.
    pub(super) fn for_each(&mut self, x: &[Vec3], change: impl Fn(&mut E, &[Vec3; N]) + Sync + Send) {
        let elements = self.elements.par_iter_mut().zip(&self.nodes).with_min_len(CHUNK);
        elements.for_each(|(element, nodes)| change(element, &nodes.map(|n| x[n as usize])));
    }

    fn refit(
        &mut self,
        x: &[Vec3],
        fit: impl Fn(usize, &mut E, &[Vec3; N]) -> Result<(), Unattainable> + Sync + Send,
    ) -> Vec<(usize, Unattainable)> {
        // In place: a second copy of all elements costs more memory traffic than fitting takes.
        let refit =
            |(e, (element, nodes)): (usize, (&mut E, &[u32; N]))| fit(e, element, &nodes.map(|n| x[n as usize])).err().map(|why| (e, why));
        let elements = self.elements.par_iter_mut().zip(&self.nodes).with_min_len(CHUNK / 4).enumerate();
        elements.filter_map(refit).collect()
    }
}

impl<E: Element<N, K>, const N: usize, const K: usize> Couplings for Batch<E, N, K> {
    fn len(&self) -> usize {
        self.elements.len()
    }
    fn nodes_per_element(&self) -> usize {
        N
    }
    fn nodes(&self, e: usize) -> &[u32] {
        &self.nodes[e]
    }
}

impl<E: Element<N, K>, const N: usize, const K: usize> Potential for Batch<E, N, K> {
    fn energy(&self, x: &[Vec3]) -> f64 {
        let sums: Vec<f64> = (0..self.len().div_ceil(CHUNK))
            .into_par_iter()
            .map(|c| (c * CHUNK..((c + 1) * CHUNK).min(self.len())).map(|e| self.elements[e].energy(&self.gather(e, x))).sum())
            .collect();
        sums.iter().sum()
    }
    fn add_gradient(&self, x: &[Vec3], gradient: &mut [Vec3]) {
        self.scatter.add(gradient, |e| self.elements[e].gradient(&self.gather(e, x)));
    }
    fn add_gradient_and_sizes(&self, x: &[Vec3], gradient: &mut [Vec3], sizes: &mut [f64]) {
        let mut all = Vec::new();
        (0..self.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|e| self.elements[e].gradient(&self.gather(e, x)))
            .collect_into_vec(&mut all);
        self.scatter.add(gradient, |e| all[e]);
        for (nodes, gradient) in self.nodes.iter().zip(&all) {
            let largest = gradient.iter().map(Vec3::norm).fold(0.0, f64::max);
            nodes.iter().for_each(|&n| sizes[n as usize] += largest);
        }
    }
    fn hessian_blocks(&self, x: &[Vec3], projected: bool, blocks: &mut [Mat3]) {
        self.fill_blocks(blocks, |e| self.elements[e].hessian(&self.gather(e, x), projected));
    }
    fn max_step(&self, x: &[Vec3], dx: &[Vec3]) -> f64 {
        let step = |e: usize| self.elements[e].max_step(&self.gather(e, x), &self.gather(e, dx));
        (0..self.len()).into_par_iter().with_min_len(CHUNK).map(step).reduce(|| 1.0, f64::min)
    }
    fn damping(&self, e: usize) -> f64 {
        self.elements[e].damping()
    }
    fn set_damping(&mut self, damping: f64) {
        self.elements.iter_mut().for_each(|element| element.set_damping(damping));
    }
    fn take_damping(&mut self, of: &dyn Potential) {
        self.elements.iter_mut().enumerate().for_each(|(e, element)| element.set_damping(of.damping(e)));
    }
    fn bulks(&self, x: &[Vec3]) -> Vec<f64> {
        (0..self.elements.len()).map(|e| self.elements[e].bulk(&self.gather(e, x))).collect()
    }
    fn lag(&mut self, x: &[Vec3]) {
        self.for_each(x, E::lag);
    }
}

impl<E: Element<N, K>, const N: usize, const K: usize> ForceSubspace for Batch<E, N, K> {
    fn coordinates_per_element(&self) -> usize {
        K
    }
    fn compliance_blocks(&self, x: &[Vec3]) -> Vec<Mat3> {
        let of_element = |e: usize| {
            let x = self.gather(e, x);
            let basis = self.elements[e].force_basis(&x);
            let weight = self.inverse_weight(e, &x);
            // C = W^-1 B^T first: K vectors a node.
            let mut weighted = [[Vec3::zeros(); N]; K];
            for (row, out) in weight.iter().zip(&mut weighted) {
                for (w, column) in row.iter().zip(&basis) {
                    for (o, c) in out.iter_mut().zip(column) {
                        *o += *w * c;
                    }
                }
            }
            let mut block = [[Mat3::zeros(); N]; N];
            for (column, weighted) in basis.iter().zip(&weighted) {
                for (i, row) in block.iter_mut().enumerate() {
                    for (j, entry) in row.iter_mut().enumerate() {
                        *entry += column[i] * weighted[j].transpose();
                    }
                }
            }
            block
        };
        // Written once, by all threads, as it is handed out by the system.
        let mut blocks = Vec::new();
        (0..self.len()).into_par_iter().with_min_len(CHUNK / 4).map(of_element).collect_into_vec(&mut blocks);
        blocks.into_flattened().into_flattened()
    }
    fn coordinates_from_dual(&self, x: &[Vec3], y: &[Vec3], s: &mut [f64]) {
        s.par_chunks_mut(K).with_min_len(CHUNK).enumerate().for_each(|(e, out)| {
            let (x, y) = (self.gather(e, x), self.gather(e, y));
            let basis = self.elements[e].force_basis(&x);
            let weight = self.inverse_weight(e, &x);
            let mut dual = [0.0; K];
            for (dual, column) in dual.iter_mut().zip(&basis) {
                *dual = column.iter().zip(&y).map(|(b, y)| b.dot(y)).sum();
            }
            for (o, row) in out.iter_mut().zip(&weight) {
                *o = row.iter().zip(&dual).map(|(w, d)| w * d).sum();
            }
        });
    }
    fn is_tension(&self) -> bool {
        E::is_tension()
    }
    fn set_weights(&mut self, factors: Vec<f64>) {
        (self.weights, self.given_weights) = (factors, Vec::new());
    }
    fn tells_pushes(&self) -> bool {
        E::tells_pushes()
    }
    fn weigh_pushes(&mut self, x: &[Vec3], s: &[f64], more: f64) {
        let weighed = |(e, s): (usize, &[f64; K])| {
            let x = self.gather(e, x);
            let push = SMatrix::<f64, K, K>::from(self.elements[e].push_weight(&x, s)?);
            let own = SMatrix::<f64, K, K>::from(self.elements[e].inverse_weight(&x)).cholesky()?.inverse();
            let inverse = (own + more * push).cholesky()?.inverse();
            let inverse = 0.5 * (inverse + inverse.transpose());
            Some(std::array::from_fn(|row| std::array::from_fn(|column| inverse[(row, column)])))
        };
        let given = s.as_chunks::<K>().0.iter().enumerate().map(weighed).collect();
        (self.weights, self.given_weights) = (Vec::new(), given);
    }
    fn pushing_squares(&self, x: &[Vec3], s: &[f64]) -> Vec<f64> {
        let of_element = |(e, s): (usize, &[f64; K])| {
            let push = self.elements[e].push_weight(&self.gather(e, x), s).map(SMatrix::<f64, K, K>::from);
            let s = SVector::from(*s);
            push.map_or(0.0, |push| s.dot(&(push * s)))
        };
        s.as_chunks::<K>().0.iter().enumerate().map(of_element).collect()
    }
    fn authored_coordinates(&self, x: &[Vec3]) -> Option<Vec<f64>> {
        let mut all = Vec::new();
        let of_element = |e: usize| self.elements[e].authored_coordinates(&self.gather(e, x));
        (0..self.len()).into_par_iter().with_min_len(CHUNK / 4).map(of_element).collect_into_vec(&mut all);
        let has_any = all.iter().any(Option::is_some);
        has_any.then(|| all.into_iter().flat_map(|own| own.unwrap_or([0.0; K])).collect())
    }
    fn weighed_squares(&self, x: &[Vec3], s: &[f64]) -> Vec<f64> {
        let of_element = |(e, s): (usize, &[f64; K])| {
            let inverse = SMatrix::<f64, K, K>::from(self.elements[e].inverse_weight(&self.gather(e, x)));
            let s = SVector::from(*s);
            // Symmetric: rows and columns are the same.
            inverse.cholesky().map_or(f64::INFINITY, |factor| s.dot(&factor.solve(&s)))
        };
        s.as_chunks::<K>().0.iter().enumerate().map(of_element).collect()
    }
    fn one_sided(&self, x: &[Vec3]) -> Vec<OneSided> {
        let of_element = |(element, (own, nodes)): (usize, (&E, &[u32; N]))| {
            let x = self.gather(element, x);
            let (basis, weight) = (own.force_basis(&x), self.inverse_weight(element, &x));
            let forces = nodes.iter().copied().zip(*basis.first()?).collect();
            Some(OneSided { element, forces, stiffness: *weight.first()?.first()? })
        };
        let all = self.elements.iter().zip(&self.nodes).enumerate();
        all.filter(|(_, (element, _))| element.is_one_sided()).filter_map(of_element).collect()
    }
    fn add_forces(&self, x: &[Vec3], s: &[f64], forces: &mut [Vec3]) {
        if s.iter().all(|s| *s == 0.0) {
            return;
        }
        self.scatter.add(forces, |e| {
            let basis = self.elements[e].force_basis(&self.gather(e, x));
            let mut out = [Vec3::zeros(); N];
            for (column, s) in basis.iter().zip(&s[e * K..]) {
                for (o, c) in out.iter_mut().zip(column) {
                    *o += *s * c;
                }
            }
            out
        });
    }
    fn three_forces(&self, e: usize, x: &[Vec3], forces: &mut [Vec3]) -> bool {
        if K != 3 {
            return false;
        }
        forces[..3 * N].copy_from_slice(self.elements[e].force_basis(&self.gather(e, x)).as_flattened());
        true
    }
}

impl<E: Element<N, K>, const N: usize, const K: usize> RestFit for Batch<E, N, K> {
    fn fit_rest(&mut self, x: &[Vec3], s: &[f64], stiffen_up_to: f64) -> Vec<(usize, Unattainable)> {
        let s = s.as_chunks::<K>().0;
        self.refit(x, |e, element, x| {
            element.fit_rest(x, &s[e]).or_else(|why| {
                let factor = why.cure().map(|cure| cure * element.stiffening()).filter(|factor| *factor <= stiffen_up_to);
                *element = factor.and_then(|factor| element.stiffened(factor).with_rest_for(x, &s[e]).ok()).ok_or(why)?;
                Ok(())
            })
        })
    }
    fn reset_rest(&mut self, x: &[Vec3]) -> Vec<(usize, Unattainable)> {
        self.refit(x, |_, element, x| element.reset_rest(x))
    }
    fn stiffening(&self) -> Vec<f64> {
        self.elements.iter().map(E::stiffening).collect()
    }
    fn set_stiffening(&mut self, factors: &[f64]) {
        assert_eq!(factors.len(), self.elements.len(), "one factor an element");
        self.elements.iter_mut().zip(factors).for_each(|(element, factor)| element.stiffen(*factor));
    }
}

impl<E: Element<N, K>, const N: usize, const K: usize> Family for Batch<E, N, K> {
    fn kind(&self) -> &'static FamilyKind {
        E::kind()
    }
    fn is_anchored(&self) -> bool {
        E::is_anchored()
    }
    fn projection(&self) -> Option<&dyn Projection> {
        // A law has all of its constraints or none.
        self.elements.iter().all(|element| element.compliance(0).is_some()).then_some(self)
    }
    fn without_projection(&self) -> &'static str {
        E::without_compliance()
    }
    fn compression(&self, x: &[Vec3]) -> Vec<f64> {
        let ratio = |e: usize| self.elements[e].volume_ratio(&self.gather(e, x));
        (0..self.elements.len()).into_par_iter().map(ratio).collect::<Option<_>>().unwrap_or_default()
    }
    fn rest_volumes(&self) -> Vec<f64> {
        self.elements.iter().map(E::rest_volume).collect::<Option<_>>().unwrap_or_default()
    }
    fn fields(&self, x: &[Vec3]) -> Vec<ElementField> {
        let kinds = E::kind().fields;
        let mut values = vec![0.0; kinds.len() * self.elements.len()];
        let rows = values.par_chunks_exact_mut(kinds.len().max(1)).enumerate();
        rows.for_each(|(e, row)| self.elements[e].fields(&self.gather(e, x), row));
        let of = |kind: &'static FieldKind, values| ElementField { kind, values };
        let column = |(k, kind)| of(kind, values.iter().skip(k).step_by(kinds.len()).copied().collect());
        let stiffening = of(&STIFFENING, self.stiffening());
        kinds.iter().enumerate().map(column).chain([stiffening]).collect()
    }
    fn describe(&self, e: usize, x: &[Vec3]) -> Vec<Fact> {
        let (element, x) = (&self.elements[e], self.gather(e, x));
        let kinds = E::kind().fields;
        let mut values = vec![0.0; kinds.len()];
        element.fields(&x, &mut values);
        let mut facts: Vec<Fact> = kinds.iter().zip(values).map(|(kind, value)| Fact::one(kind.name, kind.unit, kind.doc, value)).collect();
        facts.extend(element.facts(&x));
        facts.extend(element.rest_volume().map(|volume| Fact::one("rest volume", "m³", "its volume where it is undeformed", volume)));
        facts.push(Fact::one("strain energy", "J", "energy that is stored in it", element.energy(&x)));
        facts.push(Fact::one(STIFFENING.name, STIFFENING.unit, STIFFENING.doc, element.stiffening()));
        facts.push(Fact::one("damping", "s", "stiffness-proportional damping", element.damping()));
        facts
    }
    fn rest_numbers(&self) -> Vec<f64> {
        let each = E::kind().rest_numbers;
        let mut numbers = vec![0.0; each * self.elements.len()];
        numbers.chunks_exact_mut(each.max(1)).zip(&self.elements).for_each(|(numbers, element)| element.rest_numbers(numbers));
        numbers
    }
    fn set_rest_numbers(&mut self, numbers: &[f64]) {
        let each = E::kind().rest_numbers;
        assert_eq!(numbers.len(), each * self.elements.len(), "{each} numbers an element");
        self.elements.iter_mut().zip(numbers.chunks_exact(each.max(1))).for_each(|(element, numbers)| element.set_rest_numbers(numbers));
    }
    fn given_at(&mut self, x: &[Vec3]) {
        self.for_each(x, E::given_at);
    }
    fn boxed_clone(&self) -> Box<dyn Family> {
        Box::new(self.clone())
    }
    fn emptied(&self) -> Box<dyn Family> {
        Box::new(Self::new(Vec::new(), Vec::new()))
    }
    fn append(&mut self, first_node: u32, other: &dyn Family) -> bool {
        let Some(other) = (other as &dyn Any).downcast_ref::<Self>() else { return false };
        self.elements.extend_from_slice(&other.elements);
        self.nodes.extend(other.nodes.iter().map(|nodes| nodes.map(|n| n + first_node)));
        true
    }
    fn renumber(&mut self, number: &dyn Fn(u32) -> u32) {
        self.nodes.iter_mut().flatten().for_each(|node| *node = number(*node));
        self.scatter = Scatter::new(&self.nodes);
    }
    fn index(&mut self) {
        // Elements only ever come to those that are known.
        if self.scatter.elements() != self.nodes.len() {
            self.scatter = Scatter::new(&self.nodes);
        }
    }
}
