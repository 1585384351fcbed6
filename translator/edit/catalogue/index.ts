// The catalogue of edits. Each edit is one entry: the commands of the command line, the forms of the page and the table in the README of
// the translator are made of it.

import { CONSENTER_EDITS } from './consenters.js';
import { defineEdit, type Edit } from './field.js';
import { ORGANIZATION_EDITS } from './organizations.js';
import { RULE_EDITS } from './rules.js';

/** The edit for what no other edit is for. It has no command of its own: it is the flag `--set` of `edit`. */
export const SET_FIELDS = defineEdit({
  name: 'edit',
  title: 'Set a field',
  help: 'Edits the config of a channel and writes the unsigned config update.',
  fields: {
    settings: {
      kind: 'settings',
      flag: 'set',
      label: 'path',
      hint: 'orderer.batchSize.maxMessageCount',
      value: { label: 'value', hint: 'a number, duration, text, policy or JSON' },
      help: "An edit PATH=VALUE, for example 'orderer.batchSize.maxMessageCount=50'; the path may be that of jq (may be repeated).",
    },
  },
  load: async () => {
    const { setFields } = await import('../set.js');
    return (config, { settings }) => setFields(config, settings);
  },
});

/** The edits that are commands, in the order of the help. */
export const EDITS: readonly Edit[] = [...ORGANIZATION_EDITS, ...CONSENTER_EDITS, ...RULE_EDITS];
