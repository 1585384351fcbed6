// Forms (`multipart/form-data`): the parts of a body by their names.

import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { FormError } from './form-error.js';
import { MAX_FORM_PARTS, MAX_PART_HEADER_SIZE } from './limits.js';

/** The first part of each name. */
export interface Form {
  /** Parts with a file name. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Parts without one. */
  readonly values: ReadonlyMap<string, Buffer>;
}

/**
 * Reads a form.
 *
 * @param names of the parts that are wanted; others are skipped
 * @throws FormError for a body that is cut off or has no part at all
 */
export function parseForm(body: Buffer, boundary: string, names: ReadonlySet<string>): Promise<Form> {
  return new Promise((resolve, reject) => {
    const form = { files: new Map<string, Buffer>(), values: new Map<string, Buffer>() };
    const parser = createParser(boundary, body.length);
    let isCut = false;
    const onCut = (): void => void (isCut = true);
    parser.on('file', (name: string | undefined, part: BusboyFileStream, filename: string | undefined) => {
      // Without a listener on each part, a body cut within it would end the process.
      part.on('error', onCut);
      const parts = filename === undefined || filename === '' ? form.values : form.files;
      if (name === undefined || !names.has(name) || parts.has(name)) {
        part.resume();
        return;
      }
      const chunks: Buffer[] = [];
      parts.set(name, Buffer.alloc(0));
      part.on('data', (chunk: Buffer) => chunks.push(chunk));
      part.on('end', () => parts.set(name, Buffer.concat(chunks)));
    });
    parser.on('partsLimit', () => reject(new FormError('multipart: message too large')));
    parser.on('error', onCut);
    parser.on('finish', () => {
      if (isCut)
        reject(new FormError(hasPart(body, boundary) ? 'unexpected EOF' : 'multipart: NextPart: EOF'));
      else resolve(form);
    });
    parser.end(body);
  });
}

function createParser(boundary: string, bodySize: number): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary.replace(/["\\]/g, '\\$&')}"` },
      // A value is wanted as its bytes, like a file.
      isPartAFile: () => true,
      preservePath: true,
      // The parser stops for ever after some parts that are longer than this and that nobody wants.
      fileHwm: bodySize + 1,
      limits: { parts: MAX_FORM_PARTS, headerSize: MAX_PART_HEADER_SIZE },
    });
  } catch {
    // It knows boundaries of some 250 characters; RFC 2046 allows 70.
    throw new FormError('multipart: boundary is too long');
  }
}

function hasPart(body: Buffer, boundary: string): boolean {
  return body.includes(`--${boundary}\r\n`);
}
