// The TLS files for an engine: read and looked at when the checker starts, so that a bad one is named then.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describeError } from './reason.js';

/** Paths; the empty text means none. */
export interface TlsPaths {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** What is in the files. */
export type TlsMaterial = Readonly<Record<keyof TlsPaths, Buffer | undefined>>;

/**
 * Reads the files.
 *
 * @throws Error naming the option and the file that cannot be used
 */
export async function readTlsFiles(paths: TlsPaths): Promise<TlsMaterial> {
  const ca = await read('ca', paths.ca);
  const cert = await read('cert', paths.cert);
  const key = await read('key', paths.key);
  if (ca !== undefined) parse('ca', paths.ca, () => new X509Certificate(ca));
  if (cert !== undefined && key !== undefined) {
    const certificate = parse('cert', paths.cert, () => new X509Certificate(cert));
    const privateKey = parse('key', paths.key, () => createPrivateKey(key));
    if (!certificate.checkPrivateKey(privateKey))
      throw new Error(`options.key: ${paths.key} is not the key of ${paths.cert}`);
  }
  return { ca, cert, key };
}

async function read(option: keyof TlsPaths, path: string): Promise<Buffer | undefined> {
  if (path === '') return undefined;
  try {
    return await readFile(path);
  } catch (error) {
    throw new Error(`options.${option}: ${path} cannot be read: ${describeError(error, false)}`, {
      cause: error,
    });
  }
}

function parse<T>(option: keyof TlsPaths, path: string, parseFile: () => T): T {
  try {
    return parseFile();
  } catch (error) {
    throw new Error(`options.${option}: ${path} is not a PEM file that can be used`, { cause: error });
  }
}
