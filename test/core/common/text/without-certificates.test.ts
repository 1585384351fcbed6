// Certificates in texts of Fabric: each form in which Go prints bytes.

import test from 'ava';
import { withoutCertificates } from '../../../../core/common/text/without-certificates.js';
import { certificateOf } from '../../../helpers/channel-vectors.js';

const PEM = certificateOf('Org1/admin').toString();
const BYTES = [...Buffer.from(PEM)];
const DER = Buffer.from(PEM.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
const octal = (bytes: Iterable<number>): string =>
  Array.from(bytes, (byte) =>
    byte > 32 && byte < 127 && byte !== 34 && byte !== 92
      ? String.fromCodePoint(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`,
  ).join('');
const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

for (const [form, text] of [
  ['numbers', `[${BYTES.join(' ')}]`],
  ['numbers with commas', `[${BYTES.join(', ')}]`],
  ['the beginning of numbers', `[${BYTES.slice(0, 300).join(' ')}`],
  ['hexadecimal bytes', `{${BYTES.map((byte) => `0x${hex(byte)}`).join(', ')}}`],
  ['hexadecimal digits', BYTES.map(hex).join('')],
  ['PEM', PEM.trimEnd()],
  ['PEM with escaped line ends', PEM.replaceAll('\n', String.raw`\n`)],
  ['PEM with line ends that are escaped twice', PEM.replaceAll('\n', String.raw`\\n`)],
  ['the beginning of PEM', PEM.split('\n').slice(0, 5).join('\n')],
  ['base64 of PEM', Buffer.from(PEM).toString('base64')],
  ['base64 of DER', DER.toString('base64')],
  ['escapes of DER in octal', octal(DER)],
  ['escapes of DER in octal that are escaped again', octal(DER).replaceAll('\\', '\\\\')],
] as const)
  test(`a certificate is left out of a text of Fabric: ${form}`, (t) => {
    t.is(
      withoutCertificates(`identity certificate_bytes:${text} of consenter 4 is not valid`),
      'identity certificate_bytes:… of consenter 4 is not valid',
    );
  });

for (const text of [
  'the consenters are [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20]',
  'a block has the hash 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  String.raw`open C:\nodes\run\123\x41: no such file`,
  '-----BEGIN CERTIFICATE----- in the file is broken',
  'error: "a\\nb\\tc" in line 12',
])
  test(`a text without a certificate stays, but for the name of a PEM block: ${text}`, (t) => {
    t.is(withoutCertificates(text), text.replace('-----BEGIN CERTIFICATE-----', '…'));
  });
