import { defineHealthChecker, reasonOf } from '../../../core/contract/index.js';
import { describeError, describeStatus, quote } from '../../common/reason.js';
import {
  checkTlsClientPaths,
  readTlsClientFiles,
  TLS_FILES_READ,
  TLS_FILES_UNUSABLE,
  type TlsClientFiles,
  type TlsClientPaths,
  versionsOf,
} from '../../common/tls-files.js';
import { checkEndpoint, parseEndpoint } from './endpoint.js';
import { ping, type PingResponse } from './ping.js';

/** Checks that a Docker engine responds to a ping with `OK`. */
export default defineHealthChecker({
  name: 'docker',
  options: {
    endpoint: {
      format: checkEndpoint,
      default: 'unix:///var/run/docker.sock',
      doc: 'address of the engine',
    },
    ca: { format: 'path', default: '', doc: 'PEM file with the CA of the engine certificate' },
    cert: { format: 'path', default: '', doc: 'PEM file with the client certificate' },
    key: { format: 'path', default: '', doc: 'PEM file with the private key of the client certificate' },
    timeout: { format: 'duration', default: '5s', doc: 'time limit for a ping' },
  },
  create({ options: { endpoint, ca, cert, key, timeout }, log }) {
    const tlsPaths: TlsClientPaths = { ca, cert, key };
    let tls: TlsClientFiles | undefined;
    let versions = '';

    /** A renewed certificate is used without a restart. */
    const renew = (): void => {
      const found = versionsOf([ca, cert, key]);
      if (found === versions) return;
      versions = found;
      try {
        tls = readTlsClientFiles(tlsPaths);
        log.info(TLS_FILES_READ);
      } catch (error) {
        log.warn(`${TLS_FILES_UNUSABLE}: ${reasonOf(error)}`);
      }
    };

    return {
      init: () => checkTlsClientPaths(tlsPaths),

      start() {
        versions = versionsOf([ca, cert, key]);
        tls = readTlsClientFiles(tlsPaths);
      },

      async check(signal) {
        if (tls !== undefined) renew();
        if (tls === undefined) throw new Error('the checker is not started');
        const failed = `failed to connect to Docker daemon at ${endpoint}`;
        const address = parseEndpoint(endpoint, tls.ca !== undefined || tls.cert !== undefined);
        const response = await ping(address, tls, timeout, signal).catch((error: unknown) => {
          throw new Error(`${failed}: ${describeError(error, cert !== '')}`, { cause: error });
        });
        const reason = reasonFor(response);
        if (reason !== undefined) throw new Error(`${failed}: ${reason}`);
      },

      stop() {
        tls = undefined;
      },
    };
  },
});

/** What is wrong with the response to a ping. */
function reasonFor({ status, text }: PingResponse): string | undefined {
  if (status !== 200) return describeStatus(status, text, 'message');
  const found = quote(text);
  if (found === 'OK') return undefined;
  return `unexpected response to a ping: expected 'OK', found ${found === '' ? 'an empty body' : `'${found}'`}`;
}
