// The reader of LevelDB files, with files made here; test/e2e/preflight.test.ts reads the files of nodes.

import { spawnSync } from 'node:child_process';
import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { levelDbValue } from '../../../../core/tools/preflight/leveldb.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { cpuTimeOf } from '../../../helpers/stopwatch.js';

const LOG_BLOCK = 32_768;
const [FULL, FIRST, MIDDLE, LAST] = [1, 2, 3, 4] as const;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) + (rest >= 128 ? 128 : 0));
    if (rest < 128) return Buffer.from(bytes);
  }
}

const sized = (text: string | Buffer): Buffer => Buffer.concat([varint(text.length), Buffer.from(text)]);

/** Writes of a batch; a value of null deletes. */
function batch(sequence: number, writes: readonly (readonly [key: string, value: string | null])[]): Buffer {
  const head = Buffer.alloc(12);
  head.writeBigUInt64LE(BigInt(sequence));
  head.writeUInt32LE(writes.length, 8);
  const puts = writes.map(([key, value]) =>
    value === null
      ? Buffer.concat([Buffer.from([0]), sized(key)])
      : Buffer.concat([Buffer.from([1]), sized(key), sized(value)]),
  );
  return Buffer.concat([head, ...puts]);
}

function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(7);
  head.writeUInt16LE(data.length, 4);
  head[6] = type;
  return Buffer.concat([head, data]);
}

/** A batch in parts of a size. */
function parts(bytes: Buffer, size: number): Buffer {
  const found: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) found.push(bytes.subarray(at, at + size));
  return Buffer.concat(
    found.map((data, index) =>
      record(index === 0 ? FIRST : index === found.length - 1 ? LAST : MIDDLE, data),
    ),
  );
}

/** The entries of a block; each shares the beginning of its key with the previous one. */
function block(entries: readonly (readonly [key: Buffer, value: Buffer])[]): Buffer {
  let before = Buffer.alloc(0);
  const made = entries.map(([key, value]) => {
    let shared = 0;
    while (shared < before.length && before[shared] === key[shared]) shared++;
    before = key as Buffer<ArrayBuffer>;
    const own = key.subarray(shared);
    return Buffer.concat([varint(shared), varint(own.length), varint(value.length), own, value]);
  });
  return Buffer.concat([...made, Buffer.alloc(4), Buffer.from([1, 0, 0, 0])]);
}

function tagged(key: string, sequence: number, isPut = true): Buffer {
  const tag = Buffer.alloc(8);
  tag.writeBigUInt64LE((BigInt(sequence) << 8n) | (isPut ? 1n : 0n));
  return Buffer.concat([Buffer.from(key), tag]);
}

/** A table of one block. @param last the key of the block in the index */
function table(content: Buffer, last: string, isCompressed = false, handles = 1): Buffer {
  const stored = Buffer.concat([content, Buffer.from([isCompressed ? 1 : 0, 0, 0, 0, 0])]);
  const handle = Buffer.concat([varint(0), varint(content.length)]);
  const index = block(Array.from({ length: handles }, () => [tagged(last, 0), handle] as const));
  const footer = Buffer.alloc(48);
  Buffer.concat([varint(0), varint(0), varint(stored.length), varint(index.length)]).copy(footer);
  return Buffer.concat([stored, index, Buffer.alloc(5), footer]);
}

/** A table of several blocks. @param blocks the key of each block in the index, and its content */
function tableOf(blocks: readonly (readonly [last: string, content: Buffer])[]): Buffer {
  let end = 0;
  const made = blocks.map(([last, content]) => {
    const handle = Buffer.concat([varint(end), varint(content.length)]);
    const stored = Buffer.concat([content, Buffer.alloc(5)]);
    end += stored.length;
    return { stored, entry: [tagged(last, 0), handle] as const };
  });
  const index = block(made.map(({ entry }) => entry));
  const footer = Buffer.alloc(48);
  Buffer.concat([varint(0), varint(0), varint(end), varint(index.length)]).copy(footer);
  return Buffer.concat([...made.map(({ stored }) => stored), index, Buffer.alloc(5), footer]);
}

/** A block that cannot be read. */
const BROKEN = Buffer.from([0, 0, 0, 255, 0, 0, 0]);

/** A log whose first block has this many bytes left after a record, and then another batch. */
function atBlockEnd(left: number, ...rest: readonly Buffer[]): Buffer {
  const first = record(FULL, batch(1, [['a', 'b'.repeat(32_000)]]));
  const size = LOG_BLOCK - left - first.length - 7;
  const filler = record(MIDDLE, Buffer.alloc(size, 1));
  return Buffer.concat([first, filler, ...rest]);
}

const VALUE = batch(5, [['channel', 'value']]);

const folderOf = (t: ExecutionContext, files: Readonly<Record<string, Buffer>>): string => {
  const folder = temporaryFolder(t);
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  return folder;
};

const ENTRIES = block([
  [tagged('chan', 3), Buffer.from('other')],
  [tagged('channel', 9), Buffer.from('nine')],
  [tagged('channel', 4), Buffer.from('four')],
  [tagged('channel0', 5), Buffer.from('after')],
]);

/** A copy of bytes before it (Snappy: format_description.txt, section 2.2); its kind is the size of its offset. */
interface Copy {
  readonly at: number;
  readonly length: number;
  readonly offset: number;
  readonly kind: 1 | 2 | 3;
}

/** A block in the format of Snappy: literals with a length in one byte, with some copies. */
function compressed(content: Buffer, copies: readonly Copy[]): Buffer {
  const made: Buffer[] = [varint(content.length)];
  let end = 0;
  const literal = (to: number): void => {
    for (; end < to; end += 200) {
      const bytes = content.subarray(end, Math.min(end + 200, to));
      const head = bytes.length > 60 ? [60 << 2, bytes.length - 1] : [(bytes.length - 1) << 2];
      made.push(Buffer.from(head), bytes);
    }
    end = to;
  };
  for (const { at, length, offset, kind } of copies) {
    literal(at);
    const size = kind === 1 ? (length - 4) << 2 : (length - 1) << 2;
    const bytes = Buffer.alloc(kind === 3 ? 5 : kind + 1);
    bytes[0] = kind | size | (kind === 1 ? (offset >> 8) << 5 : 0);
    if (kind === 1) bytes[1] = offset & 255;
    else bytes.writeUIntLE(offset, 1, kind === 2 ? 2 : 4);
    made.push(bytes);
    end = at + length;
  }
  literal(content.length);
  return Buffer.concat(made);
}

const PATTERN = 'abcdefghijkl';
const REPEATED = block([
  [tagged('a', 3), Buffer.from(`${PATTERN}${'.'.repeat(300)}`)],
  [tagged('channel', 9), Buffer.from(`${PATTERN}${'xy'.repeat(20)}.`)],
]);
/** The places of the second pattern and of the second `xy`. */
const [SECOND, LETTERS] = [REPEATED.lastIndexOf(PATTERN), REPEATED.indexOf('xyxy') + 2];
const BACK = SECOND - REPEATED.indexOf(PATTERN);
const inTable = (copies: readonly Copy[]): Readonly<Record<string, Buffer>> => ({
  '1.ldb': table(compressed(REPEATED, copies), 'channel1', true),
});

/** By title: the files, and the value of the key `channel`. */
const FOUND: Readonly<
  Record<string, readonly [Readonly<Record<string, Buffer>>, string | null | undefined]>
> = {
  'the newest value of a log': [
    {
      '1.log': Buffer.concat([
        record(FULL, batch(5, [['channel', 'old']])),
        record(
          FULL,
          batch(8, [
            ['x', 'y'],
            ['channel', 'new'],
          ]),
        ),
      ]),
    },
    'new',
  ],
  'a value in a batch of several parts': [
    {
      '1.log': parts(
        batch(5, [
          ['a', 'b'.repeat(50)],
          ['channel', 'value'],
        ]),
        10,
      ),
    },
    'value',
  ],
  'nothing in parts without their first one': [
    {
      '1.log': Buffer.concat([
        record(MIDDLE, Buffer.from('x')),
        record(LAST, Buffer.from('y')),
        record(FULL, batch(1, [['channel', 'v']])),
      ]),
    },
    'v',
  ],
  'null for a value that was deleted': [
    {
      '1.log': record(
        FULL,
        batch(5, [
          ['channel', 'old'],
          ['channel', null],
        ]),
      ),
    },
    null,
  ],
  'a value of a table, in which keys share their beginning': [
    { '1.ldb': table(ENTRIES, 'channel1') },
    'nine',
  ],
  'the value of the highest sequence number in a log and a table': [
    { '1.ldb': table(ENTRIES, 'channel1'), '2.log': record(FULL, batch(10, [['channel', 'ten']])) },
    'ten',
  ],
  'a value of a compressed table': [
    {
      // A literal of all bytes: its length in two bytes, less one.
      '1.ldb': table(
        Buffer.concat([
          varint(ENTRIES.length),
          Buffer.from([61 << 2, (ENTRIES.length - 1) & 255, (ENTRIES.length - 1) >> 8]),
          ENTRIES,
        ]),
        'channel1',
        true,
      ),
    },
    'nine',
  ],
  'a value that is compressed with copies of an offset in 11 bits': [
    inTable([
      { at: SECOND, length: 11, offset: BACK, kind: 1 },
      { at: LETTERS, length: 4, offset: 2, kind: 1 },
    ]),
    `${PATTERN}${'xy'.repeat(20)}.`,
  ],
  'a value that is compressed with copies of an offset in two bytes, which overlap themselves': [
    inTable([
      { at: SECOND, length: 12, offset: BACK, kind: 2 },
      { at: LETTERS, length: 38, offset: 2, kind: 2 },
    ]),
    `${PATTERN}${'xy'.repeat(20)}.`,
  ],
  'a value that is compressed with copies of an offset in four bytes': [
    inTable([
      { at: SECOND, length: 1, offset: BACK, kind: 3 },
      { at: LETTERS, length: 38, offset: 2, kind: 3 },
    ]),
    `${PATTERN}${'xy'.repeat(20)}.`,
  ],
  'undefined for a copy of bytes before the block': [
    inTable([{ at: SECOND, length: 12, offset: SECOND + 1, kind: 2 }]),
    undefined,
  ],
  'undefined for a copy without an offset': [
    inTable([{ at: SECOND, length: 12, offset: 0, kind: 2 }]),
    undefined,
  ],
  'undefined for a key that shares more than there is': [
    {
      '1.ldb': table(
        Buffer.concat([varint(9), varint(1), varint(0), Buffer.from('x'), Buffer.alloc(8)]),
        'z',
      ),
    },
    undefined,
  ],
  'a value of the block whose key in the index is the first one at or after it; other blocks are not read': [
    {
      '1.ldb': tableOf([
        ['b', BROKEN],
        ['channel1', ENTRIES],
        ['d', BROKEN],
      ]),
    },
    'nine',
  ],
  'a value of the next block if the key in the index is the same': [
    {
      '1.ldb': tableOf([
        ['channel', block([[tagged('chan', 3), Buffer.from('other')]])],
        ['channel1', ENTRIES],
        ['d', BROKEN],
      ]),
    },
    'nine',
  ],
  'null in a table without the key': [
    { '1.ldb': tableOf([['z', block([[tagged('channels', 3), Buffer.from('other')]])]]) },
    null,
  ],
  'null for a value that was deleted in a table': [
    {
      '1.ldb': tableOf([
        [
          'z',
          block([
            [tagged('channel', 9, false), Buffer.from('')],
            [tagged('channel', 4), Buffer.from('four')],
          ]),
        ],
      ]),
    },
    null,
  ],
  'nothing of keys that only begin like it, or have its length': [
    {
      '1.log': record(
        FULL,
        batch(1, [
          ['channel0', 'a'],
          ['chanmel', 'b'],
          ['chan', 'c'],
        ]),
      ),
    },
    null,
  ],
  'a value after six bytes at the end of a block, in which no record fits': [
    { '1.log': atBlockEnd(6, Buffer.alloc(6), record(FULL, VALUE)) },
    'value',
  ],
  'a value whose first part is empty, because a block has seven bytes left': [
    { '1.log': atBlockEnd(7, record(FIRST, Buffer.alloc(0)), record(LAST, VALUE)) },
    'value',
  ],
  'the value before a record that is not complete': [
    {
      '1.log': Buffer.concat([
        record(FULL, VALUE),
        record(FULL, batch(6, [['channel', 'new']])).subarray(0, -1),
      ]),
    },
    'value',
  ],
  'the value before zeros': [
    {
      '1.log': Buffer.concat([
        record(FULL, VALUE),
        Buffer.alloc(7),
        record(FULL, batch(6, [['channel', 'new']])),
      ]),
    },
    'value',
  ],
  'undefined for a length of more than 53 bits': [
    {
      '1.log': record(
        FULL,
        Buffer.concat([Buffer.alloc(12), Buffer.from([1, ...Array<number>(8).fill(255), 1])]),
      ),
    },
    undefined,
  ],
  'undefined for a value that is longer than its batch': [
    { '1.log': record(FULL, batch(5, [['channel', 'value']]).subarray(0, -1)) },
    undefined,
  ],
  'nothing in files that are neither a log nor a table': [
    { CURRENT: Buffer.from('x'), 'MANIFEST-000001': record(FULL, VALUE), '1.log.bak': record(FULL, VALUE) },
    null,
  ],
  'a value of a table with the old ending sst': [{ '1.sst': table(ENTRIES, 'channel1') }, 'nine'],
  'undefined for more restarts than the block has bytes': [
    { '1.ldb': table(Buffer.from([0, 0, 0, 255, 0, 0, 0]), 'z') },
    undefined,
  ],
};
for (const [title, [files, value]] of Object.entries(FOUND))
  test(`levelDbValue finds ${title}`, (t) => {
    const found = levelDbValue(folderOf(t, files), 'channel');
    t.is(found?.toString() ?? found, value);
  });

test('levelDbValue leaves no file open, also of a database that it cannot read', (t) => {
  const open = (): number => readdirSync('/proc/self/fd').length;
  const before = open();
  for (const files of [
    { '1.log': record(FULL, VALUE), '2.ldb': table(ENTRIES, 'channel1') },
    { '1.ldb': BROKEN },
  ])
    levelDbValue(folderOf(t, files), 'channel');
  t.is(open(), before);
});

for (const [count, value] of [
  [4000, 'value'],
  [4001, undefined],
] as const)
  test(`levelDbValue of ${count} files returns ${value ?? 'undefined: it does not search them'}`, (t) => {
    const folder = folderOf(t, { '0.log': record(FULL, VALUE) });
    for (let index = 1; index < count; index++) writeFileSync(join(folder, `${index}.log`), '');
    t.is(levelDbValue(folder, 'channel')?.toString(), value);
  });

const LIMIT = 64 * 1024 * 1024;
for (const [sizes, isRead] of [
  [[LIMIT], true],
  [[LIMIT + 1], false],
  [[LIMIT, LIMIT], true],
  [[LIMIT, LIMIT, 1], false],
] as const)
  test(`levelDbValue ${isRead ? 'reads' : 'does not read'} logs of ${sizes.join(' and ')} bytes`, (t) => {
    const folder = folderOf(t, {});
    for (const [index, size] of sizes.entries()) {
      const path = join(folder, `${index}.log`);
      writeFileSync(path, '');
      truncateSync(path, size);
    }
    t.is(levelDbValue(folder, 'channel'), isRead ? null : undefined);
  });

test('levelDbValue returns undefined for a database that does not exist', (t) => {
  t.is(levelDbValue(join(temporaryFolder(t), 'none'), 'channel'), undefined);
});

/** As many records without content, or with one byte, as fit into a log. @param size in bytes */
function manyParts(size: number, data: Buffer): Buffer {
  const one = record(MIDDLE, data);
  const count = Math.floor(LOG_BLOCK / one.length);
  const filled = Buffer.concat([
    ...Array.from({ length: count }, () => one),
    Buffer.alloc(LOG_BLOCK - count * one.length),
  ]);
  const log = Buffer.concat(Array.from({ length: size / LOG_BLOCK }, () => filled));
  log[6] = FIRST;
  return log;
}

/** Each key shares the whole previous key. */
function growingKeys(count: number): Buffer {
  const entries = Array.from({ length: count }, (_, index) =>
    Buffer.concat([varint(index), Buffer.from([1, 0, 255])]),
  );
  return Buffer.concat([...entries, Buffer.alloc(4), Buffer.from([1, 0, 0, 0])]);
}

const MIB = 1024 * 1024;
/** Small files that describe large data, by title. */
const HOSTILE: Readonly<Record<string, () => Readonly<Record<string, Buffer>>>> = {
  'a log of 16 MiB with 2.4 million empty parts of one record': () => ({
    '1.log': manyParts(16 * MIB, Buffer.alloc(0)),
  }),
  'a log of 16 MiB with 2.1 million parts of one byte of one record': () => ({
    '1.log': manyParts(16 * MIB, Buffer.alloc(1)),
  }),
  'a table with 100,000 keys of up to 100,000 bytes': () => ({
    '1.ldb': table(growingKeys(100_000), '\u00ff'.repeat(20)),
  }),
  'a log of 16 MiB with 1.4 million writes of the key': () => ({
    '1.log': Buffer.concat(
      Array.from({ length: (16 * MIB) / LOG_BLOCK }, () =>
        record(
          FULL,
          Buffer.concat([
            batch(
              1,
              Array.from({ length: 2700 }, () => ['channel', 'v'] as const),
            ),
            Buffer.alloc(0),
          ]),
        ),
      ).map((each) => Buffer.concat([each, Buffer.alloc(LOG_BLOCK - each.length)])),
    ),
  }),
  'a table whose index names one block of 1 MiB 100,000 times': () => ({
    '1.ldb': table(block([[tagged('channel', 1), Buffer.alloc(MIB)]]), 'channel', false, 100_000),
  }),
};
/** CPU time for each of them, in milliseconds: the quadratic reader needed more than a minute. */
const CPU = 5000;
/** Memory for each of them, with the process itself, in MiB. */
const MEMORY = 200;
for (const [title, files] of Object.entries(HOSTILE))
  test(`levelDbValue reads ${title} in less than ${CPU / 1000} s of CPU and ${MEMORY} MiB`, (t) => {
    const folder = folderOf(t, files());
    t.true(cpuTimeOf(() => levelDbValue(folder, 'channel')) < CPU);
    const module = new URL('../../../../core/tools/preflight/leveldb.js', import.meta.url).href;
    // Not `maxRSS`, which is at least the memory of the process that starts it.
    const peak = `/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]`;
    const script = `import { readFileSync } from 'node:fs'; import { levelDbValue } from '${module}'; levelDbValue(process.argv[1], 'channel'); console.log(${peak})`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script, folder], {
      encoding: 'utf8',
    });
    t.true(Number(stdout) > 0 && Number(stdout) / 1024 < MEMORY, stdout);
  });
