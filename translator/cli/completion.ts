// Generates the completion of shells from the table of commands.

import type { Command } from './command.js';
import { GLOBAL_FLAGS } from './flags.js';

type Commands = readonly Command[];

/** The first words of all commands, each once. */
const firstWords = (commands: Commands): readonly string[] => [
  ...new Set(commands.map(({ name }) => name.split(' ', 1)[0]!)),
];

/** The second words after a first word. */
const secondWords = (commands: Commands, first: string): readonly string[] =>
  commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []));

/** First words that a second word must follow. */
const families = (commands: Commands): readonly string[] =>
  firstWords(commands).filter((word) => secondWords(commands, word).length > 0);

const flagsOf = ({ flags }: Command): readonly string[] =>
  [...GLOBAL_FLAGS, ...flags].flatMap(({ name, short }) => [
    `--${name}`,
    ...(short === undefined ? [] : [`-${short}`]),
  ]);

/** The lines of a `case` with the flags of each command. @param assign the statement for the flags of one command */
const flagCases = (commands: Commands, assign: (flags: readonly string[]) => string): string =>
  commands
    .map((command) => {
      const pattern = command.name.includes(' ') ? `'${command.name}'` : `'${command.name} '*`;
      return `    ${pattern}) ${assign(flagsOf(command))} ;;\n`;
    })
    .join('');

/** For bash: `source <(configtxlator completion bash)`. Everything that is not a command or a flag is a file. */
export const bashCompletion = (commands: Commands): string => `# Completion of configtxlator for bash.
_configtxlator() {
  local cur=\${COMP_WORDS[COMP_CWORD]} command="\${COMP_WORDS[1]} \${COMP_WORDS[2]}" words=
  if [[ $COMP_CWORD -eq 1 ]]; then
    words='${firstWords(commands).join(' ')}'
  elif [[ $COMP_CWORD -eq 2 && $cur != -* ]]; then
    case "\${COMP_WORDS[1]}" in
    help) words='${firstWords(commands).join(' ')} network' ;;
    completion) words='bash zsh' ;;
${families(commands)
  .map((word) => `    ${word}) words='${secondWords(commands, word).join(' ')}' ;;\n`)
  .join('')}    esac
  elif [[ $cur == -* ]]; then
    case "$command" in
${flagCases(commands, (flags) => `words='${flags.join(' ')}'`)}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _configtxlator configtxlator
`;

/** For zsh: `source <(configtxlator completion zsh)`, after `compinit`. */
export const zshCompletion = (commands: Commands): string => `#compdef configtxlator
# Completion of configtxlator for zsh.
_configtxlator() {
  local command="\${words[2]} \${words[3]}"
  if (( CURRENT == 2 )); then
    compadd -- ${firstWords(commands).join(' ')}
  elif (( CURRENT == 3 )) && [[ $PREFIX != -* ]]; then
    case "\${words[2]}" in
    help) compadd -- ${firstWords(commands).join(' ')} network ;;
    completion) compadd -- bash zsh ;;
${families(commands)
  .map((word) => `    ${word}) compadd -- ${secondWords(commands, word).join(' ')} ;;\n`)
  .join('')}    *) _files ;;
    esac
  elif [[ $PREFIX == -* ]]; then
    case "$command" in
${flagCases(commands, (flags) => `compadd -- ${flags.join(' ')}`)}    esac
  else
    _files
  fi
}
if [[ \${funcstack[1]-} == _configtxlator ]]; then _configtxlator "$@"; else compdef _configtxlator configtxlator; fi
`;
