// The recipe of the cookbook that replaces the CA of an organisation whose NodeOUs name it, on networks.

import { copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { sectionBlocks } from '../helpers/markdown.js';
import { runProgram, TRANSLATOR } from '../helpers/program.js';
import { bash, putTranslator } from '../helpers/shell.js';
import { eventually } from './daemon.js';
import { changeChannel } from './fabric/channel-edits.js';
import { channelAt, writeProfile } from './fabric/live-channel.js';
import { startNetwork, type FabricNetwork } from './fabric/network.js';
import { createCertificates, peerIdentity } from './fabric/network-files.js';
import { NEWEST } from './fabric/programs.js';
import { lifecycle } from './fabric/services.js';

const [ADD = '', LOOK = '', REMOVE = ''] = sectionBlocks(
  readFileSync('translator/cli/README.md', 'utf8'),
  'Replace the CA certificates of an organisation',
);
const OLD_CA = 'cacerts/ca.org1.example.com-cert.pem';

for (const version of NEWEST)
  test.serial(`${version}: the CA of an organisation is replaced as the cookbook says`, async (t) => {
    const network = await startNetwork(t, { version });
    const [peer] = network.peers;
    const { msp, admin, client } = peer.identity;
    const renewed = prepare(network);

    await shell(network, `${ADD}configtxlator submit update.pb`);
    t.is(await lifecycle(network, 'approveformyorg', 'before'), '');
    for (const [own, made] of [
      [msp, renewed.msp],
      [admin, renewed.admin],
    ] as const) {
      const local = join(network.directory, 'org1-new-msp');
      cpSync(join(local, 'cacerts'), join(own, 'cacerts'), { recursive: true });
      copyFileSync(join(local, 'config.yaml'), join(own, 'config.yaml'));
      for (const name of ['signcerts', 'keystore']) {
        rmSync(join(own, name), { recursive: true });
        cpSync(join(made, name), join(own, name), { recursive: true });
      }
    }
    await peer.stop();
    await peer.start();
    t.regex(await shell(network, LOOK), /^ +roles +peer, member$/m);
    await works(t, network, 'renewed');

    await shell(network, REMOVE);
    for (const own of [msp, admin]) rmSync(join(own, OLD_CA));
    await peer.stop();
    await peer.start();
    t.regex(await shell(network, LOOK), /^ +roles +peer, member$/m);
    await works(t, network, 'removed');
    const profile = writeProfile(network, peer.identity);
    const args = ['identity', client, '--block', channelAt(...network.orderers), '--profile', profile];
    const { status, stdout } = await runProgram(t, args, { program: TRANSLATOR });
    t.is(status, 2);
    t.regex(stdout, /^MSP folder: Org1MSP CN=User1@org1\.example\.com: not valid$/m);
  });

/** Writes the files that the recipe expects; returns the identity of the peer with certificates of the new CA, which has the name of the old one. */
function prepare(network: FabricNetwork) {
  const { directory, tools, peers } = network;
  const other = join(directory, 'other');
  mkdirSync(other);
  createCertificates(tools, other, { orderers: 1, organisations: 1 });
  const renewed = peerIdentity(other, 1);
  putTranslator(directory);
  symlinkSync('crypto', join(directory, 'organizations'));
  copyFileSync(join(renewed.msp, OLD_CA), join(directory, 'org1-new-ca.pem'));
  renameSync(writeProfile(network, peers[0].identity), join(directory, 'configtxlator.yaml'));
  return renewed;
}

const shell = ({ directory, orderers }: FabricNetwork, script: string): Promise<string> =>
  bash(directory, `CHANNEL=${channelAt(...orderers)}\n${script}`);

/** A transaction that the peer endorses, and a config update of the administrator. */
async function works(t: ExecutionContext, network: FabricNetwork, name: string): Promise<void> {
  const [peer] = network.peers;
  await eventually(async () => {
    const problem = await lifecycle(network, 'approveformyorg', name);
    if (problem !== '') throw new Error(problem);
  });
  const ports = name === 'renewed' ? [peer.address] : [peer.address, '127.0.0.1:9'];
  const changed = await changeChannel(network, ['anchor-peers set', 'Org1MSP', ...ports], [peer.identity]);
  t.is(changed.application.organizations[0]!.anchorPeers.length, ports.length);
}
