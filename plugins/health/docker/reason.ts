// Why an engine could not be reached, in words an operator understands.

const BY_CODE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file'],
  ['EACCES', 'permission denied'],
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'it closed the connection without an answer'],
  ['EHOSTUNREACH', 'no route to the host'],
  ['ENETUNREACH', 'the network cannot be reached'],
  ['ETIMEDOUT', 'the connection was not made in time'],
  ['ENOTFOUND', 'no such host'],
  ['EAI_AGAIN', 'the host name cannot be looked up now'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is not from a trusted authority'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not from a trusted authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is not from a trusted authority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate is not from a trusted authority'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'it wants a client certificate'],
]);

/** What an engine says to a client certificate it does not like; engines say the same when there is none. */
const BAD_CERTIFICATE = /alert (bad certificate|certificate expired|unknown ca|certificate unknown)/i;
/** The name that OpenSSL gives to what an engine says while TLS is being set up. */
const ALERT = /alert ([a-z ]+)/i;

const MAX_QUOTED = 200;

/** What a ping rejects with. */
interface PingError {
  readonly code?: string;
  readonly message?: string;
  readonly statusCode?: number;
  readonly json?: string;
}

/**
 * The reason in an error of a ping.
 *
 * @param hasClientCertificate whether the engine was shown one
 */
export function describeError(error: unknown, hasClientCertificate: boolean): string {
  const { code, message = String(error), statusCode, json } = error as PingError;
  if (statusCode !== undefined) {
    const said = textOf(json);
    return `it answered ${statusCode}${said.trim() === '' ? '' : `: ${quote(said)}`}`;
  }
  const known = BY_CODE.get(code ?? '');
  if (known !== undefined) return known;
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL_') === true)
    return describeTls(message, hasClientCertificate);
  return code?.startsWith('HPE_') === true ? 'it does not speak HTTP' : quote(message);
}

/** Why TLS could not be set up, from the message of OpenSSL. */
function describeTls(message: string, hasClientCertificate: boolean): string {
  if (BAD_CERTIFICATE.test(message))
    return hasClientCertificate
      ? 'it does not accept the client certificate'
      : 'it wants a client certificate';
  const alert = ALERT.exec(message)?.[1];
  return alert === undefined
    ? 'it does not speak TLS'
    : `it refused to speak TLS with this client: ${alert.trim()}`;
}

/** What an engine said with an error: its message, or the text of the body. */
function textOf(json: PingError['json']): string {
  if (typeof json !== 'string') return '';
  try {
    const { message = '' } = JSON.parse(json) as { message?: unknown };
    return typeof message === 'string' ? message : '';
  } catch {
    return json;
  }
}

/** Part of what an engine said, on one line. */
export function quote(text: string): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ').trim();
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
}
