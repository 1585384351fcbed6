// What an orderer makes of a configuration when an update was accepted.

/** A group of a configuration, a value or a policy of it, as JSON. */
export interface Element {
  readonly version: string;
  readonly mod_policy: string;
  readonly groups?: Elements;
  readonly values?: Elements;
  readonly policies?: Elements;
  readonly value?: unknown;
  readonly policy?: unknown;
}

type Elements = Readonly<Record<string, Element>>;

const PARTS = ['groups', 'values', 'policies'] as const;

/** What the write set of an update makes of an element. */
export function applyUpdate(now: Element | undefined, written: Element): Element {
  const isSame = now?.version === written.version;
  if (written.groups === undefined) return isSame ? now : written;
  const members = PARTS.map((part) => {
    const changed = Object.entries(written[part] ?? {}).map(([name, element]): [string, Element] => [
      name,
      applyUpdate(now?.[part]?.[name], element),
    ]);
    // A group that keeps its version keeps what it has.
    return [part, { ...(isSame ? now[part] : {}), ...Object.fromEntries(changed) }] as const;
  });
  return { ...(isSame ? now : written), ...Object.fromEntries(members) };
}

/** An element without any version. */
export function withoutVersions({ version: _version, ...rest }: Element): unknown {
  const parts = PARTS.filter((part) => rest[part] !== undefined).map((part) => [
    part,
    Object.fromEntries(
      Object.entries(rest[part] ?? {}).map(([name, element]) => [name, withoutVersions(element)]),
    ),
  ]);
  return { ...rest, ...Object.fromEntries(parts) };
}
