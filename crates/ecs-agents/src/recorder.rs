//! Records of a run: columns of numbers, a row for each step.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_agents::prelude::*;
//!
//! #[derive(Component)]
//! struct Wealth(f64);
//!
//! world! {
//!     struct Town { components { Wealth } }
//!     schedule step { earn }
//! }
//!
//! #[system(Town)]
//! fn earn(wealth: &mut Wealth) { wealth.0 *= 1.1; }
//!
//! let mut town = Town::new();
//! town.spawn_batch([1.0, 2.0, 6.0].map(Wealth));
//! let mut recorder = Recorder::new()
//!     .column("agents", |town: &Town| town.query::<&Wealth>().len() as f64)
//!     .distribution("wealth", |town| town.query::<&Wealth>().iter().map(|wealth| wealth.0).collect())
//!     .agents("people", ["wealth"], |town| town.query::<&Wealth>().iter().map(|w| [w.0]).collect());
//! run(&mut town, Town::step, 10, &mut recorder);
//! let table = recorder.table();
//! assert_eq!(table.rows(), 11, "the start, and each of ten steps");
//! assert_eq!(table.column("wealth median").unwrap()[0], 2.0);
//! let mut csv = Vec::new();
//! table.write_csv(&mut csv)?;
//! assert!(csv.starts_with(b"step,agents,wealth mean,wealth min,wealth median,wealth max\n0,3,3,1,2,6\n"));
//! let people = recorder.agents_table("people").unwrap();
//! assert_eq!((people.rows(), &people.column("wealth").unwrap()[..3]), (33, &[1.0, 2.0, 6.0][..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::io::{self, Write};

/// Columns of numbers with names: what a [`Recorder`] has measured.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Table {
    names: Vec<String>,
    /// The values of each column.
    columns: Vec<Vec<f64>>,
}

impl Table {
    /// A table with the column `step` and no row.
    fn of_steps() -> Self {
        Self { names: vec!["step".to_owned()], columns: vec![Vec::new()] }
    }

    /// Adds a column without values, before the first row.
    ///
    /// # Panics
    /// If there is a column of this name.
    fn add_column(&mut self, name: String) {
        assert!(!self.names.contains(&name), "a recorder has two columns `{name}`");
        self.names.push(name);
        self.columns.push(Vec::new());
    }

    /// The names of the columns, of which the first is `step`.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// The values of a column; `None` if there is none of this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let column = self.names.iter().position(|other| other == name)?;
        Some(&self.columns[column])
    }

    /// Writes the table as CSV: a line with the names, and a line for each row. A number is written
    /// with as few digits as are needed to read the same number again.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_csv(&self, to: impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(to);
        csv.write_record(&self.names)?;
        for row in 0..self.rows() {
            csv.write_record(self.columns.iter().map(|column| column[row].to_string()))?;
        }
        csv.flush()
    }

    /// Writes the table as a file of Apache Parquet, without compression: a column of `DOUBLE` for
    /// each column. Arrow, pandas and Polars read it.
    ///
    /// # Errors
    /// If writing fails.
    #[cfg(feature = "parquet")]
    pub fn write_parquet(&self, to: impl Write + Send) -> io::Result<()> {
        let columns: Vec<_> =
            self.names.iter().map(String::as_str).zip(self.columns.iter().map(Vec::as_slice)).collect();
        super::parquet::write(&columns, to).map_err(io::Error::other)
    }

    /// Draws columns over the steps, as SVG of 800 times 400 points. Colours repeat after six
    /// columns.
    ///
    /// # Errors
    /// If a column is missing, the table has fewer than two rows, or drawing fails.
    #[cfg(feature = "plot")]
    pub fn plot(&self, columns: &[&str]) -> Result<String, Box<dyn std::error::Error>> {
        super::plot::curves(self, columns)
    }
}

/// A function that measures something in a world, and adds its numbers: to a row, or rows to the
/// columns of a table.
type Measure<W, T> = Box<dyn Fn(&W, &mut T) + Send>;

/// A table with a row for each agent in each step.
struct AgentRows<W> {
    name: String,
    table: Table,
    measure: Measure<W, [Vec<f64>]>,
}

/// Measures a world `W` and keeps what it has measured in a [`Table`].
///
/// A recorder is not a part of the world: it is neither saved with it nor rolled back.
pub struct Recorder<W> {
    measures: Vec<Measure<W, Vec<f64>>>,
    agents: Vec<AgentRows<W>>,
    every: u64,
    table: Table,
}

impl<W> Default for Recorder<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W> fmt::Debug for Recorder<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder")
            .field("every", &self.every)
            .field("table", &self.table)
            .finish_non_exhaustive()
    }
}

impl<W> Recorder<W> {
    /// A recorder with the column `step`, which measures nothing else.
    #[must_use]
    pub fn new() -> Self {
        Self { measures: Vec::new(), agents: Vec::new(), every: 1, table: Table::of_steps() }
    }

    /// Measures only each `steps`-th step, from step 0 on.
    ///
    /// # Panics
    /// If `steps` is 0.
    #[must_use]
    pub fn every(mut self, steps: u64) -> Self {
        assert!(steps > 0, "a recorder measures every 0 steps");
        self.every = steps;
        self
    }

    /// A column of one number for each row.
    ///
    /// # Panics
    /// If there is a column of this name.
    #[must_use]
    pub fn column(self, name: &str, measure: impl Fn(&W) -> f64 + Send + 'static) -> Self {
        self.columns([name.to_owned()], move |world, row| row.push(measure(world)))
    }

    /// Columns with the mean, the least, the median and the greatest of the numbers that the
    /// function returns, such as one for each agent: `"NAME mean"`, `"NAME min"`, `"NAME median"`,
    /// `"NAME max"`. They are NaN where there are no numbers.
    ///
    /// # Panics
    /// If there is a column of one of these names.
    #[must_use]
    pub fn distribution(self, name: &str, measure: impl Fn(&W) -> Vec<f64> + Send + 'static) -> Self {
        let names = ["mean", "min", "median", "max"].map(|kind| format!("{name} {kind}"));
        self.columns(names, move |world, row| {
            let mut numbers = measure(world);
            numbers.sort_unstable_by(f64::total_cmp);
            let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
            row.extend([mean, quantile(&numbers, 0.0), quantile(&numbers, 0.5), quantile(&numbers, 1.0)]);
        })
    }

    /// A table of its own, `name`, with a row for each array that the function returns, such as one
    /// for each agent: the step, and the numbers of `columns`. See
    /// [`agents_table`](Self::agents_table).
    ///
    /// Cost: 8 bytes for each number, agent and step that is measured; [`every`](Self::every) bounds
    /// it.
    ///
    /// # Panics
    /// If there is a table of this name, or two columns have the same name.
    #[must_use]
    pub fn agents<const N: usize>(
        mut self,
        name: &str,
        columns: [&str; N],
        measure: impl Fn(&W) -> Vec<[f64; N]> + Send + 'static,
    ) -> Self {
        assert!(self.agents_table(name).is_none(), "a recorder has two tables `{name}`");
        let mut table = Table::of_steps();
        columns.iter().for_each(|&column| table.add_column(column.to_owned()));
        let measure: Measure<W, [Vec<f64>]> = Box::new(move |world, columns| {
            for row in measure(world) {
                columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
            }
        });
        self.agents.push(AgentRows { name: name.to_owned(), table, measure });
        self
    }

    fn columns(
        mut self,
        names: impl IntoIterator<Item = String>,
        measure: impl Fn(&W, &mut Vec<f64>) + Send + 'static,
    ) -> Self {
        for name in names {
            self.table.add_column(name);
        }
        self.measures.push(Box::new(measure));
        self
    }

    /// Measures the world after `step` steps, if this is one of the steps that are measured.
    pub fn record(&mut self, world: &W, step: u64) {
        if !step.is_multiple_of(self.every) {
            return;
        }
        let mut row = vec![step as f64];
        self.measures.iter().for_each(|measure| measure(world, &mut row));
        self.table.columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
        for AgentRows { table, measure, .. } in &mut self.agents {
            let (steps, numbers) = table.columns.split_first_mut().expect("the column `step`");
            measure(world, numbers);
            steps.resize(numbers.first().map_or(0, Vec::len), step as f64);
        }
    }

    /// Forgets all rows, before another run.
    pub fn clear(&mut self) {
        let tables = self.agents.iter_mut().map(|agents| &mut agents.table);
        tables.chain([&mut self.table]).flat_map(|table| &mut table.columns).for_each(Vec::clear);
    }

    /// The numbers that were measured.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The table of [`agents`](Self::agents) with this name.
    #[must_use]
    pub fn agents_table(&self, name: &str) -> Option<&Table> {
        self.agents.iter().find(|agents| agents.name == name).map(|agents| &agents.table)
    }

    /// The numbers that were measured, without the recorder and the tables of agents.
    #[must_use]
    pub fn into_table(self) -> Table {
        self.table
    }
}

/// The value below which this part of the sorted numbers is, with interpolation between neighbours:
/// the seventh definition of Hyndman and Fan, "Sample quantiles in statistical packages", 1996. NaN
/// if there are no numbers.
///
/// # Panics
/// If `part` is not in `0.0..=1.0`.
#[must_use]
pub fn quantile(sorted: &[f64], part: f64) -> f64 {
    assert!((0.0..=1.0).contains(&part), "the part of a quantile is {part}, not in 0.0..=1.0");
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = part * last as f64;
    let (below, above) = (sorted[place as usize], sorted[place.ceil() as usize]);
    if below == above { below } else { below + (above - below) * place.fract() }
}

/// Calls `step` so many times, and measures the world before the first and after each.
pub fn run<W>(world: &mut W, step: impl FnMut(&mut W), steps: u64, recorder: &mut Recorder<W>) {
    run_until(world, step, steps, |_| false, recorder);
}

/// Calls `step` until `done` is true of the world, and at most so many times. Measures the world
/// before the first step and after each. Returns the number of steps.
pub fn run_until<W>(
    world: &mut W,
    mut step: impl FnMut(&mut W),
    most: u64,
    mut done: impl FnMut(&W) -> bool,
    recorder: &mut Recorder<W>,
) -> u64 {
    recorder.record(world, 0);
    for number in 1..=most {
        if done(world) {
            return number - 1;
        }
        step(world);
        recorder.record(world, number);
    }
    most
}
