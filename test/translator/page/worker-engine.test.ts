// The engine behind a message port, as in the worker of the page.

import { MessageChannel } from 'node:worker_threads';
import test from 'ava';
import { TranslateError } from '../../../proto/index.js';
import { readConfigFile } from '../../../translator/channel/index.js';
import { removeOrganization, setPolicy, unsignedUpdate } from '../../../translator/edit/index.js';
import { ENGINE } from '../../../translator/page/engine.js';
import { PageModel } from '../../../translator/page/model.js';
import { percentOf } from '../../../translator/page/progress.js';
import { remoteEngine, serveEngine } from '../../../translator/page/worker-engine.js';
import { networkBlock } from '../../helpers/network-block.js';

const NOW = new Date('2026-11-24T00:00:00Z');
const BLOCK = networkBlock();
const BASE = readConfigFile(BLOCK);
const UPDATE = unsignedUpdate(
  BASE.config,
  setPolicy(BASE.config, '/Channel/Admins', 'ANY Admins').config,
  'mychannel',
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

test('a config is sent once, and the worker keeps only the newest one', async (t) => {
  const sent: { readonly args: readonly { readonly bytes?: Uint8Array }[] }[] = [];
  const { port1, port2 } = new MessageChannel();
  t.teardown(() => port1.close());
  port1.start();
  port2.start();
  serveEngine(port2 as never, ENGINE);
  const engine = remoteEngine({
    postMessage: (message) => {
      sent.push(message as never);
      port1.postMessage(message);
    },
    addEventListener: port1.addEventListener.bind(port1) as never,
  });
  const other = readConfigFile(BLOCK);
  for (const base of [BASE, BASE, other, BASE])
    t.deepEqual(await engine.organizationsOf(base), await ENGINE.organizationsOf(base));
  t.deepEqual(
    sent.map(({ args }) => args[0]?.bytes !== undefined),
    [true, false, true, true],
  );
});

test('a config that was not read from a file is sent as it is now', async (t) => {
  const { port1, port2 } = new MessageChannel();
  t.teardown(() => port1.close());
  port1.start();
  port2.start();
  serveEngine(port2 as never, ENGINE);
  const { config } = removeOrganization(BASE.config, 'Org2MSP');
  const names = await remoteEngine(port1 as never).organizationsOf({ ...BASE, config });
  t.deepEqual([...names.keys()].toSorted(), ['OrdererMSP', 'Org1MSP']);
});

test('an error that is no error of the library comes back without a code', async (t) => {
  const { port1, port2 } = new MessageChannel();
  t.teardown(() => port1.close());
  port1.start();
  port2.start();
  serveEngine(port2 as never, {
    ...ENGINE,
    pictureOf: async () => {
      throw new RangeError('out of memory');
    },
  });
  const error = await t.throwsAsync(remoteEngine(port1 as never).pictureOf(BASE, NOW), {
    message: 'out of memory',
  });
  t.false(error instanceof TranslateError);
});
