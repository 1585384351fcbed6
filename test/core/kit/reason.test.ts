// Reasons for failed requests.

import test from 'ava';
import { describeError, describeFailure, describeStatus, quote } from '../../../core/kit/reason.js';

const UNTRUSTED = 'its certificate is not signed by a trusted CA';
const NOT_CONFIGURED = 'its certificate is not the configured one';
const CLOSED = 'the connection was closed without a response';

const errorOf = (code: string, message = 'words of Node'): Error =>
  Object.assign(new Error(message), { code });

for (const [code, reason] of [
  ['ECONNRESET', CLOSED],
  ['EPIPE', CLOSED],
  ['ERR_KEPT_CONNECTION_CLOSED', CLOSED],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNTRUSTED],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNTRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNTRUSTED],
  ['ERR_OTHER_CERTIFICATE', NOT_CONFIGURED],
  ['CERT_NOT_YET_VALID', 'its certificate is not yet valid'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is not valid for this host name'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'it requires a client certificate'],
  ['ERR_HTTP2_ERROR', 'the response is not valid HTTP/2'],
  ['HPE_INVALID_CONSTANT', 'the response is not HTTP'],
  ['EPROTO', 'it does not use TLS'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not use TLS'],
  ['ECONNREFUSED', 'connection refused'],
  ['OTHER', 'words of Node'],
] as const)
  test(`the error ${code} means: ${reason}`, (t) => {
    t.is(describeError(errorOf(code), false), reason);
  });

for (const alert of ['bad certificate', 'certificate expired', 'unknown ca', 'certificate unknown'])
  test(`the TLS alert ${alert} depends on whether there is a client certificate`, (t) => {
    const error = errorOf('ERR_SSL_X', `error:0A000412:SSL routines::ssl/tls alert ${alert}`);
    t.is(describeError(error, false), 'it requires a client certificate');
    t.is(describeError(error, true), 'it rejected the client certificate');
  });

test('another TLS alert is named', (t) => {
  const error = errorOf('EPROTO', 'SSL routines:ssl3_read_bytes:tlsv1 alert protocol version:ssl/record.c');
  t.is(describeError(error, true), 'the TLS handshake failed: protocol version');
});

test('a text that was thrown is the reason', (t) => {
  t.is(describeError('why', false), 'why');
});

for (const [options, reason] of [
  [{}, UNTRUSTED],
  [{ ca: '/ca.pem' }, UNTRUSTED],
  [{ certificate: '/s.pem' }, NOT_CONFIGURED],
  [{ ca: '/ca.pem', certificate: '/s.pem' }, UNTRUSTED],
] as const)
  test(`a server certificate that is not trusted, with ${JSON.stringify(options)}: ${reason}`, (t) => {
    t.is(describeFailure(errorOf('SELF_SIGNED_CERT_IN_CHAIN'), options), reason);
  });

test('a client certificate that is configured was rejected', (t) => {
  const error = errorOf('ERR_SSL_X', 'alert unknown ca');
  t.is(describeFailure(error, { cert: '/c.pem' }), 'it rejected the client certificate');
  t.is(describeFailure(error, {}), 'it requires a client certificate');
});

for (const [text, member, reason] of [
  ['', undefined, 'HTTP status 500'],
  [' \n ', undefined, 'HTTP status 500'],
  ['why\nso', undefined, 'HTTP status 500: why so'],
  ['{"error":"why"}', 'error', 'HTTP status 500: why'],
  ['{"error":"why"}', undefined, 'HTTP status 500: {"error":"why"}'],
  ['{"error":7}', 'error', 'HTTP status 500'],
  ['{"message":"why"}', 'error', 'HTTP status 500'],
  ['not JSON', 'error', 'HTTP status 500: not JSON'],
  ['null', 'error', 'HTTP status 500: null'],
] as const)
  test(`a response 500 with ${JSON.stringify(text)} is described by its member ${member}: ${reason}`, (t) => {
    t.is(describeStatus(500, text, member), reason);
  });

for (const [text, max, quoted] of [
  ['x'.repeat(200), undefined, 'x'.repeat(200)],
  ['x'.repeat(201), undefined, `${'x'.repeat(200)}…`],
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc…'],
  [' a\r\n\tb\u0000\u007fc ', undefined, 'a b c'],
] as const)
  test(`${text.length} characters are quoted as ${quoted.length}: ${quoted.slice(0, 10)}`, (t) => {
    t.is(quote(text, max), quoted);
  });
