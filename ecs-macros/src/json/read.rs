//! The parser: recursive descent over the characters.

use super::{DEEPEST, Entry, Kind, Mistake, Place, Value};

type Result<T> = std::result::Result<T, Mistake>;

/// Reads a whole file.
pub(crate) fn parse(text: &str) -> Result<Value> {
    let mut reader = Reader { rest: text, place: Place { line: 1, column: 1 }, depth: 0 };
    if text.starts_with('\u{feff}') {
        return Err(reader.mistake("the file begins with a byte order mark: save it as UTF-8 without one"));
    }
    reader.blanks();
    let value = reader.value()?;
    reader.blanks();
    match reader.peek() {
        None => Ok(value),
        Some(found) => {
            Err(reader
                .mistake(format!("expected the end of the file after the value, found {}", shown(found))))
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    /// The position of `rest`.
    place: Place,
    /// The number of lists and objects around `rest`.
    depth: usize,
}

/// A character for messages.
fn shown(found: char) -> String {
    if found.is_control() {
        format!("the character U+{:04X}", u32::from(found))
    } else {
        format!("`{found}`")
    }
}

impl Reader<'_> {
    fn mistake(&self, message: impl Into<String>) -> Mistake {
        self.place.wrong(message)
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let found = self.peek()?;
        self.rest = &self.rest[found.len_utf8()..];
        if found == '\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        } else {
            self.place.column += 1;
        }
        Some(found)
    }

    fn blanks(&mut self) {
        while let Some(' ' | '\t' | '\n' | '\r') = self.peek() {
            self.next();
        }
    }

    /// An error that names what was expected and what was found.
    fn unexpected(&self, expected: &str) -> Mistake {
        match self.peek() {
            None => self.mistake(format!("expected {expected}, and the file ends")),
            Some(found) => self.mistake(format!("expected {expected}, found {}", shown(found))),
        }
    }

    fn value(&mut self) -> Result<Value> {
        let place = self.place;
        let kind = match self.peek() {
            Some('{') => self.nested(Self::object)?,
            Some('[') => self.nested(Self::list)?,
            Some('"') => Kind::Text(self.text()?),
            Some('-' | '0'..='9') => Kind::Number(self.number()?),
            Some(letter) if letter.is_alphabetic() => self.word()?,
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Value { place, kind })
    }

    fn word(&mut self) -> Result<Kind> {
        let (place, start) = (self.place, self.rest);
        while self.peek().is_some_and(|letter| letter.is_alphanumeric() || letter == '_') {
            self.next();
        }
        match &start[..start.len() - self.rest.len()] {
            "null" => Ok(Kind::Null),
            "true" => Ok(Kind::Bool(true)),
            "false" => Ok(Kind::Bool(false)),
            word => {
                Err(place.wrong(format!(
                    "`{word}` is not a value: a string is in quotes, and the only words are `true`, `false`, `null`"
                )))
            }
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Kind>) -> Result<Kind> {
        if self.depth == DEEPEST {
            return Err(self.mistake(format!("lists and objects are nested more than {DEEPEST} deep")));
        }
        self.depth += 1;
        self.next();
        let kind = read(self);
        self.depth -= 1;
        kind
    }

    /// Calls `read` for each element between commas, up to the end of a list or an object.
    fn between_commas(&mut self, end: char, mut read: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.blanks();
        if self.takes(&[end]) {
            return Ok(());
        }
        loop {
            read(self)?;
            self.blanks();
            let comma = self.place;
            if self.takes(&[end]) {
                return Ok(());
            }
            if !self.takes(&[',']) {
                return Err(self.unexpected(&format!("`,` or `{end}`")));
            }
            self.blanks();
            if self.peek() == Some(end) {
                return Err(comma.wrong(format!("unexpected comma before `{end}`")));
            }
        }
    }

    /// Reads one of `signs`, if it comes next.
    fn takes(&mut self, signs: &[char]) -> bool {
        let is_next = self.peek().is_some_and(|sign| signs.contains(&sign));
        is_next && self.next().is_some()
    }

    fn list(&mut self) -> Result<Kind> {
        let mut values = Vec::new();
        self.between_commas(']', |reader| {
            values.push(reader.value()?);
            Ok(())
        })?;
        Ok(Kind::List(values))
    }

    fn object(&mut self) -> Result<Kind> {
        let mut entries: Vec<Entry> = Vec::new();
        self.between_commas('}', |reader| {
            let place = reader.place;
            if reader.peek() != Some('"') {
                return Err(reader.unexpected("a key in quotes"));
            }
            let key = reader.text()?;
            if let Some(first) = entries.iter().find(|entry| entry.key == key) {
                let Place { line, column } = first.place;
                return Err(place.wrong(format!("key `{key}` is defined twice, first at {line}:{column}")));
            }
            reader.blanks();
            if !reader.takes(&[':']) {
                return Err(reader.unexpected(&format!("`:` after key `{key}`")));
            }
            reader.blanks();
            entries.push(Entry { place, key, value: reader.value()? });
            Ok(())
        })?;
        Ok(Kind::Object(entries))
    }

    /// `-`, digits without a zero in front, a fraction, an exponent.
    fn number(&mut self) -> Result<String> {
        let start = self.rest;
        self.takes(&['-']);
        if self.takes(&['0']) {
            if self.peek().is_some_and(|digit| digit.is_ascii_digit()) {
                return Err(self.mistake("a number has no zero in front"));
            }
        } else {
            self.digits()?;
        }
        if self.takes(&['.']) {
            self.digits()?;
        }
        if self.takes(&['e', 'E']) {
            self.takes(&['+', '-']);
            self.digits()?;
        }
        if self.peek().is_some_and(|letter| letter.is_alphanumeric() || letter == '_' || letter == '.') {
            return Err(self.unexpected("the end of the number"));
        }
        Ok(start[..start.len() - self.rest.len()].to_owned())
    }

    fn digits(&mut self) -> Result<()> {
        if !self.peek().is_some_and(|digit| digit.is_ascii_digit()) {
            return Err(self.unexpected("a digit"));
        }
        while self.peek().is_some_and(|digit| digit.is_ascii_digit()) {
            self.next();
        }
        Ok(())
    }

    fn text(&mut self) -> Result<String> {
        let open = self.place;
        self.next();
        let mut text = String::new();
        loop {
            match self.peek() {
                Some('"') => {
                    self.next();
                    return Ok(text);
                }
                Some('\\') => text.push(self.escape()?),
                Some('\n') | None => {
                    return Err(open.wrong("this string does not end"));
                }
                Some(control) if control < ' ' => {
                    return Err(self.mistake(format!(
                        "a string cannot contain {}: write it as `\\u{:04x}`",
                        shown(control),
                        u32::from(control)
                    )));
                }
                Some(letter) => {
                    text.push(letter);
                    self.next();
                }
            }
        }
    }

    /// Reads the rest of an escape sequence after `\`.
    fn escape(&mut self) -> Result<char> {
        let place = self.place;
        self.next();
        let letter = match self.peek() {
            Some(letter @ ('"' | '\\' | '/')) => letter,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                self.next();
                let mut units = vec![self.hex(place)?];
                if let (0xd800..=0xdbff, true) = (units[0], self.rest.starts_with("\\u")) {
                    self.next();
                    self.next();
                    units.push(self.hex(place)?);
                }
                let read = char::decode_utf16(units).next().and_then(|read| read.ok());
                return read.ok_or_else(|| place.wrong(HALF));
            }
            _ => {
                return Err(place.wrong(
                    "no such escape: there are `\\\"`, `\\\\`, `\\/`, `\\b`, `\\f`, `\\n`, `\\r`, `\\t` and `\\u0041`",
                ));
            }
        };
        self.next();
        Ok(letter)
    }

    /// Four hexadecimal digits of the escape at `place`.
    fn hex(&mut self, place: Place) -> Result<u16> {
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|digit| digit.to_digit(16)) else {
                return Err(place.wrong("`\\u` takes four hexadecimal digits"));
            };
            code = code * 16 + digit as u16;
            self.next();
        }
        Ok(code)
    }
}

/// The message for a surrogate without its other half.
const HALF: &str = "half of a surrogate pair: write both halves, one after the other, `\\ud83d\\ude00`";

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> Kind {
        parse(text).unwrap_or_else(|mistake| panic!("{text}: {mistake:?}")).kind
    }

    /// Asserts the position of the mistake and a part of its message.
    fn refused(text: &str, line: usize, column: usize, part: &str) {
        let mistake = parse(text).expect_err(text);
        assert_eq!(mistake.place, Place { line, column }, "{text}: {}", mistake.message);
        assert!(mistake.message.contains(part), "{text}: {}", mistake.message);
    }

    #[test]
    fn every_kind_of_value_is_read() {
        assert_eq!(kind("null"), Kind::Null);
        assert_eq!(kind(" \t\r\n true "), Kind::Bool(true));
        assert_eq!(kind("\"\""), Kind::Text(String::new()));
        for number in ["0", "-0", "12", "-7", "0.5", "1e9", "1E+2", "-3.25e-10"] {
            assert_eq!(kind(number), Kind::Number(number.to_owned()));
        }
        let Kind::Object(entries) = kind("{\"a\": [1, {\"b\": []}], \"\": {}}") else { panic!() };
        let keys: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
        assert_eq!(keys, ["a", ""]);
        assert_eq!(entries[1].value.noun(), "an object");
    }

    #[test]
    fn escapes_and_surrogates_are_read() {
        let text = r#""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\uDE00 é😀""#;
        assert_eq!(kind(text), Kind::Text("\"\\/\u{8}\u{c}\n\r\tAé😀 é😀".to_owned()));
    }

    #[test]
    fn places_are_lines_and_characters() {
        let Kind::List(values) = kind("[\n  \"😀\", 1,\r\n\t2]") else { panic!() };
        let places: Vec<(usize, usize)> = values.iter().map(|it| (it.place.line, it.place.column)).collect();
        assert_eq!(places, [(2, 3), (2, 8), (3, 2)]);
    }

    #[test]
    fn mistakes_are_refused_at_their_place() {
        refused("", 1, 1, "expected a value, and the file ends");
        refused("{\"a\" 1}", 1, 6, "`:` after key `a`");
        refused("{\"a\": 1,}", 1, 8, "unexpected comma before `}`");
        refused("[1, 2", 1, 6, "expected `,` or `]`, and the file ends");
        refused("[1 2]", 1, 4, "found `2`");
        refused("{a: 1}", 1, 2, "a key in quotes");
        refused("{} {}", 1, 4, "expected the end of the file after the value");
        refused("{\n \"a\": 1,\n \"\\u0061\": 2}", 3, 2, "key `a` is defined twice, first at 2:2");
        refused("True", 1, 1, "`True` is not a value");
        refused("nulll", 1, 1, "`nulll`");
        refused("[NaN]", 1, 2, "`NaN`");
        refused("// no\n1", 1, 1, "found `/`");
        refused("\u{feff}1", 1, 1, "byte order mark");
        refused("\u{0}", 1, 1, "U+0000");
    }

    #[test]
    fn wrong_numbers_are_refused() {
        refused("01", 1, 2, "no zero in front");
        refused("-", 1, 2, "a digit");
        refused("+1", 1, 1, "found `+`");
        refused("1.", 1, 3, "a digit");
        refused(".5", 1, 1, "found `.`");
        refused("1e", 1, 3, "a digit");
        refused("0x10", 1, 2, "the end of the number");
        refused("1_000", 1, 2, "the end of the number");
        refused("1.2.3", 1, 4, "the end of the number");
    }

    #[test]
    fn wrong_strings_are_refused() {
        refused("\"abc", 1, 1, "does not end");
        refused("[\"a\nb\"]", 1, 2, "does not end");
        refused("\"a\tb\"", 1, 3, "a string cannot contain the character U+0009");
        refused(r#""\x41""#, 1, 2, "no such escape");
        refused(r#""\u12""#, 1, 2, "four hexadecimal digits");
        refused(r#""\u+123""#, 1, 2, "four hexadecimal digits");
        refused(r#""\ud83d""#, 1, 2, "half of a surrogate pair");
        refused(r#""\ud83d\u0041""#, 1, 2, "half of a surrogate pair");
        refused(r#""\ude00\ud83d""#, 1, 2, "half of a surrogate pair");
        refused("\"\\", 1, 2, "no such escape");
    }

    #[test]
    fn deep_nesting_is_refused_and_does_not_overflow() {
        let deep = |n: usize| format!("{}1{}", "[".repeat(n), "]".repeat(n));
        assert!(parse(&deep(DEEPEST)).is_ok());
        refused(&deep(DEEPEST + 1), 1, DEEPEST + 1, "more than 64");
        refused(&"[".repeat(1_000_000), 1, DEEPEST + 1, "more than 64");
        refused(&"{\"a\":".repeat(1_000_000), 1, DEEPEST * 5 + 1, "more than 64");
    }

    /// Truncated and changed texts give a value or an error.
    #[test]
    fn the_reader_never_panics() {
        let whole = r#"{"type": "a\ud83d\ude00", "schema": {"x": [-1.5e3, true, null, {"é": ""}]}}"#;
        for (at, _) in whole.char_indices() {
            assert!(parse(&whole[..at]).is_err());
            for letter in ['"', '\\', '{', '[', ']', ',', 'u', '\u{0}', '😀', '\n'] {
                let _ = parse(&format!("{}{letter}{}", &whole[..at], &whole[at..]));
            }
        }
    }
}
