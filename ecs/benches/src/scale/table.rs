//! The page about threads and many entities.

use super::threads::WORK;
use super::{Scale, sizes, threads};
use crate::report::{Markdown, Side, count};

/// Renders the page.
pub(crate) fn page(scale: &Scale) -> String {
    let mut page = Markdown::default();
    page.heading(1, "Threads, and many entities");
    if scale.quick {
        page.text("**These are the figures of a quick run. They are rough: do not rely on them.**");
    }
    page.text(&format!("Measured on {}; figures are medians.", scale.machine.title()));
    page.heading(2, "From which size on threads are worth it");
    page.text(
        "A loop whose calls take so long, over as many entities as make so much work for one thread: the time of \
         `for_each` divided by that of `par_for_each`, and, in brackets, by that of `rayon`'s `par_iter_mut` over an \
         array. A loop of little work stays on its thread, so that the figure is about 1 there. `-`: that would \
         take more than a million entities.",
    );
    threads_table(&mut page, &scale.bodies);
    page.heading(2, "Many entities");
    page.text(
        "Two components of four bytes, and a third that some get; 100,000 entities are looked up and changed, all \
         over the world, in random order, each once. Nanoseconds for each entity that is visited; what is visited \
         at random waits for memory, and for the system's table of its pages, which no longer fits into the \
         processor. The first value among 4,096 slots brings a page for all of them: in the larger worlds nearly \
         each of the insertions does. A component that so few have is better `storage = \"packed\"`.",
    );
    sizes_table(&mut page, &scale.sizes);
    page.0
}

fn threads_table(page: &mut Markdown, bodies: &[threads::Body]) {
    let mut head = vec!["a call takes".to_owned()];
    head.extend(WORK.map(|work| format!("{} µs of work", count((work / 1e3) as u32))));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let lines = bodies.iter().map(|body| {
        let ratio = |figures: &threads::Loop| {
            let [ours, rayon] = [figures.threads, figures.rayon].map(|time| figures.alone / time);
            format!("{ours:.2} ({rayon:.2})")
        };
        let mut line = vec![format!("{:.1} ns", body.cost)];
        line.extend(body.loops.iter().map(|figures| figures.as_ref().map_or("-".to_owned(), ratio)));
        line
    });
    page.table(&head, &vec![Side::Right; head.len()], lines);
}

fn sizes_table(page: &mut Markdown, sizes: &[sizes::Size]) {
    let Some(first) = sizes.first() else { return };
    let mut head = vec![String::new()];
    head.extend(sizes.iter().map(|size| format!("{} entities", count(size.entities))));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut sides = vec![Side::Right; head.len()];
    sides[0] = Side::Left;
    let line = |(at, (name, _)): (usize, &(String, f64))| {
        let figures = sizes.iter().map(|size| format!("{:.2} ns", size.figures[at].1));
        std::iter::once(name.clone()).chain(figures).collect()
    };
    let mut lines: Vec<Vec<String>> = first.figures.iter().enumerate().map(line).collect();
    let bytes = sizes.iter().map(|size| format!("{:.1}", size.bytes));
    lines.push(std::iter::once("bytes for each entity".to_owned()).chain(bytes).collect());
    page.table(&head, &sides, lines);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;

    #[test]
    fn figures_are_in_their_columns() {
        let figures = |entities, time| sizes::Size {
            entities,
            figures: vec![("`get` at random".to_owned(), time)],
            bytes: 17.0,
        };
        let sizes = vec![figures(1_000_000, 5.0), figures(10_000_000, 9.5)];
        let half = |alone| Some(threads::Loop { entities: 10, alone, threads: alone / 2.0, rayon: alone });
        let loops = vec![None, half(20e3), half(1e5), half(1e6), half(1e7)];
        let bodies = vec![threads::Body { cost: 1.5, loops }];
        let page = page(&Scale { quick: false, machine: Machine::read(), bodies, sizes });
        assert!(page.contains("| `get` at random | 5.00 ns | 9.50 ns |\n"), "{page}");
        assert!(page.contains("| bytes for each entity | 17.0 | 17.0 |\n"), "{page}");
        assert!(page.contains("| 1.5 ns | - | 2.00 (1.00) |"), "{page}");
    }
}
