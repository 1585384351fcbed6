// Recorded exchanges with Fabric's configtxlator: a directory with a manifest and the files that it names.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** How a response is compared with the recorded one; see `test/vectors/translator/README.md`. */
export type Compare = 'bytes' | 'json-bytes' | 'proto-equal' | 'status' | 'no-response';

/** A body: a file or text; without either there is no body. */
interface Body {
  readonly file?: string;
  readonly encoding?: 'gzip';
  readonly text?: string;
}

/** The parts of a form for `update-from-configs`; a part without a key is omitted. */
export interface Form {
  readonly original?: string;
  readonly originalEncoding?: 'gzip';
  readonly updated?: string;
  readonly updatedEncoding?: 'gzip';
  readonly channel?: string;
}

/** A recorded exchange in the manifest. Unused keys are omitted. */
export interface Vector {
  readonly id: string;
  readonly category: string;
  readonly method: string;
  /** Sent unchanged. */
  readonly path: string;
  readonly request: Body & {
    readonly contentType?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly multipart?: Form;
  };
  readonly response: Body & {
    /** 0: the connection was closed without a response. */
    readonly status: number;
    readonly location?: string;
    /** The message type of a body whose map entries may be in any order. */
    readonly canonicalType?: string;
    readonly sortedFile?: string;
    readonly sortedFileEncoding?: 'gzip';
  };
  readonly compare: Compare;
  readonly note: string;
}

/** A response of a service. */
export interface HttpResponse {
  readonly status: number;
  readonly body: Buffer;
  /** By name in lower case; undefined if HTTP was not used. */
  readonly headers?: ReadonlyMap<string, string>;
}

const manifests = new Map<string, readonly Vector[]>();

/** Reads the exchanges of a directory, once in each process. */
export function readVectors(directory: string): readonly Vector[] {
  const known = manifests.get(directory);
  if (known !== undefined) return known;
  const vectors = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as readonly Vector[];
  manifests.set(directory, vectors);
  return vectors;
}

/** Prefix of a file name that is the content itself in base64, so that the committed selection has few small files. */
const INLINE = 'base64:';

/** Returns the file name for inline content. */
export const inline = (bytes: Buffer): string => `${INLINE}${bytes.toString('base64')}`;

/** Reads a file and decompresses it. */
export function readPart(directory: string, file: string, encoding?: 'gzip'): Buffer {
  const stored = file.startsWith(INLINE)
    ? Buffer.from(file.slice(INLINE.length), 'base64')
    : readFileSync(join(directory, file));
  return encoding === 'gzip' ? gunzipSync(stored) : stored;
}

/** Reads a body; empty if there is none. */
export function readBody(directory: string, { file, encoding, text }: Body): Buffer {
  return file === undefined ? Buffer.from(text ?? '') : readPart(directory, file, encoding);
}

/** Returns the operation and the message type of a path of decode or encode; undefined for any other path. */
export function routeOf(path: string): { operation: 'decode' | 'encode'; type: string } | undefined {
  const match = /^\/protolator\/(decode|encode)\/([^/?]+)(?:\?|$)/.exec(path);
  return match === null
    ? undefined
    : { operation: match[1] as 'decode' | 'encode', type: decodeURIComponent(match[2]!) };
}
