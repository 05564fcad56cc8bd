use PermissionOptionKind::{AllowAlways, AllowOnce, RejectAlways, RejectOnce};

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

fn request(kind: Option<ToolKind>, title: &str, offer: &[(&str, PermissionOptionKind)]) -> RequestPermissionRequest {
    let options = offer.iter().map(|(id, kind)| PermissionOption::new(*id, *id, *kind)).collect();
    let call = ToolCallUpdate::new("call").kind(kind).title(title.to_owned());
    RequestPermissionRequest::new("session", call, options)
}

async fn answer(permissions: &Permissions, request: RequestPermissionRequest) -> Option<String> {
    match permissions.request_permission(request).await.unwrap().outcome {
        RequestPermissionOutcome::Selected(selected) => Some(AsRef::<str>::as_ref(&selected.option_id).to_owned()),
        _ => None,
    }
}

const ALL: [(&str, PermissionOptionKind); 4] =
    [("always", AllowAlways), ("never", RejectAlways), ("yes", AllowOnce), ("no", RejectOnce)];

#[tokio::test]
async fn nothing_is_selected_that_was_not_offered_or_allows_more() {
    let once = Permissions::allow();
    assert_eq!(answer(&once, request(None, "", &ALL)).await.as_deref(), Some("yes"));
    assert_eq!(
        answer(&once, request(None, "", &[ALL[0], ALL[3]])).await.as_deref(),
        Some("no"),
        "always is more than once"
    );
    assert_eq!(answer(&once, request(None, "", &[ALL[0]])).await, None);
    assert_eq!(answer(&once, request(None, "", &[])).await, None);
    let made_up = Permissions::ask(|_| async { Decision::Pick("made up".into()) });
    assert_eq!(answer(&made_up, request(None, "", &ALL)).await.as_deref(), Some("no"));
    assert_eq!(answer(&made_up, request(None, "", &ALL[..2])).await.as_deref(), Some("never"));
    let picked = Permissions::ask(|_| async { Decision::Pick("yes".into()) });
    assert_eq!(answer(&picked, request(None, "", &ALL)).await.as_deref(), Some("yes"));
    let dismissed = Permissions::ask(|_| async { Decision::Dismiss });
    assert_eq!(answer(&dismissed, request(None, "", &ALL)).await, None);
}

#[tokio::test]
async fn an_id_of_two_options_is_not_selected() {
    let twice = [("yes", AllowOnce), ("yes", AllowAlways), ("no", RejectOnce)];
    assert_eq!(answer(&Permissions::allow(), request(None, "", &twice)).await.as_deref(), Some("no"));
    let picked = Permissions::ask(|_| async { Decision::Pick("yes".into()) });
    assert_eq!(answer(&picked, request(None, "", &twice[..2])).await, None);
}

#[tokio::test]
async fn only_reads_are_allowed_where_only_reads_are() {
    let reads = Permissions::reads_only();
    for (kind, expected) in [
        (Some(ToolKind::Read), "yes"),
        (Some(ToolKind::Search), "yes"),
        (Some(ToolKind::Think), "yes"),
        (Some(ToolKind::Edit), "no"),
        (Some(ToolKind::Execute), "no"),
        (Some(ToolKind::Fetch), "no"),
        (Some(ToolKind::Other), "no"),
        (None, "no"),
    ] {
        assert_eq!(answer(&reads, request(kind, "", &ALL)).await.as_deref(), Some(expected), "{kind:?}");
    }
}

#[tokio::test]
async fn what_is_decided_for_good_is_not_asked_again_in_the_session() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let permissions = Permissions::ask(move |request| {
        count.fetch_add(1, Ordering::Relaxed);
        async move {
            match request.tool_call.title.as_deref() {
                Some("rm") => Decision::RejectAlways,
                Some("pick") => Decision::Pick("always".into()),
                Some("once") => Decision::AllowOnce,
                _ => Decision::AllowAlways,
            }
        }
    });
    let execute = Some(ToolKind::Execute);
    let expect = async |kind, title: &str, answered: &str, times: usize| {
        assert_eq!(answer(&permissions, request(kind, title, &ALL)).await.as_deref(), Some(answered), "{title}");
        assert_eq!(asked.load(Ordering::Relaxed), times, "{title}");
    };
    expect(execute, "once", "yes", 1).await;
    expect(execute, "once", "yes", 2).await;
    expect(execute, "ls", "always", 3).await;
    expect(execute, "ls", "always", 3).await;
    // An earlier answer does not count for another command. It counts for an edit of another file.
    expect(execute, "rm", "never", 4).await;
    expect(execute, "rm", "never", 4).await;
    expect(Some(ToolKind::Edit), "one", "always", 5).await;
    expect(Some(ToolKind::Edit), "other", "always", 5).await;
    expect(None, "pick", "always", 6).await;
    expect(None, "pick", "always", 6).await;
    // An earlier answer does not count for another label of an option or for another session.
    let mut renamed = request(execute, "ls", &ALL);
    renamed.options[0].name = "Always, and everywhere".to_owned();
    answer(&permissions, renamed).await;
    assert_eq!(asked.load(Ordering::Relaxed), 7);
    let mut elsewhere = request(execute, "ls", &ALL);
    elsewhere.session_id = "another".into();
    answer(&permissions, elsewhere).await;
    assert_eq!(asked.load(Ordering::Relaxed), 8);
    permissions.forget(&"session".into());
    expect(execute, "ls", "always", 9).await;
}

#[tokio::test]
async fn always_is_remembered_here_where_the_agent_offers_only_once() {
    let permissions = Permissions::ask(|_| async { Decision::AllowAlways });
    let once = [("yes", AllowOnce), ("no", RejectOnce)];
    assert_eq!(answer(&permissions, request(None, "a", &once)).await.as_deref(), Some("yes"));
    assert!(
        permissions
            .recall(&"session".into(), &request(None, "a", &once).tool_call, &Offer(request(None, "a", &once).options))
            .is_some()
    );
}
