//! An agent of the vendor Acme, which adds methods to the protocol in both directions. The client asks for a review of a file,
//! and says that a file is not interesting. The agent asks the client to show a place in its editor, and tells its progress.
//!
//! `acme.json` describes these methods in the form of the protocol's schema, and refers to the schema's types. The generated
//! module has Acme's types; all others are the runtime's, so a finding's content is a content block of a turn. A handler names
//! its method by the generated marker, and so does a call. `tests/process.rs` has the client.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use acp_runtime::prelude::*;

use schema::{
    DismissNotification, OpenEditorRequest, ProgressNotification, ReviewDepth, ReviewFinding, ReviewRequest,
    ReviewResponse, methods,
};

/// Acme's types and methods, beside those of the protocol. `build.rs` generates it.
pub mod schema {
    include!(concat!(env!("OUT_DIR"), "/acme.rs"));
}

/// Reviews files.
#[acp_agent(ext_listing = "_acme.dev/extensions")]
#[derive(Clone, Default)]
pub struct Reviewer {
    dismissed: Arc<Mutex<BTreeSet<PathBuf>>>,
}

#[acp_agent]
impl Reviewer {
    /// The text of a prompt is the path of a file.
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let path = PathBuf::from(request.text().trim());
        if !path.is_absolute() {
            turn.message("Name a file to review, with its absolute path.").await?;
            return Ok(StopReason::EndTurn);
        }
        let client = turn.client();
        for ReviewFinding { content, location, .. } in self.findings(&path, ReviewDepth::Quick) {
            turn.tool_call(format!("Review {}", path.display()))
                .location_at(&location.path, location.line.unwrap_or(1))
                .start()
                .await?
                .complete(content.clone())
                .await?;
            turn.message(content).await?;
            let editor = client.call::<methods::OpenEditor>(&OpenEditorRequest::new(location)).await?;
            if !editor.shown {
                turn.message("Open the file to see the place.").await?;
            }
        }
        client.notify::<methods::Progress>(&ProgressNotification::new(100)).await?;
        Ok(StopReason::EndTurn)
    }

    /// Reviews one file.
    #[ext(methods::Review)]
    async fn review(&self, request: ReviewRequest) -> Result<ReviewResponse> {
        if !request.path.is_absolute() {
            return Err(Error::invalid_params("`path` must be absolute"));
        }
        let depth = request.depth.unwrap_or(ReviewDepth::Quick);
        Ok(ReviewResponse::new(self.findings(&request.path, depth)))
    }

    /// Forgets a file.
    #[ext(methods::Dismiss)]
    async fn dismiss(&self, notification: DismissNotification) -> Result<()> {
        self.dismissed.lock().unwrap_or_else(PoisonError::into_inner).insert(notification.path);
        Ok(())
    }
}

impl Reviewer {
    fn findings(&self, path: &Path, depth: ReviewDepth) -> Vec<ReviewFinding> {
        if self.dismissed.lock().unwrap_or_else(PoisonError::into_inner).contains(path) {
            return Vec::new();
        }
        let remark = match depth {
            ReviewDepth::Quick => "looks fine",
            ReviewDepth::Thorough => "looks fine, line by line",
        };
        vec![ReviewFinding::new(remark.into(), ToolCallLocation::new(path).line(1))]
    }
}
