// A node that is frozen (SIGSTOP) among six: it is reported within 10 s everywhere, and the others are not affected.

import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { runProgram } from '../helpers/program.js';
import { check, eventually } from './daemon.js';
import { startBeside } from './fabric/agent.js';
import { failedChecks, send } from './fabric/endpoint.js';
import { startNetwork } from './fabric/network.js';
import { job, preparePrometheus } from './prometheus.js';

/** In which a frozen node must be reported, in milliseconds. */
const REPORTED = 10_000;
/** Several scrapes. */
const FROZEN = 25_000;

test('a frozen node among six costs no scrape, is reported everywhere within 10 s, and recovers', async (t) => {
  t.timeout(180_000);
  const network = await startNetwork(t, { organisations: 5 });
  const agent = await startBeside(t, [...network.peers, network.orderers[0]]);
  const prometheus = await preparePrometheus(t, [job('fabric-ops-agent', agent.url)], { interval: '5s' });
  await prometheus.start();
  const height = (node: string): Promise<string | undefined> =>
    prometheus.query(`ledger_blockchain_height{node="${node}"}`);
  await eventually(async () => check((await height('peer2')) === '1', 'peer2 is not scraped'));

  const [, frozen] = network.peers;
  frozen!.pause();
  const start = performance.now();
  await sleep(REPORTED);
  t.deepEqual(Object.keys((await failedChecks(agent)).failed), ['peer2']);
  t.is((await send(agent, '/readyz')).status, 200);
  const { nodes } = JSON.parse((await send(agent, '/nodes')).body) as {
    nodes: { name: string; up: boolean; healthy: boolean }[];
  };
  t.deepEqual(
    nodes.filter(({ up, healthy }) => !up || !healthy).map(({ name }) => name),
    ['peer2'],
  );
  t.regex((await runProgram(t, ['status', '--url', agent.url])).stdout, /^peer2 +peer +silent /m);

  await sleep(FROZEN - (performance.now() - start));
  t.is(await prometheus.query('min_over_time(up{job="fabric-ops-agent"}[25s])'), '1');
  t.is(await prometheus.query('fabric_ops_agent_source_up{node="peer2"}'), '0');
  t.is(await height('peer2'), undefined);
  const scrapes = 'count_over_time(up{job="fabric-ops-agent"}[25s])';
  const missed = `${scrapes} - ignoring (node, channel) count_over_time(ledger_blockchain_height{node="peer1"}[25s])`;
  t.is(await prometheus.query(missed), '0');

  frozen!.resume();
  await eventually(async () => {
    check((await height('peer2')) === '1', 'peer2 is not scraped');
    check((await failedChecks(agent)).status === 200, '/healthz is not 200');
  });
});

test('a frozen orderer is reported by /nodes within 10 s as well, although several checks ask it', async (t) => {
  const network = await startNetwork(t);
  const [orderer] = network.orderers;
  const agent = await startBeside(t, [...network.peers, orderer]);
  const isUp = async (): Promise<boolean> => {
    const { nodes } = JSON.parse((await send(agent, '/nodes')).body) as {
      nodes: { kind: string; up: boolean }[];
    };
    return nodes.some(({ kind, up }) => kind === 'orderer' && up);
  };
  await eventually(async () => check(await isUp(), 'the orderer is not read'));

  orderer.pause();
  const start = performance.now();
  // Asked again and again, as `status --watch` does: what matters is when a response says so, not when the request was sent.
  while (await isUp()) await sleep(500);
  const elapsed = performance.now() - start;
  t.log(`after ${(elapsed / 1000).toFixed(1)} s`);
  t.true(elapsed < REPORTED, `after ${elapsed} ms`);
  orderer.resume();
  await eventually(async () => check(await isUp(), 'the orderer is not up'));
});
