// `org add`, `org remove` and `org set-msp`.

import type { MspFiles } from '../../edit/msp.js';
import type { Section } from '../../edit/organizations.js';
import { flag, flagList, type Command, type Values } from '../command.js';
import { editCommand, ORGANIZATION } from '../edit-command.js';
import { UsageError, withPrefix } from '../errors.js';
import { printNote, readInput } from '../files.js';
import type { Process } from '../io.js';
import { inputPath, kind, text } from '../kinds.js';

const SECTIONS: ReadonlyMap<string, Section> = new Map([
  ['application', 'Application'],
  ['orderer', 'Orderer'],
]);

const section = kind((given, name) => {
  const found = SECTIONS.get(given.toLowerCase());
  if (found !== undefined) return found;
  throw new UsageError(`--${name} is ${JSON.stringify(given)}, expected application or orderer`);
});

const GROUP = { group: flag(section, "The group of the organisation: 'application' or 'orderer'.") };
const MSP_FLAGS = {
  msp: flag(text, 'The MSP directory of the organisation, with cacerts, tlscacerts and config.yaml.'),
  json: flag(inputPath, "The organisation as JSON, the output of 'configtxgen -printOrg'."),
};

/** The commands for organisations. */
export const ORGANIZATION_COMMANDS: readonly Command[] = [
  editCommand({
    name: 'org add',
    help: 'Adds an organisation.',
    flags: {
      ...MSP_FLAGS,
      mspid: flag(text, 'The id of the MSP; required with --msp.'),
      name: flag(text, 'The name of the group; the id of the MSP if it is not given.'),
      ...GROUP,
      endpoint: flagList(text, 'The address HOST:PORT of an orderer of the organisation (may be repeated).'),
    },
    async edit({ mspid, name, group: chosen = 'Application', endpoint: endpoints, ...values }, io) {
      const { mspIdOf } = await import('../../config/msp-id.js');
      const { addOrganization, makeOrganization, readOrganizationJson } = await import('../../edit/org.js');
      checkSource(values);
      const { json, msp } = values;
      if (json !== undefined && mspid !== undefined) throw new UsageError('--mspid is in the JSON already');
      if (msp !== undefined && mspid === undefined)
        throw new UsageError('the id of the MSP is needed: --mspid ID');
      const source = await readSource(values, io);
      return (config) => {
        const group =
          'json' in source
            ? withPrefix(`--json ${json}`, () => readOrganizationJson(chosen, source.json))
            : withPrefix(`--msp ${msp}`, () => makeOrganization(chosen, mspid ?? '', source.files));
        return addOrganization(config, {
          section: chosen,
          name: name ?? mspIdOf(group) ?? '',
          group,
          endpoints,
        });
      };
    },
  }),
  editCommand({
    name: 'org remove',
    help: 'Removes an organisation.',
    flags: GROUP,
    arguments: { org: ORGANIZATION },
    async edit({ org, group }) {
      const { removeOrganization } = await import('../../edit/org.js');
      return (config) => removeOrganization(config, org, group);
    },
  }),
  editCommand({
    name: 'org set-msp',
    help: 'Replaces the MSP of an organisation, for example with new CA certificates.',
    flags: { ...MSP_FLAGS, ...GROUP },
    arguments: { org: ORGANIZATION },
    async edit({ org, group: chosen, ...values }, io) {
      const { readOrganizationJson, setMsp } = await import('../../edit/org.js');
      const source = await readSource(values, io);
      return (config) => {
        if ('files' in source) return setMsp(config, org, source, chosen);
        const group = withPrefix(`--json ${values.json}`, () =>
          readOrganizationJson(chosen ?? 'Application', source.json),
        );
        return setMsp(config, org, { group }, chosen);
      };
    },
  }),
];

type SourceValues = Values<typeof MSP_FLAGS>;

/** @throws UsageError if not exactly one of both is given */
function checkSource({ msp, json }: SourceValues): void {
  if ((msp === undefined) === (json === undefined))
    throw new UsageError('either --msp DIR or --json FILE is needed');
}

/** What `--msp` or `--json` names; prints notes about an MSP directory. @throws CommandError */
async function readSource(
  values: SourceValues,
  process: Process,
): Promise<{ readonly files: MspFiles } | { readonly json: Uint8Array }> {
  checkSource(values);
  const { msp = '', json } = values;
  if (json !== undefined) return { json: readInput(json, process) };
  const { mspFilesOf, mspNotes } = await import('../../edit/msp.js');
  const { mspFolder } = await import('../msp.js');
  const folder = await mspFolder(msp);
  const files = mspFilesOf(folder);
  for (const note of mspNotes(folder, files)) printNote(note, process);
  return { files };
}
