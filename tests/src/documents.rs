//! The documents that people meet first: the README, the pages of the guide and the CHANGELOG. The tests run their code blocks and
//! their commands.

use std::{fs, path::Path};

/// A document of the repository.
pub struct Document {
    /// Its path from the root of the repository.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A code block.
pub struct Block {
    /// The number of its opening line.
    pub line: usize,
    /// The words behind the opening backticks.
    pub fence: String,
    /// Its lines, without the indentation of the block.
    pub code: String,
}

/// The programs whose calls are commands, where they stand in the text.
const PROGRAMS: [&str; 9] = ["acp", "acp-codegen", "cargo", "coder", "kill", "llm", "pg_dump", "psql", "sqlite3"];

/// The folder of the guide's pages.
pub const GUIDE: &str = "acp-runtime/src/guide";

/// Reads a file of the repository.
///
/// # Panics
///
/// Panics if there is no such file.
pub fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of the guide's pages, without `.md`, in their order.
///
/// # Panics
///
/// Panics if there is no guide.
pub fn pages() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(GUIDE);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut pages: Vec<_> = names.filter_map(|name| name.strip_suffix(".md").map(str::to_owned)).collect();
    pages.sort();
    pages
}

/// All documents.
pub fn documents() -> Vec<Document> {
    let pages = pages().into_iter().map(|page| format!("{GUIDE}/{page}.md"));
    let paths = ["README.md", "CHANGELOG.md"].map(str::to_owned).into_iter().chain(pages);
    paths.map(|path| Document { text: read(&path), path }).collect()
}

impl Document {
    /// The name of the guide's page, if it is one.
    pub fn page(&self) -> Option<&str> {
        self.path.strip_prefix(GUIDE)?.strip_prefix('/')?.strip_suffix(".md")
    }

    /// The text of the document without its code blocks, and these.
    fn parts(&self) -> (String, Vec<Block>) {
        let (mut text, mut blocks, mut open) = (String::new(), Vec::<Block>::new(), None);
        for (at, line) in self.text.lines().enumerate() {
            let (indent, rest) = line.split_at(line.len() - line.trim_start().len());
            match open {
                Some(_) if rest == "```" => open = None,
                Some(width) => {
                    let code = line.get(width..).unwrap_or_default();
                    blocks.last_mut().expect("a block is open").code.extend([code, "\n"]);
                }
                None if rest.starts_with("```") => {
                    open = Some(indent.len());
                    let fence = rest.trim_start_matches('`').to_owned();
                    blocks.push(Block { line: at + 1, fence, code: String::new() });
                }
                None => text.extend([line, "\n"]),
            }
        }
        assert!(open.is_none(), "{}: a block does not end", self.path);
        (text, blocks)
    }

    /// The code blocks.
    pub fn blocks(&self) -> Vec<Block> {
        self.parts().1
    }

    /// The commands: the lines of the blocks for a shell, and the calls of programs in the text.
    pub fn commands(&self) -> Vec<String> {
        let (text, blocks) = self.parts();
        let shell = blocks.iter().filter(|block| block.fence == "sh").flat_map(Block::commands);
        let of_paragraph = |paragraph: &str| -> Vec<String> {
            let paragraph = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
            let spans = paragraph.split('`').skip(1).step_by(2);
            let is_command = |span: &&str| span.split_once(' ').is_some_and(|(program, _)| PROGRAMS.contains(&program));
            spans.filter(is_command).map(str::to_owned).collect()
        };
        let spans = text.split("\n\n").flat_map(of_paragraph);
        let mut commands: Vec<String> = shell.chain(spans).collect();
        commands.sort();
        commands.dedup();
        commands
    }
}

impl Block {
    /// The commands of a block for a shell, without comments.
    pub fn commands(&self) -> Vec<String> {
        let lines = self.code.lines().map(|line| line.split(" # ").next().unwrap_or_default().trim());
        lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }
}
