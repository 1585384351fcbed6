// Certificates for tests, created with the openssl command.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';

/** The files of a certificate and its key. */
export interface Leaf {
  readonly cert: string;
  readonly key: string;
}

/** A CA that writes certificates into a directory. */
export class TestCa {
  readonly #directory: string;
  readonly #name: string;
  /** The file of the CA certificate. */
  readonly cert: string;
  readonly #key: string;

  /** @param isMade whether the directory has the files of the CA already */
  constructor(directory: string, name: string, isMade = false) {
    this.#directory = directory;
    this.#name = name;
    this.cert = join(directory, `${name}.pem`);
    this.#key = join(directory, `${name}.key`);
    if (isMade) return;
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
   * @param usage the extended key usage; undefined: none
   * @param validity start and end as `YYYYMMDDHHMMSSZ`
   * @param names the subject alternative names in the syntax of openssl
   */
  issue(
    name: string,
    usage: 'clientAuth' | 'serverAuth' | undefined,
    validity?: readonly [string, string],
    names = 'DNS:localhost,IP:127.0.0.1',
  ): Leaf {
    const file = (extension: string): string => join(this.#directory, `${this.#name}-${name}.${extension}`);
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
        `new_certs_dir=${this.#directory}`,
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
    const issuer = { cert: this.cert, keyfile: this.#key };
    openssl('ca -batch -notext -config', file('cnf'), {
      ...issuer,
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

// The name that other tests import.
