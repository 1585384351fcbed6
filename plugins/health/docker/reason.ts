// Why a ping failed, in plain words.

const UNTRUSTED = 'its certificate is not signed by a trusted CA';

const BY_CODE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file'],
  ['EACCES', 'permission denied'],
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'the connection was closed without a response'],
  ['EHOSTUNREACH', 'no route to host'],
  ['ENETUNREACH', 'network is unreachable'],
  ['ETIMEDOUT', 'connection timed out'],
  ['ENOTFOUND', 'no such host'],
  ['EAI_AGAIN', 'the host name lookup failed temporarily'],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNTRUSTED],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNTRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNTRUSTED],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is not valid for this host name'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'it requires a client certificate'],
]);

/** TLS alerts for a rejected client certificate; some engines send them also when there is none. */
const BAD_CERTIFICATE = /alert (bad certificate|certificate expired|unknown ca|certificate unknown)/i;
/** The name of a TLS alert in a message of OpenSSL. */
const ALERT = /alert ([a-z ]+)/i;

const MAX_QUOTED = 200;

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
  return code.startsWith('HPE_') ? 'the response is not HTTP' : quote(message);
}

/** Why the TLS handshake failed, from the message of OpenSSL. */
function describeTls(message: string, hasClientCertificate: boolean): string {
  if (BAD_CERTIFICATE.test(message))
    return hasClientCertificate ? 'it rejected the client certificate' : 'it requires a client certificate';
  const alert = ALERT.exec(message)?.[1];
  return alert === undefined ? 'it does not use TLS' : `the TLS handshake failed: ${alert.trim()}`;
}

/** Describes a response other than `200`; `text` is its body. */
export function describeStatus(status: number, text: string): string {
  const reason = quote(reasonIn(text));
  return reason === '' ? `HTTP status ${status}` : `HTTP status ${status}: ${reason}`;
}

/** The `message` of an error response of the engine API, or the whole text when it is not JSON. */
function reasonIn(text: string): string {
  try {
    const { message = '' } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : '';
  } catch {
    return text;
  }
}

/** The start of a text, on one line. */
export function quote(text: string): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ').trim();
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
}
