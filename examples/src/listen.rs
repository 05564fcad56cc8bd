//! The option `--listen` of an example: it serves HTTP instead of stdio.

#[cfg(feature = "listen")]
mod server {
    use std::{future::pending, io, time::Duration};

    use acp_http::{HttpOptions, ServeHttp};
    use acp_runtime::agent::{Handlers, Serving};

    /// Serves an agent at this address until the process is told to end. The first line on stderr says where.
    ///
    /// # Errors
    ///
    /// The port cannot be opened, or other machines could reach it.
    pub async fn serve<A: Handlers + Send + Sync>(agent: A, address: &str) -> io::Result<()>
    where
        Serving<A::Threading>: Send,
    {
        // An example has nothing to lose that a person would wait for.
        let options = HttpOptions::new().drain_timeout(Duration::from_secs(1));
        let server = agent.serve_http(address).options(options).with_graceful_shutdown(told_to_end()).bind().await?;
        eprintln!("listening on {}", server.url());
        server.serve().await
    }

    /// Waits for `SIGTERM`, or for the keys Ctrl and C.
    async fn told_to_end() {
        #[cfg(unix)]
        let terminated = async {
            use tokio::signal::unix::{SignalKind, signal};
            match signal(SignalKind::terminate()) {
                Ok(mut signal) => drop(signal.recv().await),
                Err(_) => pending().await,
            }
        };
        #[cfg(not(unix))]
        let terminated = pending::<()>();
        tokio::select! {
            () = terminated => {}
            _ = tokio::signal::ctrl_c() => {}
        }
    }
}

#[cfg(feature = "listen")]
pub use server::serve;

/// Says how an example is built that can listen.
///
/// # Errors
///
/// Always.
#[cfg(not(feature = "listen"))]
pub async fn serve<A>(_: A, _: &str) -> std::io::Result<()> {
    Err(std::io::Error::other("this program was built without HTTP: build it with `--features listen`"))
}
