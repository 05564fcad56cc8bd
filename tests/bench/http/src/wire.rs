//! Connections of TCP that speak HTTP/1.1 or HTTP/2.

use std::{net::SocketAddr, time::Duration};

use http_body_util::Full;
use hyper::{
    Request, Response, Uri,
    body::{Bytes, Incoming},
    client::conn::{http1, http2},
    header::HOST,
};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::{
    net::{TcpSocket, TcpStream},
    sync::Mutex,
};

use crate::Result;

/// How a client reaches a server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Version {
    /// Each stream has a connection of TCP.
    Http1,
    /// All streams of a client have one.
    Http2,
}

/// A server's address, and how a client reaches it.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub address: SocketAddr,
    pub version: Version,
}

/// The requests of a client.
pub enum Requests {
    Http1(Place, Mutex<http1::SendRequest<Full<Bytes>>>),
    Http2(Place, http2::SendRequest<Full<Bytes>>),
}

/// A stream that nobody reads takes so many bytes with HTTP/2, and a multiple of it in buffers of the system with HTTP/1.1.
const STREAM_WINDOW: u32 = 64 * 1024;

/// So many such streams may stand still on one connection.
const STALLED: u32 = 150;

impl Requests {
    pub async fn open(place: Place) -> Result<Self> {
        Ok(match place.version {
            Version::Http1 => Self::Http1(place, Mutex::new(dial(place).await?)),
            Version::Http2 => {
                let io = TokioIo::new(tcp(place).await?);
                let mut http = http2::Builder::new(TokioExecutor::new());
                http.initial_stream_window_size(STREAM_WINDOW);
                http.initial_connection_window_size(STALLED * STREAM_WINDOW);
                let (requests, connection) = http.handshake(io).await?;
                tokio::spawn(connection);
                Self::Http2(place, requests)
            }
        })
    }

    /// Sends a request whose answer is short. With HTTP/1.1, one goes after the other.
    pub async fn send(&self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>> {
        match self {
            Self::Http1(place, requests) => {
                let mut requests = requests.lock().await;
                // Servers close connections that say nothing for a time.
                if requests.ready().await.is_err() {
                    *requests = dial(*place).await?;
                    requests.ready().await?;
                }
                Ok(requests.send_request(addressed(*place, request)?).await?)
            }
            Self::Http2(place, requests) => self.over_http2(*place, requests, request).await,
        }
    }

    /// Sends a request whose answer is a stream.
    pub async fn stream(&self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>> {
        match self {
            Self::Http1(place, _) => Ok(dial(*place).await?.send_request(addressed(*place, request)?).await?),
            Self::Http2(place, requests) => self.over_http2(*place, requests, request).await,
        }
    }

    async fn over_http2(
        &self,
        place: Place,
        requests: &http2::SendRequest<Full<Bytes>>,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>> {
        let mut requests = requests.clone();
        requests.ready().await?;
        Ok(requests.send_request(addressed(place, request)?).await?)
    }
}

async fn dial(place: Place) -> Result<http1::SendRequest<Full<Bytes>>> {
    let (requests, connection) = http1::handshake(TokioIo::new(tcp(place).await?)).await?;
    tokio::spawn(connection);
    Ok(requests)
}

async fn tcp(Place { address, version }: Place) -> Result<TcpStream> {
    for wait in [1, 10, 100, 1000] {
        let socket = TcpSocket::new_v4()?;
        if version == Version::Http1 {
            socket.set_recv_buffer_size(STREAM_WINDOW)?;
        }
        // The queue of the port may be full.
        match tokio::time::timeout(Duration::from_secs(10), socket.connect(address)).await? {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AddrNotAvailable => return Err(error.into()),
            Err(_) => tokio::time::sleep(Duration::from_millis(wait)).await,
        }
    }
    Err("the server takes no connection".into())
}

fn addressed(Place { address, version }: Place, mut request: Request<Full<Bytes>>) -> Result<Request<Full<Bytes>>> {
    match version {
        Version::Http1 => {
            *request.uri_mut() = Uri::from_static("/acp");
            request.headers_mut().insert(HOST, address.to_string().parse()?);
        }
        Version::Http2 => *request.uri_mut() = format!("http://{address}/acp").parse()?,
    }
    Ok(request)
}
