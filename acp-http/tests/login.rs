//! Who may reach the server, and whose a connection is.

use acp_http::{Endpoint, HttpOptions, Principal, ServeHttp};
use acp_runtime::agent::Host;
use axum::{
    Router,
    extract::Request,
    middleware::{self, Next},
    routing::get,
};
use serde_json::json;

use crate::{
    agent::{Server, Worker, soon, until},
    client::{Client, initialize},
};

#[tokio::test]
async fn pages_of_others_and_other_names_are_refused_before_anything_else() {
    let server = Server::new(HttpOptions::new().origin("https://editor.example.com")).await;
    let client = Client::new(&server);
    let status = async |name: &'static str, value: &str| {
        client.clone().with(name, value).post(&initialize()).await.status().as_u16()
    };
    assert_eq!(status("origin", "https://evil.example").await, 403);
    assert_eq!(status("origin", "null").await, 403);
    assert_eq!(status("host", "evil.example").await, 421);
    assert_eq!(server.endpoint.connections(), 0);
    assert_eq!(status("origin", "https://editor.example.com").await, 200);
    let http2 = Client::http2(&server).with("origin", "https://evil.example").post(&initialize()).await;
    assert_eq!(http2.status(), 403);
}

#[tokio::test]
async fn a_server_for_other_machines_needs_a_login() {
    let refused = Worker::default().serve_http("0.0.0.0:0").bind().await.unwrap_err();
    assert!(refused.to_string().contains("bearer_token_file"), "{refused}");
    let _ = Worker::default().serve_http("0.0.0.0:0").without_login().bind().await.unwrap();
    let short = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(short.path(), "short").unwrap();
    let refused = Worker::default().serve_http("0.0.0.0:0").bearer_token_file(short.path()).bind().await.unwrap_err();
    assert!(refused.to_string().contains("16 characters"), "{refused}");
}

#[tokio::test]
async fn a_request_without_the_token_is_not_served() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "0123456789abcdef\n").unwrap();
    let worker = Worker::default();
    let counts = worker.0.clone();
    let server =
        Server::of(worker.serve_http("127.0.0.1:0").bearer_token_file(file.path()).bind().await.unwrap(), counts);
    for wrong in
        ["Bearer 0123456789abcdee", "Bearer", "0123456789abcdef", "Basic 0123456789abcdef", "Bearer 0123456789abcdef0"]
    {
        let answer = Client::new(&server).with("authorization", wrong).post(&initialize()).await;
        assert_eq!(answer.status(), 401, "{wrong}");
        assert_eq!(answer.headers()["www-authenticate"], "Bearer");
    }
    assert_eq!(Client::new(&server).post(&initialize()).await.status(), 401);
    let (client, _events, id) = Client::new(&server).with("authorization", "bearer 0123456789abcdef").connect().await;
    let mut session = client.events(Some(&id)).await;
    client.prompt(7, &id, "who").await;
    assert_eq!(session.until_answer(7).await.0, "Hello bearer");
}

#[tokio::test]
async fn further_paths_need_no_token_but_the_names_of_the_server() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "0123456789abcdef").unwrap();
    let page = Router::new().route("/", get(async || "the page"));
    let server = Worker::default().serve_http("127.0.0.1:0").bearer_token_file(file.path()).routes(page);
    let server = Server::of(server.bind().await.unwrap(), std::sync::Arc::default());
    let client = Client::new(&server);
    let answer = async |name: &'static str, value: &str| {
        let request = client.http.get(server.url.replace("/acp", "/")).header(name, value).send().await.unwrap();
        (request.status().as_u16(), request.text().await.unwrap())
    };
    assert_eq!(answer("accept", "*/*").await, (200, "the page".to_owned()));
    assert_eq!(answer("host", "evil.example").await.0, 421);
    assert_eq!(answer("origin", "https://evil.example").await.0, 403);
    assert_eq!(client.post(&initialize()).await.status(), 401, "the endpoint has its login");
    let nothing = client.http.get(server.url.replace("/acp", "/nothing")).send().await.unwrap();
    assert_eq!(nothing.status(), 404);
}

/// A server whose middleware believes the header `x-user`.
async fn of_users() -> Server {
    let (worker, listener) = (Worker::default(), tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap());
    let (counts, host) = (worker.0.clone(), Host::new(worker));
    let endpoint = Endpoint::new(&host, HttpOptions::new());
    let router = Router::new().route_service("/users/acp", endpoint.clone()).layer(middleware::from_fn(
        async |mut request: Request, next: Next| {
            let user = request.headers().get("x-user").map(|user| user.to_str().unwrap().to_owned());
            user.map(|user| request.extensions_mut().insert(Principal::new(user)));
            next.run(request).await
        },
    ));
    let url = format!("http://{}/users/acp", listener.local_addr().unwrap());
    let serving = tokio::spawn(axum::serve(listener, router).into_future());
    Server { url, endpoint, counts, serving }
}

#[tokio::test]
async fn a_connection_is_its_principals() {
    let server = of_users().await;
    let endpoint = &server.endpoint;
    let (ann, mut events, id) = Client::new(&server).with("x-user", "ann").connect().await;
    let mut session = ann.events(Some(&id)).await;
    ann.prompt(7, &id, "who").await;
    assert_eq!(session.until_answer(7).await.0, "Hello ann");
    let nobody = {
        let mut client = ann.clone();
        client.headers.remove("x-user");
        client
    };
    for other in [ann.clone().with("x-user", "bob"), nobody] {
        let new = json!({ "cwd": "/", "mcpServers": [] });
        assert_eq!(other.call(9, "session/new", new).await.status(), 404);
        assert_eq!(other.open(None, Some(&events.last)).await.status(), 404);
        assert_eq!(other.request(reqwest::Method::DELETE).send().await.unwrap().status(), 404);
    }
    // The end of a login ends what is open.
    endpoint.revoke(&Principal::new("bob"));
    ann.new_session(&mut events).await;
    endpoint.revoke(&Principal::new("ann"));
    assert_eq!(soon("the end of the stream", events.read()).await, None);
    until("the end of the connection", || endpoint.connections() == 0).await;
}
