// The lines of a relayed series, with the names and labels that its source shows.

import type {
  Labels,
  SeriesValue,
  SourceFamily,
  SourceHistogram,
  SourceSeries,
  SourceSummary,
} from '../contract/index.js';
import { goNumber } from './go-number.js';
import type { NodeLabels } from './node-labels.js';

/**
 * Creates a function that returns the values of a series; `index` is its place in the family.
 *
 * @param nodeLabels adds the label `node`; undefined: it is not added
 */
export function valuesOf(
  family: SourceFamily,
  nodeLabels: NodeLabels | undefined,
): (series: SourceSeries, index: number) => SeriesValue | SeriesValue[] {
  const { name } = family;
  const labelsOf = createTexts();
  const addNode = nodeLabels?.of(family);
  return ({ labels: own, value }, index) => {
    const labels = addNode === undefined ? own : addNode(own, index);
    if (typeof value === 'number') return { labels, value };
    const values =
      'bounds' in value
        ? bucketValues(name, value, labels, labelsOf)
        : quantileValues(value, labels, labelsOf);
    values.push({ metricName: `${name}_sum`, labels: NO_LABELS, sharedLabels: labels, value: value.sum });
    values.push({ metricName: `${name}_count`, labels: NO_LABELS, sharedLabels: labels, value: value.count });
    return values;
  };
}

const NO_LABELS: Labels = {};

type LabelsOfNumbers = (label: string, numbers: readonly number[]) => readonly Labels[];

function bucketValues(
  name: string,
  { bounds, counts }: SourceHistogram,
  sharedLabels: Labels,
  labelsOf: LabelsOfNumbers,
): SeriesValue[] {
  const metricName = `${name}_bucket`;
  return labelsOf('le', bounds).map((labels, index) => ({
    metricName,
    labels,
    sharedLabels,
    value: counts[index] as number,
  }));
}

function quantileValues(
  { quantiles, values }: SourceSummary,
  sharedLabels: Labels,
  labelsOf: LabelsOfNumbers,
): SeriesValue[] {
  return labelsOf('quantile', quantiles).map((labels, index) => ({
    labels,
    sharedLabels,
    value: values[index] as number,
  }));
}

/** The labels of bounds or quantiles. The series of a family have the same ones, so they are written once. */
function createTexts(): LabelsOfNumbers {
  let last: readonly number[] = [];
  let labels: readonly Labels[] = [];
  return (label, numbers) => {
    if (numbers.length !== last.length || !numbers.every((number, index) => number === last[index])) {
      last = numbers;
      labels = numbers.map((number) => ({ [label]: goNumber(number) }));
    }
    return labels;
  };
}
