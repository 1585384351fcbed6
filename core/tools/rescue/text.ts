// Formats a plan as text.

import { onOneLine } from '../../common/text/one-line.js';
import { table } from '../../common/text/table.js';
import type { Action, Plan, Step } from './planning.js';

/** Widest column, in characters: paths are long. */
const MAX_WIDTH = 90;

/** Describes a plan, in lines that end with a line feed. */
export function planText({ expired, inputs, steps, notes }: Plan): string {
  const lines = [
    'expired',
    ...table(
      expired.map(({ node, use, files, subject, until, caUntil }) => [
        until.slice(0, 10),
        node,
        caUntil === undefined ? use : `${use}, its CA on ${caUntil.slice(0, 10)}`,
        subject,
        files.join(', '),
      ]),
      '  ',
      MAX_WIDTH,
    ),
    '',
    'set these shell variables first, and run all commands in one directory',
    ...table(inputs.map(({ variable, meaning }) => [variable, meaning])),
    ...steps.flatMap((step) => ['', ...stepLines(step)]),
    '',
    'notes',
    ...notes.map((note) => `  ${note}`),
  ];
  return lines.map((line) => `${onOneLine(line)}\n`).join('');
}

function stepLines({ number, title, reason, actions, see }: Step): readonly string[] {
  return [
    `${number}. ${title}`,
    `   ${reason}`,
    ...actions.map((action) => `   - ${actionText(action)}`),
    `   see: ${see.text}`,
    ...see.commands.map((command) => `     $ ${command}`),
  ];
}

function actionText(action: Action): string {
  if (action.kind === 'command') return `$ ${action.command}`;
  const { kind, node } = action;
  if (kind === 'replace') return `on ${node}: copy ${action.with} over ${action.file}`;
  if (kind === 'append') return `on ${node}: append ${action.with} to ${action.file}`;
  if (kind === 'set')
    return `on ${node}: set ${action.key}: ${JSON.stringify(action.value)} in ${action.file}, or in the variable ${action.variable} if it is set`;
  return `${kind} ${node}`;
}
