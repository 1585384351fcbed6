// Reads the certificates or the private key in a file.

import { createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';
import {
  certificateBlocks,
  describeUnreadable,
  FileNotResponding,
  readForeignBytes,
} from '../../../core/kit/index.js';
import { throwIfTooManyOpen } from './open-files.js';
import { ADVICE, type FoundFile } from './walk.js';

/** Largest file with certificates or a key, in bytes. */
const MAX_SIZE = 1024 * 1024;
/** Most certificates of one file. */
const MAX_CERTIFICATES = 1_000;

/** `Certificate: cacerts/ca.pem` in the config.yaml of an MSP, quoted or not, also within braces. */
const CERTIFICATE_KEY = /^(?![ \t]*#).*?\bCertificate\s*:\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s,}#"']+))/gm;

/** The content of a file. */
export interface Content {
  readonly certificates: readonly X509Certificate[];
  /** The public part of the private key. The private part is not kept. */
  readonly publicKey?: KeyObject;
  /** The references of a config.yaml to files. */
  readonly references?: readonly string[];
  /** Why the file, or a part of it, cannot be used. */
  readonly problem?: string;
  /** Set if the file was not read because it did not respond: it is read again even if it has not changed. */
  readonly isUnread?: true;
}

const NOTHING: Content = { certificates: [] };

/** Reads a file of certificates, or a file with a role in an MSP. @throws Error when too many files are open */
export async function readContent({ path, msp }: FoundFile): Promise<Content> {
  try {
    const bytes = await readForeignBytes(path, MAX_SIZE);
    if (msp?.role === 'units') return { certificates: [], references: referencesIn(bytes.toString('utf8')) };
    return msp?.role === 'key' ? readKey(bytes) : readCertificates(bytes);
  } catch (error) {
    throwIfTooManyOpen(error);
    return unreadable(error);
  }
}

/** The {@link Content} of a file that cannot be read. */
export function unreadable(error: unknown, problem: string = describeUnreadable(error, ADVICE)): Content {
  return { certificates: [], problem, ...(error instanceof FileNotResponding && { isUnread: true }) };
}

/** Reads a private key. A key without read permission for the agent is not checked. */
export async function readKeyContent(path: string): Promise<Content> {
  try {
    return readKey(await readForeignBytes(path, MAX_SIZE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return NOTHING;
    throwIfTooManyOpen(error);
    return unreadable(error);
  }
}

function readKey(bytes: Buffer): Content {
  if (!bytes.includes('PRIVATE KEY-----'))
    return { certificates: [], problem: 'contains no PEM private key' };
  try {
    return { certificates: [], publicKey: createPublicKey(bytes) };
  } catch {
    return { certificates: [], problem: 'contains an invalid or encrypted private key' };
  }
}

function readCertificates(bytes: Buffer): Content {
  const blocks = certificateBlocks(bytes.toString('latin1'));
  if (blocks.length > MAX_CERTIFICATES)
    return { certificates: [], problem: `contains more than ${MAX_CERTIFICATES} certificates` };
  if (blocks.length > 0) return parseAll(blocks);
  // DER: a SEQUENCE.
  if (bytes[0] === 0x30) return parseAll([bytes]);
  if (bytes.includes('PRIVATE KEY-----')) return NOTHING;
  return { certificates: [], problem: bytes.length === 0 ? 'is empty' : 'contains no certificate' };
}

function parseAll(blocks: readonly (string | Buffer)[]): Content {
  const certificates: X509Certificate[] = [];
  let problem: string | undefined;
  for (const [index, block] of blocks.entries()) {
    try {
      certificates.push(new X509Certificate(block));
    } catch {
      problem ??=
        blocks.length === 1
          ? 'contains an invalid certificate'
          : `certificate ${index + 1} of ${blocks.length} is invalid`;
    }
  }
  return { certificates, ...(problem !== undefined && { problem }) };
}

function referencesIn(text: string): string[] {
  const references = [...text.matchAll(CERTIFICATE_KEY)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
  return [...new Set(references.filter((reference) => reference !== ''))];
}
