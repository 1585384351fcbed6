// The palette finds edits and fields by the words of people.

import test from 'ava';
import { readConfigFile } from '../../../translator/channel/index.js';
import { entriesOf, findEntries } from '../../../translator/page/palette.js';
import { networkBlock } from '../../helpers/network-block.js';

const { config } = readConfigFile(networkBlock());
const ENTRIES = entriesOf(config, new Date('2026-11-24T00:00:00Z'));
const titles = (text: string): readonly string[] => findEntries(ENTRIES, text).map(({ title }) => title);

for (const [text, first] of [
  ['batch', 'Messages in a block'],
  ['timeout', 'Time until a block is cut'],
  ['add organisation', 'Add an organisation'],
  ['organization add', 'Add an organisation'],
  ['who may', 'Set an ACL'],
  ['upgrade', 'Set capabilities'],
  ['/Channel/Orderer/BatchTimeout', '/Channel/Orderer/BatchTimeout'],
] as const)
  test(`"${text}" finds first: ${first}`, (t) => t.is(titles(text)[0], first));

test('without words the palette has the frequent fields and all edits, and unknown words find nothing', (t) => {
  t.true(titles('').includes('Remove a consenter'));
  t.true(titles('').every((title) => !title.startsWith('/')));
  t.deepEqual(titles('xylophone'), []);
});
