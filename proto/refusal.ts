/** The reason why opaque bytes cannot be opened, as Fabric's configtxlator words it. */
export class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}
