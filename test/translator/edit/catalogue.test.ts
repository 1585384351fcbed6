// The catalogue of edits, and its table in the README.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { EDITS, type Edit, type Field } from '../../../translator/edit/index.js';
import { EDIT_COMMANDS } from '../../../translator/cli/commands/index.js';

/** A field in the synopsis: `ORG`, `HOST:PORT…`, `--tls-cert FILE`; optional ones in brackets. */
function written(field: Field): string {
  if ('argument' in field) return `${field.argument.toUpperCase()}${field.kind === 'list' ? '…' : ''}`;
  const { flag } = field;
  if (field.kind === 'msp')
    return `(--${flag} DIR${field.id === undefined ? '' : ` --${field.id.flag} ID`} | --${field.json.flag} FILE)`;
  const text = `--${flag} ${field.kind === 'file' ? 'FILE' : flag.toUpperCase()}`;
  return 'isOptional' in field ? `[${text}]` : text;
}

const hasGroup = (field: Field): boolean => field.kind === 'organization' && field.sections.length > 1;

/** The row of an edit: the command, its help, and its form on the page. */
function rowOf({ name, title, help, fields }: Edit): string {
  const all = Object.values(fields);
  const words = [
    name,
    'BLOCK',
    ...all.filter((field) => 'argument' in field).map(written),
    ...all.filter((field) => !('argument' in field)).map(written),
    ...(all.some(hasGroup) ? ['[--group GROUP]'] : []),
  ];
  return `| \`${words.join(' ').replaceAll('|', '\\|')}\` | ${help} | ${title} |`;
}

test('the table of edits in the README has a row for each edit of the catalogue', (t) => {
  const [, section = ''] = readFileSync('translator/README.md', 'utf8').split('\n### Editing a channel\n');
  const rows = section
    .split('\n### ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `') && !line.startsWith('| `edit '))
    .map((line) => line.replaceAll(/ +/g, ' '));
  t.deepEqual(rows, EDITS.map(rowOf));
});

test('each edit is a command with the same name and help, and with the flags and arguments of its fields', (t) => {
  for (const edit of EDITS) {
    const command = EDIT_COMMANDS.find(({ name }) => name === edit.name)!;
    t.is(command.help, edit.help);
    const names = new Set([...command.flags, ...command.arguments].map(({ name }) => name));
    for (const field of Object.values(edit.fields))
      t.true(names.has('argument' in field ? field.argument : field.flag), edit.name);
  }
});

test('positional arguments of an edit are required, and a list is the last one', (t) => {
  for (const { name, fields } of EDITS) {
    const all = Object.values(fields).filter((field) => 'argument' in field);
    t.true(
      all.every((field) => !('isOptional' in field)),
      name,
    );
    t.true(
      all.slice(0, -1).every(({ kind }) => kind !== 'list'),
      name,
    );
  }
});

test('the function of each edit is imported on demand', async (t) => {
  for (const { load } of EDITS) t.is(typeof (await load()), 'function');
});
