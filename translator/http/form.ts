// Parses forms (`multipart/form-data`).

import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { ByteCollector } from '../../core/common/flow/byte-collector.js';
import { MAX_FORM_PARTS, MAX_PART_HEADER_SIZE } from './limits.js';

/** A form that does not parse, with the message of Go's multipart reader. */
export class FormError extends Error {
  override readonly name = 'FormError';
}

/** The first part of each name. */
export interface Form {
  /** Parts with a file name. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Parts without a file name. */
  readonly values: ReadonlyMap<string, Buffer>;
}

const FORM_TYPE = /^\s*multipart\/form-data\s*(?:;|$)/i;
/** How much of a form the parser gets at a time, in bytes: it can have 1,600 parts, each of which takes 10 to 60 µs. */
const SLICE = 8 * 1024;
/** RFC 2046 limits a boundary to 70 characters. */
const BOUNDARY = /;\s*boundary=(?:"([^"\\]{1,70})"|([^\s"\\;]{1,70}))\s*(?:;|$)/i;

/**
 * The boundary between the parts of a form.
 *
 * @throws FormError if the media type is not `multipart/form-data` or has no boundary
 */
export function boundaryOf(contentType = ''): string {
  if (!FORM_TYPE.test(contentType)) throw new FormError("request Content-Type isn't multipart/form-data");
  const match = BOUNDARY.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw new FormError('no multipart boundary param in Content-Type');
  return boundary;
}

/**
 * Parses a form.
 *
 * @param names the names of the parts to return; other parts are skipped
 * @throws FormError if the body is truncated, contains no part, or contains more than {@link MAX_FORM_PARTS}
 */
export async function parseForm(body: Buffer, boundary: string, names: ReadonlySet<string>): Promise<Form> {
  const form = { files: new Map<string, Buffer>(), values: new Map<string, Buffer>() };
  const parser = createParser(boundary, body.length);
  let isTruncated = false;
  let hasTooManyParts = false;
  const onTruncated = (): void => void (isTruncated = true);
  parser.on('file', (name: string | undefined, part: BusboyFileStream, filename: string | undefined) => {
    // Without a listener on each part, a truncated part would end the process.
    part.on('error', onTruncated);
    const parts = filename === undefined || filename === '' ? form.values : form.files;
    if (name === undefined || !names.has(name) || parts.has(name)) {
      part.resume();
      return;
    }
    const content = new ByteCollector(body.length);
    parts.set(name, Buffer.alloc(0));
    part.on('data', (chunk: Buffer) => content.add(chunk));
    part.on('end', () => parts.set(name, content.bytes()));
  });
  parser.on('partsLimit', () => (hasTooManyParts = true));
  parser.on('error', onTruncated);
  const finished = new Promise<unknown>((resolve) => parser.on('finish', resolve));
  // Without waiting for other turns of the event loop: the bodies of more forms would be in memory.
  for (let start = 0; start < body.length; start += SLICE) {
    parser.write(body.subarray(start, start + SLICE));
    // The parser would go through all parts after the limit.
    if (hasTooManyParts) throw new FormError('multipart: message too large');
  }
  parser.end();
  await finished;
  if (!isTruncated) return form;
  throw new FormError(body.includes(`--${boundary}\r\n`) ? 'unexpected EOF' : 'multipart: NextPart: EOF');
}

function createParser(boundary: string, bodySize: number): InstanceType<typeof Busboy> {
  return new Busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    // Values are returned as bytes, like files.
    isPartAFile: () => true,
    preservePath: true,
    // The parser hangs after a skipped part that is longer than this.
    fileHwm: bodySize + 1,
    limits: { parts: MAX_FORM_PARTS, headerSize: MAX_PART_HEADER_SIZE },
  });
}
