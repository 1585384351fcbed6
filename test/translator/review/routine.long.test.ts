// Routine updates are not alarming.

import test from 'ava';
import { readConfigFile } from '../../../translator/channel/file.js';
import { writeConfig } from '../../../translator/channel/write.js';
import { unsignedUpdate } from '../../../translator/edit/index.js';
import { MspCache } from '../../../translator/msp/channel-msps.js';
import { review } from '../../../translator/review/index.js';
import { routineUpdates, type RoutineUpdate } from '../../helpers/routine-updates.js';

const now = new Date('2026-11-25T00:00:00Z');
const msps = new MspCache();

/** The findings about services that are lost or gained, and all dangers. */
async function alarmsOf({ before, after, leaves }: RoutineUpdate): Promise<string[]> {
  const file = unsignedUpdate(before, after, 'ch1');
  const { findings } = await review(file, readConfigFile(writeConfig(before)), { now, msps });
  return findings
    .filter(
      ({ severity, id }) => severity === 'danger' || severity === 'refused' || id.startsWith('service-'),
    )
    .filter(({ severity, id }) => !(leaves && severity === 'warning' && id === 'service-lost'))
    .map(({ severity, id, path, text }) => `${severity} ${id} ${path}: ${text}`);
}

test('more than 200 routine updates have no danger, and take nothing from anybody', async (t) => {
  const updates = [...routineUpdates()];
  t.true(updates.length > 200, String(updates.length));
  const alarms: string[] = [];
  for (const update of updates)
    for (const alarm of await alarmsOf(update)) alarms.push(`${update.title}: ${alarm}`);
  t.deepEqual(alarms, []);
});
