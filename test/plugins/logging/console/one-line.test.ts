// Text from outside, such as the reason of a failed check, cannot forge a log line or control a terminal.

import test from 'ava';
import { formatFields } from '../../../../plugins/logging/console/fields.js';
import { compilePattern, DEFAULT_PATTERN } from '../../../../plugins/logging/console/pattern.js';
import { createJsonFormatter, formatLogfmt } from '../../../../plugins/logging/console/structured.js';
import { entry } from './entry.js';

const FORMATS = {
  'the default pattern': compilePattern(DEFAULT_PATTERN, false),
  'a pattern with %{message:q}': compilePattern('%{message:q} %{module:-10s}', false),
  json: createJsonFormatter(),
  logfmt: formatLogfmt,
};
/** Line feed, carriage return, escape, DEL, next line, C1 control sequence introducer, line and paragraph separator. */
const CHARACTERS = ['\n', '\r', '\u001b', '\u007f', '\u0085', '\u009b', '\u2028', '\u2029', '\0'];

for (const [name, format] of Object.entries(FORMATS))
  for (const character of CHARACTERS) {
    const code = `U+${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    test(`${name} escapes ${code} in message, logger name, and fields`, (t) => {
      const text = `a${character}b`;
      const fields = { [text]: text, list: [text], object: { [text]: text } };
      const line = format(entry({ message: text, name: text, fields }));
      t.notRegex(line.slice(0, -1), /[\p{Cc}\u2028\u2029]/u);
      t.true(line.endsWith('\n'));
    });
  }

test('an escaped character has the form of JSON', (t) => {
  const message = 'one\ntwo\u001b[2J\u009b2J';
  t.is(FORMATS['the default pattern'](entry({ message })).split(' -> ')[1], 'one\\ntwo\\u001b[2J\\u009b2J\n');
  t.is(formatFields({ k: '\u009b2J' }), 'k="\\u009b2J"');
  t.is((JSON.parse(FORMATS.json(entry({ message }))) as { msg: string }).msg, message);
});
