// Build step: the recorded incidents of `fabric-ops-agent demo`, compressed, beside the pages.

import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Incident } from '../../core/tools/demo.js';
import { pageState, type StateName } from '../helpers/page-states.js';

/** The recorded states in the order of the demo, with their titles. */
const TITLES: readonly (readonly [name: StateName, title: string])[] = [
  ['ordering', 'All is well'],
  ['peer-killed', 'A peer is down'],
  ['orderer-killed', 'An orderer is down'],
  ['quorum-lost', 'The channel has stopped'],
  ['recovered', 'It works again'],
  ['peer-frozen', 'A peer does not respond'],
  ['certificate', 'A certificate expires'],
  ['planned', 'Planned work'],
  ['host-stopped', 'A channel of another host has stopped'],
  ['host-unreachable', 'Another host cannot be reached'],
];

const incidents = TITLES.map(([name, title]): Incident => {
  const { document, events } = pageState(name);
  return { name, title, state: document, events };
});
const file = new URL('../../page/demo.json.gz', import.meta.url);
writeFileSync(file, gzipSync(JSON.stringify(incidents), { level: 9 }));
