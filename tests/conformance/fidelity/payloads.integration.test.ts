import { describe, expect } from 'vitest';
import { call, expectSame, listOf, paramsOf, payloadOf } from './compare.ts';
import {
  argumentValues,
  brokenTools,
  completions,
  errors,
  promptResults,
  prompts,
  readings,
  resources,
  results,
  tools,
} from './fixture/payloads.mjs';
import { memberOf, withMember } from './fixture/raw-json.mjs';
import { type Asked, describePaths, direct, levelsOf, onPath } from './on-path.ts';
import { textOf } from './raw-client.ts';

describe('[FR-007] [FR-008] [PB-PASS-1] asked directly and', () => {
  const itself = direct();

  describePaths('asked', (path, through) => {
    /** The same request both ways; what comes back must be the same. */
    function compare(item: string, request: (asked: Asked) => Promise<string>): void {
      for (const level of levelsOf(path)) {
        onPath(path, level, item, async () => {
          const [expected, got] = await Promise.all([request(itself()), request(through())]);
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
      const params = `{"x-a":{"b":null},"name":${name},"_meta":${meta},"arguments":{},"x-task":{"ttl":60000}}`;
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
        const found = listed.find((tool) => nameOf(tool) === told) ?? '{"missing":true}';
        return withMember(found, 'name', JSON.stringify(name));
      });
    }

    onPath(path, 'behaviour', 'what is no tool costs the list nothing else', async () => {
      const [expected, got] = await Promise.all([listOf(itself(), 'tools'), listOf(through(), 'tools')]);
      expect(got).toHaveLength(expected.length - brokenTools.length);
      expect(got.map(nameOf)).not.toContain(undefined);
    });

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

function nameOf(item: string): string | undefined {
  return item.startsWith('{') ? memberOf(item, 'name') : undefined;
}
