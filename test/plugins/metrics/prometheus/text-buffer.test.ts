import test from 'ava';
import { TextBuffer } from '../../../../plugins/metrics/prometheus/text-buffer.js';

test('a new text is empty', (t) => {
  t.is(new TextBuffer(0).content.length, 0);
});

for (const [title, part] of [
  ['ASCII', 'a line\n'],
  ['two bytes for a unit', 'é'],
  ['three bytes for a unit', '…'],
  ['four bytes for two units', '\u{1f680}'],
] as const)
  for (const count of [1, 1_000, 50_000])
    test(`${count} parts with ${title} are encoded`, (t) => {
      const text = new TextBuffer(count);
      for (let index = 0; index < count; index += 1) text.add(part);
      t.true(text.content.equals(Buffer.from(part.repeat(count))));
    });

test('a part that is longer than everything before is encoded', (t) => {
  const text = new TextBuffer(0);
  text.add('a');
  text.add('…'.repeat(200_000));
  t.is(text.content.toString(), `a${'…'.repeat(200_000)}`);
});
