// `consenter add`, `consenter remove` and `consenter rotate`.

import {
  addConsenter,
  removeConsenter,
  rotateConsenter,
  type ConsenterCertificates,
} from '../../../edit/consenter.js';
import type { Context } from '../../context.js';
import { flagFile, runEdit } from '../../edit-update.js';
import { UsageError } from '../../errors.js';
import { requiredArgument, type Values } from '../../values.js';

const MAX_ID = 0xffff_ffff;

function certificatesOf(values: Values, { process }: Context): ConsenterCertificates {
  return {
    tls: flagFile(values, 'tls-cert', process),
    serverTls: flagFile(values, 'server-tls-cert', process),
    identity: flagFile(values, 'identity', process),
  };
}

/** `consenter add` @throws CommandError */
export async function add(values: Values, context: Context): Promise<void> {
  const address = requiredArgument(values, 1, 'host:port');
  const consenter = {
    address,
    ...certificatesOf(values, context),
    organization: values.optional('org'),
    endpoint: values.optional('endpoint'),
    id: parseId(values.optional('id')),
  };
  if (consenter.tls === undefined) throw new UsageError('the TLS certificate is needed: --tls-cert FILE');
  await runEdit(values, context, (config) => addConsenter(config, consenter));
}

function parseId(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (id < 1 || id > MAX_ID)
    throw new UsageError(`--id is ${JSON.stringify(text)}, expected a number of 1 to ${MAX_ID}`);
  return id;
}

/** `consenter remove` @throws CommandError */
export async function remove(values: Values, context: Context): Promise<void> {
  const address = requiredArgument(values, 1, 'host:port');
  await runEdit(values, context, (config) => removeConsenter(config, address, values.optional('endpoint')));
}

/** `consenter rotate` @throws CommandError */
export async function rotate(values: Values, context: Context): Promise<void> {
  const address = requiredArgument(values, 1, 'host:port');
  const certificates = certificatesOf(values, context);
  await runEdit(values, context, (config) => rotateConsenter(config, address, certificates));
}
