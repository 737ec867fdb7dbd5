//! The command line.

use std::num::NonZero;
use std::path::PathBuf;
use std::str::FromStr;

use lexopt::prelude::*;

/// The output of `--help`.
pub const HELP: &str = "\
A turn-based dungeon crawl.

usage: dungeon [--data DIR] [--watch] [--seed N] [--threads N] [--save FILE] [--record FILE]
       dungeon [--data DIR] [--seed N] [--threads N] [--save FILE] --keys FILE
       dungeon [--data DIR] --load FILE [--threads N] [--save FILE] [--keys FILE]
       dungeon [--data DIR] --inspect FILE [--save FILE]
       dungeon [--data DIR] --replay FILE
       dungeon --graph dot|access|json
       dungeon --pictures DIR

  --keys FILE    play recorded keys without a terminal; print the log of every turn and the last screen
  --seed N       the seed of the dice (default: 1 for recorded keys, otherwise another one every time)
  --data DIR     the content of the game (default: the dungeon that comes with it)
  --watch        read the content again when a file of it changes; a mistake is shown, and the game goes on with
                 what it has
  --record FILE  write the keys that were pressed to FILE
  --save FILE    write the game to FILE when it ends or is left, for `--load`; a name ending in .json for people to read
                 (while playing, S saves at any time, to this file, or else to the one that was loaded, or else to
                 dungeon.save)
  --load FILE    go on with a game that was saved
  --inspect FILE open a saved game in the inspector: look at it, change it, run turns; with --save FILE write it when
                 the inspector is closed
  --replay FILE  make a turn that has failed again: a game whose turn fails writes the file dungeon.box; in a terminal
                 the inspector opens at the last step before the failure
  --threads N    run the systems on N threads, even the smallest; the game is the same with any number of them
                 (default: as many as the machine has, for those systems that are worth it)
  --graph FORM   print the schedules of the game for Graphviz (dot), with what
                 systems read and write instead (access), or as JSON (json)
  --pictures DIR write pictures of the game's schedules, components and aspects
                 into a folder, as SVG and for Graphviz
  --help         print this
";

/// The options of the command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub data: Option<PathBuf>,
    pub keys: Option<PathBuf>,
    pub record: Option<PathBuf>,
    pub save: Option<PathBuf>,
    pub load: Option<PathBuf>,
    pub inspect: Option<PathBuf>,
    pub replay: Option<PathBuf>,
    pub seed: Option<u64>,
    pub threads: Option<NonZero<u8>>,
    pub graph: Option<Form>,
    pub pictures: Option<PathBuf>,
    pub watch: bool,
    pub help: bool,
}

/// The format in which the schedules are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Dot,
    Access,
    Json,
}

impl FromStr for Form {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "dot" => Ok(Self::Dot),
            "access" => Ok(Self::Access),
            "json" => Ok(Self::Json),
            _ => Err("it is `dot`, `access` or `json`"),
        }
    }
}

impl Options {
    /// # Errors
    /// An unknown option, or one whose value is missing or wrong.
    pub fn parse(mut arguments: lexopt::Parser) -> Result<Self, lexopt::Error> {
        let mut options = Self::default();
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("data") => options.data = Some(arguments.value()?.into()),
                Long("keys") => options.keys = Some(arguments.value()?.into()),
                Long("record") => options.record = Some(arguments.value()?.into()),
                Long("save") => options.save = Some(arguments.value()?.into()),
                Long("load") => options.load = Some(arguments.value()?.into()),
                Long("inspect") => options.inspect = Some(arguments.value()?.into()),
                Long("replay") => options.replay = Some(arguments.value()?.into()),
                Long("seed") => options.seed = Some(arguments.value()?.parse()?),
                Long("threads") => options.threads = Some(arguments.value()?.parse()?),
                Long("graph") => options.graph = Some(arguments.value()?.parse()?),
                Long("pictures") => options.pictures = Some(arguments.value()?.into()),
                Long("watch") => options.watch = true,
                Short('h') | Long("help") => options.help = true,
                other => return Err(other.unexpected()),
            }
        }
        let excluding = [
            // A recording is played with one content.
            ("`--watch` and `--record`", options.watch && options.record.is_some()),
            ("`--watch` and `--keys`", options.watch && options.keys.is_some()),
            ("`--keys` and `--record`", options.keys.is_some() && options.record.is_some()),
            // A saved game has its seed, and keys that were pressed before it was saved.
            ("`--load` and `--seed`", options.load.is_some() && options.seed.is_some()),
            ("`--load` and `--record`", options.load.is_some() && options.record.is_some()),
            ("`--inspect` and `--load`", options.inspect.is_some() && options.load.is_some()),
            ("`--inspect` and `--keys`", options.inspect.is_some() && options.keys.is_some()),
            ("`--inspect` and `--record`", options.inspect.is_some() && options.record.is_some()),
            ("`--inspect` and `--seed`", options.inspect.is_some() && options.seed.is_some()),
            ("`--replay` and `--load`", options.replay.is_some() && options.load.is_some()),
            ("`--replay` and `--keys`", options.replay.is_some() && options.keys.is_some()),
            ("`--replay` and `--record`", options.replay.is_some() && options.record.is_some()),
            ("`--replay` and `--save`", options.replay.is_some() && options.save.is_some()),
            ("`--replay` and `--seed`", options.replay.is_some() && options.seed.is_some()),
            ("`--replay` and `--inspect`", options.replay.is_some() && options.inspect.is_some()),
        ];
        if let Some((both, _)) = excluding.into_iter().find(|(_, are_given)| *are_given) {
            return Err(format!("{both} exclude each other").into());
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Options, String> {
        Options::parse(lexopt::Parser::from_args(arguments)).map_err(|error| error.to_string())
    }

    #[test]
    fn options_are_understood() {
        let expected = Options { seed: Some(7), keys: Some("a.keys".into()), ..Options::default() };
        assert_eq!(parse(&["--seed", "7", "--keys=a.keys"]), Ok(expected));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(parse(&["--sed", "7"]), Err("invalid option '--sed'".to_owned()));
        assert!(parse(&["--seed", "x"]).is_err());
        for both in
            ["--record b --keys a", "--load a --seed 7", "--load a --record b", "--inspect a --load b"]
        {
            assert!(parse(&both.split(' ').collect::<Vec<_>>()).is_err(), "{both}");
        }
        assert!(parse(&["--threads", "0"]).is_err());
        assert!(parse(&["--graph", "svg"]).is_err());
    }
}
