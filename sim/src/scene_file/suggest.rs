//! "Did you mean ...?" for a name that is nearly one of those known.

/// `; did you mean X?` for the nearest of `known`, or `; known here: ...` where none is near.
pub fn suggest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let nearest = known.iter().map(|candidate| (distance(name, candidate), candidate)).min();
    match nearest {
        Some((edits, candidate)) if edits <= 1 + candidate.chars().count() / 3 => format!("; did you mean `{candidate}`?"),
        Some(_) => format!("; known here: {}", known.join(", ")),
        None => "; none is known here".into(),
    }
}

/// Levenshtein distance between two names, blind to case.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.to_lowercase().chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &cb) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("Young", "young"), 0);
    }

    #[test]
    fn only_near_names_are_suggested() {
        assert_eq!(suggest("yuong", ["density", "young"]), "; did you mean `young`?");
        assert_eq!(suggest("colour", ["density", "young"]), "; known here: density, young");
    }
}
