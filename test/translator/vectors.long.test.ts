// Replays every recorded exchange with Fabric's configtxlator against the running service.

import { join } from 'node:path';
import test from 'ava';
import { OPERATIONS } from '../../translator/http/operations.js';
import { startTranslator, rawRequest } from '../helpers/translator.js';
import { compare } from '../helpers/vectors/compare.js';
import { readDifferences } from '../helpers/vectors/differences.js';
import { headersProblem } from '../helpers/vectors/headers.js';
import { ask, exchange } from '../helpers/vectors/http.js';
import { readVectors, routeOf, type HttpResponse, type Vector } from '../helpers/vectors/vector.js';

/** The committed selection; the full set is several times larger. */
const SELECTION = 'test/vectors/translator';
/** The directory of the full set; empty: the selection is used. */
const fullSet = process.env.TRANSLATOR_VECTORS ?? '';
const directory = fullSet || SELECTION;
const vectors = readVectors(directory);
const differences = readDifferences(join(SELECTION, 'differences.json'));
const categories = [...new Set(vectors.map(({ category }) => category))];
const totals = { passed: 0, failed: 0 };

/** Checks that JSON which Fabric's configtxlator does not produce encodes to bytes that decode to the same JSON. */
async function roundTripProblem(
  port: number,
  vector: Vector,
  response: HttpResponse,
): Promise<string | undefined> {
  const route = routeOf(vector.path);
  if (route?.operation !== 'decode' || response.status !== 200) return undefined;
  const bytes = await exchange(port, rawRequest(`POST /protolator/encode/${route.type}`, [], response.body));
  const again = await exchange(port, rawRequest(`POST /protolator/decode/${route.type}`, [], bytes.body));
  return again.body.equals(response.body) ? undefined : 'the JSON changes when it is encoded and decoded';
}

async function problemOf(port: number, vector: Vector): Promise<string | undefined> {
  const response = await ask(port, directory, vector);
  const problem = compare(directory, vector, response);
  const difference = differences.get(vector.id);
  if (difference === undefined) return problem ?? headersProblem(vector, response);
  if (problem === undefined) return `is listed as a difference (${difference.reason}), but is equal`;
  if (response.status !== difference.status) return `listed with status ${difference.status}; ${problem}`;
  return headersProblem(vector, response) ?? (await roundTripProblem(port, vector, response));
}

for (const category of categories) {
  const cases = vectors.filter((vector) => vector.category === category);
  test.serial(
    `${category}: the ${cases.length} recorded exchanges have the recorded responses`,
    async (t) => {
      t.timeout(120_000);
      const { port } = await startTranslator(t, { operations: OPERATIONS });
      const problems: string[] = [];
      for (const vector of cases) {
        const problem = await problemOf(port, vector);
        if (problem !== undefined) problems.push(`${vector.id} (${vector.note}): ${problem}`);
      }
      totals.failed += problems.length;
      totals.passed += cases.length - problems.length;
      t.deepEqual(problems, []);
    },
  );
}

test.serial('every listed difference belongs to a recorded exchange', (t) => {
  const ids = new Set(vectors.map(({ id }) => id));
  const unknown = [...differences.keys()].filter((id) => !ids.has(id));
  // The selection does not contain every exchange.
  if (directory === SELECTION) t.true(unknown.length < differences.size);
  else t.deepEqual(unknown, []);
});

test.serial('all recorded exchanges pass', (t) => {
  const which = directory === SELECTION ? 'the committed selection' : 'the full set';
  const summary = `recorded exchanges, ${which}: ${totals.passed} passed, ${totals.failed} failed`;
  t.log(summary);
  console.log(summary);
  t.deepEqual(totals, { passed: vectors.length, failed: 0 });
});
