// The file `connection.json` of a chaincode that runs as a service (core/container/externalbuilder/instance.go,
// `ChaincodeServerUserData`).

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { HostPort } from '../../../core/contract/index.js';
import { onOneLine, parseForeignJson, quote } from '../../../core/kit/index.js';

/** The address of a chaincode server, and its TLS. */
interface ChaincodeServer {
  /** As in the file. */
  readonly address: string;
  readonly target: HostPort;
  /** Undefined without TLS. */
  readonly secureContext?: SecureContext;
  readonly hasClientCertificate: boolean;
}

/** IPv6 address or name, port. */
const ADDRESS = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/[\]]*)):(\d{1,5})$/;
const MAX_PORT = 65_535;

/** Values by key. A peer ignores the case of keys, as Go does. */
type Members = ReadonlyMap<string, unknown>;

/**
 * Reads the content of a connection.json.
 *
 * @throws Error with the problem; it never contains key material
 */
export function parseConnection(text: string): ChaincodeServer {
  const members = parseMembers(text);
  const address = textIn(members, 'address');
  if (address === '') throw new Error('connection.json: address is missing');
  const [, ipv6, name, port] = ADDRESS.exec(address) ?? [];
  if (port === undefined || Number(port) < 1 || Number(port) > MAX_PORT)
    throw new Error(`connection.json: address must be host:port, found ${quote(onOneLine(address))}`);
  const target = { host: ipv6 ?? name ?? '', port: Number(port) };
  if (!flagIn(members, 'tls_required')) return { address, target, hasClientCertificate: false };
  const hasClientCertificate = flagIn(members, 'client_auth_required');
  const client = hasClientCertificate ? clientIn(members) : {};
  const ca = certificateIn(members, 'root_cert', 'tls_required');
  return { address, target, secureContext: createSecureContext({ ca, ...client }), hasClientCertificate };
}

function parseMembers(text: string): Members {
  let value: unknown;
  try {
    value = parseForeignJson(text);
  } catch {
    // The message of the parser could show a part of a private key.
    throw new Error('connection.json is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('connection.json is not a JSON object');
  return new Map(Object.entries(value).map(([key, member]) => [key.toLowerCase(), member]));
}

function textIn(members: Members, key: string): string {
  const value = members.get(key) ?? '';
  if (typeof value !== 'string') throw new Error(`connection.json: ${key} must be a string`);
  return value;
}

function flagIn(members: Members, key: string): boolean {
  const value = members.get(key) ?? false;
  if (typeof value !== 'boolean') throw new Error(`connection.json: ${key} must be true or false`);
  return value;
}

/** @param flag the flag that requires the member */
function requiredIn(members: Members, key: string, flag: string): string {
  const value = textIn(members, key);
  if (value === '') throw new Error(`connection.json: ${key} is missing, and ${flag} is true`);
  return value;
}

function certificateIn(members: Members, key: string, flag: string): string {
  const pem = requiredIn(members, key, flag);
  try {
    // Certificates after the first one are kept as they are.
    if (new X509Certificate(pem).raw.length > 0) return pem;
  } catch {
    // Reported below.
  }
  throw new Error(`connection.json: ${key} is not a PEM certificate`);
}

function clientIn(members: Members): { readonly cert: string; readonly key: string } {
  const key = requiredIn(members, 'client_key', 'client_auth_required');
  const cert = certificateIn(members, 'client_cert', 'client_auth_required');
  let belongs: boolean;
  try {
    belongs = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    throw new Error('connection.json: client_key is not a PEM private key without a passphrase');
  }
  if (!belongs) throw new Error('connection.json: client_key does not belong to client_cert');
  return { cert, key };
}
