// Checks from its files whether a node would start, without its program. Writes nothing, and sends nothing to other nodes.

import { resolve } from 'node:path';
import { rulesOf, type Program } from 'fabric-ops-agent/translator/msp';
import { openNodeFile, type Environment, type NodeFile, type NodeValues } from '../../../config/index.js';
import { AgentError, reasonOf } from '../../contract/index.js';
import type { StoredChannel } from '../../fabric/stored-channel.js';
import { causeOf, finding, type Cause, type Finding } from './cause.js';
import type { ProgramDecoders } from './decoders.js';
import { channelCauses, storedChannels } from './channels.js';
import { consenterCauses, raftChannels } from './consenters.js';
import { ledgerCauses, ledgerHolder } from './ledger.js';
import { isListening, listenerCauses } from './listeners.js';
import { mspCauses } from './msp.js';
import { readNodeFor } from './node.js';
import { unknownKeys } from './orderer-keys.js';
import { refusedValues } from './refused-values.js';
import { settingsCauses } from './settings.js';
import { tlsCauses } from './tls.js';
import { unusedVariables } from './unused-variables.js';

/** The node to check. */
interface PreflightOptions {
  /** The core.yaml or orderer.yaml, or its directory. */
  readonly file: string;
  /** The variables that the node is started with. */
  readonly variables: Environment;
  /** The directory that the node is started in; relative paths of {@link file} are relative to it, too. */
  readonly cwd: string;
  /** The version of Fabric to start, such as `3.1` or `3.1.5`; undefined: {@link NEWEST}. */
  readonly version: string | undefined;
}

/** The result of {@link preflight}. */
export interface PreflightResult {
  readonly file: string;
  readonly kind: 'peer' | 'orderer';
  /** The version in the options; undefined: the newest ones. */
  readonly version: string | undefined;
  /** Causes first, in the order of the checks of the program. */
  readonly causes: readonly Cause[];
  /** The node, for `--program`; undefined if its file cannot be read. */
  readonly node: NodeValues | undefined;
}

/** The versions if none is given: an error of both is a cause, an error of only the second is a warning. */
const NEWEST = ['2.5.16', '3.1.5'] as const;

/**
 * Checks a node.
 *
 * @throws AgentError `USAGE` for an unknown version, or a file that does not configure a node
 */
export async function preflight(options: PreflightOptions): Promise<PreflightResult> {
  const { file, version } = options;
  const programs = programsOf(version);
  const opened = open(options);
  if ('cause' in opened) return { file, version, kind: opened.kind, causes: [opened.cause], node: undefined };
  const nodeFor = (program: Program): NodeValues<ProgramDecoders> =>
    readNodeFor(opened.node, options.variables, options.cwd, program);
  const node = nodeFor(programs.at(-1)!);
  const isRunning = ledgerHolder(node) !== undefined && (await isListening(node));
  const { channels, unreadable } = storedChannels(node);
  const found: Finding[][] = [];
  for (const program of programs) found.push(await causesFor(nodeFor(program), program, channels, isRunning));
  return {
    file,
    version,
    kind: node.kind,
    causes: [
      ...(isRunning ? [causeOf(finding('running', node.file.name, { kind: node.kind }))] : []),
      ...merged(found),
      ...unreadable.map(causeOf),
    ].toSorted((one, other) => Number(one.severity === 'warning') - Number(other.severity === 'warning')),
    node,
  };
}

function programsOf(version: string | undefined): readonly Program[] {
  try {
    if (version === undefined) return NEWEST.map((each) => rulesOf([each])[0]);
    // A minor version such as 3.1 means its newest release.
    return [rulesOf([version.replace(/^v/, '')])[0]];
  } catch (error) {
    throw new AgentError('USAGE', `--to ${version}: ${reasonOf(error)}`, { cause: error });
  }
}

type Opened = { readonly node: NodeFile } | { readonly kind: NodeValues['kind']; readonly cause: Cause };

/** A file that is not YAML prevents the start of the program, too, with a message that differs from ours. */
function open({ file, cwd }: PreflightOptions): Opened {
  try {
    return { node: openNodeFile(file, cwd) };
  } catch (error) {
    const problem = reasonOf(error);
    // Without a cause the file is YAML, and its content does not configure a node.
    if (!(error instanceof Error) || error.cause === undefined)
      throw new AgentError('USAGE', problem, { cause: error });
    const kind = /core\.ya?ml$/.test(file) ? 'peer' : 'orderer';
    return { kind, cause: causeOf(finding('file-unreadable', resolve(cwd, file), { kind, problem })) };
  }
}

/** The startup errors of a program, in the order of its checks. */
async function causesFor(
  node: NodeValues<ProgramDecoders>,
  program: Program,
  channels: readonly StoredChannel[],
  isRunning: boolean,
): Promise<Finding[]> {
  const { fabric } = program;
  return [
    ...unusedVariables(node, fabric),
    ...unknownKeys(node, fabric),
    ...refusedValues(node, fabric),
    ...(await mspCauses(node, program)),
    ...(await settingsCauses(node, fabric)),
    ...tlsCauses(node),
    ...(isRunning ? [] : await listenerCauses(node)),
    ...ledgerCauses(node, isRunning, raftChannels(node, channels)),
    ...(await channelCauses(node, channels, program)),
    ...consenterCauses(node, channels, program),
  ];
}

/** Merges the errors of the versions: without a given version, errors of only Fabric 3 are warnings, and errors of only 2.5 are omitted. */
function merged(found: readonly (readonly Finding[])[]): Cause[] {
  const newest = found.at(-1) ?? [];
  const [oldest = []] = found;
  const keyOf = ({ id, where }: Finding): string => `${id} ${where}`;
  const known = new Set(oldest.map(keyOf));
  return newest.map((each) => {
    const cause = causeOf(each);
    return cause.severity === 'cause' && !known.has(keyOf(each))
      ? { ...cause, severity: 'warning', means: `Fabric 3 would not start: ${cause.means}` }
      : cause;
  });
}
