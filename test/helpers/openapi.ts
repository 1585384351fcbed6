// Checks responses against an OpenAPI description. Supports the parts of JSON Schema that our descriptions use.

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ParsedResponse } from './raw-http.js';

/** A node of a description. */
export type Node = Readonly<Record<string, unknown>>;

/** A response and its request. */
export interface Exchange {
  readonly method: string;
  /** As in the description; parameters are in braces. */
  readonly path: string;
  readonly response: ParsedResponse;
}

/** Headers that concern the connection and not the response. */
const CONNECTION_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding']);
const KEYWORDS = new Set(
  'type const pattern format required properties additionalProperties items minItems description'.split(' '),
);

/** A description of a service. */
export class OpenApi {
  readonly #document: Node;

  constructor(file: string) {
    this.#document = parse(readFileSync(file, 'utf8')) as Node;
  }

  /** Every described response as `METHOD path status type`; `any` replaces method and path for `x-any-request`. */
  get described(): string[] {
    const operations = entries(this.#document.paths).flatMap(([path, methods]) =>
      entries(methods)
        .filter(([method]) => /^(get|head|put|post|delete|patch|options)$/.test(method))
        .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    );
    const all = [...operations, ['any', this.#document['x-any-request'] as Node] as const];
    return all.flatMap(([where, { responses }]) =>
      entries(responses).flatMap(([status, response]) => {
        const types = entries(this.#resolve(response).content).map(([type]) => type);
        return (types.length === 0 ? ['no body'] : types).map((type) => `${where} ${status} ${type}`);
      }),
    );
  }

  /** The entry of {@link described} for a response. */
  keyOf({ method, path, response }: Exchange): string {
    const { where } = this.#find(method, path, response.status);
    return `${where} ${response.status} ${response.headers.get('content-type') ?? 'no body'}`;
  }

  /** The differences from the description. */
  problems({ method, path, response }: Exchange): string[] {
    const { description } = this.#find(method, path, response.status);
    if (description === undefined) return [`${response.status} is not described`];
    const type = response.headers.get('content-type');
    const content = new Map(entries(description.content));
    const described = new Map(
      entries(description.headers).map(([name, header]) => [name.toLowerCase(), header]),
    );
    const schema = type === undefined ? undefined : content.get(type)?.schema;
    if (type !== undefined && schema === undefined) return [`the type ${type} is not described`];
    const isEmpty = method === 'HEAD' || schema === undefined;
    return [
      ...this.#headerProblems(response.headers, described),
      ...(isEmpty
        ? response.body === ''
          ? []
          : ['there is a body']
        : this.#schemaProblems(
            schema as Node,
            /json/.test(type ?? '') ? JSON.parse(response.body) : response.body,
            'body',
          )),
    ];
  }

  #headerProblems(headers: ParsedResponse['headers'], described: ReadonlyMap<string, Node>): string[] {
    const unknown = [...headers.keys()].filter(
      (name) => name !== 'content-type' && !CONNECTION_HEADERS.has(name) && !described.has(name),
    );
    const wrong = [...described].flatMap(([name, reference]) => {
      const { required, schema } = this.#resolve(reference);
      const value = headers.get(name);
      if (value === undefined) return required === true ? [`the header ${name} is missing`] : [];
      return this.#schemaProblems(schema as Node, value, name);
    });
    return [...unknown.map((name) => `the header ${name} is not described`), ...wrong];
  }

  #find(method: string, path: string, status: number): { where: string; description?: Node } {
    const operation = new Map(entries((this.#document.paths as Node)[path])).get(method.toLowerCase());
    const own = new Map(entries(operation?.responses)).get(String(status));
    if (own !== undefined) return { where: `${method} ${path}`, description: this.#resolve(own) };
    const any = new Map(entries((this.#document['x-any-request'] as Node).responses)).get(String(status));
    return any === undefined ? { where: 'nowhere' } : { where: 'any', description: this.#resolve(any) };
  }

  #resolve(node: Node): Node {
    if (typeof node.$ref !== 'string') return node;
    const steps = node.$ref.replace('#/', '').split('/');
    return steps.reduce<Node>((found, step) => found[step] as Node, this.#document);
  }

  #schemaProblems(reference: Node, value: unknown, where: string): string[] {
    const schema = this.#resolve(reference);
    const unknown = Object.keys(schema).find((word) => !KEYWORDS.has(word));
    if (unknown !== undefined)
      throw new Error(`the schema of ${where} has the unsupported keyword ${unknown}`);
    if ('const' in schema && schema.const !== value) return [`${where} is ${String(value)}`];
    if (schema.type !== undefined && schema.type !== typeName(value))
      return [`${where} is ${typeName(value)}`];
    if (typeof value === 'string') return textProblems(schema, value, where);
    if (Array.isArray(value))
      return [
        ...(value.length < Number(schema.minItems ?? 0) ? [`${where} is too short`] : []),
        ...value.flatMap((item, index) =>
          this.#schemaProblems(schema.items as Node, item, `${where}[${index}]`),
        ),
      ];
    if (schema.type !== 'object') return [];
    const properties = new Map(entries(schema.properties));
    const missing = ((schema.required ?? []) as string[]).filter(
      (name) => !Object.hasOwn(value as object, name),
    );
    return [
      ...missing.map((name) => `${where}.${name} is missing`),
      ...Object.entries(value as object).flatMap(([name, member]) => {
        const property = properties.get(name);
        if (property === undefined)
          return schema.additionalProperties === false ? [`${where}.${name} is not described`] : [];
        return this.#schemaProblems(property, member, `${where}.${name}`);
      }),
    ];
  }
}

function textProblems({ pattern = '', format }: Node, value: string, where: string): string[] {
  if (!new RegExp(pattern as string, 'su').test(value))
    return [`${where} is ${JSON.stringify(value.slice(0, 80))}, which does not match ${pattern as string}`];
  if (format === 'date-time' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value))
    return [`${where} is not a time: ${value}`];
  return [];
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function entries(node: unknown): [string, Node][] {
  return Object.entries((node ?? {}) as Record<string, Node>);
}
