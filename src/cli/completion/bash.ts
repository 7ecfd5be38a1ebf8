/**
 * The completion script of bash. The other shells have theirs from @bomb.sh/tab; its script for bash evaluates the words
 * typed so far (a TAB after `$(…)` would run it), hands candidates to `compgen -W`, which expands them once more, needs
 * the bash-completion package and cannot be sourced twice.
 */
export const BASH_SCRIPT = `# bash completion for agent-ledger
_agent_ledger() {
  local typed word joined line answer
  typed=\${COMP_LINE:0:COMP_POINT}
  word=\${typed##*[[:space:]]}
  # bash ends a word at = and : and replaces only what follows; candidates are whole.
  joined=\${word%"\${word##*[=:]}"}
  COMPREPLY=()
  answer=$(agent-ledger complete --line -- "$typed" 2>/dev/null)
  while IFS= read -r line; do
    case $line in
      :0) compopt -o default 2>/dev/null ;;
      :*) ;;
      *) line=\${line%%$'\\t'*}; COMPREPLY+=("\${line#"$joined"}") ;;
    esac
  done <<< "$answer"
}
complete -F _agent_ledger agent-ledger
`
