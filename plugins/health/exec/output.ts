// The output of monitoring plugins: one line of text, then performance data behind a vertical bar.
// See https://www.monitoring-plugins.org/doc/guidelines.html.

import { onOneLine } from '../../../core/kit/index.js';
import { toBaseUnit } from './units.js';

/** The most performance data of one check. */
const MAX_DATA = 50;
/** Longest label and unit, in UTF-16 units. */
const MAX_LABEL = 100;
const MAX_UNIT = 10;

/** One value of the performance data. */
export interface PerformanceValue {
  readonly label: string;
  readonly value: number;
  /** `seconds`, `bytes`, `ratio`, empty for a count, or the unit that the plugin writes. */
  readonly unit: string;
}

/** The output of a plugin. */
interface PluginOutput {
  /** The first line without performance data; empty if there is none. */
  readonly text: string;
  readonly data: readonly PerformanceValue[];
}

/** Reads the standard output of a plugin. Everything but performance data is ignored. */
export function readOutput(stdout: string): PluginOutput {
  const [first = '', ...others] = stdout.split('\n');
  const [text = '', ...ofFirst] = first.split('|');
  // In further lines the performance data begins at the first bar, and continues to the end.
  const rest = others.join('\n');
  const bar = rest.indexOf('|');
  const data = [ofFirst.join('|'), bar === -1 ? '' : rest.slice(bar + 1).replaceAll('\n', ' ')];
  return { text: text.trim(), data: data.flatMap(valuesIn).slice(0, MAX_DATA) };
}

/** `'label'=value[unit];warn;crit;min;max`, separated by spaces; quotes in a label are doubled. */
const DATUM = /(?:^|\s)(?:'((?:[^']|'')+)'|([^\s='|]+))=([-+]?[\d.]+(?:e[-+]?\d+)?)([^\s;]*)/gi;

function valuesIn(text: string): PerformanceValue[] {
  return [...text.matchAll(DATUM)].flatMap(([, quoted, plain = '', number, unit = '']) => {
    const value = Number(number);
    const label = cut(quoted?.replaceAll("''", "'") ?? plain, MAX_LABEL);
    return Number.isFinite(value) ? [{ label, ...toBaseUnit(value, cut(unit, MAX_UNIT)) }] : [];
  });
}

/** The start of a text without hidden characters. */
const cut = (text: string, length: number): string => onOneLine(text).slice(0, length).toWellFormed();
