// The list of all commands. Each declares its flags and arguments in its `command.ts`, which the program always loads, and is implemented in
// its `run.ts`, which is loaded when it runs.

import { list, type Command } from '../command.js';
import { ADDRESS_COMMANDS } from './addresses/command.js';
import { check } from './check/command.js';
import { computeUpdate } from './compute-update/command.js';
import { CONSENTER_COMMANDS } from './consenter/command.js';
import { diff } from './diff/command.js';
import { edit } from './edit/command.js';
import { fetch } from './fetch/command.js';
import { log } from './log/command.js';
import { MIGRATE_COMMANDS } from './migrate/command.js';
import { merge } from './merge/command.js';
import { ORGANIZATION_COMMANDS } from './org/command.js';
import { page } from './page/command.js';
import { protoDecode } from './proto-decode/command.js';
import { protoEncode } from './proto-encode/command.js';
import { rebase } from './rebase/command.js';
import { review } from './review/command.js';
import { RULE_COMMANDS } from './rules/command.js';
import { show } from './show/command.js';
import { sign } from './sign/command.js';
import { submit } from './submit/command.js';
import { start } from './start/command.js';
import { types } from './types/command.js';
import { verify } from './verify/command.js';
import { version } from './version/command.js';

/** The commands that edit a channel config. */
export const EDIT_COMMANDS: readonly Command[] = [
  edit,
  ...ORGANIZATION_COMMANDS,
  ...ADDRESS_COMMANDS,
  ...CONSENTER_COMMANDS,
  ...RULE_COMMANDS,
];

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'help',
    help: 'Show help.',
    flags: [],
    argument: list('command', 'The command to show help for.'),
  },
  start,
  protoEncode,
  protoDecode,
  computeUpdate,
  fetch,
  ...EDIT_COMMANDS,
  show,
  check,
  diff,
  log,
  review,
  verify,
  rebase,
  sign,
  merge,
  submit,
  ...MIGRATE_COMMANDS,
  page,
  types,
  version,
];
