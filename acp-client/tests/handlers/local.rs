//! Clients whose handlers stay on one thread.

use acp_client::{
    Endpoint, ErrorKind, acp_client,
    transport::memory,
    values::{ContentChunk, ReadTextFileRequest},
};

use super::{ask, connect_as};

#[tokio::test]
async fn handlers_of_a_local_client_need_not_be_send() {
    struct Local;
    #[acp_client(local)]
    impl Local {
        async fn read_text_file(&self, request: ReadTextFileRequest) -> String {
            let path = std::rc::Rc::new(request.path);
            tokio::task::yield_now().await;
            path.display().to_string()
        }
        async fn agent_thought_chunk(&self, chunk: ContentChunk) {
            let chunk = std::rc::Rc::new(chunk);
            tokio::task::yield_now().await;
            drop(chunk);
        }
    }
    tokio::task::LocalSet::new()
        .run_until(async {
            let connection = connect_as(Local).await;
            let session = connection.new_session("/tmp").await.unwrap();
            assert_eq!(ask(&session, "read /tmp/a").await, "/tmp/a");
            assert_eq!(ask(&session, "words a b").await, "ab");
        })
        .await;
}

#[tokio::test]
async fn a_local_client_without_a_local_set_is_told_so_before_an_agent_starts() {
    struct Local;
    #[acp_client(local)]
    impl Local {
        async fn agent_thought_chunk(&self, _chunk: ContentChunk) {}
    }
    let error = Endpoint::program("no-such-agent").connect_as(Local).await.unwrap_err();
    assert!(error.to_string().contains("`local` connects within a `tokio::task::LocalSet`"), "{error}");
    let error = Endpoint::over(memory::pair().0).connect_as(Local).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Invalid(_)), "{error}");
    let within = tokio::task::LocalSet::new();
    let error = within.run_until(Endpoint::program("no-such-agent").connect_as(Local)).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Start { .. }), "{error}");
}
