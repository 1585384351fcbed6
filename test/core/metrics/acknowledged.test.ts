// The growth that a push sink has not accepted yet.

import test from 'ava';
import { Acknowledged } from '../../../core/metrics/acknowledged.js';

const batch = (isAccepted = false): { isAccepted: boolean } => ({ isAccepted });

test('the growth of a counter is since the last batch that was accepted', (t) => {
  const acknowledged = new Acknowledged();
  const series = acknowledged.series('a');
  t.is(acknowledged.growth(series, 3, batch()), 3);
  t.is(acknowledged.growth(series, 5, batch(true)), 5);
  t.is(acknowledged.growth(series, 5, batch()), 0);
  t.is(acknowledged.growth(series, 6, batch()), 1);
  t.is(acknowledged.growth(series, 8, batch(true)), 3);
  t.is(acknowledged.growth(series, 9, batch(true)), 1);
});

test('growth below a millionth is kept for a later batch', (t) => {
  const acknowledged = new Acknowledged();
  const series = {};
  t.is(acknowledged.growth(series, 4e-7, batch(true)), 0);
  t.is(acknowledged.growth(series, 8e-7, batch(true)), 1e-6);
  t.is(acknowledged.growth(series, 1.4e-6, batch(true)), 0);
  t.is(acknowledged.growth(series, 2e-6, batch(true)), 1e-6);
});

test('a counter beyond whole numbers grows, and an infinite one does so once', (t) => {
  const acknowledged = new Acknowledged();
  const series = {};
  t.is(acknowledged.growth(series, 1e20, batch(true)), 1e20);
  t.is(acknowledged.growth(series, Infinity, batch(true)), Infinity);
  t.is(acknowledged.growth(series, Infinity, batch(true)), 0);
});

test('a counter that decreases does not grow', (t) => {
  const acknowledged = new Acknowledged();
  const series = {};
  t.is(acknowledged.growth(series, 5, batch(true)), 5);
  t.is(acknowledged.growth(series, 4, batch(true)), 0);
  t.is(acknowledged.growth(series, 6, batch(true)), 1);
});

test('a key has one series, and two keys have two', (t) => {
  const acknowledged = new Acknowledged();
  t.is(acknowledged.series('a'), acknowledged.series('a'));
  t.not(acknowledged.series('a'), acknowledged.series('b'));
});

test('the growth of a histogram is in each bucket, and its sum is rounded', (t) => {
  const acknowledged = new Acknowledged();
  const series = {};
  t.deepEqual(acknowledged.histogramGrowth(series, [1, 0, 0.1 + 0.2], batch()), [1, 0, 0.3]);
  t.deepEqual(acknowledged.histogramGrowth(series, [1, 1, 1.5], batch(true)), [1, 1, 1.5]);
  t.is(acknowledged.histogramGrowth(series, [1, 1, 1.5], batch()), undefined);
  t.is(acknowledged.histogramGrowth(series, [1, 1, 2], batch()), undefined);
  t.deepEqual(acknowledged.histogramGrowth(series, [2, 1, 2], batch(true)), [1, 0, 0.5]);
  t.is(acknowledged.histogramGrowth(series, [2, 1, 2], batch()), undefined);
});
