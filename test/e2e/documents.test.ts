// The command blocks of the documents that need daemons, run as readers do; test/helpers/documents/story.ts says how.

import test from 'ava';
import { commandBlocks, tell, WITH_DAEMONS } from '../helpers/documents/story.js';

for (const document of WITH_DAEMONS) {
  test.serial(`a reader of ${document} sees what it says`, async (t) => {
    t.timeout(600_000);
    t.is(await tell(t, document), commandBlocks(document).length);
  });
}
