// `/nodes/<name>/channels`: the channels from the checker of the node.

import { join } from 'node:path';
import test from 'ava';
import { startAgent } from '../../helpers/agent.js';
import { declareSource, FakeSource } from '../../helpers/fake-source.js';
import { fetchEndpoint } from '../../helpers/stand-in-node.js';
import { temporaryFolder } from '../../helpers/folder.js';

/** A checker that publishes a function when it starts; empty: nothing. */
const checkerWith = (configs: string): string =>
  `export default { apiVersion: 1, kind: 'checker', name: 'ledgers', options: {}, create: ({ facts }) => ({
    start() { ${configs && `facts.publish('configs', ${configs});`} }, check() {} }) };`;

test('the channels come from the checker of the node, and a node without one has no such resource', async (t) => {
  const directory = temporaryFolder(t, {
    'ledgers.mjs': checkerWith("async () => [{ name: 'ch1', height: 7 }]"),
    'others.mjs': checkerWith("async () => [{ name: 'ch2' }]"),
    'plain.mjs': checkerWith(''),
  });
  const declare = (file: string, name: string): object => ({ plugin: join(directory, `${file}.mjs`), name });
  const node = (): FakeSource => new FakeSource(fetchEndpoint('http://127.0.0.1:1'));
  const { url } = await startAgent(t, {
    plugins: [
      ...['peer0', 'peer01', 'peer1'].map((name) => declareSource(t, node(), name)),
      declare('others', 'peer01/ledgers'),
      declare('plain', 'peer0/plain'),
      declare('ledgers', 'peer0/ledgers'),
      declare('plain', 'peer1/plain'),
      declare('others', 'others'),
    ],
  });
  const found = await fetch(`${url}/nodes/peer0/channels`);
  t.is(found.status, 200);
  t.is(found.headers.get('content-type'), 'application/json');
  t.deepEqual(await found.json(), { channels: [{ name: 'ch1', height: 7 }] });
  const missing = await fetch(`${url}/nodes/peer1/channels`);
  t.is(missing.status, 404);
  t.deepEqual(await missing.json(), {
    error:
      'no checker reads the channels of node peer1: channel-config reads them if the ledger directory of the node is known',
  });
});

test('a checker whose function for the channels throws is a 500', async (t) => {
  const directory = temporaryFolder(t, {
    'ledgers.mjs': checkerWith("() => { throw new Error('no ledger'); }"),
  });
  const source = new FakeSource(fetchEndpoint('http://127.0.0.1:1'));
  const { url } = await startAgent(t, {
    plugins: [
      declareSource(t, source, 'peer0'),
      { plugin: join(directory, 'ledgers.mjs'), name: 'peer0/ledgers' },
    ],
  });
  t.is((await fetch(`${url}/nodes/peer0/channels`)).status, 500);
});
