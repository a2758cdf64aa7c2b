//! A scene's text, and where each JSON path stands in it.

use std::path::Path;

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::scene::SceneProblem;

/// JSON with comments and trailing commas; none of the looser things that the parser could accept.
const DIALECT: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// A scene's text as a syntax tree in which every value knows its place.
pub struct Source<'a> {
    file: &'a Path,
    text: &'a str,
    /// The whole file's value.
    pub root: Value<'a>,
}

impl<'a> Source<'a> {
    /// Parses `text`; a syntax error is the only problem then, because nothing after it can be trusted.
    pub fn parse(text: &'a str, file: &'a Path) -> Result<Self, SceneProblem> {
        let problem = |offset: usize, message: String| place(SceneProblem::at("", message), file, text, offset);
        match parse_to_ast(text, &CollectOptions::default(), &DIALECT) {
            Ok(parsed) => match parsed.value {
                Some(root) => Ok(Self { file, text, root }),
                None => Err(problem(0, "the file is empty; `aplomb gallery` lists scenes to start from".into())),
            },
            Err(error) => Err(problem(error.range().start, advice(&error))),
        }
    }

    /// `problem`, placed at a byte offset of the text.
    pub fn place(&self, problem: SceneProblem, offset: usize) -> SceneProblem {
        place(problem, self.file, self.text, offset)
    }

    /// `problem`, placed where its path stands; where the text lacks the end of the path, at the deepest part it has.
    pub fn locate(&self, problem: SceneProblem) -> SceneProblem {
        let mut node = &self.root;
        for segment in problem.path.split(['.', '[']) {
            let next = match (node, segment.strip_suffix(']')) {
                (Value::Array(array), Some(index)) => index.parse::<usize>().ok().and_then(|i| array.elements.get(i)),
                (Value::Object(object), None) => object.get(segment).map(|property| &property.value),
                _ => None,
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        self.place(problem, node.start())
    }
}

fn place(problem: SceneProblem, file: &Path, text: &str, offset: usize) -> SceneProblem {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    SceneProblem {
        file: file.to_path_buf(),
        line: 1 + before.bytes().filter(|&byte| byte == b'\n').count(),
        column: 1 + before[line_start..].chars().count(),
        ..problem
    }
}

fn advice(error: &ParseError) -> String {
    let what_to_do = match error.kind() {
        ParseErrorKind::UnterminatedObject => "close it with }; the file may be cut off",
        ParseErrorKind::UnterminatedArray => "close it with ]; the file may be cut off",
        ParseErrorKind::UnterminatedCommentBlock => "close it with */",
        ParseErrorKind::String(_) => "strings stand in double quotes on one line",
        ParseErrorKind::ExpectedComma => "put a comma between the values",
        ParseErrorKind::NonFiniteNumbersNotAllowed => "write a finite number",
        ParseErrorKind::NestingDepthExceeded => "no scene is nested that deeply",
        _ => "the file must be JSON (comments and trailing commas are welcome)",
    };
    format!("{}; {what_to_do}", error.kind())
}
