/// A shell that completes command lines.
enum CompletionShell: String, CaseIterable {
    case bash
    case zsh
    case fish

    /// What the program answers instead of words where the shell itself knows better.
    static let files = ":files"

    /// The script that makes the shell ask `runnerctl completions` for the words that fit.
    var script: String {
        switch self {
        case .bash:
            """
            # Completes runnerctl in bash; load it with: source <(runnerctl completions bash)
            _runnerctl() {
                local answer
                COMPREPLY=()
                answer=$(runnerctl completions bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || return 0
                if [[ $answer == \(Self.files) ]]; then
                    compopt -o default 2>/dev/null
                elif [[ -n $answer ]]; then
                    mapfile -t COMPREPLY <<<"$answer"
                fi
            }
            complete -F _runnerctl runnerctl

            """
        case .zsh:
            """
            #compdef runnerctl
            # Completes runnerctl in zsh; load it with: source <(runnerctl completions zsh)
            _runnerctl() {
                local -a answer
                answer=("${(@f)$(runnerctl completions zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
                if [[ ${answer[1]} == \(Self.files) ]]; then
                    _files
                elif [[ -n ${answer[1]} ]]; then
                    _describe runnerctl answer
                fi
            }
            if [[ ${funcstack[1]} == _runnerctl ]]; then _runnerctl "$@"; else compdef _runnerctl runnerctl; fi

            """
        case .fish:
            """
            # Completes runnerctl in fish; load it with: runnerctl completions fish | source
            function __runnerctl_words
                set -l words (commandline -opc)
                set -l current (commandline -ct)
                set -l answer (runnerctl completions fish -- $words[2..] "$current" 2>/dev/null)
                if test "$answer[1]" = \(Self.files)
                    __fish_complete_path "$current"
                else if set -q answer[1]
                    printf '%s\\n' $answer
                end
            end
            complete -c runnerctl -f -a '(__runnerctl_words)'

            """
        }
    }

    /// One word as a line of the answer.
    func line(_ word: Completer.Word) -> String {
        switch self {
        case .bash: word.text
        case .zsh where word.summary.isEmpty: Self.escaped(word.text)
        case .zsh: "\(Self.escaped(word.text)):\(word.summary)"
        case .fish where word.summary.isEmpty: word.text
        case .fish: "\(word.text)\t\(word.summary)"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "\\:")
    }
}
