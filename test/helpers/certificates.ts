// Files of certificates for tests.

import { createPrivateKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate, subjectName, type Made, type Usage } from './made-certificates.js';

/** The files of a certificate and its key. */
export interface Leaf {
  readonly cert: string;
  readonly key: string;
}

const LONG = ['20200101000000Z', '20491231235959Z'] as const;

/** A CA that writes certificates into a directory. */
export class TestCa {
  readonly #directory: string;
  readonly #name: string;
  readonly #made: Made;
  /** The file of the CA certificate. */
  readonly cert: string;

  /** @param isMade whether the directory has the files of the CA already */
  constructor(directory: string, name: string, isMade = false) {
    this.#directory = directory;
    this.#name = name;
    const files = { cert: join(directory, `${name}.pem`), key: join(directory, `${name}.key`) };
    this.cert = files.cert;
    const subject = { organization: 'Test', commonName: name };
    this.#made = isMade
      ? {
          pem: readFileSync(files.cert),
          key: createPrivateKey(readFileSync(files.key)),
          name: subjectName(subject),
        }
      : makeCertificate({ ...subject, validity: LONG });
    if (!isMade) write(files, this.#made);
  }

  /**
   * Issues a certificate.
   *
   * @param usage the extended key usage; undefined: none
   * @param validity start and end as `YYYYMMDDHHMMSSZ`
   * @param names the subject alternative names, separated by commas: `DNS:localhost`, `IP:127.0.0.1` or `URI:spiffe://…`
   */
  issue(
    name: string,
    usage: Usage | undefined,
    validity: readonly [string, string] = LONG,
    names = 'DNS:localhost,IP:127.0.0.1',
  ): Leaf {
    const file = (extension: string): string => join(this.#directory, `${this.#name}-${name}.${extension}`);
    const leaf = { cert: file('pem'), key: file('key') };
    write(
      leaf,
      makeCertificate({
        organization: 'Test',
        commonName: name,
        issuer: this.#made,
        validity,
        usage,
        names: names.split(','),
      }),
    );
    return leaf;
  }
}

function write({ cert, key }: Leaf, made: Made): void {
  writeFileSync(cert, made.pem);
  writeFileSync(key, made.key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
}
