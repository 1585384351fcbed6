// `fabric-ops-agent snapshot verify` of a snapshot that a real peer made.

import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { runProgram } from '../helpers/program.js';
import { eventually, check } from './daemon.js';
import { peerVariables, startNetwork, type FabricNetwork } from './fabric/network.js';
import { CHANNEL, runTool } from './fabric/network-files.js';
import { NEWEST } from './fabric/programs.js';
import { addBlock } from './fabric/traffic.js';

/** The snapshot that the peer makes of its newest block. */
async function makeSnapshot({ tools, peers: [peer] }: FabricNetwork, block: number): Promise<string> {
  const { tls } = peer.identity;
  const connection = ['--peerAddress', peer.address, '--tlsRootCertFile', tls.ca];
  runTool(tools, 'peer', ['snapshot', 'submitrequest', '-c', CHANNEL, '-b', String(block), ...connection], {
    ...peerVariables(peer),
    CORE_PEER_TLS_ENABLED: 'true',
  });
  const directory = join(peer.directory, 'data/snapshots/completed', CHANNEL, String(block));
  await eventually(async () => check(existsSync(directory), `no ${directory}`));
  return directory;
}

for (const version of NEWEST)
  test.serial(
    `${version}: a snapshot is as the peer made it, and is not with one byte flipped`,
    async (t) => {
      const network = await startNetwork(t, { version });
      const height = await addBlock(network);
      const snapshot = await makeSnapshot(network, height - 1);
      const verify = (directory: string) => runProgram(t, ['snapshot', 'verify', directory]);

      const whole = await verify(snapshot);
      t.is(whole.status, 0, whole.stdout);
      t.true(whole.stdout.includes(`of the channel ${CHANNEL} at block ${height - 1}`), whole.stdout);

      const names = readdirSync(snapshot);
      t.true(names.length > 3);
      for (const name of names) {
        const copy = join(network.directory, `copy of ${name}`);
        cpSync(snapshot, copy, { recursive: true });
        const bytes = readFileSync(join(copy, name));
        // In the other half of this file is the commit hash, which nothing else has.
        bytes[name === '_snapshot_additional_metadata.json' ? 40 : bytes.length >> 1]! ^= 1;
        writeFileSync(join(copy, name), bytes);
        const { status, stdout } = await verify(copy);
        t.is(status, 1, `${name}: ${stdout}`);
        t.true(stdout.includes(name.includes('additional') ? '_snapshot_signable' : name), stdout);
      }
    },
  );
