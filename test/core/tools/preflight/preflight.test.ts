// The rules with files made here; test/e2e/preflight.test.ts compares them with the programs of Fabric.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { stringify } from 'yaml';
import type { Cause } from '../../../../core/tools/preflight/cause.js';
import { CAUSES, WARNINGS } from '../../../../core/tools/preflight/words.js';
import { preflight as preflightOf } from '../../../../core/tools/preflight/preflight.js';
import type { Config } from '../../../../translator/channel/index.js';
import { addConsenter, rotateConsenter } from '../../../../translator/edit/index.js';
import { runAgentCommand } from '../../../helpers/agent-command.js';
import { firstBlock } from '../../../helpers/first-block.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { freePorts } from '../../../helpers/free-port.js';
import { varint, writeDatabase } from '../../../helpers/leveldb-files.js';
import { makeCertificate } from '../../../helpers/made-certificates.js';
import { configBlock } from '../../../helpers/migration.js';
import { writeStoredBlocks } from '../../../helpers/stored-ledger.js';

const LONG = ['20200101000000Z', '20491231235959Z'] as const;
const ca = makeCertificate({ commonName: 'ca', validity: LONG });
const NODE_OUS = stringify({
  NodeOUs: Object.fromEntries([
    ['Enable', true],
    ...['client', 'peer', 'admin', 'orderer'].map((role) => [
      `${role.charAt(0).toUpperCase()}${role.slice(1)}OUIdentifier`,
      { OrganizationalUnitIdentifier: role },
    ]),
  ]),
});

/** Values of an orderer.yaml that an orderer of every version accepts. */
const ORDERER = {
  General: {
    ListenAddress: '127.0.0.1',
    BootstrapMethod: 'none',
    LocalMSPID: 'OrdererMSP',
    TLS: { Enabled: true, Certificate: 'tls.pem', PrivateKey: 'tls.key' },
    Cluster: { ClientCertificate: 'tls.pem', ClientPrivateKey: 'tls.key' },
  },
  Operations: { ListenAddress: '127.0.0.1:0' },
  FileLedger: { Location: 'data' },
};

/** Writes the files of an orderer. @param validity of the signing certificate */
async function makeOrderer(
  t: ExecutionContext,
  change: { readonly General?: object } = {},
  validity: readonly [string, string] = LONG,
): Promise<string> {
  const [port] = await freePorts(1);
  const general = { ...(change.General ?? ORDERER.General), ListenPort: port };
  const signing = makeCertificate({ commonName: 'orderer', unit: 'orderer', validity, issuer: ca });
  const keyOf = (made: typeof signing): string => made.key.export({ type: 'pkcs8', format: 'pem' }) as string;
  return temporaryFolder(t, {
    'orderer.yaml': stringify({ ...ORDERER, ...change, General: general }),
    'msp/cacerts/ca.pem': ca.pem.toString(),
    'msp/signcerts/cert.pem': signing.pem.toString(),
    'msp/keystore/key.pem': keyOf(signing),
    'msp/config.yaml': NODE_OUS,
    'tls.pem': signing.pem.toString(),
    'tls.key': keyOf(signing),
  });
}

const preflight = async (cwd: string, ...args: readonly string[]) =>
  runAgentCommand(['preflight', '--node', 'orderer.yaml', ...args], { cwd });

for (const flag of ['--config', '--node'])
  test(`preflight checks several nodes of ${flag}, and exits with the worst status`, async (t) => {
    const [good, bad] = [await makeOrderer(t), await makeOrderer(t)];
    rmSync(join(bad, 'tls.key'));
    const files = [good, bad].map((folder) => join(folder, 'orderer.yaml'));
    const nodes = files.map((config, index) => ({ name: `orderer${index}`, config }));
    const cwd = temporaryFolder(t, { 'agent.yaml': stringify({ nodes }) });
    const args = flag === '--config' ? ['--config', 'agent.yaml'] : files.flatMap((file) => ['--node', file]);
    const { status, stdout } = await runAgentCommand(['preflight', ...args, '--to', '3.0', '--json'], {
      cwd,
    });
    t.is(status, 1);
    const found = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { file: string; starts: boolean | null });
    t.deepEqual(
      found.map(({ file, starts }) => [file, starts]),
      [
        [files[0], null],
        [files[1], false],
      ],
    );
    const one = await runAgentCommand(['preflight', '--config', 'agent.yaml', '--to', '3.0'], { cwd });
    t.regex(
      one.stdout,
      /no cause found with Fabric 3\.0\nnot checked: .*\n\norderer .*: would not start with Fabric 3\.0 \(2 causes\)\n/,
    );
  });

const REST = 'blocks except the newest and config blocks; the other orderers of its channels';
for (const [args, status, start] of [
  [[], 3, 'a start of its program, because none was found in PATH (--program names one)'],
  [['--program', 'none'], 0, 'a start of its program'],
] as const)
  test(`preflight ${args.join(' ')} of an orderer without a cause names what it has not checked, and exits with ${status}`, async (t) => {
    const cwd = await makeOrderer(t);
    t.deepEqual(await preflight(cwd, ...args), {
      status,
      stdout: `orderer orderer.yaml: no cause found\nnot checked: ${start}; ${REST}\n`,
      stderr: '',
    });
    const { stdout } = await preflight(cwd, ...args, '--json');
    t.like(JSON.parse(stdout), { starts: null, notChecked: [start, ...REST.split('; ')] });
  });

test('preflight --to 3.0 names the bootstrap method of 2.5 in the words of the orderer, with the line; without a version it is a warning', async (t) => {
  const cwd = await makeOrderer(t, {
    General: { ...ORDERER.General, BootstrapMethod: 'file', BootstrapFile: 'tls.pem' },
  });
  t.deepEqual(await preflight(cwd, '--to', '3.0'), {
    status: 1,
    stdout: `orderer orderer.yaml: would not start with Fabric 3.0 (1 cause)

1. bootstrap-file at orderer.yaml:3: General.BootstrapMethod
   prints: Bootstrap method: 'file' is forbidden, since system channel is no longer supported
   means:  the orderer would create a system channel, which Fabric 3 does not have
   do:     set General.BootstrapMethod to none, and join channels with osnadmin
`,
    stderr: '',
  });
  const { status, stdout } = await preflight(cwd);
  t.is(status, 3);
  t.regex(
    stdout,
    /^orderer orderer\.yaml: no cause found \(1 warning\)\nnot checked: .*\n\n1\. warning: bootstrap-file at /,
  );
  t.regex(stdout, /means:  Fabric 3 would not start: the orderer would create a system channel/);
  t.is((await preflight(cwd, '--to', '2.5.12', '--program', 'none')).status, 0);
});

test('preflight --json prints the causes of an expired signing certificate as one document', async (t) => {
  const cwd = await makeOrderer(t, {}, ['20210101000000Z', '20220101000000Z']);
  const { status, stdout } = await preflight(cwd, '--to', 'v3.1.5', '--json');
  t.is(status, 1);
  const document = JSON.parse(stdout) as { causes: { id: string; severity: string; prints: string }[] };
  t.like(document, { file: 'orderer.yaml', kind: 'orderer', version: 'v3.1.5', starts: false });
  t.deepEqual(
    document.causes.map(({ id, severity, prints }) => [id, severity, prints]),
    [
      ['signcert-expired', 'cause', 'signing identity expired'],
      ['tls-expired', 'warning', ''],
    ],
  );
});

/** By title: how the files are changed, and the causes that are found. */
const CASES: Readonly<
  Record<string, readonly [{ General?: object }, (cwd: string) => void, readonly string[]]>
> = {
  'a private key that is missing': [{}, (cwd) => rmSync(join(cwd, 'msp/keystore/key.pem')), ['key-missing']],
  'a broken config.yaml of the MSP': [
    {},
    (cwd) => writeFileSync(join(cwd, 'msp/config.yaml'), 'NodeOUs: ['),
    ['msp-config-broken'],
  ],
  'an orderer.yaml that is not YAML': [
    {},
    (cwd) => writeFileSync(join(cwd, 'orderer.yaml'), 'General: [\n'),
    ['file-unreadable'],
  ],
  'a database without its state': [
    {},
    (cwd) => {
      mkdirSync(join(cwd, 'data/index'), { recursive: true });
      writeFileSync(join(cwd, 'data/index/MANIFEST-000001'), '');
    },
    ['database-broken'],
  ],
  'a ledger folder that is a file': [{}, (cwd) => writeFileSync(join(cwd, 'data'), ''), ['ledger-unusable']],
};

for (const [title, [values, change, ids]] of Object.entries(CASES))
  test(`preflight finds ${title}: ${ids.join(', ')}`, async (t) => {
    const cwd = await makeOrderer(t, values);
    change(cwd);
    const { status, stdout } = await preflight(cwd, '--to', '3.0.0', '--json');
    const { causes } = JSON.parse(stdout) as { causes: { id: string; severity: string }[] };
    t.deepEqual(
      causes.map(({ id, severity }) => [id, severity]),
      ids.map((id) => [id, 'cause']),
    );
    t.is(status, 1);
  });

test('preflight warns of an orderer without a ledger folder: it uses the directory of its file', async (t) => {
  const cwd = await makeOrderer(t, { FileLedger: { Location: '' } } as object);
  const { status, stdout } = await preflight(cwd, '--to', '3.0');
  t.is(status, 3);
  t.true(
    stdout.includes(`means:  no ledger folder is named: the orderer uses ${cwd}, and does not find channels`),
    stdout,
  );
});

test('preflight finds a block file that is shorter than the index prints, and none that is as long', async (t) => {
  const cwd = await makeOrderer(t);
  const chain = join(cwd, 'data/chains/ch1');
  mkdirSync(chain, { recursive: true });
  const committed = Buffer.concat([Buffer.from([0]), varint(1000), Buffer.from([0, 0])]);
  writeDatabase(join(cwd, 'data/index'), { 'ch1\0blkMgrInfo': committed });
  writeFileSync(join(chain, 'blockfile_000000'), Buffer.alloc(1000));
  truncateSync(join(chain, 'blockfile_000000'), 900);
  const { stdout } = await preflight(cwd, '--to', '3.0');
  t.regex(stdout, /prints: error peeking \[-100\] bytes from block file: bufio: negative count\n/);
  t.regex(stdout, /has 900 bytes, but the index has committed blocks up to byte 1000/);
});

/** Gives an orderer a channel with this config. */
function giveChannel(cwd: string, config: Config): void {
  const folder = join(cwd, 'data/chains/ch1');
  rmSync(folder, { recursive: true, force: true });
  writeStoredBlocks(folder, [firstBlock({ config })]);
}

/** The findings about the consenters. */
async function consenterWarnings(cwd: string, version: string): Promise<readonly string[]> {
  const { stdout } = await preflight(cwd, '--to', version, '--json');
  const { causes } = JSON.parse(stdout) as { causes: Cause[] };
  return causes.flatMap(({ id, severity, means, where }) =>
    id === 'consenter-unknown' ? [`${severity} ${where}: ${means}`.replaceAll(cwd, 'DIR')] : [],
  );
}

/** A self-signed certificate for a private key. */
const certify = (cwd: string, key: string, certificate: string): void =>
  void execFileSync(
    'openssl',
    ['req', '-x509', '-new', '-key', key, '-subj', '/CN=renewed', '-days', '9', '-out', certificate],
    { cwd, stdio: 'pipe' },
  );

for (const version of ['2.5.16', '3.0.0', '3.1.5'])
  test(`preflight warns of an orderer of ${version} whose TLS key belongs to no Raft consenter, and not of a renewed certificate`, async (t) => {
    const cwd = await makeOrderer(t);
    const raft = configBlock(0).config;
    giveChannel(cwd, raft);
    t.deepEqual(await consenterWarnings(cwd, version), [
      'warning orderer.yaml:7: General.TLS.Certificate: the TLS certificate DIR/tls.pem belongs to no consenter of ch1: the orderer starts, but only receives blocks as a follower',
    ]);
    const tls = readFileSync(join(cwd, 'tls.pem'));
    giveChannel(cwd, addConsenter(raft, { address: 'orderer9:7050', tls }).config);
    t.deepEqual(await consenterWarnings(cwd, version), []);
    certify(cwd, 'tls.key', 'tls.pem');
    t.deepEqual(await consenterWarnings(cwd, version), []);
  });

test('preflight compares the certificate of the listener of the cluster with the Raft consenters, if it has one', async (t) => {
  const General = {
    ...ORDERER.General,
    Cluster: { ...ORDERER.General.Cluster, ServerCertificate: 'cluster.pem' },
  };
  const cwd = await makeOrderer(t, { General });
  const tls = readFileSync(join(cwd, 'tls.pem'));
  giveChannel(cwd, addConsenter(configBlock(0).config, { address: 'orderer9:7050', tls }).config);
  writeFileSync(join(cwd, 'cluster.pem'), makeCertificate({ commonName: 'other' }).pem);
  t.regex((await consenterWarnings(cwd, '3.1.5'))[0] ?? '', /General\.Cluster\.ServerCertificate: /);
});

/** A BFT config in which the signing certificate of an orderer belongs to a consenter. */
const withIdentity = (cwd: string): Config =>
  rotateConsenter(configBlock(5).config, '127.0.0.1:27070', {
    identity: readFileSync(join(cwd, 'msp/signcerts/cert.pem')),
  }).config;

for (const [version, isSame] of [
  ['3.0.0', false],
  ['3.1.1', false],
  ['3.1.2', true],
  ['3.1.5', true],
] as const)
  test(`preflight warns of a BFT orderer of ${version} with another signing key, and ${isSame ? 'not ' : ''}of a renewed signing certificate`, async (t) => {
    const cwd = await makeOrderer(t);
    giveChannel(cwd, configBlock(5).config);
    const warning =
      'warning DIR/msp/signcerts/cert.pem: the signing certificate DIR/msp/signcerts/cert.pem belongs to no consenter of ch1: the orderer starts, but only receives blocks as a follower';
    t.deepEqual(await consenterWarnings(cwd, version), [warning]);
    giveChannel(cwd, withIdentity(cwd));
    t.deepEqual(await consenterWarnings(cwd, version), []);
    certify(cwd, 'msp/keystore/key.pem', 'msp/signcerts/cert.pem');
    t.deepEqual(await consenterWarnings(cwd, version), isSame ? [] : [warning]);
  });

test('preflight finds the port of an orderer that another program uses', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cwd = await makeOrderer(t);
  const { status, stdout } = await runAgentCommand(['preflight', '--node', '.', '--to', '3.0'], {
    cwd,
    environment: { ORDERER_GENERAL_LISTENPORT: String(port) },
  });
  t.is(status, 1);
  t.is(
    stdout.replaceAll(String(port), 'PORT'),
    `orderer .: would not start with Fabric 3.0 (1 cause)

1. port-taken at variable ORDERER_GENERAL_LISTENPORT
   prints: Failed to listen: listen tcp 127.0.0.1:PORT: bind: address already in use
   means:  another program listens on 127.0.0.1:PORT, the address of the service
   do:     end that program (ss -ltnp shows it), or set another port
`,
  );
});

/** The causes of a peer with these values, in a file below the directory that it is started in. */
async function causesOfPeer(
  t: ExecutionContext,
  values: Readonly<Record<string, object>>,
  files: Readonly<Record<string, string>> = {},
): Promise<readonly Cause[]> {
  const cwd = temporaryFolder(t, { 'home/core.yaml': stringify(values), ...files });
  return (await preflightOf({ file: 'home/core.yaml', variables: {}, cwd, version: '3.0' })).causes;
}

test('the relative path of an external builder begins at the working directory of the peer', async (t) => {
  const missing = async (path: string): Promise<boolean> => {
    const chaincode = { externalBuilders: [{ name: 'x', path }] };
    const causes = await causesOfPeer(t, { peer: {}, chaincode }, { 'builder/bin/detect': '' });
    return causes.some(({ id }) => id === 'builder-missing');
  };
  t.false(await missing('builder'));
  t.true(await missing('home/builder'));
});

for (const [path, content, prints] of [
  [
    'none.pem',
    undefined,
    "could not read file 'none.pem' specified for caCertsFile of orderer endpoint override from 'a:1' to 'b:1': open none.pem: no such file or directory",
  ],
  [
    'empty.pem',
    'no PEM',
    "Attempted to create a cert pool for override of orderer address 'a:1' to 'b:1' but did not find any valid certs in 'empty.pem'",
  ],
  ['ca.pem', ca.pem.toString(), undefined],
] as const)
  test(`an address override with the caCertsFile ${path}, below the working directory of the peer: ${prints === undefined ? 'nothing' : 'a warning in its words'}`, async (t) => {
    const addressOverrides = [{ from: 'a:1', to: 'b:1', caCertsFile: path }];
    const causes = await causesOfPeer(
      t,
      { peer: { deliveryclient: { addressOverrides } } },
      content === undefined ? {} : { [path]: content },
    );
    const found = causes.filter(({ id }) => id === 'override-without-effect');
    t.deepEqual(
      found.map(({ severity, prints: words, means }) => [severity, words, means]),
      prints === undefined
        ? []
        : [
            [
              'warning',
              prints,
              'the address override of a:1 has no effect: the peer starts, and connects to a:1, not to b:1',
            ],
          ],
    );
  });

for (const [files, prints] of [
  [[], 'failed to read issuer public key file: could not read file MSP/msp/IssuerPublicKey: open MSP/msp/'],
  [['IssuerPublicKey'], 'failed to read revocation public key file: could not read file MSP/msp/Revocation'],
  [['IssuerPublicKey', 'RevocationPublicKey'], 'Unsupported msp type idemix'],
] as const)
  test(`an MSP of the type idemix stops a peer: with ${files.join(' and ') || 'no key'}, ${prints}`, async (t) => {
    const causes = await causesOfPeer(
      t,
      { peer: { localMspType: 'idemix', localMspId: 'Org1MSP', mspConfigPath: 'msp' } },
      { 'home/msp/x': '', ...Object.fromEntries(files.map((name) => [`home/msp/msp/${name}`, 'key'])) },
    );
    const [found] = causes;
    t.is(found?.id, 'msp-type-idemix');
    t.true(found?.prints.replaceAll(/\/\S*\/home\/msp\b/g, 'MSP').startsWith(prints), found?.prints);
  });

for (const [args, message] of [
  [['preflight'], 'preflight requires a node: --node FILE, or --config FILE with a section nodes'],
  [
    ['preflight', '--node', 'orderer.yaml', '--node', 'orderer.yaml', '--program', 'orderer'],
    '--program orderer: requires one node: found 2',
  ],
  [
    ['preflight', '--node', 'orderer.yaml', '--to', '9.9'],
    '--to 9.9: the version of Fabric must be 2.5, 3.0, 3.1, or one of the releases 2.5.0 to 2.5.16, 3.0.0, 3.1.0 to 3.1.5; found "9.9"',
  ],
  [['preflight', '--node', 'orderer.yaml', '--program', '/none'], '--program /none: no such file'],
  [
    ['preflight', '--node', 'orderer.yaml', '--program', '/bin/true'],
    '--program /bin/true: is not the program of a peer or an orderer',
  ],
  [
    ['preflight', '--node', 'msp/config.yaml'],
    "msp/config.yaml: is neither a peer's core.yaml nor an orderer's orderer.yaml: it has none of the sections peer, chaincode, ledger, General and Operations",
  ],
] as const)
  test(`${args.join(' ')} exits with 2 and prints ${message}`, async (t) => {
    const cwd = await makeOrderer(t);
    t.deepEqual(await runAgentCommand(args, { cwd }), {
      status: 2,
      stdout: '',
      stderr: `fabric-ops-agent: error: ${message}\n`,
    });
  });

test('core/tools/preflight/README.md has all causes in their order, and all warnings', (t) => {
  const text = readFileSync('core/tools/preflight/README.md', 'utf8');
  const idsAfter = (start: RegExp): string[] => {
    const [, ids = ''] = text.split(start)[1]?.match(/(.*?)\n\n/s) ?? [];
    return [...ids.matchAll(/`([a-z0-9-]+)`/g)].map(([, id = '']) => id);
  };
  t.deepEqual(idsAfter(/^## Causes\n\n.*?\n\n/ms), Object.keys(CAUSES));
  t.deepEqual(idsAfter(/^Warnings only: /m), Object.keys(WARNINGS));
});

test('a certificate with a negative serial number no longer counts after an upgrade from 2.5.9 to 2.5.10', async (t) => {
  const cwd = await makeOrderer(t);
  const at = (name: string): string => join(cwd, name);
  writeFileSync(at('ca.key'), ca.key.export({ type: 'pkcs8', format: 'pem' }));
  const request = ['-new', '-key', at('msp/keystore/key.pem'), '-subj', '/OU=orderer/CN=orderer'];
  execFileSync('openssl', ['req', ...request, '-out', at('request.pem')]);
  const issuer = ['-CA', at('msp/cacerts/ca.pem'), '-CAkey', at('ca.key'), '-set_serial', '-5', '-days', '9'];
  execFileSync(
    'openssl',
    ['x509', '-req', '-in', at('request.pem'), ...issuer, '-out', at('msp/signcerts/cert.pem')],
    { stdio: 'ignore' },
  );
  t.is((await preflight(cwd, '--to', '2.5.9', '--program', 'none')).status, 0);
  const { status, stdout } = await preflight(cwd, '--to', '2.5.10');
  t.is(status, 1);
  t.regex(stdout, /1\. signcert-invalid at .*\n {3}prints: x509: negative serial number\n/);
});

for (const [library, status, lines] of [
  [
    '/none.so',
    1,
    [
      'prints: Could not find default `PKCS11` BCCSP',
      'means:  the PKCS11 library /none.so does not exist',
      'do:     install the library of the token, and use a program that was built with PKCS11',
    ],
  ],
  ['', 1, ['means:  the PKCS11 library is not named']],
  [
    'orderer.yaml',
    3,
    ['means:  the key is in a PKCS11 token, which is not checked; the program must be built with PKCS11'],
  ],
] as const)
  test(`preflight of an orderer with the PKCS11 library '${library}' prints ${JSON.stringify(lines)}`, async (t) => {
    const BCCSP = { Default: 'PKCS11', PKCS11: { Library: library } };
    const cwd = await makeOrderer(t, { General: { ...ORDERER.General, BCCSP } });
    const { status: found, stdout } = await preflight(cwd);
    t.is(found, status, stdout);
    for (const line of lines) t.true(stdout.includes(`   ${line}\n`), stdout);
  });
