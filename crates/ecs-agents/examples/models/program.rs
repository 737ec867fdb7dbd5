//! The command line that all models have: a run as a table, `--headless` for a run as a line with
//! the hash of the world at its end, `--sweep` for means over parameters and seeds, and, with the
//! feature `picture`, `--picture FILE` for the world at its end as PNG.

use ecs_agents::prelude::*;

/// A name, and what is measured of a world.
type Figure<W> = (&'static str, fn(&W) -> f64);

/// A model with what is measured of it.
pub struct Program<W, M> {
    /// Makes a world from the values of the sweep's parameters and a seed.
    pub model: M,
    pub step: fn(&mut W),
    pub steps: u64,
    pub figures: Vec<Figure<W>>,
    /// The hash of a world: `Meadow::hash`.
    pub hash: fn(&W) -> u64,
    pub sweep: Sweep,
    /// A picture of a world, if the model has a space.
    #[cfg(feature = "picture")]
    pub picture: Option<fn(&W) -> Picture>,
}

impl<W: 'static, M: Fn(&Trial) -> W + Sync> Program<W, M> {
    pub fn main(&self) {
        match std::env::args().nth(1).as_deref() {
            None => self.table(),
            Some("--headless") => self.headless(),
            Some("--sweep") => self.print_sweep(),
            #[cfg(feature = "picture")]
            Some("--picture") => self.draw(),
            Some(other) => {
                eprintln!(
                    "`{other}` is neither `--headless` nor `--sweep`, nor `--picture` with the feature `picture`"
                );
            }
        }
    }

    fn recorder(&self) -> Recorder<W> {
        self.figures.iter().fold(Recorder::new(), |recorder, &(name, figure)| recorder.column(name, figure))
    }

    /// Every tenth step of the sweep's first trial.
    fn table(&self) {
        let mut recorder = self.recorder().every(10);
        let mut world = (self.model)(&self.sweep.trials()[0]);
        run(&mut world, self.step, self.steps, &mut recorder);
        recorder.table().write_csv(std::io::stdout()).expect("standard output can be written");
    }

    /// Writes the picture of the first trial's end.
    #[cfg(feature = "picture")]
    fn draw(&self) {
        let (Some(picture), Some(path)) = (self.picture, std::env::args().nth(2)) else {
            return eprintln!("`--picture` is followed by a file, and the model has a space");
        };
        let mut world = (self.model)(&self.sweep.trials()[0]);
        (0..self.steps).for_each(|_| (self.step)(&mut world));
        let file = std::fs::File::create(&path).map(std::io::BufWriter::new);
        if let Err(error) = file.and_then(|file| picture(&world).write_png(file)) {
            eprintln!("{path}: {error}");
        }
    }

    fn headless(&self) {
        let Outcome { hash, values } = self.outcome(&self.sweep.trials()[0]);
        let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} {value}")).collect();
        println!("{hash:016x}  after {} steps: {}", self.steps, values.join(", "));
    }

    fn outcome(&self, trial: &Trial) -> Outcome {
        let mut world = (self.model)(trial);
        (0..self.steps).for_each(|_| (self.step)(&mut world));
        let outcome = Outcome::new((self.hash)(&world));
        self.figures.iter().fold(outcome, |outcome, (name, figure)| outcome.with(name, figure(&world)))
    }

    fn print_sweep(&self) {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let results = self.sweep.run(threads, |trial| self.outcome(trial));
        for (name, _) in &self.figures {
            println!("{name}, mean and standard error of the mean:");
            for mean in results.means(name) {
                let values = mean.values.iter().map(|(name, value)| format!("{name} {value}"));
                println!("  {}: {:.3} ± {:.3}", values.collect::<Vec<_>>().join(", "), mean.mean, mean.error);
            }
        }
    }
}
