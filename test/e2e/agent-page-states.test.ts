// What the page of the agent says about real faults of a real network: one after the other. `REWRITE_SAMPLES=1` records the states for
// test/core/page.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { answersOf } from '../../core/status/answer/index.js';
import type { Problem, StatusDocument } from '../../core/status/document.js';
import { readEvent, readStatus } from '../../core/status/read.js';
import { recordState, type StateName } from '../helpers/page-states.js';
import { temporaryFolder } from '../helpers/folder.js';
import { freePorts } from '../helpers/free-port.js';
import { startProgram, urlOf } from '../helpers/program.js';
import { check, eventually } from './daemon.js';
import { startBeside } from './fabric/agent.js';
import { startNetwork, type FabricNetwork } from './fabric/network.js';
import { CHANNEL, type Identity } from './fabric/network-files.js';
import { addBlock, startApproving } from './fabric/traffic.js';

/** The first state of `/events`, and the events before it, the newest first. */
async function readStream(
  url: string,
): Promise<{ readonly state: StatusDocument; readonly events: Problem[] }> {
  const response = await fetch(`${url}/events`);
  const events: Problem[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop()!;
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1] ?? '';
      if (/^event: event$/m.test(message)) events.unshift(readEvent(data));
      if (/^event: state$/m.test(message)) return { state: readStatus(data), events };
    }
  }
  throw new Error('/events ended before the first state');
}

const IS_RECORDING = process.env['REWRITE_SAMPLES'] === '1';
/** Least age of a recorded failure, in milliseconds: checks that follow take some time. */
const RECORDED_AFTER = 40_000;

const isOldEnough = ({ time, problems }: StatusDocument): boolean =>
  !IS_RECORDING ||
  problems.every(
    ({ since, component }) =>
      component.includes('/') ||
      Date.parse(since) < Date.parse(time) - (component === 'agent' ? 0 : RECORDED_AFTER),
  );

/** Waits until the page would say a sentence, and records the state. */
async function says(
  t: ExecutionContext,
  url: string,
  {
    name,
    sentence,
    texts,
    isReady = () => true,
  }: {
    readonly name: StateName;
    readonly sentence: string | RegExp;
    readonly texts: ReadonlyMap<string, string>;
    readonly isReady?: (state: StatusDocument) => boolean;
  },
): Promise<void> {
  const { state, events } = await eventually(async () => {
    const read = await readStream(url);
    const { first, others } = answersOf(read.state, { now: Date.parse(read.state.time), zone: 'UTC' });
    const found = [first, ...others].map((answer) => answer.sentence).join(' | ');
    check(
      typeof sentence === 'string' ? found === sentence : sentence.test(found),
      `the page says: ${found}`,
    );
    check(isReady(read.state) && isOldEnough(read.state), 'the state is not complete');
    return read;
  }, 90_000);
  t.pass(name);
  if (IS_RECORDING) recordState(name, state, events, texts);
}

test.serial(
  'the page names one cause for each fault of a network of three orderers and two peers',
  async (t) => {
    t.timeout(600_000);
    const network = await startNetwork(t, { orderers: 3, organisations: 2 });
    const [, second, third] = network.orderers;
    const [peer1, peer2] = network.peers;
    const agent = await startBeside(t, [...network.orderers, ...network.peers], { hasLogs: true });
    const { url } = agent;
    const texts = new Map([
      [network.directory, '/var/fabric'],
      [hostname(), 'host7'],
      ['channel1', 'ch1'],
    ]);
    const expect = (
      name: StateName,
      sentence: string | RegExp,
      isReady?: (state: StatusDocument) => boolean,
    ): Promise<void> => says(t, url, { name, sentence, texts, ...(isReady && { isReady }) });
    const isHealthy = ({ problems, channels, certificates }: StatusDocument): boolean =>
      problems.length === 0 &&
      channels.every(({ may_fail: mayFail }) => mayFail === 1) &&
      certificates.length > 10;

    await addBlock(network);
    await expect('healthy', 'channel1 works', isHealthy);
    if (IS_RECORDING) {
      await orderFor(t, network, 150_000);
      await expect('ordering', 'channel1 works', isHealthy);
    }

    const level = (spec: string, time: string): Promise<unknown> =>
      fetch(`${url}/nodes/orderer1/logspec?for=${time}`, { method: 'PUT', body: JSON.stringify({ spec }) });
    await level('debug', '10m');
    await expect('level-raised', 'channel1 works', ({ levels }) =>
      levels.some(({ spec }) => spec === 'debug'),
    );
    await level('info', '1s');

    await third!.stop('SIGKILL');
    await expect(
      'orderer-killed',
      'channel1 works, but one more failure stops it',
      ({ problems, nodes }) => problems.length > 3 && nodes.some(({ log }) => log?.last !== undefined),
    );
    await second!.stop('SIGTERM');
    await expect(
      'quorum-lost',
      'channel1 has stopped: orderer2 and orderer3 are down',
      ({ problems }) => problems.length > 8,
    );
    await Promise.all([second!.start(), third!.start()]);
    const untilFine = (): Promise<void> =>
      eventually(async () => {
        const { problems } = (await readStream(url)).state;
        check(
          problems.length === 0,
          problems.map(({ component, reason }) => `${component}: ${reason}`).join('; '),
        );
      }, 120_000);
    await untilFine();
    await expect('recovered', 'channel1 works', ({ channels }) =>
      channels.some(({ past }) => past.length > 0),
    );

    await peer2!.stop('SIGKILL');
    await expect('peer-killed', 'peer2 is down', ({ problems }) => problems.length > 0);
    await peer2!.start();
    await untilFine();

    const silence = { node: 'orderer3', for: '10m', why: 'upgrade to 3.1.5' };
    const begun = await fetch(`${url}/silences`, { method: 'PUT', body: JSON.stringify(silence) });
    const { id } = (await begun.json()) as { id: string };
    await third!.stop('SIGTERM');
    await expect('planned', /./, ({ silences, nodes }) => silences.length > 0 && nodes.some(({ up }) => !up));
    await third!.start();
    await fetch(`${url}/silences/${id}`, { method: 'DELETE' });
    await untilFine();

    peer2!.pause();
    await expect('peer-frozen', 'peer2 does not respond');
    peer2!.resume();
    await untilFine();

    const { cert } = peer1.identity.tls;
    const before = readFileSync(cert);
    shorten(peer1.identity.tls, network.directory);
    await expect('certificate', /^TLS certificate of peer1 expires in 4 days/);
    writeFileSync(cert, before);
    await untilFine();

    agent.program.child.kill('SIGSTOP');
    await sleep(12_000);
    agent.program.child.kill('SIGCONT');
    await expect('starved', /^The agent was late by \d+ s in the last minute/);
  },
);

/** Orders transactions for some time, in milliseconds. */
async function orderFor(t: ExecutionContext, network: FabricNetwork, time: number): Promise<void> {
  const stop = startApproving(network, CHANNEL);
  await sleep(time);
  t.true((await stop()) > 0);
}

test.serial(
  'the page names what has stopped on another host, and that its agent cannot be read',
  async (t) => {
    t.timeout(600_000);
    const [own, other] = [
      await startNetwork(t, { orderers: 1 }),
      await startNetwork(t, { channels: ['trade'] }),
    ];
    const [port = 0] = await freePorts(1);
    const start = async (
      name: string,
      address: string,
      { orderers, peers }: FabricNetwork,
      agents: object[],
    ) => {
      const nodes = [...orderers, ...peers].map(({ kind, file }) => ({
        name: `${kind}-${name}`,
        config: file,
      }));
      const operations = { listenAddress: address, name };
      const settings = { nodes, operations, agents, health: { interval: '2s' }, plugins: [] };
      const folder = temporaryFolder(t, { 'agent.yaml': JSON.stringify(settings) });
      return startProgram(t, ['start', '--config', join(folder, 'agent.yaml')]);
    };
    const second = await start('host2', `127.0.0.1:${port}`, other, []);
    await urlOf(second);
    const agents = [{ name: 'host2', url: `http://127.0.0.1:${port}` }];
    const url = await urlOf(await start('host1', '127.0.0.1:0', own, agents));
    const texts = new Map([
      [own.directory, '/var/fabric'],
      [hostname(), 'host1'],
      [`http://127.0.0.1:${port}`, 'http://host2:9543'],
      ['channel1', 'ch1'],
    ]);
    await other.orderers[0].stop('SIGKILL');
    await says(t, url, { name: 'host-stopped', sentence: 'trade has stopped on host2', texts });
    second.child.kill('SIGKILL');
    await says(t, url, { name: 'host-unreachable', sentence: /host2 cannot be read/, texts });
  },
);

/** Replaces the TLS certificate of the peer of the first organisation by one for the same key that expires in five days. */
function shorten({ cert, key }: Identity['tls'], directory: string): void {
  const ca = join(directory, 'crypto/peerOrganizations/org1.example.com/tlsca');
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { stdio: 'pipe', cwd: directory });
  };
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  openssl('req', '-new', '-key', key, '-subj', '/CN=peer0.org1.example.com', '-addext', names, '-out', 'csr');
  const authority = ['-CA', join(ca, 'tlsca.org1.example.com-cert.pem'), '-CAkey', join(ca, 'priv_sk')];
  const options = ['-set_serial', '5', '-days', '5', '-copy_extensions', 'copy', '-out', cert];
  openssl('x509', '-req', '-in', 'csr', ...authority, ...options);
}

test.serial('without a node, the page says which command monitors one', async (t) => {
  const program = startProgram(t, ['start', '--set', 'operations.listenAddress=127.0.0.1:0']);
  await says(t, await urlOf(program), {
    name: 'no-node',
    // A host without a Docker engine has its warning behind it.
    sentence: /^This agent monitors no node yet(?:$| \| The agent cannot use the Docker engine)/,
    texts: new Map([[hostname(), 'host7']]),
  });
});
