/** Longest name: the directory of a file in an archive has at most 155 bytes. */
const MAX_LENGTH = 80;

/** Names of folders for nodes, whose own names can be anything: each name is safe in a path, and different without regard to case. */
export class FolderNames {
  readonly #used = new Set<string>();

  /** The folder of the next node. */
  next(name: string): string {
    const encoded = encodeURIComponent(name.toWellFormed()).replace(/^\.+$/, (dots) =>
      '%2E'.repeat(dots.length),
    );
    const base = encoded === '' || encoded.length > MAX_LENGTH ? `node${this.#used.size + 1}` : encoded;
    let folder = base;
    for (let number = 2; this.#used.has(folder.toLowerCase()); number += 1) folder = `${base}-${number}`;
    this.#used.add(folder.toLowerCase());
    return `nodes/${folder}`;
  }
}
