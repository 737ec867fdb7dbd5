//! `checked-ecs-inspect`: shows the inspector of a running program in this terminal.

use std::process::ExitCode;

use ecs_inspect::{Attachment, attach};
use lexopt::prelude::*;

const USAGE: &str = "\
Shows the world of a running program, which has an `InspectorHost`, in this terminal.

Usage: checked-ecs-inspect --attach ADDRESS [--token TOKEN] [--session NAME]

  --attach ADDRESS  host and port where the program listens, such as 127.0.0.1:27750
  --token TOKEN     the token with which requests may change the world; it can also be in ECS_INSPECT_TOKEN
  --session NAME    terminals with the same name share one inspector; \"terminal\" if it is left out
";

fn main() -> ExitCode {
    let attachment = match arguments() {
        Ok(Some(attachment)) => attachment,
        Ok(None) => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("checked-ecs-inspect: {error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match attach(&attachment) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("checked-ecs-inspect: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The program to attach to; `None` if help is asked for.
fn arguments() -> Result<Option<Attachment>, lexopt::Error> {
    let (mut address, mut token, mut session) = (None, std::env::var("ECS_INSPECT_TOKEN").ok(), None);
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("attach") => address = Some(arguments.value()?.string()?),
            Long("token") => token = Some(arguments.value()?.string()?),
            Long("session") => session = Some(arguments.value()?.string()?),
            Short('h') | Long("help") => return Ok(None),
            other => return Err(other.unexpected()),
        }
    }
    let mut attachment = Attachment::new(address.ok_or("`--attach ADDRESS` is missing")?);
    if let Some(token) = token {
        attachment = attachment.token(token);
    }
    if let Some(session) = session {
        attachment = attachment.session(session);
    }
    Ok(Some(attachment))
}
