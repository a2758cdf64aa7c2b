//! Small pieces that several panels use: rows with units, cards, key and value.

mod card;
mod form;
mod number;
mod row;
mod scene_schema;
mod section;
mod segments;
mod tabs;
pub mod typed;
pub mod unit;

pub use card::{card, dense, elided, heading, icon_button, lead_button, primary_button, small_icon_button};
#[cfg(test)]
pub use form::assert_rows;
pub use form::{form, form_without, other_rows, rows_without};
pub use number::{pair, percent, quantity, significant};
pub use row::{
    Quantity, choice_row, choice_row_but, count_row, direction_row, fact_row, group, name_row, pair_row, path_label, row, slider_row,
    time_entry, value_row, vector_row,
};
pub use scene_schema::{count_limits_of, keys_of, limits_of, schema_of};
pub use section::section;
pub use segments::{Segment, axes_segments, segments};
pub use tabs::{Tab, tab_bar, tab_button};
