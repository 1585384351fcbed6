// Run by hand: `node dist/test/helpers/vectors/select.js FROM TO BYTES`.
// Copies recorded exchanges of the full set to the committed directory: some of every category, then the smallest ones, up to a size.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inline, readPart, readVectors, type Vector } from './vector.js';

/** Cases that the benchmarks use. */
const ALWAYS = new Set([
  'network.river.orderer-00.decode',
  'genesis.forest.decode',
  'genesis.forest.encode',
  'genesis.forest.config.decode',
]);
/** How many cases of each category are selected before the smallest ones of all categories. */
const PER_CATEGORY = 8;
/** From this stored size on, in bytes, content is stored in a file; smaller content is stored in the manifest. */
const MIN_FILE_SIZE = 3000;
/** A file takes whole blocks of the disk. */
const BLOCK = 4096;

/** Keys whose value names a file, with the key of its encoding. */
const FILE_KEYS = {
  file: 'encoding',
  original: 'originalEncoding',
  updated: 'updatedEncoding',
  sortedFile: 'sortedFileEncoding',
} as const;

type JsonObject = Record<string, unknown>;

const [from = '', to = '', limit = ''] = process.argv.slice(2);

/** Content to store: in a file, or in the name itself. */
interface Stored {
  readonly name: string;
  readonly isCompressed: boolean;
  readonly bytes: Buffer;
  readonly isFile: boolean;
}

const stored = new Map<string, Stored>();

function store(path: string): Stored {
  const known = stored.get(path);
  if (known !== undefined) return known;
  const plainPath = path.replace(/\.gz$/, '');
  const plain = readPart(from, path, path === plainPath ? undefined : 'gzip');
  const compressed = gzipSync(plain, { level: 9 });
  const isCompressed = compressed.length < plain.length;
  const bytes = isCompressed ? compressed : plain;
  const isFile = bytes.length >= MIN_FILE_SIZE;
  const fileName = isCompressed ? `${plainPath}.gz` : plainPath;
  const entry = { name: isFile ? fileName : inline(bytes), isCompressed, bytes, isFile };
  stored.set(path, entry);
  return entry;
}

/** Returns the objects of a case that can name files. */
const fileObjectsOf = ({ request, response }: Vector): JsonObject[] =>
  [request, request.multipart ?? {}, response].map((object) => object as JsonObject);

function filesOf(vector: Vector): Stored[] {
  return fileObjectsOf(vector).flatMap((object) =>
    Object.keys(FILE_KEYS).flatMap((key) =>
      object[key] === undefined ? [] : [store(object[key] as string)],
    ),
  );
}

/** The disk space of the files; content in the manifest is counted with its entry. */
const sizeOf = (contents: Iterable<Stored>): number =>
  [...contents].reduce(
    (sum, { bytes, isFile }) => sum + (isFile ? Math.ceil(bytes.length / BLOCK) * BLOCK : 0),
    0,
  );

/** Unused keys, and those about Fabric 2.5. */
const OMITTED = new Set([
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

/** Returns the entry of a case in the committed manifest. */
function entryOf(vector: Vector): JsonObject {
  const entry = JSON.parse(
    JSON.stringify(vector, (key, value: unknown) => (OMITTED.has(key) ? undefined : value)),
  ) as Vector;
  for (const object of fileObjectsOf(entry)) {
    for (const [key, encoding] of Object.entries(FILE_KEYS)) {
      if (object[key] === undefined) continue;
      const { name, isCompressed } = store(object[key] as string);
      object[key] = name;
      if (isCompressed) object[encoding] = 'gzip';
      else delete object[encoding];
    }
  }
  return { ...entry };
}

/** Orders cases: first those of {@link ALWAYS} and the smallest ones of each category, then all others; both by size. */
function inOrder(vectors: readonly Vector[]): Vector[] {
  const bySize = vectors
    .map((vector) => ({ vector, size: sizeOf(filesOf(vector)) }))
    .toSorted((a, b) => a.size - b.size)
    .map(({ vector }) => vector);
  const seen = new Map<string, number>();
  const preferred = new Set(
    bySize.filter(({ id, category }) => {
      const count = (seen.get(category) ?? 0) + 1;
      seen.set(category, count);
      return ALWAYS.has(id) || count <= PER_CATEGORY;
    }),
  );
  return bySize.toSorted((a, b) => Number(preferred.has(b)) - Number(preferred.has(a)));
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
// One case per line, so that diffs are readable.
const lines = vectors.filter((vector) => chosen.has(vector)).map((vector) => JSON.stringify(entryOf(vector)));
writeFileSync(join(to, 'manifest.json'), `[\n${lines.join(',\n')}\n]\n`);
console.log(
  `${chosen.size} of ${vectors.length} exchanges, ${[...files].filter(({ isFile }) => isFile).length} files`,
);
