// Databases that goleveldb does not open, in its words. test/e2e/preflight.test.ts compares them with the programs of Fabric.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { maskedCrc32c } from '../../../../core/tools/preflight/crc32c.js';
import { databaseProblem } from '../../../../core/tools/preflight/database.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { logRecord, MANIFEST, manifestFields, varint } from '../../../helpers/leveldb-files.js';
import { causesOf } from '../../../helpers/preflight-node.js';

const POINTER = 'MANIFEST-000001\n';
const GOOD = { CURRENT: POINTER, 'MANIFEST-000001': MANIFEST };
const NO_ENTRY = 'database entry point either missing or corrupted';
const BAD_CURRENT = 'leveldb/storage: corrupted or incomplete CURRENT file';
const without = (field: string): string =>
  `leveldb: manifest corrupted (field '${field}'): missing [file=MANIFEST-000001]`;

/** A block of a table with its type and its checksum. */
const stored = (content: Buffer): Buffer => {
  const typed = Buffer.concat([content, Buffer.from([0])]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(maskedCrc32c(typed));
  return Buffer.concat([typed, checksum]);
};
/** A block with an entry. */
const block = (value: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0, 9, value.length]),
    Buffer.from('a'),
    Buffer.alloc(8),
    value,
    Buffer.alloc(4),
    Buffer.from([1, 0, 0, 0]),
  ]);

/** A table with a block, an index and a footer. */
function table(): Buffer {
  const data = block(Buffer.from('value'));
  const index = block(Buffer.concat([varint(0), varint(data.length)]));
  const footer = Buffer.alloc(48);
  Buffer.concat([varint(0), varint(0), varint(data.length + 5), varint(index.length)]).copy(footer);
  Buffer.from('57fb808b247547db', 'hex').copy(footer, 40);
  return Buffer.concat([stored(data), stored(index), footer]);
}
const TABLE = table();
const withTable = (bytes: Buffer | undefined, name = '000003.ldb') => ({
  CURRENT: POINTER,
  'MANIFEST-000001': logRecord(Buffer.concat(manifestFields([{ number: 3, size: TABLE.length }]))),
  ...(bytes !== undefined && { [name]: bytes }),
});
const changed = (at: number): Buffer => {
  const copy = Buffer.from(TABLE);
  copy[at] = copy[at]! ^ 1;
  return copy;
};
const FOOTER = `leveldb/table: corruption on table-footer (pos=${TABLE.length - 48}): bad magic number [file=000003.ldb]`;
/** A MANIFEST without one of its fields. */
const manifestWithout = (index: number): Buffer =>
  logRecord(Buffer.concat(manifestFields().filter((_, at) => at !== index)));
const DAMAGED = Buffer.from(MANIFEST);
DAMAGED[20] = DAMAGED[20]! ^ 1;

const CASES: readonly (readonly [string, Readonly<Record<string, string | Buffer>>, string | undefined])[] = [
  ['no files', {}, undefined],
  ['its state', GOOD, undefined],
  ['only a lock', { LOCK: '' }, 'file does not exist'],
  ['only another file', { x: '' }, 'file does not exist'],
  ['only a log', { '000001.log': '' }, NO_ENTRY],
  ['only a table', { '000001.ldb': '' }, NO_ENTRY],
  ['only a MANIFEST', { 'MANIFEST-000001': MANIFEST }, NO_ENTRY],
  ['CURRENT without its MANIFEST', { CURRENT: POINTER, 'MANIFEST-000002': MANIFEST }, NO_ENTRY],
  ['an empty CURRENT', { ...GOOD, CURRENT: '' }, BAD_CURRENT],
  ['CURRENT of zeros', { ...GOOD, CURRENT: Buffer.alloc(16) }, BAD_CURRENT],
  ['CURRENT without the end of its line', { ...GOOD, CURRENT: 'MANIFEST-000001' }, BAD_CURRENT],
  ['CURRENT with spaces', { ...GOOD, CURRENT: ' MANIFEST-000001\n' }, BAD_CURRENT],
  ['CURRENT of more than 1 KiB', { ...GOOD, CURRENT: `MANIFEST-${'0'.repeat(1024)}1\n` }, BAD_CURRENT],
  ['an empty CURRENT, and CURRENT.bak', { ...GOOD, CURRENT: '', 'CURRENT.bak': POINTER }, undefined],
  ['CURRENT.bak', { 'MANIFEST-000001': MANIFEST, 'CURRENT.bak': POINTER }, undefined],
  ['CURRENT.7', { 'MANIFEST-000001': MANIFEST, 'CURRENT.7': POINTER }, undefined],
  ['CURRENT.old', { 'MANIFEST-000001': MANIFEST, 'CURRENT.old': POINTER }, NO_ENTRY],
  [
    'CURRENT.7 of a newer MANIFEST that is empty',
    { ...GOOD, 'CURRENT.7': 'MANIFEST-000002\n', 'MANIFEST-000002': '' },
    without('comparer').replace('000001', '000002'),
  ],
  [
    'CURRENT.7 of an older MANIFEST that is empty',
    {
      'MANIFEST-000001': '',
      'CURRENT.7': POINTER,
      CURRENT: 'MANIFEST-000002\n',
      'MANIFEST-000002': MANIFEST,
    },
    undefined,
  ],
  ['CURRENT.8 and CURRENT.7', { ...GOOD, 'CURRENT.7': '', 'CURRENT.8': POINTER }, undefined],
  ['an empty MANIFEST', { ...GOOD, 'MANIFEST-000001': '' }, without('comparer')],
  ['a MANIFEST of zeros', { ...GOOD, 'MANIFEST-000001': Buffer.alloc(MANIFEST.length) }, without('comparer')],
  ['a truncated MANIFEST', { ...GOOD, 'MANIFEST-000001': MANIFEST.subarray(0, -1) }, without('comparer')],
  ['a changed MANIFEST', { ...GOOD, 'MANIFEST-000001': DAMAGED }, without('comparer')],
  ['a MANIFEST without a comparer', { ...GOOD, 'MANIFEST-000001': manifestWithout(0) }, without('comparer')],
  [
    'a MANIFEST without a log',
    { ...GOOD, 'MANIFEST-000001': manifestWithout(1) },
    without('journal-file-num'),
  ],
  [
    'a MANIFEST without a next number',
    { ...GOOD, 'MANIFEST-000001': manifestWithout(2) },
    without('next-file-num'),
  ],
  ['a MANIFEST without a sequence', { ...GOOD, 'MANIFEST-000001': manifestWithout(3) }, without('seq-num')],
  [
    'a MANIFEST that ends within a record',
    {
      ...GOOD,
      'MANIFEST-000001': Buffer.concat([MANIFEST, logRecord(Buffer.from([7, 0, 3])).subarray(0, -1)]),
    },
    undefined,
  ],
  [
    'a MANIFEST with a record that is too short',
    { ...GOOD, 'MANIFEST-000001': Buffer.concat([MANIFEST, logRecord(Buffer.from([7, 0, 3]))]) },
    undefined,
  ],
  ['an empty log', { ...GOOD, '000002.log': '' }, undefined],
  ['a log of zeros', { ...GOOD, '000002.log': Buffer.alloc(64) }, undefined],
  ['a table', withTable(TABLE), undefined],
  ['a table with the ending of older versions', withTable(TABLE, '000003.sst'), undefined],
  ['a missing table', withTable(undefined), 'file missing'],
  [
    'a missing table that no longer belongs to it',
    {
      ...withTable(undefined),
      'MANIFEST-000001': Buffer.concat([
        withTable(undefined)['MANIFEST-000001'],
        logRecord(Buffer.from([6, 0, 3])),
      ]),
    },
    undefined,
  ],
  ['an empty table', withTable(Buffer.alloc(0)), FOOTER],
  ['a table of zeros', withTable(Buffer.alloc(TABLE.length)), FOOTER],
  ['a truncated table', withTable(TABLE.subarray(0, -1)), FOOTER],
  ['a longer table', withTable(Buffer.concat([TABLE, Buffer.alloc(9)])), undefined],
  ['another table that is damaged', { ...withTable(TABLE), '000004.ldb': '' }, undefined],
  [
    'a table with a changed block',
    withTable(changed(5)),
    'leveldb/table: corruption on data-block (pos=0): checksum mismatch [file=000003.ldb]',
  ],
  [
    'a table with a changed index',
    withTable(changed(TABLE.length - 48 - 8)),
    `leveldb/table: corruption on index-block (pos=${block(Buffer.from('value')).length + 5}): checksum mismatch [file=000003.ldb]`,
  ],
];

for (const [title, files, problem] of CASES)
  test(`a database with ${title}: ${problem ?? 'goleveldb opens it'}`, (t) => {
    const directory = temporaryFolder(t);
    for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
    t.is(databaseProblem(directory), problem);
  });

test('a database that does not exist is made anew', (t) => {
  t.is(databaseProblem(join(temporaryFolder(t), 'none')), undefined);
});

const REBUILD = /^run `peer node rebuild-dbs`/;
for (const [kind, path, prints, todo] of [
  [
    'orderer',
    'ledger/index',
    'Error opening leveldb: ',
    /^remove the directory: the orderer builds the index again/,
  ],
  ...['chains/index', 'stateLeveldb', 'historyLeveldb', 'configHistory', 'bookkeeper'].map(
    (name) => ['peer', `data/ledgersData/${name}`, 'Error opening leveldb: ', REBUILD] as const,
  ),
  ...['ledgerProvider', 'pvtdataStore'].map(
    (name) =>
      ['peer', `data/ledgersData/${name}`, 'Error opening leveldb: ', /^restore the ledger folder/] as const,
  ),
  [
    'peer',
    'data/ledgersData/fileLock',
    'Error acquiring lock on file DIR/data/ledgersData/fileLock: ',
    /^remove/,
  ],
  [
    'peer',
    'data/transientStoreFileLock',
    'Error acquiring lock on file DIR/data/transientStoreFileLock: ',
    /^remove/,
  ],
  ['peer', 'data/transientstore', 'Error opening leveldb: ', /without the private data of transactions/],
] as const)
  test(`an empty MANIFEST of ${path} is a cause with its own remedy: ${todo.source}`, async (t) => {
    const causes = await causesOf(t, {
      kind,
      change(cwd) {
        mkdirSync(join(cwd, path), { recursive: true });
        writeFileSync(join(cwd, path, 'CURRENT'), POINTER);
        writeFileSync(join(cwd, path, 'MANIFEST-000001'), '');
      },
    });
    t.deepEqual(
      causes.map((each) => [each.id, each.prints]),
      [['database-broken', `${prints}${without('comparer')}`]],
    );
    t.regex(causes[0]!.todo, todo);
  });
