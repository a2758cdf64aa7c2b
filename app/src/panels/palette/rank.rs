//! How well a name fits what was typed: as its beginning, by beginnings of its words, as a part, or by letters in order.

/// How well, the best largest; of two that are equal the shorter name is better.
pub type Rank = (u32, std::cmp::Reverse<usize>);

/// Ranks of the ways in which one word fits.
const BEGINS: u32 = 4;
const BEGINS_WORD: u32 = 3;
const HOLDS: u32 = 2;
const IN_ORDER: u32 = 1;

/// A name that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fit {
    /// How well.
    pub rank: Rank,
    /// Which of its letters were meant, counted from 0, ascending.
    pub letters: Vec<usize>,
}

/// How `name` fits `typed`: each word of that must. `None` where it does not fit. Nothing typed fits all alike.
pub fn fit(name: &str, typed: &str) -> Option<Fit> {
    let letters: Vec<char> = name.chars().flat_map(lower).collect();
    let mut rank = u32::MAX;
    let mut meant = Vec::new();
    for word in typed.split_whitespace() {
        let word: Vec<char> = word.chars().flat_map(lower).collect();
        let (how, which) = place(&letters, &word)?;
        // A name is as good as its worst word.
        rank = rank.min(how);
        meant.extend(which);
    }
    meant.sort_unstable();
    meant.dedup();
    Some(Fit { rank: (rank, std::cmp::Reverse(letters.len())), letters: meant })
}

/// One letter for one: others would shift the count.
fn lower(letter: char) -> Option<char> {
    letter.to_lowercase().next().or(Some(letter))
}

/// The best way in which `word` is in a name, and the letters that make it.
fn place(name: &[char], word: &[char]) -> Option<(u32, Vec<usize>)> {
    let begins = |at: usize| at == 0 || !name[at - 1].is_alphanumeric() && name[at].is_alphanumeric();
    let starts = (0..(name.len() + 1).saturating_sub(word.len())).filter(|&at| name[at..].starts_with(word));
    let how = |at: usize| {
        if at == 0 {
            BEGINS
        } else if begins(at) {
            BEGINS_WORD
        } else {
            HOLDS
        }
    };
    if let Some((how, at)) = starts.map(|at| (how(at), at)).max_by_key(|&(how, at)| (how, std::cmp::Reverse(at))) {
        return Some((how, (at..at + word.len()).collect()));
    }
    scattered(name, word, begins).map(|which| (IN_ORDER, which))
}

/// The letters of `word` in their order, beginnings of words first where there is a choice.
fn scattered(name: &[char], word: &[char], begins: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
    let mut which: Vec<usize> = Vec::with_capacity(word.len());
    for (i, letter) in word.iter().enumerate() {
        let from = which.last().map_or(0, |last| last + 1);
        // What follows must still fit behind it.
        let fits = |at: usize| name[at] == *letter && follows(&name[at + 1..], &word[i + 1..]);
        let next = (from..name.len()).find(|&at| begins(at) && fits(at)).or_else(|| (from..name.len()).find(|&at| fits(at)))?;
        which.push(next);
    }
    Some(which)
}

/// Whether the letters of `word` are in `name` in their order.
fn follows(name: &[char], word: &[char]) -> bool {
    let mut rest = name.iter();
    word.iter().all(|letter| rest.any(|other| other == letter))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// The names that fit, the best first.
    fn sorted<'a>(names: &[&'a str], typed: &str) -> Vec<&'a str> {
        let mut fitting: Vec<_> = names.iter().filter_map(|name| Some((fit(name, typed)?.rank, *name))).collect();
        fitting.sort_by_key(|one| std::cmp::Reverse(one.0));
        fitting.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn a_beginning_is_better_than_a_word_and_that_better_than_letters() {
        let names = ["Compare cures", "New scene", "See through obstacles", "Save", "Save as…", "Rescue", "Scene"];
        assert_eq!(sorted(&names, "sc"), ["Scene", "New scene", "Rescue", "See through obstacles"]);
        assert_eq!(sorted(&names, "save"), ["Save", "Save as…"], "the shorter first");
        assert_eq!(sorted(&names, "scene ne"), ["New scene", "Scene"], "each word where it is");
        let [scattered, whole] = ["Expand limbs edge", "Mesh examples of the gallery"];
        assert_eq!(sorted(&[scattered, whole], "me ex"), [whole, scattered], "as good as the worst word");
        assert_eq!(sorted(&names, "zzz"), Vec::<&str>::new());
        assert_eq!(sorted(&names, "").len(), names.len());
    }

    #[test]
    fn the_letters_that_were_meant_are_told() {
        assert_eq!(fit("New scene", "sce").unwrap().letters, [4, 5, 6]);
        assert_eq!(fit("Nudge sideways", "ns").unwrap().letters, [0, 6], "beginnings of words before others");
        assert_eq!(fit("Export rest mesh…", "erm").unwrap().letters, [0, 7, 12]);
        assert_eq!(fit("aab", "ab").unwrap().letters, [1, 2]);
        assert_eq!(fit("Ünder", "ü").unwrap().letters, [0]);
        assert_eq!(fit("x", "longer than it"), None);
    }
}
