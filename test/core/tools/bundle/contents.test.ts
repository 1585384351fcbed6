// The limits of the files of a bundle, and its manifest.

import test from 'ava';
import { Contents, jsonLines } from '../../../../core/tools/bundle/contents.js';

/** Masks nothing, but counts a value in texts with `secret`. */
const mask = (text: string) => ({ text, count: text.includes('secret') ? 1 : 0 });

const MIB = 1024 * 1024;
/** Lines of 16 bytes. */
const linesOf = (size: number): string => `${'x'.repeat(15)}\n`.repeat(size / 16);

const packed = (contents: Contents) => {
  const { files, toRead } = contents.pack({ made_by: 'me' });
  const [manifest, ...others] = files;
  return {
    toRead,
    manifest: JSON.parse(manifest!.bytes.toString()) as {
      made_by: string;
      files: { name: string; size: number; complete_size?: number; masked: number }[];
      missing: unknown[];
    },
    sizes: others.map(({ bytes }) => bytes.length),
  };
};

for (const [more, size, complete] of [
  [0, 4 * MIB, undefined],
  [16, 4 * MIB - 16, 4 * MIB + 16],
] as const)
  test(`of a file of 4 MiB and ${more} bytes ${size} bytes are kept, which are whole lines`, (t) => {
    const contents = new Contents(mask);
    contents.add('a', linesOf(4 * MIB + more));
    const { manifest, sizes } = packed(contents);
    t.deepEqual(sizes, [size]);
    t.like(manifest, { made_by: 'me', missing: [] });
    t.deepEqual([manifest.files[0]!.size, manifest.files[0]!.complete_size], [size, complete]);
  });

test('a bundle has 32 MiB, of the last file the end, and names the files after it', (t) => {
  const contents = new Contents(mask);
  for (let index = 0; index < 7; index += 1) contents.add(`full${index}`, linesOf(4 * MIB));
  contents.add('half', linesOf(2 * MIB));
  contents.add('rest', linesOf(3 * MIB));
  contents.add('last', linesOf(16));
  contents.add('none', 'x\n');
  const { manifest, sizes } = packed(contents);
  t.deepEqual(sizes.slice(7), [2 * MIB, 2 * MIB - 16, 16]);
  t.deepEqual(contents.missing, [{ name: 'none', reason: 'the bundle has the maximum of 33554432 bytes' }]);
  t.deepEqual(manifest.missing, [...contents.missing]);
});

test('a long text without a line end is left out, because a part of a line can be a part of a secret', (t) => {
  const contents = new Contents(mask);
  contents.add('a', 'x'.repeat(4 * MIB + 1));
  t.deepEqual(packed(contents).sizes, [0]);
});

test('a file that was masked, or has a caution, is to be read before sending; others are not', (t) => {
  const contents = new Contents(mask);
  contents.add('plain', 'x');
  contents.add('masked', 'secret');
  contents.add('log', 'x', 'a log');
  contents.add('both', 'secret', 'a log');
  const { toRead, manifest } = packed(contents);
  const count = '1 value was masked; the text beside it can be secret too';
  t.deepEqual(toRead, [
    { name: 'masked', reason: count },
    { name: 'log', reason: 'a log' },
    { name: 'both', reason: `a log; ${count}` },
  ]);
  t.deepEqual(
    manifest.files.map(({ masked }) => masked),
    [0, 1, 0, 1],
  );
});

test('the reason of a missing part is masked as well', async (t) => {
  const contents = new Contents((text) => ({ text: text.replace('secret', '********'), count: 1 }));
  t.is(await contents.addRead('a', () => Promise.reject(new Error('no secret'))), undefined);
  t.is(await contents.addRead('b', () => Promise.resolve('text')), 'text');
  t.deepEqual(contents.missing, [{ name: 'a', reason: 'no ********' }]);
  t.deepEqual(packed(contents).sizes, [4]);
});

test('JSON of a bundle has two spaces for each level, and is ASCII', (t) => {
  t.is(jsonLines({ a: ['~\u007fé\u202e'] }), '{\n  "a": [\n    "~\\u007f\\u00e9\\u202e"\n  ]\n}\n');
});
