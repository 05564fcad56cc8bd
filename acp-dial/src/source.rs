//! The transport, and its receiving end.

use std::{fmt, io};

use acp_peer::transport::{Limits, Outbox, OutboxStream, Receive, Source, StreamReader, Transport};

use crate::{Http, again, net::Net};

impl Transport for Http {
    type Source = HttpSource;

    /// Reads the options. The server is reached when the first message is sent.
    ///
    /// # Errors
    ///
    /// The URL or a header is wrong, or the system's certificates cannot be read.
    fn open(self, limits: &Limits) -> io::Result<(HttpSource, Outbox)> {
        let (url, headers) = (self.checked()?, self.checked_headers()?);
        let own = OutboxStream::new(limits);
        let messages = own.reader().expect("the stream is new");
        let net = Net::new(url, headers, self, limits)?;
        Ok((HttpSource { net, messages }, Outbox::routed(own.clone(), move |_| Some(own.clone()))))
    }
}

/// The receiving end of [`Http`](crate::Http).
#[doc(hidden)] // `<Http as Transport>::Source` names it
pub struct HttpSource {
    net: Net,
    /// The messages of the client.
    messages: StreamReader,
}

impl Source for HttpSource {
    async fn run<R: Receive>(self, receive: &mut R, outbox: &Outbox) -> io::Result<()> {
        let Self { net, messages } = self;
        again::run(net, messages, receive, outbox).await
    }
}

impl fmt::Debug for HttpSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpSource").field("to", &self.net.options).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(http: Http) -> String {
        http.open(&Limits::new()).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[tokio::test]
    async fn what_is_wrong_is_said_before_anything_is_sent() {
        assert!(refusal(Http::new("agent")).contains("URL of the agent is wrong"));
        assert!(refusal(Http::new("ftp://agent/acp")).contains("`ftp:`"));
        let told = refusal(Http::new("https://ann:secret@agent/acp"));
        assert!(told.contains("Http::bearer") && !told.contains("secret"), "{told}");
        let told = refusal(Http::new("http://agent/acp").bearer("sec\nret"));
        assert!(told.contains("authorization") && !told.contains("ret\""), "{told}");
        assert_eq!(refusal(Http::new("wss://agent/acp").bearer("token")), "");
    }
}
