//! Markdown text, built paragraph by paragraph.

/// A page of Markdown. Parts are separated by an empty line.
#[derive(Default)]
pub(crate) struct Markdown(pub(crate) String);

/// The alignment of a column of a table.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    Left,
    Right,
}

impl Markdown {
    pub(crate) fn heading(&mut self, level: usize, text: &str) {
        self.text(&format!("{} {text}", "#".repeat(level)));
    }

    /// A paragraph, or anything that stands by itself; nothing if it is empty.
    pub(crate) fn text(&mut self, text: &str) {
        let text = text.trim_end();
        if text.is_empty() {
            return;
        }
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        self.0.push_str(text);
        self.0.push('\n');
    }

    pub(crate) fn list(&mut self, items: impl IntoIterator<Item = String>) {
        let items: Vec<_> = items.into_iter().map(|item| format!("- {item}")).collect();
        self.text(&items.join("\n"));
    }

    pub(crate) fn table<L: AsRef<[String]>>(
        &mut self,
        head: &[&str],
        sides: &[Side],
        lines: impl IntoIterator<Item = L>,
    ) {
        let sides = sides.iter().map(|side| match side {
            Side::Left => "---",
            Side::Right => "---:",
        });
        let mut text =
            vec![format!("| {} |", head.join(" | ")), format!("|{}|", sides.collect::<Vec<_>>().join("|"))];
        text.extend(lines.into_iter().map(|line| format!("| {} |", line.as_ref().join(" | "))));
        self.text(&text.join("\n"));
    }
}
