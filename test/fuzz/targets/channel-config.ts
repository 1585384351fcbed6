// Channel configs and config updates: a file is read, applied and reviewed, or refused with a message.

import { TranslateError } from '../../../proto/index.js';
import { applyUpdate, readChannelFile, readConfig, writeConfig } from '../../../translator/channel/index.js';
import { findInValues } from '../../../translator/rules/run.js';
import { ChannelState } from '../../../translator/state/index.js';
import { readChannelCases } from '../../helpers/channel-cases.js';
import type { Input, Outcome } from '../target.js';

const SAMPLES = 40;

let current: ReturnType<typeof readConfig> | undefined;

/** Recorded updates, and one config. */
export function channelConfigSamples(): readonly Input[] {
  const { cases, configs } = readChannelCases();
  const files = [...cases.slice(0, SAMPLES).map(({ update }) => update), configs.get('app3')!];
  return files.map((bytes) => ({ target: 'channel-config', type: '', bytes }));
}

/** @throws any error that is not a proper refusal */
export async function runChannelConfig({ bytes }: Input): Promise<Outcome> {
  current ??= readConfig(readChannelCases().configs.get('app3')!);
  try {
    const file = readChannelFile(bytes);
    if (file.kind === 'config') {
      writeConfig(file.config);
      return 'accepted';
    }
    const applied = applyUpdate(current, file.update, 'testchannel');
    writeConfig(applied.config);
    const program = { fabric: '3.0', bft: '3.1.2', go: '1.23' } as const;
    await findInValues({
      channel: 'testchannel',
      before: new ChannelState(current, { program }),
      after: new ChannelState(applied.config, { program }),
      update: file.update,
      applied,
    });
    return 'accepted';
  } catch (error) {
    if (error instanceof TranslateError && error.message !== '') return 'refused';
    throw error;
  }
}
