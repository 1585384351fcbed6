// The engine behind a message port, as in the worker of the page.

import { MessageChannel } from 'node:worker_threads';
import test from 'ava';
import { TranslateError } from '../../../proto/index.js';
import { readConfigFile } from '../../../translator/channel/index.js';
import { setPolicy, unsignedUpdate } from '../../../translator/edit/index.js';
import { ENGINE } from '../../../translator/page/engine.js';
import { PageModel } from '../../../translator/page/model.js';
import { percentOf } from '../../../translator/page/progress.js';
import { remoteEngine, serveEngine } from '../../../translator/page/worker-engine.js';
import { networkBlock } from '../../helpers/network-block.js';

const NOW = new Date('2026-11-24T00:00:00Z');
const BLOCK = networkBlock();
const BASE = readConfigFile(BLOCK);
const UPDATE = unsignedUpdate(
  'mychannel',
  BASE.config,
  setPolicy(BASE.config, '/Channel/Admins', 'ANY Admins').config,
).bytes;

const file = (path: string, bytes: Uint8Array) => ({
  path,
  read: async () => ({ path, bytes, size: bytes.length }),
});

test('a page whose engine is behind messages shows the same as one without', async (t) => {
  const { port1, port2 } = new MessageChannel();
  t.teardown(() => port1.close());
  port1.start();
  port2.start();
  serveEngine(port2 as never, ENGINE);
  const shownBy = async (engine: typeof ENGINE): Promise<unknown> => {
    const model = new PageModel(() => NOW, engine);
    await model.add([file('block.pb', BLOCK), file('takeover.pb', UPDATE)]);
    const review = model.chosen?.review;
    const gains = model.gainsOf(model.chosen!);
    await model.show('channel');
    return [review, gains, model.picture, model.powers.answer];
  };
  t.deepEqual(await shownBy(remoteEngine(port1 as never)), await shownBy(ENGINE));
});

test('the progress of a review comes back before its result, each hundredth once', async (t) => {
  const { port1, port2 } = new MessageChannel();
  t.teardown(() => port1.close());
  port1.start();
  port2.start();
  serveEngine(port2 as never, ENGINE);
  const percents: number[] = [];
  const files = [{ name: 'takeover.pb', bytes: UPDATE }];
  await remoteEngine(port1 as never).reviewAll(files, BASE, { now: NOW, fabric: [] }, (progress) =>
    percents.push(percentOf(progress)),
  );
  t.is(percents.at(-1), 100);
  t.deepEqual(
    percents,
    [...new Set(percents)].toSorted((one, other) => one - other),
  );
});

test('an error of the engine comes back as an error', async (t) => {
  const { port1, port2 } = new MessageChannel();
  t.teardown(() => port1.close());
  port1.start();
  port2.start();
  serveEngine(port2 as never, ENGINE);
  await t.throwsAsync(remoteEngine(port1 as never).gainsOf(BASE, Buffer.from('no update'), []), {
    instanceOf: TranslateError,
    code: 'WRONG_MESSAGE',
    message: /config update is needed/,
  });
});
