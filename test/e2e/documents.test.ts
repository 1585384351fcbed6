// The command blocks of the documents, run as readers do; test/helpers/documents/story.ts says how.

import test from 'ava';
import { commandBlocks, documents, tell } from '../helpers/documents/story.js';

for (const document of documents().filter((each) => commandBlocks(each).length > 0)) {
  test.serial(`a reader of ${document} sees what it says`, async (t) => {
    t.timeout(600_000);
    t.is(await tell(t, document), commandBlocks(document).length);
  });
}
