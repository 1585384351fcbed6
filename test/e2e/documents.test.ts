// Runs the command blocks of all documents; see test/helpers/documents/run-document.ts.

import test from 'ava';
import { commandBlocks, documents, runDocument } from '../helpers/documents/run-document.js';

for (const document of documents().filter((each) => commandBlocks(each).length > 0)) {
  test.serial(`the commands of ${document} print what it shows`, async (t) => {
    t.timeout(600_000);
    t.is(await runDocument(t, document), commandBlocks(document).length);
  });
}
