import { defineHealthChecker } from '../../../core/contract/index.js';
import { describeError, describeStatus, quote } from '../../../core/common/client/reason.js';
import { Renewed } from '../../../core/common/client/renewed.js';
import {
  checkTlsClientPaths,
  readTlsClientFiles,
  type TlsClientPaths,
} from '../../../core/common/client/tls.js';
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
    const renewed = new Renewed([ca, cert, key], () => readTlsClientFiles(tlsPaths), log);

    return {
      init: () => checkTlsClientPaths(tlsPaths),

      start: () => void renewed.open(),

      async check(signal) {
        const tls = renewed.current();
        const failed = `failed to connect to Docker daemon at ${endpoint}`;
        const address = parseEndpoint(endpoint, tls.ca !== undefined || tls.cert !== undefined);
        const response = await ping(address, tls, timeout, signal).catch((error: unknown) => {
          throw new Error(`${failed}: ${describeError(error, cert !== '')}`, { cause: error });
        });
        const reason = reasonFor(response);
        if (reason !== undefined) throw new Error(`${failed}: ${reason}`);
      },

      stop: () => renewed.close(),
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
