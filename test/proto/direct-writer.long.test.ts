// Many documents are written directly or through a message; the result is the same.

import test from 'ava';
import { bothWays, changedDocuments, directly } from '../helpers/encoded-twice.js';

const DOCUMENTS = 100_000;
const SEED = 2;

test(`${DOCUMENTS} random and changed documents have the same bytes or error both ways`, (t) => {
  const counts = { compared: 0, direct: 0, refused: 0 };
  for (const document of changedDocuments(SEED, DOCUMENTS)) {
    const ways = bothWays(document);
    if (ways === undefined) continue;
    counts.compared++;
    if (ways.encoded.includes(' ')) counts.refused++;
    else if (directly(document) !== undefined) counts.direct++;
    if (ways.encoded !== ways.throughMessage)
      t.is(ways.encoded, ways.throughMessage, `${document.type} ${document.text}`);
  }
  t.log(counts);
  // Documents of one kind would test little.
  t.true(counts.direct > DOCUMENTS / 5 && counts.refused > DOCUMENTS / 5, JSON.stringify(counts));
});
