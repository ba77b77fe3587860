import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { listOf, payloadOf } from './fidelity/compare.ts';
import { memberOf } from './fidelity/fixture/raw-json.mjs';
import { type Asked, describePaths, direct, onPath } from './fidelity/on-path.ts';

const server = {
  command: process.execPath,
  args: [fileURLToPath(new URL('reference/server.mjs', import.meta.url))],
};

/** `npm run test:conformance` runs the official suite on this server; this is the part that needs nothing but it. */
describe('[PB-PASS-2] the server of the official suite answers as it does alone and', () => {
  const itself = direct(server);

  describePaths(
    'asked',
    (path, through) => {
      const tools = [
        'test_simple_text',
        'test_image_content',
        'test_audio_content',
        'test_embedded_resource',
        'test_multiple_content_types',
        'test_error_handling',
        'test_tool_with_progress',
      ];
      for (const tool of tools) {
        onPath(path, 'behaviour', `reference tool, ${tool}`, async () => {
          await same(through(), ({ open, client }) => payloadOf(client.call(open.told(tool))));
        });
        onPath(path, 'behaviour', `reference tool by its bare name, ${tool}`, async () => {
          await same(through(), ({ client }) => payloadOf(client.call(tool)));
        });
      }

      const questions = {
        test_sampling: '{"prompt":"q"}',
        test_elicitation: '{"message":"m"}',
        test_elicitation_sep1034_defaults: '{}',
        test_elicitation_sep1330_enums: '{}',
      };
      for (const [tool, args] of Object.entries(questions)) {
        onPath(path, 'behaviour', `reference tool that asks, ${tool}`, async () => {
          await same(through(), async (asked) => {
            let heard = '';
            asked.client.reply = (method, text) => {
              heard = `${method} ${memberOf(text, 'params')}`;
              return { result: method.startsWith('sampling') ? completion : form };
            };
            return `${heard} ${await payloadOf(asked.client.call(asked.open.told(tool), args))}${heard}`;
          });
        });
      }

      onPath(path, 'behaviour', 'reference resources, listed and read', async () => {
        await same(through(), async (asked) => (await listOf(asked, 'resources')).join());
        for (const uri of ['test://static-text', 'test://static-binary', 'test://template/123/data']) {
          await same(through(), ({ client }) => payloadOf(client.ask('resources/read', `{"uri":"${uri}"}`)));
        }
      });

      onPath(path, 'behaviour', 'reference prompts', async () => {
        const args = '"arguments":{"arg1":"a","arg2":"b","resourceUri":"test://example"}';
        for (const name of ['test_simple_prompt', 'test_prompt_with_arguments', 'test_prompt_with_image']) {
          await same(through(), ({ open, client }) =>
            payloadOf(client.ask('prompts/get', `{"name":"${open.told(name)}",${args}}`)),
          );
        }
      });
    },
    ['command', 'bridge', '/mcp', '/mcp/servers/{key}'],
    server,
  );

  async function same(through: Asked, request: (asked: Asked) => Promise<string>): Promise<void> {
    const [expected, got] = await Promise.all([request(itself()), request(through)]);
    expect(got).toBe(expected);
  }
});

const completion = '{"role":"assistant","model":"m","content":{"type":"text","text":"yes"}}';
const form = '{"action":"accept","content":{"response":"r"}}';
