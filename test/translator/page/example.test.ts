// The example of the page.

import test from 'ava';
import { EXAMPLES, exampleFiles } from '../../../translator/page/example.js';
import { PageModel } from '../../../translator/page/model.js';

test('the example has a takeover, a harmless update, and an admin who can sign it', async (t) => {
  const model = new PageModel(() => new Date('2026-12-01T00:00:00Z'));
  await model.add(exampleFiles());
  const states = model.found.proposals.map((proposal) => [
    proposal.names,
    model.yourPart(proposal)?.state,
    model.yourPart(proposal)?.primary?.label,
  ]);
  t.deepEqual(states, [
    [['takeover.pb'], 'dangerous', undefined],
    [['add-org3.pb'], 'sign', 'Sign as Org1 admin'],
  ]);
  await model.sign(model.found.proposals[1]!, model.signers[0]!.name);
  const signed = model.found.proposals[1]!;
  t.deepEqual(
    [model.yourPart(signed)?.text, model.fileNameOf(signed)],
    ['You signed. Next: Org2 admin', 'add-org3.signed-Org1.pb'],
  );
});

for (const [name, text] of EXAMPLES)
  test(`the example of ${text} is the channel with this update alone`, async (t) => {
    const model = new PageModel(() => new Date('2026-12-01T00:00:00Z'));
    await model.add(exampleFiles([name]));
    t.deepEqual(
      model.found.proposals.map(({ names, review }) => [names, review?.fits]),
      [[[name], true]],
    );
  });
