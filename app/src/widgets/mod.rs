//! Small pieces that several panels use: rows with units, cards, key and value.

mod card;
mod form;
mod number;
mod row;
mod section;
mod typed;
pub mod unit;

pub use card::{card, dense, heading, primary_button};
pub use form::form;
pub use number::{percent, quantity, significant};
pub use row::{
    Quantity, choice_row, count_row, direction_row, fact_row, group, name_row, pair_row, path_label, row, slider_row, value_row, vector_row,
};
pub use section::section;
