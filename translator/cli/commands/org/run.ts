// `org add`, `org remove` and `org set-msp`.

import type { ConfigGroup } from '../../../config/element.js';
import { mspIdOf } from '../../../config/msp-id.js';
import type { JsonCodec } from '../../../edit/json-codec.js';
import {
  addOrganization,
  makeOrganization,
  readOrganizationJson,
  removeOrganization,
  setMsp,
} from '../../../edit/org.js';
import { mspNotes } from '../../../edit/msp-folder.js';
import type { MspFiles } from '../../../edit/msp-config.js';
import type { Section } from '../../../edit/organizations.js';
import type { Context, Process } from '../../context.js';
import { flagFile, runEdit } from '../../edit-update.js';
import { step, UsageError } from '../../errors.js';
import { mspFolder, readMspFiles } from '../../msp-files.js';
import { printNote } from '../../output.js';
import { requiredArgument, type Values } from '../../values.js';

const GROUPS: ReadonlyMap<string, Section> = new Map([
  ['application', 'Application'],
  ['orderer', 'Orderer'],
]);

/** `org add` @throws CommandError */
export async function add(values: Values, context: Context): Promise<void> {
  const section = sectionOf(values) ?? 'Application';
  const mspId = values.optional('mspid');
  const make = await newOrganization(values, context, section, mspId);
  await runEdit(values, context, (config, codec) => {
    const group = make(codec);
    const name = values.optional('name') ?? mspIdOf(group) ?? '';
    return addOrganization(config, { section, name, group, endpoints: values.all('endpoint') });
  });
}

async function newOrganization(
  values: Values,
  { process }: Context,
  section: Section,
  mspId: string | undefined,
): Promise<(codec: JsonCodec) => ConfigGroup> {
  const source = sourceOf(values);
  if (source === 'json') {
    const json = flagFile(values, 'json', process)!;
    if (mspId !== undefined) throw new UsageError('--mspid is in the JSON already');
    return (codec) => step(`--json ${values.one('json')}`, () => readOrganizationJson(section, json, codec));
  }
  if (mspId === undefined) throw new UsageError('the id of the MSP is needed: --mspid ID');
  const files = await readMspFlag(values, process);
  return () => step(`--msp ${values.one('msp')}`, () => makeOrganization(section, mspId, files));
}

/** The MSP directory of the flag; prints notes about it. */
async function readMspFlag(values: Values, process: Process): Promise<MspFiles> {
  const folder = await mspFolder(values.one('msp'));
  const files = readMspFiles(folder);
  for (const note of mspNotes(folder, files)) printNote(note, process);
  return files;
}

/** `org remove` @throws CommandError */
export async function remove(values: Values, context: Context): Promise<void> {
  const name = requiredArgument(values, 1, 'org');
  await runEdit(values, context, (config) => removeOrganization(config, name, sectionOf(values)));
}

/** `org set-msp` @throws CommandError */
export async function setMspOf(values: Values, context: Context): Promise<void> {
  const name = requiredArgument(values, 1, 'org');
  const section = sectionOf(values);
  if (sourceOf(values) === 'msp') {
    const files = await readMspFlag(values, context.process);
    await runEdit(values, context, (config) => setMsp(config, name, { files }, section));
    return;
  }
  const json = flagFile(values, 'json', context.process)!;
  await runEdit(values, context, (config, codec) => {
    const group = step(`--json ${values.one('json')}`, () =>
      readOrganizationJson(section ?? 'Application', json, codec),
    );
    return setMsp(config, name, { group }, section);
  });
}

function sectionOf(values: Values): Section | undefined {
  const given = values.optional('group');
  if (given === undefined) return undefined;
  const section = GROUPS.get(given.toLowerCase());
  if (section === undefined)
    throw new UsageError(`--group is ${JSON.stringify(given)}, expected application or orderer`);
  return section;
}

function sourceOf(values: Values): 'msp' | 'json' {
  const [msp, json] = [values.optional('msp'), values.optional('json')];
  if ((msp === undefined) === (json === undefined))
    throw new UsageError('either --msp DIR or --json FILE is needed');
  return msp === undefined ? 'json' : 'msp';
}
