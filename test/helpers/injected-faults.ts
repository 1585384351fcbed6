// Counts the calls of this process on files and the network, and makes one of them fail. The functions of Node.js are replaced for the whole
// process, so this is only for programs of tests.

import dgram from 'node:dgram';
import dnsPromises from 'node:dns/promises';
import fs from 'node:fs';
import fsPromises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/** How long a call hangs, in milliseconds of the clock of the process: longer than each deadline of the code. */
export const HANG = 60_000;

/** Error codes of a file call and of a network call; `hang`: the call fails after {@link HANG}. */
export interface Fault {
  readonly file: string;
  readonly network: string;
}

/** Functions that return or call back at once whatever happens, so they do not hang. */
const NEVER_HANGS = /^(?:\w+Sync|dgram (?:connect|send)|listen) /;

/** A call that was made. */
export interface Call {
  /** The function, the path or address, and how often it was called before with these: `stat /tmp/a #1`. */
  readonly key: string;
  /** The path, or `host:port`. */
  readonly target: string;
}

/** Which calls are counted. */
export interface Counted {
  /** Files in this directory. */
  readonly directory: string;
  /** Whether a client connection to this port is counted. */
  readonly isPort: (port: number) => boolean;
}

type Callback = (error?: Error) => void;
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyFunction = (this: any, ...args: any[]) => any;
type Functions = Record<string, AnyFunction>;

/** The calls of a process. Create one for each process. */
export class InjectedFaults {
  calls: Call[] = [];
  /** Text that was written to standard error. It is not printed. */
  stderr = '';
  /** Whether the planned fault has happened. */
  isReached = false;
  readonly #counted: Counted;
  readonly #counts = new Map<string, number>();
  readonly #paths = new Map<number, string>();
  readonly #targets = new WeakMap<object, string>();
  #plan: { readonly key: string; readonly fault: Fault } | undefined;
  #pending = 0;

  constructor(counted: Counted) {
    this.#counted = counted;
    this.#replaceFiles();
    this.#replaceNetwork();
    syncBuiltinESMExports();
  }

  /** How many real asynchronous file calls have not ended. */
  get pending(): number {
    return this.#pending;
  }

  /** Begins a run. @param plan the call that fails; undefined: none */
  begin(plan?: { readonly key: string; readonly fault: Fault }): void {
    this.calls = [];
    this.stderr = '';
    this.isReached = false;
    this.#counts.clear();
    this.#plan = plan;
  }

  /** Counts a call. Returns the code of its failure, `hang`, or undefined. */
  #count(name: string, target: string, kind: keyof Fault): string | undefined {
    const what = `${name} ${target}`;
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    const key = `${what} #${count}`;
    this.calls.push({ key, target });
    const fault = this.#plan?.key === key ? this.#plan.fault[kind] : undefined;
    if (fault === undefined || (fault === 'hang' && NEVER_HANGS.test(key))) return undefined;
    this.isReached = true;
    return fault;
  }

  #isCounted(path: unknown): path is string {
    return typeof path === 'string' && path.startsWith(this.#counted.directory);
  }

  #replaceFiles(): void {
    const sync = fs as unknown as Functions;
    const { openSync, closeSync, writeSync } = fs;
    /** Fails before the call; a closed descriptor must really be closed. */
    const before = (name: string, target: string | undefined): void => {
      if (target === undefined) return;
      const code = this.#count(name, target, 'file');
      if (code !== undefined) throw systemError(code, name, target);
    };
    for (const name of ['statSync', 'readFileSync', 'accessSync', 'readdirSync']) {
      const original = sync[name]!;
      sync[name] = (path: unknown, ...rest: unknown[]): unknown => {
        before(name, this.#isCounted(path) ? path : undefined);
        return original(path, ...rest);
      };
    }
    fs.openSync = ((path: string, ...rest: [string]) => {
      // The console plugin opens a pipe again, and its writes would not be seen.
      if (path === '/proc/self/fd/2') throw systemError('ENOENT', 'openSync', path);
      before('openSync', this.#isCounted(path) ? path : undefined);
      const descriptor = openSync(path, ...rest);
      if (this.#isCounted(path)) this.#paths.set(descriptor, path);
      return descriptor;
    }) as typeof fs.openSync;
    for (const name of ['readSync', 'fstatSync']) {
      const original = sync[name]!;
      sync[name] = (descriptor: number, ...rest: unknown[]): unknown => {
        before(name, this.#paths.get(descriptor));
        return original(descriptor, ...rest);
      };
    }
    fs.closeSync = (descriptor) => {
      const path = this.#paths.get(descriptor);
      this.#paths.delete(descriptor);
      closeSync(descriptor);
      before('closeSync', path);
    };
    fs.writeSync = ((descriptor: number, data: string | Uint8Array, ...rest: []) => {
      if (descriptor !== 2) return writeSync(descriptor, data as string, ...rest);
      before('writeSync', 'standard error');
      this.stderr += typeof data === 'string' ? data : Buffer.from(data).toString();
      return data.length;
    }) as typeof fs.writeSync;

    const promises = fsPromises as unknown as Functions;
    for (const name of ['stat', 'lstat', 'statfs', 'readFile', 'readdir']) {
      const original = promises[name]!;
      promises[name] = (path: unknown, ...rest: unknown[]): unknown =>
        this.#isCounted(path)
          ? this.#callFile(name, path, () => original(path, ...rest) as Promise<unknown>)
          : original(path, ...rest);
    }
    const { open, opendir } = fsPromises;
    fsPromises.open = (path, ...rest) =>
      this.#isCounted(path)
        ? this.#callFile('open', path, async () => this.#handle(path, await open(path, ...rest)))
        : open(path, ...rest);
    fsPromises.opendir = (path, ...rest) =>
      this.#isCounted(path)
        ? this.#callFile('opendir', path, () => opendir(path, ...rest))
        : opendir(path, ...rest);
  }

  /** The handle, whose calls are counted. */
  #handle(path: string, handle: FileHandle): FileHandle {
    const methods = handle as unknown as Functions;
    for (const name of ['stat', 'read']) {
      const original = methods[name]!.bind<AnyFunction>(handle);
      methods[name] = (...rest: unknown[]) =>
        this.#callFile(`FileHandle.${name}`, path, () => original(...rest) as Promise<unknown>);
    }
    const close = handle.close.bind(handle);
    handle.close = async () => {
      await close();
      await this.#callFile('FileHandle.close', path, async () => undefined);
    };
    return handle;
  }

  async #callFile<T>(name: string, path: string, call: () => Promise<T>): Promise<T> {
    const code = this.#count(name, path, 'file');
    if (code === 'hang') await hang();
    if (code !== undefined) throw systemError(code === 'hang' ? 'EIO' : code, name, path);
    this.#pending += 1;
    try {
      return await call();
    } finally {
      this.#pending -= 1;
    }
  }

  #replaceNetwork(): void {
    const socket = net.Socket.prototype as unknown as Functions;
    const { connect, _writeGeneric: write } = socket as { connect: AnyFunction; _writeGeneric: AnyFunction };
    const targets = this.#targets;
    const { isPort } = this.#counted;
    const count = (name: string, target: string): string | undefined => this.#count(name, target, 'network');
    const callBack = this.#callBack.bind(this);
    socket['connect'] = function (this: net.Socket, ...args: unknown[]) {
      const first = (Array.isArray(args[0]) ? args[0][0] : args[0]) as { host?: string; port?: number };
      const port = Number(first.port);
      if (!isPort(port)) return connect.apply(this, args) as unknown;
      const target = `${first.host ?? 'localhost'}:${port}`;
      targets.set(this, target);
      const code = count('connect', target);
      if (code === undefined) return connect.apply(this, args) as unknown;
      const fail = (): unknown =>
        this.destroy(systemError(code === 'hang' ? 'ETIMEDOUT' : code, 'connect', target));
      // A reset comes after the connection was made.
      Object.assign(this, { connecting: true });
      if (code === 'hang') setTimeout(fail, HANG);
      else if (code !== 'ECONNRESET') setImmediate(fail);
      else this.once('connect', fail);
      return code === 'ECONNRESET' ? (connect.apply(this, args) as unknown) : this;
    };
    socket['_writeGeneric'] = function (this: net.Socket, ...args: unknown[]) {
      const own = targets.get(this);
      const code = own === undefined ? undefined : count('write', own);
      if (code === undefined) return write.apply(this, args) as unknown;
      const fail = (): void =>
        (args[3] as Callback)(systemError(code === 'ECONNREFUSED' ? 'EPIPE' : code, 'write', own ?? ''));
      return code === 'hang' ? setTimeout(fail, HANG) : fail();
    };

    const datagrams = dgram.Socket.prototype as unknown as Functions;
    const { connect: connectDatagram, send } = datagrams as { connect: AnyFunction; send: AnyFunction };
    datagrams['connect'] = function (this: dgram.Socket, ...args: unknown[]) {
      const [port, host, callback] = args as [number, string, Callback];
      const target = `${host}:${port}`;
      targets.set(this, target);
      return callBack('dgram connect', target, callback, () => connectDatagram.apply(this, args));
    };
    datagrams['send'] = function (this: dgram.Socket, ...args: unknown[]) {
      const target = targets.get(this);
      const callback = args.at(-1) as Callback;
      if (target === undefined) return send.apply(this, args) as unknown;
      return callBack('dgram send', target, callback, () => send.apply(this, args));
    };

    const server = net.Server.prototype as unknown as Functions;
    const listen = server['listen']!;
    server['listen'] = function (this: net.Server, ...args: unknown[]) {
      const code = count('listen', '127.0.0.1');
      if (code === undefined) return listen.apply(this, args) as unknown;
      setImmediate(() => this.emit('error', systemError('EADDRINUSE', 'listen', '127.0.0.1')));
      return this;
    };

    const { lookup } = dnsPromises;
    dnsPromises.lookup = (async (host: string, options: object) => {
      const code = count('lookup', host);
      if (code === 'hang') await hang();
      if (code !== undefined) throw systemError('EAI_AGAIN', 'getaddrinfo', host);
      return lookup(host, options);
    }) as typeof dnsPromises.lookup;
  }

  #callBack(name: string, target: string, callback: Callback, call: () => unknown): unknown {
    const code = this.#count(name, target, 'network');
    if (code === undefined) return call();
    return setImmediate(() => callback(systemError(code, name, target)));
  }
}

const hang = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, HANG));

/** An error as those of Node.js, whose message has a path or an address only where the call has it as argument. */
function systemError(code: string, call: string, target: string): Error {
  const name = call.replace(/^FileHandle\.|Sync$/g, '').replace('dgram ', '');
  const onOpen = /^(?:FileHandle\.|readSync|fstatSync|closeSync|writeSync|write$)/.test(call);
  const isNetwork = /^(?:connect|dgram|listen|getaddrinfo)/.test(call);
  const message = isNetwork
    ? `${name} ${code} ${target}`
    : `${code}: injected${call === 'write' ? '' : `, ${name}`}${onOpen ? '' : ` '${target}'`}`;
  return Object.assign(new Error(message), {
    code,
    syscall: name,
    ...(!onOpen && !isNetwork && { path: target }),
  });
}
