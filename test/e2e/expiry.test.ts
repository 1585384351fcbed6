// `configtxlator expiry` of real networks: the ledger of an orderer, the running channel and the folder of the certificates; its recipe is
// followed.

import { join } from 'node:path';
import test from 'ava';
import type { ExpiryReport } from '../../translator/expiry/index.js';
import { bash, putTranslator } from '../helpers/shell.js';
import { channelAt, translatorAs, untilServed } from './fabric/live-channel.js';
import { CHANNEL, renewCertificates } from './fabric/network-files.js';
import { startNetwork } from './fabric/network.js';
import { addBlock } from './fabric/traffic.js';

const MSP = ['ca', 'tls-ca'];

for (const [consensus, orderers, uses] of [
  // Orderers with BFT sign with their ids.
  ['BFT', 4, ['consenter-tls', 'consenter-identity']],
  ['etcdraft', 1, ['consenter-tls']],
] as const)
  test.serial(
    `${consensus}: expiry finds every certificate of a channel, and its recipe renews one`,
    async (t) => {
      const network = await startNetwork(t, { consensus, orderers });
      const { directory, tools } = network;
      const [orderer] = network.orderers;
      const translator = translatorAs(t, network, orderer.identity);
      await untilServed(translator, orderer);
      await addBlock(network);
      const report = async (...args: readonly string[]): Promise<ExpiryReport> =>
        JSON.parse((await translator.run('expiry', ...args, '--json')).stdout) as ExpiryReport;

      const running = await report(channelAt(orderer));
      t.deepEqual(running.unreadable, []);
      t.deepEqual(
        running.entries.map(({ use }) => use).toSorted(),
        [
          ...MSP,
          ...MSP,
          ...uses.flatMap((use) => Array.from({ length: orderers }, () => use)),
          ...(consensus === 'BFT' ? [] : ['orderer-identity']),
        ].toSorted(),
      );
      t.true(running.entries.every(({ organization }) => organization !== undefined));
      // The folder of all ledgers of the orderer.
      const stored = await report(join(orderer.directory, 'data/chains'));
      t.deepEqual(
        stored.entries.map(({ sha256, use, channel }) => [sha256, use, channel]),
        running.entries.map(({ sha256, use }) => [sha256, use, CHANNEL]),
      );

      const files = await report(join(orderer.identity.msp, '..'));
      t.deepEqual(
        files.entries.map(({ use }) => use).toSorted(),
        ['ca', 'identity', 'tls', 'tls-ca', 'tls-ca'].toSorted(),
      );
      const tls = files.entries.find(({ use }) => use === 'tls');
      const consenter = running.entries.find(({ sha256 }) => sha256 === tls?.sha256);
      t.is(consenter?.consenter, orderer.address);

      const renewed = renewCertificates(tools, directory, { orderers, organisations: 1 }, 1);
      putTranslator(directory);
      await bash(
        directory,
        `${consenter!.recipe.command!.replace('NEW_TLS.pem', renewed.tls.cert)} --profile profile-OrdererMSP.yaml`,
      );
      t.is((await translator.run('review', 'update.pb', '--block', channelAt(orderer))).status, 3);
    },
  );
