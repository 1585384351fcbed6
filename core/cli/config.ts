// `config check` and `config show`: the settings that apply, their origins and their problems.

import { formatDuration } from '../common/text/duration.js';
import { formatHostPort, type HostPort } from '../common/text/host-port.js';
import type { LoadedSettings, LoadedNode } from '../../config/index.js';
import { BUILT_IN } from '../built-in.js';
import { AgentError } from '../contract/index.js';
import type { OptionSpec } from '../contract/plugin.js';
import { describeOtherNodes } from '../health/selection.js';
import type { LoadedPlugin } from '../host/index.js';
import { loadFrom, printWarnings, readArguments, SETTINGS_FLAGS, SETTINGS_HELP } from './arguments.js';
import { readCertificates, validityProblem } from '../common/certificates/tls-files.js';
import { ANY_HOST } from '../common/server/host-headers.js';
import { onOneLine } from '../common/text/one-line.js';
import { MASK } from '../common/text/spans.js';
import type { WithOrigin } from '../common/text/with-origin.js';
import { maskPaths, maskSegments } from '../common/text/value.js';
import { EXIT, type Command, type Process } from './command.js';
import {
  checkNodeAddresses,
  mspProblems,
  nodeCertificateProblems,
  unreadableFiles,
  unresolvedNames,
} from './start-checks.js';

/** Checks or prints the settings. */
export const config: Command = {
  help: `Usage: fabric-ops-agent config check|print [--node FILE]... [--config FILE]...
                               [--set KEY=VALUE]...

check   loads the settings, the declared plugins and the TLS files and prints
        every problem; starts nothing. Verifies the certificates for the nodes
        offline, that this user can read the files of all plugins, that the MSP
        of each node exists, and that the names of hosts can be resolved
print   prints the effective value and the origin of every setting, the
        monitored nodes, and the options of every plugin. Masks secrets,
        arguments of programs, and in URLs the credentials, the query values and
        possible tokens in the path

${SETTINGS_HELP}`,
  async run(args, process) {
    const { values, positionals } = readArguments(args, SETTINGS_FLAGS, true);
    const [action, ...rest] = positionals;
    if ((action !== 'check' && action !== 'print') || rest.length > 0)
      throw new AgentError(
        'USAGE',
        `config requires check or print: found ${positionals.length === 0 ? 'neither' : `'${positionals.join(' ')}'`}`,
      );
    const loaded = loadFrom(values, process);
    if (action === 'check') return check(loaded, process);
    const { loadPlugins } = await import('../host/index.js');
    process.out(describeSettings(loaded, await loadPlugins(loaded.settings, BUILT_IN)));
    return EXIT.ok;
  },
};

async function check(loaded: LoadedSettings, process: Process): Promise<number> {
  printWarnings(loaded.warnings, process);
  await checkNodeAddresses(loaded);
  const { settings, nodes } = loaded;
  const { createLoaded } = await import('../agent.js');
  const { loadDeclared } = await import('../wire.js');
  const plugins = await loadDeclared(settings);
  // This calls `create` and `init` of the plugins and reads the TLS files; it starts nothing.
  await (await createLoaded(settings, plugins)).stop();
  const ofPlugins = plugins.flatMap(({ warnings }) => warnings);
  printWarnings(ofPlugins, process);
  const unreadable = unreadableFiles(plugins, nodes);
  const problems = [
    ...serverProblems(loaded),
    ...nodeCertificateProblems(nodes, (path) => unreadable.has(path)),
    ...mspProblems(nodes, (path) => unreadable.has(path)),
    ...(await unresolvedNames(plugins)),
    ...unreadable.values(),
  ];
  for (const problem of problems) process.error(`fabric-ops-agent: error: ${onOneLine(problem)}\n`);
  if (problems.length > 0) return EXIT.failed;
  if (nodes.length > 1 && settings.health.groups.ready.include.length === 0)
    process.out(`${describeOtherNodes(nodes.map(({ name }) => name))}\n`);
  const { hosts, tls } = settings.operations;
  if (hosts.includes(ANY_HOST))
    process.out(
      `operations.hosts has '*': every Host is accepted${tls.enabled ? '' : ', so a page of any site can use this agent under a name of the site (DNS rebinding)'}\n`,
    );
  const count = loaded.warnings.length + ofPlugins.length;
  const verdict = count === 0 ? 'no problem found' : `valid, ${count} warning${count === 1 ? '' : 's'}`;
  process.out(`${loaded.files.join(', ')}: ${verdict}\n`);
  return EXIT.ok;
}

/** Problems that only cause a warning at a start: a server certificate that is not valid now. */
function serverProblems({ settings }: LoadedSettings): string[] {
  const { tls } = settings.operations;
  if (!tls.enabled) return [];
  const { certificates } = readCertificates(tls.certFile, 'server certificate');
  const problem = validityProblem(certificates[0]);
  return problem === undefined ? [] : [`server certificate ${tls.certFile} ${problem}`];
}

/**
 * The output of `config print`: the settings, the nodes, then the plugins. Omits the setting `plugins`, because only the plugins know which
 * of its values are secret, and the settings of nodes, which are printed with the nodes.
 */
export function describeSettings(
  { effective, nodes }: LoadedSettings,
  plugins: readonly LoadedPlugin[],
): string {
  const settings = [...effective]
    .filter(([key]) => key !== 'plugins' && key !== 'nodes' && !key.startsWith('node.'))
    .map(([key, { value, origin, sensitive }]) => row(`${key}: ${show(value, sensitive)}`, origin));
  const declared = plugins.flatMap(({ name, definition, declaration, options }) => [
    row(
      `plugin ${name} (${definition.kind}), on start error: ${declaration.onStartError}`,
      declaration.origin,
    ),
    ...Object.entries(options).map(([option, value]) => {
      const spec = definition.options[option];
      return `    ${option}: ${show(asWritten(value, spec?.format), spec?.sensitive)}\n`;
    }),
  ]);
  const ofNodes = nodes.flatMap(describeNode).map(({ value, origin }) => row(value, origin));
  return [...settings, ...ofNodes, ...declared].join('');
}

/** The value of an option in the form of a configuration file. */
function asWritten(value: unknown, format: OptionSpec['format'] | undefined): unknown {
  if (format === 'duration') return formatDuration(value as number);
  return format === 'host-port' ? formatHostPort(value as HostPort) : value;
}

const row = (text: string, origin: string): string => `${text.padEnd(60)}  # ${origin}\n`;

function show(value: unknown, sensitive: OptionSpec['sensitive'] = false): string {
  if (sensitive === true) return MASK;
  const shown = sensitive === 'arguments' && Array.isArray(value) ? withoutArguments(value) : value;
  const text = JSON.stringify(shown);
  return sensitive === 'path' ? maskPaths(text) : maskSegments(text);
}

const withoutArguments = ([program, ...rest]: readonly unknown[]): unknown[] => [
  program,
  ...rest.map(() => MASK),
];

/** The lines of `config print` about a node, with the origins of their values; empty values are omitted. */
export function describeNode(node: LoadedNode): WithOrigin<string>[] {
  const { address, tls, metrics, health, logging } = node;
  const values = {
    address: { ...address, value: formatHostPort(address.value) },
    ...tls,
    metrics,
    health,
    logging,
  };
  return [
    { value: `node ${node.name} (${node.kind})`, origin: node.origin },
    ...Object.entries(values)
      .filter(([, { value }]) => value !== '')
      .map(([key, { value, origin }]) => ({ value: `    ${key}: ${JSON.stringify(value)}`, origin })),
  ];
}
