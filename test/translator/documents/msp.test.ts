// An MSP as data and in words. Other tests have the summaries of whole channels.

import test from 'ava';
import { mspText, summariseMsp } from '../../../translator/documents/msp.js';

const NOW = new Date('2026-11-26T00:00:00Z');
const NOTHING = {
  nodeOus: false,
  admins: [],
  rootCas: [],
  intermediateCas: [],
  tlsCas: [],
  revocationLists: 0,
};

test('an organisation without an MSP has no certificates and no revocation lists', (t) => {
  const summary = summariseMsp(() => undefined, 'V3_0');
  t.deepEqual(summary, { type: 'none', ...NOTHING });
  t.is(mspText(summary, NOW), 'no MSP');
});

test('an Idemix MSP is not shown', (t) => {
  const summary = summariseMsp(() => ({ type: 1, config: Uint8Array.of() }), 'V3_0');
  t.deepEqual(summary, { type: 'other', error: 'MSP of type 1', ...NOTHING });
  t.is(mspText(summary, NOW), 'an MSP that cannot be shown (MSP of type 1)');
});
