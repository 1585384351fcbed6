// Run by hand: `node dist/test/helpers/vectors/report.js FOLDER [--category NAME] [--id TEXT] [--ids]`.
// Prints the recorded exchanges that the operations answer in another way, but for those that are stated.

import { parseArgs } from 'node:util';
import { compare } from './compare.js';
import { readDifferences } from './differences.js';
import { answerDirectly } from './direct.js';
import { readVectors, type Vector } from './vector.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    category: { type: 'string', default: '' },
    id: { type: 'string', default: '' },
    ids: { type: 'boolean', default: false },
  },
});

const folder = positionals[0] ?? '';
const isWanted = ({ category, id }: Vector): boolean =>
  category.startsWith(options.category) && id.includes(options.id);

const differences = readDifferences('test/vectors/translator/differences.json');
const counts = { agree: 0, differ: 0, stated: 0, skipped: 0 };
for (const vector of readVectors(folder).filter(isWanted)) {
  const answer = answerDirectly(folder, vector);
  const problem = answer === undefined ? undefined : compare(folder, vector, answer);
  if (answer === undefined) counts.skipped += 1;
  else if (problem === undefined) counts.agree += 1;
  else if (differences.has(vector.id)) counts.stated += 1;
  else {
    counts.differ += 1;
    console.log(options.ids ? vector.id : `${vector.id} (${vector.note}; ${vector.path})\n  ${problem}`);
  }
}
const { agree, differ, stated, skipped } = counts;
console.log(
  `${agree} agree, ${differ} differ, ${stated} are stated differences, ${skipped} need the HTTP front`,
);
