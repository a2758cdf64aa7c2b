//! Contact with rigid obstacles: signed distances, barrier, friction, and the preload that makes the contact
//! force of the first instant the solved one.

pub mod obstacle;
