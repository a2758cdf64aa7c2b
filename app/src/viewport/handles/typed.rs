//! Numbers and axes that are typed while something is dragged.

use std::f64::consts::PI;

use egui::{Event, InputState, Key};

use super::drag::Amount;
use super::{HandleTool, Part};
use crate::widgets::unit::{Shown, parse};

/// What has been typed so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Typed {
    /// The number, as it stands.
    pub text: String,
    /// The axis that it is for, if one was named.
    pub axis: Option<usize>,
}

/// What a key asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// To leave it where it is now.
    Take,
    /// To put it back.
    GiveUp,
}

impl Typed {
    /// Takes in the keys of a frame, which nobody else is to see.
    pub fn read(&mut self, input: &mut InputState) -> Option<Wish> {
        let mut wish = None;
        input.events.retain(|event| match event {
            Event::Text(text) => {
                text.chars().for_each(|letter| self.letter(letter));
                false
            }
            Event::Key { key, pressed: true, .. } => {
                match key {
                    Key::Enter => wish = Some(Wish::Take),
                    Key::Escape => wish = Some(Wish::GiveUp),
                    Key::Backspace if self.text.pop().is_none() => self.axis = None,
                    _ => {}
                }
                false
            }
            _ => true,
        });
        wish
    }

    fn letter(&mut self, letter: char) {
        match letter {
            'x' | 'y' | 'z' | 'X' | 'Y' | 'Z' => {
                let axis = "xyz".find(letter.to_ascii_lowercase());
                // Named again, it is free again.
                self.axis = if self.axis == axis { None } else { axis };
            }
            '-' if self.text.starts_with('-') => {
                self.text.remove(0);
            }
            '-' => self.text.insert(0, '-'),
            '.' | '0'..='9' => self.text.push(letter),
            // The letters of units, behind a number.
            'm' | 'c' | 'k' | 'n' | 'µ' | '°' | 'd' | 'e' | 'g' | 'r' | 'a' if self.text.ends_with(|c: char| c != '-') => {
                self.text.push(letter)
            }
            _ => {}
        }
    }

    /// The part that is dragged, by the axis that was named.
    pub fn part(&self, part: Part) -> Part {
        self.axis.map_or(part, Part::Axis)
    }

    /// The number in the scene's unit; none where there is none yet, or one that is no number.
    pub fn value(&self, tool: HandleTool) -> Option<f64> {
        match tool {
            HandleTool::Move => parse(&self.text, "m", Shown { name: "m", size: 1.0 }).ok(),
            HandleTool::Rotate => parse(&self.text, "°", Shown { name: "°", size: 1.0 }).ok().map(|degrees| degrees * PI / 180.0),
            HandleTool::Scale => self.text.parse().ok().filter(|factor: &f64| *factor > 0.0 && factor.is_finite()),
        }
    }

    /// What the number says of `part`; none while there is no number.
    pub fn amount(&self, tool: HandleTool, part: Part) -> Option<Amount> {
        let value = self.value(tool)?;
        // Of several axes a length is along the first.
        let first = (0..3).find(|&axis| part.has(axis)).unwrap_or(0);
        Some(match tool {
            HandleTool::Move => Amount::Along(std::array::from_fn(|axis| if axis == first { value } else { 0.0 })),
            HandleTool::Rotate => Amount::About(value),
            HandleTool::Scale => Amount::Times(std::array::from_fn(|axis| if part.has(axis) { value } else { 1.0 })),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Typed {
        let mut typed = Typed::default();
        text.chars().for_each(|letter| typed.letter(letter));
        typed
    }

    #[test]
    fn a_number_goes_along_the_axis_that_is_named() {
        let along = |text: &str, part| typed(text).amount(HandleTool::Move, typed(text).part(part));
        assert_eq!(along("x0.2", Part::View), Some(Amount::Along([0.2, 0.0, 0.0])));
        assert_eq!(along("0.2y", Part::View), Some(Amount::Along([0.0, 0.2, 0.0])));
        assert_eq!(along("20mm", Part::Axis(2)), Some(Amount::Along([0.0, 0.0, 0.02])));
        assert_eq!(along("3", Part::Plane(0)), Some(Amount::Along([0.0, 3.0, 0.0])));
        assert_eq!(along("z", Part::View), None);
        assert_eq!(along("z-.5", Part::View), Some(Amount::Along([0.0, 0.0, -0.5])));
        assert_eq!(along("xx1", Part::Axis(1)), Some(Amount::Along([0.0, 1.0, 0.0])), "named twice, it is free again");
        assert_eq!(along("--1", Part::Axis(0)), Some(Amount::Along([1.0, 0.0, 0.0])));
        assert_eq!(typed("90").amount(HandleTool::Rotate, Part::Axis(1)), Some(Amount::About(0.5 * PI)));
        assert_eq!(typed("2").amount(HandleTool::Scale, Part::View), Some(Amount::Times([2.0; 3])));
        assert_eq!(typed("x2").amount(HandleTool::Scale, Part::Axis(0)), Some(Amount::Times([2.0, 1.0, 1.0])));
        assert_eq!(typed("0").amount(HandleTool::Scale, Part::View), None, "nothing is scaled away");
    }
}
