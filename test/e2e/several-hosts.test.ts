// Three hosts with three orderers and five peers, five channels, and agents that know each other: as in config/deploy/README.md, on loopback.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readStatus } from '../../core/status/read.js';
import type { StatusDocument } from '../../core/status/document.js';
import { temporaryFolder } from '../helpers/folder.js';
import { freePorts } from '../helpers/free-port.js';
import { codeBlocks, fileBlock } from '../helpers/markdown.js';
import { runProgram, startProgram, urlOf, type Outcome, type RunningProgram } from '../helpers/program.js';
import { startReceiver, type Receiver } from '../helpers/receiver.js';
import { clientOptions } from '../helpers/tls-client.js';
import { check, eventually } from './daemon.js';
import { send, type Endpoint } from './fabric/endpoint.js';
import { startNetwork } from './fabric/network.js';
import type { FabricNode } from './fabric/node.js';

const HOSTS = [1, 2, 3];
const CHANNELS = ['ch1', 'ch2', 'ch3', 'ch4', 'ch5'];
const DOCUMENT = readFileSync(new URL('../../../config/deploy/README.md', import.meta.url), 'utf8');
/** The commands of a block in the document. @param start of its first line */
const commands = (start: string): string =>
  codeBlocks(DOCUMENT).find(({ text }) => text.startsWith(start))?.text ?? '';
const CERTIFICATES = commands('openssl req -x509');
const STATUS = commands('fabric-ops-agent status --ca');

/** An agent of a host. */
interface Host {
  readonly program: RunningProgram;
  readonly endpoint: Endpoint;
  readonly orderer: FabricNode;
  /** One, or two. */
  readonly peers: readonly FabricNode[];
  readonly receiver: Receiver;
}

/** The file of a host in the document, with the nodes, files, addresses and ports of the test. */
function settingsOf(
  number: number,
  { orderer, peers, receiver }: Pick<Host, 'orderer' | 'peers' | 'receiver'>,
  directory: string,
  ports: readonly number[],
  events: string,
): string {
  const names = [`orderer${number}`, `peer${number}`, `peer${number + 3}`];
  const nodes = [orderer, ...peers].map(
    (node, index) =>
      `  - { name: ${names[index]}, config: ${node.file}, log: ${join(node.directory, 'log')} }\n`,
  );
  return fileBlock(DOCUMENT, 'host1.yaml')
    .replaceAll(/\bhost[123]\b/g, (host) =>
      host === 'host1' ? `host${number}` : host === `host${number}` ? 'host1' : host,
    )
    .replace(/(?<=^nodes:\n)(?: .*\n)+/m, nodes.join(''))
    .replaceAll('/etc/fabric-ops-agent/', `${directory}/`)
    .replaceAll(
      /https:\/\/host(\d)\.example\.com:9543/g,
      (_, host) => `https://localhost:${ports[Number(host) - 1]}`,
    )
    .replace('0.0.0.0:9543', `127.0.0.1:${ports[number - 1]}`)
    .replace(
      "url: 'https://alerts.example.com/fabric'",
      `url: '${receiver.url}', groupFor: 1s, events: ${events}`,
    );
}

/** @param events the events that each receiver gets */
async function startHosts(t: ExecutionContext, events: 'all' | 'critical') {
  const { orderers, peers } = await startNetwork(t, { orderers: 3, organisations: 5, channels: CHANNELS });
  const directory = temporaryFolder(t);
  execFileSync('bash', ['-ec', CERTIFICATES.replaceAll('DNS:$host', 'DNS:$host,DNS:localhost')], {
    cwd: directory,
    stdio: 'pipe',
  });
  const ports = await freePorts(3);
  const file = (name: string): string => join(directory, name);
  const client = { cert: file('host1.example.com.pem'), key: file('host1.example.com-key.pem') };
  const start = async (number: number, receiver: Receiver): Promise<Host> => {
    const nodes = {
      orderer: orderers[number - 1]!,
      peers: peers.filter((_, index) => index % 3 === number - 1),
      receiver,
    };
    const path = file(`host${number}.yaml`);
    writeFileSync(path, settingsOf(number, nodes, directory, ports, events));
    const program = startProgram(t, ['start', '--config', path]);
    await urlOf(program);
    const endpoint = {
      url: `https://localhost:${ports[number - 1]}`,
      tls: clientOptions(file('ca.pem'), client),
    };
    return { ...nodes, program, endpoint };
  };
  const hosts = await Promise.all(HOSTS.map(async (number) => start(number, await startReceiver(t))));
  const status = (): Promise<Outcome> => {
    const [, ...args] = STATUS.trim()
      .replaceAll(
        /https:\/\/host(\d)\.example\.com:9543/g,
        (_, host) => `https://localhost:${ports[Number(host) - 1]}`,
      )
      .split(' ');
    return runProgram(t, args, { cwd: directory });
  };
  return { hosts, status };
}

const statusOf = async ({ endpoint }: Host): Promise<StatusDocument> =>
  readStatus((await send(endpoint, '/status')).body);

interface SentEvent {
  readonly state: string;
  readonly component: string;
  /** Of an event for several channels. */
  readonly components?: readonly string[];
  readonly reason: string;
}

/** The failures and recoveries of channels that a receiver got: `warning channels/ch1`, also if one event is about several channels. */
const sentBy = ({ receiver }: Host): string[] =>
  receiver.received.flatMap(({ document }) =>
    (document as { events: readonly SentEvent[] }).events
      .filter(({ state, component }) => state !== 'info' && component.startsWith('channels/'))
      .flatMap(({ state, component, components = [component], reason }) =>
        components.map((each) => `${state} ${each}: ${reason.replace(/^\d+ channels \(.*?\): /, '')}`),
      ),
  );

/** Waits until each of the agents knows that all channels work. */
const untilWorking = (hosts: readonly Host[]): Promise<void> =>
  eventually(async () => {
    for (const host of hosts) {
      const { channels, agents, problems } = await statusOf(host);
      check(agents.filter(({ reachable }) => reachable).length === hosts.length - 1, JSON.stringify(agents));
      for (const { reason, consenters } of channels) {
        check(reason === '3 of 3 consenters are active', `${reason}`);
        const names = consenters.map(({ name }) => name).toSorted();
        check(names.join() === 'orderer1,orderer2,orderer3', names.join());
      }
      check(channels.length === CHANNELS.length, `${channels.length} channels`);
      check(!problems.some(({ node }) => node !== undefined), JSON.stringify(problems));
    }
  }, 120_000);

test('each agent knows the verdict over all hosts, and one of them sends the failure of a channel', async (t) => {
  t.timeout(600_000);
  const { hosts, status } = await startHosts(t, 'all');
  const [first, second, third] = hosts as [Host, Host, Host];
  await untilWorking(hosts);

  const outcome = await status();
  t.is(outcome.status, 0, outcome.stdout + outcome.stderr);
  t.is(outcome.stdout.split('\n')[0], `${CHANNELS.length} channels work`);

  // The first agent sends it, although another one monitors the orderer.
  const atRisk = CHANNELS.map(
    (channel) =>
      `warning channels/${channel}: at risk: 2 of 3 consenters are active, one more failure stops it; orderer3 is down`,
  );
  await third.orderer.stop('SIGKILL');
  await eventually(async () => check(sentBy(first).length === CHANNELS.length, sentBy(first).join('\n')));
  t.deepEqual(sentBy(first).toSorted(), atRisk);
  await third.orderer.start();
  await untilWorking(hosts);
  await eventually(async () => check(sentBy(first).length === 2 * CHANNELS.length, sentBy(first).join('\n')));
  t.deepEqual([...sentBy(second), ...sentBy(third)], []);

  // A restart that the log of another host announces is not sent as a failure.
  await second.orderer.stop('SIGTERM');
  await eventually(async () => {
    const { channels } = await statusOf(first);
    check(
      channels.every(({ verdict }) => verdict === 'at-risk'),
      'not at risk',
    );
  });
  await second.orderer.start();
  await untilWorking(hosts);
  t.deepEqual([...sentBy(first).slice(2 * CHANNELS.length), ...sentBy(second), ...sentBy(third)], []);

  // Without the first agent the second one sends it.
  first.program.child.kill('SIGTERM');
  t.is((await first.program.ended).status, 0);
  await third.orderer.stop('SIGKILL');
  await eventually(
    async () => check(sentBy(second).length === CHANNELS.length, sentBy(second).join('\n')),
    120_000,
  );
  t.regex(sentBy(second)[0] ?? '', /orderer3 is (?:down|not active)|2 of 3 consenters are active/);
  t.deepEqual(sentBy(third), []);
  const partial = await status();
  t.is(partial.status, 1);
  t.regex(partial.stdout, /^https:\/\/localhost:\d+\/: connection refused$/m);
});

test('receivers of critical events only get an orderer that is down, or one of them gets the stopped channels, which name it', async (t) => {
  t.timeout(600_000);
  const { hosts } = await startHosts(t, 'critical');
  const [first, second, third] = hosts as [Host, Host, Host];
  await untilWorking(hosts);
  const states = ({ receiver }: Host): string[] =>
    receiver.received
      .flatMap(({ document }) => (document as { events: readonly SentEvent[] }).events)
      .flatMap(({ state, component, components = [component] }) =>
        components.map((each) => `${state} ${each}`),
      )
      .toSorted();
  const channels = (state: string): string[] => CHANNELS.map((channel) => `${state} channels/${channel}`);
  const expected = (host: Host, events: readonly string[]): Promise<void> =>
    eventually(async () => {
      const got = states(host);
      check(got.join() === events.toSorted().join(), `host${hosts.indexOf(host) + 1}: ${got.join()}`);
    }, 120_000);

  await third.orderer.stop('SIGKILL');
  await expected(third, ['failed orderer3']);
  // The channels name it: its own failure is explained.
  await second.orderer.stop('SIGKILL');
  await expected(first, channels('failed'));
  for (const reason of sentBy(first)) t.regex(reason, /orderer2/);
  await Promise.all([second.orderer.start(), third.orderer.start()]);
  await untilWorking(hosts);
  await expected(first, [...channels('failed'), ...channels('recovered')]);
  await expected(second, []);
  await expected(third, ['failed orderer3', 'recovered orderer3']);
});
