// One set of certificates for all tests of a file: making them takes a while.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Authority, type Leaf } from './certificates.js';
import { guardFolder } from './guard.js';

/** Two authorities and what they issued. */
export interface CertificateSet {
  readonly folder: string;
  /** Signs the server and the trusted clients. */
  readonly authority: Authority;
  /** Nobody trusts it. */
  readonly foreign: Authority;
  readonly server: Leaf;
  /** By the words of the table in the README of core/http; undefined: no certificate. */
  readonly clients: Readonly<Record<string, Leaf | undefined>>;
}

/** Makes the set; removed at the end of the process. */
export function makeCertificates(): CertificateSet {
  const folder = mkdtempSync(join(tmpdir(), 'fabric-ops-agent-certificates-'));
  guardFolder(folder);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const authority = new Authority(folder, 'authority');
  const foreign = new Authority(folder, 'foreign');
  const past = ['20200101000000Z', '20200201000000Z'] as const;
  const future = ['20480101000000Z', '20490101000000Z'] as const;
  return {
    folder,
    authority,
    foreign,
    server: authority.issue('server', 'serverAuth'),
    clients: {
      no: undefined,
      trusted: authority.issue('client', 'clientAuth'),
      'no-EKU': authority.issue('noeku', undefined),
      'serverAuth-only': authority.issue('serverauth', 'serverAuth'),
      foreign: foreign.issue('client', 'clientAuth'),
      expired: authority.issue('expired', 'clientAuth', past),
      'not-yet-valid': authority.issue('future', 'clientAuth', future),
    },
  };
}
