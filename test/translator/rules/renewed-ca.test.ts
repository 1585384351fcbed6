// A root CA that is renewed with its name and key: what its begin decides.

import test from 'ava';
import { harmOf, inMsp, org1, type Group } from '../../helpers/changed-config.js';
import { makeCertificate, type Made } from '../../helpers/made-certificates.js';
import type { Tree } from '../../fuzz/review/messages.js';

const OLD = makeCertificate({ commonName: 'ca.renewed' });
const renewedFrom = (begin: string): Made =>
  makeCertificate({ commonName: 'ca.renewed', key: OLD.key, validity: [begin, '20400101000000Z'] });
const SAME = renewedFrom('20260101000000Z');
const LATER = renewedFrom('20260601000000Z');

/** The root CAs of Org1, and the one that its units name. */
const setRoots =
  (named: Made, ...roots: readonly Made[]) =>
  (channel: Group): void =>
    inMsp(org1(channel), (msp) => {
      Object.assign(msp, { root_certs: roots.map(({ pem }) => pem), admins: [] });
      const units = msp.fabric_node_ous as Tree;
      for (const unit of Object.values(units))
        if (typeof unit === 'object') (unit as Tree).certificate = named.pem;
    });

const lossesOf = async (change: (channel: Group) => void): Promise<string[]> =>
  (await harmOf('meta4', change, setRoots(OLD, OLD))).map((text) =>
    /^\w+ [\w-]+|\([^()]*\)$/g[Symbol.match](text)!.join(': '),
  );

test('a renewed root CA in place of the old one takes nothing if it begins when the old one did', async (t) => {
  t.deepEqual(await lossesOf(setRoots(SAME, SAME)), []);
});

test('a renewed root CA in place of the old one that begins later has no chain for what was issued before', async (t) => {
  const [found = '', ...others] = await harmOf('meta4', setRoots(LATER, LATER), setRoots(OLD, OLD));
  t.true(
    found.startsWith(
      'danger msp-ca-removed: the CA CN=ca.renewed is removed: identities that it has issued do not count any more; peers of Org1 stop at the block before, and its admins are cut off; after this update, peers of Org1 with certificates of CN=ca.renewed, ',
    ),
    found,
  );
  t.deepEqual(others, []);
});

test('a renewed root CA beside the old one makes two chains', async (t) => {
  t.deepEqual(await lossesOf(setRoots(OLD, OLD, SAME)), [
    'danger service-lost: (could not obtain certification chain: this MSP only supports a single validation chain, got 2)',
  ]);
});

test('a renewed root CA beside the old one that begins later makes two chains for later certificates', async (t) => {
  t.deepEqual(await lossesOf(setRoots(OLD, OLD, LATER)), [
    'danger service-lost: (could not obtain certification chain: this MSP only supports a single validation chain, got 2, for certificates that begin after 2026-06-01T00:00:00Z)',
  ]);
});
