import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { callerOf, type Caller } from '../../../../plugins/logging/console/caller.js';
import { temporaryFolder } from '../../../helpers/folder.js';

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

test('the place is in the source if the compiled module has a source map in a separate file', async (t) => {
  const folder = temporaryFolder(t, {
    'dist/ledger.mjs': 'export const commit = (info) => info();\n',
    'dist/ledger.mjs.map': JSON.stringify({
      version: 3,
      sources: ['../src/ledger.ts'],
      names: [],
      mappings: 'AAIA',
    }),
  });
  const { commit } = (await import(pathToFileURL(join(folder, 'dist/ledger.mjs')).href)) as {
    commit: (method: () => Caller) => Caller;
  };
  t.deepEqual(commit(info), { shortFunction: 'commit', place: 'src/ledger.ts:5' });
});
