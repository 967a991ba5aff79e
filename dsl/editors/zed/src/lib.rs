//! Starts `mancheck lsp`, which has to be in the path, for rules files.

use zed_extension_api::{self as zed, serde_json, settings::LspSettings, LanguageServerId, Result, Worktree};

struct Mancheck;

impl zed::Extension for Mancheck {
    fn new() -> Self {
        Mancheck
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<zed::Command> {
        let command = worktree.which("mancheck").ok_or("mancheck is not in the path")?;
        Ok(zed::Command { command, args: vec!["lsp".into()], env: worktree.shell_env() })
    }

    // No folder is trusted: Zed does not tell an extension whether one is, and the settings may be those of the folder.
    fn language_server_initialization_options(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Option<serde_json::Value>> {
        let set = LspSettings::for_worktree(id.as_ref(), worktree).ok().and_then(|s| s.initialization_options);
        let mut options = set.and_then(|s| s.as_object().cloned()).unwrap_or_default();
        options.insert("trusted".into(), false.into());
        Ok(Some(options.into()))
    }
}

zed::register_extension!(Mancheck);
