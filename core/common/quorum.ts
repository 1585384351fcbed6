// Numbers of consenters that a channel needs.

/** The number of Raft consenters that must be active. */
export const raftQuorum = (consenters: number): number => Math.floor(consenters / 2) + 1;

/** The number of BFT consenters that may be faulty, and the number of signatures that a block needs. */
export function bftQuorum(consenters: number): { readonly faulty: number; readonly quorum: number } {
  const faulty = Math.trunc((consenters - 1) / 3);
  return { faulty, quorum: Math.ceil((consenters + faulty + 1) / 2) };
}
