import test from 'ava';
import type { Dialect, NodeDialect } from '../../config/dialects.js';
import { readEnvironment, readFlags, unknownVariables, variableOf } from '../../config/overrides.js';
import { SETTINGS } from '../../config/schema.js';

// The variables that the nodes read, spelled out because the code derives them from the schema.
const VARIABLES: readonly (readonly [string, string, string])[] = [
  ['operations.listenAddress', 'CORE_OPERATIONS_LISTENADDRESS', 'ORDERER_OPERATIONS_LISTENADDRESS'],
  ['operations.tls.enabled', 'CORE_OPERATIONS_TLS_ENABLED', 'ORDERER_OPERATIONS_TLS_ENABLED'],
  ['operations.tls.cert.file', 'CORE_OPERATIONS_TLS_CERT_FILE', 'ORDERER_OPERATIONS_TLS_CERTIFICATE'],
  ['operations.tls.key.file', 'CORE_OPERATIONS_TLS_KEY_FILE', 'ORDERER_OPERATIONS_TLS_PRIVATEKEY'],
  [
    'operations.tls.clientAuthRequired',
    'CORE_OPERATIONS_TLS_CLIENTAUTHREQUIRED',
    'ORDERER_OPERATIONS_TLS_CLIENTAUTHREQUIRED',
  ],
  [
    'operations.tls.clientRootCAs.files',
    'CORE_OPERATIONS_TLS_CLIENTROOTCAS_FILES',
    'ORDERER_OPERATIONS_TLS_CLIENTROOTCAS',
  ],
  ['metrics.provider', 'CORE_METRICS_PROVIDER', 'ORDERER_METRICS_PROVIDER'],
  ['metrics.statsd.network', 'CORE_METRICS_STATSD_NETWORK', 'ORDERER_METRICS_STATSD_NETWORK'],
  ['metrics.statsd.address', 'CORE_METRICS_STATSD_ADDRESS', 'ORDERER_METRICS_STATSD_ADDRESS'],
  [
    'metrics.statsd.writeInterval',
    'CORE_METRICS_STATSD_WRITEINTERVAL',
    'ORDERER_METRICS_STATSD_WRITEINTERVAL',
  ],
  ['metrics.statsd.prefix', 'CORE_METRICS_STATSD_PREFIX', 'ORDERER_METRICS_STATSD_PREFIX'],
];
for (const [key, peer, orderer] of VARIABLES) {
  test(`${key} is overridden by ${peer} and ${orderer}`, (t) => {
    t.is(variableOf('peer', key), peer);
    t.is(variableOf('orderer', key), orderer);
    for (const [dialect, name] of [
      ['peer', peer],
      ['orderer', orderer],
    ] as const) {
      const { values } = readEnvironment({ [name]: 'x' }, new Set<Dialect>([dialect]), '/d');
      t.deepEqual([...values.keys()], [key]);
      t.is(values.get(key)?.origin, `environment ${name}`);
    }
  });
}

test('settings that nodes do not have get variables of the same form', (t) => {
  t.is(variableOf('peer', 'health.cacheFor'), 'CORE_HEALTH_CACHEFOR');
  t.is(variableOf('orderer', 'metrics.maxSeries'), 'ORDERER_METRICS_MAXSERIES');
  t.is(variableOf('peer', 'vm.docker.tls.ca.file'), 'CORE_VM_DOCKER_TLS_CA_FILE');
});

test('there is no variable for a setting that the node does not have, nor for the list of plugins', (t) => {
  t.is(variableOf('orderer', 'vm.endpoint'), undefined);
  t.is(variableOf('peer', 'logging.spec'), undefined);
  t.is(variableOf('peer', 'plugins'), undefined);
});

test('no two settings share a variable', (t) => {
  for (const node of ['peer', 'orderer'] as const) {
    const names = [...SETTINGS.keys()].flatMap((key) => variableOf(node, key) ?? []);
    t.is(new Set(names).size, names.length);
  }
});

const read = (environment: Record<string, string>, ...dialects: Dialect[]) =>
  readEnvironment(environment, new Set(dialects), '/d');

test('an empty variable is ignored', (t) => {
  t.is(read({ CORE_VM_ENDPOINT: '', FABRIC_LOGGING_SPEC: '' }, 'peer').values.size, 0);
});

test('with the file of one node, the variables of the other node are ignored', (t) => {
  const both = { CORE_METRICS_PROVIDER: 'statsd', ORDERER_METRICS_PROVIDER: 'prometheus' };
  t.is(read(both, 'peer').values.get('metrics.provider')?.value, 'statsd');
  t.is(read(both, 'orderer').values.get('metrics.provider')?.value, 'prometheus');
  t.deepEqual(read(both, 'peer').problems, []);
});

test("without a node's file the variables of both nodes are used, and must not conflict", (t) => {
  const problem =
    'environment CORE_METRICS_PROVIDER: conflicts with ORDERER_METRICS_PROVIDER; set only one of them';
  const conflicting = { CORE_METRICS_PROVIDER: 'statsd', ORDERER_METRICS_PROVIDER: 'prometheus' };
  t.deepEqual(read(conflicting, 'agent').problems, [problem]);
  t.deepEqual(read(conflicting).problems, [problem]);
  t.deepEqual(read(conflicting, 'peer', 'orderer').problems, [problem]);
  const same = { CORE_METRICS_PROVIDER: 'statsd', ORDERER_METRICS_PROVIDER: 'statsd' };
  t.deepEqual(read(same, 'agent').problems, []);
  t.is(read({ ORDERER_METRICS_PROVIDER: 'statsd' }, 'agent').values.get('metrics.provider')?.value, 'statsd');
});

test('the variables of every Fabric program are used with any file', (t) => {
  for (const dialect of ['agent', 'peer', 'orderer'] as const) {
    const { values } = read({ FABRIC_LOGGING_SPEC: 'debug', FABRIC_LOGGING_FORMAT: 'json' }, dialect);
    t.is(values.get('logging.spec')?.value, 'debug');
    t.is(values.get('logging.format')?.origin, 'environment FABRIC_LOGGING_FORMAT');
  }
});

const LISTS: readonly (readonly [NodeDialect, string, readonly string[]])[] = [
  ['orderer', '[/a.pem,/b.pem]', ['/a.pem', '/b.pem']],
  ['orderer', ' [ /a.pem , /b.pem ] ', ['/a.pem', '/b.pem']],
  ['orderer', '[]', []],
  ['orderer', '/a.pem', ['/a.pem']],
  ['orderer', '/a b.pem', ['/a b.pem']],
  ['orderer', '/a.pem,/b.pem', ['/a.pem,/b.pem']],
  ['peer', '/a.pem /b.pem', ['/a.pem', '/b.pem']],
  ['peer', '  /a.pem \t /b.pem\n', ['/a.pem', '/b.pem']],
  ['peer', '/a,b.pem', ['/a,b.pem']],
  ['peer', '[/a.pem,/b.pem]', ['[/a.pem,/b.pem]']],
];
for (const [node, text, items] of LISTS) {
  test(`the list '${text}' in a variable of the ${node} is ${JSON.stringify(items)}`, (t) => {
    const { values } = read({ [variableOf(node, 'operations.tls.clientRootCAs.files') ?? '']: text }, node);
    t.deepEqual(values.get('operations.tls.clientRootCAs.files')?.value, items);
  });
}

test('a flag sets a key, ignoring case, and is the origin of the value', (t) => {
  const { values, problems } = readFlags(['OPERATIONS.listenaddress=:1'], '/cwd');
  t.deepEqual(problems, []);
  t.deepEqual(
    [...values],
    [
      [
        'operations.listenAddress',
        { value: ':1', origin: 'flag --set operations.listenAddress', directory: '/cwd' },
      ],
    ],
  );
});

test('the last of several flags for a key is used', (t) => {
  t.is(readFlags(['vm.endpoint=a', 'vm.endpoint=b'], '/').values.get('vm.endpoint')?.value, 'b');
});

test('a value may be empty, and may contain equals signs and line breaks', (t) => {
  const { values } = readFlags(['vm.endpoint=', 'logging.format=a=b\nc'], '/');
  t.is(values.get('vm.endpoint')?.value, '');
  t.is(values.get('logging.format')?.value, 'a=b\nc');
});

test('the items of a list of paths are separated by commas', (t) => {
  const list = (text: string): unknown =>
    readFlags([`operations.tls.clientRootCAs.files=${text}`], '/').values.get(
      'operations.tls.clientRootCAs.files',
    )?.value;
  t.deepEqual(list('a.pem,/b.pem'), ['a.pem', '/b.pem']);
  t.deepEqual(list(''), []);
});

const PROBLEMS: readonly (readonly [string, string])[] = [
  ['vm.endpoint', 'flag --set vm.endpoint: must be key=value'],
  ['', 'flag --set : must be key=value'],
  ['vm.endpiont=x', 'flag --set: vm.endpiont: unknown key; did you mean vm.endpoint?'],
  ['listenAddress=:1', 'flag --set: listenAddress: unknown key; did you mean operations.listenAddress?'],
  ['plugins=docker', 'flag --set: plugins: can only be set in a file'],
];
for (const [flag, problem] of PROBLEMS) {
  test(`the flag '${flag}' is rejected: ${problem}`, (t) => {
    t.deepEqual(readFlags([flag], '/'), { values: new Map(), problems: [problem] });
  });
}

const NO_VARIABLE = 'is not a variable of fabric-ops-agent';
for (const [what, names, warnings] of [
  ['of a setting', ['LOGGING_SPEC', 'OPERATIONS_TLS_CERT_FILE'], []],
  ['without a value', ['LOGGING_SPEK='], []],
  [
    'that is nearly the variable of a setting',
    ['LOGGING_SPEK'],
    [`FABRIC_OPS_AGENT_LOGGING_SPEK: ${NO_VARIABLE}; did you mean FABRIC_OPS_AGENT_LOGGING_SPEC?`],
  ],
  ['of something else', ['QQ'], [`FABRIC_OPS_AGENT_QQ: ${NO_VARIABLE}`]],
  ['of a list, which only files have', ['PLUGINS_'], [`FABRIC_OPS_AGENT_PLUGINS_: ${NO_VARIABLE}`]],
  [
    'of Services of Kubernetes',
    ['SERVICE_PORT', 'PORT_9443_TCP_ADDR', 'X'],
    [
      `FABRIC_OPS_AGENT_X: ${NO_VARIABLE}`,
      'FABRIC_OPS_AGENT_PORT_9443_TCP_ADDR, FABRIC_OPS_AGENT_SERVICE_PORT: not variables of fabric-ops-agent; Kubernetes sets them for a Service with a name that begins with fabric-ops-agent, unless the pod has enableServiceLinks: false',
    ],
  ],
] as const)
  test(`variables of the agent ${what}: ${warnings.length} warnings`, (t) => {
    const own = names.map((name): [string, string] => {
      const [key = '', value = 'x'] = name.split('=');
      return [`FABRIC_OPS_AGENT_${key}`, value];
    });
    const environment = { ...Object.fromEntries(own), OTHER_AGENT_LOGGING_SPEK: 'x' };
    t.deepEqual(
      unknownVariables(environment),
      warnings.map((warning) => `environment ${warning}`),
    );
  });
