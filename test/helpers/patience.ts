/**
 * The limit of tests for what must happen, in milliseconds: so long that it passes only when something hangs, however busy the machine
 * is; shorter than the timeout of ava. Use it as the timeout of everything that must succeed.
 */
export const PATIENCE = 300_000;
