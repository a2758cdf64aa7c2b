//! [`PartInput`]: what a part is made of, before it takes its place in a [`CollisionSurface`](super::CollisionSurface).

use thiserror::Error;

/// One surface that is given to [`CollisionSurface::new`](super::CollisionSurface::new): that of a body, or an obstacle.
#[derive(Debug, Clone)]
pub struct PartInput {
    /// Name in the scene.
    pub name: String,
    /// What of it touches.
    pub form: PartForm,
}

/// What of a part touches.
#[derive(Debug, Clone)]
pub enum PartForm {
    /// Triangles, lines and points by their nodes. Only what triangles close has an inside.
    Features {
        /// Points. One that an edge or a triangle has too counts once.
        points: Vec<u32>,
        /// Edges. One that is a side of a triangle too, or is there twice, counts once.
        edges: Vec<[u32; 2]>,
        /// Triangles.
        triangles: Vec<[u32; 3]>,
        /// How far they reach on all sides [m]: half the thickness of a cloth, whose triangles lie in its middle, and of strands; 0 for none.
        radius: f64,
    },
    /// Everything within a radius [m] of a chain of straight pieces: a ball around one node, or a capsule around several. It is round
    /// without end: where another surface is as near as the radius, the two touch.
    Round {
        /// Nodes of the chain, ascending.
        chain: Vec<u32>,
        /// The radius [m].
        radius: f64,
    },
}

/// Why surfaces cannot be used for contact.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SurfaceError {
    /// A feature points outside the node space.
    #[error("surface `{part}`: {feature} uses node {node}, but there are only {nodes} nodes")]
    NoSuchNode {
        /// Name of the part.
        part: String,
        /// Which of its features.
        feature: FeatureName,
        /// The node.
        node: u32,
        /// Length of the node space.
        nodes: usize,
    },
    /// A triangle has fewer than three different corners, an edge fewer than two ends, or a chain comes back.
    #[error("surface `{part}`: {feature} uses node {node} twice; repair the mesh")]
    RepeatedNode {
        /// Name of the part.
        part: String,
        /// Which of its features.
        feature: FeatureName,
        /// The node.
        node: u32,
    },
    /// Two parts use one node.
    #[error("surfaces `{first}` and `{second}` both use node {node}; give each its own nodes, or make them one part")]
    SharedNode {
        /// Name of the first part.
        first: String,
        /// Name of the second part.
        second: String,
        /// The node.
        node: u32,
    },
    /// A list or table has the wrong length.
    #[error("{what}: {given} given for {wanted}")]
    Length {
        /// Which list.
        what: &'static str,
        /// Its length.
        given: usize,
        /// The length that fits.
        wanted: usize,
    },
}

/// A feature of a part, by its number in the list that was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeatureName {
    /// A point, by its number.
    Point(usize),
    /// An edge, by its number.
    Edge(usize),
    /// A triangle, by its number.
    Triangle(usize),
    /// A chain.
    Chain,
}

impl std::fmt::Display for FeatureName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Point(index) => write!(f, "point {index}"),
            Self::Edge(index) => write!(f, "edge {index}"),
            Self::Triangle(index) => write!(f, "triangle {index}"),
            Self::Chain => write!(f, "its chain"),
        }
    }
}

impl PartInput {
    /// Points, lines and triangles without thickness, by their nodes; any of the lists may be empty.
    pub fn new(name: impl Into<String>, points: Vec<u32>, edges: Vec<[u32; 2]>, triangles: Vec<[u32; 3]>) -> Self {
        Self { name: name.into(), form: PartForm::Features { points, edges, triangles, radius: 0.0 } }
    }

    /// A surface of triangles, by nodes.
    pub fn triangles(name: impl Into<String>, triangles: Vec<[u32; 3]>) -> Self {
        Self::new(name, Vec::new(), Vec::new(), triangles)
    }

    /// A net or strands of straight edges, by nodes.
    pub fn lines(name: impl Into<String>, edges: Vec<[u32; 2]>) -> Self {
        Self::new(name, Vec::new(), edges, Vec::new())
    }

    /// Everything within `radius` [m] of a chain of nodes, ascending.
    pub fn round(name: impl Into<String>, chain: Vec<u32>, radius: f64) -> Self {
        Self { name: name.into(), form: PartForm::Round { chain, radius } }
    }

    /// The same with a thickness [m], half of it on each side.
    pub fn thick(mut self, thickness: f64) -> Self {
        let (PartForm::Features { radius, .. } | PartForm::Round { radius, .. }) = &mut self.form;
        *radius = 0.5 * thickness;
        self
    }

    /// How far it reaches around its features [m].
    pub(super) fn radius(&self) -> f64 {
        let (PartForm::Features { radius, .. } | PartForm::Round { radius, .. }) = &self.form;
        *radius
    }

    /// Whether it is everything within its radius of a chain.
    pub(super) fn is_round(&self) -> bool {
        matches!(self.form, PartForm::Round { .. })
    }

    /// Its features, each with its nodes.
    pub(super) fn features(&self) -> impl Iterator<Item = (FeatureName, &[u32])> {
        let (points, edges, triangles, chain) = match &self.form {
            PartForm::Features { points, edges, triangles, .. } => (&points[..], &edges[..], &triangles[..], &[][..]),
            PartForm::Round { chain, .. } => (&[][..], &[][..], &[][..], &chain[..]),
        };
        let triangles = triangles.iter().enumerate().map(|(t, corners)| (FeatureName::Triangle(t), &corners[..]));
        let edges = edges.iter().enumerate().map(|(e, ends)| (FeatureName::Edge(e), &ends[..]));
        let points = points.iter().enumerate().map(|(p, point)| (FeatureName::Point(p), std::slice::from_ref(point)));
        triangles.chain(edges).chain(points).chain([(FeatureName::Chain, chain)])
    }

    /// Whether each of its features has different nodes, of which there are `nodes`.
    pub(super) fn check(&self, nodes: usize) -> Result<(), SurfaceError> {
        let part = || self.name.clone();
        let outside = |(feature, of): (FeatureName, &[u32])| Some((feature, *of.iter().find(|&&node| node as usize >= nodes)?));
        if let Some((feature, node)) = self.features().find_map(outside) {
            return Err(SurfaceError::NoSuchNode { part: part(), feature, node, nodes });
        }
        let repeated = |(feature, of): (FeatureName, &[u32])| {
            of.iter().enumerate().find(|&(k, node)| of[..k].contains(node)).map(|(_, &node)| (feature, node))
        };
        match self.features().find_map(repeated) {
            Some((feature, node)) => Err(SurfaceError::RepeatedNode { part: part(), feature, node }),
            None => Ok(()),
        }
    }
}
