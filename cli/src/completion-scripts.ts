/** The completion scripts of the shells. Each script calls the program itself, so it stays current. */

const bash = `# clearing: completion for bash. In ~/.bashrc:  source <(clearing completion bash)
_clearing() {
  local IFS=$'\\n' words
  words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=($(CLEARING_COMPLETE=values "\${COMP_WORDS[0]}" "\${words[@]}" 2>/dev/null))
}
# A word may hold a dot and a colon.
COMP_WORDBREAKS=\${COMP_WORDBREAKS//:/}
complete -o default -F _clearing clearing
`

const zsh = `#compdef clearing
# clearing: completion for zsh. In ~/.zshrc, after compinit:  source <(clearing completion zsh)
_clearing() {
  local -a lines
  lines=("\${(@f)$(CLEARING_COMPLETE=described "\${words[1]}" "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${lines[1]}" ]]; then
    _describe 'clearing' lines
  else
    _files
  fi
}
compdef _clearing clearing
`

const fish = `# clearing: completion for fish. In ~/.config/fish/config.fish:  clearing completion fish | source
function __clearing_complete
    set -l words (commandline -opc) (commandline -ct)
    CLEARING_COMPLETE=tabbed $words[1] $words[2..-1] 2>/dev/null
end
complete -c clearing -a '(__clearing_complete)'
`

export const completionScripts = { bash, zsh, fish } as const
export type Shell = keyof typeof completionScripts

/** The form of a candidate for each shell. */
export const renderings: Readonly<
  Record<string, (candidate: { readonly value: string; readonly summary: string }) => string>
> = {
  values: ({ value }) => value,
  described: ({ value, summary }) => (summary === '' ? value : `${value.replaceAll(':', '\\:')}:${summary}`),
  tabbed: ({ value, summary }) => (summary === '' ? value : `${value}\t${summary}`),
}
