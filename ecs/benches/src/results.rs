//! The results as plain data, which is written to JSON. Tables, goals, plots and the page are
//! generated from it, also without measuring again.

use serde::{Deserialize, Serialize};

use crate::library::{self, Role, Storage};
use crate::machine::Machine;
use crate::versions;
use crate::workload::Measure;

/// A run of this program.
#[derive(Serialize, Deserialize)]
pub(crate) struct Results {
    /// Whether it only was to show that all is well: its figures are rough.
    pub(crate) quick: bool,
    pub(crate) machine: Machine,
    /// The libraries of the run, in the order of the tables.
    pub(crate) libraries: Vec<Library>,
    pub(crate) rows: Vec<Row>,
}

/// A library that took part.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Library {
    pub(crate) name: String,
    /// Empty if it is no package.
    pub(crate) package: String,
    /// Empty if it is no package.
    pub(crate) version: String,
    pub(crate) role: Role,
    pub(crate) storage: Storage,
}

/// A workload with one number of entities.
#[derive(Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) workload: String,
    /// A description of one run.
    pub(crate) what: String,
    pub(crate) measure: Measure,
    pub(crate) entities: u32,
    /// The number of entities that a run visits: the figures are per visited entity.
    pub(crate) visited: u32,
    /// Which part of the samples was taken while the machine did nothing else, if that was looked
    /// at.
    #[serde(default)]
    pub(crate) calm: Option<f64>,
    /// The machine, if it was measured later on another one than the first row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) machine: Option<Machine>,
    /// One for each library that can do it.
    pub(crate) cells: Vec<Cell>,
}

/// One library's part in a row. The figures are nanoseconds, or bytes, for each entity that is
/// visited.
#[derive(Serialize, Deserialize)]
pub(crate) struct Cell {
    #[serde(rename = "library")]
    pub(crate) entrant: String,
    pub(crate) median: f64,
    pub(crate) minimum: f64,
    /// The number of samples.
    pub(crate) samples: usize,
    /// Of all that was computed.
    pub(crate) checksum: String,
}

/// A row, with those whose figures it has.
#[derive(Clone, Copy)]
pub(crate) struct Measured<'a> {
    pub(crate) row: &'a Row,
    libraries: &'a [Library],
}

/// A row in which this library and a peer were measured.
#[derive(Clone, Copy)]
pub(crate) struct Comparison<'a> {
    pub(crate) measured: Measured<'a>,
    pub(crate) ours: Entry<'a>,
    /// The best peer.
    pub(crate) peer: Entry<'a>,
}

/// A library and its figures.
pub(crate) type Entry<'a> = (&'a Library, &'a Cell);

impl Results {
    /// Nothing yet, of these libraries.
    pub(crate) fn new(quick: bool, takes: impl Fn(&str) -> bool) -> Self {
        let libraries = library::ALL.iter().map(|(library, _)| library).filter(|library| takes(library.name));
        let libraries = libraries.map(|library| Library {
            name: library.name.to_owned(),
            package: library.package.to_owned(),
            version: versions::of(library.package).to_owned(),
            role: library.role,
            storage: library.storage,
        });
        Self { quick, machine: Machine::read(), libraries: libraries.collect(), rows: Vec::new() }
    }

    /// These rows in their places among those of `earlier`, or behind them.
    pub(crate) fn merged_into(self, mut earlier: Self) -> Self {
        for mut row in self.rows {
            if self.machine != earlier.machine {
                row.machine = Some(self.machine.clone());
            }
            let same = |old: &&mut Row| old.workload == row.workload && old.entities == row.entities;
            match earlier.rows.iter_mut().find(same) {
                Some(old) => *old = row,
                None => earlier.rows.push(row),
            }
        }
        earlier
    }

    /// All rows.
    pub(crate) fn measured(&self) -> impl Iterator<Item = Measured<'_>> {
        self.rows.iter().map(|row| Measured { row, libraries: &self.libraries })
    }

    /// The rows in which this library and a peer were measured.
    pub(crate) fn comparisons(&self) -> impl Iterator<Item = Comparison<'_>> {
        self.measured().filter_map(Measured::comparison)
    }

    /// The row of a workload with so many entities.
    pub(crate) fn find(&self, workload: &str, entities: u32) -> Option<Measured<'_>> {
        self.measured()
            .find(|measured| measured.row.workload == workload && measured.row.entities == entities)
    }

    /// The workloads, each once.
    pub(crate) fn workloads(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !names.contains(&&*row.workload) {
                names.push(&row.workload);
            }
        }
        names
    }
}

impl Library {
    /// Its name and version.
    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.name, self.version).trim_end().to_owned()
    }

    pub(crate) fn is_peer(&self) -> bool {
        self.role == Role::Peer
    }

    /// Returns `true` for a peer without groups. A group is declared for exactly the components
    /// that a loop reads.
    pub(crate) fn is_ungrouped_peer(&self) -> bool {
        self.is_peer() && self.storage != Storage::GroupedSparseSets
    }
}

impl<'a> Measured<'a> {
    /// The libraries that have figures, in the order of the tables.
    pub(crate) fn entries(self) -> impl Iterator<Item = Entry<'a>> {
        self.libraries.iter().filter_map(move |library| {
            let cell = self.row.cells.iter().find(|cell| cell.entrant == library.name)?;
            Some((library, cell))
        })
    }

    /// The libraries that took part and have no figures here.
    pub(crate) fn absent(self) -> impl Iterator<Item = &'a Library> {
        let cells = &self.row.cells;
        self.libraries.iter().filter(|library| cells.iter().all(|cell| cell.entrant != library.name))
    }

    /// The fastest of some.
    pub(crate) fn best(self, accept: impl Fn(&Library) -> bool) -> Option<Entry<'a>> {
        self.entries()
            .filter(|(library, _)| accept(library))
            .min_by(|(_, a), (_, b)| a.median.total_cmp(&b.median))
    }

    /// The library that this is about.
    pub(crate) fn ours(self) -> Option<Entry<'a>> {
        self.best(|library| library.role == Role::Subject)
    }

    /// This library and the best peer; `None` if one of them was not measured.
    pub(crate) fn comparison(self) -> Option<Comparison<'a>> {
        Some(Comparison { measured: self, ours: self.ours()?, peer: self.best(Library::is_peer)? })
    }

    pub(crate) fn arrays(self) -> Option<Entry<'a>> {
        self.best(|library| library.role == Role::Limit)
    }
}

impl Comparison<'_> {
    /// Our figure divided by that of the peer.
    pub(crate) fn ratio(&self) -> f64 {
        self.ours.1.median / self.peer.1.median
    }
}

impl Row {
    /// Whether all libraries computed the same.
    pub(crate) fn agree(&self) -> bool {
        self.cells.windows(2).all(|pair| pair[0].checksum == pair[1].checksum)
    }
}

impl Cell {
    /// Of samples, which are not empty.
    pub(crate) fn new(library: &str, mut samples: Vec<f64>, checksum: u64) -> Self {
        samples.sort_by(f64::total_cmp);
        let (low, high) = ((samples.len() - 1) / 2, samples.len() / 2);
        Self {
            entrant: library.to_owned(),
            median: rounded(f64::midpoint(samples[low], samples[high])),
            minimum: rounded(samples[0]),
            samples: samples.len(),
            checksum: format!("{checksum:016x}"),
        }
    }
}

/// To six digits: more are noise, and would make every line of the JSON longer.
fn rounded(figure: f64) -> f64 {
    format!("{figure:.5e}").parse().unwrap_or(figure)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A workload, entities, and the libraries' medians.
    pub(crate) type Figures<'a> = (&'a str, u32, &'a [(&'a str, f64)]);

    /// Results with these rows.
    pub(crate) fn results(rows: &[Figures<'_>]) -> Results {
        let library = |name: &str, role, storage| Library {
            name: name.to_owned(),
            package: if role == Role::Limit { String::new() } else { name.to_owned() },
            version: if role == Role::Limit { String::new() } else { "1.2.3".to_owned() },
            role,
            storage,
        };
        let machine = Machine {
            processor: "Some Processor".to_owned(),
            cores: 2,
            is_virtual: true,
            memory: Some(4096),
            caches: vec!["L1 data 48 KiB".to_owned(), "L2 2 MiB".to_owned()],
            system: "Linux".to_owned(),
            rustc: "rustc 1.95.0".to_owned(),
            profile: "release, opt-level = 3, lto = \"thin\"".to_owned(),
            allocator: vec![],
        };
        let cell = |(name, median): &(&str, f64)| Cell::new(name, vec![*median; 3], 7);
        let row = |(workload, entities, cells): &Figures<'_>| Row {
            machine: None,
            workload: (*workload).to_owned(),
            what: format!("what {workload} does"),
            measure: if workload.starts_with("memory") { Measure::Memory } else { Measure::Time },
            entities: *entities,
            visited: *entities,
            calm: None,
            cells: cells.iter().map(cell).collect(),
        };
        Results {
            quick: false,
            machine,
            libraries: vec![
                library("arrays", Role::Limit, Storage::Arrays),
                library("ecs", Role::Subject, Storage::MaskedColumns),
                library("gecs", Role::Peer, Storage::StaticArchetypes),
                library("hecs", Role::Peer, Storage::Archetypes),
                library("bevy", Role::Peer, Storage::Archetypes),
                library("shipyard", Role::Peer, Storage::SparseSets),
                library("sparsey", Role::Peer, Storage::GroupedSparseSets),
            ],
            rows: rows.iter().map(row).collect(),
        }
    }

    #[test]
    fn median_of_even_samples_is_between_the_middle_two() {
        let cell = Cell::new("ecs", vec![4.0, 1.0, 2.0, 3.000_000_4], 1);
        assert_eq!((cell.median, cell.minimum, cell.samples), (2.5, 1.0, 4));
    }

    #[test]
    fn results_survive_json() {
        let results = results(&[("frag_iter", 520, &[("ecs", 0.123_456_78), ("hecs", 2.0)])]);
        let text = serde_json::to_string(&results).unwrap();
        let read: Results = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        assert_eq!(read.find("frag_iter", 520).unwrap().ours().unwrap().1.median, 0.123_457);
    }

    #[test]
    fn best_is_the_fastest_of_those_accepted() {
        let results = results(&[("x", 1, &[("arrays", 1.0), ("ecs", 2.0), ("hecs", 4.0), ("sparsey", 3.0)])]);
        let row = results.find("x", 1).unwrap();
        assert_eq!(row.best(Library::is_peer).unwrap().0.name, "sparsey");
        assert_eq!(row.best(Library::is_ungrouped_peer).unwrap().0.name, "hecs");
        assert_eq!(row.absent().count(), 3);
        assert!(results.find("x", 2).is_none());
    }

    #[test]
    fn rows_that_are_measured_later_take_the_place_of_the_earlier_ones() {
        let earlier = results(&[("frag_iter", 520, &[("ecs", 1.0)]), ("add_remove", 10, &[("ecs", 2.0)])]);
        let mut later = results(&[("frag_iter", 520, &[("ecs", 3.0)]), ("timers", 10, &[("ecs", 4.0)])]);
        later.machine.cores = 4;
        let merged = later.merged_into(earlier);
        let figure = |row: &Row| (row.cells[0].median, row.machine.as_ref().map(|machine| machine.cores));
        let figures: Vec<_> = merged.rows.iter().map(figure).collect();
        assert_eq!(figures, [(3.0, Some(4)), (2.0, None), (4.0, Some(4))]);
        assert_eq!(merged.machine.cores, 2);
    }
}
