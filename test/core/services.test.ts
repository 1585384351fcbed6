// What connects the parts of an agent: a restarted node is an event, with the versions before and after it.

import test from 'ava';
import { startAgent } from '../helpers/agent.js';
import { declareSource, FakeSource } from '../helpers/fake-source.js';
import { fetchEndpoint, startStandInNode } from '../helpers/stand-in-node.js';
import { until } from '../helpers/until.js';

/** The events that a new listener receives, until the state. */
async function eventsOf(url: string): Promise<string> {
  const stopping = new AbortController();
  const response = await fetch(`${url}/events`, { signal: stopping.signal });
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes('event: state')) break;
  }
  stopping.abort();
  return text;
}

test('the restart of a node with another version is an event that names both; its first reading is none', async (t) => {
  const node = await startStandInNode(t);
  const source = new FakeSource(fetchEndpoint(node.url));
  source.reading = { startTime: 1_700_000_000, families: [] };
  const { url } = await startAgent(t, { plugins: [declareSource(t, source, 'peer0')] });
  node.version = 'v2.5.16';
  await until(async () => {
    await fetch(`${url}/nodes`);
    const { nodes } = (await (await fetch(`${url}/nodes`)).json()) as { nodes: { version?: string }[] };
    return nodes[0]?.version === 'v2.5.16';
  });
  t.false((await eventsOf(url)).includes('has restarted'));
  node.version = 'v3.1.5';
  source.reading = { startTime: 1_700_000_100, families: [] };
  let events = '';
  await until(async () => {
    await fetch(`${url}/nodes`);
    events = await eventsOf(url);
    return events.includes('has restarted');
  });
  t.true(events.includes('"reason":"the process has restarted: v2.5.16 → v3.1.5"'), events);
});
