// One set of certificates for all tests of a process, because creating them takes long.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { TestCa, type Leaf } from './certificates.js';
import { guardFolder } from './guard.js';

/** Two CAs and the certificates that they issued. */
export interface CertificateSet {
  readonly directory: string;
  /** Signs the server certificate and those of the trusted clients. */
  readonly ca: TestCa;
  /** A CA that is not trusted. */
  readonly foreignCa: TestCa;
  readonly server: Leaf;
  /** Named as in the table of core/http/README.md; undefined: no certificate. */
  readonly clients: Readonly<Record<string, Leaf | undefined>>;
}

/** Creates the set in a directory. */
function create(directory: string): CertificateSet {
  const ca = new TestCa(directory, 'ca');
  const foreignCa = new TestCa(directory, 'foreign');
  const past = ['20200101000000Z', '20200201000000Z'] as const;
  const future = ['20480101000000Z', '20490101000000Z'] as const;
  return {
    directory,
    ca,
    foreignCa,
    server: ca.issue('server', 'serverAuth'),
    clients: {
      no: undefined,
      trusted: ca.issue('client', 'clientAuth'),
      'no-EKU': ca.issue('noeku', undefined),
      'serverAuth-only': ca.issue('serverauth', 'serverAuth'),
      foreign: foreignCa.issue('client', 'clientAuth'),
      expired: ca.issue('expired', 'clientAuth', past),
      'not-yet-valid': ca.issue('future', 'clientAuth', future),
    },
  };
}

/** Copies the files of a set to another directory. */
function copy(set: CertificateSet, directory: string): CertificateSet {
  cpSync(set.directory, directory, { recursive: true });
  const moved = ({ cert, key }: Leaf): Leaf => ({
    cert: join(directory, basename(cert)),
    key: join(directory, basename(key)),
  });
  return {
    directory,
    ca: new TestCa(directory, 'ca', true),
    foreignCa: new TestCa(directory, 'foreign', true),
    server: moved(set.server),
    clients: Object.fromEntries(
      Object.entries(set.clients).map(([name, leaf]) => [name, leaf && moved(leaf)]),
    ),
  };
}

/** A directory that is removed when the process exits. */
function ownDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'fabric-ops-agent-certificates-'));
  guardFolder(directory);
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

let first: CertificateSet | undefined;

/** Creates the set in a directory of its own, once for each process: later calls copy it. It is removed when the process exits. */
export function makeCertificates(): CertificateSet {
  first ??= create(ownDirectory());
  return copy(first, ownDirectory());
}
