//! The inspector: it is let in on a key, and reaches the running game from another terminal.

use ecs_inspect::{Inspector, InspectorHost};
use ecs_remote::{Options, Remote};

use crate::game::Sky;

/// An open door for the inspector, on the loopback.
pub(crate) struct Door {
    remote: Remote,
    host: InspectorHost,
}

impl Door {
    /// Opens it at a free port, for reading alone.
    pub(crate) fn open() -> std::io::Result<Self> {
        let remote = Remote::bind(Options::new().port(0))?;
        let host = InspectorHost::new(Inspector::new);
        remote.extend(InspectorHost::METHOD, host.method());
        Ok(Self { remote, host })
    }

    /// The command that shows the inspector.
    pub(crate) fn command(&self) -> String {
        let address = self.remote.address().map_or_else(String::new, |address| address.to_string());
        format!("cargo run --release -p checked-ecs-inspect -- --attach {address}")
    }

    /// Answers the requests that wait. Returns whether the game goes on: the inspector may have
    /// paused it.
    pub(crate) fn serve(&self, sky: &mut Sky) -> bool {
        self.remote.serve(sky);
        self.host.pace().runs()
    }
}
