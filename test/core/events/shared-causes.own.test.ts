// Parts that fail because of one cause, such as a certificate of several channels and nodes.

import test, { type ExecutionContext } from 'ava';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import type { AgentEvent } from '../../../core/contract/index.js';
import type { SharedCause } from '../../../core/contract/internal/index.js';
import { Events } from '../../../core/events/index.js';
import { SharedCauses } from '../../../core/events/shared-causes.js';

interface Stage {
  readonly clock: SinonFakeTimers;
  readonly events: Events;
  readonly sent: AgentEvent[];
  readonly texts: () => string[];
}

function stage(t: ExecutionContext): Stage {
  const clock = useFakeTimers({
    now: Date.UTC(2026, 0, 2),
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'],
  });
  t.teardown(() => clock.restore());
  const events = new Events(() =>
    ['orderer1', 'orderer2', 'orderer3'].map((name) => ({ name, kind: 'orderer' as const })),
  );
  const sent: AgentEvent[] = [];
  events.subscribe(({ event }) => void sent.push(event));
  return { clock, events, sent, texts: () => sent.map(({ state, id }) => `${state} ${id}`) };
}

const cause = (place: string, use: string, facts: Partial<SharedCause> = {}): SharedCause => ({
  id: 'certificate AA:01',
  reason: 'CN=orderer3 of 127.0.0.1:7050 expires in 5 days',
  place,
  use,
  ...facts,
});

/** The certificate of orderer3 expires in two channels, with two uses, and each node reports it. */
function expires({ events }: Stage, severity: 'warning' | 'critical' = 'warning'): void {
  for (const node of ['orderer1', 'orderer2', 'orderer3'])
    for (const channel of ['ch1', 'ch2'])
      for (const use of ['client', 'server']) {
        const isMain = node === 'orderer3';
        const shared = cause(channel, use, {
          isMain,
          ...(isMain && { reason: 'renew it with the same key' }),
        });
        const component = `${node}/channel-config/${channel}/127.0.0.1:7050/${use}`;
        events.checked(component, 'it expires', isMain ? severity : 'warning', { causes: [shared] });
      }
}

test.serial(
  'a certificate that fails in several channels, uses and nodes is one event, which names them',
  (t) => {
    const found = stage(t);
    const late = (): void =>
      found.events.checked('orderer1/certificates/tls.crt', 'it expires', 'warning', {
        causes: [cause('tls.crt', 'tls')],
      });
    expires(found);
    found.clock.tick(9_000);
    expires(found);
    late();
    t.is(found.events.open.length, 13);
    found.clock.tick(9_000);
    expires(found);
    late();
    t.deepEqual(found.sent, []);
    found.clock.tick(600_000);
    const [event, ...others] = found.sent;
    t.deepEqual(others, []);
    t.like(event, {
      id: 'certificate AA:01',
      state: 'warning',
      severity: 'warning',
      component: 'orderer3/channel-config/ch1/127.0.0.1:7050/client',
      node: 'orderer3',
      reason:
        'renew it with the same key; in ch1, ch2, tls.crt as client, server, tls; found by orderer1, orderer2, orderer3',
      since: Date.UTC(2026, 0, 2),
    });
    t.is(found.events.latest('certificate AA:01')?.reason, event!.reason);
  },
);

test.serial('parts that are added repeatedly do not delay the event for more than a minute', (t) => {
  const { clock, events, sent } = stage(t);
  for (let count = 0; count < 10; count += 1) {
    for (let index = 0; index <= count; index += 1)
      events.checked(`orderer1/channel-config/ch${index}/o/ca`, 'it expires', 'warning', {
        causes: [cause(`ch${index}`, 'ca')],
      });
    clock.tick(9_000);
  }
  t.is(sent.length, 1);
  t.is(sent[0]!.since, Date.UTC(2026, 0, 2));
});

test.serial('it ends with the last of its parts, under the name that was sent', (t) => {
  const found = stage(t);
  const { clock, events, sent, texts } = found;
  expires(found);
  clock.tick(30_000);
  expires(found);
  clock.tick(30_000);
  events.removed('orderer3');
  events.removed('orderer2');
  events.checked('orderer1/channel-config/ch1/127.0.0.1:7050/client', undefined, 'critical');
  t.is(sent.length, 1);
  events.removed('orderer1');
  t.deepEqual(texts(), ['warning certificate AA:01', 'recovered certificate AA:01']);
  t.is(sent[1]!.component, sent[0]!.component);
  t.deepEqual([events.open, events.latest('certificate AA:01')], [[], undefined]);
});

test.serial('it is critical if one of its parts is, which is sent after 10 s', (t) => {
  const found = stage(t);
  const { clock, sent } = found;
  expires(found, 'critical');
  clock.tick(5_000);
  expires(found, 'critical');
  clock.tick(5_000);
  t.deepEqual(
    sent.map(({ state, severity, component }) => `${state} ${severity} ${component}`),
    ['failed critical orderer3/channel-config/ch1/127.0.0.1:7050/client'],
  );
});

test.serial('a part with two certificates belongs to two events, and one without to none', (t) => {
  const { clock, events, texts } = stage(t);
  const both = [cause('ch1', 'ca'), cause('ch1', 'ca', { id: 'certificate BB:02' })];
  const failing = (causes: readonly SharedCause[]): void =>
    events.checked('orderer1/channel-config/ch1/Org1MSP/ca', 'two expire', 'warning', { causes });
  failing(both);
  clock.tick(30_000);
  failing(both);
  clock.tick(30_000);
  t.deepEqual(texts(), ['warning certificate AA:01', 'warning certificate BB:02']);
  failing(both.slice(0, 1));
  t.deepEqual(texts().slice(2), ['recovered certificate BB:02']);
  failing([]);
  t.deepEqual(texts().slice(3), [
    'recovered certificate AA:01',
    'warning orderer1/channel-config/ch1/Org1MSP/ca',
  ]);
});

for (const [count, places] of [
  [10, 'ch10, ch11, ch12, ch13, ch14, ch15, ch16, ch17, ch18, ch19'],
  [13, 'ch10, ch11, ch12, ch13, ch14, ch15, ch16, ch17, ch18, ch19 and 3 more'],
] as const)
  test.serial(`of ${count} places at most ten are named`, (t) => {
    const { clock, events, sent } = stage(t);
    const failing = (): void => {
      for (let index = 10; index < 10 + count; index += 1)
        events.checked(`orderer1/channel-config/ch${index}/o/ca`, 'it expires', 'warning', {
          causes: [cause(`ch${index}`, 'ca')],
        });
    };
    failing();
    clock.tick(30_000);
    failing();
    clock.tick(30_000);
    t.is(
      sent[0]!.reason,
      `CN=orderer3 of 127.0.0.1:7050 expires in 5 days; in ${places} as ca; found by orderer1`,
    );
  });

for (const [what, members, expected] of [
  [
    'a critical part before one that says what to do',
    [
      ['a', 'warning', true],
      ['b', 'critical', false],
    ],
    'b critical',
  ],
  [
    'of two critical parts the one that says what to do',
    [
      ['a', 'critical', false],
      ['b', 'critical', true],
    ],
    'b critical',
  ],
  [
    'of equal parts the first by name',
    [
      ['b', 'warning', false],
      ['a', 'warning', false],
    ],
    'a warning',
  ],
] as const)
  test(`the event of a shared cause has the component and the severity of ${what}`, (t) => {
    const causes = new SharedCauses(() => undefined);
    for (const [component, severity, isMain] of members)
      causes.record(component, [cause('ch1', 'ca', { isMain })], severity);
    const found = causes.failureOf('certificate AA:01');
    t.is(`${found?.component} ${found?.severity}`, expected);
  });
