import test from 'ava';
import {
  certificateBlocks,
  decodeAllPem,
  decodePem,
  encodePem,
} from '../../../../core/common/certificates/pem.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const CONTENT = Uint8Array.from({ length: 100 }, (_, index) => index);
const BLOCK = encodePem('CERTIFICATE', CONTENT);

test('a block is written with 64 columns and read back', (t) => {
  t.regex(BLOCK, /^-----BEGIN CERTIFICATE-----\n(?:.{64}\n){2}.{8}\n-----END CERTIFICATE-----\n$/);
  t.deepEqual(decodePem(bytesOf(BLOCK)), { label: 'CERTIFICATE', bytes: CONTENT });
  t.is(encodePem('X', new Uint8Array()), '-----BEGIN X-----\n-----END X-----\n');
  t.deepEqual(decodePem(bytesOf(encodePem('X', new Uint8Array())))?.bytes, new Uint8Array());
});

test('text around blocks, CR LF, spaces at line ends and headers are ignored', (t) => {
  const text = `text\n${BLOCK.replaceAll('\n', ' \r\n')}more\n${BLOCK.replace('-\n', '-\nProc-Type: 4\n\n')}`;
  t.deepEqual(
    decodeAllPem(bytesOf(text)).map(({ bytes }) => bytes),
    [CONTENT, CONTENT],
  );
  t.is(decodeAllPem(bytesOf(text), 1).length, 1);
  t.is(certificateBlocks(text).length, 2);
});

test('a block must begin and end on a separate line, with one label', (t) => {
  for (const text of [
    ` ${BLOCK}`,
    BLOCK.trimEnd().slice(0, -1),
    BLOCK.replace('END C', 'END D'),
    `${BLOCK.trimEnd()}x`,
  ]) {
    t.is(decodePem(bytesOf(text)), undefined);
    t.deepEqual(certificateBlocks(text), []);
  }
});

test('an invalid block is skipped when decoded, and kept as a text so that it can be reported', (t) => {
  const invalid = '-----BEGIN CERTIFICATE-----\n????\n-----END CERTIFICATE-----\n';
  t.is(decodeAllPem(bytesOf(invalid + BLOCK)).length, 1);
  t.deepEqual(certificateBlocks(invalid + BLOCK), [invalid.trimEnd(), BLOCK.trimEnd()]);
  t.is(certificateBlocks(invalid + BLOCK, 1).length, 1);
});

test('a block is found after the BEGIN line of a truncated one', (t) => {
  for (const begin of [
    '-----BEGIN CERTIFICATE-----\n',
    '-----BEGIN CERTIFICATE-----\nAAAA\n',
    '-----BEGIN X-----\n',
  ])
    t.deepEqual(decodePem(bytesOf(begin + BLOCK))?.bytes, CONTENT);
});

test('only certificates are returned as texts', (t) => {
  const text = `${encodePem('PRIVATE KEY', CONTENT)}${BLOCK}${encodePem('X509 CRL', CONTENT)}`;
  t.deepEqual(certificateBlocks(text), [BLOCK.trimEnd()]);
});

test('a text of many BEGIN lines takes linear time', (t) => {
  // Quadratic time would exceed the timeout of the test.
  for (const label of ['CERTIFICATE', 'A:B'])
    for (const end of ['', `-----END ${label}-----\n`, '-----END X-----\n']) {
      const begins = `-----BEGIN ${label}-----\n${label === 'A:B' ? '' : 'AAA\n'}`.repeat(100_000);
      t.true(decodeAllPem(bytesOf(begins + end)).length <= 1);
    }
});
