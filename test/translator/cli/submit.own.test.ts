// `submit` with orderers on real sockets that accept the update.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { signEnvelope } from '../../../translator/sign/index.js';
import { runCommand } from '../../helpers/cli.js';
import { withoutTimeouts } from '../../helpers/clock.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { freePort } from '../../helpers/free-port.js';
import { Consenters } from '../../helpers/made-chain.js';
import { listeningOrderer } from '../../helpers/stand-in-orderer.js';

for (const lost of [0, 1])
  test.serial(
    `submit prints the block with the update and the orderers that have it: ${lost} of 4 orderers cannot be reached`,
    async (t) => {
      const orderers = await Promise.all(Array.from({ length: 4 - lost }, async () => listeningOrderer(t)));
      const closed = await Promise.all(
        Array.from({ length: lost }, async () => `127.0.0.1:${await freePort()}`),
      );
      const consenters = new Consenters([...orderers.map(({ address }) => address), ...closed]);
      const chain = consenters.chain(3);
      const received: Uint8Array[] = [];
      for (const orderer of orderers) {
        orderer.blocks = chain.slice(0, 2);
        orderer.accept = (envelope) => {
          received.push(envelope);
          for (const each of orderers) each.blocks = chain;
        };
      }
      const folder = temporaryFolder(t);
      const { certificate, key } = consenters.adminFiles();
      for (const [name, pem] of [
        ['signcerts', certificate],
        ['keystore', key],
      ] as const) {
        mkdirSync(join(folder, name));
        writeFileSync(join(folder, name, 'file.pem'), pem);
      }
      const update = join(folder, 'update.pb');
      writeFileSync(update, await signEnvelope(consenters.update(2n), await consenters.admin(), new Date()));
      const to = `grpc://${orderers[0]!.address}/ch1`;
      const identity = ['--msp', folder, '--mspid', 'OrdererMSP', '--timeout', '10m'];
      const { status, stdout, stderr } = await withoutTimeouts(() =>
        runCommand(t, ['submit', update, '--to', to, ...(lost === 0 ? [] : ['--quiet']), ...identity]),
      );
      t.deepEqual(
        [status, stdout],
        [
          0,
          [
            `the update is in block 2, on ${4 - lost} of 4 orderers`,
            ...closed.map((address) => `  not on ${address}: connection refused`),
            '',
          ].join('\n'),
        ],
        stderr,
      );
      t.is(received.length, 1);
      // The review, without --quiet.
      t.is(stderr.includes('channel ch1, block 1; the update fits this block; '), lost === 0, stderr);
      for (const line of ['sent to ', `block 2 is on ${4 - lost} of 4 orderers`])
        t.true(stderr.includes(`configtxlator: note: ${line}`), stderr);
    },
  );
