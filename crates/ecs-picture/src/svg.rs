//! [`Canvas`]: the parts of an SVG file, with names escaped and coordinates that are whole numbers.

use std::fmt::Write;

/// The height of a line of text.
pub(crate) const LINE: usize = 16;
/// The distance of texts from the frame around them.
pub(crate) const PADDING: usize = 8;
/// The distance of the picture from its border.
pub(crate) const MARGIN: usize = 16;

/// An SVG file that is being written.
pub(crate) struct Canvas {
    body: String,
    width: usize,
    height: usize,
}

impl Canvas {
    pub(crate) const fn new() -> Self {
        Self { body: String::new(), width: 0, height: 0 }
    }

    /// Makes the picture large enough for a point.
    fn reach(&mut self, x: usize, y: usize) {
        (self.width, self.height) = (self.width.max(x + MARGIN), self.height.max(y + MARGIN));
    }

    /// A text that begins at `x`, with its base line at `y`.
    pub(crate) fn text(&mut self, x: usize, y: usize, class: &str, text: &str) {
        self.reach(x + width(text), y);
        let _ = writeln!(self.body, r#"<text x="{x}" y="{y}" class="{class}">{}</text>"#, escaped(text));
    }

    /// A text that leads upwards from a point.
    pub(crate) fn upright(&mut self, x: usize, y: usize, class: &str, text: &str) {
        self.reach(x, y);
        let text = escaped(text);
        let _ = writeln!(
            self.body,
            r#"<text transform="translate({x} {y}) rotate(-90)" class="{class}">{text}</text>"#
        );
    }

    /// A frame with its upper left corner at a point.
    pub(crate) fn frame(&mut self, (x, y): (usize, usize), (width, height): (usize, usize), class: &str) {
        self.reach(x + width, y + height);
        let _ = writeln!(
            self.body,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" class="{class}"/>"#
        );
    }

    /// A line through points, with a text that is shown where the pointer rests on it.
    pub(crate) fn line(&mut self, points: &[(usize, usize)], class: &str, title: &str) {
        let mut path = String::new();
        for (at, &(x, y)) in points.iter().enumerate() {
            self.reach(x, y);
            let _ = write!(path, "{}{x} {y}", if at == 0 { 'M' } else { 'L' });
        }
        let _ = match title {
            "" => writeln!(self.body, r#"<path d="{path}" class="{class}"/>"#),
            title => writeln!(
                self.body,
                r#"<path d="{path}" class="{class}"><title>{}</title></path>"#,
                escaped(title)
            ),
        };
    }

    /// The head of an arrow that leads to the right and ends at a point.
    pub(crate) fn arrow_head(&mut self, (x, y): (usize, usize)) {
        let (left, above, below) = (x.saturating_sub(7), y - 4, y + 4);
        let _ = writeln!(self.body, r#"<path d="M{left} {above}L{x} {y}L{left} {below}Z" class="head"/>"#);
    }

    /// A circle around a point.
    pub(crate) fn dot(&mut self, (x, y): (usize, usize), class: &str, title: &str) {
        self.reach(x, y);
        let title = escaped(title);
        let _ = writeln!(
            self.body,
            r#"<circle cx="{x}" cy="{y}" r="5" class="{class}"><title>{title}</title></circle>"#
        );
    }

    /// The file. Without empty lines, so that it can stand in Markdown.
    pub(crate) fn finish(self, title: &str) -> String {
        let Self { body, width, height } = self;
        let title = escaped(title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
             <title>{title}</title>\n\
             <style>{STYLE}</style>\n\
             <rect width=\"{width}\" height=\"{height}\" class=\"ecs-paper\"/>\n\
             <g class=\"ecs-picture\">\n{body}</g>\n</svg>\n"
        )
    }
}

/// The style. Each rule is below a class of its own: a page may contain several pictures.
const STYLE: &str = "\
.ecs-paper{fill:#fff}\
.ecs-picture text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#222}\
.ecs-picture .name{font-weight:bold}\
.ecs-picture .title{font-weight:bold;font-size:15px}\
.ecs-picture .note{fill:#555}\
.ecs-picture rect{fill:none;stroke:#999}\
.ecs-picture .box{fill:#eef4ff;stroke:#3565a8}\
.ecs-picture .heavy{fill:#dfe9fb;stroke:#173a6b;stroke-width:2}\
.ecs-picture .data{fill:#f1f8ec;stroke:#5a8a36}\
.ecs-picture .relation{fill:#fff4e2;stroke:#b5761b}\
.ecs-picture .stage{stroke-dasharray:4 3}\
.ecs-picture path{fill:none;stroke:#666}\
.ecs-picture .faint{stroke:#ddd}\
.ecs-picture .dashed{stroke-dasharray:4 3}\
.ecs-picture .dotted{stroke-dasharray:1 3}\
.ecs-picture .head{fill:#666;stroke:none}\
.ecs-picture circle{stroke:#173a6b;stroke-width:1.5}\
.ecs-picture .reads{fill:#fff}\
.ecs-picture .writes{fill:#173a6b}\
.ecs-picture .filters{fill:#fff;stroke:#999;stroke-dasharray:2 2}";

/// The width of a text. Letters of East Asian scripts and symbols take two places.
pub(crate) fn width(text: &str) -> usize {
    let places: usize = text.chars().map(|letter| if letter < '\u{1100}' { 1 } else { 2 }).sum();
    places * 15 / 2
}

/// Escapes text for the content of an element. XML has no characters below the space but tab and
/// line feed.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(' '),
            letter if letter.is_control() || matches!(letter, '\u{FFFE}' | '\u{FFFF}') => {
                out.push('\u{FFFD}')
            }
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_escaped() {
        let mut canvas = Canvas::new();
        canvas.text(0, 0, "name", "</text><script>\"'&\u{0}\n\n");
        let svg = canvas.finish("<svg onload=\"x\">");
        assert!(svg.contains("&lt;/text&gt;&lt;script&gt;&quot;&#39;&amp;\u{FFFD}  </text>"), "{svg}");
        assert!(
            svg.contains("<title>&lt;svg onload=&quot;x&quot;&gt;</title>") && !svg.contains("\n\n"),
            "{svg}"
        );
    }
}
