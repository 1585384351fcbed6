// Keys that a password protects: the algorithms that are decrypted, and the errors for others.

import { createCipheriv, pbkdf2Sync } from 'node:crypto';
import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import { decryptKey } from '../../../translator/sign/encrypted.js';

const SECRET = Buffer.from('the secret');
const SALT = Buffer.from('salt');
const IV = Buffer.alloc(16, 7);
const PASSWORD = 'gehéim';

const der = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  const size = content.length < 0x80 ? [content.length] : [0x81, content.length];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
};
const oid = (digits: string): Buffer => der(0x06, Buffer.from(digits, 'hex'));
const integer = (value: number): Buffer => {
  const digits = value.toString(16);
  return der(0x02, Buffer.from(`00${digits.length % 2 === 0 ? digits : `0${digits}`}`, 'hex'));
};
const NULL = der(0x05);

const PBES2 = '2a864886f70d01050d';
const PBKDF2 = '2a864886f70d01050c';
/** The last byte of the object identifier of HMAC with a hash. */
const HMACS = { sha1: '07', sha224: '08', sha256: '09', sha384: '0a', sha512: '0b' } as const;
/** The last byte of the object identifier of AES-CBC with a size of the key in bits. */
const CIPHERS = { 128: '02', 192: '16', 256: '2a' } as const;

interface Wanted {
  readonly scheme?: string;
  readonly derivation?: string;
  readonly hash?: keyof typeof HMACS;
  /** Whether the file names the hash; without it, SHA-1 is meant. */
  readonly namesHash?: boolean;
  readonly bits?: keyof typeof CIPHERS;
  readonly cipher?: string;
  readonly iterations?: number;
  /** Whether the file has the length of the key. */
  readonly namesLength?: boolean;
}

/** An `EncryptedPrivateKeyInfo`. */
function encrypted({
  scheme = PBES2,
  derivation = PBKDF2,
  hash = 'sha256',
  namesHash = true,
  bits = 256,
  cipher = `6086480165030401${CIPHERS[bits]}`,
  iterations = 3,
  namesLength = false,
}: Wanted): Buffer {
  const key = pbkdf2Sync(PASSWORD, SALT, Math.min(Math.max(iterations, 1), 10), bits / 8, hash);
  const made = createCipheriv(`aes-${bits}-cbc`, key, IV);
  const content = Buffer.concat([made.update(SECRET), made.final()]);
  const parameters = der(
    0x30,
    der(0x04, SALT),
    integer(iterations),
    ...(namesLength ? [integer(bits / 8)] : []),
    ...(namesHash ? [der(0x30, oid(`2a864886f70d02${HMACS[hash]}`), NULL)] : []),
  );
  const algorithm = der(
    0x30,
    oid(scheme),
    der(0x30, der(0x30, oid(derivation), parameters), der(0x30, oid(cipher), der(0x04, IV))),
  );
  return der(0x30, algorithm, der(0x04, content));
}

for (const [what, wanted] of [
  ['SHA-256 and AES-256', {}],
  ['SHA-1 and AES-128', { hash: 'sha1', bits: 128 }],
  ['SHA-1, which the file does not name, and AES-192', { hash: 'sha1', namesHash: false, bits: 192 }],
  ['SHA-384 and AES-256', { hash: 'sha384' }],
  ['SHA-512 and AES-192', { hash: 'sha512', bits: 192 }],
  ['one iteration', { iterations: 1 }],
  ['the length of the key in the file', { namesLength: true }],
  ['the length of the key in the file, and SHA-1', { namesLength: true, hash: 'sha1', namesHash: false }],
] as const satisfies readonly (readonly [string, Wanted])[])
  test(`a key that is encrypted with ${what} is decrypted with its password`, async (t) => {
    t.deepEqual(Buffer.from(await decryptKey(encrypted(wanted), PASSWORD)), SECRET);
  });

const unsupported = (id: string): string =>
  `it is encrypted with an unsupported algorithm, ${id}: PBES2 with PBKDF2 and AES-CBC is supported; convert it, for example with openssl pkcs8 -topk8 -v2 aes-256-cbc`;

for (const [what, wanted, message] of [
  ['another scheme', { scheme: '2a864886f70d010503' }, unsupported('1.2.840.113549.1.5.3')],
  ['a scheme that is not an object identifier', { scheme: '80' }, unsupported('unknown')],
  ['another derivation', { derivation: '2b06010401da47040b' }, unsupported('1.3.6.1.4.1.11591.4.11')],
  ['another hash', { hash: 'sha224' }, unsupported('1.2.840.113549.2.8')],
  ['another cipher', { cipher: '2a864886f70d0307' }, unsupported('1.2.840.113549.3.7')],
  ['no iteration', { iterations: 0 }, 'it is encrypted with 0 iterations; 1 to 5000000 are allowed'],
  [
    'too many iterations, which would take many seconds',
    { iterations: 5_000_001 },
    'it is encrypted with 5000001 iterations; 1 to 5000000 are allowed',
  ],
] as const satisfies readonly (readonly [string, Wanted, string])[])
  test(`a key that is encrypted with ${what} is refused: ${message}`, async (t) => {
    const error = await t.throwsAsync(decryptKey(encrypted(wanted), PASSWORD), {
      instanceOf: TranslateError,
      message,
    });
    t.is(error.code, 'BAD_KEY');
  });

test('bytes that are not an encrypted key are refused', async (t) => {
  for (const bytes of [Buffer.of(), der(0x30), der(0x30, der(0x30)), encrypted({}).subarray(0, -1)])
    await t.throwsAsync(decryptKey(bytes, PASSWORD), {
      instanceOf: TranslateError,
      code: 'BAD_CERTIFICATE',
      message: 'the encrypted data cannot be read',
    });
});
