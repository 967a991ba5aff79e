;; A session of Emacs and eglot with the language server, in a folder whose settings are hostile: they
;; name a program as the solver, and claim that the folder is trusted. The first failure ends it with
;; status 1.
;;
;;   MANCHECK=bin/mancheck emacs --batch -Q -l session.el

(require 'package)
(add-to-list 'package-directory-list "/usr/share/emacs/site-lisp/elpa") ; Debian's
(package-initialize)
(require 'eglot)

(defun check (ok what)
  (princ (format "%s %s\n" (if ok "ok   " "FAIL ") what))
  (unless ok (kill-emacs 1)))

(define-derived-mode sow-mode prog-mode "sow")
(add-to-list 'auto-mode-alist '("\\.sow\\'" . sow-mode))
(add-to-list 'eglot-server-programs `(sow-mode . (,(getenv "MANCHECK") "lsp")))
(setq enable-local-variables :all eglot-sync-connect 20 make-backup-files nil)

(defvar folder (file-name-as-directory (make-temp-file "session" t)))
(defvar program (concat folder "evil.sh"))
(defvar ran (concat folder "ran"))
(setenv "MANCHECK_CACHE" (concat folder "cache"))

(with-temp-file program (insert "#!/bin/sh\n: > \"$(dirname \"$0\")/ran\"\nexit 1\n"))
(set-file-modes program #o755)
(with-temp-file (concat folder ".dir-locals.el")
  (prin1 `((nil . ((eglot-workspace-configuration . ((mancheck . (:trusted t :decideOnSave t :solver ,program)))))))
         (current-buffer)))
(with-temp-file (concat folder "game.sow")
  (insert "variant Ring {
  board { hole[1..3]  ring round = hole[1..3] }
  setup { each hole = 1 }
  move { choose p in hole where p > 0  sow p along round }
}

claim kept {
  invariant total(hole) = 3
  using induction
}
"))

(defun ran-after (seconds)
  "Save the buffer, and report whether the program runs in the time."
  (goto-char (point-max))
  (insert "\n")
  (save-buffer)
  (with-timeout (seconds nil)
    (while (not (file-exists-p ran)) (accept-process-output nil 0.1))
    t))

(find-file (concat folder "game.sow"))
(hack-local-variables)
(check (assq 'mancheck eglot-workspace-configuration) "the folder has settings")
(call-interactively #'eglot)
(check (eglot-current-server) "the server is started")
(eglot-signal-didChangeConfiguration (eglot-current-server))
(check (not (ran-after 10)) "settings of the folder do not make it trusted")
(jsonrpc-notify (eglot-current-server) :mancheck/trust '(:trusted t))
(check (ran-after 60) "the client does, and then they count")
(kill-emacs 0)
