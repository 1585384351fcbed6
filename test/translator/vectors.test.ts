// Every recorded exchange with Fabric's configtxlator, through the running service.

import { join } from 'node:path';
import test from 'ava';
import { startTranslator, rawRequest } from '../helpers/translator.js';
import { compare } from '../helpers/vectors/compare.js';
import { readDifferences } from '../helpers/vectors/differences.js';
import { headersProblem } from '../helpers/vectors/headers.js';
import { ask, exchange } from '../helpers/vectors/http.js';
import { readVectors, routeOf, type HttpResponse as Answer, type Vector } from '../helpers/vectors/vector.js';
import * as operations from '../../translator/index.js';

/** The selection that is committed; the full set has several times its size. */
const SELECTION = 'test/vectors/translator';
/** The folder of the full set, for who has it. */
const fullSet = process.env.TRANSLATOR_VECTORS ?? '';
const folder = fullSet || SELECTION;
const vectors = readVectors(folder);
const differences = readDifferences(join(SELECTION, 'differences.json'));
const categories = [...new Set(vectors.map(({ category }) => category))];
const totals = { passed: 0, failed: 0 };

/** Where we decode what was refused, the JSON encodes to bytes that decode to the same JSON: nothing is lost. */
async function wayBackProblem(port: number, vector: Vector, answer: Answer): Promise<string | undefined> {
  const route = routeOf(vector.path);
  if (route?.operation !== 'decode' || answer.status !== 200) return undefined;
  const bytes = await exchange(port, rawRequest(`POST /protolator/encode/${route.type}`, [], answer.body));
  const again = await exchange(port, rawRequest(`POST /protolator/decode/${route.type}`, [], bytes.body));
  return again.body.equals(answer.body) ? undefined : 'what we decoded is lost on the way back';
}

async function problemOf(port: number, vector: Vector): Promise<string | undefined> {
  const answer = await ask(port, folder, vector);
  const problem = compare(folder, vector, answer);
  const difference = differences.get(vector.id);
  if (difference === undefined) return problem ?? headersProblem(vector, answer);
  if (problem === undefined) return `is stated as a difference (${difference.reason}), but agrees`;
  if (answer.status !== difference.status) return `stated as ${difference.status}; ${problem}`;
  return headersProblem(vector, answer) ?? (await wayBackProblem(port, vector, answer));
}

for (const category of categories) {
  const cases = vectors.filter((vector) => vector.category === category);
  test.serial(`${category}: the ${cases.length} recorded exchanges are answered as they were`, async (t) => {
    t.timeout(120_000);
    const { port } = await startTranslator(t, { operations });
    const problems: string[] = [];
    for (const vector of cases) {
      const problem = await problemOf(port, vector);
      if (problem !== undefined) problems.push(`${vector.id} (${vector.note}): ${problem}`);
    }
    totals.failed += problems.length;
    totals.passed += cases.length - problems.length;
    t.deepEqual(problems, []);
  });
}

test.serial('every stated difference is one of a recorded exchange', (t) => {
  const ids = new Set(vectors.map(({ id }) => id));
  const unknown = [...differences.keys()].filter((id) => !ids.has(id));
  // The selection may leave some out; the full set knows them all.
  if (folder === SELECTION) t.true(unknown.length < differences.size);
  else t.deepEqual(unknown, []);
});

test.serial('all recorded exchanges pass', (t) => {
  const which = folder === SELECTION ? 'the committed selection' : 'the full set';
  const summary = `recorded exchanges, ${which}: ${totals.passed} passed, ${totals.failed} failed`;
  t.log(summary);
  console.log(summary);
  t.deepEqual(totals, { passed: vectors.length, failed: 0 });
});
