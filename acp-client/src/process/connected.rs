//! The process of a connection: when one of them ends, the other one ends, too.

use std::sync::Arc;

use tokio::time::timeout;

use super::Process;
use crate::link::Link;

impl Process {
    /// Supervises the process from here on: notices its end, and ends the process when the connection is over.
    pub(crate) fn supervise(&mut self, link: &Arc<Link>) {
        let (grace, over, link) = (self.grace, link.clone(), link.clone());
        let over = async move { drop(over.closed().await) };
        let hang_up = {
            let link = link.clone();
            move || link.peer.hang_up()
        };
        let exited = {
            let link = link.clone();
            move || link.gauge.end()
        };
        let ended = async move {
            // Another process may hold the agent's output open.
            if timeout(grace, link.closed()).await.is_err() {
                link.peer.hang_up();
            }
        };
        self.supervise_until(over, hang_up, exited, ended);
    }
}
