import { SettingsError } from '../config/index.js';
import { reasonOf } from './contract/index.js';

/** What an error says, one problem each. */
export function problemsOf(error: unknown): readonly string[] {
  return error instanceof SettingsError ? error.problems : [reasonOf(error)];
}
