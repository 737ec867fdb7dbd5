//! [`BlackBox`]: a file with the world before a run that has failed, and [`Recording`], which makes
//! that run again.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use ecs::save::{LoadOptions, Saved};
use ecs::schedule::{RunError, RunFailure, TryRunOutput};
use ecs::world::SnapshotWorld;
use ecs::{Schedules, World};

use crate::error::{BlackBoxError, FailedRun};
use crate::inside::Inside;
use crate::repeat::catch;

/// The first line of a file.
const SIGNATURE: &str = "checked-ecs black box 1";
/// The length to which a message is cut, in bytes.
const MAX_MESSAGE: usize = 4096;

/// Runs a world, and writes a file if a run fails: the world before the run, the system, and the
/// message. The file is a bug report: [`Recording`] makes the run again.
///
/// ```
/// use ecs::prelude::*;
/// use ecs_history::{BlackBox, Recording};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Component, Clone, Serialize, Deserialize)] struct Gold(u32);
/// world! {
///     #[derive(Clone, Serialize, Deserialize)]
///     struct Game { components { Gold } }
///     schedule tick { earn; spend }
/// }
/// #[system(Game)] fn earn(gold: &mut Gold) { gold.0 += 1; }
/// #[system(Game)] fn spend(gold: &mut Gold) { gold.0 = gold.0.checked_sub(10).expect("no debts"); }
///
/// # let file = std::env::temp_dir().join(format!("gold-{}.box", std::process::id()));
/// let black_box = BlackBox::new(&file, concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")));
/// let mut game = Game::new();
/// game.spawn(Gold(20));
/// let failed = (0..10).find_map(|_| black_box.run(&mut game, Game::tick).err()).unwrap();
/// assert_eq!((failed.error.system, failed.file.is_ok()), ("spend", true));
///
/// // a test, once the file is in the repository
/// let recording = Recording::<Game>::read(&file)?;
/// assert_eq!(recording.system(), "spend");
/// let error = recording.replay(Game::tick).unwrap_err();
/// assert!(error.to_string().contains("no debts"));
///
/// // and in a debugger: the world right before the system
/// let inside = recording.inside(Game::tick);
/// assert_eq!(inside.last().unwrap().system, "earn");
/// assert_eq!(inside.world().query::<&Gold>().iter().next().unwrap().0, 3);
/// # std::fs::remove_file(&file)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With a [`History`](crate::History): `history.run(&mut game, move |game| black_box.run(game,
/// Game::tick))`. [`record`](Self::record) also writes an earlier state of it.
///
/// The file has what a save has, also types that are `hidden` from handles: a value that must not
/// leave the machine is `#[component(skip)]`. A [`Schedule`](ecs::Schedule) that was built at run
/// time is not in the file: the program that replays it builds it again.
#[derive(Clone, Debug)]
pub struct BlackBox {
    path: PathBuf,
    program: String,
}

impl BlackBox {
    /// A black box that writes to `path`, over a file of an earlier failure. `program` is the name
    /// and the version of the program; [`Recording::program`] returns it.
    pub fn new(path: impl Into<PathBuf>, program: &str) -> Self {
        Self { path: path.into(), program: one_line(program) }
    }

    /// Runs the world as [`try_run`](Schedules::try_run) does: if `step` panics or fails, the world
    /// is put back into its state before the run, and this state is written to the file.
    ///
    /// Cost: a [snapshot](ecs::World::snapshot) for each run.
    ///
    /// # Errors
    /// If the run fails. The error also has the reason if the file could not be written.
    pub fn run<W, R: TryRunOutput>(
        &self,
        game: &mut W,
        step: impl FnOnce(&mut W) -> R,
    ) -> Result<R::Value, FailedRun>
    where
        W: SnapshotWorld + Saved,
    {
        game.try_run(step).map_err(|error| {
            let message = match &error.cause {
                RunFailure::Panicked(message) => message.clone(),
                // a `Display` may panic, too
                RunFailure::Failed(source) => catch(|| source.to_string()).unwrap_or_default(),
                _ => error.to_string(),
            };
            let file = self.write(game, error.schedule, error.system, &message);
            FailedRun { error, file: file.map(|()| self.path.clone()).map_err(Box::new) }
        })
    }

    /// Writes the world as it is now, with a message: a report on demand, or a state some runs
    /// earlier, from a [`History`](crate::History). The runs since then are repeated if their input
    /// is in the world, or in the function that is replayed.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs_history::{BlackBox, History, Limit, Recording};
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Clone, Serialize, Deserialize)] struct Gold(u32);
    /// # world! { #[derive(Clone, Serialize, Deserialize)] struct Game { components { Gold } } schedule tick { spend } }
    /// # #[system(Game)] fn spend(gold: &mut Gold) { gold.0 = gold.0.checked_sub(10).expect("no debts"); }
    /// # let file = std::env::temp_dir().join(format!("earlier-{}.box", std::process::id()));
    /// # let (black_box, mut game) = (BlackBox::new(&file, "my-game 0.3"), Game::new());
    /// # game.spawn(Gold(35));
    /// # let mut history = History::new(Limit::runs(600));
    /// while history.run(&mut game, |game: &mut Game| game.try_run(Game::tick)).is_ok() {}
    /// let mut earlier = game.clone();
    /// earlier.restore(history.at(history.position() - 3)?);
    /// black_box.record(&earlier, "fails in the third run")?;
    ///
    /// let recording = Recording::<Game>::read(&file)?;
    /// assert!(recording.replay(|game| (0..2).for_each(|_| game.tick())).is_ok());
    /// assert!(recording.replay(|game| (0..3).for_each(|_| game.tick())).is_err());
    /// # std::fs::remove_file(&file)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the world cannot be saved, or the file cannot be written. A file of an earlier failure
    /// stays as it is.
    pub fn record<W: World + Saved>(&self, game: &W, message: &str) -> Result<(), BlackBoxError> {
        self.write(game, "", "", message)
    }

    fn write<W: Saved>(
        &self,
        game: &W,
        schedule: &str,
        system: &str,
        message: &str,
    ) -> Result<(), BlackBoxError> {
        // a `Serialize` may panic: the first failure is the one to be reported
        let world = catch(|| game.to_bytes()).ok_or(BlackBoxError::Panicked)?.map_err(BlackBoxError::Save)?;
        let mut text = one_line(message);
        text.truncate(text.floor_char_boundary(MAX_MESSAGE));
        let head = format!(
            "{SIGNATURE}\nprogram: {}\nschedule: {}\nsystem: {}\nmessage: {text}\nworld: {} bytes\n",
            self.program,
            one_line(schedule),
            one_line(system),
            world.len(),
        );
        // a second file, which takes the name at once when it is complete
        let (part, mut file) = self.new_part()?;
        let mut write = || {
            file.write_all(head.as_bytes())?;
            file.write_all(&world)?;
            file.sync_all()?;
            fs::rename(&part, &self.path)
        };
        write().map_err(|error| {
            drop(fs::remove_file(&part));
            BlackBoxError::Io(self.path.clone(), error)
        })
    }

    /// Creates a file beside that of the path, with a name that no other writer has.
    fn new_part(&self) -> Result<(PathBuf, File), BlackBoxError> {
        let mut number = 0;
        loop {
            let mut name = self.path.file_name().unwrap_or_default().to_owned();
            name.push(format!(".{number}.part"));
            let part = self.path.with_file_name(name);
            match File::create_new(&part) {
                Ok(file) => return Ok((part, file)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1_u64,
                Err(error) => return Err(BlackBoxError::Io(self.path.clone(), error)),
            }
        }
    }
}

/// A text as one line of a file.
fn one_line(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

/// A text that [`one_line`] has written.
fn lines(text: &str) -> String {
    let (mut out, mut chars) = (String::new(), text.chars());
    while let Some(char) = chars.next() {
        out.push(match char {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            },
            char => char,
        });
    }
    out
}

/// A run that has failed, from the file of a [`BlackBox`].
#[derive(Debug)]
pub struct Recording<W> {
    game: W,
    program: String,
    schedule: String,
    system: String,
    message: String,
}

impl<W: SnapshotWorld + Saved> Recording<W> {
    /// Reads a file.
    ///
    /// # Errors
    /// If the file cannot be read, is no file of a black box, is damaged, or its world cannot be
    /// loaded: the error then names the program that has written it, and what differs.
    ///
    /// # Panics
    /// If the `Deserialize` of a value panics.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, BlackBoxError> {
        let path = path.as_ref();
        Self::from_bytes(&fs::read(path).map_err(|error| BlackBoxError::Io(path.to_owned(), error))?)
    }

    /// Reads the content of a file, such as that of `include_bytes!`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BlackBoxError> {
        Self::from_bytes_with(bytes, LoadOptions::new())
    }

    /// Reads the content of a file of a world that does not load by itself: the options give it
    /// resources that are not saved, and the memory that the file may take.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn from_bytes_with(bytes: &[u8], options: LoadOptions<W>) -> Result<Self, BlackBoxError> {
        let mut rest = bytes;
        if take_line(&mut rest)? != SIGNATURE {
            return Err(BlackBoxError::NoBlackBox);
        }
        let mut field = |name: &str| -> Result<String, BlackBoxError> {
            let line = take_line(&mut rest)?;
            let value = line.strip_prefix(name).and_then(|line| line.strip_prefix(": "));
            value.map(lines).ok_or(BlackBoxError::Damaged)
        };
        let (program, schedule) = (field("program")?, field("schedule")?);
        let (system, message, length) = (field("system")?, field("message")?, field("world")?);
        if length != format!("{} bytes", rest.len()) {
            return Err(BlackBoxError::Damaged);
        }
        let game = W::load_with(rest, options);
        let game = game.map_err(|error| BlackBoxError::Load { program: program.clone(), error })?;
        Ok(Self { game, program, schedule, system, message })
    }

    /// The name and the version of the program that has written the file.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The schedule that has failed; empty if the failure was outside of a schedule.
    pub fn schedule(&self) -> &str {
        &self.schedule
    }

    /// The system that has failed; empty if the failure was outside of a system.
    pub fn system(&self) -> &str {
        &self.system
    }

    /// The message of the panic or the error.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The world before the run.
    pub fn world(&self) -> &W {
        &self.game
    }

    /// Makes the run again, in a copy of the world.
    ///
    /// # Errors
    /// If the run fails, as it did when the file was written.
    pub fn replay<R: TryRunOutput>(&self, step: impl FnOnce(&mut W) -> R) -> Result<R::Value, RunError> {
        self.game.clone().try_run(step)
    }

    /// The run, to be gone through step by step. It begins at the last step before the failure.
    pub fn inside<R>(&self, step: impl Fn(&mut W) -> R + Send + Sync + 'static) -> Inside<W>
    where
        W: Send,
    {
        let mut game = self.game.clone();
        let before = game.snapshot();
        let mut inside = Inside::new(game, before, std::sync::Arc::new(move |game| drop(step(game))));
        inside.go_to(usize::MAX);
        inside
    }
}

/// Takes the next line off.
fn take_line<'b>(bytes: &mut &'b [u8]) -> Result<&'b str, BlackBoxError> {
    let end = bytes.iter().position(|&byte| byte == b'\n').ok_or(BlackBoxError::NoBlackBox)?;
    let line = str::from_utf8(&bytes[..end]).map_err(|_| BlackBoxError::NoBlackBox)?;
    *bytes = &bytes[end + 1..];
    Ok(line)
}
