//! The vertices of a region on what is seen of its body.

use aplomb_sim::bodies::select::{region_skin_vertices, region_vertices};
use aplomb_sim::scene::Region;

use crate::session::ModelBody;

/// Vertices of the region: of the artist's surface where there is one, unless `tets` are seen.
pub fn painted(body: &ModelBody, region: &Region, tets: bool) -> Vec<u32> {
    if body.skin.is_some() && !tets { region_skin_vertices(&body.mesh, region) } else { region_vertices(&body.mesh, region) }
}
