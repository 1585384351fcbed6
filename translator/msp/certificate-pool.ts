// A set of CAs for building chains, by subject and key identifier (Go: crypto/x509/cert_pool.go).

import { appendTo } from '../../core/common/group-by.js';
import { toLatin1 } from '../../proto/bytes.js';
import type { Certificate } from './certificate.js';

/** The CAs with one subject, in the order of the pool. */
interface Named {
  readonly all: { readonly certificate: Certificate; readonly keyId: string }[];
  /** By key identifier; the key is empty for CAs without one. */
  readonly byKeyId: Map<string, Certificate[]>;
}

class CertificatePool {
  readonly #raw = new Set<string>();
  readonly #bySubject = new Map<string, Named>();

  constructor(certificates: readonly Certificate[]) {
    for (const certificate of certificates) {
      const { raw, subject, extensions } = certificate;
      const content = toLatin1(raw);
      if (this.#raw.has(content)) continue;
      this.#raw.add(content);
      const name = toLatin1(subject.raw);
      const named = this.#bySubject.get(name) ?? { all: [], byKeyId: new Map<string, Certificate[]>() };
      this.#bySubject.set(name, named);
      const keyId = toLatin1(extensions.subjectKeyId);
      named.all.push({ certificate, keyId });
      appendTo(named.byKeyId, keyId, certificate);
    }
  }

  has({ raw }: Certificate): boolean {
    return this.#raw.has(toLatin1(raw));
  }

  /** The number of CAs with the name of a certificate's issuer. */
  countNamed({ issuer }: Certificate): number {
    return this.#bySubject.get(toLatin1(issuer.raw))?.all.length ?? 0;
  }

  /**
   * The CAs with the name of the issuer: first those with its key identifier, then those with a key identifier on only one side, then the
   * others (`findPotentialParents`). They are generated lazily, because a chain needs only a few of them.
   */
  *parentsOf(child: Certificate): Generator<Certificate, void> {
    const named = this.#bySubject.get(toLatin1(child.issuer.raw));
    if (named === undefined) return;
    const keyId = toLatin1(child.extensions.authorityKeyId);
    const matching = named.byKeyId.get(keyId) ?? [];
    yield* matching;
    if (matching.length === named.all.length) return;
    const withoutKeyId = keyId === '' ? [] : (named.byKeyId.get('') ?? []);
    yield* withoutKeyId;
    for (const { certificate, keyId: own } of named.all) if (own !== keyId && own !== '') yield certificate;
  }
}

const pools = new WeakMap<readonly Certificate[], CertificatePool>();

/** The pool of a list of CAs; it is cached. */
export function poolOf(certificates: readonly Certificate[]): CertificatePool {
  const pool = pools.get(certificates) ?? new CertificatePool(certificates);
  pools.set(certificates, pool);
  return pool;
}
