// Stories that lost or falsified an alarm once, as `npm run simulate` shortened them, and some drawn days.

import test from 'ava';
import { createRandom } from '../fuzz/random.js';
import { drawActions, type Action } from './actions.js';
import { violationsOf } from './invariants.js';
import { drawSetup, PAGER, plainSetup, type NotifierSetup, type Setup } from './setup.js';
import { simulate } from './world.js';

/** Three hosts with a pager each. @param first the notifiers of the first host */
const hosts = (channel: string, first: readonly NotifierSetup[] = [PAGER], peerStart = 2): Setup => {
  const { hosts: all, channels } = plainSetup(3, [channel]);
  return {
    hosts: all.map((host, index) => (index === 0 ? { ...host, notifiers: first, peerStart } : host)),
    channels,
  };
};

const STORIES: readonly (readonly [title: string, setup: Setup, actions: readonly Action[]])[] = [
  [
    'the notifier of the first agent fails, and a channel stops: another agent tells it',
    hosts('trade', [{ name: 'command', isBroken: true }]),
    [{ at: 120, what: 'disturb', whom: 'trade', for: 120 }],
  ],
  [
    'the first agent tells critical failures only, and a channel is at risk: another agent tells it',
    hosts('trade', [{ name: 'oncall', events: 'critical' }]),
    [{ at: 120, what: 'kill', whom: 'orderer1', for: 120 }],
  ],
  [
    'the first agent has a notifier of critical failures, too, and an orderer of another host is killed',
    hosts('trade', [PAGER, { name: 'oncall', events: 'critical' }]),
    [{ at: 120, what: 'kill', whom: 'orderer2', for: 120 }],
  ],
  [
    'the first agent tells critical failures only, another one has told the risk of a channel that stops: both tell the stop',
    hosts('disk', [{ name: 'oncall', events: 'critical' }]),
    [
      { at: 120, what: 'freeze', whom: 'orderer1', for: 120 },
      { at: 121, what: 'kill', whom: 'orderer3', for: 600 },
    ],
  ],
  [
    'an orderer of another host is restarted while an agent does not respond: the channel was not at risk for long',
    hosts('trade'),
    [
      { at: 120, what: 'freeze the agent', whom: 'host2', for: 300 },
      { at: 182, what: 'restart', whom: 'orderer3', for: 1 },
    ],
  ],
  [
    'two of three hosts lose power: their agents are told once, without a recovery',
    hosts('trade'),
    [
      { at: 120, what: 'lose the host', whom: 'host1', for: 300 },
      { at: 133, what: 'lose the host', whom: 'host3', for: 300 },
    ],
  ],
  [
    'a channel has the name of a check, and a disk is full while it is stopped',
    hosts('disk'),
    [
      { at: 120, what: 'kill', whom: 'orderer1', for: 300 },
      { at: 120, what: 'kill', whom: 'orderer3', for: 300 },
      { at: 150, what: 'fill the disk', whom: 'peer2', for: 200 },
    ],
  ],
  [
    'a peer that needs 12 s to listen is restarted',
    hosts('trade', [PAGER], 12),
    [{ at: 120, what: 'restart', whom: 'peer1', for: 1 }],
  ],
  [
    'an agent restarts while a consenter of another host is down: its channel does not work again',
    hosts('trade'),
    [
      { at: 120, what: 'crash', whom: 'orderer1', for: 200 },
      { at: 200, what: 'restart the agent', whom: 'host3', for: 5 },
    ],
  ],
  [
    'a failure is told, the agent is restarted, and the peer works again meanwhile: its end is told',
    hosts('trade'),
    [
      { at: 120, what: 'kill', whom: 'peer1', for: 120 },
      { at: 235, what: 'restart the agent', whom: 'host1', for: 30 },
    ],
  ],
  [
    'a failure is told, the agent is killed, and a full disk is emptied meanwhile: its end is told',
    hosts('trade', [PAGER, { name: 'oncall', events: 'critical' }]),
    [
      { at: 120, what: 'fill the disk', whom: 'peer1', for: 120 },
      { at: 235, what: 'kill the agent', whom: 'host1', for: 30 },
    ],
  ],
  [
    'a channel is at risk before and after restarts of all agents, and works again later',
    hosts('trade'),
    [
      { at: 120, what: 'kill', whom: 'orderer2', for: 600 },
      { at: 235, what: 'restart the agent', whom: 'host1', for: 30 },
      { at: 240, what: 'restart the agent', whom: 'host2', for: 30 },
      { at: 245, what: 'kill the agent', whom: 'host3', for: 30 },
    ],
  ],
  [
    'the receiver refuses the end of a failure, and the agent is restarted',
    hosts('trade'),
    [
      { at: 120, what: 'kill', whom: 'peer1', for: 120 },
      { at: 235, what: 'refuse', whom: 'host1/pager', for: 120 },
      { at: 300, what: 'restart the agent', whom: 'host1', for: 5 },
    ],
  ],
  [
    'a channel at risk elects no leader: it does not work again before it stops',
    hosts('trade'),
    [
      { at: 120, what: 'lose the host', whom: 'host1', for: 300 },
      { at: 220, what: 'disturb', whom: 'trade', for: 120 },
    ],
  ],
  [
    'a consenter is removed from a channel while it is down, and its agent does not know the other consenters',
    hosts('trade'),
    [
      { at: 120, what: 'freeze', whom: 'orderer1', for: 300 },
      { at: 255, what: 'kill the agent', whom: 'host3', for: 120 },
      { at: 276, what: 'remove the consenter', whom: 'trade', with: 'orderer1', for: 120 },
    ],
  ],
  [
    'the first agent has told that a channel is at risk, and the channel stops: the others leave it to that agent',
    hosts('trade'),
    [
      { at: 120, what: 'kill', whom: 'orderer3', for: 200 },
      { at: 190, what: 'freeze', whom: 'orderer1', for: 200 },
    ],
  ],
  [
    'an agent that reaches no other agent names the consenters that may be down',
    hosts('trade'),
    [
      { at: 120, what: 'cut', whom: 'host2', with: 'host1', for: 300 },
      { at: 230, what: 'lose the host', whom: 'host3', for: 600 },
    ],
  ],
];

const CHANNELS = Array.from({ length: 8 }, (_, index) => `channel${index + 1}`);

for (const [title, setup, actions] of [
  ...STORIES,
  [
    'an orderer of 8 channels is killed, and a pager gets at most two events',
    plainSetup(3, CHANNELS),
    [{ at: 300, what: 'kill', whom: 'orderer2', for: 300 }],
  ],
] as const satisfies typeof STORIES)
  test.serial(`no invariant is violated: ${title}`, async (t) => {
    t.deepEqual(violationsOf(await simulate(setup, actions, 1)), []);
  });

const [SEED, DAYS] = [1, 7];

test.serial(`no invariant is violated in ${DAYS} days of three hosts, seed ${SEED}`, async (t) => {
  const random = createRandom(SEED);
  const setup = drawSetup(random, 3, 2);
  t.deepEqual(violationsOf(await simulate(setup, drawActions(random, setup, DAYS), SEED)), []);
});
