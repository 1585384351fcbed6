// Run by hand: `node dist/test/helpers/vectors/report.js FOLDER [--category NAME] [--id TEXT] [--ids]`.
// Prints the recorded exchanges that the operations answer in another way.

import { parseArgs } from 'node:util';
import { compare } from './compare.js';
import { answerDirectly, type ComputeUpdate } from './direct.js';
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

async function loadComputeUpdate(): Promise<ComputeUpdate | undefined> {
  const path = '../../../translator/update/index.js';
  const loaded = (await import(path).catch(() => ({}))) as { computeUpdate?: ComputeUpdate };
  return loaded.computeUpdate;
}

const computeUpdate = await loadComputeUpdate();
const counts = { agree: 0, differ: 0, skipped: 0 };
for (const vector of readVectors(folder).filter(isWanted)) {
  const answer = answerDirectly(folder, vector, computeUpdate);
  const problem = answer === undefined ? undefined : compare(folder, vector, answer);
  if (answer === undefined) counts.skipped += 1;
  else if (problem === undefined) counts.agree += 1;
  else {
    counts.differ += 1;
    console.log(options.ids ? vector.id : `${vector.id} (${vector.note}; ${vector.path})\n  ${problem}`);
  }
}
console.log(`${counts.agree} agree, ${counts.differ} differ, ${counts.skipped} need the HTTP front`);
