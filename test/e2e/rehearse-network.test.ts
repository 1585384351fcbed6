// Networks of rehearsals: real nodes with the files that the product writes, and what is tried on them.

import test from 'ava';
import { readConfigFile } from '../../translator/channel/index.js';
import { Looks, spareOrderer } from '../../translator/rehearse/looks.js';
import { restartAll, startNetwork, stopAll } from '../../translator/rehearse/network.js';
import { findProgram } from '../../translator/rehearse/nodes.js';
import { temporaryFolder } from '../helpers/folder.js';
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
  for (const path of ['Application', 'Orderer', 'Orderer/OrdererOrg']) yield `update /Channel/${path}`;
  for (const peer of ['peer1', 'peer2']) yield* [`height ${peer}`, `gossip ${peer}`];
  yield 'commit all';
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
      t.deepEqual(await restartAll(network), []);
      step('restart');
      t.deepEqual(await looks.look('restarted', true), []);
      step('restarted');
      await stopAll(network);
      step('stop');
      t.deepEqual(
        looks.worked.map(({ probe, who }) => `${probe} ${who}`).toSorted(),
        [...triedOn(orderers)].toSorted(),
      );
    },
  );
