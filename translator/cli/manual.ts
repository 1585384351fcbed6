// Generates the manual page (troff) from the table of commands.

import type { Command } from './command.js';
import { COMMANDS } from './commands/index.js';
import { GLOBAL_FLAGS, HIDDEN_FLAGS, type Flag } from './flag.js';
import { NETWORK_FLAGS } from './network-flags.js';
import { NETWORK_TITLE, ownFlags, PROGRAM_HELP, synopsis, writtenFlag } from './usage.js';

/** The manual page of the program. */
export function manualPage(): string {
  return [
    '.TH configtxlator 1',
    '.SH NAME',
    text(`configtxlator - ${PROGRAM_HELP}`),
    '.SH SYNOPSIS',
    text('configtxlator [<flags>] <command> [<args> ...]'),
    '.SH OPTIONS',
    ...[...GLOBAL_FLAGS, ...HIDDEN_FLAGS].map(option),
    '.SH COMMANDS',
    ...COMMANDS.flatMap(section),
    `.SH ${NETWORK_TITLE.toUpperCase()}`,
    ...NETWORK_FLAGS.map(option),
    '.SH EXIT STATUS',
    text('0 on success, 1 on any error. An error is printed on standard error, on one line.'),
    '',
  ].join('\n');
}

function section(command: Command): readonly string[] {
  return [`.SS ${text(synopsis(command))}`, text(command.help), ...ownFlags(command).map(option)];
}

function option(flag: Flag): string {
  return `.TP\n\\fB${text(writtenFlag(flag))}\\fR\n${text(flag.help)}`;
}

/** Escapes text so that troff prints it unchanged. */
function text(plain: string): string {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
}
