//! [`PairRules`]: which parts may touch, and with which friction.

/// Which parts may touch, themselves included, and with which friction: a symmetric table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairRules {
    parts: usize,
    /// Friction coefficient of each ordered pair; none where the two never touch.
    friction: Vec<Option<f64>>,
    /// Parts that are not there, and touch nothing until they are.
    away: Vec<bool>,
}

impl PairRules {
    /// Rules for so many parts: every part may touch every part and itself, with the friction coefficient `friction`.
    pub fn all_touch(parts: usize, friction: f64) -> Self {
        Self { parts, friction: vec![Some(friction); parts * parts], away: vec![false; parts] }
    }

    /// Rules for so many parts: none touches any.
    pub fn none_touch(parts: usize) -> Self {
        Self { parts, friction: vec![None; parts * parts], away: vec![false; parts] }
    }

    /// For how many parts they are.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// Lets two parts (or one with itself) touch with a friction coefficient; or never, with `None`.
    pub fn set(&mut self, a: u32, b: u32, friction: Option<f64>) {
        let (a, b) = (a as usize, b as usize);
        self.friction[a * self.parts + b] = friction;
        self.friction[b * self.parts + a] = friction;
    }

    /// Takes a part away, or brings it back: what it may touch is the same as before.
    pub fn set_away(&mut self, part: u32, away: bool) {
        self.away[part as usize] = away;
    }

    /// Whether a part is taken away.
    pub fn is_away(&self, part: u32) -> bool {
        self.away[part as usize]
    }

    /// Friction coefficient of two parts; none where they never touch, or one of them is not there.
    #[inline]
    pub fn friction(&self, a: u32, b: u32) -> Option<f64> {
        let (a, b) = (a as usize, b as usize);
        if self.away[a] || self.away[b] { None } else { self.friction[a * self.parts + b] }
    }

    /// Whether any two parts may touch, those that are away included.
    pub fn any_touch(&self) -> bool {
        self.friction.iter().any(Option::is_some)
    }
}
