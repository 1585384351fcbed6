// Run by hand: `node dist/test/helpers/vectors/select.js FROM TO BYTES`.
// Copies recorded exchanges of the full set to the committed folder: some of every category, then the smallest ones, up to a size.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inline, readPart, readVectors, type Vector } from './vector.js';

/** Cases that the bench measures. */
const ALWAYS = new Set([
  'network.river.orderer-00.decode',
  'genesis.forest.decode',
  'genesis.forest.encode',
  'genesis.forest.config.decode',
]);
/** Cases of each category that come before the small ones of all. */
const OF_EACH = 8;
/** Smaller contents, as they are stored, stand in the manifest itself: a file takes a block of the disk. */
const FILED_FROM = 3000;
const BLOCK = 4096;

/** Keys whose value names a file, with the key that says how that file is stored. */
const FILE_KEYS = {
  file: 'encoding',
  original: 'originalEncoding',
  updated: 'updatedEncoding',
  sortedFile: 'sortedFileEncoding',
} as const;

type Named = Record<string, unknown>;

const [from = '', to = '', limit = ''] = process.argv.slice(2);

/** A content as it will be stored: in a file, or in the name itself. */
interface Stored {
  readonly name: string;
  readonly isPacked: boolean;
  readonly bytes: Buffer;
  readonly isFile: boolean;
}

const stored = new Map<string, Stored>();

function store(path: string): Stored {
  const known = stored.get(path);
  if (known !== undefined) return known;
  const plainPath = path.replace(/\.gz$/, '');
  const plain = readPart(from, path, path === plainPath ? undefined : 'gzip');
  const packed = gzipSync(plain, { level: 9 });
  const isPacked = packed.length < plain.length;
  const bytes = isPacked ? packed : plain;
  const isFile = bytes.length >= FILED_FROM;
  const fileName = isPacked ? `${plainPath}.gz` : plainPath;
  const made = { name: isFile ? fileName : inline(bytes), isPacked, bytes, isFile };
  stored.set(path, made);
  return made;
}

/** The objects of a case that may name files. */
const placesOf = ({ request, response }: Vector): Named[] =>
  [request, request.multipart ?? {}, response].map((place) => place as Named);

function filesOf(vector: Vector): Stored[] {
  return placesOf(vector).flatMap((place) =>
    Object.keys(FILE_KEYS).flatMap((key) => (place[key] === undefined ? [] : [store(place[key] as string)])),
  );
}

/** What contents take of the disk; those in the manifest are counted there. */
const sizeOf = (contents: Iterable<Stored>): number =>
  [...contents].reduce(
    (sum, { bytes, isFile }) => sum + (isFile ? Math.ceil(bytes.length / BLOCK) * BLOCK : 0),
    0,
  );

/** Keys that nothing reads, and those about Fabric 2.5. */
const LEFT_OUT = new Set([
  'response_2_5',
  'differs_in_2_5',
  'size',
  'originalSize',
  'updatedSize',
  'canonicalJson',
  'canonicalJsonSize',
  'canonicalJsonEncoding',
  'canonicalJsonError',
  'distinctInRuns',
  'variants',
  'runs',
]);

/** What the committed manifest says of a case, with the names of the contents as stored. */
function entryOf(vector: Vector): Named {
  const entry = JSON.parse(
    JSON.stringify(vector, (key, value: unknown) => (LEFT_OUT.has(key) ? undefined : value)),
  ) as Vector;
  for (const place of placesOf(entry)) {
    for (const [key, encoding] of Object.entries(FILE_KEYS)) {
      if (place[key] === undefined) continue;
      const { name, isPacked } = store(place[key] as string);
      place[key] = name;
      if (isPacked) place[encoding] = 'gzip';
      else delete place[encoding];
    }
  }
  return { ...entry };
}

/** The ones that are always there, some of each category, smallest first, then all the others by size. */
function inOrder(vectors: readonly Vector[]): Vector[] {
  const bySize = vectors
    .map((vector) => ({ vector, size: sizeOf(filesOf(vector)) }))
    .toSorted((a, b) => a.size - b.size)
    .map(({ vector }) => vector);
  const seen = new Map<string, number>();
  const isEarly = new Set(
    bySize.filter(({ id, category }) => {
      const count = (seen.get(category) ?? 0) + 1;
      seen.set(category, count);
      return ALWAYS.has(id) || count <= OF_EACH;
    }),
  );
  return bySize.toSorted((a, b) => Number(isEarly.has(b)) - Number(isEarly.has(a)));
}

function select(vectors: readonly Vector[], bytes: number): { chosen: Set<Vector>; files: Set<Stored> } {
  const chosen = new Set<Vector>();
  const files = new Set<Stored>();
  let size = 0;
  for (const vector of inOrder(vectors)) {
    const more = [...new Set(filesOf(vector))].filter((file) => !files.has(file));
    const cost = sizeOf(more) + JSON.stringify(entryOf(vector)).length + 2;
    if (size + cost > bytes) continue;
    size += cost;
    chosen.add(vector);
    for (const file of more) files.add(file);
  }
  return { chosen, files };
}

const vectors = readVectors(from);
const { chosen, files } = select(vectors, Number(limit));
for (const { name, bytes } of [...files].filter(({ isFile }) => isFile)) {
  mkdirSync(dirname(join(to, name)), { recursive: true });
  writeFileSync(join(to, name), bytes);
}
// One case a line, so that a change of the selection can be read.
const lines = vectors.filter((vector) => chosen.has(vector)).map((vector) => JSON.stringify(entryOf(vector)));
writeFileSync(join(to, 'manifest.json'), `[\n${lines.join(',\n')}\n]\n`);
console.log(
  `${chosen.size} of ${vectors.length} exchanges, ${[...files].filter(({ isFile }) => isFile).length} files`,
);
