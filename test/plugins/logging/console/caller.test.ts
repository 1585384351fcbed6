import { readFileSync } from 'node:fs';
import test from 'ava';
import { callerOf, type Caller } from '../../../../plugins/logging/console/caller.js';

const SOURCE = readFileSync('test/plugins/logging/console/caller.test.ts', 'utf8').split('\n');
const lineOf = (marker: string): number => SOURCE.findIndex((line) => line.endsWith(`// ${marker}`)) + 1;

function info(): Caller {
  return callerOf({ method: info });
}

class Ledger {
  commit(): Caller {
    return info(); // method
  }
  #apply(): Caller {
    return info();
  }
  apply(): Caller {
    return this.#apply();
  }
}

test('place is directory, source file and source line of the log call', (t) => {
  const place = `console/caller.test.ts:${lineOf('method')}`;
  t.deepEqual(new Ledger().commit(), { shortFunction: 'commit', place });
});

test('shortFunction is the function without class and #', (t) => {
  t.is(new Ledger().apply().shortFunction, 'apply');
  t.is((() => info())().shortFunction, 'anonymous');
});

test('Error.prepareStackTrace and Error.stackTraceLimit are unchanged', (t) => {
  const limit = Error.stackTraceLimit;
  const prepare: unknown = Reflect.get(Error, 'prepareStackTrace');
  info();
  t.is(Error.stackTraceLimit, limit);
  t.true(Reflect.get(Error, 'prepareStackTrace') === prepare);
});
