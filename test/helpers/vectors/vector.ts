// Recorded exchanges with Fabric's configtxlator: one folder with a manifest and the files that it names.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** How an answer is compared with the recorded one. `test/vectors/translator/README.md` has the rules. */
export type Compare = 'bytes' | 'json-bytes' | 'proto-equal' | 'status' | 'no-response';

/** A body: a file of the folder, or text; neither is no body at all. */
interface Body {
  readonly file?: string;
  readonly encoding?: 'gzip';
  readonly text?: string;
}

/** The parts of a form for the computation; a part without a key is left out. */
export interface Form {
  readonly original?: string;
  readonly originalEncoding?: 'gzip';
  readonly updated?: string;
  readonly updatedEncoding?: 'gzip';
  readonly channel?: string;
}

/** One recorded exchange, as the manifest has it. Keys that nothing here reads are left out. */
export interface Vector {
  readonly id: string;
  readonly category: string;
  readonly method: string;
  /** Sent just as it stands. */
  readonly path: string;
  readonly request: Body & {
    readonly contentType?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly multipart?: Form;
  };
  readonly response: Body & {
    /** 0: the connection was closed without an answer. */
    readonly status: number;
    readonly location?: string;
    /** The message type of a body whose maps may come in any order. */
    readonly canonicalType?: string;
    readonly sortedFile?: string;
    readonly sortedFileEncoding?: 'gzip';
  };
  readonly compare: Compare;
  readonly note: string;
}

/** What a service said to a request, or would have said. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  /** By name in lower case; missing where no HTTP was spoken. */
  readonly headers?: ReadonlyMap<string, string>;
}

/** The exchanges of a folder. */
export function readVectors(folder: string): readonly Vector[] {
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as readonly Vector[];
}

/** What a name begins with that is the content itself, in base64: the committed selection has few small files. */
const INLINE = 'base64:';

/** The name of a small content. */
export const inline = (bytes: Buffer): string => `${INLINE}${bytes.toString('base64')}`;

/** A file of the folder, as it was sent. */
export function readPart(folder: string, file: string, encoding?: 'gzip'): Buffer {
  const stored = file.startsWith(INLINE)
    ? Buffer.from(file.slice(INLINE.length), 'base64')
    : readFileSync(join(folder, file));
  return encoding === 'gzip' ? gunzipSync(stored) : stored;
}

/** The bytes of a body; none for no body. */
export function readBody(folder: string, { file, encoding, text }: Body): Buffer {
  return file === undefined ? Buffer.from(text ?? '') : readPart(folder, file, encoding);
}

/** The route and the message name of a request to decode or encode; undefined for any other path. */
export function routeOf(path: string): { operation: 'decode' | 'encode'; type: string } | undefined {
  const match = /^\/protolator\/(decode|encode)\/([^/?]+)(?:\?|$)/.exec(path);
  return match === null
    ? undefined
    : { operation: match[1] as 'decode' | 'encode', type: decodeURIComponent(match[2]!) };
}
