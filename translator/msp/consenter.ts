// Verifies the TLS certificates of a consenter (orderer/consensus/etcdraft/util.go, `validateConsenterTLSCerts`).

import { toHex, toLatin1 } from '../../proto/bytes.js';
import type { RaftConsenter } from '../channel/index.js';
import { readCertificate, type Certificate } from './certificate.js';
import { CLIENT_AUTH, SERVER_AUTH, verifyChain } from './chain.js';
import { TranslateError, attempt } from '../../proto/errors.js';
import { decodePem } from '../../core/common/certificates/pem.js';
import type { GoVersion } from './releases.js';
import type { Trust } from './trust.js';

/** Options of a verification. */
interface ConsenterOptions {
  /** The TLS CAs of the orderer organisations. */
  readonly tls: Pick<Trust, 'roots' | 'intermediates'>;
  readonly now: Date;
  /** The Go version of the orderers. @default the Go version of Fabric 3.0 */
  readonly go?: GoVersion;
  /** Whether expired certificates are accepted, as for consenters that the channel already has. */
  readonly ignoreExpiration: boolean;
}

/** Fabric's text if an orderer refuses the certificates of a consenter; undefined if it accepts them. */
export async function consenterError(
  { host, port, clientTlsCert, serverTlsCert }: RaftConsenter,
  options: ConsenterOptions,
): Promise<string | undefined> {
  const check = async (): Promise<string | undefined> => {
    const client = readTlsCertificate(
      clientTlsCert,
      options.go,
      `parsing tls client cert of ${host}:${port}`,
    );
    const server = readTlsCertificate(
      serverTlsCert,
      options.go,
      `parsing tls server cert of ${host}:${port}`,
    );
    return (await tlsError('client', client, options)) ?? (await tlsError('server', server, options));
  };
  return attempt(check, ({ message }) => message);
}

/** @throws TranslateError with Fabric's text */
function readTlsCertificate(pem: Uint8Array, go: GoVersion | undefined, prefix: string): Certificate {
  const block = decodePem(pem);
  if (block === undefined) {
    const spaced = toHex(pem).replace(/..(?=.)/g, '$& ');
    throw new TranslateError('BAD_CERTIFICATE', `${prefix}: no PEM data found in cert[${spaced}]`);
  }
  return attempt(
    () => readCertificate(block.bytes, go),
    ({ code, message }): never => {
      throw new TranslateError(
        code,
        `${prefix}: ${message} TLS certificate has invalid ASN1 structure ${toLatin1(block.bytes)}`,
      );
    },
  );
}

async function tlsError(
  kind: 'client' | 'server',
  certificate: Certificate,
  { tls, now, ignoreExpiration }: ConsenterOptions,
): Promise<string | undefined> {
  const result = await verifyChain(certificate, { ...tls, now, keyUsages: [CLIENT_AUTH, SERVER_AUTH] });
  if (!('reason' in result) || (ignoreExpiration && result.isExpired)) return undefined;
  return `verifying tls ${kind} cert with serial number ${certificate.serial}: ${result.reason}`;
}
