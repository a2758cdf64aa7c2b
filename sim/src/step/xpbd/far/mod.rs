//! What acts over more than one element at once, as corrections of single elements travel one element a sweep: [`Attachments`] tie every node to
//! what is held, and [`Hierarchy`] corrects coarse copies of the bodies first. Both only ever shorten what is longer than in the given shape, so
//! that they leave a balance alone.

mod attachments;
mod hierarchy;
mod lengths;
#[cfg(test)]
mod tests;

pub use attachments::Attachments;
pub use hierarchy::Hierarchy;

/// By how much more than round-off a way has to be longer than in the given shape.
const SLACK: f64 = 1.0 + 1e-12;
