// Reviews in Markdown.

import test from 'ava';
import { asMarkdown } from '../../../translator/review/index.js';

test('the fence is longer than every run of backticks in the text', (t) => {
  t.is(asMarkdown('Title', 'a ```` b\n'), '### Title\n\n`````text\na ```` b\n`````\n');
  t.is(asMarkdown('Title', 'a\n'), '### Title\n\n```text\na\n```\n');
});

test('a text may have any number of backticks', (t) => {
  t.true(asMarkdown('Title', '` '.repeat(500_000)).endsWith('```\n'));
});
