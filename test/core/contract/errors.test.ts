import test from 'ava';
import { isLate, isRefused } from '../../../core/contract/errors.js';
import {
  AgentError,
  CheckWarning,
  FailedChecks,
  reasonOf,
  SourceError,
} from '../../../core/contract/index.js';
import { freePort } from '../../helpers/free-port.js';

const error = (message: string, cause?: unknown): Error => new Error(message, { cause });

const aggregate = new AggregateError([
  new Error('connect ECONNREFUSED ::1:9'),
  new Error('connect ECONNREFUSED 127.0.0.1:9'),
]);

const REASONS: readonly (readonly [string, unknown, string])[] = [
  ['a string', 'plain text', 'plain text'],
  ['undefined', undefined, 'no reason given'],
  ['null', null, 'no reason given'],
  ['a number', 42, '42'],
  ['an object', { a: 1 }, '{"a":1}'],
  ['a symbol', Symbol('odd'), 'symbol'],
  ['an error without a message', new TypeError(), 'TypeError'],
  ['a message with surrounding whitespace', error('  padded \n'), 'padded'],
  ['a message that is an object', Object.assign(new Error(), { message: { a: 1 } }), '{"a":1}'],
  ['a message of 2048 characters', error('x'.repeat(2048)), 'x'.repeat(2048)],
  ['a message that is an error', Object.assign(new Error(), { message: error('a', error('b')) }), 'a'],
  ['a message over 2048 characters', error('x'.repeat(5000)), `${'x'.repeat(2048)}…`],
  [
    'an OpenSSL error',
    error('80F:error:0A00010B:SSL routines:f:wrong version number:a.c:3:'),
    'wrong version number',
  ],
  [
    'an error with a cause',
    error('fetch failed', error('other side closed')),
    'fetch failed: other side closed',
  ],
  ['nested causes', error('a', error('b', error('c'))), 'a: b: c'],
  ['more than three causes', error('a', error('b', error('c', error('d', error('e'))))), 'a: b: c: d'],
  ['a long cause', error('a', error('x'.repeat(5000))), `a: ${'x'.repeat(2045)}…`],
  [
    'a message that explains itself',
    error('read a.pem: no such file', error('ENOENT')),
    'read a.pem: no such file',
  ],
  ['a message that contains the cause', error('not ready yet', error('not ready')), 'not ready yet'],
  [
    'an error of the agent',
    new AgentError('USAGE', 'unknown flag', { cause: error('parse') }),
    'unknown flag',
  ],
  ['a cause that is an abort', error('too late', AbortSignal.abort().reason), 'too late'],
  ['a cause that is not an error', error('a', { secret: 'b' }), 'a'],
  ['several connection attempts', aggregate, 'connect ECONNREFUSED ::1:9'],
  [
    'a cause of several attempts',
    error('fetch failed', aggregate),
    'fetch failed: connect ECONNREFUSED ::1:9',
  ],
  ['no errors in a list', new AggregateError([]), 'AggregateError'],
  ['several errors with a message', new AggregateError([error('first')], 'all failed'), 'all failed: first'],
];

for (const [what, thrown, reason] of REASONS) {
  test(`the reason of ${what} is ${JSON.stringify(reason.slice(0, 50))}`, (t) => {
    t.is(reasonOf(thrown), reason);
  });
}

test('the reason of an error whose cause is itself ends', (t) => {
  const circular = error('a');
  circular.cause = circular;
  t.is(reasonOf(circular), 'a');
});

test('the reason of a value that throws when it is read is a fixed text', (t) => {
  const hostile = Object.defineProperty(new Error('x'), 'message', {
    get(): never {
      throw new Error('trap');
    },
  });
  t.is(reasonOf(hostile), 'a value that cannot be shown as text');
});

test('the reason of a failed fetch names the address', async (t) => {
  const port = await freePort();
  const failure = await t.throwsAsync(fetch(`http://127.0.0.1:${port}/`));
  t.is(reasonOf(failure), `fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`);
});

const failed = (failure: 'timeout' | 'unreachable', code?: string): SourceError =>
  new SourceError(failure, 'x', { cause: { code } });

for (const [what, thrown, late, refused] of [
  ['a reading that took too long', failed('timeout'), true, false],
  ['a connection that was refused', failed('unreachable', 'ECONNREFUSED'), false, true],
  ['a connection that was reset', failed('unreachable', 'ECONNRESET'), true, false],
  ['a pipe that was closed', failed('unreachable', 'EPIPE'), true, false],
  ['a truncated response', failed('unreachable', 'ERR_RESPONSE_TRUNCATED'), true, false],
  ['a host that is unknown', failed('unreachable', 'ENOTFOUND'), false, false],
  ['a reading without a cause', new SourceError('unreachable', 'x'), false, false],
  ['a check that took too long', new AgentError('PLUGIN_TIMED_OUT', 'x'), true, false],
  [
    'an error of another code',
    new AgentError('USAGE', 'x', { cause: { code: 'ECONNREFUSED' } }),
    false,
    false,
  ],
  ['an error without a code', error('x', { code: 'ECONNRESET' }), false, false],
  ['nothing', undefined, false, false],
] as const)
  test(`${what} is ${late ? '' : 'not '}only a timeout, and ${refused ? '' : 'not '}a refused connection`, (t) => {
    t.deepEqual([isLate(thrown), isRefused(thrown)], [late, refused]);
  });

test('a warning and failed parts have a code, by which another copy of the package knows them, and a message', (t) => {
  t.like(new CheckWarning('soon'), { code: 'CHECK_WARNING', message: 'soon' });
  const parts = ['a', 'b'].map((component) => ({ component, reason: 'full' }));
  t.like(new FailedChecks(parts), { code: 'CHECKS_FAILED', message: 'a: full; b: full', parts });
  t.throws(() => new FailedChecks([]), { message: 'FailedChecks needs at least one part' });
});
