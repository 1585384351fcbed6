// The faults for which SmartBFT refuses a configuration.

import test from 'ava';
import {
  BFT_DURATIONS,
  ROTATION_OFF,
  ROTATION_ON,
  smartBftFaults,
  smartBftOptions,
  type BftOptions,
  type BftVersion,
} from '../../../translator/channel/index.js';

/** Options that SmartBFT accepts; each limit is reached exactly. */
const OPTIONS: BftOptions = {
  requestBatchMaxCount: 10_240n,
  requestBatchMaxBytes: 10_240n,
  requestBatchMaxInterval: '1ns',
  incomingMessageBufferSize: 1n,
  requestPoolSize: 1n,
  requestForwardTimeout: '2s',
  requestComplainTimeout: '2s',
  requestAutoRemoveTimeout: '2s',
  viewChangeResendInterval: '5s',
  viewChangeTimeout: '5s',
  leaderHeartbeatTimeout: '1m',
  leaderHeartbeatCount: 1n,
  collectTimeout: '1s',
  syncOnStart: false,
  speedUpViewChange: false,
  leaderRotation: ROTATION_ON,
  decisionsPerLeader: 1n,
  requestMaxBytes: 10_240n,
};

const zero = (option: string): object => ({ problem: 'zero', option, value: '0' });

const CASES: readonly (readonly [change: Partial<BftOptions>, ...faults: readonly object[]])[] = [
  [{}],
  [{ decisionsPerLeader: 0n }, { problem: 'rotation' }],
  [{ decisionsPerLeader: 0n, leaderRotation: ROTATION_OFF }],
  [{ requestBatchMaxCount: 10_241n }, { problem: 'batch', count: '10241', bytes: '10240' }],
  [{ requestMaxBytes: 10_241n }, { problem: 'request', value: '10241', bytes: '10240', isDefault: false }],
  [
    { requestBatchMaxBytes: 10_239n, requestBatchMaxCount: 1n },
    { problem: 'request', value: '10240', bytes: '10239', isDefault: true },
  ],
  [{ requestBatchMaxCount: 0n }, zero('request_batch_max_count')],
  [
    { requestBatchMaxBytes: 0n, requestBatchMaxCount: 1n },
    zero('request_batch_max_bytes'),
    { problem: 'batch', count: '1', bytes: '0' },
  ],
  [{ incomingMessageBufferSize: 0n }, zero('incoming_message_buffer_size')],
  [{ requestPoolSize: 0n }, zero('request_pool_size')],
  [{ leaderHeartbeatCount: 0n }, zero('leader_heartbeat_count')],
  [
    { requestForwardTimeout: '2000000001ns' },
    {
      problem: 'order',
      option: 'request_forward_timeout',
      value: '2000000001ns',
      limit: 'request_complain_timeout',
      limitValue: '2s',
    },
  ],
  [
    { requestAutoRemoveTimeout: '1999999999ns' },
    {
      problem: 'order',
      option: 'request_complain_timeout',
      value: '2s',
      limit: 'request_auto_remove_timeout',
      limitValue: '1999999999ns',
    },
  ],
  [
    { viewChangeTimeout: '4999999999ns' },
    {
      problem: 'order',
      option: 'view_change_resend_interval',
      value: '5s',
      limit: 'view_change_timeout',
      limitValue: '4999999999ns',
    },
  ],
];

/** JSON with exact numbers. */
const shown = (change: object): string =>
  JSON.stringify(change, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

for (const [change, ...faults] of CASES)
  test(`SmartBFT finds ${faults.length === 0 ? 'nothing' : shown(faults)} with ${shown(change)}`, (t) => {
    t.deepEqual<readonly object[], readonly object[]>(
      smartBftFaults({ ...OPTIONS, ...change }, '3.1.1'),
      faults,
    );
  });

for (const name of BFT_DURATIONS)
  for (const value of ['0s', '-1s', '1', ''])
    test(`SmartBFT refuses the duration ${name} '${value}'`, (t) => {
      const [first] = smartBftFaults({ ...OPTIONS, [name]: value }, '3.1.1');
      const option = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      t.deepEqual(first, { problem: 'duration', option, value });
    });

for (const [version, isCompared] of [
  ['3.0', false],
  ['3.1.1', true],
  ['3.1.2', true],
] as const satisfies readonly (readonly [BftVersion, boolean])[])
  test(`SmartBFT of ${version} ${isCompared ? 'compares' : 'does not compare'} request_max_bytes with a batch`, (t) => {
    t.is(smartBftFaults({ ...OPTIONS, requestMaxBytes: 10_241n }, version).length, isCompared ? 1 : 0);
  });

test('in maintenance mode SmartBFT compares only its default of request_max_bytes with a batch', (t) => {
  const maintenance = { limitsRequest: false };
  t.deepEqual(smartBftFaults({ ...OPTIONS, requestMaxBytes: 10_241n }, '3.1.2', maintenance), []);
  const small = { ...OPTIONS, requestBatchMaxCount: 1n, requestBatchMaxBytes: 10_239n };
  t.deepEqual(smartBftFaults(small, '3.1.2', maintenance), [
    { problem: 'request', value: '10240', bytes: '10239', isDefault: true },
  ]);
});

test('SmartBFT takes the size of a batch from the value BatchSize, and a Raft channel has no options', (t) => {
  const batchSize = { maxMessageCount: 5, absoluteMaxBytes: 6, preferredMaxBytes: 7 };
  t.deepEqual(smartBftOptions({ bftOptions: OPTIONS, batchSize }), {
    ...OPTIONS,
    requestBatchMaxCount: 5n,
    requestBatchMaxBytes: 6n,
  });
  t.is(smartBftOptions({ bftOptions: undefined, batchSize }), undefined);
});
