// The names of the checks that a peer itself reports: with one monitored node they are the names in the peer.

import test, { type ExecutionContext } from 'ava';
import { startAgent } from '../../helpers/agent.js';
import { send, startStandInNode } from '../../helpers/stand-in-node.js';

const FAILED = [
  { component: 'couchdb', reason: 'no route' },
  { component: 'docker', reason: 'no such file' },
  { component: 'other', reason: 'why' },
];

/** Starts an agent that monitors nodes with failed checks. @param plugins further plugins */
async function startBeside(
  t: ExecutionContext,
  names: readonly string[],
  plugins: readonly object[] = [],
): Promise<string> {
  const node = await startStandInNode(t);
  node.override = ({ url }, response) =>
    url === '/healthz'
      ? send(response, 503, {}, JSON.stringify({ status: 'Service Unavailable', failed_checks: FAILED }))
      : send(response, 404);
  const address = new URL(node.url).host;
  const ofNodes = names.flatMap((name) => [
    { plugin: 'node', name, options: { address, kind: 'peer' } },
    { plugin: 'node-health', name, options: { address } },
  ]);
  const { url } = await startAgent(t, { plugins: [...ofNodes, ...plugins] });
  return url;
}

/** The names of the failed checks. */
async function failedIn(url: string): Promise<readonly string[]> {
  const { failed_checks: failed = [] } = (await (await fetch(url)).json()) as {
    failed_checks?: readonly { readonly component: string }[];
  };
  return failed.map(({ component }) => component);
}

for (const [path, failed] of [
  ['/healthz', ['couchdb', 'docker', 'peer0/other']],
  ['/readyz', ['couchdb', 'docker', 'peer0/other']],
  ['/healthz/docker', ['docker']],
  ['/healthz/peer0/docker', ['docker']],
  ['/healthz/couchdb', ['couchdb']],
  ['/healthz/peer0', ['couchdb', 'docker', 'peer0/other']],
  ['/healthz?exclude=docker', ['couchdb', 'peer0/other']],
  ['/healthz?exclude=peer0/docker&exclude=couchdb', ['peer0/other']],
] as const)
  test(`with one peer ${path} names the failed checks ${failed.join(', ')}`, async (t) => {
    t.deepEqual(await failedIn((await startBeside(t, ['peer0'])) + path), failed);
  });

test('with one peer verbose lists its checks by their names in the peer', async (t) => {
  const url = await startBeside(t, ['peer0']);
  const text = await (await fetch(`${url}/healthz?verbose&exclude=docker&exclude=other`)).text();
  t.is(
    text,
    `[+]channels ok
[-]couchdb failed: no route
[+]docker excluded: ok
[-]peer0/other failed: why
warn: some health checks cannot be excluded: no matches for "other"
healthz check failed
`,
  );
});

test('with two peers the name of each check begins with the name of its peer', async (t) => {
  const url = await startBeside(t, ['peer0', 'peer1']);
  t.deepEqual(await failedIn(`${url}/healthz/peer1`), ['peer1/couchdb', 'peer1/docker', 'peer1/other']);
  t.is((await fetch(`${url}/healthz/docker`)).status, 404);
});

test('a component of the agent keeps its name beside a check of the peer with the same name', async (t) => {
  const checker = { plugin: 'docker', options: { endpoint: 'unix:///no-such-directory/docker.sock' } };
  const url = await startBeside(t, ['peer0'], [checker]);
  t.deepEqual(await failedIn(`${url}/healthz`), ['couchdb', 'docker', 'peer0/docker', 'peer0/other']);
  t.deepEqual(await failedIn(`${url}/healthz/docker`), ['docker']);
});

test('without a monitored node the name docker is unknown', async (t) => {
  const { url } = await startAgent(t);
  t.is((await fetch(`${url}/healthz/docker`)).status, 404);
});
