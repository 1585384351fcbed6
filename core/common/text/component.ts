// Names of components: `peer0/disk` belongs to the node `peer0`, and `peer0/disk/data` is a part of it. Names can begin with other names and
// `/`, so the longest one is the owner.

/** Returns true if a component has a name, or is below it: `peer0/disk` is below `peer0`. */
export const isBelow = (component: string, name: string): boolean =>
  component === name || component.startsWith(`${name}/`);

/** The longest name that a component has or is below; undefined: there is none. */
export function ownerOf(component: string, names: Iterable<string>): string | undefined {
  let owner: string | undefined;
  for (const name of names)
    if (isBelow(component, name) && (owner === undefined || name.length > owner.length)) owner = name;
  return owner;
}

/** The check of the channels of all nodes: each channel is a part of it. */
export const CHANNELS = 'channels';

/** The component of a channel. */
export const channelComponent = (channel: string): string => `${CHANNELS}/${channel}`;

/** The channel of such a component; undefined for every other one. */
export const channelOf = (component: string): string | undefined =>
  component.startsWith(`${CHANNELS}/`) ? component.slice(CHANNELS.length + 1) : undefined;

/** Returns true if a component is a channel. */
export const isChannel = (component: string): boolean => channelOf(component) !== undefined;

/** What a component is about: `orderer1/consensus/ch1` is the part `ch1` of a check of the node `orderer1`, and about the channel `ch1`. */
export interface ComponentParts {
  readonly component: string;
  readonly node: string | undefined;
  readonly check: string;
  readonly part: string | undefined;
  readonly channel: string | undefined;
  /** Whether the component is a channel itself. */
  readonly isChannel: boolean;
}

/** The names that names of components consist of. */
export interface ComponentNames {
  /** The names of the monitored nodes. */
  readonly nodes: readonly string[];
  /** The names of the checks: what follows them in the name of a component is a part. */
  readonly checks: readonly string[];
  readonly channels: { has(channel: string): boolean };
}

/** Takes the name of a component apart. */
export function partsOf(component: string, { nodes, checks, channels }: ComponentNames): ComponentParts {
  const node = ownerOf(component, nodes);
  // Without a known check it is one word after the node.
  const [word] = component.slice(node === undefined ? 0 : node.length + 1).split('/', 1);
  const check = ownerOf(component, checks) ?? (node === undefined ? word! : `${node}/${word}`);
  const part = component.slice(check.length + 1) || undefined;
  const channel = channelOf(component) ?? (part !== undefined && channels.has(part) ? part : undefined);
  return { component, node, check, part, channel, isChannel: isChannel(component) };
}
