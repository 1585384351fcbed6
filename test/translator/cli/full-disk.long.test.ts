// Signing a folder on a disk that becomes full: all files are signed, or none, or the error names the signed ones.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readEnvelope } from '../../../translator/channel/index.js';
import { certificateOf, IDENTITIES, readVectors } from '../../helpers/channel-vectors.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { bash, putTranslator } from '../../helpers/shell.js';
import { bytesOf, delimited } from '../../helpers/wire.js';

const UPDATE = Buffer.from(readVectors<readonly { before: string }[]>('sign-cases')[0]!.before, 'base64');
/** An unknown field of the envelope, which is not in the signed one. */
const filler = (size: number): Buffer => delimited(9, Buffer.alloc(size, 'x'));

const KIB = 1024;
const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${String(index).padStart(3, '0')}.pb`);

/** A folder with the MSP `msp` and the program. */
function makeFolder(t: ExecutionContext): (name: string) => string {
  const directory = temporaryFolder(t);
  const at = (name: string): string => join(directory, name);
  for (const name of ['msp/signcerts', 'msp/keystore', 'updates']) mkdirSync(at(name), { recursive: true });
  writeFileSync(at('msp/signcerts/cert.pem'), certificateOf('Org1/admin'));
  writeFileSync(at('msp/keystore/key'), IDENTITIES['Org1/admin']!.key);
  putTranslator(directory);
  return at;
}

const SIGN = 'configtxlator sign updates --unreviewed --msp msp --mspid Org1MSP --quiet';
const signatures = (path: string): number => readEnvelope(readFileSync(path)).signatures.length;

/** Only root may mount a file system. */
const testAsRoot = process.getuid?.() === 0 ? test : test.skip;

testAsRoot('on a full disk no file of a folder is signed, and no other file is left in it', async (t) => {
  const at = makeFolder(t);
  const files = names(40);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', at('updates')]);
  try {
    for (const name of files) writeFileSync(at(`updates/${name}`), UPDATE);
    const printed = await bash(at('.'), `${SIGN} 2>&1 || echo "status $?"`);
    t.regex(
      printed,
      /^configtxlator: error: (?:open|write) updates\/\S+: no space left on device; no file of updates was signed\nstatus 1\n$/,
    );
    t.deepEqual(readdirSync(at('updates')).toSorted(), files);
    for (const name of files) t.deepEqual(readFileSync(at(`updates/${name}`)), UPDATE);
    execFileSync('mount', ['-o', 'remount,size=1m', at('updates')]);
    t.is(await bash(at('.'), `${SIGN} 2>&1`), '');
    t.deepEqual(new Set(files.map((name) => signatures(at(`updates/${name}`)))), new Set([1]));
    t.deepEqual(readdirSync(at('updates')).toSorted(), files);
  } finally {
    execFileSync('umount', [at('updates')]);
  }
});

testAsRoot('a file that is a mount point cannot be replaced, and is signed in place', async (t) => {
  const at = makeFolder(t);
  for (const name of ['elsewhere.pb', 'updates/a.pb']) writeFileSync(at(name), UPDATE);
  execFileSync('mount', ['--bind', at('elsewhere.pb'), at('updates/a.pb')]);
  try {
    t.is(await bash(at('.'), `${SIGN} 2>&1`), '');
    t.is(signatures(at('elsewhere.pb')), 1);
    t.deepEqual(readdirSync(at('updates')), ['a.pb']);
  } finally {
    execFileSync('umount', [at('updates/a.pb')]);
  }
});

/** Signs with a limit on the size of a file. `b.pb` has another name, so it is written in place, and becomes larger than the limit. */
async function signWithLimit(at: (name: string) => string, a: Buffer, b: Buffer): Promise<string> {
  writeFileSync(at('updates/a.pb'), a);
  writeFileSync(at('updates/b.pb'), b);
  const limit = Math.ceil(b.length / KIB);
  return bash(
    at('.'),
    `ln updates/b.pb other; trap '' XFSZ; ulimit -f ${limit}; ${SIGN} 2>&1 || echo "status $?"`,
  );
}

/** The update with unknown fields in the header of its payload, which are kept out of the signed one, and with many signatures. */
const withSize = (size: number): Buffer => {
  const { update, channel, signatures: present } = readEnvelope(UPDATE);
  const one = delimited(2, delimited(1, delimited(2, Buffer.alloc(200, 'n'))), delimited(2, '00'));
  const header = delimited(1, delimited(1, '0802', delimited(4, Buffer.from(channel!))));
  const content = bytesOf(
    delimited(1, update.bytes),
    ...present.map(({ bytes }) => delimited(2, bytes)),
    ...Array.from({ length: Math.ceil(size / one.length) }, () => one),
  );
  return delimited(1, header, delimited(2, content));
};

test('if the last file cannot be written, the files that were signed before are restored', async (t) => {
  const at = makeFolder(t);
  const b = withSize(20 * KIB);
  const printed = await signWithLimit(at, UPDATE, b);
  t.is(
    printed,
    'configtxlator: error: write updates/b.pb: file too large; no file of updates was signed\nstatus 1\n',
  );
  t.deepEqual(readFileSync(at('updates/a.pb')), UPDATE);
  t.deepEqual(readFileSync(at('updates/b.pb')), b);
  t.deepEqual(readdirSync(at('updates')).toSorted(), ['a.pb', 'b.pb']);
});

test('files that cannot be restored are named', async (t) => {
  const at = makeFolder(t);
  const b = withSize(20 * KIB);
  const printed = await signWithLimit(at, bytesOf(UPDATE, filler(40 * KIB)), b);
  t.is(
    printed,
    'configtxlator: error: write updates/b.pb: file too large; of the files of updates, these are signed: updates/a.pb\nstatus 1\n',
  );
  t.is(signatures(at('updates/a.pb')), 1);
  t.deepEqual(readFileSync(at('updates/b.pb')), b);
  t.is(statSync(at('other')).size, b.length);
  t.false(existsSync(at('updates/.b.pb.lock')));
});
