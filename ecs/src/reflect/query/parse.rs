//! The text form of a query.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use core::str::FromStr;

use super::super::error::ReflectError;
use super::{Comparison, DynamicQuery, Operand};
use crate::entity::Entity;
use crate::value::tree::DynamicValue;

impl FromStr for DynamicQuery {
    type Err = ReflectError;

    fn from_str(text: &str) -> Result<Self, ReflectError> {
        let (mut parser, mut query) = (Parser { text, at: 0 }, Self::new());
        parser.space();
        while parser.at < text.len() {
            parser.part(&mut query)?;
            parser.space();
            if parser.at < text.len() && !parser.take(",") {
                return Err(parser.error("`,` separates the parts of a query"));
            }
            parser.space();
        }
        Ok(query)
    }
}

/// The comparisons; a longer one stands before its beginning.
const COMPARISONS: [(&str, Comparison); 8] = [
    ("==", Comparison::Equal),
    ("=", Comparison::Equal),
    ("!=", Comparison::NotEqual),
    ("<=", Comparison::LessOrEqual),
    ("<", Comparison::Less),
    (">=", Comparison::GreaterOrEqual),
    (">", Comparison::Greater),
    ("contains", Comparison::Contains),
];

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn error(&self, reason: &str) -> ReflectError {
        let found: String = self.rest().chars().take(20).collect();
        let found = if found.is_empty() { "the end".to_owned() } else { format!("`{found}`") };
        ReflectError::InvalidQuery { at: self.at, reason: format!("{reason}, not {found}") }
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    /// Takes a word, if the text is at it and it ends there.
    fn word(&mut self, word: &str) -> bool {
        let Some(rest) = self.rest().strip_prefix(word) else { return false };
        if rest.starts_with(|c: char| !c.is_whitespace()) {
            return false;
        }
        self.at += word.len();
        self.space();
        true
    }

    fn part(&mut self, query: &mut DynamicQuery) -> Result<(), ReflectError> {
        if self.take("?") {
            query.optional.push(self.path("expected the name of a component after `?`")?);
        } else if self.word("without") {
            query.without.push(self.path("expected the name of a component after `without`")?);
        } else if self.word("with") {
            query.with.push(self.path("expected the name of a component after `with`")?);
        } else if self.word("order") {
            if !self.word("by") {
                return Err(self.error("expected `by` after `order`"));
            }
            let path = self.path("expected a path such as `Health.now` after `order by`")?;
            self.space();
            let descending = self.end_word("desc");
            if !descending {
                self.end_word("asc");
            }
            query.order.push((path, descending));
        } else if self.word("skip") {
            query.skip = self.number("expected the number of rows after `skip`")?;
        } else if self.word("limit") {
            query.limit = Some(self.number("expected the number of rows after `limit`")?);
        } else if self.word("after") {
            let start = self.at;
            let operand = self.operand()?;
            if !matches!(operand, Operand::ShortId(_) | Operand::Value(DynamicValue::EntityId(_))) {
                self.at = start;
                return Err(self.error("expected the id of an entity after `after`, as in `after 12v3`"));
            }
            query.after = Some(operand);
        } else {
            let path = self.path(
                "a part of a query is the name of a component, a comparison such as `Health.now < 5`, `?Name`, `with`, `without`, \
                 `order by`, `skip`, `limit` or `after`",
            )?;
            self.space();
            let comparison = COMPARISONS.iter().find(|(token, _)| self.take(token));
            match comparison {
                Some((_, comparison)) => {
                    self.space();
                    let operand = self.operand()?;
                    query.compare.push((path, *comparison, operand));
                }
                None if path.contains(['.', '[']) => {
                    return Err(self.error("expected a comparison after the path: one of `=`, `!=`, `<`, `<=`, `>`, `>=`, `contains`"));
                }
                None => query.fetch.push(path),
            }
        }
        Ok(())
    }

    /// Takes a word that a comma or the end follows.
    fn end_word(&mut self, word: &str) -> bool {
        match self.rest().strip_prefix(word) {
            Some(rest) if rest.is_empty() || rest.starts_with(|c: char| c == ',' || c.is_whitespace()) => {
                self.take(word)
            }
            _ => false,
        }
    }

    /// Reads a name with the steps after it. The name may have type arguments: `Many<Likes>`.
    fn path(&mut self, expected: &str) -> Result<String, ReflectError> {
        let (mut end, mut depth, mut quoted) = (0, 0_usize, false);
        let rest = self.rest();
        let mut chars = rest.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' if depth > 0 => quoted = !quoted,
                _ if quoted => {}
                '[' => depth += 1,
                ']' if depth > 0 => depth -= 1,
                '<' if depth > 0 || starts_arguments(&rest[at..]) => depth += 1,
                '>' if depth > 0 => depth -= 1,
                _ if depth > 0 => {}
                c if c.is_alphanumeric() || c == '_' || c == '.' => {}
                ':' if rest[at..].starts_with("::") => {
                    chars.next();
                    end = at + 2;
                    continue;
                }
                _ => break,
            }
            end = at + c.len_utf8();
        }
        let path = &rest[..end];
        if !path.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Err(self.error(expected));
        }
        if depth > 0 || quoted {
            return Err(self.error("a bracket or a quotation mark is not closed"));
        }
        self.at += end;
        Ok(path.to_owned())
    }

    fn number(&mut self, expected: &str) -> Result<usize, ReflectError> {
        let digits = self.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest().len());
        let number = self.rest()[..digits].parse().map_err(|_| self.error(expected))?;
        self.at += digits;
        Ok(number)
    }

    /// Reads the constant of a comparison.
    fn operand(&mut self) -> Result<Operand, ReflectError> {
        const EXPECTED: &str = "a constant is a number, `\"text\"`, `true`, `false`, `none`, the name of a variant, or the id of an entity, `12v3`";
        if self.take("\"") {
            return self.text().map(|text| Operand::Value(DynamicValue::Text(text)));
        }
        let end = self.rest().find(|c: char| c == ',' || c.is_whitespace()).unwrap_or(self.rest().len());
        let token = &self.rest()[..end];
        let value = match token {
            "true" => DynamicValue::Bool(true),
            "false" => DynamicValue::Bool(false),
            "none" | "None" | "null" => DynamicValue::Optional(None),
            "()" => DynamicValue::Unit,
            _ => {
                if let Ok(number) = token.parse::<i128>() {
                    DynamicValue::Int(number)
                } else if let Ok(number) = token.parse::<u128>() {
                    DynamicValue::Uint(number)
                } else if token.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
                    && let Ok(number) = token.parse::<f64>()
                {
                    DynamicValue::F64(number)
                } else if let Ok(entity) = token.parse::<Entity>() {
                    DynamicValue::EntityId(entity)
                } else if is_short_id(token) {
                    self.at += end;
                    return Ok(Operand::ShortId(token.to_owned()));
                } else if token.starts_with(|c: char| c.is_alphabetic() || c == '_')
                    && token.chars().all(|c| c.is_alphanumeric() || c == '_')
                {
                    DynamicValue::Text(token.to_owned())
                } else {
                    return Err(self.error(EXPECTED));
                }
            }
        };
        self.at += end;
        Ok(Operand::Value(value))
    }

    /// Reads text up to its closing quotation mark. `\"` and `\\` are a quotation mark and a
    /// backslash.
    fn text(&mut self) -> Result<String, ReflectError> {
        let mut text = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    return Ok(text);
                }
                '\\' => match chars.next() {
                    Some((_, c @ ('"' | '\\'))) => text.push(c),
                    Some((_, 'n')) => text.push('\n'),
                    _ => {
                        self.at += at;
                        return Err(
                            self.error("`\\\"`, `\\\\` and `\\n` are the characters with a backslash")
                        );
                    }
                },
                c => text.push(c),
            }
        }
        self.at = self.text.len();
        Err(self.error("`\"` ends a text"))
    }
}

/// Whether `<` begins the type arguments of a component: a name and `>` follow, without spaces.
fn starts_arguments(text: &str) -> bool {
    let inner = text.trim_start_matches('<');
    inner.starts_with(|c: char| c.is_alphabetic())
        && inner.find([',', ' ', '"', '>']).is_some_and(|end| inner[end..].starts_with('>'))
}

fn is_short_id(token: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    token.split_once('v').is_some_and(|(slot, generation)| is_number(slot) && is_number(generation))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_is_read_in_one_pass() {
        // a minute, if each `<` is compared with the whole rest
        let text = "a<a>".repeat(1 << 20);
        assert_eq!(text.parse::<DynamicQuery>().unwrap().fetch, [text]);
    }
}
