// Applies an update to a config, as an orderer does.

/** A group, a value or a policy of a config, as JSON. */
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

/** Applies an element of the write set to the current element. */
export function applyUpdate(now: Element | undefined, written: Element): Element {
  const isSame = now?.version === written.version;
  if (written.groups === undefined) return isSame ? now : written;
  const members = PARTS.map((part) => {
    const changed = Object.entries(written[part] ?? {}).map(([name, element]): [string, Element] => [
      name,
      applyUpdate(now?.[part]?.[name], element),
    ]);
    // A group with an unchanged version keeps its elements.
    return [part, { ...(isSame ? now[part] : {}), ...Object.fromEntries(changed) }] as const;
  });
  return { ...(isSame ? now : written), ...Object.fromEntries(members) };
}

/** Removes all versions of an element. */
export function withoutVersions({ version: _version, ...rest }: Element): unknown {
  const parts = PARTS.filter((part) => rest[part] !== undefined).map((part) => [
    part,
    Object.fromEntries(
      Object.entries(rest[part] ?? {}).map(([name, element]) => [name, withoutVersions(element)]),
    ),
  ]);
  return { ...rest, ...Object.fromEntries(parts) };
}
