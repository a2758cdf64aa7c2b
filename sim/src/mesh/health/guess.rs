//! A conclusion about a file, how sure it is, and why.

/// What a file leaves unsaid, or says.
#[derive(Debug, Clone, PartialEq)]
pub struct Guess<T> {
    /// The likeliest.
    pub value: T,
    /// How sure.
    pub certainty: Certainty,
    /// Why, in words.
    pub reason: String,
}

/// How sure a guess is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// Nothing speaks clearly for it.
    Unsure,
    /// The shape or the size speaks for it.
    Likely,
    /// The file or its format says so.
    Stated,
}
