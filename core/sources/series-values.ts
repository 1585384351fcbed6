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

/**
 * Creates a function that returns the values of a series.
 *
 * @param node the value of the label `node`; undefined: the label is not added
 */
export function valuesOf(
  { name }: SourceFamily,
  node: string | undefined,
): (series: SourceSeries) => SeriesValue | SeriesValue[] {
  const labelsOf = createTexts();
  return ({ labels: own, value }) => {
    const labels = node === undefined ? own : withNode(own, node);
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

/** Adds the label `node`. A label of this name that the series has is renamed, as Prometheus does with labels of a target. */
function withNode(labels: Labels, node: string): Labels {
  if (!Object.hasOwn(labels, 'node')) return { ...labels, node };
  const { node: own, ...others } = labels;
  return { ...others, exported_node: own as string, node };
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
