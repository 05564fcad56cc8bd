//! Accepts the connections of TCP, bounds the time of their first bytes and of each head, and ends them with the server.

use std::{io, time::Duration};

use axum::Router;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto, graceful::GracefulShutdown},
    service::TowerToHyperService,
};
use tokio::net::TcpListener;

use super::first_bytes::FirstBytes;
use crate::HttpOptions;

/// HTTP/2 has one connection for all streams of a client, and further requests beside them.
const BESIDE_STREAMS: u32 = 64;

/// How long connections may take to send their last bytes when the server has ended.
const LAST_BYTES: Duration = Duration::from_secs(2);

/// Serves until `drained` ends. It begins when the server is told to end, and the server answers meanwhile.
pub(super) async fn run(
    listener: TcpListener,
    router: Router,
    options: &HttpOptions,
    drained: impl Future<Output = ()>,
) -> io::Result<()> {
    let server = server(options);
    let graceful = GracefulShutdown::new();
    tokio::pin!(drained);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut drained => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) if is_of_one(&error) => continue,
            // The process has too many descriptors open: others close meanwhile.
            Err(error) => {
                tracing::warn!(target: acp_peer::TARGET, "no connection is accepted for a second: {error}");
                tokio::time::sleep(Duration::from_secs(1)).await;
                continue;
            }
        };
        // Messages are small, and nobody wants to wait for the next one.
        let _ = stream.set_nodelay(true);
        let io = TokioIo::new(FirstBytes::new(stream, options.head_timeout));
        let serving = server.serve_connection_with_upgrades(io, TowerToHyperService::new(router.clone())).into_owned();
        let serving = graceful.watch(serving);
        tokio::spawn(async move {
            if let Err(error) = serving.await {
                tracing::debug!(target: acp_peer::TARGET, "a connection of TCP ended: {error}");
            }
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(LAST_BYTES, graceful.shutdown()).await;
    Ok(())
}

fn server(options: &HttpOptions) -> auto::Builder<TokioExecutor> {
    let mut server = auto::Builder::new(TokioExecutor::new());
    server.http1().timer(TokioTimer::new()).header_read_timeout(options.head_timeout);
    let streams = u32::try_from(options.max_session_streams).unwrap_or(u32::MAX).saturating_add(BESIDE_STREAMS);
    server
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(streams)
        .keep_alive_interval(options.keepalive)
        .keep_alive_timeout(options.stall_timeout)
        .enable_connect_protocol();
    server
}

/// Whether an error is about the connection that was to be accepted, and not about the port.
fn is_of_one(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
