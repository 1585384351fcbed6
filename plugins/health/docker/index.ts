import type Docker from 'dockerode';
import { defineHealthChecker, reasonOf } from '../../../core/contract/index.js';
import { checkTlsClientPaths, readTlsClientFiles, type TlsClientPaths } from '../../common/tls-files.js';
import { checkEndpoint, parseEndpoint } from './endpoint.js';
import { ping, type PingResponse } from './ping.js';
import { describeError, describeStatus, quote } from './reason.js';

/** Checks that a Docker engine responds to a ping with `OK`. */
export default defineHealthChecker({
  name: 'docker',
  options: {
    endpoint: {
      format: checkEndpoint,
      default: 'unix:///var/run/docker.sock',
      doc: 'address of the engine; empty: use DOCKER_HOST and related variables',
    },
    ca: { format: 'path', default: '', doc: 'PEM file with the CA of the engine certificate' },
    cert: { format: 'path', default: '', doc: 'PEM file with the client certificate' },
    key: { format: 'path', default: '', doc: 'PEM file with the private key of the client certificate' },
    timeout: { format: 'duration', default: '5s', doc: 'time limit for a ping' },
  },
  create({ options: { endpoint, ca, cert, key, timeout } }) {
    const tlsPaths: TlsClientPaths = { ca, cert, key };
    let docker: Docker | undefined;

    return {
      init: () => checkTlsClientPaths(tlsPaths),

      async start() {
        docker = await connect(endpoint, tlsPaths);
      },

      async check(signal) {
        if (docker === undefined) throw new Error('the checker is not started');
        const failed = `failed to connect to Docker daemon at ${endpoint === '' ? 'the endpoint of the environment' : endpoint}`;
        const response = await ping(docker, timeout, signal).catch((error: unknown) => {
          throw new Error(`${failed}: ${describeError(error, cert !== '')}`, { cause: error });
        });
        const reason = reasonFor(response);
        if (reason !== undefined) throw new Error(`${failed}: ${reason}`);
      },

      stop() {
        docker = undefined;
      },
    };
  },
});

/** What is wrong with the response to a ping. */
function reasonFor({ status, text }: PingResponse): string | undefined {
  if (status !== 200) return describeStatus(status, text);
  const found = quote(text);
  if (found === 'OK') return undefined;
  return `unexpected response to a ping: expected 'OK', found ${found === '' ? 'an empty body' : `'${found}'`}`;
}

/** Creates a client for the endpoint. */
async function connect(endpoint: string, paths: TlsClientPaths): Promise<Docker> {
  const tls = readTlsClientFiles(paths);
  const { default: DockerClient } = await import('dockerode');
  try {
    if (endpoint === '') return new DockerClient();
    const address = parseEndpoint(endpoint, tls.ca !== undefined || tls.cert !== undefined);
    return new DockerClient({ ...NOT_FROM_ENVIRONMENT, ...address, ...tls });
  } catch (error) {
    // dockerode reads these variables even when an endpoint is set, and throws when they are malformed.
    throw new Error(`DOCKER_HOST or a related variable is invalid: ${reasonOf(error)}`, { cause: error });
  }
}

/** Everything that dockerode would take from DOCKER_HOST and related variables if it were not passed. */
const NOT_FROM_ENVIRONMENT = {
  socketPath: undefined,
  host: undefined,
  port: undefined,
  protocol: 'http',
  username: undefined,
  pathPrefix: undefined,
  ca: undefined,
  cert: undefined,
  key: undefined,
  timeout: undefined,
} as const;
