import test from 'ava';
import { SharedRenderings } from '../../../../plugins/metrics/prometheus/shared-renderings.js';
import { stopTimeouts } from '../../../helpers/clock.js';

/** Counts the renderings, each of which has its number and its timeout. */
function counted(fails = false): SharedRenderings<string, string> {
  let count = 0;
  return new SharedRenderings(async (format: string, timeout) => {
    count += 1;
    if (fails) throw new Error(`rendering ${count}`);
    return `${format} ${count} ${timeout}`;
  });
}

test.serial(
  'requests within one second share a rendering of a format, and the first one sets its timeout',
  async (t) => {
    const clock = stopTimeouts(t);
    const rendered = counted();
    t.is(await rendered.get('text', 9000), 'text 1 9000');
    clock.tick(999);
    t.is(await rendered.get('text', 5), 'text 1 9000');
    t.is(await rendered.get('openmetrics', undefined), 'openmetrics 2 undefined');
    clock.tick(1);
    t.is(await rendered.get('text', undefined), 'text 3 undefined');
  },
);

test.serial('the second begins with the rendering, and also requests during it share it', async (t) => {
  const clock = stopTimeouts(t);
  let end = (): void => undefined;
  let count = 0;
  const rendered = new SharedRenderings<string, number>(() => {
    count += 1;
    const own = count;
    return new Promise((resolve) => {
      end = () => resolve(own);
    });
  });
  const first = rendered.get('text', undefined);
  clock.tick(600);
  const second = rendered.get('text', undefined);
  end();
  t.deepEqual(await Promise.all([first, second]), [1, 1]);
  await Promise.resolve();
  t.is(clock.countTimers(), 1);
  clock.tick(400);
  t.is(clock.countTimers(), 0);
  const third = rendered.get('text', undefined);
  end();
  t.is(await third, 2);
});

test.serial('a slow rendering that ends after a newer one began does not end the newer one', async (t) => {
  const clock = stopTimeouts(t);
  const ends: (() => void)[] = [];
  const rendered = new SharedRenderings<string, number>(
    () => new Promise((resolve) => ends.push(() => resolve(ends.length))),
  );
  const slow = rendered.get('text', undefined);
  clock.tick(1000);
  const newer = rendered.get('text', undefined);
  ends[0]?.();
  await slow;
  clock.tick(0);
  t.is(rendered.get('text', undefined), newer);
});

test.serial('a failed rendering is not shared', async (t) => {
  stopTimeouts(t);
  const rendered = counted(true);
  await t.throwsAsync(rendered.get('text', undefined), { message: 'rendering 1' });
  await t.throwsAsync(rendered.get('text', undefined), { message: 'rendering 2' });
});

test.serial('without the renderings there is no timer, also after a rendering that ends later', async (t) => {
  const clock = stopTimeouts(t);
  const rendered = counted();
  await rendered.get('text', undefined);
  const late = rendered.get('openmetrics', undefined);
  await Promise.resolve();
  rendered.clear();
  await late;
  await Promise.resolve();
  t.is(clock.countTimers(), 0);
  t.is(await rendered.get('text', undefined), 'text 3 undefined');
});
