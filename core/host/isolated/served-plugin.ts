// The plugin in an isolated process: performs the calls that the agent sends.

import {
  reasonOf,
  type LevelName,
  type OptionSpec,
  type PluginDefinition,
  type PushSink,
  type SourceState,
} from '../../contract/index.js';
import { importPlugin } from '../import.js';
import { memberProblem } from '../members.js';
import {
  toWire,
  type CallName,
  type Calls,
  type Created,
  type Described,
  type Reply,
  type Request,
  type WireFormat,
} from './messages.js';
import { UpdateBuffer } from './updates.js';

type Plugin = {
  init?(): unknown;
  start?(signal: AbortSignal): unknown;
  check?(signal: AbortSignal): unknown;
  stop?(): unknown;
} & Partial<Pick<PushSink, 'push'>>;

/** One plugin. */
export class ServedPlugin {
  readonly #reply: (reply: Reply) => void;
  readonly #updates: UpdateBuffer;
  /** The calls in progress, by id. */
  readonly #running = new Map<number, AbortController>();
  readonly #calls: { readonly [Name in CallName]: (args: never, signal: AbortSignal) => unknown };
  #definition: PluginDefinition | undefined;
  #plugin: Plugin | undefined;
  #readings: readonly SourceState[] = [];

  /** @param reply sends a message to the agent */
  constructor(reply: (reply: Reply) => void) {
    this.#reply = reply;
    this.#updates = new UpdateBuffer((updates) => reply({ updates }));
    this.#calls = {
      load: (args: Calls['load'][0]) => this.#load(args),
      create: (args: Calls['create'][0]) => this.#create(args),
      init: () => this.#plugin?.init?.(),
      start: (_: undefined, signal) => this.#plugin?.start?.(signal),
      check: (_: undefined, signal) => this.#plugin?.check?.(signal),
      flush: (batch: Calls['flush'][0], signal) => this.#plugin?.push?.flush(batch, signal),
      stop: () => this.#plugin?.stop?.(),
    };
  }

  /** Performs a call, or aborts one. */
  receive(request: Request): void {
    if ('abort' in request) this.#running.get(request.abort)?.abort(new Error(request.reason));
    else void this.#perform(request.id, request);
  }

  reportUncaught(error: unknown): void {
    this.#reply({ uncaught: toWire(error) });
  }

  async #perform(
    id: number,
    { call, args, level, readings }: Exclude<Request, { abort: number }>,
  ): Promise<void> {
    this.#updates.level = level satisfies LevelName;
    if (readings !== undefined) this.#readings = readings;
    const abort = new AbortController();
    this.#running.set(id, abort);
    let reply: Reply;
    try {
      const result: unknown = await this.#calls[call](args as never, abort.signal);
      reply = { id, result: call === 'load' || call === 'create' ? result : undefined };
    } catch (error) {
      reply = { id, error: toWire(error) };
    }
    this.#running.delete(id);
    this.#updates.send();
    this.#reply(reply);
  }

  async #load({ url, options }: Calls['load'][0]): Promise<Described> {
    const imported = await importPlugin(url);
    if ('problem' in imported) return imported;
    this.#definition = imported.definition;
    const { kind, name, options: schema } = imported.definition;
    const given = new Map(Object.entries(options).map(([option, value]) => [option.toLowerCase(), value]));
    const described = Object.entries(schema).map(([option, spec]) => {
      const { doc, sensitive, default: fallback } = spec;
      const format = wireFormat(spec, given.get(option.toLowerCase()));
      return [
        option,
        {
          doc,
          format,
          ...(fallback !== undefined && { default: fallback }),
          ...(sensitive !== undefined && { sensitive }),
        },
      ];
    });
    return { kind, name, options: Object.fromEntries(described) as never };
  }

  #create({ name, options }: Calls['create'][0]): Created {
    const definition = this.#definition as PluginDefinition;
    const context = {
      name,
      options: Object.freeze(options),
      log: this.#updates.logger(`plugins.${name.replaceAll('/', '.')}`),
      metrics: this.#updates,
      readings: { latest: () => this.#readings },
      reader: {
        families() {
          throw new Error('context.reader is not available to an isolated plugin');
        },
      },
    };
    const plugin: unknown = definition.create(context);
    const problem = memberProblem(definition.kind, plugin);
    if (problem !== undefined) return { problem, isPull: false };
    this.#plugin = plugin as Plugin;
    const { push } = this.#plugin;
    if (definition.kind !== 'metrics' || !push) return { isPull: definition.kind === 'metrics' };
    const { interval, values, maxTimings } = push;
    return {
      isPull: false,
      push: { interval, ...(values && { values }), ...(maxTimings !== undefined && { maxTimings }) },
    };
  }
}

/** @param given the value in the declaration, if any */
function wireFormat({ format, default: fallback }: OptionSpec, given: unknown): WireFormat {
  if (format === String) return { kind: 'String' };
  if (format === Number) return { kind: 'Number' };
  if (format === Boolean) return { kind: 'Boolean' };
  if (typeof format !== 'function') return { kind: 'named', format };
  const check = format as (value: unknown) => void;
  const allowed = problemOf(check, undefined);
  const problem = problemOf(check, given ?? fallback);
  return {
    kind: 'function',
    ...(allowed !== undefined && { allowed }),
    ...(problem !== undefined && { problem }),
  };
}

function problemOf(check: (value: unknown) => void, value: unknown): string | undefined {
  try {
    check(value);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
