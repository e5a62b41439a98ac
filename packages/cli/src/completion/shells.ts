import type { Candidate } from './candidates.js';

/** How a shell asks for candidates, and how the candidates are printed for the shell: one in a line. */
interface Shell {
  script: string;
  /** A word as the person means it. The shell passes what the person has typed. */
  read: (word: string) => string;
  /** Whether the shell takes `--option=value` for three words. */
  splitsAtEquals?: true;
  /** A tab separates a value from its text. */
  print: (candidate: Candidate) => string;
}

const isTyped = (word: string): string => word.replaceAll(/\\(.)/g, '$1');
/** Everything else could have a meaning in a shell. */
const NOT_PLAIN = /[^\p{L}\p{N}_./@%+,-]/gu;

export const SHELLS: Readonly<Record<string, Shell>> = {
  bash: {
    script: `# Completion of landlord. In ~/.bashrc: source <(landlord completion bash)
_landlord() {
  local IFS=$'\\n'
  COMPREPLY=($(landlord complete bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ \${#COMPREPLY[@]} -gt 0 ]]
}
complete -o default -F _landlord landlord`,
    read: isTyped,
    splitsAtEquals: true,
    // bash inserts a candidate as typed text, so a name with "$(…)" would be executed.
    print: ({ value }) => value.replaceAll(NOT_PLAIN, String.raw`\$&`),
  },
  zsh: {
    script: `#compdef landlord
# Completion of landlord. In ~/.zshrc, after compinit: source <(landlord completion zsh)
_landlord() {
  local -a lines
  lines=("\${(@f)$(landlord complete zsh "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n "$lines" ]] && _describe landlord lines
}
compdef _landlord landlord`,
    read: isTyped,
    print: ({ value, text }) => [value, text].map((one) => one.replaceAll(/[\\:]/g, String.raw`\$&`)).join(':'),
  },
  fish: {
    script: `# Completion of landlord. In ~/.config/fish/config.fish: landlord completion fish | source
complete -c landlord -f -a '(landlord complete fish (commandline -opc)[2..] (commandline -ct))'`,
    read: isTyped,
    print: ({ value, text }) => `${value}\t${text}`,
  },
};
