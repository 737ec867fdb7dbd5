//! The console line: its text and cursor, its history, and the candidates of a completion.

/// The number of lines that the history keeps.
const HISTORY: usize = 500;
/// The length of a line in bytes, at most.
const LONGEST: usize = 10_000;

/// The console line.
#[derive(Default, Debug)]
pub(crate) struct Console {
    pub(crate) text: String,
    /// The position of the cursor, in bytes, at the boundary of a character.
    pub(crate) cursor: usize,
    history: Vec<String>,
    /// The line of the history that is shown, and the text that was typed before.
    recalled: Option<(usize, String)>,
    /// The completion that repeated `Tab`s go through.
    pub(crate) completion: Option<Completion>,
}

/// The candidates for the word at the cursor.
#[derive(Debug)]
pub(crate) struct Completion {
    /// The position of the word, in bytes.
    pub(crate) start: usize,
    pub(crate) candidates: Vec<String>,
    /// The candidate that is in the text; `None` before a choice.
    pub(crate) chosen: Option<usize>,
}

impl Console {
    /// A console with a text, and the cursor behind it.
    pub(crate) fn open(&mut self, text: &str) {
        text.clone_into(&mut self.text);
        self.cursor = self.text.len();
        self.recalled = None;
        self.completion = None;
    }

    pub(crate) fn insert(&mut self, text: &str) {
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        if self.text.len() + text.len() <= LONGEST {
            self.text.insert_str(self.cursor, &text);
            self.cursor += text.len();
        }
        self.completion = None;
    }

    /// Deletes the character before the cursor.
    pub(crate) fn backspace(&mut self) {
        let end = self.cursor;
        self.left();
        self.text.replace_range(self.cursor..end, "");
        self.completion = None;
    }

    pub(crate) fn delete(&mut self) {
        let start = self.cursor;
        self.right();
        self.text.replace_range(start..self.cursor, "");
        self.cursor = start;
        self.completion = None;
    }

    /// Deletes the word before the cursor.
    pub(crate) fn delete_word(&mut self) {
        let before = self.text[..self.cursor].trim_end();
        let start = before.rfind([' ', '.', ',']).map_or(0, |at| at + 1);
        let start = if start == before.len() { start.saturating_sub(1) } else { start };
        self.text.replace_range(start..self.cursor, "");
        self.cursor = start;
        self.completion = None;
    }

    /// Deletes everything before the cursor.
    pub(crate) fn delete_to_start(&mut self) {
        self.text.replace_range(..self.cursor, "");
        self.cursor = 0;
        self.completion = None;
    }

    pub(crate) fn left(&mut self) {
        self.cursor = self.text[..self.cursor].char_indices().next_back().map_or(0, |(at, _)| at);
    }

    pub(crate) fn right(&mut self) {
        self.cursor += self.text[self.cursor..].chars().next().map_or(0, char::len_utf8);
    }

    /// Goes through the history: -1 to older lines, 1 to newer ones.
    pub(crate) fn recall(&mut self, step: isize) {
        let last = self.history.len();
        let (at, typed) = self.recalled.take().unwrap_or_else(|| (last, self.text.clone()));
        let at = at.saturating_add_signed(step).min(last);
        let text = self.history.get(at).unwrap_or(&typed).clone();
        self.open(&text);
        self.recalled = (at < last).then_some((at, typed));
    }

    /// Takes the line, and adds it to the history.
    pub(crate) fn submit(&mut self) -> String {
        let line = std::mem::take(&mut self.text);
        self.open("");
        if !line.trim().is_empty() && self.history.last() != Some(&line) {
            self.history.push(line.clone());
            if self.history.len() > HISTORY {
                self.history.remove(0);
            }
        }
        line
    }

    /// Begins a completion: inserts what all candidates have in common.
    pub(crate) fn complete(&mut self, start: usize, candidates: Vec<String>) {
        let Some(first) = candidates.first() else { return };
        let mut common = first.as_str();
        for other in &candidates[1..] {
            while !other.starts_with(common) {
                common = &common[..common.char_indices().next_back().map_or(0, |(at, _)| at)];
            }
        }
        let word = &self.text[start..self.cursor];
        if common.len() > word.len() || candidates.len() == 1 {
            let common = common.to_owned();
            self.replace(start, &common);
        }
        self.completion = (candidates.len() > 1).then_some(Completion { start, candidates, chosen: None });
    }

    /// Puts the next candidate of the completion into the text. Returns whether there is a
    /// completion.
    pub(crate) fn next_candidate(&mut self, step: isize) -> bool {
        let Some(mut completion) = self.completion.take() else { return false };
        let count = completion.candidates.len();
        let at = match completion.chosen {
            None if step < 0 => count - 1,
            None => 0,
            Some(at) => (at + count).wrapping_add_signed(step) % count,
        };
        completion.chosen = Some(at);
        self.replace(completion.start, &completion.candidates[at]);
        self.completion = Some(completion);
        true
    }

    fn replace(&mut self, start: usize, text: &str) {
        self.text.replace_range(start..self.cursor, text);
        self.cursor = start + text.len();
    }
}
