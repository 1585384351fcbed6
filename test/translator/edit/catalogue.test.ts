// The catalogue of edits.

import test from 'ava';
import { EDITS } from '../../../translator/edit/index.js';
import { EDIT_COMMANDS } from '../../../translator/cli/commands/index.js';

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
