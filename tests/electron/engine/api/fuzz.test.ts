import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adminToken, agentToken, fakePorts, type ServedApi, serveApi } from '../../../helper/api.ts';

type Schema = Readonly<Record<string, unknown>>;
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Generates values of a schema, and invalid ones now and then. */
function valuesOf(schema: Schema, document: Document, depth = 0): fc.Arbitrary<unknown> {
  const anything = fc.jsonValue({ maxDepth: 2 });
  const right = rightValues(schema, document, depth);
  return fc.oneof({ weight: 8, arbitrary: right }, { weight: 1, arbitrary: anything });
}

function rightValues(schema: Schema, document: Document, depth: number): fc.Arbitrary<unknown> {
  const { $ref, type, properties = {}, required = [], enum: options, anyOf, items } = schema;
  if (typeof $ref === 'string') {
    const meant = document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {};
    return rightValues(meant, document, depth);
  }
  if (Array.isArray(options)) return fc.constantFrom(...options);
  if (Array.isArray(anyOf))
    return fc.oneof(...anyOf.map((one) => rightValues(one as Schema, document, depth)));
  if (type === 'string') return fc.oneof(fc.constantFrom('a', 'x', 'a.x', 'bot', 'node'), fc.string());
  if (type === 'integer' || type === 'number') return fc.oneof(fc.integer({ min: 1, max: 100 }), fc.double());
  if (type === 'boolean') return fc.boolean();
  if (type === 'array') {
    if (depth > 4) return fc.constant([]);
    return fc.array(valuesOf((items ?? {}) as Schema, document, depth + 1), { maxLength: 3 });
  }
  if (type !== 'object') return fc.jsonValue({ maxDepth: 2 });
  const known = properties as Readonly<Record<string, Schema>>;
  const members = Object.entries(known);
  if (members.length === 0) return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  const fields = members.map(([name, member]) => [name, valuesOf(member, document, depth + 1)] as const);
  const always = (required as readonly string[]).filter((name) => name in known);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...always] });
}

/** Checks that an answer has a documented status and format. */
function createJudge(document: Document) {
  const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });
  ajv.addSchema({ ...document }, 'api');
  return (path: string, method: string, status: number, body: string): string | undefined => {
    const answer = document.paths[path]?.[method]?.responses[String(status)];
    if (answer === undefined) return `status ${status} is not documented`;
    const hasJson = answer.content?.['application/json'] !== undefined;
    if (!hasJson) return undefined;
    const pointer = [path, method, 'responses', String(status), 'content', 'application/json', 'schema']
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validate = ajv.getSchema(`api#/paths/${pointer}`);
    if (validate?.(JSON.parse(body)) === true) return undefined;
    return `${body.slice(0, 300)}: ${ajv.errorsText(validate?.errors)}`;
  };
}

async function described(api: ServedApi): Promise<Document> {
  return (await (await api.ask('/openapi.json')).json()) as Document;
}

const ended = (path: string) => path !== '/api/v1/events';

describe('the API, tested against its own description', () => {
  it('[API-1] answers every request with a status and a form that are documented', async () => {
    await using api = await serveApi(fakePorts().ports);
    const document = await described(api);
    const judge = createJudge(document);
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    );
    for (const { path, method, operation } of operations.filter((one) => ended(one.path))) {
      const parameters = operation.parameters ?? [];
      const names = fc.record(
        Object.fromEntries(parameters.map(({ name, schema }) => [name, valuesOf(schema, document)])),
      );
      const schema = operation.requestBody?.content['application/json']?.schema;
      const bodies = schema === undefined ? fc.constant(undefined) : valuesOf(schema, document);
      const tokens = fc.constantFrom(adminToken, adminToken, agentToken, 'wrong', '');
      await fc.assert(
        fc.asyncProperty(names, bodies, tokens, async (values, body, token) => {
          const init = {
            method: method.toUpperCase(),
            token,
            ...(body === undefined
              ? {}
              : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
          };
          const response = await api.ask(addressOf(path, parameters, values), init);
          const text = await response.text();
          // An empty or dotted path segment makes a different path.
          if (response.status === 404 && text.includes('path_not_found')) return;
          expect(judge(path, method, response.status, text)).toBeUndefined();
          expect(response.status).not.toBe(500);
        }),
        { numRuns: 10, endOnFailure: true },
      );
    }
  });
});

function addressOf(
  path: string,
  parameters: NonNullable<Operation['parameters']>,
  values: Readonly<Record<string, unknown>>,
): string {
  const text = (name: string) => {
    const value = values[name];
    const written = typeof value === 'string' ? value : JSON.stringify(value);
    return encodeURIComponent(/\p{Cs}/u.test(written) ? 'odd' : written);
  };
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => text(name) || 'a');
  const query = parameters.filter((one) => one.in === 'query').map(({ name }) => `${name}=${text(name)}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}
