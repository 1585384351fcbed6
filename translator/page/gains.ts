// The effect of an update on users: who decides, and who can use what, before and after it. Works without a browser.

import { controlDiff, serviceWords, type OrganizationNames } from '#translator/documents/index.js';
import { isEnoughNow } from '#translator/control/index.js';
import type { ChannelPowers } from '#translator/powers/index.js';
import { namesText } from './names.js';
import { matrixOf, namesIn, type Power } from './powers.js';

/** Elements, and the organisations that control them before and after. */
export interface ControlLine {
  /** `the group Application` */
  readonly what: string;
  readonly elements: readonly string[];
  /** `Org1 and Org2`; undefined for elements that the update adds. */
  readonly before: string | undefined;
  /** Undefined for elements that it removes. */
  readonly after: string | undefined;
  /** Whether fewer or other signatures are enough than before. */
  readonly isEasier: boolean;
}

/** Actors that lose or gain services. */
export interface ServiceLine {
  readonly change: 'lost' | 'gained';
  /** `peers of Org1` */
  readonly who: string;
  /** In words: `read blocks`. */
  readonly services: readonly string[];
}

/** The gains and losses of an update. */
export interface Gains {
  readonly control: readonly ControlLine[];
  readonly services: readonly ServiceLine[];
}

/** The gains and losses of an update. @param powers with those after the update */
export function gainsOf(powers: ChannelPowers): Gains {
  const { control, after } = powers;
  if (after === null) return { control: [], services: [] };
  return {
    control: controlLines(control, after.control, namesIn(powers)),
    services: serviceLines(powers),
  };
}

type Control = ChannelPowers['control'];

/** New values and policies give control to nobody: of new elements only groups are lines. */
function controlLines(before: Control, after: Control, names: OrganizationNames): readonly ControlLine[] {
  const [old, now, groups] = [pathsIn(before), pathsIn(after), pathsIn(after, 'group')];
  return controlDiff(before, after, names).flatMap((line) => {
    const isOld = line.elements.some((path) => old.has(path));
    if (!isOld && !line.elements.some((path) => groups.has(path))) return [];
    const isNow = line.elements.some((path) => now.has(path));
    const { what, elements } = line;
    const kept = elements.find((path) => old.has(path) && now.has(path));
    return [
      {
        what,
        elements,
        before: isOld ? line.before : undefined,
        after: isNow ? line.after : undefined,
        isEasier: kept !== undefined && isEnoughNow(setsOf(before, kept), setsOf(after, kept)),
      },
    ];
  });
}

const setsOf = (rows: Control, path: string): Control[number]['sets'] =>
  rows.find(({ elements }) => elements.some((each) => each.path === path))?.sets ?? [];

const pathsIn = (rows: Control, wanted?: 'group'): ReadonlySet<string> =>
  new Set(
    rows.flatMap(({ elements }) =>
      elements.flatMap(({ path, kind }) => (wanted === undefined || kind === wanted ? [path] : [])),
    ),
  );

/** One line for all actors that lose or gain the same services; losses come first. */
function serviceLines(powers: ChannelPowers): readonly ServiceLine[] {
  const { columns, rows } = matrixOf(powers);
  const byActor = new Map<string, { change: ServiceLine['change']; who: string; services: string[] }>();
  for (const { service, resources, cells } of rows)
    for (const [index, cell] of cells.entries())
      for (const { role, change } of cell.filter(isChange)) {
        const key = JSON.stringify([change, role, index]);
        const who = `${role} of ${namesText(columns[index]!.organizations)}`;
        const actor = byActor.get(key) ?? { change: change as ServiceLine['change'], who, services: [] };
        byActor.set(key, actor);
        const what = serviceWords(service);
        actor.services.push(resources.length === 0 ? what : `${what} (${namesText(resources)})`);
      }
  const lines = new Map<string, ServiceLine>();
  for (const { change, who, services } of byActor.values()) {
    const key = JSON.stringify([change, services]);
    const line = lines.get(key);
    lines.set(key, { change, services, who: line === undefined ? who : `${line.who}, ${who}` });
  }
  return [...lines.values()].toSorted((one, other) => rankOf(one) - rankOf(other));
}

const isChange = ({ change }: Power): boolean => change !== 'kept';
const rankOf = ({ change }: ServiceLine): number => (change === 'lost' ? 0 : 1);
