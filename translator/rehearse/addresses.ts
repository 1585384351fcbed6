// The addresses of the nodes of a channel, and the addresses of their copies on 127.0.0.1.

import { addressText, MAX_PORT, placeOfAddress, type Address } from '../channel/index.js';
import { freePorts } from './ports.js';
import type { Place } from './rewrite.js';

/** Where an address occurs in a channel. */
interface Seen {
  readonly address: Address;
  readonly place: Place;
  /** Whether only an update has it. */
  readonly isNew: boolean;
}

const isUsable = ({ host, port }: Address): boolean => host !== '' && port > 0 && port <= MAX_PORT;

/** Collects the addresses of a channel. Equal addresses have equal copies, different ones different copies. */
export class Addresses {
  readonly #seen = new Map<string, Seen>();
  #copies: ReadonlyMap<string, Address> = new Map();

  add(address: Address, place: Place, isNew: boolean): void {
    const text = addressText(address);
    const known = this.#seen.get(text);
    if (!isUsable(address) || known?.place === 'consenter') return;
    if (known === undefined || place === 'consenter') this.#seen.set(text, { address, place, isNew });
  }

  get count(): number {
    return this.#seen.size;
  }

  /** The ports of the copies. */
  get ports(): ReadonlySet<number> {
    return new Set([...this.#copies.values()].map(({ port }) => port));
  }

  /** The address in the copy; addresses with which nobody can connect stay. */
  copyOf = (address: Address): Address => this.#copies.get(addressText(address)) ?? address;

  /** Takes free ports for the copies. */
  async assign(): Promise<void> {
    const seen = [...this.#seen.values()];
    const ports = await freePorts(seen.length);
    const copies = new Map<string, Address>();
    const byPort = new Map<number, number>();
    // Two names of one place differ in the copy too: others see that an update changes one of them.
    const assign = ({ address }: Seen, port: number): void => {
      const others = byPort.get(port) ?? 0;
      byPort.set(port, others + 1);
      copies.set(addressText(address), { host: others === 0 ? '127.0.0.1' : 'localhost', port });
    };
    const portOf = ({ address }: Seen): number => copies.get(addressText(address))!.port;
    const namesOf = (consenter: Seen): number => byPort.get(portOf(consenter))!;
    const consenters = seen.filter(({ place }) => place === 'consenter');
    for (const each of consenters) assign(each, portOfPlace(each, copies) ?? ports.pop()!);
    const running = consenters.filter(({ isNew }) => !isNew);
    for (const each of seen.filter(({ place }) => place !== 'consenter')) {
      // Whether a node serves another new address is not known: nothing serves its copy.
      const serving = each.isNew ? consenterAt : ordererAt;
      const byNames = running.toSorted((one, other) => namesOf(one) - namesOf(other));
      const node = each.place === 'orderer' ? serving(each, byNames) : undefined;
      assign(each, node === undefined ? ports.pop()! : portOf(node));
    }
    this.#copies = copies;
  }
}

/** The port of an address that names the same place in another way, such as `localhost` for 127.0.0.1. */
function portOfPlace({ address }: Seen, copies: ReadonlyMap<string, Address>): number | undefined {
  const place = placeOfAddress(addressText(address));
  return [...copies].find(([text]) => placeOfAddress(text) === place)?.[1].port;
}

/**
 * The consenter that serves an endpoint: at the same place, or the first one on the same host, whose nodes of the cluster connect to another
 * port. Of an endpoint on another host, such as a load balancer, nothing is known: the first consenter serves it.
 *
 * @param consenters those with the fewest endpoints first
 */
function ordererAt(seen: Seen, consenters: readonly Seen[]): Seen | undefined {
  const same = consenterAt(seen, consenters);
  if (same !== undefined) return same;
  return consenters.find((each) => each.address.host === seen.address.host) ?? consenters[0];
}

/** The consenter at the same place. */
function consenterAt({ address }: Seen, consenters: readonly Seen[]): Seen | undefined {
  const place = placeOfAddress(addressText(address));
  return consenters.find((each) => placeOfAddress(addressText(each.address)) === place);
}
