import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { FailedChecks } from '../../../../core/contract/index.js';
import { createNodeTestContext } from '../../../../core/testing/context.js';
import certificates from '../../../../plugins/health/certificates/index.js';
import { TestCa } from '../../../helpers/certificates.js';
import { makeCertificates } from '../../../helpers/certificate-set.js';
import { startChecker, type StartedChecker } from '../../../helpers/checker.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { makeCertificate, type Made } from '../../../helpers/made-certificates.js';
import { decode, encode } from '../../../../translator/index.js';
import { bftBlock, networkBlock } from '../../../helpers/network-block.js';

const DAY = 86_400_000;
const set = makeCertificates();
/** A CA with the name of the first one and another key. */
const twin = new TestCa(temporaryDirectory(), 'ca');

function temporaryDirectory(): string {
  const directory = join(set.directory, 'twin');
  mkdirSync(directory);
  return directory;
}

type CertificatePaths = Partial<Record<'paths' | 'blocks' | 'keys', readonly string[]>> & {
  readonly signer?: 'peer' | 'orderer';
};

const startNamed = (
  t: ExecutionContext,
  options: CertificatePaths,
  minimum = 7 * DAY,
): Promise<StartedChecker> =>
  startChecker(t, certificates, { paths: [], blocks: [], keys: [], minimum, signer: 'none', ...options });

/** Starts a checker. Its `check` returns the reasons by path, which is at the end of each reason. */
async function start(
  t: ExecutionContext,
  options: CertificatePaths,
  minimum?: number,
): Promise<StartedChecker> {
  const started = await startNamed(t, options, minimum);
  const byPath = ([name, text]: readonly [string, string]): [string, string] => {
    const [, reason = text, path = name] = /^(.*) \((\/.*)\)$/s.exec(text) ?? [];
    return [path, reason];
  };
  return {
    ...started,
    check: async () => Object.fromEntries(Object.entries(await started.check()).map(byPath)),
  };
}

/** Creates an MSP: files by directory. */
function createMsp(t: ExecutionContext, files: Readonly<Record<string, readonly string[]>>): string {
  const msp = temporaryFolder(t);
  for (const [directory, all] of Object.entries(files)) {
    mkdirSync(join(msp, directory));
    for (const file of all) copyFileSync(file, join(msp, directory, basename(file)));
  }
  return msp;
}

const leaf = (name: string): { readonly cert: string; readonly key: string } => {
  const found = set.clients[name];
  if (found === undefined) throw new Error(name);
  return found;
};

test('valid files are healthy, and their gauges have subject, issuer, serial, kind and the name of the checker', async (t) => {
  const { check, series } = await start(t, { paths: [set.server.cert, set.ca.cert], keys: [set.server.key] });
  t.deepEqual(await check(), {});
  const { serialNumber: serial, validTo } = new X509Certificate(readFileSync(set.server.cert));
  const found = await series('x509_cert_not_after');
  t.is(Object.keys(found).length, 2);
  const labels = {
    path: set.server.cert,
    subject: 'O=Test, CN=server',
    issuer: 'O=Test, CN=ca',
    serial,
    kind: 'tls',
    component: 'certificates',
  };
  t.is(found[JSON.stringify(labels)], Date.parse(validTo) / 1000);
  t.deepEqual([...new Set(Object.values(await series('x509_cert_expired')))], [0]);
  t.deepEqual(await series('x509_source_errors_total'), { '{}': 0 });
});

test('a certificate whose time has the month 13 fails, and the others are checked', async (t) => {
  const file = join(temporaryFolder(t), 'odd.der');
  const { raw } = new X509Certificate(readFileSync(set.server.cert));
  // UTCTime: tag 23, 13 bytes. The second time is the end.
  const time = raw.indexOf(Buffer.from([23, 13]), raw.indexOf(Buffer.from([23, 13])) + 1) + 2;
  writeFileSync(file, Buffer.concat([raw.subarray(0, time + 2), Buffer.from('13'), raw.subarray(time + 4)]));
  const expired = leaf('expired').cert;
  const { check } = await start(t, { paths: [file, expired] });
  const failed = await check();
  t.is(failed[file], 'CN=server has an invalid time');
  t.regex(failed[expired] ?? '', /^CN=expired expired on/);
});

test('above 50,000 files one message says that the others are not checked, also in further paths', async (t) => {
  const expired = leaf('expired').cert;
  const [crowded, further] = [createMsp(t, { cacerts: [set.ca.cert] }), temporaryFolder(t)];
  // In an MSP only the names of such files are read. Links take less time than files.
  for (let index = 0; index < 49_999; index += 1) linkSync(set.ca.cert, join(crowded, `${index}.txt`));
  copyFileSync(expired, join(further, 'expired.pem'));
  const { check } = await start(t, { paths: [crowded, further] });
  t.deepEqual(await check(), {
    [join(crowded, 'cacerts')]: 'there are more than 50000 files; the others are not checked',
  });
});

test('directories are checked down to ten levels below a path', async (t) => {
  const path = temporaryFolder(t);
  const at = (levels: number): string =>
    join(path, ...Array.from({ length: levels }, (_, index) => `${index + 1}`));
  mkdirSync(at(11), { recursive: true });
  const { cert } = leaf('expired');
  copyFileSync(cert, join(at(10), 'expired.pem'));
  copyFileSync(cert, join(at(11), 'expired.pem'));
  const failed = await (await start(t, { paths: [path] })).check();
  t.deepEqual(Object.keys(failed).toSorted(), [at(11), join(at(10), 'expired.pem')].toSorted());
  t.is(failed[at(11)], 'is more than 10 levels deep and is not checked');
});

test('expired, future and nearly expired certificates fail with the time', async (t) => {
  const [expired, future] = [leaf('expired').cert, leaf('not-yet-valid').cert];
  const { check, series } = await start(t, { paths: [expired, future, set.server.cert] }, 20_000 * DAY);
  const failed = await check();
  t.deepEqual(Object.keys(failed).toSorted(), [expired, future, set.server.cert].toSorted());
  t.regex(failed[expired] ?? '', /^CN=expired expired on 2020-02-01T00:00:00Z, \d+ days ago$/);
  t.is(failed[future], 'CN=future is not valid before 2048-01-01T00:00:00Z');
  t.regex(
    failed[set.server.cert] ?? '',
    /^CN=server expires on 2049-12-31T23:59:59Z, in \d+ days; the minimum is 20000 days$/,
  );
  const values = Object.entries(await series('x509_cert_expired'));
  t.deepEqual(
    values.filter(([labels]) => labels.includes('CN=expired"')).map(([, value]) => value),
    [1],
  );
});

test('a replaced file is read again, and the series of the former certificate end', async (t) => {
  const path = join(temporaryFolder(t), 'tls.crt');
  copyFileSync(set.server.cert, path);
  const { check, series } = await start(t, { paths: [path] });
  t.deepEqual(await check(), {});
  copyFileSync(leaf('expired').cert, path);
  t.deepEqual(Object.keys(await check()), [path]);
  const left = Object.keys(await series('x509_cert_not_after'));
  t.is(left.length, 1);
  t.true(left[0]?.includes('CN=expired'));
  rmSync(path);
  t.deepEqual(await check(), { [path]: 'no such file' });
  t.deepEqual(await series('x509_cert_not_after'), {});
  t.deepEqual(await series('x509_source_errors_total'), { '{}': 1 });
});

test('each certificate of a file is a part', async (t) => {
  const { cert } = leaf('expired');
  const bundle = readFileSync(set.server.cert, 'utf8') + readFileSync(cert, 'utf8');
  const path = join(temporaryFolder(t, { 'bundle.pem': bundle }), 'bundle.pem');
  t.deepEqual(Object.keys(await (await start(t, { paths: [path] })).check()), [`${path}#2`]);
});

test('a DER file is a certificate', async (t) => {
  const path = join(temporaryFolder(t), 'a.der');
  writeFileSync(path, new X509Certificate(readFileSync(set.server.cert)).raw);
  t.deepEqual(await (await start(t, { paths: [path] })).check(), {});
});

test('a key that belongs to none of the certificates fails', async (t) => {
  const { key } = leaf('trusted');
  const { check } = await start(t, { paths: [set.server.cert], keys: [set.server.key, key] });
  t.deepEqual(await check(), { [key]: 'does not belong to any of the certificates of `paths`' });
});

test('a certificate of a CA that was replaced by one with the same name fails', async (t) => {
  const { check } = await start(t, { paths: [set.server.cert, twin.cert] });
  t.deepEqual(await check(), {
    [set.server.cert]: `CN=server is not signed by the CA CN=ca in ${twin.cert}, which has another key`,
  });
});

test('a complete MSP is healthy', async (t) => {
  const { cert, key } = leaf('trusted');
  const msp = createMsp(t, {
    signcerts: [cert],
    keystore: [key],
    cacerts: [set.ca.cert],
    tlscacerts: [set.foreignCa.cert],
  });
  writeFileSync(
    join(msp, 'config.yaml'),
    'NodeOUs:\n  Enable: true\n  PeerOUIdentifier:\n    Certificate: cacerts/ca.pem\n    OrganizationalUnitIdentifier: peer\n',
  );
  const { check, series } = await start(t, { paths: [msp] });
  t.deepEqual(await check(), {});
  const kinds = Object.keys(await series('x509_cert_not_after')).map(
    (labels) => /"kind":"(\w+)"/.exec(labels)?.[1] ?? '',
  );
  t.deepEqual(kinds.toSorted(), ['ca', 'signing', 'tls_ca']);
});

for (const [signer, consequence] of [
  ['peer', 'orderers refuse this peer, and it will not start again'],
  ['orderer', 'other orderers send it no blocks, and it will not start again'],
] as const)
  test(`an expired certificate that a node signs with is critical: ${signer}`, async (t) => {
    const { cert, key } = leaf('expired');
    const msp = createMsp(t, {
      signcerts: [cert],
      keystore: [key],
      cacerts: [set.ca.cert],
      admincerts: [cert],
    });
    copyFileSync(cert, join(msp, 'signcerts', 'former.pem'));
    const { checker } = await startNamed(t, { paths: [msp], signer });
    const thrown = await t.throwsAsync(async () => checker.check(new AbortController().signal));
    const { parts } = thrown as FailedChecks;
    const found = parts.map(({ component, severity, reason }) => [
      component.split('/').slice(1).join('/'),
      severity,
      reason.replace(/\d+ days ago| \(.*\)$/g, ''),
    ]);
    t.deepEqual(found, [
      ['admincerts/ca-expired.pem', 'warning', 'CN=expired expired on 2020-02-01T00:00:00Z, '],
      [
        'signcerts/ca-expired.pem',
        'critical',
        `CN=expired expired on 2020-02-01T00:00:00Z, : ${consequence}`,
      ],
      ['signcerts/former.pem', 'warning', 'CN=expired expired on 2020-02-01T00:00:00Z, '],
    ]);
    const step = `Replace the certificate in ${join(msp, 'signcerts', 'ca-expired.pem')}, and restart its node.`;
    t.deepEqual(parts[1]?.steps, [{ text: step }]);
  });

test('a certificate that a node signs with and that is not valid yet is a warning', async (t) => {
  const { cert, key } = leaf('not-yet-valid');
  const msp = createMsp(t, { signcerts: [cert], keystore: [key], cacerts: [set.ca.cert] });
  const { checker } = await startNamed(t, { paths: [msp], signer: 'peer' });
  const thrown = await t.throwsAsync(async () => checker.check(new AbortController().signal));
  t.deepEqual(
    (thrown as FailedChecks).parts.map(({ severity, steps }) => [severity, steps]),
    [['warning', undefined]],
  );
});

test('when several certificates are not valid yet, the clock is probably wrong', async (t) => {
  const { cert } = leaf('not-yet-valid');
  const copy = join(temporaryFolder(t), 'copy.pem');
  copyFileSync(cert, copy);
  const reason =
    'CN=future is not valid before 2048-01-01T00:00:00Z: the clock of this host is probably wrong';
  t.deepEqual(await (await start(t, { paths: [cert, copy, set.server.cert] })).check(), {
    [cert]: reason,
    [copy]: reason,
  });
});

test('an MSP fails for another CA, another key, and units with a certificate that it does not have', async (t) => {
  const { cert } = leaf('trusted');
  const [other, keys] = [
    createMsp(t, { signcerts: [cert], cacerts: [set.foreignCa.cert] }),
    createMsp(t, { signcerts: [cert], keystore: [set.server.key], cacerts: [set.ca.cert] }),
  ];
  writeFileSync(
    join(other, 'config.yaml'),
    'NodeOUs: {PeerOUIdentifier: {Certificate: "cacerts/gone.pem"}}\n',
  );
  const name = basename(cert);
  t.deepEqual(await (await start(t, { paths: [other, keys] })).check(), {
    [join(other, 'config.yaml')]: 'refers to cacerts/gone.pem, which is not a CA certificate of this MSP',
    [join(other, 'signcerts', name)]: `CN=client is not issued by a CA of the MSP ${other}`,
    [join(keys, 'signcerts', name)]:
      `CN=client has a private key that is not in the keystore of the MSP ${keys}`,
  });
});

/** Writes an MSP with certificates made in the process: the names of files by directory. */
function writeMsp(t: ExecutionContext, files: Readonly<Record<string, Made>>): string {
  const texts = Object.entries(files).map(([name, { pem }]): [string, string] => [name, pem.toString()]);
  return temporaryFolder(t, Object.fromEntries(texts));
}

const root = makeCertificate({ commonName: 'root' });
const intermediate = makeCertificate({ commonName: 'ica', issuer: root, isCa: true });
const otherRoot = makeCertificate({ commonName: 'other' });
const member = makeCertificate({ commonName: 'member', issuer: intermediate });
const foreign = makeCertificate({ commonName: 'foreign', issuer: otherRoot, isCa: true });
const ROOTS = { 'cacerts/ca.pem': root, 'tlscacerts/ca.pem': root };
const ISSUED = 'is not issued by a CA of the MSP';

for (const [what, files, failed] of [
  [
    'an intermediate CA',
    { 'intermediatecerts/ica.pem': intermediate, 'signcerts/a.pem': member, 'admincerts/a.pem': member },
    {},
  ],
  [
    'an intermediate TLS CA',
    {
      'tlsintermediatecerts/ica.pem': intermediate,
      'signcerts/a.pem': makeCertificate({ commonName: 'a', issuer: root }),
    },
    {},
  ],
  [
    'an intermediate CA of another CA',
    {
      'intermediatecerts/ica.pem': foreign,
      'signcerts/a.pem': makeCertificate({ commonName: 'a', issuer: root }),
    },
    { 'intermediatecerts/ica.pem': `CN=foreign ${ISSUED}` },
  ],
  [
    'an intermediate TLS CA of another CA',
    {
      'tlsintermediatecerts/ica.pem': foreign,
      'signcerts/a.pem': makeCertificate({ commonName: 'a', issuer: root }),
    },
    { 'tlsintermediatecerts/ica.pem': 'CN=foreign is not issued by a TLS CA of the MSP' },
  ],
  [
    'certificates of an intermediate CA that it does not have',
    { 'signcerts/a.pem': member, 'admincerts/a.pem': member },
    { 'signcerts/a.pem': `CN=member ${ISSUED}`, 'admincerts/a.pem': `CN=member ${ISSUED}` },
  ],
] as const satisfies readonly (readonly [
  string,
  Readonly<Record<string, Made>>,
  Readonly<Record<string, string>>,
])[])
  test(`an MSP with ${what}: ${Object.values(failed).join() || 'healthy'}`, async (t) => {
    const msp = writeMsp(t, { ...ROOTS, ...files });
    const expected = Object.entries(failed).map(([name, reason]) => [join(msp, name), `${reason} ${msp}`]);
    t.deepEqual(await (await start(t, { paths: [msp] })).check(), Object.fromEntries(expected));
  });

for (const [what, reference, isKnown] of [
  ['of its directory', 'cacerts/ca.pem', true],
  ['of its directory, from the current one', './cacerts/ca.pem', true],
  ['an intermediate CA', 'intermediatecerts/ica.pem', true],
  ['an intermediate CA, among the root CAs', 'cacerts/ica.pem', false],
  ['a TLS CA', 'tlscacerts/ca.pem', false],
  ['500 characters of a long name', 'x'.repeat(501), false],
] as const)
  test(`a config.yaml that refers to ${what} ${isKnown ? 'is healthy' : 'fails'}`, async (t) => {
    const msp = writeMsp(t, { ...ROOTS, 'intermediatecerts/ica.pem': intermediate });
    const file = join(msp, 'config.yaml');
    writeFileSync(file, `NodeOUs: {PeerOUIdentifier: {Certificate: ${reference}}}\n`);
    const reason = `refers to ${reference.slice(0, 500)}, which is not a CA certificate of this MSP`;
    t.deepEqual(await (await start(t, { paths: [msp] })).check(), isKnown ? {} : { [file]: reason });
  });

/** A checker of some paths, with the times and certificates that it reports. */
async function recordedChecker(t: ExecutionContext, paths: readonly string[]) {
  const options = { paths, blocks: [], keys: [], minimum: 0, signer: 'none' } as const;
  const { context } = createNodeTestContext(certificates, options);
  const times: unknown[] = [];
  const published: unknown[] = [];
  const checker = certificates.create({
    ...context,
    clock: { record: (evidence) => void times.push(evidence) },
    facts: { ...context.facts, publish: (kind, value) => void published.push([kind, value]) },
  });
  t.teardown(() => checker.stop?.());
  const check = async (): Promise<void> =>
    void (await Promise.allSettled([checker.check(new AbortController().signal)]));
  return { check, times, published };
}

test('the times of different certificates are reported for the clock, with the time of the newest file', async (t) => {
  const folder = temporaryFolder(t);
  const copy = join(folder, 'copy.pem');
  const paths = [leaf('expired').cert, leaf('not-yet-valid').cert, set.server.cert, copy];
  copyFileSync(set.server.cert, copy);
  const written = new Date('2040-01-02T03:04:05Z');
  utimesSync(copy, written, written);
  const { check, times } = await recordedChecker(t, paths);
  await check();
  const newest = Date.UTC(2048, 0, 1);
  t.deepEqual(times, [
    { certificates: { count: 3, early: 1, expired: 1, newest }, written: written.getTime() },
  ]);
});

test('the certificates are published once until they change', async (t) => {
  const path = join(temporaryFolder(t), 'tls.pem');
  const { pem } = makeCertificate({ commonName: 'a' });
  writeFileSync(path, pem.toString().repeat(2));
  const { check, published } = await recordedChecker(t, [path]);
  await check();
  await check();
  const found = {
    part: 'tls.pem#2',
    subject: 'CN=a',
    kind: 'tls_ca',
    path,
    notAfter: Date.UTC(2036, 0, 1),
  };
  t.deepEqual(published, [['certificates', [found]]]);
  writeFileSync(path, makeCertificate({ commonName: 'b' }).pem);
  await check();
  t.is(published.length, 2);
});

const kindsIn = async ({ series }: StartedChecker): Promise<readonly string[]> => {
  const labels = Object.keys(await series('x509_cert_not_after'));
  return [...new Set(labels.map((each) => /"kind":"(\w+)"/.exec(each)?.[1] ?? ''))].toSorted();
};

test('the certificates of the MSPs and of the consenters are found in a config block', async (t) => {
  const path = join(temporaryFolder(t), 'config.block');
  writeFileSync(path, networkBlock());
  const started = await start(t, { blocks: [path] }, 0);
  t.deepEqual(await started.check(), {});
  t.deepEqual(await kindsIn(started), ['ca', 'consenter_client_tls', 'consenter_server_tls', 'tls_ca']);
});

test('an invalid certificate of a consenter fails, and the other certificates of the block are checked', async (t) => {
  const path = join(temporaryFolder(t), 'config.block');
  writeFileSync(path, bftBlock());
  const started = await start(t, { blocks: [path] }, 0);
  t.deepEqual(await started.check(), {
    [path]: 'has an invalid certificate of consenter orderer1.example.com:7050 (consenter_identity)',
  });
  t.deepEqual(await kindsIn(started), ['ca', 'tls_ca']);
});

test('a consenter with an IPv6 address is named with brackets', async (t) => {
  const path = join(temporaryFolder(t), 'config.block');
  const json = decode('common.Block', bftBlock()).replaceAll('orderer1.example.com', '::1');
  writeFileSync(path, encode('common.Block', json));
  t.deepEqual(await (await start(t, { blocks: [path] }, 0)).check(), {
    [path]: 'has an invalid certificate of consenter [::1]:7050 (consenter_identity)',
  });
});

test('a file that is not a config block fails with what it is', async (t) => {
  const { check } = await start(t, { blocks: [set.server.cert] });
  t.regex((await check())[set.server.cert] ?? '', /config block/);
});

const GARBAGE: readonly (readonly [what: string, content: string, reason: string])[] = [
  ['text', 'hello', 'contains no certificate'],
  ['nothing', '', 'is empty'],
  [
    'a broken PEM block',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    'contains an invalid certificate',
  ],
  ['broken DER', '0\u0082aaaa', 'contains an invalid certificate'],
  ['2 MiB', 'x'.repeat(2 * 1024 * 1024), 'it is larger than 1048576 bytes'],
];
for (const [what, content, reason] of GARBAGE) {
  test(`a file with ${what}: ${reason}`, async (t) => {
    const path = join(temporaryFolder(t), 'a.pem');
    writeFileSync(path, content, 'latin1');
    const { check, series } = await start(t, { paths: [path] });
    t.deepEqual(await check(), { [path]: reason });
    t.deepEqual(await series('x509_source_errors_total'), { '{}': 1 });
  });
}

test('loops of links end, a link to itself fails, and a pipe is not opened', async (t) => {
  const directory = temporaryFolder(t);
  copyFileSync(set.server.cert, join(directory, 'a.pem'));
  symlinkSync('.', join(directory, 'loop'));
  symlinkSync('self.pem', join(directory, 'self.pem'));
  execFileSync('mkfifo', [join(directory, 'pipe.pem')]);
  t.deepEqual(await (await start(t, { paths: [directory] })).check(), {
    [join(directory, 'self.pem')]: 'a loop of symbolic links',
  });
  const pipe = join(directory, 'pipe.pem');
  t.deepEqual(await (await start(t, { paths: [pipe] })).check(), {
    [pipe]: 'it is a named pipe, not a regular file',
  });
});

test('a directory without certificates fails, also after a path with another problem', async (t) => {
  const path = temporaryFolder(t, { 'notes.txt': 'hello' });
  const missing = join(path, 'missing.pem');
  t.deepEqual(await (await start(t, { paths: [missing, path] })).check(), {
    [missing]: 'no such file',
    [path]: 'contains no certificates that are not already checked under another path',
  });
});

/** An unprivileged user, which need not exist. */
const OTHER = 65_534;

/** Root may read every file, so a test that root runs continues as another user. */
function withoutPrivileges(t: ExecutionContext): void {
  if (process.getuid?.() !== 0) return;
  process.seteuid?.(OTHER);
  t.teardown(() => process.seteuid?.(0));
}

// Serial, because the tests change the user of the process.
test.serial(
  'files and keystores without permission: a certificate fails, a key is not checked',
  async (t) => {
    const { cert, key } = leaf('trusted');
    const createReadable = (): string => {
      const msp = createMsp(t, { signcerts: [cert], keystore: [key], cacerts: [set.ca.cert] });
      for (const directory of [msp, join(msp, 'signcerts'), join(msp, 'cacerts')])
        chmodSync(directory, 0o755);
      for (const file of [join('signcerts', basename(cert)), join('cacerts', basename(set.ca.cert))])
        chmodSync(join(msp, file), 0o644);
      chmodSync(join(msp, 'keystore'), 0);
      t.teardown(() => chmodSync(join(msp, 'keystore'), 0o700));
      return msp;
    };
    const [readable, secret] = [createReadable(), createReadable()];
    const file = join(secret, 'signcerts', basename(cert));
    chmodSync(file, 0);
    withoutPrivileges(t);
    t.deepEqual(await (await start(t, { paths: [readable] })).check(), {});
    t.deepEqual(await (await start(t, { paths: [secret] })).check(), {
      [file]: 'cannot be checked: permission denied; let the user of the agent read it',
    });
  },
);

test.serial('a directory without read permission is a warning with what to do', async (t) => {
  const path = temporaryFolder(t);
  chmodSync(path, 0);
  t.teardown(() => chmodSync(path, 0o700));
  withoutPrivileges(t);
  t.deepEqual(await (await start(t, { paths: [path] })).check(), {
    [path]: 'cannot be checked: permission denied; let the user of the agent read it',
  });
});

test.serial('a private key without read permission is not checked', async (t) => {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o755);
  const [cert, key] = [join(folder, 'tls.pem'), join(folder, 'tls.key')];
  copyFileSync(set.server.cert, cert);
  chmodSync(cert, 0o644);
  copyFileSync(leaf('trusted').key, key);
  chmodSync(key, 0);
  withoutPrivileges(t);
  t.deepEqual(await (await start(t, { paths: [cert], keys: [key] })).check(), {});
});

test('a directory in place of a private key fails', async (t) => {
  const key = temporaryFolder(t);
  const { check } = await start(t, { paths: [set.server.cert], keys: [key] });
  t.deepEqual(await check(), { [key]: 'it is a directory' });
});

test('a file of a directory that changes is read again', async (t) => {
  const directory = temporaryFolder(t);
  const files = Array.from({ length: 200 }, (_, index) => join(directory, `${index}.pem`));
  for (const file of files) copyFileSync(set.server.cert, file);
  const { check, series } = await start(t, { paths: [directory] });
  t.deepEqual(await check(), {});
  const changed = files[7] ?? '';
  copyFileSync(leaf('expired').cert, changed);
  t.deepEqual(Object.keys(await check()), [changed]);
  copyFileSync(set.ca.cert, changed);
  t.deepEqual(await check(), {});
  t.is(Object.keys(await series('x509_cert_not_after')).length, 200);
});

test('neither paths nor blocks are refused', async (t) => {
  await t.throwsAsync(start(t, {}), {
    message: 'options.paths or options.blocks must name at least one file or directory',
  });
});

test('too many open files are the failure of the check, not of a certificate, and end with it', (t) => {
  const ca = join(set.directory, 'twin', 'ca.pem');
  const script = `
    import { closeSync, openSync } from 'node:fs';
    import certificates from '${new URL('../../../../plugins/health/certificates/index.js', import.meta.url).href}';
    import { createNodeTestContext } from '${new URL('../../../../core/testing/context.js', import.meta.url).href}';
    const options = { paths: ['${ca}'], blocks: [], keys: [], minimum: 0 };
    const checker = certificates.create(createNodeTestContext(certificates, options).context);
    const result = () => checker.check(new AbortController().signal).then(() => 'healthy', (error) => error.message + (error.parts ? ' parts' : ''));
    const open = [];
    try { for (;;) open.push(openSync('/dev/null')); } catch {}
    const first = await result();
    for (const descriptor of open) closeSync(descriptor);
    console.log(JSON.stringify([first, await result()]));`;
  const output = execFileSync('sh', [
    '-c',
    'ulimit -n 100; exec "$@"',
    'sh',
    process.execPath,
    '--input-type=module',
    '-e',
    script,
  ]);
  t.deepEqual(JSON.parse(output.toString()), ['this process has too many open files', 'healthy']);
});

test('a config.yaml of a million empty lines before a certificate that the MSP does not have is read once', async (t) => {
  const { cert, key } = leaf('trusted');
  const msp = createMsp(t, { signcerts: [cert], keystore: [key], cacerts: [set.ca.cert] });
  const file = join(msp, 'config.yaml');
  writeFileSync(
    file,
    `${'\n'.repeat(1e6)}  # Certificate: cacerts/old.pem\n  Certificate: cacerts/gone.pem\n`,
  );
  t.deepEqual(await (await start(t, { paths: [msp] })).check(), {
    [file]: 'refers to cacerts/gone.pem, which is not a CA certificate of this MSP',
  });
});
