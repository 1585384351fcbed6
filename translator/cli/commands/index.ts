// The list of all commands. Each command is one file with its flags, arguments and action.

import { optionalList, type Command } from '../command.js';
import { text } from '../kinds.js';
import { check } from './check.js';
import { completionOf } from './completion.js';
import { computeUpdate } from './compute-update.js';
import { diff } from './diff.js';
import { edit } from './edit.js';
import { CATALOGUE_COMMANDS } from './edits.js';
import { expiry } from './expiry.js';
import { explain } from './explain.js';
import { fetch } from './fetch.js';
import { identity } from './identity.js';
import { LIST_COMMANDS } from './lists.js';
import { log } from './log.js';
import { merge } from './merge.js';
import { MIGRATE_COMMANDS } from './migrate.js';
import { page } from './page.js';
import { powers } from './powers.js';
import { protoDecode } from './proto-decode.js';
import { protoEncode } from './proto-encode.js';
import { rebase } from './rebase.js';
import { rehearse } from './rehearse.js';
import { review } from './review.js';
import { revoke } from './revoke.js';
import { show } from './show.js';
import { sign } from './sign.js';
import { start } from './start.js';
import { submit } from './submit.js';
import { types } from './types.js';
import { verify } from './verify.js';
import { version } from './version.js';

/** The commands that edit a channel config. */
export const EDIT_COMMANDS: readonly Command[] = [
  edit,
  ...CATALOGUE_COMMANDS.flatMap((each) => (each.name === 'org set-msp' ? [each, revoke] : [each])),
];

const help: Command = {
  name: 'help',
  help: 'Show help.',
  example: 'help org add',
  flags: [],
  arguments: [
    {
      ...optionalList(text, "The command, its first word, or 'network' for the flags of networks."),
      name: 'command',
    },
  ],
};

/** Commands that share a title in the help. */
interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** All commands, in the order of the help. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: 'Translate',
    commands: [
      help,
      start,
      protoEncode,
      protoDecode,
      computeUpdate,
      types,
      version,
      completionOf(() => COMMANDS),
    ],
  },
  {
    title: 'Show a channel',
    commands: [fetch, show, ...LIST_COMMANDS, check, expiry, diff, powers, log, identity, page],
  },
  { title: 'Edit a channel', commands: [...EDIT_COMMANDS, rebase] },
  {
    title: 'Review, sign and submit an update',
    commands: [review, rehearse, explain, sign, merge, submit, verify],
  },
  { title: 'Move channels from Raft to BFT', commands: MIGRATE_COMMANDS },
];

/** All commands. */
export const COMMANDS: readonly Command[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);
