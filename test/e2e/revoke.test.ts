// A certificate is revoked on real networks: orderers refuse its identity afterwards.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { eventually } from './daemon.js';
import { channelAt, translatorAs, untilServed } from './fabric/live-channel.js';
import { startNetwork } from './fabric/network.js';
import { NEWEST } from './fabric/programs.js';

for (const version of NEWEST)
  test.serial(`${version}: orderers refuse an identity that org revoke has revoked`, async (t) => {
    const network = await startNetwork(t, { version });
    const { directory, orderers, peers } = network;
    const { identity } = peers[0];
    const admin = translatorAs(t, network, identity);
    await untilServed(admin, orderers[0]);
    const channel = channelAt(...orderers);
    // The client of the organisation, with a profile of its own.
    const flags = ['--msp', identity.client, '--mspid', identity.mspId];
    const asClient = (): Promise<{ readonly status: number | null; readonly stderr: string }> =>
      admin.run('fetch', channel, ...flags, '-o', 'fetched.pb');
    t.is((await asClient()).status, 0);
    const [certificate = ''] = readdirSync(join(identity.client, 'signcerts'));
    const key = join(directory, 'crypto/peerOrganizations/org1.example.com/ca/priv_sk');
    const file = join(identity.client, 'signcerts', certificate);
    const args = [channel, identity.mspId, file, '--ca-key', key, '--sign', '-o', 'revoke.pb'];
    const revoked = await admin.run('org', 'revoke', ...args);
    t.is(revoked.status, 0, revoked.stderr);
    t.regex(revoked.stderr, /CN=User1@org1\.example\.com of Org1MSP revoked, serial number [0-9A-F]+\n/);
    const submitted = await admin.run('submit', 'revoke.pb');
    t.is(submitted.status, 0, submitted.stderr);
    await eventually(async () => {
      const { status, stderr } = await asClient();
      if (status === 0 || !stderr.includes('forbidden')) throw new Error(stderr);
    });
    t.is((await admin.run('fetch', channel, '-o', 'fetched.pb')).status, 0);
    const explained = await admin.run('identity', identity.client, '--block', channel);
    t.is(explained.status, 2);
    t.regex(explained.stdout, /revoked/);
  });
