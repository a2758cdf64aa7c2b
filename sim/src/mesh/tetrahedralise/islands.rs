//! Crumbs of a part that is thinner than its cells: they would fall off the body that they belong to.

use rayon::prelude::*;

use super::boundary::components;
use super::{SignedDistanceField, Stuffing, drop_unused};
use crate::watch::{Cancelled, Watch};

/// Components with fewer tets are crumbs.
const FEWEST: usize = 12;
/// A component that is so many cells deep somewhere, or more, is a body that meets the others in an edge or a vertex at most.
const DEEP: f64 = 0.75;

/// Keeps the largest component of a part, and those that are no crumbs.
///
/// # Errors
/// [`Cancelled`].
pub fn drop_crumbs(mesh: &mut Stuffing, field: &impl SignedDistanceField, cell: f64, watch: &dyn Watch) -> Result<(), Cancelled> {
    let (component, count) = components(&mesh.tets);
    if count < 2 {
        return Ok(());
    }
    let mut sizes = vec![0usize; count];
    component.iter().for_each(|&c| sizes[c as usize] += 1);
    let largest = (0..count).max_by_key(|&c| (sizes[c], count - c)).unwrap_or(0);
    let mut kept: Vec<bool> = (0..count).map(|c| c == largest).collect();
    // Each vertex of what may be more than a crumb is looked at once.
    let mut component_of = vec![u32::MAX; mesh.positions.len()];
    for (tet, &c) in mesh.tets.iter().zip(&component).filter(|(_, c)| !kept[**c as usize] && sizes[**c as usize] >= FEWEST) {
        tet.iter().for_each(|&v| component_of[v as usize] = c);
    }
    let deep = component_of.par_iter().zip(&mesh.positions).filter(|(c, _)| **c != u32::MAX);
    let deep = deep.map(|(&c, p)| watch.check().map(|()| (field.distance(p) < -DEEP * cell).then_some(c as usize)));
    deep.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().for_each(|c| kept[c] = true);
    let before = mesh.tets.len();
    let mut of = component.iter();
    mesh.tets.retain(|_| of.next().is_some_and(|&c| kept[c as usize]));
    mesh.components = kept.iter().filter(|kept| **kept).count();
    mesh.repairs.dropped_components += count - mesh.components;
    mesh.repairs.dropped_tets += before - mesh.tets.len();
    drop_unused(&mut mesh.positions, &mut mesh.tets);
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::super::implicit::Sphere;
    use super::super::{Options, sound, tetrahedralise};
    use super::*;
    use crate::math::Vec3;
    use crate::watch::Unwatched;

    struct Balls(Vec<Sphere>);

    impl SignedDistanceField for Balls {
        fn distance(&self, p: &Vec3) -> f64 {
            self.0.iter().map(|ball| ball.distance(p)).fold(f64::INFINITY, f64::min)
        }
        fn bounds(&self) -> (Vec3, Vec3) {
            let boxes = self.0.iter().map(SignedDistanceField::bounds);
            boxes.reduce(|a, b| (a.0.inf(&b.0), a.1.sup(&b.1))).unwrap()
        }
    }

    #[test]
    fn bodies_stay_and_crumbs_go() {
        let ball = |x: f64, radius: f64| Sphere { centre: Vec3::new(x, 0.0, 0.0), radius };
        let balls = Balls(vec![ball(0.0, 1.0), ball(3.0, 0.5), ball(5.0, 0.13)]);
        let options = Options { cell: 0.2, min_part: 0.0, ..Options::default() };
        let mut mesh = tetrahedralise(&balls, &options, &Unwatched).unwrap();
        assert_eq!(mesh.components, 3);
        drop_crumbs(&mut mesh, &balls, 0.2, &Unwatched).unwrap();
        assert_eq!((mesh.components, mesh.repairs.dropped_components), (2, 1));
        assert_eq!(sound(&mesh.positions, &mesh.tets), Ok(2));
        assert!(mesh.positions.iter().all(|p| p.x < 4.0));
    }
}
