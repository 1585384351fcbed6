// The state of the editor, without a browser: forms, undo and redo, and the review after each keystroke.

import test from 'ava';
import { TranslateError } from '../../../proto/index.js';
import { readConfigFile } from '../../../translator/channel/index.js';
import { EDITS, type Edit } from '../../../translator/edit/index.js';
import { EditorModel } from '../../../translator/page/editor-model.js';
import { FORMS } from '../../../translator/page/forms.js';
import { reviewAll } from '../../../translator/page/proposals.js';
import { BLOCK } from '../../helpers/edits.js';
import { BLOCKS } from '../../helpers/migration.js';
import { until } from '../../helpers/until.js';

const NOW = new Date('2026-11-24T00:00:00Z');

const formCalled = (name: string): Edit => FORMS.find((form) => form.name === name)!;

/** An editor of the channel `edits`, and the number of its reviews. */
async function editorOf(block = BLOCK): Promise<{ editor: EditorModel; reviews: () => number }> {
  let count = 0;
  const editor = new EditorModel((files, base) => {
    count++;
    return reviewAll(files, base, { now: NOW });
  });
  await editor.begin(readConfigFile(block), []);
  return { editor, reviews: () => count };
}

/** A form that counts its edits. */
function counted(form: Edit): { form: Edit; applied: () => number } {
  let count = 0;
  const load = async () => {
    const apply = await form.load();
    return (...args: Parameters<typeof apply>) => {
      count++;
      return apply(...args);
    };
  };
  return { form: { ...form, load }, applied: () => count };
}

const notesOf = ({ preview }: EditorModel): unknown =>
  preview === undefined ? undefined : 'error' in preview ? preview.error : preview.step.notes;

test('each keystroke does the edit once and reviews its result once', async (t) => {
  const { editor, reviews } = await editorOf();
  const { form, applied } = counted(formCalled('edit'));
  await editor.choose(form);
  await editor.write('path', 'orderer.batchTimeout');
  t.deepEqual([applied(), reviews()], [1, 0]);
  const before = applied();
  for (const [index, text] of ['3s', '30s', '300ms'].entries()) {
    await editor.write('value', text);
    t.deepEqual([applied() - before, reviews()], [index + 1, index + 1]);
  }
  // Reading the state needs neither an edit nor a review.
  t.deepEqual(notesOf(editor), ['/Channel/Orderer/BatchTimeout timeout: 2s -> 300ms']);
  t.true(editor.proposal?.review?.elements.some(({ element }) => element.endsWith('/BatchTimeout')));
  t.is(editor.inputs.length, 2);
  t.deepEqual([applied() - before, reviews()], [3, 3]);
  // The step and its review exist already when it is applied.
  await editor.apply();
  t.deepEqual([applied() - before, reviews(), editor.done.length], [3, 3, 1]);
});

test('keystrokes during a review wait for it, and only the newest keystroke is reviewed', async (t) => {
  const { editor, reviews } = await editorOf();
  await editor.choose(formCalled('edit'));
  await editor.write('path', 'orderer.batchTimeout');
  await Promise.all(['3s', '4s', '5s', '6s'].map((text) => editor.write('value', text)));
  t.is(reviews(), 2);
  t.true(JSON.stringify(editor.proposal?.review?.elements).includes('6s'));
});

/** An editor with reviews that the test ends. */
async function heldEditor(block: Uint8Array) {
  const ends: (() => void)[] = [];
  const editor = new EditorModel(async (files, base) => {
    const found = await reviewAll(files, base, { now: NOW });
    await new Promise<void>((resolve) => ends.push(resolve));
    return found;
  });
  await editor.begin(readConfigFile(Buffer.from(block)), []);
  await editor.choose(formCalled('edit'));
  await editor.write('path', 'orderer.batchTimeout');
  const shown: unknown[] = [];
  editor.onChange = () => shown.push(editor.proposal?.review?.elements.map(({ words }) => words));
  const begun = (count: number): Promise<void> => until(() => ends.length === count);
  return { editor, shown, begun, end: (index: number) => ends[index]!() };
}

test('the review of a former text, which ends later, is never shown', async (t) => {
  const { editor, shown, begun, end } = await heldEditor(BLOCKS[0]!);
  const writes = [editor.write('value', '8s')];
  await begun(1);
  writes.push(editor.write('value', '9s'));
  t.deepEqual([editor.isReviewed, editor.proposal], [false, undefined]);
  end(0);
  await begun(2);
  t.deepEqual([editor.isReviewed, editor.proposal], [false, undefined]);
  end(1);
  await Promise.all(writes);
  t.true(editor.isReviewed);
  t.regex(JSON.stringify(shown.at(-1)), /9s/);
  t.notRegex(JSON.stringify(shown), /8s/);
});

test('the review for a former block, which ends after a newer block was added, is never shown', async (t) => {
  const { editor, shown, begun, end } = await heldEditor(BLOCKS[0]!);
  const write = editor.write('value', '9s');
  await begun(1);
  const newer = editor.begin(readConfigFile(Buffer.from(BLOCKS[1]!)), []);
  end(0);
  await begun(2);
  t.is(editor.proposal, undefined);
  end(1);
  await Promise.all([write, newer]);
  const { editor: expected } = await editorOf(Buffer.from(BLOCKS[1]!));
  await expected.choose(formCalled('edit'));
  await expected.write('path', 'orderer.batchTimeout');
  await expected.write('value', '9s');
  t.deepEqual(editor.proposal, expected.proposal);
  t.is(shown.filter((each) => each !== undefined).length, 1);
});

test('a review that began before the rules of reviews changed is never shown', async (t) => {
  const { editor, begun, end } = await heldEditor(BLOCKS[0]!);
  const write = editor.write('value', '9s');
  await begun(1);
  editor.forgetReview();
  end(0);
  await begun(2);
  t.false(editor.isReviewed);
  end(1);
  await write;
  t.true(editor.isReviewed);
});

test('a text that is written while the form is loaded is kept when a newer block is added', async (t) => {
  const { editor } = await editorOf(Buffer.from(BLOCKS[0]!));
  const form = formCalled('edit');
  let loaded = (): void => undefined;
  const load = async () => {
    await new Promise<void>((resolve) => (loaded = resolve));
    return form.load();
  };
  const chosen = editor.choose({ ...form, load }, new Map([['path', 'orderer.batchTimeout']]));
  loaded();
  const newer = editor.begin(readConfigFile(Buffer.from(BLOCKS[1]!)), []);
  loaded();
  await Promise.all([chosen, newer]);
  t.deepEqual(
    editor.inputs.map((input) => editor.textOf(input)),
    ['orderer.batchTimeout', ''],
  );
});

test('an edit that cannot be reviewed says why', async (t) => {
  const editor = new EditorModel(async () => {
    throw new TranslateError('BAD_EDIT', 'too large');
  });
  await editor.begin(readConfigFile(BLOCK), []);
  await editor.choose(formCalled('policy set'));
  await editor.write('path', '/Channel/Application/Clerks');
  await editor.write('rule', 'ANY Readers');
  t.deepEqual([editor.isReviewed, editor.proposal?.error], [true, 'too large']);
});

test('an edit that is not possible has a reason, and is not applied', async (t) => {
  const { editor, reviews } = await editorOf();
  await editor.choose(formCalled('acl set'));
  t.is(editor.preview, undefined);
  await editor.write('resource', 'peer');
  t.is(notesOf(editor), '"peer" is not a resource; expected one such as peer/Propose');
  await editor.apply();
  t.deepEqual([editor.done.length, editor.proposal, reviews()], [0, undefined, 0]);
});

test('edits are undone and done again, and the review follows', async (t) => {
  const { editor } = await editorOf();
  await editor.choose(formCalled('policy set'));
  await editor.write('path', '/Channel/Application/Clerks');
  await editor.write('rule', 'ANY Readers');
  await editor.apply();
  t.deepEqual([editor.done.length, editor.canRedo, editor.proposal === undefined], [1, false, false]);
  await editor.undo();
  t.deepEqual([editor.done.length, editor.canRedo, editor.proposal === undefined], [0, true, true]);
  await editor.redo();
  t.deepEqual([editor.done.length, editor.canRedo, editor.proposal === undefined], [1, false, false]);
});

test('the first form adds an organisation, and has no preview before people write in it', async (t) => {
  const { editor } = await editorOf();
  t.deepEqual([editor.form.name, editor.preview], ['org add', undefined]);
  await editor.write('mspid', 'Org9MSP');
  t.is(notesOf(editor), 'drop the MSP folder of the organisation on the page, and choose it');
});

test('a form with a single choice shows its preview at once', async (t) => {
  const { editor } = await editorOf();
  await editor.choose(formCalled('consenter remove'));
  t.is(notesOf(editor), 'o.ord.test:7050 is the only consenter of the channel');
});

test('edits are done again on a newer block, and edits that are not possible there are named', async (t) => {
  const { editor } = await editorOf(Buffer.from(BLOCKS[0]!));
  await editor.choose(formCalled('edit'));
  await editor.write('path', 'orderer.batchTimeout');
  await editor.write('value', '9s');
  await editor.apply();
  await editor.choose(formCalled('capabilities set'));
  await editor.write('names', 'V3_0');
  await editor.apply();
  await editor.begin(readConfigFile(Buffer.from(BLOCKS[1]!)), []);
  t.is(editor.done.length, 1);
  t.regex(editor.lost.join(), /^\/Channel\/Capabilities: V2_0 -> V3_0.*: not possible with the new block: /);
});

for (const edit of EDITS)
  test(`the form ${edit.name} has inputs with different labels`, async (t) => {
    const { editor } = await editorOf();
    await editor.choose(edit);
    const labels = editor.inputs.map(({ label }) => label);
    t.true(labels.length > 0);
    t.is(new Set(labels).size, labels.length);
    t.is(new Set(editor.inputs.map(({ name }) => name)).size, labels.length);
  });

test('undo without edits and redo without undone edits change nothing', async (t) => {
  const { editor } = await editorOf();
  await editor.undo();
  await editor.redo();
  t.deepEqual([editor.done.length, editor.canRedo, editor.config], [0, false, readConfigFile(BLOCK).config]);
  await editor.choose(formCalled('policy set'));
  await editor.write('path', '/Channel/Application/Clerks');
  await editor.write('rule', 'ANY Readers');
  await editor.apply();
  await editor.redo();
  t.is(editor.done.length, 1);
  // A new edit drops the undone ones.
  await editor.undo();
  await editor.write('path', '/Channel/Application/Auditors');
  await editor.write('rule', 'ANY Readers');
  await editor.apply();
  t.deepEqual([editor.done.length, editor.canRedo], [1, false]);
  t.regex(String(editor.done[0]?.notes), /Auditors/);
});

test('after an edit is applied the form is empty, and has no preview until people write', async (t) => {
  const { editor } = await editorOf();
  await editor.choose(formCalled('capabilities set'));
  await editor.write('names', 'V2_0');
  await editor.write('level', 'application');
  await editor.apply();
  t.deepEqual(
    [editor.done.length, editor.preview, editor.inputs.map((each) => editor.textOf(each))],
    [1, undefined, ['channel', '']],
  );
  t.deepEqual([editor.update.name, editor.channel], ['edits-update.pb', 'edits']);
});

test('only a new organisation of orderers has endpoints', async (t) => {
  const { editor } = await editorOf();
  const names = (): readonly string[] => editor.inputs.map(({ name }) => name);
  t.false(names().includes('endpoints'));
  await editor.write('section', 'Orderer');
  t.true(names().includes('endpoints'));
});

test('before a block is read the editor has no config, and a config without a header no review', async (t) => {
  let reviews = 0;
  const editor = new EditorModel((files, base) => {
    reviews += 1;
    return reviewAll(files, base, { now: NOW });
  });
  t.deepEqual([editor.config, editor.channel, editor.isReviewed], [undefined, '', false]);
  const { config } = readConfigFile(BLOCK);
  await editor.begin({ kind: 'config', form: 'config', config }, []);
  await editor.choose(formCalled('policy set'));
  await editor.write('path', '/Channel/Application/Clerks');
  await editor.write('rule', 'ANY Readers');
  t.deepEqual([editor.isReviewed, editor.proposal, reviews], [true, undefined, 0]);
});

test('the JSON of a policy is its content, and of a missing element nothing', async (t) => {
  const { editor } = await editorOf();
  const texts = (): readonly string[] => editor.inputs.map((input) => editor.textOf(input));
  const row = { version: '0', modPolicy: '', depth: 2, name: 'Admins', kind: 'policy' } as const;
  await editor.chooseElement({
    ...row,
    path: '/Channel/Orderer/Admins',
    names: ['Channel', 'Orderer', 'Admins'],
  });
  const [path, json] = texts();
  t.is(path, '/Channel/Orderer/Admins');
  t.like(JSON.parse(json!), { type: 3, value: { rule: 'MAJORITY', sub_policy: 'Admins' } });
  await editor.chooseElement({ ...row, path: '/Channel/Orderer/No', names: ['Channel', 'Orderer', 'No'] });
  t.deepEqual(texts(), ['/Channel/Orderer/No', '']);
});
