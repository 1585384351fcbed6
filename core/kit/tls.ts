// The TLS of a client, from options that name files. Errors in a file name the option. Files are reloaded when they change: a renewed
// certificate is used without a restart.

import type { X509Certificate } from 'node:crypto';
import {
  checkServerIdentity,
  createSecureContext,
  type ConnectionOptions,
  type PeerCertificate,
} from 'node:tls';
import type { Logger, OptionSchema, OptionValues } from '../contract/index.js';
import { readCertificates, readKeyPair } from '../common/certificates/tls-files.js';
import { FileNotResponding } from '../common/files/file-call.js';
import { FileVersions } from '../common/files/version.js';
import { isTlsError, OTHER_CERTIFICATE } from './reason.js';

/** The options of a TLS client. An empty path means no file. */
export const TLS_OPTIONS = {
  tls: { format: Boolean, default: false, doc: 'whether the endpoint uses TLS' },
  ca: { format: 'path', default: '', doc: 'PEM file with the CA of the server certificate' },
  certificate: {
    format: 'path',
    default: '',
    doc: 'PEM file with the server certificate; without `ca` exactly this certificate is trusted',
  },
  cert: { format: 'path', default: '', doc: 'PEM file with the client certificate' },
  key: { format: 'path', default: '', doc: 'PEM file with the private key of the client certificate' },
  serverName: {
    format: String,
    default: '',
    doc: 'host name in the server certificate; empty: the host of `address`',
  },
} as const satisfies OptionSchema;

/** Values of {@link TLS_OPTIONS}. A missing value is the default. */
export type TlsSettings = Partial<OptionValues<typeof TLS_OPTIONS>>;

/** The PEM text of the files that are set. */
export interface TlsClientFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/**
 * Checks that the client certificate and its private key are both set, or neither.
 *
 * @throws Error naming both options
 */
export function checkClientCertificate({ cert = '', key = '' }: TlsSettings): void {
  if ((cert === '') !== (key === '')) throw new Error('options.cert and options.key must be set together');
}

/**
 * Reads the CA, the client certificate and its private key.
 *
 * @throws Error with the option, the file and the problem
 */
export function readTlsFiles({ ca: caFile = '', cert = '', key = '' }: TlsSettings): TlsClientFiles {
  const ca = caFile === '' ? {} : { ca: readCertificates(caFile, 'options.ca:').pem };
  if (cert === '') return ca;
  const pair = readKeyPair({ cert, key }, { cert: 'options.cert:', key: 'options.key:' });
  return { ...ca, cert: pair.cert, key: pair.key };
}

/** The paths of the TLS files; none without TLS. */
export function tlsFilesOf({
  tls,
  ca = '',
  certificate = '',
  cert = '',
  key = '',
}: TlsSettings): readonly string[] {
  return tls === true ? [ca, certificate, cert, key] : [];
}

/**
 * Reads the TLS files.
 *
 * @returns the options of a connection; undefined without TLS
 * @throws Error with the option, the file and the problem
 */
export function readTls(options: TlsSettings): ConnectionOptions | undefined {
  if (options.tls !== true) return undefined;
  const { ca = '', certificate = '', serverName = '' } = options;
  const files = readTlsFiles(options);
  const exact =
    ca === '' && certificate !== ''
      ? readCertificates(certificate, 'options.certificate:').certificates[0]
      : undefined;
  const trust = exact === undefined ? {} : { ca: exact.toString(), allowPartialTrustChain: true };
  return {
    secureContext: createSecureContext({ ...files, ...trust }),
    checkServerIdentity:
      exact === undefined ? checkServerIdentity : (_host, found) => differenceFrom(exact, found),
    ...(serverName !== '' && { servername: serverName }),
  };
}

/** Accepts exactly one certificate, with any host names. A partial chain would also accept certificates that it has signed. */
function differenceFrom(expected: X509Certificate, found: PeerCertificate): Error | undefined {
  if (found.raw.equals(expected.raw)) return undefined;
  return Object.assign(new Error('another server certificate'), { code: OTHER_CERTIFICATE });
}

/** The warning of a checker whose {@link ReloadingTls} uses the former files. @param what the endpoint, such as `the node` */
export const formerFilesText = (what: string): string =>
  `the TLS files have changed, and ${what} still uses the former ones, until its restart; so does this agent: restart ${what} before the former certificates expire`;

/** A value that is created from TLS files, such as the result of {@link readTls}, and created again when the files change. */
export class ReloadingTls<Value> {
  readonly #files: FileVersions;
  readonly #create: () => Value;
  readonly #log: Pick<Logger, 'info' | 'warn'>;
  #value: { readonly current: Value } | undefined;
  #versions = '';
  #isResponding = true;
  /** The value of the last call of {@link use} that succeeded. */
  #proven: { readonly value: Value } | undefined;
  #usesFormer = false;

  /**
   * @param files paths; empty ones are skipped
   * @param create reads the files; throws an error with the option, the file and the problem
   */
  constructor(files: readonly string[], create: () => Value, log: Pick<Logger, 'info' | 'warn'>) {
    this.#files = new FileVersions(files);
    this.#create = create;
    this.#log = log;
  }

  /**
   * Creates the value.
   *
   * @throws what `create` throws
   */
  open(): Value {
    this.#versions = this.#files.readSync();
    const current = this.#create();
    this.#value = { current };
    return current;
  }

  /**
   * The value for the current files. If the files have changed but cannot be used, or their file system does not respond, it is the
   * previous value.
   *
   * @throws Error when it is not open
   */
  async current(): Promise<Value> {
    const versions = await this.#files.read();
    if (this.#value === undefined) throw new Error('the plugin is not started');
    const wasResponding = this.#isResponding;
    this.#isResponding = !(versions instanceof FileNotResponding);
    if (versions instanceof FileNotResponding) {
      if (wasResponding) this.#log.warn(`changes of the TLS files are not noticed: ${versions.message}`);
      return this.#value.current;
    }
    if (versions === this.#versions) return this.#value.current;
    this.#versions = versions;
    try {
      this.#value = { current: this.#create() };
      this.#log.info('the TLS files have changed and were read again');
    } catch (error) {
      const { message } = error as Error;
      this.#log.warn(`the TLS files have changed but cannot be used, keeping the current ones: ${message}`);
    }
    return this.#value.current;
  }

  /** Whether the last call of {@link use} succeeded only with the files before a change: the endpoint was not restarted since. */
  get usesFormer(): boolean {
    return this.#usesFormer;
  }

  /**
   * Calls with the value for the current files. If this fails because of TLS, calls again with the value for the files before the change: an
   * endpoint reads its files when it starts, so after a change it uses the former ones until its restart.
   *
   * @throws the error with the current value
   */
  async use<Result>(call: (value: Value) => Promise<Result>): Promise<Result> {
    const current = { value: await this.current() };
    const former = this.#proven;
    const values = former === undefined || former.value === current.value ? [current] : [current, former];
    // A failed handshake is a line in the log of the endpoint, so the values that work come first.
    if (this.#usesFormer) values.reverse();
    const errors = new Map<object, unknown>();
    for (const each of values) {
      try {
        const result = await call(each.value);
        this.#prove(each, each.value !== current.value);
        return result;
      } catch (error) {
        if (!isTlsError(error)) throw error;
        errors.set(each, error);
      }
    }
    throw errors.get(current);
  }

  #prove(proven: { readonly value: Value }, isFormer: boolean): void {
    if (isFormer && !this.#usesFormer)
      this.#log.warn(
        'the endpoint does not accept the changed TLS files, keeping the former ones until its restart',
      );
    if (!isFormer && this.#usesFormer) this.#log.info('the endpoint accepts the changed TLS files');
    this.#proven = proven;
    this.#usesFormer = isFormer;
  }

  /** Drops the values. */
  close(): void {
    this.#value = undefined;
    this.#proven = undefined;
    this.#usesFormer = false;
  }
}
