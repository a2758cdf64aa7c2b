//! [`BalanceProblem`]: positions, loads, free nodes, sources of force. It knows neither meshes nor grids.

use crate::contact::surfaces::Touch;
use crate::element::{Family, OneSided};
use crate::math::{Mat3, Vec3, largest_norm};

/// What the global stage balances.
pub struct BalanceProblem<'a> {
    /// Node positions in the given shape [m].
    pub positions: &'a [Vec3],
    /// The first node that is no point but internal to elements, and the first after these ([`crate::system::System::internal_nodes`]).
    pub internal: [usize; 2],
    /// External force on each node [N].
    pub loads: &'a [Vec3],
    /// Nodes that must be in balance.
    pub free: &'a [bool],
    /// Nodes that slide along planes, ascending, each with the projector P onto its directions: only those must be in
    /// balance there, the planes carry the rest.
    pub slides: &'a [(u32, Mat3)],
    /// Elements that can make force.
    pub families: &'a [Box<dyn Family>],
    /// Contacts that can make force.
    pub sites: &'a [ContactSite],
    /// Elements that only pull.
    pub cables: &'a [Cable],
}

/// A place where contact can make force: on a node, or between two features.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactSite {
    /// What touches what.
    pub between: Between,
    /// The nodes on which it acts, each with the matrix by which its displacement moves the first feature against the second
    /// there; transposed, it gives the node's part of a force on the first feature. Rigid motions of all nodes move nothing.
    pub shares: Vec<(u32, Mat3)>,
    /// Where the force acts, in the given shape [m].
    pub point: Vec3,
    /// Unit normal towards the first feature.
    pub normal: Vec3,
    /// Friction coefficient that the solved force may use.
    pub friction: f64,
    /// True distance [m].
    pub distance: f64,
}

/// An element whose one force coordinate T may not be negative.
#[derive(Debug, Clone, PartialEq)]
pub struct Cable {
    /// Its family.
    pub family: usize,
    /// Element, forces on its nodes and stiffness.
    pub element: OneSided,
    /// The coordinate that it is to be nearest to, of which the loads have the forces [N]: solved for is what T has beyond it.
    pub wanted: f64,
}

/// What touches what at a [`ContactSite`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Between {
    /// A node and an obstacle that is a signed distance: index into [`crate::system::System::pairs`].
    Obstacle(u32),
    /// Two primitives of surfaces.
    Surfaces(Touch),
}

impl ContactSite {
    /// The nodes on which it acts.
    pub fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        self.shares.iter().map(|(node, _)| *node)
    }

    /// Adds the force `force` on the first feature, and its opposite on the second, to those on nodes [N].
    pub fn add_force(&self, force: &Vec3, nodes: &mut [Vec3]) {
        self.shares.iter().for_each(|(node, share)| nodes[*node as usize] += share.tr_mul(force));
    }

    /// Whether it is a contact with something that cannot move, as `free` says of each node.
    pub fn is_on_support(&self, free: &[bool]) -> bool {
        matches!(self.between, Between::Obstacle(_)) || self.nodes().any(|node| !free[node as usize])
    }
}

/// Forces in balance with the loads.
#[derive(Debug, Clone, Default)]
pub struct Forces {
    /// Force coordinates of each family.
    pub coordinates: Vec<Vec<f64>>,
    /// Force of each contact on its first feature [N].
    pub contacts: Vec<Vec3>,
    /// Net force on each node, zero where a support takes it [N].
    pub net: Vec<Vec3>,
    /// max |net force| over max |load|.
    pub residual: f64,
    /// Interior-point iterations, or back-substitutions without contact.
    pub iterations: usize,
    /// Numerical factorisations.
    pub factorisations: usize,
    /// Duality gap of the interior point over the work of the loads; none without contact.
    pub gap: Option<f64>,
    /// Whether the gap is as small as it should be.
    pub gap_reached: bool,
}

impl Forces {
    /// Adds forces of other elements, or of the same, with those of the contacts whose numbers are `contacts`. What is left of
    /// the loads is to be measured anew.
    pub fn add(&mut self, other: &Forces, contacts: &[usize]) {
        for (sum, more) in self.coordinates.iter_mut().flatten().zip(other.coordinates.iter().flatten()) {
            *sum += more;
        }
        for (&contact, force) in contacts.iter().zip(&other.contacts) {
            self.contacts[contact] += force;
        }
        self.iterations += other.iterations;
        self.factorisations += other.factorisations;
        self.gap = self.gap.into_iter().chain(other.gap).reduce(f64::max);
        self.gap_reached &= other.gap_reached;
    }
}

impl BalanceProblem<'_> {
    /// Largest load on a free node [N]; at least the smallest positive number.
    pub fn largest_load(&self) -> f64 {
        let free = self.loads.iter().zip(self.free).filter(|(_, free)| **free);
        free.map(|(load, _)| load.norm()).fold(f64::MIN_POSITIVE, f64::max)
    }

    /// Blocks of the global matrix without those of cables.
    pub fn elastic_blocks(&self) -> Vec<Vec<Mat3>> {
        let mut blocks = self.compliance_blocks();
        for cable in self.cables {
            let count = self.families[cable.family].nodes_per_element().pow(2);
            blocks[cable.family][count * cable.element.element..][..count].fill(Mat3::zeros());
        }
        blocks
    }

    /// Blocks of the global matrix for each family (`ForceSubspace::compliance_blocks`), P_i B P_j between sliding nodes.
    pub fn compliance_blocks(&self) -> Vec<Vec<Mat3>> {
        self.families
            .iter()
            .map(|family| {
                let mut blocks = family.compliance_blocks(self.positions);
                self.project_blocks(family.as_ref(), &mut blocks);
                blocks
            })
            .collect()
    }

    fn project_blocks(&self, family: &dyn Family, blocks: &mut [Mat3]) {
        if self.slides.is_empty() {
            return;
        }
        let width = family.nodes_per_element();
        for (e, blocks) in blocks.chunks_exact_mut(width * width).enumerate() {
            for (k, projector) in family.nodes(e).iter().enumerate().filter_map(|(k, &node)| Some((k, self.projector(node)?))) {
                for other in 0..width {
                    blocks[k * width + other] = projector * blocks[k * width + other];
                    blocks[other * width + k] *= projector;
                }
            }
        }
    }

    /// Projector of a node that slides.
    pub fn projector(&self, node: u32) -> Option<&Mat3> {
        self.slides.binary_search_by_key(&node, |slide| slide.0).ok().map(|index| &self.slides[index].1)
    }

    /// Takes from node vectors what fixed nodes and planes carry.
    pub fn take_supported(&self, nodes: &mut [Vec3]) {
        for (vector, _) in nodes.iter_mut().zip(self.free).filter(|(_, free)| !**free) {
            *vector = Vec3::zeros();
        }
        for (node, projector) in self.slides {
            nodes[*node as usize] = projector * nodes[*node as usize];
        }
    }

    /// No element force, and the given contact forces.
    pub fn without_stress(&self, contacts: Vec<Vec3>) -> Forces {
        let coordinates = self.families.iter().map(|family| vec![0.0; family.len() * family.coordinates_per_element()]).collect();
        let mut forces = Forces { coordinates, contacts, gap_reached: true, ..Forces::default() };
        self.measure(&mut forces);
        forces
    }

    /// Adds the element forces that the dual displacement `dual` [m] stands for: s += W^-1 B^T y. Adding small
    /// corrections to the forces, not to the displacement, keeps digits where a slender body's displacement is large.
    pub fn add_dual(&self, forces: &mut Forces, dual: &[Vec3]) {
        for (f, (family, s)) in self.families.iter().zip(&mut forces.coordinates).enumerate() {
            let mut added = vec![0.0; s.len()];
            family.coordinates_from_dual(self.positions, dual, &mut added);
            self.cables.iter().filter(|cable| cable.family == f).for_each(|cable| added[cable.element.element] = 0.0);
            s.iter_mut().zip(&added).for_each(|(s, added)| *s += added);
        }
        self.measure(forces);
    }

    /// Gives the cables these coordinates T [N].
    pub fn set_cables(&self, forces: &mut Forces, coordinates: impl Iterator<Item = (usize, f64)>) {
        for (cable, coordinate) in coordinates {
            let Cable { family, element, wanted } = &self.cables[cable];
            forces.coordinates[*family][element.element] = coordinate - wanted;
        }
    }

    /// Net force on each node and its size.
    pub fn measure(&self, forces: &mut Forces) {
        forces.net = self.loads.to_vec();
        for (family, s) in self.families.iter().zip(&forces.coordinates) {
            family.add_forces(self.positions, s, &mut forces.net);
        }
        for (site, force) in self.sites.iter().zip(&forces.contacts) {
            site.add_force(force, &mut forces.net);
        }
        self.take_supported(&mut forces.net);
        forces.residual = largest_norm(&forces.net) / self.largest_load();
    }
}
