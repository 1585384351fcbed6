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

/** Makes a function that finds the bucket of a sample. Samples of one family come one after the other, so its part is kept. */
export function createBuckets(style: TagStyle): (sample: Sample) => Bucket {
  let family: Sample | undefined;
  let stem = '';
  return (sample) => {
    if (!isSameFamily(sample, family)) {
      family = sample;
      stem = stemOf(sample, style);
    }
    return style === 'none' ? plainBucket(stem, sample) : taggedBucket(stem, sample, style);
  };
}

function isSameFamily(sample: Sample, other: Sample | undefined): boolean {
  return (
    sample.name === other?.name &&
    sample.namespace === other.namespace &&
    sample.subsystem === other.subsystem
  );
}

function stemOf({ namespace, subsystem, name }: Sample, style: TagStyle): string {
  return [namespace, subsystem, name]
    .filter((part) => part !== '')
    .join('.')
    .replaceAll(style === 'none' ? UNSAFE_NAME : UNSAFE_TAG, '_');
}

const NO_TAGS: readonly string[] = [];

function plainBucket(stem: string, { labels }: Sample): Bucket {
  let name = stem;
  for (const label of Object.keys(labels)) name += `.${String(labels[label]).replace(UNSAFE_PART, '_')}`;
  return { name, tags: NO_TAGS };
}

function taggedBucket(stem: string, { labels }: Sample, style: TagStyle): Bucket {
  const tags = Object.entries(labels).map(([label, value]) => ({
    label: label.replaceAll(UNSAFE_TAG, '_') || '_',
    // No dialect has empty values.
    value: String(value).replaceAll(UNSAFE_TAG, '_') || '_',
  }));
  if (style === 'dogstatsd') return { name: stem, tags: tags.map(({ label, value }) => `${label}:${value}`) };
  const separator = style === 'influx' ? ',' : ';';
  const pairs = tags.map(({ label, value }) => `${label}=${value}`);
  return { name: [stem, ...pairs].join(separator), tags: NO_TAGS };
}

/** The prefix as it is put before every bucket: with a dot at its end, unless it has one or is empty. */
export function normalPrefix(prefix: string): string {
  return prefix === '' || prefix.endsWith('.') ? prefix : `${prefix}.`;
}
