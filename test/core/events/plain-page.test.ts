// The page of the agent for browsers without JavaScript.

import test from 'ava';
import { plainPage } from '../../../core/events/plain-page.js';
import { answersOf } from '../../../core/status/answer/index.js';
import { pageState, STATES } from '../../helpers/page-states.js';

for (const name of STATES)
  test(`the page without JavaScript has the answer, each channel and each node: ${name}`, (t) => {
    const { document, now } = pageState(name);
    const html = plainPage(document, now);
    const { first } = answersOf(document, { now, zone: 'UTC' });
    t.true(html.includes(`<h2>${first.sentence}</h2>`));
    for (const { text } of first.steps) t.true(html.includes(text), text);
    for (const each of [...document.channels, ...document.nodes])
      t.true(html.includes(`<strong>${each.name}</strong>`), each.name);
  });

test('texts of nodes and of other agents are never markup', (t) => {
  const { document, now } = pageState('quorum-lost');
  const evil = `<img src=x onerror="a('b')">&\u{202e}`;
  const text = JSON.stringify(document).replaceAll(/orderer2|ch1/g, JSON.stringify(evil).slice(1, -1));
  const agents = [
    { name: evil, url: evil, reachable: false, since: '', reason: evil, nodes: [], channels: [] },
  ];
  const html = plainPage({ ...(JSON.parse(text) as typeof document), agents }, now);
  t.false(html.includes('<img'));
  t.true(html.includes('&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;\\u202e'));
});

test('the page without JavaScript has the other hosts and their faults', (t) => {
  const { document, now } = pageState('healthy');
  const host = { name: 'host2', url: 'https://host2:9543', since: '', nodes: [], channels: [] };
  const agents = [
    { ...host, reachable: true, healthy: true },
    { ...host, reachable: true, channels: [{ name: 'trade', verdict: 'stopped' }] },
    { ...host, reachable: false, reason: 'connection refused' },
  ];
  const html = plainPage({ ...document, agents }, now);
  const states = [...html.matchAll(/<strong>host2<\/strong> (.*?) · https:\/\/host2:9543<\/li>/g)];
  t.deepEqual(
    states.map(([, state]) => state),
    ['no fault reported', 'trade has stopped', 'not reachable: connection refused'],
  );
});
