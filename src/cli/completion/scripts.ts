/**
 * The script that a shell runs at the Tab key: it calls `weir complete`, which prints one candidate a line, with its
 * description after a tab. If there are no candidates, the shell offers files.
 */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `# Completion of weir for bash.
_weir() {
  local line
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    [[ -n $line ]] && COMPREPLY+=("$line")
  done < <(weir complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _weir weir
`,
  zsh: `#compdef weir
# Completion of weir for zsh.
_weir() {
  local -a found described
  local line
  found=("\${(@f)$(weir complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $found; do
    [[ -n $line ]] && described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#described )); then _describe weir described; else _files; fi
}
if [[ $funcstack[1] == _weir ]]; then _weir "$@"; else compdef _weir weir; fi
`,
  fish: `# Completion of weir for fish.
function __weir_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (weir complete -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c weir -f -a '(__weir_complete)'
`,
};
