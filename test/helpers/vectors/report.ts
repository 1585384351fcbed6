// Run by hand: `node dist/test/helpers/vectors/report.js DIRECTORY [--category NAME] [--id TEXT] [--ids]`.
// Prints the recorded exchanges whose response differs, except the differences that are listed in differences.json.

import { parseArgs } from 'node:util';
import { compare } from './compare.js';
import { readDifferences } from './differences.js';
import { respondDirectly } from './direct.js';
import { readVectors, type Vector } from './vector.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    category: { type: 'string', default: '' },
    id: { type: 'string', default: '' },
    ids: { type: 'boolean', default: false },
  },
});

const directory = positionals[0] ?? '';
const isWanted = ({ category, id }: Vector): boolean =>
  category.startsWith(options.category) && id.includes(options.id);

const differences = readDifferences('test/vectors/translator/differences.json');
const counts = { equal: 0, different: 0, listed: 0, skipped: 0 };
for (const vector of readVectors(directory).filter(isWanted)) {
  const response = respondDirectly(directory, vector);
  const problem = response === undefined ? undefined : compare(directory, vector, response);
  if (response === undefined) counts.skipped += 1;
  else if (problem === undefined) counts.equal += 1;
  else if (differences.has(vector.id)) counts.listed += 1;
  else {
    counts.different += 1;
    console.log(options.ids ? vector.id : `${vector.id} (${vector.note}; ${vector.path})\n  ${problem}`);
  }
}
const { equal, different, listed, skipped } = counts;
console.log(
  `${equal} equal, ${different} different, ${listed} listed differences, ${skipped} skipped (need the HTTP service)`,
);
