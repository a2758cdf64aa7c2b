//! The tets around each vertex, and vertices coloured so that those of one colour move independently.

use crate::mesh::topology::FACES;

/// What lies around each vertex.
pub struct Stars {
    /// Where the star of vertex v begins: `starts[v]..starts[v + 1]`.
    starts: Vec<u32>,
    /// Face opposite to the vertex in each tet around it, outward from that tet.
    opposite: Vec<[u32; 3]>,
    /// Colour of each vertex.
    colour: Vec<u8>,
}

impl Stars {
    /// Of `vertices` vertices.
    pub fn new(vertices: usize, tets: &[[u32; 4]]) -> Self {
        let mut starts = vec![0_u32; vertices + 1];
        tets.iter().flatten().for_each(|&v| starts[v as usize + 1] += 1);
        for v in 0..vertices {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut opposite = vec![[0; 3]; 4 * tets.len()];
        for tet in tets {
            for (corner, face) in FACES.iter().enumerate() {
                let slot = &mut next[tet[corner] as usize];
                opposite[*slot as usize] = face.map(|c| tet[c]);
                *slot += 1;
            }
        }
        let mut stars = Self { starts, opposite, colour: vec![u8::MAX; vertices] };
        for v in 0..vertices {
            // First fit; a vertex with more than 255 colours around it shares the last one and is never moved.
            let mut taken = [false; 256];
            for &w in stars.around(v as u32).as_flattened() {
                taken[stars.colour[w as usize] as usize] = true;
            }
            stars.colour[v] = taken[..255].iter().position(|t| !t).unwrap_or(255) as u8;
        }
        stars
    }

    /// The face opposite to `v` in each tet around it, outward from that tet.
    pub fn around(&self, v: u32) -> &[[u32; 3]] {
        &self.opposite[self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize]
    }

    /// Vertices of the tets that `chosen` names by number, ascending.
    pub fn vertices_where(&self, tets: &[[u32; 4]], chosen: impl Fn(usize) -> bool) -> Vec<u32> {
        let mut marked = vec![false; self.colour.len()];
        for (t, tet) in tets.iter().enumerate() {
            if chosen(t) {
                tet.iter().for_each(|&v| marked[v as usize] = true);
            }
        }
        (0..marked.len() as u32).filter(|&v| marked[v as usize]).collect()
    }

    /// `vertices` by colour.
    pub fn classes(&self, vertices: &[u32]) -> Vec<Vec<u32>> {
        let mut classes = vec![Vec::new(); 255];
        for &v in vertices {
            if let Some(class) = classes.get_mut(self.colour[v as usize] as usize) {
                class.push(v);
            }
        }
        classes.retain(|c| !c.is_empty());
        classes
    }
}
