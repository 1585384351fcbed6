// The versions of the plugin API that a range allows.

import test from 'ava';
import {
  defineHealthChecker,
  defineLoggingBackend,
  defineMetricSink,
  defineMetricSource,
  defineNotifier,
} from '../../../core/contract/index.js';
import { API_VERSION } from '../../../core/contract/lifecycle.js';
import { apiVersionProblem } from '../../../core/contract/definition.js';

for (const [range, version, isAllowed] of [
  [1, '1.0', true],
  [1, '1.7', true],
  ['1', '1.7', true],
  ['^1.0', '1.0', true],
  ['^1.2', '1.2', true],
  ['^1.2', '1.10', true],
  ['^1.2', '1.1', false],
  ['^1.10', '1.9', false],
  ['^1.2', '2.3', false],
  ['^2.0', '1.9', false],
  [2, '1.0', false],
] as const)
  test(`the range ${JSON.stringify(range)} ${isAllowed ? 'allows' : 'does not allow'} version ${version}`, (t) => {
    const problem = `the plugin requires plugin API ${range}, this agent has version ${version}`;
    t.is(apiVersionProblem(range, version), isAllowed ? undefined : problem);
  });

for (const [range, shown] of [
  ['1.2', '"1.2"'],
  ['>=1.0', '">=1.0"'],
  ['^1', '"^1"'],
  ['', '""'],
  [`^1.${'0'.repeat(500)}`, `"^1.${'0'.repeat(97)}"`],
  [1.5, '1.5'],
  [1n, '1'],
  [-1, '-1'],
  [undefined, 'undefined'],
  [null, 'null'],
] as const)
  test(`the range ${typeof range} ${shown.slice(0, 10)} is invalid`, (t) => {
    t.is(apiVersionProblem(range, '1.0'), `apiVersion must be a range such as '^1.0': value was ${shown}`);
  });

test('an object or a symbol is not a range', (t) => {
  for (const range of [{ toString: 5 }, Object.create(null), Symbol('1')])
    t.is(
      apiVersionProblem(range, '1.0'),
      `apiVersion must be a range such as '^1.0': value was ${typeof range}`,
    );
});

const create = (): never => {
  throw new Error('not created here');
};
const DEFINE = {
  defineHealthChecker,
  defineLoggingBackend,
  defineMetricSink,
  defineMetricSource,
  defineNotifier,
} as const;
for (const [name, define] of Object.entries(DEFINE))
  test(`${name} keeps the apiVersion that a plugin declares, and otherwise sets the version of this API`, (t) => {
    t.is(define({ name: 'a', apiVersion: '^1.7', create }).apiVersion, '^1.7');
    t.is(define({ name: 'a', create }).apiVersion, `^${API_VERSION}`);
  });
