// Certificates for tests, made by the openssl binary.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';

/** Files of one certificate and its key. */
export interface Leaf {
  readonly cert: string;
  readonly key: string;
}

/** An authority that signs certificates into its folder. */
export class Authority {
  readonly #folder: string;
  readonly #name: string;
  /** The file of its own certificate. */
  readonly cert: string;
  readonly #key: string;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
    this.cert = join(folder, `${name}.pem`);
    this.#key = join(folder, `${name}.key`);
    openssl(
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj',
      `/O=Test/CN=${name}`,
      {
        keyout: this.#key,
        out: this.cert,
      },
    );
  }

  /**
   * Issues a certificate.
   *
   * @param usage the extended key usage, undefined for none
   * @param validity first and last day as `YYYYMMDDHHMMSSZ`
   * @param names what it is for, in openssl's words
   */
  issue(
    name: string,
    usage: 'clientAuth' | 'serverAuth' | undefined,
    validity?: readonly [string, string],
    names = 'DNS:localhost,IP:127.0.0.1',
  ): Leaf {
    const file = (extension: string): string => join(this.#folder, `${this.#name}-${name}.${extension}`);
    const leaf = { cert: file('pem'), key: file('key') };
    openssl('req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj', `/O=Test/CN=${name}`, {
      keyout: leaf.key,
      out: file('csr'),
    });
    const [from, to] = validity ?? ['20200101000000Z', '20491231235959Z'];
    const extensions = [`subjectAltName=${names}`, 'keyUsage=critical,digitalSignature'];
    if (usage !== undefined) extensions.push(`extendedKeyUsage=${usage}`);
    writeFileSync(file('index'), '');
    writeFileSync(
      file('cnf'),
      [
        '[ca]',
        'default_ca=own',
        '[own]',
        `database=${file('index')}`,
        `new_certs_dir=${this.#folder}`,
        'rand_serial=yes',
        'default_md=sha256',
        'policy=any',
        'x509_extensions=leaf',
        '[any]',
        'organizationName=optional',
        'commonName=supplied',
        '[leaf]',
        ...extensions,
      ].join('\n'),
    );
    const authority = { cert: this.cert, keyfile: this.#key };
    openssl('ca -batch -notext -config', file('cnf'), {
      ...authority,
      startdate: from,
      enddate: to,
      in: file('csr'),
      out: leaf.cert,
    });
    return leaf;
  }
}

function openssl(command: string, subject: string, flags: Readonly<Record<string, string>>): void {
  const args = [
    ...command.split(' '),
    subject,
    ...Object.entries(flags).flatMap(([name, value]) => [`-${name}`, value]),
  ];
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
