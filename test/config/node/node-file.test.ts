// The values of a node as its program reads them. The real programs of 2.5.16, 3.0.0 and 3.1.5 read these values in the same way:
// test/core/tools/preflight/variables.test.ts has their verdicts.

import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { stringify } from 'yaml';
import { readNodeConfig } from '../../../config/node/config.js';
import { openNodeFile, readNodeFile, type NodeValues } from '../../../config/node/node-file.js';
import type { Decoders } from '../../../config/node/variables.js';
import { temporaryFolder } from '../../helpers/folder.js';

type Variables = Readonly<Record<string, string>>;

const V2_5: Decoders = { hasYamlBooleans: true, hasEmptyValues: false, hasCryptoVariables: true };
const V3_1: Decoders = { hasYamlBooleans: false, hasEmptyValues: true, hasCryptoVariables: true };

/** A node in a folder DIR. @param content of its file */
function nodeWith(
  t: ExecutionContext,
  content: object,
  variables: Variables = {},
  decoders = V2_5,
): NodeValues & { readonly cwd: string } {
  const cwd = temporaryFolder(t, { 'node.yaml': stringify(content), 'id.txt': 'FromFile' });
  return readNodeFile(openNodeFile('node.yaml', cwd), variables, cwd, { decoders });
}

for (const [content, variables, decoders, key, expected] of [
  [{ peer: {} }, { CORE_PEER_TLS_ENABLED: 'T' }, V2_5, 'peer.tls.enabled', true],
  [{ peer: {} }, { CORE_PEER_TLS_ENABLED: 'tRuE' }, V2_5, 'peer.tls.enabled', false],
  [{ peer: {} }, { CORE_PEER_TLS_ENABLED: 'yes' }, V2_5, 'peer.tls.enabled', false],
  [{ peer: { tls: { enabled: 'yes' } } }, {}, V2_5, 'peer.tls.enabled', true],
  [{ peer: { tls: { enabled: 'yes' } } }, {}, V3_1, 'peer.tls.enabled', false],
  [{ peer: { tls: { enabled: 2 } } }, {}, V2_5, 'peer.tls.enabled', true],
  [{ peer: { tls: { enabled: 1.5 } } }, {}, V2_5, 'peer.tls.enabled', false],
  [{ peer: { tls: { enabled: 1.5 } } }, {}, V3_1, 'peer.tls.enabled', true],
  [{ Peer: { TLS: { Enabled: true } } }, {}, V2_5, 'peer.tls.enabled', true],
  [{ peer: { tls: { enabled: true } } }, { CORE_PEER_TLS: 'x' }, V2_5, 'peer.tls.enabled', false],
  [{ peer: { 'tls.enabled': true } }, {}, V2_5, 'peer.tls.enabled', true],
  [{ General: {}, 'General.TLS.Enabled': true }, {}, V2_5, 'General.TLS.Enabled', false],
  [{ General: {} }, { ORDERER_GENERAL_TLS_ENABLED: 'true' }, V2_5, 'General.TLS.Enabled', false],
  [{ General: { TLS: {} } }, { ORDERER_GENERAL_TLS_ENABLED: 'true' }, V2_5, 'General.TLS.Enabled', true],
] as const)
  test(`${JSON.stringify(content)} with ${JSON.stringify(variables)} ${decoders === V2_5 ? 'in 2.5' : 'in 3.1'}: ${key} is ${expected}`, (t) => {
    t.is(nodeWith(t, content, variables, decoders).isTrue(key), expected);
  });

const TLS = 'peer.tls.enabled';
for (const [content, variables, decoders, key, expected] of [
  [{ peer: {} }, {}, V2_5, TLS, false],
  [{ peer: { tls: { enabled: 0 } } }, {}, V2_5, TLS, false],
  [{ peer: { tls: { enabled: '' } } }, {}, V2_5, TLS, false],
  [{ peer: { tls: { enabled: 'F' } } }, {}, V3_1, TLS, false],
  [{ peer: { tls: { enabled: 'off' } } }, {}, V2_5, TLS, false],
  [{ peer: { tls: { enabled: 'off' } } }, {}, V3_1, TLS, undefined],
  [{ peer: {} }, { CORE_PEER_TLS_ENABLED: 'off' }, V2_5, TLS, undefined],
  [{ peer: {} }, { CORE_PEER_TLS_ENABLED: 'on' }, V2_5, TLS, undefined],
  [{ peer: { tls: { enabled: 'maybe' } } }, {}, V2_5, TLS, undefined],
  [{ peer: { tls: { enabled: [true] } } }, {}, V2_5, TLS, undefined],
  [{ General: { TLS: { Enabled: 1.5 } } }, {}, V2_5, 'General.TLS.Enabled', true],
  [{ General: { TLS: { Enabled: 'Y' } } }, {}, V2_5, 'General.TLS.Enabled', true],
] as const)
  test(`${JSON.stringify(content)} with ${JSON.stringify(variables)} ${decoders === V2_5 ? 'in 2.5' : 'in 3.1'}: ${key} is ${expected ?? 'no boolean'}`, (t) => {
    t.is(nodeWith(t, content, variables, decoders).flag(key), expected);
  });

for (const [size, isRead] of [
  [65_536, true],
  [65_537, false],
] as const)
  test(`a file of ${size} bytes with a value of an orderer is ${isRead ? 'read' : 'not read'}`, (t) => {
    const text = 'x'.repeat(size);
    const cwd = temporaryFolder(t, {
      'orderer.yaml': 'General: {LocalMSPID: {File: id.txt}}\n',
      'id.txt': text,
    });
    const node = readNodeFile(openNodeFile('.', cwd), {}, cwd, { decoders: V2_5 });
    t.is(node.text('General.LocalMSPID').value.length, isRead ? size : 0);
  });

for (const [content, variables, decoders, key, expected] of [
  [{ peer: { id: 'a' } }, { CORE_PEER_ID: '' }, V2_5, 'peer.id', 'a'],
  [{ peer: { id: 'a' } }, { CORE_PEER_ID: '' }, V3_1, 'peer.id', ''],
  [{ peer: { id: 7 } }, {}, V2_5, 'peer.id', '7'],
  [{ General: { LocalMSPID: { File: 'id.txt' } } }, {}, V2_5, 'General.LocalMSPID', 'FromFile'],
  [{ General: {} }, { ORDERER_GENERAL_LOCALMSPID_FILE: 'id.txt' }, V2_5, 'General.LocalMSPID', 'FromFile'],
  [
    { General: { LocalMSPID: 'A' } },
    { ORDERER_GENERAL_LOCALMSPID_FILE: 'id.txt' },
    V2_5,
    'General.LocalMSPID',
    'A',
  ],
] as const)
  test(`${JSON.stringify(content)} with ${JSON.stringify(variables)} ${decoders === V2_5 ? 'in 2.5' : 'in 3.1'}: the text of ${key} is '${expected}'`, (t) => {
    t.is(nodeWith(t, content, variables, decoders).text(key).value, expected);
  });

const CAS = 'peer.tls.clientRootCAs.files';
for (const [content, variables, key, expected] of [
  [{ peer: {} }, { CORE_PEER_TLS_CLIENTROOTCAS_FILES: ' a \t b ' }, CAS, ['DIR/a', 'DIR/b']],
  [{ peer: {} }, { CORE_PEER_TLS_CLIENTROOTCAS_FILES: '[a,b]' }, CAS, ['DIR/[a,b]']],
  [{ peer: { tls: { clientRootCAs: { files: 'a b' } } } }, {}, CAS, ['DIR/a', 'DIR/b']],
  [
    { General: { TLS: {} } },
    { ORDERER_GENERAL_TLS_ROOTCAS: '[ a , b ]' },
    'General.TLS.RootCAs',
    ['DIR/a', 'DIR/b'],
  ],
  [{ General: { TLS: {} } }, { ORDERER_GENERAL_TLS_ROOTCAS: 'a b' }, 'General.TLS.RootCAs', ['DIR/a b']],
  [{ General: { TLS: { RootCAs: ['a', '/b'] } } }, {}, 'General.TLS.RootCAs', ['DIR/a', '/b']],
] as const)
  test(`${JSON.stringify(content)} with ${JSON.stringify(variables)}: the paths of ${key} are ${expected.join(' and ')}`, (t) => {
    const node = nodeWith(t, content, variables);
    t.deepEqual(
      node.paths(key).value,
      expected.map((path) => path.replace('DIR', node.cwd)),
    );
  });

test('the agent has the values of its keys as the program of the node reads them', (t) => {
  const cwd = temporaryFolder(t, {
    'orderer.yaml': stringify({
      General: {
        LocalMSPID: { File: 'id.txt' },
        LocalMSPDir: 'msp',
        TLS: { Enabled: 'yes', RootCAs: 'tls ca.pem', ClientAuthRequired: 2 },
      },
      FileLedger: { Location: 'data' },
      Operations: { ListenAddress: '127.0.0.1:1' },
    }),
    'id.txt': 'FromFile',
  });
  const config = readNodeConfig(openNodeFile('.', cwd), {}, cwd);
  if ('problems' in config) return t.fail(config.problems.join('\n'));
  const keys = ['mspId', 'msp', 'tls.enabled', 'tls.rootCAs', 'tls.clientAuthRequired', 'ledger'];
  t.deepEqual(Object.fromEntries(keys.map((key) => [key, config.get<unknown>(key).value])), {
    mspId: 'FromFile',
    msp: join(cwd, 'msp'),
    'tls.enabled': true,
    'tls.rootCAs': [join(cwd, 'tls ca.pem')],
    'tls.clientAuthRequired': true,
    ledger: join(cwd, 'data'),
  });
  return undefined;
});

test('lists that a variable of a peer has as YAML are lists for the agent', (t) => {
  const cwd = temporaryFolder(t, { 'core.yaml': 'peer: {}\n' });
  const config = readNodeConfig(
    openNodeFile('.', cwd),
    {
      CORE_CHAINCODE_EXTERNALBUILDERS: '[{name: a, path: /}]',
      CORE_PEER_DELIVERYCLIENT_ADDRESSOVERRIDES: '[{from: a:1, to: b:1}]\n---\nanother document',
    },
    cwd,
  );
  if ('problems' in config) return t.fail(config.problems.join('\n'));
  t.is(config.get<readonly unknown[]>('externalBuilders').value.length, 1);
  t.deepEqual(config.get<unknown>('addressOverrides').value, [{ from: 'a:1', to: 'b:1', caCertsFile: '' }]);
  return undefined;
});

test('a value of an orderer that is no boolean for Go is a problem: the orderer does not start with it', (t) => {
  const cwd = temporaryFolder(t, { 'orderer.yaml': 'General: {TLS: {}}\n' });
  t.deepEqual(readNodeConfig(openNodeFile('.', cwd), { ORDERER_GENERAL_TLS_ENABLED: 'tRuE' }, cwd), {
    problems: [
      'environment ORDERER_GENERAL_TLS_ENABLED: General.TLS.Enabled: must be true or false: value was "tRuE"',
    ],
  });
});

for (const [value, expected] of [
  [undefined, []],
  ['', []],
  ['a b', ['a', 'b']],
  [5, ['5']],
  [
    ['a', 5],
    ['a', 5],
  ],
  [{ a: 1 }, undefined],
] as const)
  test(`the value ${JSON.stringify(value)} is ${expected === undefined ? 'no list' : `the list ${JSON.stringify(expected)}`}`, (t) => {
    const node = nodeWith(t, { peer: { tls: { clientRootCAs: { files: value } } } });
    t.deepEqual(node.list('peer.tls.clientRootCAs.files'), expected as never);
  });
