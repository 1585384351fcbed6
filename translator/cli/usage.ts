// Generates the help pages from the table of commands.

import { argumentsOf, type Argument, type Command } from './command.js';
import { COMMANDS } from './commands/index.js';
import { GLOBAL_FLAGS, type Flag } from './flag.js';
import { NETWORK_FLAGS } from './network-flags.js';

const PROGRAM = 'configtxlator';
/** The description of the program. */
export const PROGRAM_HELP = 'Translates Hyperledger Fabric channel configuration between protobuf and JSON.';
/** Maximum width of the first column of a list of flags. */
const MAX_TERM = 30;
const INDENT = '  ';

/** The help page of the program. */
export function overview(columns: number): string {
  const commands = COMMANDS.map(
    (command) => `${INDENT}${synopsis(command)}\n${wrap(command.help, columns, INDENT.repeat(2))}\n`,
  );
  return `${head(columns)}Commands:\n${commands.join('\n')}\n`;
}

/** The help page of one command. */
export function commandPage(command: Command, columns: number): string {
  const terms = argumentsOf(command).map((each) => [writtenArgument(command, each), each.help] as const);
  const args = terms.length === 0 ? '' : `\nArgs:\n${list(terms, columns)}`;
  const flags = list([...GLOBAL_FLAGS, ...ownFlags(command)].map(termOf), columns);
  const network = command.flags.filter((flag) => NETWORK_FLAGS.includes(flag));
  const more = network.length === 0 ? '' : networkSection(network, columns);
  return `usage: ${PROGRAM} ${synopsis(command)}\n\n${wrap(command.help, columns)}\n\nFlags:\n${flags}${more}${args}\n`;
}

/** The help page of the program with the flags of every command. */
export function longPage(columns: number): string {
  const commands = COMMANDS.map((command) => {
    const flags = list(ownFlags(command).map(termOf), columns, INDENT.repeat(2));
    const help = wrap(command.help, columns, INDENT.repeat(2));
    return `${INDENT}${synopsis(command)}\n${help}\n${flags === '' ? '' : `\n${flags}`}`;
  });
  return `${head(columns)}Commands:\n${commands.join('\n')}${networkSection(NETWORK_FLAGS, columns)}\n`;
}

/** The flags of a command except those that it shares with others. */
export const ownFlags = ({ flags }: Command): readonly Flag[] =>
  flags.filter((flag) => !NETWORK_FLAGS.includes(flag));

/** The title of the flags that commands share. */
export const NETWORK_TITLE = 'Identity and network, for commands that sign or ask orderers';

const networkSection = (flags: readonly Flag[], columns: number): string =>
  `\n${NETWORK_TITLE}:\n${list(flags.map(termOf), columns)}`;

/** The synopsis of a command: its name, required flags, and optional flags and arguments. */
export function synopsis(command: Command): string {
  const { name, flags } = command;
  const required = flags.filter(({ isRequired }) => isRequired === true).map((flag) => writtenFlag(flag));
  const optional = flags.some(({ isRequired }) => isRequired !== true) ? ['[<flags>]'] : [];
  const args = argumentsOf(command).map((each) => {
    const written = writtenArgument(command, each);
    return each.isRepeatable ? written.replace(/\]?$/, '...$&') : written;
  });
  return [name, ...required, ...optional, ...args].join(' ');
}

/** An argument; those of a command with several ones are required. */
const writtenArgument = ({ moreArguments }: Command, { name }: Argument): string =>
  moreArguments === undefined ? `[<${name}>]` : `<${name}>`;

/** A flag with its default or a placeholder, such as `--port=7059` or `--type=TYPE`. */
export function writtenFlag({ name, kind, fallback, isRepeatable }: Flag): string {
  if (kind === 'boolean') return `--${name}`;
  const value = kind === 'string' && fallback !== undefined ? JSON.stringify(fallback) : fallback;
  const placeholder = name.toUpperCase().replaceAll('-', '_');
  return `--${name}=${value ?? placeholder}${isRepeatable === true ? ' ...' : ''}`;
}

function head(columns: number): string {
  const flags = list(GLOBAL_FLAGS.map(termOf), columns);
  return `usage: ${PROGRAM} [<flags>] <command> [<args> ...]\n\n${wrap(PROGRAM_HELP, columns)}\n\nFlags:\n${flags}\n`;
}

function termOf(flag: Flag): readonly [string, string] {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  return [`${short}${writtenFlag(flag)}`, flag.help];
}

/** A list of two columns: terms and their descriptions. */
function list(rows: readonly (readonly [string, string])[], columns: number, indent = INDENT): string {
  const width = Math.max(0, ...rows.map(([term]) => term.length).filter((length) => length <= MAX_TERM));
  const second = ' '.repeat(indent.length + width + INDENT.length);
  return rows
    .map(([term, help]) => {
      const text = wrap(help, columns, second);
      return term.length > width
        ? `${indent}${term}\n${text}\n`
        : `${indent}${term.padEnd(width)}${INDENT}${text.trimStart()}\n`;
    })
    .join('');
}

/** Breaks a text into lines; a word longer than a line is not broken. */
function wrap(text: string, columns: number, indent = ''): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    const longer = line === indent ? `${line}${word}` : `${line} ${word}`;
    if (longer.length <= columns || line === indent) line = longer;
    else {
      lines.push(line);
      line = `${indent}${word}`;
    }
  }
  return [...lines, line].join('\n');
}
