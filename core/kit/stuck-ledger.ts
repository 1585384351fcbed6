/** A ledger that does not grow is a warning after the time that an option of the checker sets, and critical after so many times that time. */
export const STUCK_CRITICAL_AFTER = 4;
