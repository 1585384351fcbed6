// The form of the facts that checkers publish: a checker may be JavaScript.

import test from 'ava';
import { checkFact } from '../../../core/contract/internal/facts.js';

const CONSENTER = { address: 'a:1' };
const CONSENTERS = { channel: 'ch1', block: 3, consensus: 'BFT', consenters: [CONSENTER] };

for (const [kind, value, problem] of [
  ['channels', { names: ['ch1'], requestedAt: 1 }, undefined],
  ['channels', { names: ['ch1', 2], requestedAt: 1 }, 'fact channels.names[1] must be a string'],
  ['channels', { names: 'ch1', requestedAt: 1 }, 'fact channels.names must be a list'],
  ['channels', { names: [], requestedAt: Infinity }, 'fact channels.requestedAt must be a number'],
  ['channels', null, 'fact channels must be an object'],
  ['channels', 'ch1', 'fact channels must be an object'],
  ['consenters', [], undefined],
  ['consenters', [CONSENTERS], undefined],
  [
    'consenters',
    [{ ...CONSENTERS, own: 'a:1', hasOtherKey: true, leaderHeartbeatTimeout: 60_000 }],
    undefined,
  ],
  ['consenters', [{ ...CONSENTERS, hasOtherKey: false }], 'fact consenters[0].hasOtherKey must be true'],
  ['consenters', CONSENTERS, 'fact consenters must be a list'],
  ['consenters', [CONSENTERS, { ...CONSENTERS, own: 7 }], 'fact consenters[1].own must be a string'],
  ['consenters', [{ ...CONSENTERS, block: '3' }], 'fact consenters[0].block must be a number'],
  [
    'consenters',
    [{ ...CONSENTERS, consenters: [CONSENTER, { ...CONSENTER, id: '2' }] }],
    'fact consenters[0].consenters[1].id must be a number',
  ],
  ['consenters', [7], 'fact consenters[0] must be an object'],
  ['responses', [{ channel: 'ch1', responses: [{ address: 'a:1', state: 'alive' }] }], undefined],
  [
    'responses',
    [{ channel: 'ch1', responses: [{ address: 'a:1' }] }],
    'fact responses[0].responses[0].state must be a string',
  ],
  ['tls', { key: 'k', fingerprint: 'f', notAfter: NaN }, 'fact tls.notAfter must be a number'],
  ['configs', () => undefined, undefined],
  ['configs', {}, 'fact configs must be a function'],
  ['engine', { version: 29 }, 'fact engine.version must be a string'],
  [
    'toString',
    {},
    "unknown kind of facts 'toString'; the kinds are channels, consenters, responses, tls, configs, certificates, engine",
  ],
] as const)
  test(`the fact ${kind} with ${JSON.stringify(value)} is ${problem === undefined ? 'valid' : `refused: ${problem}`}`, (t) => {
    if (problem === undefined) t.notThrows(() => checkFact(kind, value));
    else t.throws(() => checkFact(kind, value), { instanceOf: TypeError, message: problem });
  });
