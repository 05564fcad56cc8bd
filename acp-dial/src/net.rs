//! What every request of a connection shares: the client of HTTP with its TLS, the cookies, the headers and the bounds.

use std::{io, sync::Arc, time::Duration};

use acp_peer::transport::Limits;
use reqwest::{Client, Url, cookie::Jar, header::HeaderMap, redirect};
use rustls::{ClientConfig, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::Http;

pub(crate) struct Net {
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) options: Http,
    /// The longest message that is read, in bytes.
    pub(crate) longest: usize,
    /// So many bytes are on their way at once.
    pub(crate) unsent: usize,
    pub(crate) client: Client,
    /// A balancer may find the process of a connection by a cookie.
    pub(crate) cookies: Arc<Jar>,
    pub(crate) tls: ClientConfig,
}

impl Net {
    pub(crate) fn new(url: Url, headers: HeaderMap, options: Http, limits: &Limits) -> io::Result<Self> {
        let (tls, cookies) = (tls()?, Arc::new(Jar::default()));
        let client = client(&tls, &cookies, &headers, &options)?;
        let (longest, unsent) = (limits.line_bytes, limits.unsent_soft_bytes);
        Ok(Self { url, headers, options, longest, unsent, client, cookies, tls })
    }

    /// The same without the cookies of the server.
    pub(crate) fn without_cookies(&self) -> io::Result<Self> {
        let cookies = Arc::new(Jar::default());
        let client = client(&self.tls, &cookies, &self.headers, &self.options)?;
        let (url, headers, options, tls) =
            (self.url.clone(), self.headers.clone(), self.options.clone(), self.tls.clone());
        Ok(Self { url, headers, options, longest: self.longest, unsent: self.unsent, client, cookies, tls })
    }

    /// Another client of the same kind, with connections of its own.
    pub(crate) fn client(&self) -> io::Result<Client> {
        client(&self.tls, &self.cookies, &self.headers, &self.options)
    }
}

fn client(tls: &ClientConfig, cookies: &Arc<Jar>, headers: &HeaderMap, options: &Http) -> io::Result<Client> {
    let mut tls = tls.clone();
    tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let mut client = Client::builder()
        .tls_backend_preconfigured(tls)
        .cookie_provider(cookies.clone())
        .default_headers(headers.clone())
        .connect_timeout(options.connect_timeout)
        // A login would follow to another place.
        .redirect(redirect::Policy::none())
        .tcp_nodelay(true)
        .tcp_keepalive(Duration::from_secs(30))
        .http2_keep_alive_interval(Duration::from_secs(20))
        .http2_keep_alive_timeout(Duration::from_secs(20))
        .http2_keep_alive_while_idle(true);
    if options.prior_knowledge {
        client = client.http2_prior_knowledge();
    }
    client.build().map_err(|error| io::Error::other(told(&error)))
}

/// TLS with the certificates that the system trusts, and a cryptography of its own: a program need not install one.
fn tls() -> io::Result<ClientConfig> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = builder.with_safe_default_protocol_versions().and_then(BuilderVerifierExt::with_platform_verifier);
    let config = config.map_err(|error| io::Error::other(format!("TLS cannot be used: {error}")))?;
    Ok(config.with_no_client_auth())
}

/// An error with its causes, for people. The URL is left out.
pub(crate) fn told(error: &reqwest::Error) -> String {
    let mut told = if error.is_connect() {
        "the server cannot be reached".to_owned()
    } else if error.is_timeout() {
        "the server did not answer in time".to_owned()
    } else {
        "the server was lost".to_owned()
    };
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let text = error.to_string();
        if !told.contains(&text) {
            told.push_str(": ");
            told.push_str(&text);
        }
        cause = error.source();
    }
    told
}
