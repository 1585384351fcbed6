// Generates the help pages and the manual page (troff) from the table of commands.

import { namedFlags, type Command, type NamedArgument, type NamedFlag } from './command.js';
import { COMMAND_GROUPS, COMMANDS } from './commands/index.js';
import { GLOBAL_FLAGS, HIDDEN_FLAGS, NETWORK } from './flags.js';

const PROGRAM = 'configtxlator';
const PROGRAM_HELP = 'Translates Hyperledger Fabric channel configuration between protobuf and JSON.';
/** The maximum width of the first column of a list of flags. */
const MAX_TERM = 30;
const INDENT = '  ';

/** The help page of the program: each command with a short sentence. */
export const overview = (columns: number): string =>
  `${head(columns)}${COMMAND_GROUPS.map(({ title, commands }) => `${title}:\n${summaries(commands, columns)}`).join('\n')}
${wrap(`More: ${PROGRAM} help COMMAND, for example ${PROGRAM} help sign; ${PROGRAM} help network for the identity and the network of commands that ask orderers.`, columns)}\n`;

/** The help page of commands with the same first word. */
export const familyPage = (word: string, commands: readonly Command[], columns: number): string =>
  `usage: ${PROGRAM} ${word} <command> [<flags>] [<args> ...]\n\n${summaries(commands, columns)}\n${wrap(`More: ${PROGRAM} help ${commands[0]!.name}`, columns)}\n`;

/** The help page of the flags that identify a signer and a network. */
export const networkPage = (columns: number): string =>
  `${wrap(NETWORK.help, columns)}\n${networkSection(NETWORK_FLAGS, columns)}\n`;

/** Commands with the first part of the first sentence of their help. */
const summaries = (commands: readonly Command[], columns: number): string =>
  list(
    commands.map(({ name, help }) => [name, help.replace(/[:;.](?:\s.*)?$/s, '')] as const),
    columns,
  );

/** The help page of one command. */
export function commandPage(command: Command, columns: number): string {
  const terms = command.arguments.map((each) => [writtenArgument(each), each.help] as const);
  const args = terms.length === 0 ? '' : `\nArgs:\n${list(terms, columns)}`;
  const flags = list([...GLOBAL_FLAGS, ...ownFlags(command)].map(termOf), columns);
  const network = command.flags.filter(({ group }) => group !== undefined).map(({ name }) => `--${name}`);
  const more =
    network.length === 0
      ? ''
      : `\n${wrap(`Identity and network (${PROGRAM} help network): ${network.join(', ')}`, columns)}\n`;
  return `usage: ${PROGRAM} ${synopsis(command)}\n\n${wrap(command.help, columns)}\n\nFlags:\n${flags}${args}${more}
Example:\n${INDENT}${PROGRAM} ${command.example}\n\n`;
}

/** The help page of the program with the flags of every command. */
export function longPage(columns: number): string {
  const entry = (command: Command): string => {
    const flags = list(ownFlags(command).map(termOf), columns, INDENT.repeat(2));
    const help = wrap(command.help, columns, INDENT.repeat(2));
    return `${INDENT}${synopsis(command)}\n${help}\n${flags === '' ? '' : `\n${flags}`}`;
  };
  return `${head(columns)}${grouped(entry)}${networkSection(NETWORK_FLAGS, columns)}\n`;
}

/** The entries of all commands, under the titles of their groups. */
const grouped = (entry: (command: Command) => string): string =>
  COMMAND_GROUPS.map(({ title, commands }) => `${title}:\n${commands.map(entry).join('\n')}`).join('\n');

/** The flags of a command, without the flags of a group. */
const ownFlags = ({ flags }: Command): readonly NamedFlag[] =>
  flags.filter(({ group }) => group === undefined);

const NETWORK_FLAGS = namedFlags({ network: NETWORK });

const networkSection = (flags: readonly NamedFlag[], columns: number): string =>
  `\n${NETWORK.title}:\n${list(flags.map(termOf), columns)}`;

/** The synopsis of a command: its name, required flags, and optional flags and arguments. */
function synopsis(command: Command): string {
  const { name, flags } = command;
  const required = flags.filter(({ isRequired }) => isRequired === true).map((flag) => writtenFlag(flag));
  const optional = flags.some(({ isRequired }) => isRequired !== true) ? ['[<flags>]'] : [];
  return [name, ...required, ...optional, ...command.arguments.map(writtenArgument)].join(' ');
}

/** An argument, such as `<file>`, `[<source>]` or `<address>...`. */
const writtenArgument = ({ name, isRequired, isRepeatable }: NamedArgument): string => {
  const written = `<${name}>${isRepeatable ? '...' : ''}`;
  return isRequired ? written : `[${written}]`;
};

/** A flag with its default or a placeholder, such as `--port=7059` or `--type=TYPE`. */
function writtenFlag({ name, kind, fallback, isRepeatable }: NamedFlag): string {
  if (kind === undefined) return `--${name}`;
  const value = kind.isQuoted && fallback !== undefined ? JSON.stringify(fallback) : fallback;
  const placeholder = name.toUpperCase().replaceAll('-', '_');
  return `--${name}=${value ?? placeholder}${isRepeatable === true ? ' ...' : ''}`;
}

function head(columns: number): string {
  const flags = list(GLOBAL_FLAGS.map(termOf), columns);
  return `usage: ${PROGRAM} [<flags>] <command> [<args> ...]\n\n${wrap(PROGRAM_HELP, columns)}\n\nFlags:\n${flags}\n`;
}

function termOf(flag: NamedFlag): readonly [string, string] {
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

/** The manual page of the program. */
export function manualPage(): string {
  return [
    '.TH configtxlator 1',
    '.SH NAME',
    escaped(`configtxlator - ${PROGRAM_HELP}`),
    '.SH SYNOPSIS',
    escaped('configtxlator [<flags>] <command> [<args> ...]'),
    '.SH OPTIONS',
    ...[...GLOBAL_FLAGS, ...HIDDEN_FLAGS].map(option),
    '.SH COMMANDS',
    ...COMMANDS.flatMap(section),
    `.SH ${NETWORK.title.toUpperCase()}`,
    ...NETWORK_FLAGS.map(option),
    '.SH EXIT STATUS',
    escaped('0 on success, 1 on any error. An error is printed on standard error, on one line.'),
    '',
  ].join('\n');
}

function section(command: Command): readonly string[] {
  return [`.SS ${escaped(synopsis(command))}`, escaped(command.help), ...ownFlags(command).map(option)];
}

function option(flag: NamedFlag): string {
  return `.TP\n\\fB${escaped(writtenFlag(flag))}\\fR\n${escaped(flag.help)}`;
}

/** Escapes text so that troff prints it unchanged. */
function escaped(plain: string): string {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
}
