import { readFileSync } from 'node:fs';
import test from 'ava';
import { parseLogSpec, type LevelName } from '../../../core/contract/index.js';
import { LEVEL_NAMES } from '../../../core/contract/log-spec.js';

interface Case {
  readonly put: string;
  readonly status: number;
  readonly get?: string;
  readonly error?: string;
  readonly levels?: Readonly<Record<string, string>>;
}

const cases = JSON.parse(readFileSync('test/vectors/logspec-cases.json', 'utf8')) as readonly Case[];

/** The one difference from Fabric: the level `payload` is rendered by its name. */
const named = (text: string): string => text.replaceAll('Level(-2)', 'payload');

for (const { put, status, get = '', error = '', levels = {} } of cases) {
  const quoted = JSON.stringify(put);
  const shown = quoted.length > 100 ? `${quoted.slice(0, 100)}… (${put.length} characters)` : quoted;
  if (status === 204) {
    test(`the specification ${shown} is rendered and sets levels as in Fabric`, (t) => {
      const spec = parseLogSpec(put);
      t.is(spec.toString(), named(get));
      t.is(parseLogSpec(spec.toString()).toString(), named(get));
      for (const [logger, level] of Object.entries(levels))
        t.is(spec.levelOf(logger), named(level) as LevelName, logger);
    });
  } else {
    test(`the specification ${shown} is rejected with the message of Fabric`, (t) => {
      t.throws(() => parseLogSpec(put), { message: error });
    });
  }
}

test('the vectors include valid and invalid specifications', (t) => {
  t.true(cases.length >= 173);
  t.true(cases.some(({ status }) => status === 400));
});

test('the lowest level of a specification is the lowest level of any logger', (t) => {
  t.is(parseLogSpec('a=debug:b=fatal:warn').lowestLevel, 'debug');
  t.is(parseLogSpec('a=fatal:warn').lowestLevel, 'warn');
});

for (const level of LEVEL_NAMES) {
  test(`the level ${level} round-trips`, (t) => {
    t.is(parseLogSpec(`x=${level}:${level.toUpperCase()}`).toString(), `x=${level}:${level}`);
  });
}
