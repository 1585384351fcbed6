import { join } from 'node:path';
import test from 'ava';
import { readNodeConfig } from '../../../config/node/config.js';
import { openNodeFile } from '../../../config/node/node-file.js';
import { temporaryFolder } from '../../helpers/folder.js';

/** The directory for relative paths: the directory of the file, or the working directory of the node. Started programs of 2.5.12 and 3.0.0 open these. */
const BASES: readonly (readonly [
  kind: 'peer' | 'orderer',
  path: string,
  key: string,
  base: 'file' | 'cwd',
])[] = [
  ['orderer', 'General.TLS.Certificate', 'tls.cert', 'file'],
  ['orderer', 'General.TLS.PrivateKey', 'tls.key', 'file'],
  ['orderer', 'General.TLS.RootCAs', 'tls.rootCAs', 'file'],
  ['orderer', 'General.TLS.ClientRootCAs', 'tls.clientRootCAs', 'file'],
  ['orderer', 'General.Cluster.ClientCertificate', 'tls.clientCert', 'file'],
  ['orderer', 'General.Cluster.ClientPrivateKey', 'tls.clientKey', 'file'],
  ['orderer', 'General.Cluster.RootCAs', 'cluster.rootCAs', 'file'],
  ['orderer', 'General.Cluster.ServerCertificate', 'cluster.serverCertificate', 'cwd'],
  ['orderer', 'General.Cluster.ServerPrivateKey', 'cluster.serverPrivateKey', 'cwd'],
  ['orderer', 'General.LocalMSPDir', 'msp', 'file'],
  ['orderer', 'FileLedger.Location', 'ledger', 'file'],
  ['orderer', 'Consensus.WALDir', 'wal', 'cwd'],
  ['orderer', 'Consensus.SnapDir', 'snap', 'cwd'],
  ['orderer', 'Operations.TLS.Certificate', 'operations.tls.cert.file', 'cwd'],
  ['orderer', 'Operations.TLS.PrivateKey', 'operations.tls.key.file', 'cwd'],
  ['orderer', 'Operations.TLS.ClientRootCAs', 'operations.tls.clientRootCAs.files', 'cwd'],
  ['orderer', 'Admin.TLS.Certificate', 'admin.tls.certificate', 'cwd'],
  ['orderer', 'Admin.TLS.PrivateKey', 'admin.tls.privateKey', 'cwd'],
  ['orderer', 'Admin.TLS.ClientRootCAs', 'admin.tls.clientRootCAs', 'cwd'],
  ['peer', 'peer.tls.cert.file', 'tls.cert', 'file'],
  ['peer', 'peer.tls.key.file', 'tls.key', 'file'],
  ['peer', 'peer.tls.rootcert.file', 'tls.rootCert', 'file'],
  ['peer', 'peer.tls.clientCert.file', 'tls.clientCert', 'file'],
  ['peer', 'peer.tls.clientKey.file', 'tls.clientKey', 'file'],
  ['peer', 'peer.tls.clientRootCAs.files', 'tls.clientRootCAs', 'file'],
  ['peer', 'peer.mspConfigPath', 'msp', 'file'],
  ['peer', 'peer.fileSystemPath', 'ledger', 'file'],
  ['peer', 'operations.tls.cert.file', 'operations.tls.cert.file', 'file'],
  ['peer', 'operations.tls.key.file', 'operations.tls.key.file', 'file'],
  ['peer', 'operations.tls.clientRootCAs.files', 'operations.tls.clientRootCAs.files', 'file'],
];

/** Nested mappings as JSON, which is YAML. */
const nested = (path: string, value: unknown): object =>
  path.split('.').reduceRight((inner, name) => ({ [name]: inner }), value) as object;

for (const [kind, path, key, base] of BASES)
  test(`a relative path in ${path} of ${kind === 'peer' ? 'a peer' : 'an orderer'}, also in a variable, begins at the ${base}`, (t) => {
    const isList = /CAs(?:\.files)?$/.test(path);
    const section = kind === 'peer' ? 'peer' : 'General';
    const cwd = temporaryFolder(t, {
      'in-file.yaml': JSON.stringify({ [section]: {}, ...nested(path, isList ? ['a/b'] : 'a/b') }),
      // An orderer reads variables only for the sections of its file.
      'empty.yaml': JSON.stringify({ [section]: {}, ...nested(path, null) }),
    });
    const folder = temporaryFolder(t);
    const expected = join(base === 'file' ? cwd : folder, 'a/b');
    const variable = `${kind === 'peer' ? 'CORE' : 'ORDERER'}_${path.replaceAll('.', '_').toUpperCase()}`;
    for (const [name, variables] of [
      ['in-file.yaml', {}],
      ['empty.yaml', { [variable]: 'a/b' }],
    ] as const) {
      const { file } = openNodeFile(name, cwd);
      const config = readNodeConfig({ file, kind }, variables, folder);
      if ('problems' in config) return t.fail(config.problems.join('\n'));
      t.deepEqual(config.get<unknown>(key).value, isList ? [expected] : expected, name);
    }
    return undefined;
  });

test('the interval of the gauge of members is the value in the file of the peer, or that of its program', (t) => {
  const cwd = temporaryFolder(t, {
    'core.yaml': 'peer: {gossip: {membershipTrackerInterval: 1m}}\n',
    'other.yaml': 'peer: {}\n',
  });
  const values = ['core.yaml', 'other.yaml'].map((name) => {
    const config = readNodeConfig(openNodeFile(name, cwd), {}, cwd);
    return 'problems' in config ? config.problems : config.get('gossip.membershipTrackerInterval').value;
  });
  t.deepEqual(values, ['1m', '5s']);
});
