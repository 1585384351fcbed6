// A config of the size of large channels.

import test from 'ava';
import { computeUpdate } from '../../../translator/update/index.js';
import { updateObject } from '../../helpers/config.js';
import { largeConfig } from '../../helpers/large-config.js';
import { fails, NO_DIFFERENCES } from '../../helpers/update-error.js';

const original = largeConfig(52);

test('the update of one of 52 organisations contains only that organisation', (t) => {
  const updated = largeConfig(52, { lastModPolicy: 'Writers' });
  const { read_set, write_set } = updateObject(computeUpdate(original, updated, 'mychannel'));
  t.deepEqual(read_set, {
    version: '1',
    groups: { Application: { version: '1', groups: { Org0051: {} } } },
  });
  const { Org0051, ...others } = write_set?.groups?.['Application']?.groups ?? {};
  t.deepEqual(others, {});
  t.deepEqual(Object.keys(Org0051?.values ?? {}), ['MSP']);
  const { version, mod_policy } = Org0051?.values?.['MSP'] ?? {};
  t.deepEqual([version, mod_policy], ['1', 'Writers']);
});

test('the update that adds an organisation to 52 others lists all of them', (t) => {
  const { read_set, write_set } = updateObject(computeUpdate(original, largeConfig(53), 'mychannel'));
  const [read, write] = [read_set, write_set].map((set) => set?.groups?.['Application']);
  t.is(Object.keys(read?.groups ?? {}).length, 52);
  t.is(Object.keys(write?.groups ?? {}).length, 53);
  t.deepEqual([read?.version, write?.version], ['1', '2']);
  t.true(Object.values(read?.groups ?? {}).every((group) => Object.keys(group).length === 0));
  t.deepEqual(Object.keys(write?.groups?.['Org0052']?.policies ?? {}), [
    'Admins',
    'Endorsement',
    'Readers',
    'Writers',
  ]);
});

test('two equal configs of 52 organisations have no differences', (t) => {
  fails(t, original, largeConfig(52), NO_DIFFERENCES);
});
