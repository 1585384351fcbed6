import { readFile } from 'node:fs/promises';
import type Docker from 'dockerode';
import { defineHealthChecker } from '../../../core/contract/index.js';
import { checkEndpoint, parseEndpoint } from './endpoint.js';
import { describeError, quote } from './reason.js';

/** dockerode's ping takes a signal that its types do not mention. */
type Ping = (options: { abortSignal: AbortSignal }) => Promise<Buffer>;

/** Checks that a Docker engine answers a ping. */
export default defineHealthChecker({
  name: 'docker',
  options: {
    endpoint: {
      format: checkEndpoint,
      default: 'unix:///var/run/docker.sock',
      doc: 'where the engine listens: unix:///path, tcp://host:port, http://host:port or https://host:port; empty: DOCKER_HOST decides',
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
        const text = answer.toString('utf8');
        if (text !== 'OK')
          throw new Error(
            `${failed}: a ping was answered with ${text === '' ? 'nothing' : `'${quote(text)}'`}, not with 'OK'`,
          );
      },

      stop() {
        docker = undefined;
      },
    };
  },
});

/** Every part is given, be it as undefined: dockerode would fill the gaps from DOCKER_HOST and its relatives. */
async function connect(endpoint: string, files: { ca: string; cert: string; key: string }): Promise<Docker> {
  const { default: DockerClient } = await import('dockerode');
  if (endpoint === '') return new DockerClient();
  const { socketPath, host, port, protocol } = parseEndpoint(endpoint, files.ca !== '' || files.cert !== '');
  const read = async (file: string): Promise<Buffer | undefined> =>
    file === '' ? undefined : readFile(file);
  const [ca, cert, key] = await Promise.all([read(files.ca), read(files.cert), read(files.key)]);
  return new DockerClient({ socketPath, host, port, protocol, ca, cert, key });
}

/** A ping with a deadline of its own: an answer cut off after its header would otherwise never come to an end. */
async function ping(docker: Docker, timeout: number, signal: AbortSignal): Promise<Buffer> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      abort.abort();
      reject(new Error(`no answer within ${timeout / 1000}s`));
    }, timeout);
  });
  try {
    return await Promise.race([
      (docker.ping as unknown as Ping).call(docker, { abortSignal: AbortSignal.any([signal, abort.signal]) }),
      late,
    ]);
  } finally {
    clearTimeout(timer);
    // Also ends what an answer that was cut off has left open.
    abort.abort();
  }
}
