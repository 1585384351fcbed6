import test from 'ava';
import { AGENT_PORT, describeRequestError, findAgent, readClientOptions } from '../../../core/cli/client.js';
import { loadSettings } from '../../../config/index.js';
import { startAgent } from '../../helpers/agent.js';
import { freePort } from '../../helpers/free-port.js';
import { QUIET } from '../../helpers/quiet-backend.js';
import { send, startStandInNode } from '../../helpers/stand-in-node.js';

const options = (isGiven: boolean) => ({
  url: new URL('http://127.0.0.1:1/'),
  isGiven,
  timeout: 300_000,
  tls: {},
});

test('an agent on the port of start --node is found, unless a flag names its address', async (t) => {
  const { port, url } = await startAgent(t, { plugins: QUIET });
  t.is((await findAgent(options(false), port)).url.href, `${url}/`);
  t.is((await findAgent(options(true), port)).url.href, 'http://127.0.0.1:1/');
});

test('a node on that port, or nothing, is not the agent', async (t) => {
  const node = await startStandInNode(t);
  node.override = (_, response) => send(response, 404);
  for (const port of [Number(new URL(node.url).port), await freePort()])
    t.is((await findAgent(options(false), port)).url.href, 'http://127.0.0.1:1/');
});

test('the port is the default port of start --node', (t) => {
  const file = new URL('../../../../config/peer.yaml', import.meta.url).pathname;
  const monitoring = loadSettings({ files: [], nodes: [file], flags: [], environment: {}, cwd: '/' });
  t.is(monitoring.settings.operations.listenAddress.port, AGENT_PORT);
});

test('flags and variables say where the agent is', (t) => {
  const isGiven = (
    values: { readonly url?: string; readonly set?: string[] },
    environment: Readonly<Record<string, string>> = {},
  ): boolean =>
    readClientOptions(
      { timeout: '5s', ...values },
      { environment, cwd: '/' } as Parameters<typeof readClientOptions>[1],
      '/',
    ).isGiven;
  t.false(isGiven({}));
  t.true(isGiven({ url: 'http://127.0.0.1:1' }));
  t.true(isGiven({ set: ['operations.listenAddress=:1'] }));
  t.true(isGiven({}, { FABRIC_OPS_AGENT_OPERATIONS_LISTENADDRESS: ':1' }));
});

const CLOSED = 'the connection was closed without a response';
for (const [code, message, protocol, reason] of [
  ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1', 'http', 'connection refused'],
  ['ECONNRESET', 'socket hang up', 'http', `${CLOSED}; if the agent uses TLS, use https://`],
  [
    'ECONNRESET',
    'socket hang up',
    'https',
    `${CLOSED}; the agent may require another client certificate, see --cert and --key`,
  ],
  [
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'alert',
    'https',
    'the agent requires a client certificate; set --cert and --key',
  ],
  ['EPROTO', 'wrong version number', 'https', 'the agent does not use TLS; use http://'],
  ['EPROTO', 'packet length too long', 'https', 'the agent does not use TLS; use http://'],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND a', 'https', 'getaddrinfo ENOTFOUND a'],
  [undefined, 'the response took longer than 5s', 'http', 'the response took longer than 5s'],
] as const)
  test(`a request over ${protocol} that failed with ${code ?? 'no code'} and '${message}': ${reason}`, (t) => {
    const error = Object.assign(new Error(message), code && { code });
    t.is(describeRequestError(error, new URL(`${protocol}://a:1/`)), reason);
  });
