//! All numbers of one element, or of one node.

use super::System;
use crate::element::Fact;
use crate::math::Vec3;

/// What an element is, and its numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementFacts {
    /// What its family is called.
    pub family: &'static str,
    /// Its nodes, counted over all bodies.
    pub nodes: Vec<u32>,
    /// Its numbers.
    pub facts: Vec<Fact>,
}

/// What supports leave a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeSupport {
    /// It moves as forces tell it.
    Free,
    /// It stays, or its body has not come in.
    Held,
    /// It follows a motion.
    Driven,
    /// It slides along a plane or a line.
    Sliding,
}

impl System {
    /// The family of an element and its number there, from its number where all are counted.
    pub fn element_place(&self, number: usize) -> Option<(usize, usize)> {
        let mut left = number;
        for (f, family) in self.families.iter().enumerate() {
            if left < family.len() {
                return Some((f, left));
            }
            left -= family.len();
        }
        None
    }

    /// All that an element tells of itself when nodes are at `x` [m].
    pub fn describe_element(&self, number: usize, x: &[Vec3]) -> Option<ElementFacts> {
        let (f, e) = self.element_place(number)?;
        let family = &self.families[f];
        let mut facts = family.describe(e, x);
        let middle = family.nodes(e).iter().map(|&node| x[node as usize]).sum::<Vec3>() / family.nodes(e).len() as f64;
        facts.insert(0, Fact::several("position", "m", "the middle of the element", middle.iter().copied()));
        Some(ElementFacts { family: family.kind().name, nodes: family.nodes(e).to_vec(), facts })
    }

    /// What supports leave a node.
    pub fn support_of(&self, node: usize) -> NodeSupport {
        let is = |n: u32| n as usize == node;
        if self.driven.iter().any(|driven| is(driven.node)) {
            NodeSupport::Driven
        } else if self.slides.iter().any(|(n, _)| is(*n)) {
            NodeSupport::Sliding
        } else if self.fixed.get(node).copied().unwrap_or(false) {
            NodeSupport::Held
        } else {
            NodeSupport::Free
        }
    }
}
