//! Icons by what they stand for: letters of the font Phosphor, which every family of text falls back to. Those that are filled are the same
//! letters of the family [`super::filled`].

/// One step back.
pub const UNDO: &str = "\u{e08a}";
/// One step forth.
pub const REDO: &str = "\u{e08c}";
/// The mouse that selects.
pub const SELECT: &str = "\u{e1dc}";
/// Along axes.
pub const MOVE: &str = "\u{e0a4}";
/// About axes.
pub const ROTATE: &str = "\u{e036}";
/// Larger or smaller.
pub const SCALE: &str = "\u{ed6e}";
/// Painting.
pub const BRUSH: &str = "\u{e6f0}";
/// One ring of vertices more.
pub const GROW: &str = "\u{ed4a}";
/// One ring of vertices less.
pub const SHRINK: &str = "\u{ed4c}";
/// On as far as it is smooth.
pub const EXTEND: &str = "\u{e1d0}";
/// Between two heights.
pub const HEIGHT: &str = "\u{eb04}";
/// What faces one way.
pub const FACING: &str = "\u{e1c8}";
/// A rectangle around something.
pub const BOX: &str = "\u{e69a}";
/// A free line around something.
pub const LASSO: &str = "\u{edc6}";
/// Taking away.
pub const ERASE: &str = "\u{e21e}";
/// Evening out.
pub const SMOOTH: &str = "\u{e6de}";
/// Left alone.
pub const LOCKED: &str = "\u{e308}";
/// Not left alone.
pub const UNLOCKED: &str = "\u{e30a}";
/// All that hangs together.
pub const FILL: &str = "\u{e392}";
/// The others instead.
pub const INVERT: &str = "\u{e744}";
/// Two views side by side.
pub const COMPARE: &str = "\u{e870}";
/// Colours of bodies.
pub const COLOR: &str = "\u{e6c8}";
/// What is drawn, or that something is.
pub const SHOW: &str = "\u{e220}";
/// Something is not drawn.
pub const HIDDEN: &str = "\u{e224}";
/// A body.
pub const BODY: &str = "\u{e1da}";
/// Vertices that are held.
pub const FIXED: &str = "\u{e3e2}";
/// What may touch.
pub const CONTACT: &str = "\u{e192}";
/// What something is made of.
pub const MATERIAL: &str = "\u{e466}";
/// An obstacle that is a plane or a box.
pub const WALL: &str = "\u{e688}";
/// A round obstacle.
pub const SPHERE: &str = "\u{ee66}";
/// An obstacle that is round in one way.
pub const CYLINDER: &str = "\u{e8fc}";
/// An obstacle that is a mesh.
pub const MESH: &str = "\u{e6d0}";
/// A load on faces.
pub const LOAD: &str = "\u{e518}";
/// Air that moves.
pub const WIND: &str = "\u{e5d2}";
/// Pressure that grows with depth.
pub const WATER: &str = "\u{e6de}";
/// Springs to another body.
pub const ATTACHED: &str = "\u{e2e6}";
/// Vertices that only have a name.
pub const NAMED: &str = "\u{e478}";
/// Panels of cloth, and what they are sewn to.
pub const PATTERN: &str = "\u{eae0}";
/// Cells of their own.
pub const LINES: &str = "\u{e6d4}";
/// One more.
pub const PLUS: &str = "\u{e3d4}";
/// Bring something in.
pub const UPLOAD: &str = "\u{e4c0}";
/// A folder.
pub const FOLDER: &str = "\u{e256}";
/// A file.
pub const FILE: &str = "\u{e230}";
/// Keys.
pub const KEYBOARD: &str = "\u{e2d8}";
/// Something to know.
pub const INFO: &str = "\u{e2ce}";
/// Where regions are.
pub const MAP: &str = "\u{e31a}";
/// Steps that were done.
pub const HISTORY: &str = "\u{e1a0}";
/// Back, or up to what holds it.
pub const BACK: &str = "\u{e138}";
/// Settings.
pub const OPTIONS: &str = "\u{e434}";
/// Take away.
pub const REMOVE: &str = "\u{e4a6}";
/// Go on in time.
pub const PLAY: &str = "\u{e3d0}";
/// Stay at this time.
pub const PAUSE: &str = "\u{e39e}";
/// One step.
pub const STEP: &str = "\u{e13a}";
/// Back to time zero.
pub const RESET: &str = "\u{e5a4}";
/// Again from the first frame.
pub const LOOP: &str = "\u{e3f6}";
/// Plots.
pub const PLOTS: &str = "\u{e154}";
/// Histogram.
pub const HISTOGRAM: &str = "\u{e150}";
/// What happens when.
pub const TIMELINE: &str = "\u{e792}";
/// One more of the same.
pub const COPY: &str = "\u{e1ca}";
/// Away with it.
pub const DELETE: &str = "\u{e4a6}";
/// What is wrong.
pub const PROBLEMS: &str = "\u{eadc}";
/// It holds.
pub const DONE: &str = "\u{e184}";
/// Undecided, or unstable.
pub const HALF: &str = "\u{e18c}";
/// Not yet done.
pub const TO_DO: &str = "\u{e18a}";
/// It does not hold.
pub const FAILED: &str = "\u{e4f8}";
/// Not of what is on screen.
pub const STALE: &str = "\u{e4e2}";
/// An error.
pub const ERROR: &str = "\u{e4e4}";
/// Something to look at.
pub const WARNING: &str = "\u{e4e0}";
/// Show the place.
pub const PLACE: &str = "\u{e1d8}";
/// Find the rest state.
pub const INITIALISE: &str = "\u{e094}";
/// The certificate.
pub const CERTIFICATE: &str = "\u{e606}";
/// Light surroundings.
pub const SUN: &str = "\u{e472}";
/// Dark surroundings.
pub const MOON: &str = "\u{e330}";
/// What opens to the right.
pub const NEXT: &str = "\u{e13a}";
/// What opens downwards.
pub const DOWN: &str = "\u{e136}";
/// What opens to the left.
pub const LEFT: &str = "\u{e138}";
/// All the room for one panel.
pub const MAXIMISE: &str = "\u{e1d0}";
/// Into a file.
pub const EXPORT: &str = "\u{eaf0}";
/// Looking for something.
pub const SEARCH: &str = "\u{e30c}";
/// No longer.
pub const CLOSE: &str = "\u{e4f6}";
/// The end.
pub const LAST: &str = "\u{e5a6}";
/// A push by hand.
pub const NUDGE: &str = "\u{e29a}";
/// What goes together.
pub const LINK: &str = "\u{e2e6}";
/// A plane that bodies are cut by.
pub const SLICE: &str = "\u{e874}";
/// A place whose numbers are looked at.
pub const PROBE: &str = "\u{e316}";
