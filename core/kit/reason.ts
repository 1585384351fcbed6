// Why a request to another service failed, in plain words.

import { parseForeignJson } from '../common/text/foreign-json.js';
import { describeSystemError } from '../common/text/system-error.js';
import { ExchangeErrors, type ExchangeResponse } from './exchange.js';
import { withoutSecrets, type Sent } from './sent-secrets.js';

/** Reasons for a server certificate that is not trusted. */
const UNTRUSTED = 'its certificate is not signed by a trusted CA';
const NOT_CONFIGURED = 'its certificate is not the configured one';

/** The error code for a server certificate other than the only trusted one. */
export const OTHER_CERTIFICATE = 'ERR_OTHER_CERTIFICATE';

const CLOSED = 'the connection was closed without a response';

const BY_CODE: ReadonlyMap<string, string> = new Map([
  ['ECONNRESET', CLOSED],
  ['EPIPE', CLOSED],
  [ExchangeErrors.keptConnectionClosed, CLOSED],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNTRUSTED],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNTRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNTRUSTED],
  [OTHER_CERTIFICATE, NOT_CONFIGURED],
  ['CERT_NOT_YET_VALID', 'its certificate is not yet valid'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is not valid for this host name'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'it requires a client certificate'],
  ['ERR_HTTP2_ERROR', 'the response is not valid HTTP/2'],
]);

/** TLS alerts for a rejected client certificate; some servers send them also when there is none. */
const BAD_CERTIFICATE = /alert (bad certificate|certificate expired|unknown ca|certificate unknown)/i;
/** The name of a TLS alert in a message of OpenSSL. */
const ALERT = /alert ([a-z ]+)/i;

const TLS_CODE = /^(?:EPROTO$|ERR_SSL_|ERR_TLS_|ERR_OTHER_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/;

/** Returns true if an error of Node.js is about TLS: one side does not accept the certificate of the other, or does not use TLS. */
export const isTlsError = (error: unknown): boolean =>
  TLS_CODE.test((error as NodeJS.ErrnoException).code ?? '');

const MAX_QUOTED = 200;
/** The part of a text that is read for a quotation, in UTF-16 units. */
const MAX_READ = 8 * 1024;

/**
 * Why a request failed.
 *
 * @param hasClientCertificate whether a client certificate is configured
 */
export function describeError(error: unknown, hasClientCertificate: boolean): string {
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  const known = BY_CODE.get(code);
  if (known !== undefined) return known;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return describeTls(message, hasClientCertificate);
  return code.startsWith('HPE_') ? 'the response is not HTTP' : quote(describeSystemError(error));
}

/** Why a request failed, with TLS options that may trust exactly one server certificate. */
export function describeFailure(
  error: unknown,
  {
    ca = '',
    certificate = '',
    cert = '',
  }: { readonly ca?: string; readonly certificate?: string; readonly cert?: string },
): string {
  const text = describeError(error, cert !== '');
  return text === UNTRUSTED && ca === '' && certificate !== '' ? NOT_CONFIGURED : text;
}

/** Why the TLS handshake failed, from the message of OpenSSL. */
function describeTls(message: string, hasClientCertificate: boolean): string {
  if (BAD_CERTIFICATE.test(message))
    return hasClientCertificate ? 'it rejected the client certificate' : 'it requires a client certificate';
  const alert = ALERT.exec(message)?.[1];
  return alert === undefined ? 'it does not use TLS' : `the TLS handshake failed: ${alert.trim()}`;
}

/** Members of JSON bodies that contain a reason. */
type Member = 'message' | 'error' | 'reason' | 'status';

/**
 * Describes a response other than `200`, without the secrets of its request.
 *
 * @param member the member of a JSON body with the reason; undefined: the whole body is the reason
 */
export function describeResponse(
  { status, body, sent }: Pick<ExchangeResponse, 'status' | 'body' | 'sent'>,
  member?: Member,
): string {
  return describeStatus(status, body.toString(), member, sent);
}

const NO_SECRETS: Sent = { path: '', headers: {} };

/**
 * Describes a response other than `200`.
 *
 * @param text its body
 * @param member the member of a JSON body with the reason; undefined: the whole body is the reason
 * @param sent its request, if it has secrets
 */
export function describeStatus(status: number, text: string, member?: Member, sent = NO_SECRETS): string {
  const reason = quote(withoutSecrets(member === undefined ? text : reasonIn(text, member), sent));
  return reason === '' ? `HTTP status ${status}` : `HTTP status ${status}: ${reason}`;
}

/** The member of a JSON object, or the whole text when it is not a JSON object. */
function reasonIn(text: string, member: Member): string {
  try {
    const { [member]: reason = '' } = parseForeignJson(text) as Record<typeof member, unknown>;
    return typeof reason === 'string' ? reason : '';
  } catch {
    return text;
  }
}

/** The start of a text, on one line. @param max its longest length, in UTF-16 units */
export function quote(text: string, max = MAX_QUOTED): string {
  const line = text
    .slice(0, MAX_READ)
    .replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim();
  return line.length > max ? `${line.slice(0, max)}…` : line;
}
