// Maps a sample to its StatsD bucket. Without tags the bucket is the same as in a Fabric node: the parts of the family name and the label
// values, joined by dots. With several nodes, the name of the node comes before it, or is a tag.

import { visibleLines } from '../../common/text/one-line.js';
import type { Labels, Sample } from '../../contract/index.js';

/** The label encoding: in the bucket name, or as tags in one of the dialects. */
export type TagStyle = 'none' | 'dogstatsd' | 'influx' | 'graphite';

/**
 * How the name of the node is written, with several nodes. `escaped`: as one part of the name, with `_` for empty label values, so that the
 * series of a family have the same number of parts, or with tags as the tag `node`. `dotted`: in front of the name, with its dots.
 */
export type NodePrefix = 'escaped' | 'dotted';

/** A bucket name, and the tags that follow the value (dogstatsd only). */
export interface Bucket {
  readonly name: string;
  readonly tags: string[];
}

/** Characters that end a name, a part of a name or a line; StatsD and Graphite start a tag at a semicolon. */
const UNSAFE_IN_PART = /[.|:;\s]/g;
const UNSAFE_IN_NAME = /[|:;\s]/g;
/** Characters that end a tag in any of the dialects. */
const UNSAFE_IN_TAG = /[|:,;=#~!\s]/g;

/**
 * A name or label value of a sample, also of a relayed one: hidden characters are escaped as in labels of the agent, unsafe characters
 * become `_`.
 */
const safe = (text: string, unsafe: RegExp): string => visibleLines(text).replaceAll(unsafe, '_');

/**
 * Creates a function that maps a sample to its bucket. The samples of a family follow each other, so its name is cached. A suffix is
 * the last part of the name.
 */
export function createBuckets(
  style: TagStyle,
  nodePrefix: NodePrefix = 'escaped',
): (sample: Sample, suffix?: string) => Bucket {
  let family: Sample | undefined;
  let familyName = '';
  return (sample, suffix = '') => {
    if (!isSameFamily(sample, family)) {
      family = sample;
      familyName = familyNameOf(sample, style, nodePrefix);
    }
    if (style === 'none') {
      // Graphite ignores an empty part, which Fabric writes.
      const empty = nodePrefix === 'escaped' && (sample.node ?? '') !== '' ? '_' : '';
      return plainBucket(familyName, sample.labels, empty, suffix);
    }
    const labels = nodePrefix === 'escaped' ? labelsWithNode(sample) : sample.labels;
    return taggedBucket(familyName + suffix, labels, style);
  };
}

function isSameFamily(sample: Sample, other: Sample | undefined): boolean {
  return (
    sample.name === other?.name &&
    sample.namespace === other.namespace &&
    sample.subsystem === other.subsystem &&
    sample.node === other.node
  );
}

function familyNameOf(
  { node = '', namespace, subsystem, name }: Sample,
  style: TagStyle,
  nodePrefix: NodePrefix,
): string {
  const escaped = style === 'none' ? safe(node, UNSAFE_IN_PART) : '';
  const parts = [nodePrefix === 'dotted' ? node : escaped, namespace, subsystem, name];
  const joined = parts.filter((part) => part !== '').join('.');
  return safe(joined, style === 'none' ? UNSAFE_IN_NAME : UNSAFE_IN_TAG);
}

/**
 * The characters of a name that become `_`: all except letters, digits and `_:@+.-`, and with tags in the name their separators and `/`.
 * Graphite reads parentheses, braces, brackets, commas and asterisks in queries, and stores a name as a path.
 */
const NOT_PLAIN: Readonly<Record<TagStyle, RegExp>> = {
  none: /[^\p{L}\p{M}\p{N}_:@+.-]/gu,
  dogstatsd: /[^\p{L}\p{M}\p{N}_:@+.-]/gu,
  influx: /[^\p{L}\p{M}\p{N}_:@+./,=-]/gu,
  graphite: /[^\p{L}\p{M}\p{N}_:@+./;=-]/gu,
};

/** The name of a bucket without characters that queries or paths of a receiver use. The bucket of a Fabric node may have them. */
export function plainName({ name }: Bucket, style: TagStyle): string {
  return name.replaceAll(NOT_PLAIN[style], '_');
}

const NO_TAGS: string[] = [];

/** @param empty is written for an empty label value */
function plainBucket(familyName: string, labels: Labels, empty: string, suffix: string): Bucket {
  let name = familyName;
  for (const label of Object.keys(labels)) name += `.${safe(String(labels[label]), UNSAFE_IN_PART) || empty}`;
  return { name: name + suffix, tags: NO_TAGS };
}

/** A label `node` of the family becomes `exported_node`, as in a scrape of the agent. */
function labelsWithNode({ node = '', labels }: Sample): Labels {
  if (node === '') return labels;
  if (!Object.hasOwn(labels, 'node')) return { node, ...labels };
  const { node: own, ...others } = labels;
  return { node, ...others, exported_node: own as string };
}

function taggedBucket(familyName: string, labels: Labels, style: TagStyle): Bucket {
  const tags = Object.entries(labels).map(([label, value]) => ({
    label: safe(label, UNSAFE_IN_TAG) || '_',
    // No dialect allows an empty value.
    value: safe(String(value), UNSAFE_IN_TAG) || '_',
  }));
  if (style === 'dogstatsd')
    return { name: familyName, tags: tags.map(({ label, value }) => `${label}:${value}`) };
  const separator = style === 'influx' ? ',' : ';';
  const pairs = tags.map(({ label, value }) => `${label}=${value}`);
  return { name: [familyName, ...pairs].join(separator), tags: NO_TAGS };
}

/** Returns the prefix with a dot at its end, unless it is empty or has one. */
export function normalPrefix(prefix: string): string {
  return prefix === '' || prefix.endsWith('.') ? prefix : `${prefix}.`;
}
