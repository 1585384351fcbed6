// Services and their actors in words.

import test from 'ava';
import {
  actorWords,
  serviceSentence,
  type AffectedActors,
  type AffectedService,
} from '../../../translator/documents/services.js';

const orgs = (count: number): string[] => Array.from({ length: count }, (_, index) => `Org${index + 1}`);
const peers = (count: number, issuers: readonly string[] = []): AffectedActors => ({
  role: 'peer',
  organizations: orgs(count),
  count,
  issuers,
});

for (const [actors, text] of [
  [peers(1), 'peers of Org1'],
  [peers(2), 'peers of Org1 and Org2'],
  [peers(3), 'peers of Org1, Org2 and Org3'],
  [peers(4), 'peers of Org1, Org2, Org3 and Org4'],
  [peers(5), 'peers of Org1, Org2, Org3, Org4 and 1 more organisations'],
  [{ ...peers(2), count: 9 }, 'peers of Org1, Org2 and 7 more organisations'],
  [peers(1, ['CN=a', 'CN=b']), 'peers of Org1 with certificates of CN=a, CN=b'],
] as const)
  test(`actors in words: ${text}`, (t) => {
    t.is(actorWords(actors), text);
  });

const service = (
  name: AffectedService['service'],
  actors: readonly AffectedActors[] = [peers(1)],
  ...resources: readonly string[]
): AffectedService => ({ service: name, resources, actors });
const CLIENTS: AffectedActors = { ...peers(1), role: 'client' };

for (const [what, services, hasResources, text] of [
  ['one', [service('propose')], false, 'peers of Org1 cannot propose transactions'],
  [
    'two of the same actors',
    [service('propose'), service('gossip')],
    false,
    'peers of Org1 cannot propose transactions and exchange data with other peers (gossip)',
  ],
  [
    'two of different actors',
    [service('propose'), service('gossip', [CLIENTS])],
    false,
    'peers of Org1 cannot propose transactions; clients of Org1 cannot exchange data with other peers (gossip)',
  ],
  [
    'one of several actors',
    [service('propose', [peers(1), CLIENTS, { ...CLIENTS, role: 'admin' }])],
    false,
    'peers of Org1, clients of Org1, admins of Org1 cannot propose transactions',
  ],
  // Actors without the service do not have it in maintenance either.
  [
    'one, also in maintenance',
    [service('read-blocks'), service('read-blocks-in-maintenance')],
    false,
    'peers of Org1 cannot read blocks',
  ],
  [
    'one, only in maintenance',
    [service('propose'), service('read-blocks-in-maintenance')],
    false,
    'peers of Org1 cannot propose transactions and read blocks in maintenance',
  ],
  [
    'five',
    (['propose', 'gossip', 'discover', 'endorse', 'agree'] as const).map((name) => service(name)),
    false,
    'peers of Org1 cannot propose transactions, exchange data with other peers (gossip), discover peers and endorsers, endorse by the default policy and agree on blocks (BFT)',
  ],
  [
    'six',
    (['propose', 'gossip', 'discover', 'endorse', 'agree', 'administer'] as const).map((name) =>
      service(name),
    ),
    false,
    'peers of Org1 cannot propose transactions, exchange data with other peers (gossip), discover peers and endorsers, endorse by the default policy and 2 more',
  ],
  [
    'one with resources',
    [service('read-events', [peers(1)], 'event/Block', 'event/FilteredBlock')],
    true,
    'peers of Org1 cannot receive events (event/Block, event/FilteredBlock)',
  ],
  [
    'one with resources that are not shown',
    [service('read-events', [peers(1)], 'event/Block')],
    false,
    'peers of Org1 cannot receive events',
  ],
  [
    'one without resources',
    [service('make-blocks')],
    true,
    'peers of Org1 cannot make blocks that peers take',
  ],
] as const)
  test(`lost services, ${what}: ${text}`, (t) => {
    t.is(serviceSentence(services, 'cannot', hasResources), text);
  });
