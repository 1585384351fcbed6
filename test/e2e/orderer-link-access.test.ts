// How a peer and the checker orderer-link reach orderers: releases, BFT, mutual TLS, and an identity of the checker's own.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { check, eventually } from './daemon.js';
import { startBeside, type NodeAgent } from './fabric/agent.js';
import { failedChecks, metricsOf, send } from './fabric/endpoint.js';
import { CHANNEL, signingCertificate, type Identity } from './fabric/network-files.js';
import { startNetwork, type FabricNetwork } from './fabric/network.js';

/** In which a failure must be reported, in milliseconds. */
const REPORTED = 40_000;

/** Restarts all nodes with mutual TLS between the peers and the orderers. */
async function requireClientCertificates({ orderers, peers }: FabricNetwork): Promise<void> {
  const cas = [orderers[0], ...peers].map(({ identity }) => identity.tls.ca);
  await Promise.all([...orderers, ...peers].map(async (node) => node.stop()));
  await Promise.all([
    ...orderers.map(async (node) =>
      node.start({
        ORDERER_GENERAL_TLS_CLIENTAUTHREQUIRED: 'true',
        ORDERER_GENERAL_TLS_CLIENTROOTCAS: `[${cas.join(',')}]`,
      }),
    ),
    ...peers.map(async (node) =>
      node.start({
        CORE_PEER_TLS_CLIENTAUTHREQUIRED: 'true',
        CORE_PEER_TLS_CLIENTROOTCAS_FILES: node.identity.tls.ca,
        CORE_PEER_TLS_CLIENTCERT_FILE: node.identity.tls.cert,
        CORE_PEER_TLS_CLIENTKEY_FILE: node.identity.tls.key,
      }),
    ),
  ]);
}

/** The checker with the identity of a client of the organisation, and its TLS client certificate. */
function readerOptions({ mspId, client }: Identity, ledger: string): object {
  const keystore = join(client, 'keystore');
  return {
    ledger,
    mspid: mspId,
    certificate: signingCertificate({ msp: client } as Identity),
    key: join(keystore, readdirSync(keystore)[0]!),
    tls: true,
    tlsCert: join(client, '../tls/client.crt'),
    tlsKey: join(client, '../tls/client.key'),
  };
}

/** Waits until the channel fails with a reason that matches; undefined: until it does not fail. Returns the milliseconds. */
async function reported(agent: NodeAgent, component: string, pattern: RegExp | undefined): Promise<number> {
  const start = performance.now();
  await eventually(async () => {
    const { failed } = await failedChecks(agent);
    const reason = failed[`${component}/${CHANNEL}`];
    check(
      pattern === undefined ? reason === undefined : pattern.test(reason ?? ''),
      `the reason is ${reason}`,
    );
  });
  return performance.now() - start;
}

for (const { version, consensus, orderers, isReader } of [
  { version: 'v2.5.16', consensus: 'etcdraft', orderers: 3, isReader: false },
  { version: 'v3.1.5', consensus: 'BFT', orderers: 4, isReader: true },
] as const)
  test(`${version} with ${consensus} and mutual TLS, with the identity of ${isReader ? 'a reader and no key of the peer' : 'the peer'}: orderers that freeze or refuse connections are reported`, async (t) => {
    t.timeout(240_000);
    const network = await startNetwork(t, { version, consensus, orderers });
    await requireClientCertificates(network);
    const [peer] = network.peers;
    const component = isReader ? 'reader' : 'peer1/orderer-link';
    if (isReader) {
      // The peer has read them.
      rmSync(join(peer.identity.msp, 'keystore'), { recursive: true });
      rmSync(peer.identity.tls.key);
    }
    const options = readerOptions(peer.identity, join(peer.directory, 'data'));
    const agent = await startBeside(t, [peer], {
      plugins: [
        ...(isReader ? [{ plugin: 'orderer-link', name: component, options }] : []),
        { plugin: 'orderer-link', name: 'anonymous', options: { ...options, tlsCert: '', tlsKey: '' } },
      ],
    });
    await eventually(async () => {
      const metrics = await metricsOf(agent);
      const up = metrics.split('\n').filter((line) => line.startsWith('fabric_ops_agent_orderer_link_up{'));
      const ofChecker = up.filter((line) => line.includes(`component="${component}"`));
      check(ofChecker.length === orderers && ofChecker.every((line) => line.endsWith(' 1')), up.join('\n'));
    });
    await reported(agent, component, undefined);

    // The orderers do require a client certificate.
    await reported(
      agent,
      'anonymous',
      /^none of \d orderers serves this peer, .*it requires a client certificate that it trusts/,
    );

    const spent: Record<string, number> = {};
    const within = async (what: string, pattern: RegExp | undefined): Promise<void> => {
      spent[what] = Math.round(await reported(agent, component, pattern));
      t.true(spent[what] <= REPORTED, `${what}: ${spent[what]} ms`);
      t.is((await send(peer.operations, '/healthz')).status, 200, what);
    };
    const none = (why: string): RegExp =>
      new RegExp(`^none of ${orderers} orderers serves this peer, which gets no blocks: .*${why}`);
    for (const node of network.orderers) node.pause();
    await within('frozen', none('no response within 5 s'));
    for (const node of network.orderers) node.resume();
    await within('resumed', undefined);
    await Promise.all(network.orderers.map(async (node) => node.stop('SIGKILL')));
    await within('killed', none('connection refused'));
    t.log(spent);
  });
