import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { openNodeFile, readEnvironmentFile, readNodeConfig } from '../../../config/node/config.js';
import { temporaryFolder } from '../../helpers/folder.js';

const container = (...variables: readonly string[]): string =>
  JSON.stringify([{ Config: { Env: variables } }]);

for (const [what, text, expected] of [
  ['lines', 'A=1\n\n# B=2\n; C=3\nexport D = 4\n'.replace(' = ', '='), { A: '1', D: '4' }],
  ['quotes', `A="a b\\"\\\\c"\nB='\\"'\nC=a"b"\nD=\r\n`, { A: 'a b"\\c', B: '\\"', C: 'a"b"', D: '' }],
  ['values with equal signs', 'A=b=c', { A: 'b=c' }],
  ['the output of docker inspect', container('A=1', 'B=x\ny', 'no variable'), { A: '1', B: 'x\ny' }],
  ['one object', JSON.stringify({ Config: { Env: ['A=1'] } }), { A: '1' }],
  ['the environment of a process', 'A=1\0B=x\ny\0\0', { A: '1', B: 'x\ny' }],
  ['names of members of objects', '__proto__=1\nconstructor=2', { ['__proto__']: '1', constructor: '2' }],
  ['nothing', '', {}],
] as const)
  test(`a file with ${what}: ${JSON.stringify(text)}`, (t) => {
    const cwd = temporaryFolder(t, { env: text });
    t.deepEqual(Object.entries(readEnvironmentFile('env', cwd)), Object.entries(expected));
  });

test('the environment of this process is read', (t) => {
  const environment = readEnvironmentFile(`/proc/${process.pid}/environ`, '/');
  t.is(environment['PATH'], /(?:^|\0)PATH=([^\0]*)/.exec(readFileSync('/proc/self/environ', 'utf8'))?.[1]);
});

for (const [what, text, reason] of [
  ['a line without a value', 'A=1\nsecret', 'line 2: must be NAME=VALUE'],
  ['an invalid name', '1A=secret', 'line 1: must be NAME=VALUE'],
  ['JSON that ends early', '[{', 'is not valid JSON, although it begins like the output of docker inspect'],
  ['two containers', '[{},{}]', 'describes 2 containers; write docker inspect of one of them to it'],
  ['another document', '{"Config":{}}', 'has no list Config.Env, as the output of docker inspect has'],
  ['more than 1 MiB', 'A'.repeat(1024 * 1024 + 1), 'it is larger than 1048576 bytes'],
] as const)
  test(`a file with ${what} is refused, without its values in the message`, (t) => {
    const cwd = temporaryFolder(t, { env: text });
    t.throws(() => readEnvironmentFile('env', cwd), { message: `env: ${reason}` });
  });

test('a file that does not exist is refused', (t) => {
  const cwd = temporaryFolder(t);
  t.throws(() => readEnvironmentFile('env', cwd), { message: 'env: no such file' });
  t.throws(() => readEnvironmentFile(join(cwd, 'env'), '/'), {
    message: `${join(cwd, 'env')}: no such file`,
  });
});

/** Where relative paths begin: the directory of the file, or the one that the node is started in. Started programs of 2.5.12 and 3.0.0 open these. */
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
      'empty.yaml': JSON.stringify({ [section]: {} }),
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
