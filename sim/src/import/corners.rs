//! Elements by the names that a file gives its vertices, turned into indices once all vertices are known.

use super::{ImportError, cursor::Cursor};

/// Elements with `N` corners, and where each was read.
#[derive(Default)]
pub struct Corners<const N: usize> {
    names: Vec<[i64; N]>,
    offsets: Vec<usize>,
}

impl<const N: usize> Corners<N> {
    pub fn reserve(&mut self, count: usize) {
        self.names.reserve(count);
        self.offsets.reserve(count);
    }

    /// Adds an element read at `offset`.
    pub fn push(&mut self, offset: usize, names: [i64; N]) {
        self.names.push(names);
        self.offsets.push(offset);
    }

    /// The elements as indices of vertices, and where each was read.
    pub fn resolve(self, vertices: &VertexNames, cursor: &Cursor, what: &str) -> Result<(Vec<[u32; N]>, Vec<usize>), ImportError> {
        let mut elements = Vec::with_capacity(self.names.len());
        for (e, (names, &offset)) in self.names.iter().zip(&self.offsets).enumerate() {
            let mut element = [0; N];
            for (&name, index) in names.iter().zip(&mut element) {
                *index = vertices.index(name).ok_or_else(|| {
                    cursor.error_at(offset, format!("{what} {} refers to vertex {name}, but {}", e + 1, vertices.described()))
                })?;
            }
            elements.push(element);
        }
        Ok((elements, self.offsets))
    }
}

/// The names (numbers) of the vertices of a file.
pub enum VertexNames {
    /// Consecutive numbers from `first`.
    Consecutive { first: i64, count: u32 },
    /// Any numbers, sorted, each with the index of its vertex.
    Sorted(Vec<(i64, u32)>),
}

impl VertexNames {
    /// From the names in file order; `Err(name)` if one name is given twice.
    pub fn new(names: &[i64]) -> Result<Self, i64> {
        let first = names.first().copied().unwrap_or(1);
        if names.iter().zip(0..).all(|(&name, i)| first.checked_add(i) == Some(name)) {
            return Ok(Self::Consecutive { first, count: names.len() as u32 });
        }
        let mut sorted: Vec<(i64, u32)> = names.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(pair[0].0),
            None => Ok(Self::Sorted(sorted)),
        }
    }

    /// The index of the vertex with this name.
    fn index(&self, name: i64) -> Option<u32> {
        match self {
            Self::Consecutive { first, count } => name.checked_sub(*first).and_then(|i| u32::try_from(i).ok()).filter(|i| i < count),
            Self::Sorted(names) => names.binary_search_by_key(&name, |n| n.0).ok().map(|i| names[i].1),
        }
    }

    /// The names there are, in words.
    fn described(&self) -> String {
        match self {
            Self::Consecutive { count: 0, .. } => "the file has no vertices".into(),
            Self::Consecutive { first, count } => format!("the vertices are numbered {first} to {}", first + (i64::from(*count) - 1)),
            Self::Sorted(names) => format!("none of the {} vertices has that number", names.len()),
        }
    }
}
