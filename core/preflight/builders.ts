// What a peer runs chaincode with: Docker or external builders (Fabric: core/peer/config.go, `load`; internal/peer/node/start.go, `serve`).

import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { findKey, parseYamlValue } from '../../config/index.js';
import type { Found } from './cause.js';
import { isVariable, type PreflightNode } from './node.js';

const KEY = 'chaincode.externalBuilders';

/** What the external builders of a peer stop, and what it lacks without them. */
export function builderCauses(node: PreflightNode): Found[] {
  const { value, origin } = node.value(KEY);
  const list = typeof value === 'string' ? builderText(value, node.source.hasEmptyValues) : asList(value);
  if ('problem' in list) return [undecodable(list.problem, origin)];
  const found = list.flatMap((entry, index) => {
    const where = isVariable(origin) ? origin : node.file.where([...KEY.split('.'), String(index)]);
    return builderProblem(node, entry, index, where);
  });
  return [...found, ...runtimeCauses(node, list.length === 0, origin)];
}

/** A mapping or a single value becomes a list of it (mapstructure, `WeaklyTypedInput`). */
function asList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (value instanceof Map) return value.size === 0 ? [] : [value];
  return Array.isArray(value) ? value : [value];
}

/** A text is YAML (Fabric: common/viperutil/config_util.go, `YamlStringToStructHook`). @param isVersion3 whose decoder refuses blanks */
function builderText(text: string, isVersion3: boolean): readonly unknown[] | { readonly problem: string } {
  if (text === '') return [];
  if (text.trim() === '') return isVersion3 ? { problem: 'EOF' } : [];
  try {
    return asList(parseYamlValue(KEY, text));
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
  const text = (key: string): string => String(findKey(builder, key).value ?? '');
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
  // The peer runs its programs with this path as it is.
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
  if (endpoint.value.includes('://') && !/^(?:unix|tcp|https?|fd|npipe):\/\//.test(endpoint.value))
    return [
      {
        id: 'vm-endpoint-invalid',
        says: 'cannot create docker client: invalid endpoint',
        means: `${endpoint.value} is not the address of a Docker engine`,
        where: endpoint.origin,
        todo: 'write it as unix:///var/run/docker.sock or tcp://host:port, or leave it empty',
      },
    ];
  if (!hasNoBuilder || endpoint.value !== '') return [];
  return [
    {
      id: 'no-chaincode-runtime',
      says: 'VMEndpoint not set and no ExternalBuilders defined',
      means: 'the peer has nothing to run chaincode with',
      where: isVariable(endpoint.origin) ? endpoint.origin : origin,
      todo: 'set vm.endpoint, or list the external builder ccaas_builder',
    },
  ];
}
