import type Docker from 'dockerode';
import { defineHealthChecker } from '../../../core/contract/index.js';
import { checkEndpoint, parseEndpoint } from './endpoint.js';
import { ping } from './ping.js';
import { describeError, quote } from './reason.js';
import { readTlsFiles, type TlsPaths } from './tls-files.js';

/** Checks that a Docker engine answers a ping. */
export default defineHealthChecker({
  name: 'docker',
  options: {
    endpoint: {
      format: checkEndpoint,
      default: 'unix:///var/run/docker.sock',
      doc: 'where the engine listens: unix:///path, tcp://host:port, http://host:port or https://host:port; empty: DOCKER_HOST and its relatives decide',
    },
    ca: {
      format: 'path',
      default: '',
      doc: 'PEM file of the authority that the certificate of the engine is from',
    },
    cert: { format: 'path', default: '', doc: 'PEM file of the client certificate' },
    key: { format: 'path', default: '', doc: 'PEM file of the key of the client certificate' },
    timeout: { format: 'duration', default: '5s', doc: 'how long a ping may take' },
  },
  create({ options: { endpoint, ca, cert, key, timeout } }) {
    let docker: Docker | undefined;

    return {
      init() {
        if ((cert === '') !== (key === ''))
          throw new Error('options.cert and options.key: both or none of them must be given');
      },

      async start() {
        docker = await connect(endpoint, { ca, cert, key });
      },

      async check(signal) {
        const client = docker;
        if (client === undefined) throw new Error('the checker is not started');
        const failed = `failed to connect to Docker daemon at ${endpoint === '' ? 'the endpoint of the environment' : endpoint}`;
        const answer = await ping(client, timeout, signal).catch((error: unknown) => {
          throw new Error(`${failed}: ${describeError(error, cert !== '')}`, { cause: error });
        });
        const text = quote(answer);
        if (text !== 'OK')
          throw new Error(
            `${failed}: a ping was answered with ${text === '' ? 'nothing' : `'${text}'`}, not with 'OK'`,
          );
      },

      stop() {
        docker = undefined;
      },
    };
  },
});

/** A client for the endpoint; for the empty one as the environment says. */
async function connect(endpoint: string, paths: TlsPaths): Promise<Docker> {
  const tls = await readTlsFiles(paths);
  const { default: DockerClient } = await import('dockerode');
  if (endpoint === '') return new DockerClient();
  const { socketPath, host, port, protocol } = parseEndpoint(
    endpoint,
    tls.ca !== undefined || tls.cert !== undefined,
  );
  return withoutDockerHost(() => new DockerClient({ socketPath, host, port, protocol, ...tls }));
}

/** dockerode fills gaps from DOCKER_HOST and its relatives, and throws when it does not understand them, whatever it is given. */
function withoutDockerHost<T>(create: () => T): T {
  const given = process.env.DOCKER_HOST;
  delete process.env.DOCKER_HOST;
  try {
    return create();
  } finally {
    if (given !== undefined) process.env.DOCKER_HOST = given;
  }
}
