// Checks how a peer runs chaincode: Docker or external builders (Fabric: core/peer/config.go, `load`; internal/peer/node/start.go, `serve`).

import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { findKey, parseFirstYamlValue } from '../../../config/index.js';
import type { Found } from './cause.js';
import { isVariable, type NodePath, type PreflightNode } from './node.js';

const KEY = 'chaincode.externalBuilders';

/** Startup errors and warnings of the external builders of a peer, and of Docker without them. */
export function builderCauses(node: PreflightNode): Found[] {
  const { value, origin } = node.value(KEY);
  const list = typeof value === 'string' ? listInText(KEY, value, node.decoders.hasNewLists) : asList(value);
  if ('problem' in list) return [undecodable(list.problem, origin)];
  const found = list.flatMap((entry, index) => {
    return builderProblem(node, entry, index, originAt(node, KEY, origin, index));
  });
  return [...found, ...runtimeCauses(node, list.length === 0, origin)];
}

/** The origin of an entry of a list. */
export const originAt = (node: PreflightNode, key: string, origin: string, index: number): string =>
  isVariable(origin) ? origin : node.file.where([...key.split('.'), String(index)]);

/** Wraps a mapping or a single value in a list (mapstructure, `WeaklyTypedInput`). */
export function asList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null || value === '') return [];
  if (value instanceof Map) return value.size === 0 ? [] : [value];
  return Array.isArray(value) ? value : [value];
}

/** Parses a text as YAML (Fabric: common/viperutil/config_util.go, `YamlStringToStructHook`). @param hasNewLists see {@link Decoders} */
export function listInText(
  key: string,
  text: string,
  hasNewLists: boolean,
): readonly unknown[] | { readonly problem: string } {
  if (text === '') return [];
  if (text.trim() === '') return hasNewLists ? { problem: 'EOF' } : [];
  try {
    const value = parseFirstYamlValue(key, text);
    return value === null && !hasNewLists ? [null] : asList(value);
  } catch {
    return { problem: 'yaml: ' };
  }
}

const undecodable = (says: string, where: string): Found => ({
  id: 'wrong-value',
  says,
  means: `${KEY} is not a list of builders in YAML or JSON`,
  where,
  todo: 'write it as [{name: NAME, path: DIRECTORY}]',
});

function builderProblem(node: PreflightNode, entry: unknown, index: number, where: string): Found[] {
  if (entry !== null && !(entry instanceof Map)) return [undecodable(`'[${index}]' expected a map`, where)];
  const builder = entry ?? new Map<unknown, unknown>();
  for (const name of ['Name', 'Path'])
    if (typeof findKey(builder, name).value === 'object')
      return [undecodable(`'[${index}].${name}' expected type 'string'`, where)];
  const text = (key: string): string =>
    String((findKey(builder, key).value as string | number | boolean | undefined) ?? '');
  const [path, name] = [text('path'), text('name')];
  if (path === '')
    return [
      {
        id: 'builder-incomplete',
        says: 'invalid external builder configuration, path attribute missing in one or more builders',
        means: 'an external builder has no path',
        where,
        todo: 'set path to its directory',
      },
    ];
  if (name === '')
    return [
      {
        id: 'builder-incomplete',
        says: `external builder at path ${path} has no name attribute`,
        means: 'an external builder has no name',
        where,
        todo: 'set its name',
      },
    ];
  // The peer uses this path unchanged to run the programs of the builder.
  if (existsSync(isAbsolute(path) ? path : join(node.cwd, path))) return [];
  return [
    {
      id: 'builder-missing',
      severity: 'warning',
      says: '',
      means: `the external builder ${name} does not exist at ${path}: the peer starts, and cannot run its chaincode`,
      where,
      todo: 'install the builder there, or remove the entry',
    },
  ];
}

function runtimeCauses(node: PreflightNode, hasNoBuilder: boolean, origin: string): Found[] {
  const endpoint = node.text('vm.endpoint');
  if (endpoint.value === '')
    return hasNoBuilder
      ? [
          {
            id: 'no-chaincode-runtime',
            says: 'VMEndpoint not set and no ExternalBuilders defined',
            means: 'the peer has no way to run chaincode',
            where: isVariable(endpoint.origin) ? endpoint.origin : origin,
            todo: 'set vm.endpoint, or list the external builder ccaas_builder',
          },
        ]
      : [];
  return node.decoders.isRecent ? dockerTlsCauses(node) : [];
}

/** Missing files for a TLS connection to Docker; the client of earlier releases ignores them. */
function dockerTlsCauses(node: PreflightNode): Found[] {
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
  if (missing === undefined) return [];
  return [
    {
      id: 'tls-file-missing',
      says: 'cannot create docker client: failed to create tls config: ',
      means: `a file for the TLS connection to Docker does not exist: ${missing.value === '' ? 'no file is named' : missing.value}`,
      where: missing.origin,
      todo: 'name a file that exists and that the user of the node may read, or set vm.docker.tls.enabled to false',
    },
  ];
}
