// `sign` with keys elsewhere (--digest, --signature, --sign-with), with encrypted keys, PKCS #12 files and wallets.

import { execFileSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readEnvelope } from '../../../translator/channel/index.js';
import { runSigningCommand } from '../../../translator/cli/signing-command.js';
import { certificateOf, IDENTITIES, readVectors } from '../../helpers/channel-vectors.js';
import { runCommand, type CommandOutcome } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { until } from '../../helpers/until.js';

const BEFORE = Buffer.from(readVectors<readonly { before: string }[]>('sign-cases')[0]!.before, 'base64');
const ADMIN = IDENTITIES['Org1/admin']!;
const SUBJECT = 'CN=Admin@org1.example.com,OU=admin,L=San Francisco,ST=California,C=US';
const FINGERPRINT = '073578742219659862567fc3a7fe9244e66270f062829a866b3990030378c18a';

/** A directory with an update, a certificate, its key, and an MSP directory without a key. Returns how a command runs in it. */
function prepare(t: ExecutionContext) {
  const directory = temporaryFolder(t);
  const at = (name: string): string => join(directory, name);
  writeFileSync(at('update.pb'), BEFORE);
  writeFileSync(at('cert.pem'), certificateOf('Org1/admin'));
  writeFileSync(at('key.pem'), ADMIN.key);
  writeFileSync(at('other.pem'), IDENTITIES['Org1/user1']!.key);
  writeFileSync(at('ed.pem'), certificateOf('OrgEd/ed-admin'));
  writeFileSync(at('ed-key.pem'), IDENTITIES['OrgEd/ed-admin']!.key);
  for (const name of ['signcerts', 'keystore']) mkdirSync(at(`msp/${name}`), { recursive: true });
  writeFileSync(at('msp/signcerts/cert.pem'), certificateOf('Org1/admin'));
  const shown = (text: string): string => text.replaceAll(directory, 'DIR');
  const run = async (...args: readonly string[]): Promise<CommandOutcome> => {
    const outcome = await runCommand(t, ['sign', at('update.pb'), '--quiet', '--unreviewed', ...args]);
    return { ...outcome, stdout: shown(outcome.stdout), stderr: shown(outcome.stderr) };
  };
  return { at, run, shown, certificate: ['--certificate', at('cert.pem'), '--mspid', 'Org1MSP'] };
}

const signaturesIn = (file: string): number => readEnvelope(readFileSync(file)).signatures.length;

test('--digest prints what has to be signed, and --signature adds what comes back', async (t) => {
  const { at, run, certificate } = prepare(t);
  const printed = await run('--digest', ...certificate, '-o', at('digest.bin'));
  const digest = readFileSync(at('digest.bin'));
  t.deepEqual(printed, {
    status: 0,
    stderr: '',
    stdout: `signer       ${SUBJECT} of Org1MSP
update       ${FINGERPRINT}
to sign      ${digest.toString('hex')}
then         configtxlator sign DIR/update.pb --certificate DIR/cert.pem --mspid Org1MSP --unreviewed --signature FILE -o signed.pb
`,
  });
  t.is(digest.length, 32);
  t.is((await run('--digest', ...certificate)).stdout, printed.stdout);
  const made = execFileSync('openssl', [
    'pkeyutl',
    '-sign',
    '-inkey',
    at('key.pem'),
    '-in',
    at('digest.bin'),
  ]);
  writeFileSync(at('s.der'), made);
  for (const signature of [at('s.der'), made.toString('hex')]) {
    const added = await run('--signature', signature, ...certificate, '-o', at('signed.pb'));
    t.deepEqual(added, { status: 0, stdout: '', stderr: '' });
    t.is(signaturesIn(at('signed.pb')), 1);
  }
  const wrong = await run('--signature', at('cert.pem'), ...certificate, '-o', at('2.pb'));
  t.is(wrong.status, 1);
  t.regex(
    wrong.stderr,
    /^configtxlator: error: --signature: this is not a signature: \d+ bytes, "-----BEGIN/,
  );
  t.false(existsSync(at('2.pb')));
});

test('--digest --bytes writes the bytes, for a key that signs no digest', async (t) => {
  const { at, run } = prepare(t);
  const ed = ['--certificate', at('ed.pem'), '--mspid', 'OrgEdMSP'];
  const { stderr } = await run('--digest', ...ed);
  t.is(
    stderr,
    'configtxlator: error: an Ed25519 key signs the bytes, not their SHA-256: give --bytes too, try --help\n',
  );
  const written = await run('--digest', '--bytes', ...ed, '-o', at('bytes.bin'));
  t.regex(written.stdout, /^to sign {6}\d+ bytes, in DIR\/bytes\.bin$/m);
  const command = `cat >${at('in')}; openssl pkeyutl -sign -rawin -inkey ${at('ed-key.pem')} -in ${at('in')}`;
  const signed = await run('--sign-with', command, '--bytes', ...ed, '-o', at('signed.pb'));
  t.deepEqual(signed, { status: 0, stdout: '', stderr: '' });
  t.deepEqual(readFileSync(at('in')), readFileSync(at('bytes.bin')));
});

for (const [what, after] of [
  ['DER', ''],
  ['base64', '| base64'],
  ['hexadecimal', '| od -An -v -tx1'],
] as const)
  test(`--sign-with runs a command that gets the digest and prints ${what}`, async (t) => {
    const { at, run } = prepare(t);
    const command = `cat >${at('in')}; openssl pkeyutl -sign -inkey ${at('key.pem')} -in ${at('in')} ${after}`;
    // The certificate of an MSP directory without a key.
    const msp = ['--msp', at('msp'), '--mspid', 'Org1MSP'];
    t.deepEqual(await run('--sign-with', command, ...msp, '-o', at('signed.pb')), {
      status: 0,
      stdout: '',
      stderr: '',
    });
    t.is(readFileSync(at('in')).length, 32);
    t.is(signaturesIn(at('signed.pb')), 1);
  });

test('--sign-with signs the files of a folder, each with a run of the command', async (t) => {
  const { at, certificate } = prepare(t);
  mkdirSync(at('updates'));
  for (const name of ['a.pb', 'b.pb']) writeFileSync(at(`updates/${name}`), BEFORE);
  const command = `cat >${at('in')}; echo >>${at('runs')}; openssl pkeyutl -sign -inkey ${at('key.pem')} -in ${at('in')}`;
  const outcome = await runCommand(t, [
    'sign',
    at('updates'),
    '--quiet',
    '--unreviewed',
    '--sign-with',
    command,
    ...certificate,
  ]);
  t.deepEqual(outcome, { status: 0, stdout: '', stderr: '' });
  t.is(readFileSync(at('runs'), 'utf8'), '\n\n');
  for (const name of ['a.pb', 'b.pb']) t.is(signaturesIn(at(`updates/${name}`)), 1);
});

for (const [what, command, error] of [
  ['fails', 'exit 3', 'the command ended with exit status 3'],
  ['is killed', 'kill -9 $$', 'the command was ended by SIGKILL'],
  ['does not exist', '/nowhere/hsm 2>/dev/null', 'the command ended with exit status 127'],
  [
    'prints text',
    'echo PIN needed',
    'this is not a signature: 11 bytes, "PIN needed"; DER, or r and s with 32 bytes each, is needed, as bytes, hexadecimal or base64',
  ],
  [
    'prints nothing',
    'true',
    'this is not a signature: it is empty; DER, or r and s with 32 bytes each, is needed, as bytes, hexadecimal or base64',
  ],
  ['prints without end', 'yes', 'the command printed more than 65536 bytes, a signature is needed'],
  [
    'signs with another key',
    'openssl pkeyutl -sign -inkey OTHER',
    `the signature does not belong to this update and the certificate of ${SUBJECT}: another key has signed, or other bytes were signed`,
  ],
  [
    'hashes the digest again',
    'openssl dgst -sha256 -sign KEY -',
    'the signer has hashed the digest again: let it sign without a hash, or give it the bytes in place of the digest',
  ],
] as const)
  test(`--sign-with a command that ${what} writes nothing`, async (t) => {
    const { at, run, certificate } = prepare(t);
    const line = command.replace('OTHER', at('other.pem')).replace('KEY', at('key.pem'));
    const outcome = await run('--sign-with', line, ...certificate, '-o', at('signed.pb'));
    t.deepEqual(outcome, { status: 1, stdout: '', stderr: `configtxlator: error: --sign-with: ${error}\n` });
    t.false(existsSync(at('signed.pb')));
  });

for (const [command, isInteractive] of [
  ['sleep 1000', false],
  ['sleep 1000 & wait', false],
  ['exec sleep 1000', true],
] as const)
  test(`a command that hangs is ended ${isInteractive ? 'on a terminal' : 'with its children'}: ${command}`, async (t) => {
    const file = join(temporaryFolder(t), 'pid');
    const line = `echo $$ >${file}; ${command}`;
    await t.throwsAsync(runSigningCommand(line, Buffer.from('x'), isInteractive, 100), {
      message: '--sign-with: the command did not end within 0.1 s',
    });
    const pid = Number(readFileSync(file, 'utf8'));
    await until(() => !existsSync(`/proc/${pid}/exe`));
  });

test('a command may print exactly 64 KiB', async (t) => {
  const print = (size: number) => runSigningCommand(`head -c ${size} /dev/zero`, Buffer.from('x'), false);
  t.is((await print(65_536)).length, 65_536);
  await t.throwsAsync(print(65_537), {
    message: '--sign-with: the command printed more than 65536 bytes, a signature is needed',
  });
});

test('a command that ends without reading its input has its output', async (t) => {
  const output = await runSigningCommand('exec 0<&-; printf abc', Buffer.alloc(1_000_000), false);
  t.is(Buffer.from(output).toString(), 'abc');
});

test('a signer in hardware sees a refused update before the key is used', async (t) => {
  const { at, run, certificate } = prepare(t);
  const expect = ['--expect', 'abc'];
  const { stderr } = await run('--sign-with', `touch ${at('used')}`, ...certificate, ...expect);
  t.is(
    stderr,
    `configtxlator: error: DIR/update.pb has the fingerprint ${FINGERPRINT}, not abc: it was not signed\n`,
  );
  t.false(existsSync(at('used')));
});

const ERRORS: readonly (readonly [args: string, error: string])[] = [
  ['--digest --sign-with x', '--digest and --sign-with exclude each other, try --help'],
  [
    '--certificate DIR/cert.pem',
    '--certificate is for a key elsewhere: give --sign-with, --digest or --signature too, try --help',
  ],
  ['--bytes --msp DIR/msp', '--bytes needs --sign-with or --digest, try --help'],
  [
    '--digest --bytes --certificate DIR/cert.pem',
    '--bytes with --digest needs a file: --output FILE, try --help',
  ],
  ['--sign-with x --mspid Org1MSP', 'required flag --certificate or --msp not provided, try --help'],
  [
    '--sign-with x --certificate DIR/key.pem --mspid A',
    '--certificate DIR/key.pem: x509: malformed tbs certificate',
  ],
  [
    '--msp DIR/msp --mspid Org1MSP',
    '--msp DIR/msp: keystore contains no private key; if the private key is in hardware, sign with --sign-with COMMAND, or with --digest and --signature',
  ],
  [
    '--msp DIR/update.pb --mspid A',
    '--msp DIR/update.pb: this is an envelope that nobody has signed; a certificate (PEM), a serialized identity, an identity of a wallet (JSON), a signed envelope or a signed proposal is needed',
  ],
];

for (const [args, error] of ERRORS)
  test(`sign ${args}: ${error}`, async (t) => {
    const { run, at } = prepare(t);
    const outcome = await run(...args.split(' ').map((each) => each.replace('DIR', at('.'))));
    t.deepEqual(outcome, { status: 1, stdout: '', stderr: `configtxlator: error: ${error}\n` });
  });

/** The key in PKCS #8 with the password `secret`. */
const encrypted = (): string =>
  createPrivateKey(ADMIN.key).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'secret',
  }) as string;

test('an encrypted key needs its password, from a file or standard input', async (t) => {
  const { at, run } = prepare(t);
  writeFileSync(at('msp/keystore/key_sk'), encrypted());
  writeFileSync(at('password'), 'secret\nnot read\n');
  writeFileSync(at('wrong'), 'other');
  const msp = ['--msp', at('msp'), '--mspid', 'Org1MSP', '-o', at('signed.pb')];
  t.is(
    (await run(...msp)).stderr,
    'configtxlator: error: --msp DIR/msp: the private key is encrypted, its password is needed: --password-file FILE\n',
  );
  t.is(
    (await run(...msp, '--password-file', at('wrong'))).stderr,
    'configtxlator: error: --msp DIR/msp: no private key belongs to the certificate (DIR/msp/keystore/key_sk: the password is wrong)\n',
  );
  t.is((await run(...msp, '--password-file', at('password'))).status, 0);
  const args = ['sign', at('update.pb'), '--quiet', '--unreviewed', ...msp, '--password-file', '/dev/stdin'];
  t.is((await runCommand(t, args, 'secret')).status, 0);
});

/** Runs a program on a terminal, types a line after its prompt, and returns its exit status and what the terminal shows. */
const ON_TERMINAL = `
import os, pty, sys
pid, fd = pty.fork()
if pid == 0: os.execvp(sys.argv[2], sys.argv[2:])
shown = b''
def read():
    global shown
    try: more = os.read(fd, 4096)
    except OSError: more = b''
    shown += more
    return more != b''
while b'Password of' not in shown and read(): pass
os.write(fd, sys.argv[1].encode())
while read(): pass
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode())
`;

for (const [title, typed, shown] of [
  ['the right password', 'x\u007fsecret\r', '0 Password of --msp DIR: \r\n'],
  [
    'a wrong password',
    'other\r',
    '1 Password of --msp DIR: \r\nconfigtxlator: error: --msp DIR: the password is wrong\r\n',
  ],
  [
    'Ctrl+C',
    'sec\u0003',
    '1 Password of --msp DIR: \r\nconfigtxlator: error: interrupted, no password was given\r\n',
  ],
] as const)
  test(`on a terminal the password is asked for once and not shown: ${title}`, (t) => {
    const { at } = prepare(t);
    const files = ['-inkey', at('key.pem'), '-in', at('cert.pem'), '-out', at('id.p12')];
    execFileSync('openssl', ['pkcs12', '-export', ...files, '-passout', 'pass:secret']);
    const program = [process.execPath, 'dist/translator/main.js', 'sign', at('update.pb'), '--quiet'];
    const args = [
      ...program,
      '--unreviewed',
      '--msp',
      at('id.p12'),
      '--mspid',
      'Org1MSP',
      '-o',
      at('signed.pb'),
    ];
    const output = execFileSync('python3', ['-c', ON_TERMINAL, typed, ...args], { encoding: 'utf8' });
    t.is(output.replaceAll(at('id.p12'), 'DIR').trim(), shown.trim());
    t.is(existsSync(at('signed.pb')), typed.includes('secret'));
  });

test('a PKCS #12 file is an identity', async (t) => {
  const { at, run } = prepare(t);
  const files = ['-inkey', at('key.pem'), '-in', at('cert.pem'), '-out', at('id.p12')];
  execFileSync('openssl', ['pkcs12', '-export', ...files, '-passout', 'pass:secret']);
  writeFileSync(at('password'), 'secret');
  const msp = ['--msp', at('id.p12'), '--mspid', 'Org1MSP', '-o', at('signed.pb')];
  t.is(
    (await run(...msp)).stderr,
    'configtxlator: error: --msp DIR/id.p12: the password of the PKCS #12 file is needed: --password-file FILE\n',
  );
  t.is(
    (await run(...msp, '--password-file', at('cert.pem'))).stderr,
    'configtxlator: error: --msp DIR/id.p12: the password is wrong\n',
  );
  t.deepEqual(await run(...msp, '--password-file', at('password')), { status: 0, stdout: '', stderr: '' });
});

test('an identity of a wallet contains the id of its MSP', async (t) => {
  const { at, run } = prepare(t);
  const certificate = certificateOf('Org1/admin').toString();
  const wallet = { credentials: { certificate, privateKey: ADMIN.key }, mspId: 'Org1MSP', type: 'X.509' };
  writeFileSync(at('admin.id'), JSON.stringify({ ...wallet, version: 1 }));
  t.deepEqual(await run('--msp', at('admin.id'), '-o', at('signed.pb')), {
    status: 0,
    stdout: '',
    stderr: '',
  });
  writeFileSync(
    at('hsm.id'),
    JSON.stringify({ credentials: { certificate }, mspId: 'Org1MSP', type: 'HSM-X.509' }),
  );
  t.is(
    (await run('--msp', at('hsm.id'))).stderr,
    'configtxlator: error: --msp DIR/hsm.id contains no private key; if the private key is in hardware, sign with --sign-with COMMAND, or with --digest and --signature\n',
  );
});
