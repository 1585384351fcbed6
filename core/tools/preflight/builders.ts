// Checks how a peer runs chaincode: Docker or external builders (Fabric: core/peer/config.go, `load`; internal/peer/node/start.go, `serve`).

import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import {
  asList,
  findIn,
  listInText,
  type NodePath,
  type NodeValue,
  type NodeValues,
} from '../../../config/index.js';
import { finding, type Finding } from './cause.js';
import type { ProgramDecoders } from './decoders.js';

const KEY = 'chaincode.externalBuilders';

/** Startup errors and warnings of the external builders of a peer, and of Docker without them. */
export function builderCauses(node: NodeValues<ProgramDecoders>): Finding[] {
  const given = node.value(KEY);
  const { value, origin } = given;
  const list = typeof value === 'string' ? listInText(KEY, value, node.decoders.hasNewLists) : asList(value);
  if ('problem' in list) return [undecodable(list.problem, origin)];
  const found = list.flatMap((entry, index) => {
    return builderProblem(node, entry, index, originAt(node, KEY, given, index));
  });
  return [...found, ...runtimeCauses(node, list.length === 0, origin)];
}

/** The origin of an entry of a list. */
export const originAt = (
  { file }: NodeValues,
  key: string,
  { origin, variable }: NodeValue,
  index: number,
): string => (variable === undefined ? file.where([...key.split('.'), String(index)]) : origin);

const undecodable = (problem: string, where: string): Finding =>
  finding('wrong-value', where, { list: 'builders', problem });

function builderProblem(node: NodeValues, entry: unknown, index: number, where: string): Finding[] {
  if (entry !== null && !(entry instanceof Map)) return [undecodable(`'[${index}]' expected a map`, where)];
  const builder = entry ?? new Map<unknown, unknown>();
  for (const name of ['Name', 'Path'])
    if (typeof findIn(builder, name).value === 'object')
      return [undecodable(`'[${index}].${name}' expected type 'string'`, where)];
  const text = (key: string): string =>
    String((findIn(builder, key).value as string | number | boolean | undefined) ?? '');
  const [path, name] = [text('path'), text('name')];
  if (path === '' || name === '') return [finding('builder-incomplete', where, { path })];
  // The peer uses this path unchanged to run the programs of the builder.
  return existsSync(isAbsolute(path) ? path : join(node.cwd, path))
    ? []
    : [finding('builder-missing', where, { name, path })];
}

function runtimeCauses(node: NodeValues<ProgramDecoders>, hasNoBuilder: boolean, origin: string): Finding[] {
  const endpoint = node.text('vm.endpoint');
  if (endpoint.value === '')
    return hasNoBuilder
      ? [finding('no-chaincode-runtime', endpoint.variable === undefined ? origin : endpoint.origin)]
      : [];
  return node.decoders.isRecent ? dockerTlsCauses(node) : [];
}

/** Missing files for a TLS connection to Docker; the client of earlier releases ignores them. */
function dockerTlsCauses(node: NodeValues): Finding[] {
  if (!node.isTrue('vm.docker.tls.enabled')) return [];
  const [ca, cert, key] = ['ca', 'cert', 'key'].map((name) => node.path(`vm.docker.tls.${name}.file`)) as [
    NodePath,
    NodePath,
    NodePath,
  ];
  const missing = [
    ...(ca.value === '' ? [] : [ca]),
    ...(cert.value + key.value === '' ? [] : [cert, key]),
  ].find(({ value }) => !existsSync(value));
  return missing === undefined
    ? []
    : [finding('tls-file-missing', missing.origin, { part: 'engine', path: missing.value })];
}
