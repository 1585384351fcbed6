// A peer that cannot get blocks from orderers, while the peer itself says that it is healthy.

import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { freePort } from '../helpers/free-port.js';
import { check, eventually } from './daemon.js';
import { startBeside, type NodeAgent } from './fabric/agent.js';
import { failedChecks, metricsOf, send } from './fabric/endpoint.js';
import { CHANNEL } from './fabric/network-files.js';
import { startNetwork } from './fabric/network.js';
import type { FabricNode } from './fabric/node.js';

/** In which a failure must be reported, in milliseconds. */
const REPORTED = 40_000;
const PART = `peer1/orderer-link/${CHANNEL}`;

/** Waits until the reason of the checker matches; undefined: until it does not fail. Returns the milliseconds. */
async function reported(agent: NodeAgent, pattern: RegExp | undefined, status: number): Promise<number> {
  const start = performance.now();
  await eventually(async () => {
    const { body } = await send(agent, '/healthz?verbose');
    const { failed, status: found } = await failedChecks(agent);
    const line = body.split('\n').find((each) => each.includes('orderer-link')) ?? '';
    const reason = failed[PART] ?? line;
    check(
      pattern === undefined ? failed[PART] === undefined : pattern.test(reason + body),
      `${found}: ${body}`,
    );
    check(found === status, `the status is ${found}`);
  });
  return performance.now() - start;
}

/** Replaces the signing certificate of a peer in its MSP directory by an expired one of the same CA. */
function expire({ identity: { msp } }: FabricNode, directory: string): void {
  const [cert, key, request] = ['cert.pem', 'key.pem', 'request.pem'].map((name) => join(directory, name));
  const ca = join(msp, '../../../ca');
  const caCert = join(
    ca,
    readdirSync(ca).find((name) => name.endsWith('.pem'))!,
  );
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key!];
  execFileSync('openssl', ['req', '-new', ...curve, '-subj', '/OU=peer/CN=peer0', '-out', request!]);
  const issuer = ['-CA', caCert, '-CAkey', join(ca, 'priv_sk'), '-CAcreateserial'];
  execFileSync('openssl', ['x509', '-req', '-in', request!, ...issuer, '-days', '0', '-out', cert!]);
  for (const [folder, file] of [
    ['signcerts', cert!],
    ['keystore', key!],
  ] as const) {
    const path = join(msp, folder);
    for (const name of readdirSync(path)) rmSync(join(path, name));
    copyFileSync(file, join(path, 'new.pem'));
  }
}

test('orderers that are killed, frozen or refuse a peer are reported within 40 s, and recovery is, too', async (t) => {
  t.timeout(400_000);
  const network = await startNetwork(t, { orderers: 3 });
  const [peer] = network.peers;
  const [first, second, third] = network.orderers as [FabricNode, FabricNode, FabricNode];
  const agent = await startBeside(t, [peer]);
  await eventually(async () => {
    const metrics = await metricsOf(agent);
    check(/fabric_ops_agent_orderer_link_channel_height\{.*\} 1\n/.test(metrics), metrics);
  });
  t.regex(await metricsOf(agent), /fabric_ops_agent_orderer_link_lag\{.*\} 0\n/);
  t.is((await failedChecks(agent)).status, 200);

  const spent: Record<string, number> = {};
  const within = async (what: string, pattern: RegExp | undefined, status: number): Promise<void> => {
    spent[what] = await reported(agent, pattern, status);
    t.true(spent[what] <= REPORTED, `${what}: ${spent[what]} ms`);
    // The peer itself never fails.
    t.is((await send(peer.operations, '/healthz')).status, 200, what);
  };

  await third.stop('SIGKILL');
  await within('one killed', /2 of 3 orderers serve this peer: 127\.0\.0\.1:\d+: connection refused/, 200);
  first.pause();
  second.pause();
  await within(
    'the others frozen',
    /none of 3 orderers serves this peer, which gets no blocks: .*no response within 5 s/,
    503,
  );
  first.resume();
  second.resume();
  await third.start();
  await within('recovered', undefined, 200);
  await Promise.all([first, second, third].map(async (node) => node.stop('SIGKILL')));
  await within('all killed', /none of 3 orderers serves this peer, .*: connection refused/, 503);
  await Promise.all([first, second, third].map(async (node) => node.start()));
  await within('recovered again', undefined, 200);
  expire(peer, temporaryFolder(t));
  await within(
    'expired identity',
    /all 3 orderers refuse this peer, which gets no blocks: .*forbidden: /,
    503,
  );
  t.log(spent);
});

test('an address override of a peer that does not work is critical, and named', async (t) => {
  t.timeout(200_000);
  const network = await startNetwork(t, { orderers: 1 });
  const [peer] = network.peers;
  const [orderer] = network.orderers as [FabricNode];
  const to = `127.0.0.1:${await freePort()}`;
  await peer.stop();
  await peer.start({
    CORE_PEER_DELIVERYCLIENT_ADDRESSOVERRIDES: `[{from: '${orderer.address}', to: '${to}', caCertsFile: ${orderer.identity.tls.ca}}]`,
  });
  const agent = await startBeside(t, [peer]);
  const why = `which gets no blocks: ${to}, which addressOverrides uses instead of ${orderer.address}: connection refused`;
  await reported(agent, new RegExp(why), 503);
  await eventually(async () => check(/Could not connect to ordering service/.test(peer.log()), peer.log()));
  t.pass();
});
