// The catalogue of edits. Each edit is one entry, from which its command, its form on the page and its row in the table of the
// translator's README are made.

import { is, requireTypes } from '../../../proto/arguments.js';
import type { Config } from '../../channel/index.js';
import { unknownName, type Edited } from '../edited.js';
import { CONSENTER_EDITS } from './consenters.js';
import { defineEdit, type Edit, type ValuesOf } from './field.js';
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
export const EDITS = [...ORGANIZATION_EDITS, ...CONSENTER_EDITS, ...RULE_EDITS] as const;

type Entry = (typeof EDITS)[number];

/** The name of an edit: `anchor-peers add`, `consenter rotate`. */
export type EditName = Entry['name'];

/** The values that an edit takes. */
export type EditValues<Name extends EditName> = ValuesOf<Extract<Entry, { readonly name: Name }>['fields']>;

/**
 * Applies an edit of {@link EDITS} to a config.
 *
 * @param name the command, as in the help of `configtxlator`
 * @param values the fields of the edit; files are bytes
 * @throws TranslateError BAD_EDIT if there is no such edit, a value is missing, unknown or of another type, or the edit is not possible;
 *   BAD_POLICY if a policy does not parse
 */
export async function applyEdit<Name extends EditName>(
  config: Config,
  name: Name,
  values: EditValues<Name>,
): Promise<Edited> {
  requireTypes({ name }, { name: is.text }, 'BAD_EDIT');
  const edit: Edit | undefined = EDITS.find((each) => each.name === name);
  if (edit === undefined)
    throw unknownName(
      'no edit has the name',
      name,
      EDITS.map((each) => each.name),
    );
  const apply = await edit.load();
  return apply(config, values);
}
