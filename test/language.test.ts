// Documentation, messages, names and comments are plain technical English. This test lists words and phrases that were replaced, so
// that they do not come back.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'ava';

/** What must not appear, and what to write instead. Patterns ignore case unless they have an upper-case letter. */
const REPLACED: readonly (readonly [pattern: string, instead: string])[] = [
  ['\\brooms?\\b', 'directory'],
  ['who may enter', 'may import'],
  ['(?<!: )\\banswer(?:s|ed|ing)?\\b', 'response, respond'],
  ['(?<!x509: |certificate |unknown |candidate |invalid |obtain |\\{")\\bauthorit(?:y|ies)\\b', 'CA'],
  ['\\btold\\b', 'sent, reported'],
  ['\\bfigures?\\b', 'benchmark, result'],
  ['that was asked for', 'requested'],
  ['where to read on', 'documentation'],
  ['noise and damaged', 'random and corrupted'],
  ['weakness', 'vulnerability'],
  ['time of grace', 'grace period'],
  ['be there an? ', 'whether or not it exists'],
  ['asks the engine', 'connects to the engine'],
  ['what becomes of', 'error handling'],
  ['what wins', 'precedence'],
  ['nothing that a plugin', 'not a valid X plugin'],
  ['is not the status of', 'invalid HTTP status'],
  ['cannot be asked', 'request failed'],
  ['br(?:eaks|oke|oken) off', 'interrupted, truncated'],
  ['come to an end', 'finish'],
  ['\\bleft out\\b', 'disabled, skipped'],
  ['the old ones? stay', 'keeping the current one'],
  ['speaks? contract', 'targets API version'],
  ['that is known', 'known'],
  ['is not known', 'unknown'],
  ['is not a text', 'is not a string'],
  ['given twice', 'duplicate'],
  ['must be a section', 'must be a mapping'],
  ['holds? no ', 'contains no'],
  ['\\bblanks?\\b', 'whitespace, empty'],
  ['and its relatives', 'and related variables'],
  ['given again', 'cached'],
  ['as it shall be', 'desired'],
  ['\\bshall\\b', 'must'],
  ['\\bdear\\b', 'expensive'],
  ['is no (?:message|document|file|leak|path|section|list)\\b', 'is not a …'],
  ['harms nobody', 'does not affect other clients'],
  ['\\b(?:strangers?|somebody|whoever)\\b', 'the party that is meant'],
  ['specification section|design, decision', 'the fact itself'],
  ["\\bformat: '(?:switch|text)',", "format: 'boolean', 'string'"],
  ['takeUncaught', 'handleUncaughtError'],
  ['showVersion', 'recordVersion'],
  ['sparingAnswers', 'a name that says what it does'],
  ['#judge', 'a name that says what it does'],
  ['createPause', 'createYielder'],
  ['Surrounding', 'Fixture'],
  ['\\bTreatments?\\b', 'opaque-field rules'],
  ['\\breader\\.(?:pass|truth|halves)\\(', 'skip, bool, varint64'],
  ['speaks? against', 'no rule rejects it'],
  ['speaks? to a terminal', 'the output is a terminal'],
  ['counts? in steps', 'the unit of the time'],
  ['growing waits|waits that double', 'with back-off'],
  ['\\blasting\\b', 'persistent'],
  ['as often as (?:they|you|it|he) likes?', 'without limit'],
  ['takes? the (?:agent|node|peer|orderer) for', 'treats it as'],
  ['in spite of its', 'although'],
  ['not for everybody', 'requires authentication'],
  ['is not ours', 'belongs to another program'],
  ['takes? its series along', 'its series end'],
  ['director(?:y|ies) counts?\\b', 'is used'],
  ['with damage', 'although harmful'],
  ['\\b(?:does|do) harm', 'what breaks'],
  ['never happen again', 'is no longer possible'],
  ['send anything to this part', 'the name of the part'],
  ['\\b(?:is|are) away\\b', 'offline, unavailable'],
  ['defaults? counts?\\b', 'applies'],
  ['\\banother order\\b', 'reordered'],
  ['\\bwhat an? .*(?:is|are) made of', 'inputs, parts'],
  ['nobody has to sign', 'no signature required'],
  ['which nobody has', 'unsatisfiable'],
  ['without a word', 'silently'],
  ['tells? the msp', 'identifies'],
  ['foret(?:ells?|old)', 'predicts'],
  ['\\bis there\\b', 'present'],
  ['levels that go back', 'temporary levels'],
  ['namesakes', 'duplicates, CAs with one name'],
  ['names out of the input', 'names from the input'],
];

/** Files with text of others, or that is old. */
const EXCLUDED =
  /^(?:test\/language\.test\.ts$|test\/vectors\/|test\/fuzz\/corpus\/|proto\/schema\/|package-lock\.json$|LICENSE$)/;
const TEXT = /\.(?:ts|md|ya?ml|json|service)$|(?:^|\/)Dockerfile$|^\.ci\/run$/;

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => TEXT.test(file) && !EXCLUDED.test(file));

test('there are files to check', (t) => {
  t.true(files.length > 500);
});

for (const [pattern, instead] of REPLACED)
  test(`nothing contains /${pattern}/; write: ${instead}`, (t) => {
    const expression = new RegExp(pattern, /[A-Z]/.test(pattern) ? '' : 'i');
    const found = files.flatMap((file) => [
      ...(expression.test(file) ? [file] : []),
      ...readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (expression.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
    ]);
    t.deepEqual(found, []);
  });
