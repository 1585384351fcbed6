import { readFileSync } from 'node:fs';
import test from 'ava';
import { ALLOCATOR } from './agent-memory.js';
import { failedRow, row, tableLine } from './report.js';

test('a row shows its budget and whether it was met', (t) => {
  t.is(tableLine(row('fast work', 1.2, '<=', 1.5, '3 ms')), '| fast work | 1.20 | <= 1.5 | met | 3 ms |');
  t.is(tableLine(row('slow work', 0.4, '>=', 0.5, '')), '| slow work | 0.40 | >= 0.5 | MISSED |  |');
});

test('a measurement that failed is a row with its error, in one line and without a further column', (t) => {
  t.is(
    tableLine(failedRow('slow work', 'program a|b ended with 1:\nno such file\n')),
    String.raw`| slow work |  |  | FAILED | program a\|b ended with 1: no such file |`,
  );
});

for (const file of ['config/deploy/systemd/fabric-ops-agent.service', 'Dockerfile'])
  test(`the memory of the agent is measured with the setting of the allocator in ${file}`, (t) => {
    const setting = Object.entries(ALLOCATOR)
      .map((each) => each.join('='))
      .join(' ');
    t.regex(readFileSync(file, 'utf8'), new RegExp(`^(Environment=|ENV )${setting}$`, 'm'));
  });
