// `--allow` and the advice to give it.

import test from 'ava';
import { danger } from '../../../translator/cli/kinds.js';
import { refusalOf } from '../../../translator/cli/sign-update.js';
import type { Review } from '../../../translator/review/index.js';
import { RULES, type FindingId } from '../../../translator/rules/index.js';

const DANGERS = [...RULES.values()].filter(({ severities }) => severities.some((each) => each === 'danger'));

/** A review with dangers of these ids. */
const reviewWith = (...ids: readonly FindingId[]): Review =>
  ({
    findings: ids.map((id) => ({ id, severity: 'danger', text: '', path: '', todo: '', data: {} })),
  }) as unknown as Review;

for (const { id, isOpen } of DANGERS.map((rule) => ({ isOpen: false, ...rule })))
  if (isOpen)
    test(`--allow ${id} is refused and never advised, because this danger cannot be allowed`, async (t) => {
      await t.throwsAsync(danger.verify!(id, 'allow'));
      for (const allowed of [[], [id]])
        t.is(
          refusalOf(reviewWith(id, 'policy-missing'), new Set(allowed)),
          `it is dangerous, and ${id} cannot be allowed`,
        );
    });
  else
    test(`the advice to give --allow ${id} helps`, async (t) => {
      t.is(refusalOf(reviewWith(id), new Set()), `it is dangerous; if that is wanted: --allow ${id}`);
      await t.notThrowsAsync(danger.verify!(id, 'allow'));
      t.is(refusalOf(reviewWith(id), new Set([id])), undefined);
    });

test('allowed dangers are not advised again', (t) => {
  t.is(
    refusalOf(reviewWith('policy-missing', 'policy-weakened'), new Set(['policy-missing'])),
    'it is dangerous; if that is wanted: --allow policy-weakened',
  );
});
