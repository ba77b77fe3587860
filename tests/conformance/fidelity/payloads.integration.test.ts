import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  argumentValues,
  completions,
  errors,
  promptResults,
  prompts,
  readings,
  resources,
  results,
  tools,
} from './fixture/payloads.mjs';
import { canonical, elementsOf, memberOf, withMember } from './fixture/raw-json.mjs';
import { levelsOf, onPath, paths } from './on-path.ts';
import { type OpenPath, openDirect, openPath } from './paths.ts';
import { outcomeOf, type RawClient, textOf } from './raw-client.ts';

interface Asked {
  readonly open: OpenPath;
  readonly client: RawClient;
}

async function ask(open: OpenPath): Promise<Asked> {
  return { open, client: await open.connect() };
}

describe('[FR-007] [FR-008] [PB-PASS-1] asked directly and', () => {
  let direct: Asked;

  beforeAll(async () => {
    direct = await ask(await openDirect());
  });
  afterAll(() => direct.open[Symbol.asyncDispose]());

  describe.each(paths)('through %s', (path) => {
    let through: Asked;

    beforeAll(async () => {
      through = await ask(await openPath(path));
    });
    afterAll(() => through.open[Symbol.asyncDispose]());

    /** The same request both ways; what comes back must be the same. */
    function compare(item: string, request: (asked: Asked) => Promise<string>): void {
      for (const level of levelsOf(path)) {
        onPath(path, level, item, async () => {
          const [expected, got] = await Promise.all([request(direct), request(through)]);
          expectSame(level, expected, got);
        });
      }
    }

    for (const item of Object.keys(results)) {
      compare(`result, ${item}`, (asked) =>
        payloadOf(call(asked, 'result', `{"item":${JSON.stringify(item)}}`)),
      );
    }

    for (const item of Object.keys(errors)) {
      compare(`error, ${item}`, (asked) =>
        payloadOf(call(asked, 'error', `{"item":${JSON.stringify(item)}}`)),
      );
    }

    for (const [item, value] of Object.entries(argumentValues)) {
      compare(`arguments, ${item}`, async (asked) => {
        const received = textOf(await call(asked, 'received', `{"value":${value},"after":1}`));
        return memberOf(paramsOf(received), 'arguments') ?? 'none';
      });
    }

    compare('params, unknown fields and _meta of the client', async ({ open, client }) => {
      const name = JSON.stringify(open.told('received'));
      const meta =
        '{"vendor/k":{"a":[1.0]},"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}';
      const params = `{"x-a":{"b":null},"name":${name},"_meta":${meta},"arguments":{},"task":{"ttl":60000}}`;
      return withMember(paramsOf(textOf(await client.ask('tools/call', params))), 'name', '""');
    });

    compare('params, no arguments', async ({ open, client }) => {
      const params = `{"name":${JSON.stringify(open.told('received'))}}`;
      return withMember(paramsOf(textOf(await client.ask('tools/call', params))), 'name', '""');
    });

    for (const name of Object.keys(tools)) {
      compare(`tool, ${name}`, async (asked) => {
        const listed = await listOf(asked, 'tools');
        const told = JSON.stringify(asked.open.told(name));
        const found = listed.find((tool) => memberOf(tool, 'name') === told) ?? '{"missing":true}';
        return withMember(found, 'name', JSON.stringify(name));
      });
    }

    prompts.forEach((prompt, index) => {
      const name = JSON.parse(memberOf(prompt, 'name') ?? '""');
      compare(`prompt, ${name}`, async (asked) => {
        const listed = (await listOf(asked, 'prompts'))[index] ?? '{}';
        expect(memberOf(listed, 'name')).toBe(JSON.stringify(asked.open.told(name)));
        return withMember(listed, 'name', JSON.stringify(name));
      });
    });

    resources.forEach((resource, index) => {
      compare(
        `resource, ${memberOf(resource, 'name')}`,
        async (asked) => (await listOf(asked, 'resources'))[index] ?? '{}',
      );
    });

    compare('resource templates', async (asked) => (await listOf(asked, 'resourceTemplates'))[0] ?? '{}');

    for (const uri of Object.keys(readings)) {
      compare(`resources/read, ${uri}`, ({ client }) =>
        payloadOf(client.ask('resources/read', `{"uri":${JSON.stringify(uri)}}`)),
      );
    }

    compare('resources/read, an error with data', ({ client }) =>
      payloadOf(client.ask('resources/read', '{"uri":"memo://gone"}')),
    );

    for (const name of Object.keys(promptResults)) {
      compare(`prompts/get, ${name}`, ({ open, client }) =>
        payloadOf(client.ask('prompts/get', `{"name":${JSON.stringify(open.told(name))},"arguments":{}}`)),
      );
    }

    for (const value of Object.keys(completions)) {
      compare(`completion/complete, ${value}`, ({ open, client }) => {
        const reference = `{"type":"ref/prompt","name":${JSON.stringify(open.told('greet'))},"x-a":1}`;
        const argument = `{"name":"who","value":${JSON.stringify(value)},"x-b":1.0}`;
        return payloadOf(client.ask('completion/complete', `{"ref":${reference},"argument":${argument}}`));
      });
    }
  });
});

function call({ open, client }: Asked, tool: string, args: string): Promise<string> {
  return client.call(open.told(tool), args);
}

async function payloadOf(answer: Promise<string>): Promise<string> {
  const [member, payload] = outcomeOf(await answer);
  return `{"${member}":${payload}}`;
}

function paramsOf(message: string): string {
  return memberOf(message, 'params') ?? '{}';
}

const lists = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
} as const;

/** All pages of a list; asked once per client. */
async function listOf({ client }: Asked, field: keyof typeof lists): Promise<readonly string[]> {
  const items: string[] = [];
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const answer = await client.ask(lists[field], cursor === undefined ? undefined : `{"cursor":${cursor}}`);
    const result = memberOf(answer, 'result') ?? '{}';
    items.push(...elementsOf(memberOf(result, field) ?? '[]'));
    cursor = memberOf(result, 'nextCursor');
  }
  return items;
}

function expectSame(level: 'value' | 'bytes', expected: string, got: string): void {
  if (got === expected) return;
  if (level === 'bytes') expect(got).toBe(expected);
  else expect(canonical(got)).toBe(canonical(expected));
}
