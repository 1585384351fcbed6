import { Lag } from '../../core/health/index.js';

/** An agent in a test process is late when the machine is busy: there every failure is reported at once. */
export class NoLag extends Lag {
  override start(): void {
    // Nothing is measured.
  }
}
