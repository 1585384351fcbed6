// From a sample to the bucket that StatsD keeps it under. Without tags this is what a Fabric node does: the parts of the name and
// the label values, joined by dots.

import type { Sample } from '../../../core/contract/index.js';

/** How labels are told: in the bucket name, or as tags in one of the dialects. */
export type TagStyle = 'none' | 'dogstatsd' | 'influx' | 'graphite';

/** A bucket, and tags that follow the value (dogstatsd only). */
export interface Bucket {
  readonly name: string;
  readonly tags: readonly string[];
}

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029';
/** What would end a name or a part of one, or forge a line; a semicolon begins a tag to StatsD and Graphite. */
const UNSAFE_PART = new RegExp(`[.|:;\\s${CONTROL}]`, 'g');
const UNSAFE_NAME = new RegExp(`[|:;\\s${CONTROL}]`, 'g');
/** What would end a tag in any of the dialects. */
const UNSAFE_TAG = new RegExp(`[|:,;=#~!\\s${CONTROL}]`, 'g');

/** The bucket of a sample. */
export function bucketOf({ namespace, subsystem, name, labels }: Sample, style: TagStyle): Bucket {
  const stem = [namespace, subsystem, name]
    .filter((part) => part !== '')
    .join('.')
    .replaceAll(UNSAFE_NAME, '_');
  if (style === 'none') {
    let bucket = stem;
    for (const label of Object.keys(labels))
      bucket += `.${String(labels[label]).replaceAll(UNSAFE_PART, '_')}`;
    return { name: bucket, tags: [] };
  }
  const tags = Object.entries(labels).map(([label, value]) => ({
    label,
    // No dialect has empty values.
    value: String(value).replaceAll(UNSAFE_TAG, '_') || '_',
  }));
  if (style === 'dogstatsd') return { name: stem, tags: tags.map(({ label, value }) => `${label}:${value}`) };
  const separator = style === 'influx' ? ',' : ';';
  return { name: [stem, ...tags.map(({ label, value }) => `${label}=${value}`)].join(separator), tags: [] };
}

/** The prefix as it is put before every bucket: with a dot at its end, unless it has one or is empty. */
export function normalPrefix(prefix: string): string {
  return prefix === '' || prefix.endsWith('.') ? prefix : `${prefix}.`;
}
