// The command blocks of the documents, run as readers do; test/helpers/documents/story.ts says how.

import test from 'ava';
import { NOT_RUN } from './helpers/documents/not-run.js';
import { HAS_OWN_NETWORK } from './helpers/documents/shell.js';
import { blocksOf, commandBlocks, documents, notRun, tell, WITH_DAEMONS } from './helpers/documents/story.js';

// Without networks of their own they would meet on the ports of the machine.
const story = HAS_OWN_NETWORK ? test : test.serial;
const ALL = documents();
const TOLD = ALL.filter((document) => commandBlocks(document).length > 0);

for (const document of TOLD.filter((each) => !WITH_DAEMONS.includes(each))) {
  story(`a reader of ${document} sees what it says`, async (t) => {
    t.timeout(300_000);
    t.is(await tell(t, document), commandBlocks(document).length);
  });
}

test('every document with commands is told here or beside its daemons', (t) => {
  t.true(ALL.length > 10);
  t.deepEqual(
    WITH_DAEMONS.filter((document) => !TOLD.includes(document)),
    [],
  );
});

test('every block that is said not to be run is there, once', (t) => {
  const blocks = TOLD.flatMap((document) => commandBlocks(document).map((block) => notRun(document, block)));
  t.deepEqual(
    NOT_RUN.filter((entry) => blocks.filter((each) => each === entry).length !== 1),
    [],
  );
});

test('commands are in sh and console blocks, which are run', (t) => {
  const others = ALL.flatMap((document) =>
    blocksOf(document)
      .filter(
        ({ language, text }) =>
          !['sh', 'console', 'yaml', 'json', 'ini', 'js', 'ts', 'text', ''].includes(language) ||
          (language !== 'console' && /^\$ /m.test(text)),
      )
      .map(({ line }) => `${document}:${line}`),
  );
  t.deepEqual(others, []);
});
