//! Progress bars of long runs, with the time that is left: on the standard error, if it is a
//! terminal. They change nothing in a run.
//!
//! [`Sweep::with_progress`](crate::sweep::Sweep::with_progress) counts trials, and
//! [`with_progress`] the steps of a run.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_agents::prelude::*;
//!
//! #[derive(Resource, Default)]
//! struct Years(u32);
//! world! { struct Town { resources { Years = Years::default() } } schedule step { age } }
//! #[system(Town)]
//! fn age(mut years: ResMut<Years>) { years.0 += 1; }
//!
//! let (mut town, mut recorder) = (Town::new(), Recorder::new());
//! run(&mut town, with_progress(1000, Town::step), 1000, &mut recorder);
//! assert_eq!(town.resource::<Years>().0, 1000);
//! ```

use indicatif::{ProgressBar, ProgressStyle};

const TEMPLATE: &str = "{bar:40} {human_pos} of {human_len} after {elapsed}, {eta} left";

/// A bar on the standard error, of which so many parts are done.
pub(crate) fn bar(length: u64, done: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(TEMPLATE).expect("the template is right");
    let bar = ProgressBar::new(length).with_style(style).with_position(done);
    // what was done before took no time of this run
    bar.reset_eta();
    bar
}

/// The step of a run of so many steps, which also moves a bar: for [`run`](crate::recorder::run)
/// and [`run_until`](crate::recorder::run_until).
pub fn with_progress<W>(steps: u64, mut step: impl FnMut(&mut W)) -> impl FnMut(&mut W) {
    let bar = bar(steps, 0);
    move |world| {
        step(world);
        bar.inc(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_of_an_interrupted_sweep_begins_where_it_was() {
        let bar = bar(10, 4);
        bar.inc(1);
        assert_eq!((bar.position(), bar.length()), (5, Some(10)));
    }
}
