// Documents in Markdown.

import test from 'ava';
import { documentsMarkdown } from '../../../translator/documents/index.js';

test('the fence is longer than every run of backticks in the text', (t) => {
  t.is(documentsMarkdown('Title', [{ title: 'a ```` b' }]), '### Title\n\n`````text\na ```` b\n`````\n');
  t.is(documentsMarkdown('Title', [{ title: 'a' }]), '### Title\n\n```text\na\n```\n');
});

test('a text may have any number of backticks', (t) => {
  t.true(documentsMarkdown('Title', [{ title: '` '.repeat(500_000) }]).endsWith('```\n'));
});
