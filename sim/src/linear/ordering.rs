//! Fill-reducing order of a graph by nested dissection (METIS; Karypis and Kumar 1998).

/// An undirected graph in compressed form: the neighbours of vertex `v`, itself excluded, are
/// `neighbours[starts[v]..starts[v + 1]]`.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    /// One entry a vertex, and one past the end.
    pub starts: Vec<i32>,
    /// Neighbours, vertex by vertex.
    pub neighbours: Vec<i32>,
}

/// The vertices in elimination order. Falls back to the given order if the graph is too small to dissect.
pub fn nested_dissection(graph: &Graph) -> Vec<u32> {
    let count = graph.starts.len().saturating_sub(1);
    let mut order: Vec<i32> = (0..count as i32).collect();
    if graph.neighbours.is_empty() {
        return order.into_iter().map(|v| v as u32).collect();
    }
    let mut position = order.clone();
    let mut options = [0; metis_sys::METIS_NOPTIONS as usize];
    // METIS promises not to write to the graph, but its C interface takes it as mutable.
    let (mut starts, mut neighbours) = (graph.starts.clone(), graph.neighbours.clone());
    let mut vertices = count as i32;
    // SAFETY: all arrays live through the call and have the lengths that METIS_NodeND documents: options
    // METIS_NOPTIONS, starts count + 1, neighbours starts[count], order and position count.
    let status = unsafe {
        metis_sys::METIS_SetDefaultOptions(options.as_mut_ptr());
        metis_sys::METIS_NodeND(
            &raw mut vertices,
            starts.as_mut_ptr(),
            neighbours.as_mut_ptr(),
            std::ptr::null_mut(),
            options.as_mut_ptr(),
            order.as_mut_ptr(),
            position.as_mut_ptr(),
        )
    };
    if status != metis_sys::rstatus_et_METIS_OK {
        return (0..count as u32).collect();
    }
    order.into_iter().map(|v| v as u32).collect()
}
