// Bytes as text and back: with the Buffer of Node.js, and as browsers do it.

import test from 'ava';

type Encoding = typeof import('../../../../core/common/text/encoding.js');

const SOURCE = new URL('../../../../core/common/text/encoding.js', import.meta.url);
const ALL = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const LONG = Uint8Array.from({ length: 20_000 }, (_, index) => index % 251);

/** The module in a realm without Buffer. */
async function inBrowser(): Promise<Encoding> {
  const { Buffer: kept } = globalThis;
  Reflect.deleteProperty(globalThis, 'Buffer');
  try {
    return (await import(`${SOURCE.href}?browser`)) as Encoding;
  } finally {
    globalThis.Buffer = kept;
  }
}

for (const [where, load] of [
  ['Node.js', () => import('../../../../core/common/text/encoding.js')],
  ['a browser', inBrowser],
] as const)
  test.serial(`in ${where}, all bytes become text and the same bytes again`, async (t) => {
    const { toHex, fromHex, toLatin1, fromLatin1, toBase64, fromBase64 } = await load();
    t.is(toHex(Uint8Array.of(0, 10, 255)), '000aff');
    t.is(toLatin1(Uint8Array.of(65, 233)), 'Aé');
    t.is(toBase64(Uint8Array.of(0, 255)), 'AP8=');
    for (const bytes of [new Uint8Array(), ALL, LONG, ALL.subarray(3, 7)]) {
      t.deepEqual(fromHex(toHex(bytes)), bytes.slice());
      t.deepEqual(fromLatin1(toLatin1(bytes)), bytes.slice());
      t.deepEqual(fromBase64(toBase64(bytes)), bytes.slice());
    }
    for (const text of ['A', 'AAA', 'AP8', 'A=AA', '-_AA', 'AP8=\n', 'A A=', '===='])
      t.is(fromBase64(text), undefined, text);
  });
