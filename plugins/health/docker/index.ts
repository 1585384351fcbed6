import { CheckWarning } from '../../../core/contract/index.js';
import { defineNodeChecker, type ForAgent, type WithOrigin } from '../../../core/contract/internal/index.js';
import {
  checkClientCertificate,
  describeError,
  describeStatus,
  quote,
  ReloadingTls,
} from '../../../core/kit/index.js';
import { readTlsFiles } from '../../../core/kit/internal/index.js';
import { checkEndpoint } from './endpoint.js';
import { Engine, type EngineResponse } from './engine.js';
import { EngineVersion } from './version.js';

/** The codes of a socket that does not exist, and of an address where no process listens. */
const ABSENT = new Set(['ENOENT', 'ECONNREFUSED']);

/** The engine in the configuration of a peer. */
const forAgent: ForAgent = (agent) => {
  const key = 'vm.endpoint';
  const endpoint = agent.get(key);
  if (endpoint.value === '') return undefined;
  if (agent.get('vm.docker.tls.enabled').value !== true) return { key, options: { endpoint } };
  const file = (name: string): WithOrigin<unknown> => agent.get(`vm.docker.tls.${name}.file`);
  const files = { ca: file('ca'), cert: file('cert'), key: file('key') };
  const hasFiles = `${String(files.ca.value)}${String(files.cert.value)}` !== '';
  return { key, options: { endpoint: hasFiles ? endpoint : withTlsScheme(endpoint), ...files } };
};

/** With TLS enabled but no files set, only the scheme of the endpoint can enable TLS in the plugin. */
const withTlsScheme = ({ value, origin }: WithOrigin<unknown>): WithOrigin<unknown> => ({
  value: String(value).replace(/^(tcp|http):/, 'https:'),
  origin,
});

/**
 * Checks that a Docker engine responds to a ping with `OK`. Without an endpoint nobody reports that this host has an engine: until one has
 * responded, its absence is a warning.
 */
export default defineNodeChecker({
  name: 'docker',
  headlines: {
    failed: 'The agent cannot use the Docker engine',
    warning: 'The agent cannot use the Docker engine',
  },
  forAgent,
  options: {
    endpoint: {
      format: checkEndpoint,
      default: '',
      doc: 'address of the engine; empty: `DOCKER_HOST`, or else `unix:///var/run/docker.sock`',
    },
    ca: { format: 'path', default: '', doc: 'PEM file with the CA of the engine certificate' },
    cert: { format: 'path', default: '', doc: 'PEM file with the client certificate' },
    key: { format: 'path', default: '', doc: 'PEM file with the private key of the client certificate' },
    timeout: { format: 'duration', default: '5s', doc: 'time limit for a ping' },
  },
  create({ name, options, log, metrics, facts }) {
    const { endpoint, ca, cert, key, timeout } = options;
    const renewed = new ReloadingTls([ca, cert, key], () => readTlsFiles(options), log);
    const version = new EngineVersion(name, metrics, log, (found) =>
      facts.publish('engine', { version: found }),
    );
    let engine: Engine | undefined;
    let address = '';
    let isExpected = endpoint !== '';
    let stopping = new AbortController();

    return {
      init() {
        checkClientCertificate(options);
        if (endpoint === '' && `${ca}${cert}` !== '')
          throw new Error('options.ca, options.cert and options.key need options.endpoint');
      },

      async start() {
        renewed.open();
        stopping = new AbortController();
        const { default: create } = await import('dockerode');
        engine = new Engine(endpoint, timeout, create);
        address = await engine.address();
      },

      async check(signal) {
        const tls = await renewed.current();
        const running = engine;
        if (running === undefined) throw new Error('the checker is not started');
        const failed = `failed to connect to Docker daemon at ${address}`;
        const response = await running.ping(tls, signal).catch((error: unknown) => {
          version.expire();
          const reason = `${failed}: ${describeError(error, cert !== '')}`;
          if (isExpected || !ABSENT.has((error as NodeJS.ErrnoException).code ?? ''))
            throw new Error(reason, { cause: error });
          throw new CheckWarning(`${reason}; no engine has run there since the start of the agent`);
        });
        isExpected = true;
        const reason = reasonFor(response);
        if (reason !== undefined) throw new Error(`${failed}: ${reason}`);
        void version.refresh(() => running.version(tls, stopping.signal));
      },

      stop() {
        stopping.abort(new Error('the checker is stopped'));
        renewed.close();
      },
    };
  },
});

/** The failure in the response to a ping; undefined if there is none. */
function reasonFor({ status, text }: EngineResponse): string | undefined {
  if (status !== 200) return describeStatus(status, text, 'message');
  const found = quote(text);
  if (found === 'OK') return undefined;
  return `unexpected response to a ping: expected 'OK', found ${found === '' ? 'an empty body' : `'${found}'`}`;
}
