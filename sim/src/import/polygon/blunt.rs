//! [`BluntPlaces`]: where the corners of a face lie that are not convex, found by the cell of a grid.

/// End of a list.
const NONE: u32 = u32::MAX;
/// Most cells along a side of the grid.
const MOST_CELLS: usize = 128;

/// Only these places can lie in an ear. Corners at one place count as one, which is named by the first of them.
#[derive(Default)]
pub struct BluntPlaces {
    /// First of the corners at the same place.
    place: Vec<u32>,
    /// Number of corners that are not convex, at the place of each first corner.
    count: Vec<u32>,
    /// First place in each cell, and the one behind each place.
    heads: Vec<u32>,
    next: Vec<u32>,
    is_listed: Vec<bool>,
    /// Places in the lists, and those of them that have no blunt corner any more.
    listed: usize,
    gone: usize,
    /// Least coordinates, length of a side of the grid, cells along it, and cells a unit of length.
    origin: [f64; 2],
    extent: f64,
    side: usize,
    density: f64,
    /// Corners by their coordinates, or the places that stay.
    order: Vec<u32>,
}

impl BluntPlaces {
    /// Takes in the corners at `points`, none of which is blunt yet.
    pub fn start(&mut self, points: &[[f64; 2]]) {
        let count = points.len() as u32;
        let key = |corner: u32| points[corner as usize].map(|c| c + 0.0);
        self.order.clear();
        self.order.extend(0..count);
        // Sorted by their coordinates, corners at one place are neighbours.
        self.order.sort_unstable_by(|&a, &b| {
            let (p, q) = (key(a), key(b));
            p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])).then(a.cmp(&b))
        });
        self.place.clear();
        self.place.resize(count as usize, 0);
        let mut first = self.order[0];
        for &corner in &self.order {
            if key(corner) != key(first) {
                first = corner;
            }
            self.place[corner as usize] = first;
        }
        self.count.clear();
        self.count.resize(count as usize, 0);
        self.next.clear();
        self.next.resize(count as usize, NONE);
        self.is_listed.clear();
        self.is_listed.resize(count as usize, false);
        self.order.clear();
        let end = |axis: usize, start: f64, outer: fn(f64, f64) -> f64| points.iter().map(|p| p[axis]).fold(start, outer);
        self.origin = [0, 1].map(|axis| end(axis, f64::INFINITY, f64::min));
        self.extent = (0..2).map(|axis| end(axis, f64::NEG_INFINITY, f64::max) - self.origin[axis]).fold(0.0, f64::max);
        self.lay_out(points, points.len());
    }

    /// A grid for `count` places, with those in `order`.
    fn lay_out(&mut self, points: &[[f64; 2]], count: usize) {
        self.side = (count as f64).sqrt().ceil().clamp(1.0, MOST_CELLS as f64) as usize;
        self.density = if self.extent > 0.0 { self.side as f64 / self.extent } else { 0.0 };
        self.heads.clear();
        self.heads.resize(self.side * self.side, NONE);
        (self.listed, self.gone) = (0, 0);
        let mut order = std::mem::take(&mut self.order);
        order.drain(..).for_each(|place| self.list(place, points));
        self.order = order;
    }

    /// Row or column of a coordinate; those that are no numbers lie in the first.
    fn cell(&self, axis: usize, coordinate: f64) -> usize {
        (((coordinate - self.origin[axis]) * self.density) as usize).min(self.side - 1)
    }

    fn list(&mut self, place: u32, points: &[[f64; 2]]) {
        let [x, y] = points[place as usize];
        let cell = self.cell(1, y) * self.side + self.cell(0, x);
        self.next[place as usize] = std::mem::replace(&mut self.heads[cell], place);
        self.is_listed[place as usize] = true;
        self.listed += 1;
    }

    /// The place of a corner.
    pub fn place(&self, corner: usize) -> u32 {
        self.place[corner]
    }

    /// A corner is blunt from now on.
    pub fn add(&mut self, corner: usize, points: &[[f64; 2]]) {
        let place = self.place[corner];
        self.count[place as usize] += 1;
        if self.count[place as usize] > 1 {
            return;
        }
        if self.is_listed[place as usize] { self.gone -= 1 } else { self.list(place, points) }
    }

    /// A corner is not blunt any more.
    pub fn remove(&mut self, corner: usize, points: &[[f64; 2]]) {
        let place = self.place[corner] as usize;
        self.count[place] -= 1;
        self.gone += usize::from(self.count[place] == 0);
        if 2 * self.gone > self.listed {
            let mut order = std::mem::take(&mut self.order);
            for place in 0..self.count.len() {
                if std::mem::take(&mut self.is_listed[place]) && self.count[place] > 0 {
                    order.push(place as u32);
                }
            }
            self.order = order;
            self.lay_out(points, self.order.len());
        }
    }

    /// Whether a blunt corner lies at `place`.
    pub fn holds(&self, place: u32) -> bool {
        self.count.get(place as usize).is_some_and(|&count| count > 0)
    }

    /// A place between `least` and `largest` of which `is_wanted` holds, and how many places and cells were looked at.
    pub fn find(&self, [least, largest]: [[f64; 2]; 2], is_wanted: impl Fn(u32) -> bool) -> (Option<u32>, usize) {
        let mut effort = 0;
        let [columns, rows] = [0, 1].map(|axis| self.cell(axis, least[axis])..=self.cell(axis, largest[axis]));
        for row in rows {
            for column in columns.clone() {
                effort += 1;
                let mut place = self.heads[row * self.side + column];
                while place != NONE {
                    effort += 1;
                    if self.holds(place) && is_wanted(place) {
                        return (Some(place), effort);
                    }
                    place = self.next[place as usize];
                }
            }
        }
        (None, effort)
    }
}
