//! Walls that hold whatever comes, exactly, for balances that are iterated: nodes do not move in the directions that walls hold, and what is left there
//! is what the walls have to make. Stiff springs in their place would bring forces among the others that take many iterations to go.

use super::Space;
use super::iterated::Iterated;
use super::row::GridRow;
use super::solve::{AS_GOOD, Balance, Problem, norm};
use super::walls::WallRow;
use super::yields::Coordinates;
use crate::math::{Mat3, Vec3};
use crate::sag_free::cone::Cone;
use crate::sag_free::global::GlobalError;
use crate::watch::Watch;

/// Share of a normal beside those of other walls below which it is one of them.
const APART: f64 = 1e-6;
/// Rounds over the walls of a node, and the change over the force that ends them.
const ROUNDS: usize = 200;
const SETTLED: f64 = 1e-14;
/// Share of what is left that a correction may leave, so that others are worth their work.
const SLOW: f64 = 0.5;
/// Choices of walls that hold at most.
const CHOICES: usize = 40;
/// What walls pull, over the most that one does, is no more than round-off.
const PULLS: f64 = 1e-3;

/// Walls by the nodes that they hold.
pub(super) struct Holds {
    /// Each node with its walls, by their places among the rows, and the projector on the directions that none of them holds.
    nodes: Vec<(usize, Vec<usize>, Mat3)>,
}

impl Holds {
    /// Of those walls that are `chosen`: smooth ones hold along their normals, others in all directions, but where nothing `shears`: a liquid does without
    /// their friction.
    fn of(space: &Space, rows: &[GridRow], chosen: &[bool]) -> Self {
        let shears = space.shears();
        let wall = |(place, row): (usize, &GridRow)| match row {
            GridRow::Wall(row) => chosen[place].then_some((row.node(), place)),
            GridRow::Point(_) => None,
        };
        let mut walls: Vec<(usize, usize)> = rows.iter().enumerate().filter_map(wall).collect();
        walls.sort_unstable();
        let of_node = |walls: &[(usize, usize)]| {
            let mut free = space.free_of(walls[0].0).copied().unwrap_or_else(Mat3::identity);
            for (_, place) in walls {
                let GridRow::Wall(row) = &rows[*place] else { continue };
                let normal: Vec3 = row.frame.row(0).transpose();
                match row.cone {
                    Cone::SecondOrder if shears => free = Mat3::zeros(),
                    _ => {
                        if let Some(beside) = (free * normal).try_normalize(APART) {
                            free -= beside * beside.transpose();
                        }
                    }
                }
            }
            (walls[0].0, walls.iter().map(|(_, place)| *place).collect(), free)
        };
        Self { nodes: walls.chunk_by(|a, b| a.0 == b.0).map(of_node).collect() }
    }

    /// Takes out of `forces` what walls hold.
    fn free(&self, forces: &mut [Vec3]) {
        self.nodes.iter().for_each(|(node, _, free)| forces[*node] = free * forces[*node]);
    }

    /// The projectors.
    fn projectors(&self) -> Vec<(usize, Mat3)> {
        self.nodes.iter().map(|(node, _, free)| (*node, *free)).collect()
    }

    /// Forces in the cones of walls that hold `left` in their directions, as far as they can: each in turn what the others of its node leave.
    fn forces(&self, rows: &[GridRow], left: &[Vec3]) -> Vec<Coordinates> {
        let mut z = vec![Coordinates::zeros(); rows.len()];
        for (node, walls, free) in &self.nodes {
            let wanted = free * left[*node] - left[*node];
            let of_wall = |place: usize| match &rows[place] {
                GridRow::Wall(row) => Some(row),
                GridRow::Point(_) => None,
            };
            for _ in 0..ROUNDS {
                let mut moved = 0.0_f64;
                for &place in walls {
                    let Some(row) = of_wall(place) else { continue };
                    let others = walls.iter().filter(|other| **other != place);
                    let made: Vec3 = others.filter_map(|&other| Some(of_wall(other)?.force(&z[other]))).sum();
                    let answer = row.within(&(wanted - made));
                    moved = moved.max((answer - z[place]).amax());
                    z[place] = answer;
                }
                if walls.len() == 1 || moved <= SETTLED * wanted.amax() {
                    break;
                }
            }
        }
        z
    }
}

impl WallRow {
    /// The force in its cone for one that is wanted: none that pulls, and along the wall no more than friction.
    fn within(&self, wanted: &Vec3) -> Coordinates {
        let along = self.frame * wanted;
        let mut z = Coordinates::zeros();
        z[0] = (along[0] / self.frame.row(0).norm_squared()).max(0.0);
        let square = self.frame.row(1).norm_squared();
        if square > 0.0 {
            let rub = Vec3::new(0.0, along[1] / square, along[2] / square);
            // Not outside by a last digit.
            let share = (z[0] * (1.0 - f64::EPSILON) / rub.norm()).min(1.0);
            (z[1], z[2]) = if share.is_nan() { (0.0, 0.0) } else { (share * rub[1], share * rub[2]) };
        }
        z
    }
}

/// Walls that hold in a balance that is iterated, from round to round.
pub(super) struct Holding {
    chosen: Vec<bool>,
    /// The dual so far: how nodes would move on springs.
    dual: Vec<Vec3>,
}

impl Holding {
    /// All of them, at nodes of which there are so many.
    pub fn of(rows: &[GridRow], nodes: usize) -> Self {
        Self { chosen: vec![true; rows.len()], dual: vec![Vec3::zeros(); nodes] }
    }

    /// Lets go what would have to pull to hold `left` beside the forces `z` of the others, and takes back what nodes would move into; whether there was any.
    fn choose<'r>(&mut self, rows: &'r [GridRow], z: &[Coordinates], left: &[Vec3]) -> bool {
        let wall = |(place, row): (usize, &'r GridRow)| match row {
            GridRow::Wall(row) => Some((place, row)),
            GridRow::Point(_) => None,
        };
        let walls: Vec<(usize, &'r WallRow)> = rows.iter().enumerate().filter_map(wall).collect();
        let normal = |row: &WallRow| -> Vec3 { row.frame.row(0).transpose() };
        let pull = |&(place, row): &(usize, &WallRow)| match self.chosen[place] && z[place][0] == 0.0 {
            true => normal(row).dot(&left[row.node()]).max(0.0),
            false => 0.0,
        };
        let pulls: Vec<f64> = walls.iter().map(pull).collect();
        let least = PULLS * pulls.iter().copied().fold(0.0, f64::max);
        let enters: Vec<bool> =
            walls.iter().map(|(place, row)| !self.chosen[*place] && normal(row).dot(&self.dual[row.node()]) < 0.0).collect();
        let mut changes = false;
        for (((place, _), pull), enters) in walls.into_iter().zip(pulls).zip(enters) {
            let lets_go = pull > least;
            if lets_go || enters {
                (self.chosen[place], changes) = (enters, true);
            }
        }
        changes
    }
}

impl Problem<'_> {
    /// Corrects `at` with walls that hold whatever comes, lets go those that would have to pull, in turn (primal-dual active sets; Hintermueller, Ito,
    /// Kunisch 2002), and lets the others make what they can; with what they would leave if they could make all.
    ///
    /// # Errors
    /// Cancelled, or numbers that are not finite.
    pub fn hold(
        &self,
        (rows, holding): (&[GridRow], &mut Holding),
        iterated: &mut Iterated,
        rho: f64,
        at: Balance,
        watch: &dyn Watch,
    ) -> Result<(Balance, f64), GlobalError> {
        let enough = self.tikhonov.enough * norm(&self.loads);
        let (mut at, mut best): (Balance, Option<(Balance, f64)>) = (at, None);
        let mut is_chosen = false;
        for _ in 0..CHOICES {
            let holds = Holds::of(self.space, rows, &holding.chosen);
            iterated.hold(rho, holds.projectors())?;
            // Until all are chosen, a look at each choice will do.
            let corrections = if is_chosen { self.tikhonov.corrections } else { 1 };
            let (stresses, all, least) =
                self.freed((rows, &holds), iterated, at.stresses, (corrections, enough), &mut holding.dual, watch)?;
            let z = holds.forces(rows, &all);
            at = self.balance(rows, stresses, z);
            let is_held = at.size <= AS_GOOD * least.max(enough);
            if best.as_ref().is_none_or(|(best, _)| at.size < best.size) {
                best = Some((at.clone(), least));
            }
            let changes = !is_held && holding.choose(rows, &at.z, &at.left);
            if is_chosen && !changes {
                break;
            }
            is_chosen = !changes;
        }
        let least = at.size;
        Ok(best.unwrap_or((at, least)))
    }

    /// Stresses from `stresses` on that leave little where no wall holds, what they leave everywhere, and its size where no wall holds.
    fn freed(
        &self,
        (rows, holds): (&[GridRow], &Holds),
        iterated: &mut Iterated,
        stresses: Vec<Mat3>,
        (corrections, enough): (usize, f64),
        dual: &mut [Vec3],
        watch: &dyn Watch,
    ) -> Result<(Vec<Mat3>, Vec<Vec3>, f64), GlobalError> {
        let left_by = |stresses: Vec<Mat3>| {
            let Balance { stresses, left, .. } = self.balance(rows, stresses, vec![Coordinates::zeros(); rows.len()]);
            let mut free = left.clone();
            holds.free(&mut free);
            let size = norm(&free);
            (stresses, left, free, size)
        };
        let (mut stresses, mut all, mut free, mut size) = left_by(stresses);
        for _ in 0..corrections {
            if size <= enough {
                break;
            }
            let mut u = free.clone();
            iterated.solve(&mut u);
            watch.check()?;
            let mut corrected = stresses.clone();
            self.add_dual(&u, &mut corrected);
            let next = left_by(corrected);
            if next.3.is_nan() || next.3 >= size {
                break;
            }
            dual.iter_mut().zip(&u).for_each(|(dual, u)| *dual += u);
            let is_slow = next.3 > SLOW * size;
            (stresses, all, free, size) = next;
            if is_slow {
                break;
            }
        }
        Ok((stresses, all, size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sag_free::grid::walls::Share;
    use crate::sag_free::row::cone_frame;

    /// Walls that would have to pull to hold are let go, and taken back where nodes would move into them; those that push stay.
    #[test]
    fn walls_let_go_and_take_back() {
        let wall = |node: usize| {
            let (cone, frame) = cone_frame(&Vec3::y(), 0.3);
            GridRow::Wall(WallRow { shares: vec![Share { node, place: node, share: 1.0 }], scale: 1.0, cone, frame })
        };
        let rows: Vec<GridRow> = (0..3).map(wall).collect();
        let mut holding = Holding::of(&rows, 3);
        // The first pushes, what is left at the second leads out of its wall, and at the third so little that it is round-off.
        let mut z = vec![Coordinates::zeros(); 3];
        z[0][0] = 1.0;
        let left = [Vec3::y(), Vec3::y(), 1e-4 * Vec3::y()];
        assert!(holding.choose(&rows, &z, &left));
        assert_eq!(holding.chosen, [true, false, true]);
        // It moves out, and stays free; then in.
        holding.dual[1] = Vec3::new(0.5, 0.1, 0.0);
        assert!(!holding.choose(&rows, &z, &[Vec3::zeros(); 3]));
        holding.dual[1] = Vec3::new(0.5, -0.1, 0.0);
        assert!(holding.choose(&rows, &z, &[Vec3::zeros(); 3]));
        assert_eq!(holding.chosen, [true; 3]);
    }
}
