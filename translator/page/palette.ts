// Finds the edit for what users want to change, by their words. Works without a browser.

import type { Config } from '#translator/channel/index.js';
import { valueText } from '#translator/documents/index.js';
import { SET_FIELDS, type Edit } from '#translator/edit/index.js';
import { FORMS, type Texts } from './forms.js';
import { outlinedRows, type Outlined } from './rows.js';

/** Something that can be changed. */
export interface Entry {
  /** `Add an organisation` */
  readonly title: string;
  /** Its value now; empty if it has none. */
  readonly now: string;
  /** Other words for it. */
  readonly words: string;
  readonly target: Target;
}

/** The form of an entry with texts, or an element whose JSON is edited. */
export type Target = { readonly form: Edit; readonly texts: Texts } | { readonly row: Outlined };

/** Words of users for the edits, by their name. */
const WORDS: Readonly<Record<string, string>> = {
  'org add': 'new member join invite company participant add organization',
  'org remove': 'delete member leave expel company organization',
  'org set-msp': 'ca certificate renew root crl revoke organization admin',
  'anchor-peers set': 'gossip discovery peer address',
  'anchor-peers add': 'gossip discovery peer address',
  'anchor-peers remove': 'gossip discovery peer address',
  'endpoints set': 'orderer address url port move',
  'consenter add': 'orderer new node cluster raft bft',
  'consenter remove': 'orderer delete node cluster raft bft',
  'consenter rotate': 'orderer certificate renew tls expire raft bft',
  'capabilities set': 'version upgrade feature',
  'acl set': 'permission access right allow who may',
  'acl remove': 'permission access default',
  'policy set': 'rule who decides majority any sign endorsement lifecycle',
  'policy remove': 'rule delete',
  'mod-policy set': 'who may change rule admins',
};

/** Fields that are often changed, with their words. */
const FIELDS = [
  [
    'Messages in a block',
    'orderer.batchSize.maxMessageCount',
    'batch size transactions block count throughput',
  ],
  ['Largest size of a block', 'orderer.batchSize.absoluteMaxBytes', 'batch bytes maximum limit'],
  ['Preferred size of a block', 'orderer.batchSize.preferredMaxBytes', 'batch bytes'],
  ['Time until a block is cut', 'orderer.batchTimeout.timeout', 'batch timeout latency delay seconds'],
] as const;

const entryOf = (title: string, words: string, target: Target, now = ''): Entry => ({
  title,
  now,
  words: `${title} ${words}`.toLowerCase(),
  target,
});

/** Everything that can be changed in a config: frequent fields and the edits first, then each value and policy. */
export function entriesOf({ channelGroup }: Config, now: Date): readonly Entry[] {
  const rows = outlinedRows(channelGroup).filter(({ kind }) => kind !== 'group');
  const orderer = channelGroup.groups.get('Orderer');
  const textOf = (name: string): string =>
    orderer?.values.has(name) === true ? valueText(['Orderer', name], orderer, now) : '';
  const settings = FIELDS.map(([title, path, words]) =>
    entryOf(
      title,
      `${words} ${path}`,
      { form: SET_FIELDS, texts: new Map([['path', path]]) },
      textOf(path.includes('batchSize') ? 'BatchSize' : 'BatchTimeout'),
    ),
  );
  const edits = FORMS.filter((form) => form !== SET_FIELDS).map((form) =>
    entryOf(form.title, `${WORDS[form.name] ?? ''} ${form.name}`, { form, texts: new Map() }),
  );
  const elements = rows.map((row) => entryOf(row.path, row.name, { row }));
  return [...settings, ...edits, ...elements];
}

/** The entries that have all words of a text; edits whose title has them come first, and elements last. */
export function findEntries(entries: readonly Entry[], text: string): readonly Entry[] {
  const wanted = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((each) => each !== '')
    // British and American spelling.
    .map((each) => each.replace(/ization/, 'isation').replace(/^organiz/, 'organis'));
  if (wanted.length === 0) return entries.filter(({ target }) => 'form' in target);
  const found = entries.filter(({ words }) => wanted.every((each) => words.includes(each)));
  const rankOf = ({ title, target }: Entry): number =>
    'row' in target ? 2 : wanted.every((each) => title.toLowerCase().includes(each)) ? 0 : 1;
  return found.toSorted((one, other) => rankOf(one) - rankOf(other));
}
