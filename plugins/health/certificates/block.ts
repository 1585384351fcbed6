// The certificates of all MSPs and consenters in a config block.

import { X509Certificate } from 'node:crypto';
import { readConfigFile } from 'fabric-ops-agent/translator/channel';
import { channelCertificates } from 'fabric-ops-agent/translator/msp';
import { createEntry, type CertificateEntry } from './entry.js';

/** Most certificates of one block. */
const MAX_CERTIFICATES = 10_000;

/** The certificates of a block. */
interface BlockEntries {
  readonly entries: readonly CertificateEntry[];
  readonly problem?: string;
}

/**
 * Reads a file with a config block, an envelope or a config.
 *
 * @returns the valid certificates, and the problem of the first invalid one
 * @throws TranslateError for any other file
 */
export function entriesInBlock(path: string, bytes: Uint8Array): BlockEntries {
  const embedded = channelCertificates(readConfigFile(bytes).config);
  if (embedded.length > MAX_CERTIFICATES) throw new Error(`has more than ${MAX_CERTIFICATES} certificates`);
  let problem: string | undefined;
  const entries = embedded.flatMap(({ mspId = '', consenter, use: kind, pem }, index) => {
    const owner = consenter === undefined ? mspId : `consenter ${consenter}`;
    const certificate = parse(pem);
    if (certificate === undefined) problem ??= `has an invalid certificate of ${owner} (${kind})`;
    return certificate === undefined
      ? []
      : [createEntry(certificate, { path, suffix: `#${owner} ${kind} ${index + 1}`, kind })];
  });
  return { entries, ...(problem !== undefined && { problem }) };
}

function parse(pem: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
