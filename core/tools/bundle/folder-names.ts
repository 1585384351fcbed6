/** Longest name: a tar header has 155 bytes for the directory of a file. */
const MAX_LENGTH = 80;

/** Creates folder names for nodes with any name. Each folder name is safe in a path, and unique even if case is ignored. */
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
