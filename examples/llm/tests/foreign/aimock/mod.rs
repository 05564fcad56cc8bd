//! The process of `aimock`, with the answers of `fixtures.json`.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use acp_tests::packages::AIMOCK;

/// A server that ends with this value.
pub(crate) struct Aimock {
    pub(crate) url: String,
    process: Child,
}

impl Aimock {
    /// Starts a server. `None` if there is no Node; the function has then said that the test did not run.
    pub(crate) fn start() -> Option<Self> {
        let packages = super::installed(&AIMOCK)?;
        let mut node = Command::new("node");
        node.arg(packages.folder.join("node_modules/@copilotkit/aimock/dist/cli.js"));
        node.args(["--port", "0", "--strict", "--fixtures"]).arg(packages.source.join("fixtures.json"));
        let mut process = node.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().expect("node");
        let mut lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let url = lines.by_ref().find_map(|line| {
            let line = line.expect("the output of aimock");
            Some(format!("{}/v1", line.split_once("listening on ")?.1))
        });
        // It has to be able to write on.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Self { url: url.expect("aimock tells its address"), process })
    }
}

impl Drop for Aimock {
    fn drop(&mut self) {
        let ended = self.process.kill().and_then(|()| self.process.wait());
        ended.expect("aimock can be ended");
    }
}
