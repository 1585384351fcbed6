// The command `demo`: the page of the agent with recorded incidents.

import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { answersOf } from '../../../core/status/answer/index.js';
import { readStatus } from '../../../core/status/read.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { pageState } from '../../helpers/page-states.js';
import { startProgram } from '../../helpers/program.js';

async function startDemo(t: ExecutionContext) {
  const cwd = temporaryFolder(t);
  const program = startProgram(t, ['demo'], { cwd });
  const [printed] = (await once(program.child.stdout!, 'data')) as [Buffer];
  const [, url] = /^recorded incidents: (http:\/\/127\.0\.0\.1:\d+)\/\nCtrl\+C ends the demo\n$/.exec(
    printed.toString(),
  )!;
  return { cwd, program, url: url! };
}

/** The links of the page at a URL to incidents. */
async function incidentsOf(url: string): Promise<readonly string[]> {
  const html = await (await fetch(url)).text();
  return [...new Set([...html.matchAll(/href="(\/[a-z-]+\/)"/g)].map(([, path = '']) => path))];
}

/** The first state of a stream. */
async function stateOf(url: string): Promise<ReturnType<typeof readStatus>> {
  const reader = (await fetch(`${url}events`)).body!.getReader();
  let text = '';
  for (;;) {
    const [, data] = /^event: state\ndata: (.*)\n\n/m.exec(text) ?? [];
    if (data !== undefined) {
      await reader.cancel();
      return readStatus(data);
    }
    text += new TextDecoder().decode((await reader.read()).value);
  }
}

test('the demo begins with the first incident, and the incidents follow each other in a circle', async (t) => {
  const { url } = await startDemo(t);
  const response = await fetch(`${url}/`);
  const first = new URL(response.url).pathname;
  const seen: string[] = [];
  for (let path = first; !seen.includes(path);) {
    seen.push(path);
    const next = (await fetch(`${url}${path}`)).headers.get('refresh') ?? '';
    t.regex(next, /^15; url=\/tour\/[a-z-]+\/$/);
    path = next.replace('15; url=', '');
  }
  t.deepEqual(
    seen.map((path) => path.replace('/tour', '')),
    await incidentsOf(`${url}/`),
  );
});

test('an incident that is chosen stays, and its state is the recorded one at the present time', async (t) => {
  const { url } = await startDemo(t);
  const before = Date.now();
  const response = await fetch(`${url}/quorum-lost/`);
  t.is(response.headers.get('refresh'), null);
  t.true((await response.text()).includes('<strong>Recorded incidents of a test network.</strong>'));
  const state = await stateOf(`${url}/quorum-lost/`);
  const { document, now } = pageState('quorum-lost');
  const ahead = Date.parse(state.problems[0]!.since) - Date.parse(document.problems[0]!.since);
  t.true(now + ahead >= before);
  t.is(Date.parse(state.agent.started_at) - Date.parse(document.agent.started_at), ahead);
  t.is(
    answersOf(state, { now: Date.parse(state.time) }).first.sentence,
    'ch1 has stopped: orderer2 and orderer3 are down',
  );
});

test('nothing can be changed in the demo, and it writes no file', async (t) => {
  const { url, cwd, program } = await startDemo(t);
  const response = await fetch(`${url}/quorum-lost/nodes/peer1/logspec?for=1m`, {
    method: 'PUT',
    body: '{}',
  });
  t.is(response.status, 403);
  t.deepEqual(await response.json(), { error: 'this is a recorded incident: nothing can be changed' });
  program.child.kill('SIGINT');
  const { status, stderr } = await program.ended;
  t.deepEqual([status, stderr, readdirSync(cwd)], [0, '', []]);
});

test('the demo has the channel page, too', async (t) => {
  const { url } = await startDemo(t);
  t.true((await (await fetch(`${url}/channel`)).text()).includes('<channel-page></channel-page>'));
});

test('the demo has a state for each of its incidents', async (t) => {
  const { url } = await startDemo(t);
  for (const path of await incidentsOf(`${url}/`)) {
    const state = await stateOf(`${url}${path}`);
    t.true(state.nodes.length > 0, path);
  }
});
