//! Text that is written by hand, in files with a `## name` for each workload, or `## name, name`:
//! the tried optimizations in `TRIED.md`, whose `## compile time` belongs to the compile times, and
//! the reasons for losses in `LOSSES.md`.

use super::files;

/// The file, in its sections.
#[derive(Default)]
pub(crate) struct Notes {
    /// The text before the first section, without the title.
    pub(super) preamble: String,
    pub(super) sections: Vec<Section>,
}

/// A heading and what is under it.
pub(super) struct Section {
    pub(super) heading: String,
    /// Its own headings are one step smaller than in the file, since the page has it under a
    /// smaller one.
    pub(super) text: String,
}

impl Notes {
    /// A file of this package; empty if there is none.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn read(name: &str) -> Result<Self, String> {
        Ok(Self::parse(&files::by_hand(name)?))
    }

    pub(super) fn parse(text: &str) -> Self {
        let mut tried = Self::default();
        let mut fenced = false;
        for line in text.lines() {
            fenced ^= line.trim_start().starts_with("```");
            let into = match tried.sections.last_mut() {
                Some(section) => &mut section.text,
                None => &mut tried.preamble,
            };
            if fenced {
                push(into, line);
            } else if let Some(heading) = line.strip_prefix("## ") {
                let heading = heading.trim().to_owned();
                tried.sections.push(Section { heading, text: String::new() });
            } else if line.starts_with("##") {
                push(into, &format!("#{line}"));
            } else if !line.starts_with("# ") {
                push(into, line);
            }
        }
        tried.preamble = tried.preamble.trim().to_owned();
        for section in &mut tried.sections {
            section.text = section.text.trim().to_owned();
        }
        tried
    }

    /// Where the section on a workload is.
    pub(super) fn find(&self, workload: &str) -> Option<usize> {
        self.sections.iter().position(|section| section.is_on(workload))
    }
}

impl Section {
    /// Whether the heading names the workload.
    pub(super) fn is_on(&self, workload: &str) -> bool {
        self.heading.split(',').any(|name| name.trim().trim_matches('`') == workload)
    }
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# What was tried

In short.

## `simple_iter_for`

A loop.

```text
## no heading
# nor this
```

### Unrolled

Slower.

## add_remove, rare_set
Nothing yet.
";

    #[test]
    fn sections_are_found_by_workload() {
        let tried = Notes::parse(TEXT);
        assert_eq!(tried.preamble, "In short.");
        assert_eq!(tried.find("simple_iter_for"), Some(0));
        assert_eq!(tried.find("rare_set"), Some(1));
        assert_eq!(tried.find("simple_iter"), None);
        assert_eq!(tried.sections[1].text, "Nothing yet.");
    }

    #[test]
    fn headings_shrink_and_code_stays() {
        let text = &Notes::parse(TEXT).sections[0].text;
        assert_eq!(text, "A loop.\n\n```text\n## no heading\n# nor this\n```\n\n#### Unrolled\n\nSlower.");
    }

    #[test]
    fn nothing_is_no_section() {
        let tried = Notes::parse("");
        assert!(tried.sections.is_empty() && tried.preamble.is_empty());
    }
}
