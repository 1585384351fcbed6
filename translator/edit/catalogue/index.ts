// The catalogue of edits. Each edit is one entry, from which its command, its form on the page and its row in the table of the
// translator's README are made.

import { CONSENTER_EDITS } from './consenters.js';
import { defineEdit, type Edit } from './field.js';
import { ORGANIZATION_EDITS } from './organizations.js';
import { RULE_EDITS } from './rules.js';

export {
  type ApplyEdit,
  type ChosenOrganization,
  type Edit,
  type Field,
  GROUP_HELP,
  type Values,
} from './field.js';

/** The generic edit. It is not a command but the flag `--set` of `edit`. */
export const SET_FIELDS = defineEdit({
  name: 'edit',
  title: 'Set a field',
  help: 'Edits the config of a channel and writes the unsigned config update.',
  example: 'edit config_block.pb --set batchSize.maxMessageCount=50 -o u.pb',
  fields: {
    settings: {
      kind: 'settings',
      flag: 'set',
      label: 'path',
      hint: 'orderer.batchSize.maxMessageCount',
      value: { label: 'value', hint: 'a number, duration, text, policy or JSON' },
      help: "An edit PATH=VALUE, for example 'orderer.batchSize.maxMessageCount=50'; a jq path is allowed too (may be repeated).",
    },
  },
  load: async () => {
    const { setFields } = await import('../set.js');
    return (config, { settings }) => setFields(config, settings);
  },
});

/** The edits that are commands, in the order of the help. */
export const EDITS: readonly Edit[] = [...ORGANIZATION_EDITS, ...CONSENTER_EDITS, ...RULE_EDITS];
