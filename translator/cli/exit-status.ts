// The exit statuses of commands that judge an update or a config.

import type { Verdict } from '../review/index.js';

/** The exit status for each verdict. 1 is for errors. */
export const EXIT_STATUS: Readonly<Record<Verdict, number>> = {
  refused: 2,
  dangerous: 4,
  unsigned: 3,
  warning: 0,
  harmless: 0,
  applied: 0,
};
