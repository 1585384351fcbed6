// Networks of rehearsals: real nodes with the files that the product writes, and what is tried on them.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { readConfigFile } from '../../translator/channel/index.js';
import type { CopiedNode } from '../../translator/rehearse/copy.js';
import { setPolicy, unsignedUpdate } from '../../translator/edit/index.js';
import { signedBy } from '../../translator/rehearse/channel.js';
import type { Phase } from '../../translator/rehearse/losses.js';
import {
  Looks,
  peersHaveMore,
  spareOrderer,
  untilOrdered,
  type Tried,
} from '../../translator/rehearse/looks.js';
import {
  newestConfig,
  restartAll,
  startNetwork,
  stopAll,
  submitTo,
} from '../../translator/rehearse/network.js';
import { findProgram } from '../../translator/rehearse/nodes.js';
import { temporaryFolder } from '../helpers/folder.js';
import { guardProcess } from '../helpers/guard.js';
import { makeCopy } from './fabric/copy.js';
import { findFabric, type FabricVersion } from './fabric/programs.js';

const NETWORKS = [
  { version: 'v3.1.5', consensus: 'etcdraft', orderers: 3 },
  { version: 'v2.5.16', consensus: 'etcdraft', orderers: 3 },
  { version: 'v3.0.0', consensus: 'etcdraft', orderers: 3 },
  { version: 'v3.1.5', consensus: 'BFT', orderers: 4 },
] as const;

async function programsOf(version: FabricVersion) {
  const { bin } = findFabric(version);
  const [orderer, peer] = await Promise.all([findProgram(bin, 'orderer'), findProgram(bin, 'peer')]);
  return { orderer, peer };
}

/** All that is tried. */
function* triedOn(orderers: number): Iterable<string> {
  for (let number = 1; number <= orderers; number++) yield `fetch orderer${number}`;
  for (const id of ['OrdererMSP', 'Org1MSP', 'Org2MSP']) yield* [`fetch ${id}`, `submit ${id}`];
  for (const id of ['Org1MSP', 'Org2MSP'])
    yield* [`approve ${id}`, `transaction ${id}`, `update /Channel/Application/${id}`];
  for (const path of ['', '/Application', '/Orderer', '/Orderer/OrdererOrg']) yield `update /Channel${path}`;
  for (const peer of ['peer1', 'peer2']) yield* [`height ${peer}`, `gossip ${peer}`];
  yield* ['commit all', 'order all'];
}

for (const { version, consensus, orderers } of NETWORKS)
  test.serial(
    `${orderers} orderers (${consensus}) and 2 peers of ${version}: nothing is lost without an update`,
    async (t) => {
      let last = performance.now();
      const step = (what: string): void => {
        const now = performance.now();
        t.log(`${what}: ${Math.round(now - last)} ms`);
        last = now;
      };
      const copy = await makeCopy(t, { orderers, consensus, organisations: 2 });
      step('copy');
      const programs = await programsOf(version);
      t.is(`v${programs.orderer.version}`, version);
      const network = await startNetwork(copy, { directory: temporaryFolder(t), programs });
      t.teardown(() => stopAll(network, 'SIGKILL'));
      step('start');
      const looks = new Looks(network, {
        config: readConfigFile(copy.genesis).config,
        patience: () => 45_000,
      });
      t.deepEqual(await looks.look('before', false), []);
      step('before');
      t.deepEqual(await looks.look('after', true), []);
      step('after');
      const spare = spareOrderer(network, looks.config);
      t.is(spare?.values.name, `orderer${orderers}`);
      await spare!.stop();
      t.deepEqual(await looks.look('one down', true), []);
      step('one down');
      await restartAll(network);
      step('restart');
      t.deepEqual(await looks.look('restarted', true), []);
      step('restarted');
      await stopAll(network);
      step('stop');
      t.deepEqual(looks.worked.map(nameOf).toSorted(), [...triedOn(orderers)].toSorted());
    },
  );

/** What two updates take away. */
const TAKEN = {
  first: ['update /Channel', 'update /Channel/Application', 'update /Channel/Application/Org2MSP'],
  second: ['approve Org1MSP', 'submit Org1MSP', 'transaction Org1MSP'],
} as const;
const ALL_TAKEN: ReadonlySet<string> = new Set(Object.values(TAKEN).flat());

test.serial('what updates and the end of a node take away is lost, and nothing else', async (t) => {
  const copy = await makeCopy(t, { orderers: 3, consensus: 'etcdraft', organisations: 2 });
  const programs = await programsOf('v3.1.5');
  const network = await startNetwork(copy, { directory: temporaryFolder(t), programs });
  t.teardown(() => stopAll(network, 'SIGKILL'));
  const looks = new Looks(network, {
    config: readConfigFile(copy.genesis).config,
    patience: (loss) => (ALL_TAKEN.has(nameOf(loss)) ? 3_000 : 45_000),
  });
  const look = async (phase: Phase, isFinal: boolean): Promise<string[]> =>
    (await looks.look(phase, isFinal)).map(nameOf).toSorted();
  const change = async (path: string): Promise<void> => {
    const before = await newestConfig(network);
    const after = setPolicy(before.config, path, "OR('Nobody.admin')").config;
    const update = unsignedUpdate(before.config, after, copy.channel).bytes;
    const envelope = await signedBy(
      update,
      network.people.filter(({ role }) => role === 'admin'),
    );
    t.deepEqual(await submitTo(network, envelope, before), { status: 200, reason: '' });
    await untilOrdered(network, before);
    t.true(await peersHaveMore(network, before));
  };
  t.deepEqual(await look('before', false), []);
  t.is((await newestConfig(network)).number, 0n, 'a further update fits, because no group has changed');
  await change('/Channel/Application/Org2MSP/Admins');
  t.deepEqual(await look('after', false), TAKEN.first);
  await change('/Channel/Application/Org1MSP/Writers');
  t.deepEqual(await look('after', true), [...TAKEN.first, ...TAKEN.second].toSorted());
  process.kill(network.orderers[0]!.pid!, 'SIGKILL');
  while (network.orderers[0]!.pid !== undefined) await sleep(10);
  t.deepEqual(await look('after', true), [...TAKEN.first, ...TAKEN.second, 'process orderer1'].toSorted());
  t.is(spareOrderer(network, looks.config), undefined);
});

const nameOf = ({ probe, who }: Tried): string => `${probe} ${who}`;

test.serial(
  'a node that cannot start is lost before the update, and the others work without it',
  async (t) => {
    const copy = await makeCopy(t, { orderers: 1, consensus: 'etcdraft', organisations: 2 });
    const [orderer, first, second] = copy.nodes as readonly [CopiedNode, CopiedNode, CopiedNode];
    const server = { ...second.tls.server, key: first.tls.server.key };
    const nodes = [orderer, first, { ...second, tls: { ...second.tls, server } }];
    const programs = await programsOf('v3.1.5');
    const network = await startNetwork({ ...copy, nodes }, { directory: temporaryFolder(t), programs });
    t.teardown(() => stopAll(network, 'SIGKILL'));
    const { config } = readConfigFile(copy.genesis);
    // A definition needs both organisations.
    const looks = new Looks(network, {
      config,
      patience: ({ probe }) => (probe === 'commit' ? 1_000 : 45_000),
    });
    const losses = await looks.look('before', false);
    t.deepEqual(losses.map(nameOf).toSorted(), ['commit all', 'start peer2']);
    t.regex(
      losses.find(({ probe }) => probe === 'start')!.reason,
      /^peer2 ended during its start: .*private key does not match/,
    );
    await restartAll(network);
    t.deepEqual(await looks.look('restarted', true), []);
  },
);

test.serial('what is tried ends with the reason of the signal', async (t) => {
  const copy = await makeCopy(t, { orderers: 1, consensus: 'etcdraft', organisations: 1 });
  const programs = await programsOf('v3.1.5');
  const network = await startNetwork(copy, { directory: temporaryFolder(t), programs });
  t.teardown(() => stopAll(network, 'SIGKILL'));
  const controller = new AbortController();
  const { config } = readConfigFile(copy.genesis);
  // It is aborted while something fails and is to be tried again.
  const patience = (): number => {
    setImmediate(() => controller.abort(new Error('interrupted')));
    return 45_000;
  };
  const looks = new Looks(network, { config, patience, signal: controller.signal });
  network.peers[0]!.pause();
  t.teardown(() => network.peers[0]!.resume());
  await t.throwsAsync(looks.look('before', false), { message: 'interrupted' });
});

test.serial('without an orderer that starts nothing runs', async (t) => {
  const copy = await makeCopy(t, { orderers: 1, consensus: 'etcdraft', organisations: 1 });
  const programs = await programsOf('v3.1.5');
  await t.throwsAsync(
    startNetwork({ ...copy, genesis: Buffer.from('no block') }, { directory: temporaryFolder(t), programs }),
    {
      code: 'BAD_NODE',
      message: /^orderer1: POST \/participation\/v1\/channels: 400 /,
    },
  );
});

const here = (path: string): string => new URL(path, import.meta.url).href;
/** Starts a network as a rehearsal does, and prints the ids of its nodes and its directory. */
const PARENT = `
const [network, nodes, child, copies, programs] = await Promise.all(process.argv.slice(1).map((url) => import(url)));
const { path } = child.temporaryDirectory('rehearse-test-');
const copy = await copies.makeCopy({ teardown: () => undefined }, { orderers: 3, consensus: 'etcdraft', organisations: 2 });
const { bin } = programs.findFabric('v3.1.5');
const [orderer, peer] = await Promise.all(['orderer', 'peer'].map((name) => nodes.findProgram(bin, name)));
const { orderers, peers } = await network.startNetwork(copy, { directory: path, programs: { orderer, peer } });
console.log([path, ...[...orderers, ...peers].map(({ pid }) => pid)].join(' '));
`;

test.serial(
  'all nodes and the directory of a rehearsal end with its process, also if that is killed',
  async (t) => {
    const rehearse = ['network', 'nodes', 'child'].map((name) =>
      here(`../../translator/rehearse/${name}.js`),
    );
    const urls = [...rehearse, here('./fabric/copy.js'), here('./fabric/programs.js')];
    const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT, ...urls], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    guardProcess(parent);
    t.teardown(() => parent.kill('SIGKILL'));
    const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
    const [path = '', ...pids] = line.split(' ');
    t.is(pids.length, 5);
    const running = (): string[] => pids.filter((pid) => existsSync(`/proc/${pid}/exe`));
    t.deepEqual(running(), pids);
    parent.kill('SIGKILL');
    while (running().length > 0 || existsSync(path)) await sleep(50);
    t.pass();
  },
);
