// Powers as a matrix of services and organisations, with the changes of an update. Works without a browser.

import { addTo } from '../../core/common/group-by.js';
import { attempt } from '#proto/errors.js';
import type { ConfigFile } from '#translator/channel/index.js';
import { controlDiff, mspNames, roleWords, type OrganizationNames } from '#translator/documents/index.js';
import type { ChannelPowers, ServiceName, ServiceRow } from '#translator/powers/index.js';
import { percentOf, type OnProgress } from './progress.js';

type ActorRole = ServiceRow['who'][number]['role'];

/** A role that has a service, before or after the update. */
export interface Power {
  /** In words: `peers`. */
  readonly role: string;
  /** The effect of the update. */
  readonly change: 'kept' | 'lost' | 'gained';
}

/** Organisations with the same powers, before and after the update. */
interface Column {
  readonly organizations: readonly string[];
  readonly loses: boolean;
  readonly gains: boolean;
}

/** A service, or the resources of a service that the same actors can use. */
export interface MatrixRow {
  readonly service: ServiceName;
  /** The resources of ACLs; empty for the whole service. */
  readonly resources: readonly string[];
  /** The roles that have the service, for each column. */
  readonly cells: readonly (readonly Power[])[];
}

/** Powers as a matrix. */
export interface Matrix {
  /** Organisations that lose a power come first, then organisations that gain one. */
  readonly columns: readonly Column[];
  readonly rows: readonly MatrixRow[];
}

/** The powers on a channel, as the page shows them. */
interface ShownPowers {
  readonly matrix: Matrix;
  /** The organisations that control the groups of the channel. */
  readonly control: readonly Decision[];
  /** The facts that could not be judged. */
  readonly unknown: readonly string[];
}

/** Elements, and the organisations that control them. */
export interface Decision {
  /** `the group Application` */
  readonly what: string;
  readonly elements: readonly string[];
  /** `Org1 and Org2` */
  readonly who: string;
}

/** The powers of a channel as the page shows them. */
export const shownPowers = (powers: ChannelPowers): ShownPowers => ({
  matrix: matrixOf(powers),
  control: controlDiff([], powers.control, namesIn(powers)).map(({ what, elements, after }) => ({
    what,
    elements: elements.slice(0, NAMED),
    who: after,
  })),
  unknown: powers.unknown,
});

/** The names of the organisations before and after an update, by their MSP ids. */
export const namesIn = ({ organizations, after }: ChannelPowers): OrganizationNames =>
  mspNames(
    [...organizations, ...(after?.organizations ?? [])].map(({ name, mspid }) => ({
      name,
      mspId: mspid ?? undefined,
    })),
  );

/** The number of paths that are kept for a decision. */
const NAMED = 5;

/** The number of columns that are shown; a search finds the others. */
const MAX_COLUMNS = 6;

/** Computes powers. @param fabric the versions of the nodes, as of `powersOf` */
export type ComputePowers = (
  base: ConfigFile,
  fabric: readonly string[],
  onProgress?: OnProgress,
) => Promise<ShownPowers>;

/** A channel, and the versions of its nodes. */
interface Question {
  readonly base: ConfigFile;
  readonly fabric: readonly string[];
}

/** The powers, or the reason that they are unknown. */
export type Answer = { readonly powers: ShownPowers } | { readonly error: string };

/** The powers on a channel as it is. */
export class PowersModel {
  /** Called after each change. */
  onChange = (): void => {};
  readonly #compute: ComputePowers;
  #question: Question | undefined;
  #answer: Answer | undefined;
  #percent = 0;
  #search = '';

  constructor(compute: ComputePowers) {
    this.#compute = compute;
  }

  /** Undefined until they are computed. */
  get answer(): Answer | undefined {
    return this.#answer;
  }

  /** The part of the computation that is done, in hundredths. */
  get percent(): number {
    return this.#percent;
  }

  /** The search text for names of organisations. */
  get search(): string {
    return this.#search;
  }

  /** Starts with a config, unless it has begun with it. @param fabric the versions of the nodes, as for `powersOf` */
  begin(base: ConfigFile, fabric: readonly string[] = []): void {
    if (this.#question?.base === base && this.#question.fabric === fabric) return;
    this.#question = { base, fabric };
    this.#answer = undefined;
    this.#percent = 0;
  }

  /** Computes the powers, unless they are known. */
  async load(): Promise<void> {
    const question = this.#question;
    if (question === undefined || this.#answer !== undefined) return;
    const answer = await attempt(
      async (): Promise<Answer> => ({
        powers: await this.#compute(question.base, question.fabric, (progress) => {
          if (question !== this.#question) return;
          this.#percent = percentOf(progress);
          this.onChange();
        }),
      }),
      async ({ message }) => ({ error: message }),
    );
    // The question may have changed in the meantime.
    if (question !== this.#question) return;
    this.#answer = answer;
    this.onChange();
  }

  /** Searches the names of organisations. */
  find(search: string): void {
    this.#search = search;
    this.onChange();
  }

  /** The indexes of the columns to show, and how many match the search. */
  get visible(): { readonly columns: readonly number[]; readonly found: number } {
    const wanted = this.#search.trim().toLowerCase();
    const columns =
      this.#answer !== undefined && 'powers' in this.#answer ? this.#answer.powers.matrix.columns : [];
    const found = columns.flatMap(({ organizations }, index) =>
      organizations.some((name) => name.toLowerCase().includes(wanted)) ? [index] : [],
    );
    return { columns: found.slice(0, MAX_COLUMNS), found: found.length };
  }
}

/** A service with one resource. */
interface Unit {
  readonly service: ServiceName;
  readonly resource: string | undefined;
  readonly before: ReadonlyMap<string, ReadonlySet<ActorRole>>;
  readonly after: ReadonlyMap<string, ReadonlySet<ActorRole>>;
}

/** The matrix of a channel: all organisations, also without powers, except ones that cannot be judged before or after the update. */
export function matrixOf({ organizations, services, after }: ChannelPowers): Matrix {
  const all = [...organizations, ...(after?.organizations ?? [])];
  const notJudged = new Set(all.flatMap(({ name, isJudged }) => (isJudged ? [] : [name])));
  const judged = new Set(all.flatMap(({ name }) => (notJudged.has(name) ? [] : [name])));
  const units = unitsOf(services, after?.services ?? services);
  const groups = new Map<string, { organizations: string[]; cells: readonly (readonly Power[])[] }>();
  for (const name of judged) {
    const cells = units.map((unit) => powersIn(unit, name));
    const key = JSON.stringify(cells);
    const group = groups.get(key) ?? { organizations: [], cells };
    groups.set(key, group);
    group.organizations.push(name);
  }
  const columns = [...groups.values()]
    .map((group) => ({
      ...group,
      loses: hasChange(group.cells, 'lost'),
      gains: hasChange(group.cells, 'gained'),
    }))
    .toSorted((left, right) => rankOf(left) - rankOf(right));
  return {
    columns: columns.map(({ organizations: names, loses, gains }) => ({
      organizations: names,
      loses,
      gains,
    })),
    rows: rowsOf(
      units,
      units.map((_, index) => columns.map(({ cells }) => cells[index]!)),
    ),
  };
}

const hasChange = (cells: readonly (readonly Power[])[], wanted: Power['change']): boolean =>
  cells.some((cell) => cell.some(({ change }) => change === wanted));

const rankOf = ({ loses, gains }: Pick<Column, 'loses' | 'gains'>): number => (loses ? 0 : gains ? 1 : 2);

function unitsOf(before: readonly ServiceRow[], after: readonly ServiceRow[]): readonly Unit[] {
  const [old, now] = [rolesByUnit(before), rolesByUnit(after)];
  return [...new Set([...old.keys(), ...now.keys()])].map((key) => {
    const [service, resource] = JSON.parse(key) as [ServiceName, string | undefined];
    return { service, resource, before: old.get(key) ?? new Map(), after: now.get(key) ?? new Map() };
  });
}

/** For each service and resource the roles of each organisation. */
function rolesByUnit(
  rows: readonly ServiceRow[],
): ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<ActorRole>>> {
  const units = new Map<string, ReadonlyMap<string, ReadonlySet<ActorRole>>>();
  for (const { service, resources, who } of rows) {
    const roles = new Map<string, Set<ActorRole>>();
    for (const { role, organizations } of who) for (const name of organizations) addTo(roles, name, role);
    const keys = resources.length === 0 ? [[service]] : resources.map((resource) => [service, resource]);
    for (const key of keys) units.set(JSON.stringify(key), roles);
  }
  return units;
}

function powersIn({ before, after }: Unit, organization: string): readonly Power[] {
  const old = before.get(organization) ?? new Set<ActorRole>();
  const now = after.get(organization) ?? new Set<ActorRole>();
  return [...new Set([...old, ...now])].map((role) => ({
    role: roleWords(role),
    change: !now.has(role) ? 'lost' : old.has(role) ? 'kept' : 'gained',
  }));
}

/** A row for each service, or for each group of its resources with the same cells. */
function rowsOf(
  units: readonly Unit[],
  cells: readonly (readonly (readonly Power[])[])[],
): readonly MatrixRow[] {
  const rows = new Map<string, { unit: Unit; resources: string[]; cells: MatrixRow['cells'] }>();
  for (const [index, unit] of units.entries()) {
    const key = JSON.stringify([unit.service, cells[index]]);
    const row = rows.get(key) ?? { unit, resources: [], cells: cells[index]! };
    rows.set(key, row);
    if (unit.resource !== undefined) row.resources.push(unit.resource);
  }
  const all = [...rows.values()];
  return all.map(({ unit: { service }, resources, cells: own }) => ({
    service,
    resources: all.filter(({ unit }) => unit.service === service).length === 1 ? [] : resources,
    cells: own,
  }));
}
