import type { SettingsError } from '../config/index.js';
import { errorCodeOf } from './contract/errors.js';
import { reasonOf } from './contract/index.js';

/** The problems of an error: each problem of a SettingsError, else the reason. */
export function problemsOf(error: unknown): readonly string[] {
  return errorCodeOf(error) === 'SETTINGS_INVALID' ? (error as SettingsError).problems : [reasonOf(error)];
}
