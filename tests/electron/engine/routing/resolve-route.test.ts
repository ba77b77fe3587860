import { describe, expect, it } from 'vitest';
import { chooseProfile } from '../../../../electron/engine/catalogue/client-facts.ts';
import { createView } from '../../../../electron/engine/catalogue/view/view.ts';
import type { RpcError } from '../../../../electron/engine/jsonrpc/message.ts';
import { isKnown, locate } from '../../../../electron/engine/routing/resolve-route.ts';
import type { ServerState } from '../../../../electron/engine/servers/contract.ts';
import { problem } from '../../../../shared/error/problem.ts';
import { catalogueOf, serverOf } from '../../../helper/catalogue.ts';

const resources = [{ uri: 'demo://x' }];
const resourceTemplates = [{ uriTemplate: 'demo://item/{id}' }];
const view = createView(
  catalogueOf(
    serverOf('fs', { tools: ['read:it', 'gone'], prompts: [{ name: 'p' }], resources, resourceTemplates }, [
      'gone',
    ]),
    serverOf('db', { tools: ['query'], resources }),
    serverOf('down', { protocolVersion: '' }),
  ),
  chooseProfile({ programDefault: 'colon' }),
);

function errorOf(method: string, params: object): RpcError {
  try {
    locate(method, { ...params }, view);
  } catch (error) {
    return error as RpcError;
  }
  throw new Error('It was found.');
}

describe('isKnown', () => {
  it.each([
    ['tools/call', { name: 'fs:read:it' }, true],
    ['tools/call', { name: 'late:tool' }, false],
    ['prompts/get', { name: 'late:p' }, false],
    ['resources/subscribe', { uri: 'late://x' }, false],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'fs:p' } }, true],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'late:p' } }, false],
    ['completion/complete', { ref: { type: 'ref/resource', uri: 'late://x' } }, false],
    ['completion/complete', { ref: 'nonsense' }, true],
  ])(
    '[SC-002] tells of %s with %j whether a server that still starts may be meant: %s',
    (method, params, known) => {
      expect(isKnown(method, params, view)).toBe(known);
    },
  );
});

describe('a name that begins like those of a server that has never been listed', () => {
  it.each([
    ['tools/call', 'down:read'],
    ['tools/call', 'down.read'],
    ['tools/call', 'down__read'],
    ['prompts/get', 'down__p'],
  ])('[US3.4] %s %s is answered with that, not as unknown', (method, name) => {
    expect(errorOf(method, { name }).data).toMatchObject({
      code: 'call.server_unavailable',
      serverKey: 'down',
    });
  });
});

describe('locate', () => {
  it.each([
    ['tools/call', { name: 'fs:read:it' }, 'fs', { name: 'read:it' }],
    ['tools/call', { name: 'db.query' }, 'db', { name: 'query' }],
    ['tools/call', { name: 'query' }, 'db', { name: 'query' }],
    ['prompts/get', { name: 'fs:p' }, 'fs', { name: 'p' }],
    ['resources/read', { uri: 'demo://x' }, 'fs', { uri: 'demo://x' }],
    ['resources/read', { uri: 'patchbay://resource/db/demo://x' }, 'db', { uri: 'demo://x' }],
    ['resources/subscribe', { uri: 'demo://item/7' }, 'fs', { uri: 'demo://item/7' }],
    ['resources/unsubscribe', { uri: 'demo://x' }, 'fs', { uri: 'demo://x' }],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'fs:p' } },
      'fs',
      { ref: { type: 'ref/prompt', name: 'p' } },
    ],
    [
      'completion/complete',
      { ref: { type: 'ref/resource', uri: 'demo://item/{id}' }, argument: { name: 'id', value: '1' } },
      'fs',
      { ref: { type: 'ref/resource', uri: 'demo://item/{id}' }, argument: { name: 'id', value: '1' } },
    ],
  ])('[FR-006, PB-PASS-1] sends %s with %j to %s', (method, params, serverKey, expected) => {
    expect(locate(method, params, view)).toEqual({ serverKey, params: expected });
  });

  it('[FR-007] changes nothing of the params but the name, their order included', () => {
    const params = JSON.parse(
      '{"_meta":{"v/k":1},"name":"fs:read:it","arguments":{"name":"x","a":[1.0,null]},"future":true}',
    );
    const located = locate('tools/call', params, view);
    expect(JSON.stringify(located.params)).toBe(JSON.stringify(params).replace('fs:read:it', 'read:it'));
    expect(located.params.arguments).toBe(params.arguments);
  });

  it.each([
    [
      'tools/call',
      { name: 'invalid:tool_name' },
      -32601,
      'Tool not found: invalid:tool_name',
      'call.unknown_tool',
    ],
    ['tools/call', { name: 'invalid__tool' }, -32601, 'Tool not found: invalid__tool', 'call.unknown_tool'],
    ['tools/call', { name: 'fs.nothing' }, -32601, 'Tool not found: fs.nothing', 'call.unknown_tool'],
    [
      'tools/call',
      { name: 'tool_name' },
      -32602,
      'Tool name must be prefixed with server key: tool_name',
      'call.unknown_tool',
    ],
    ['tools/call', { name: '' }, -32602, 'Tool name must be prefixed with server key: ', 'call.unknown_tool'],
    [
      'tools/call',
      {},
      -32602,
      'tools/call requires the parameter "name" as a string.',
      'app.invalid_request',
    ],
    [
      'tools/call',
      { name: 7 },
      -32602,
      'tools/call requires the parameter "name" as a string.',
      'app.invalid_request',
    ],
    ['tools/call', { name: 'fs:gone' }, -32012, 'The tool fs:gone is turned off.', 'call.tool_disabled'],
    ['prompts/get', { name: 'fs:nothing' }, -32602, 'Prompt not found: fs:nothing', 'call.unknown_prompt'],
    [
      'resources/read',
      { uri: 'other://x' },
      -32002,
      'Resource not found: other://x',
      'call.unknown_resource',
    ],
    [
      'completion/complete',
      { ref: null },
      -32602,
      'completion/complete requires the parameter "ref.type" as a string.',
      'app.invalid_request',
    ],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'x' } },
      -32602,
      'Prompt not found: x',
      'call.unknown_prompt',
    ],
  ])('[US3.4] answers %s with %j by %i: %s', (method, params, code, message, stable) => {
    expect(errorOf(method, params).toObject()).toMatchObject({ code, message, data: { code: stable } });
  });
});

describe('a name of a server that has never listed its tools', () => {
  const bare = { ...catalogueOf(serverOf('fs', { tools: ['read'] })), silent: ['late'] };
  const shown = createView(bare, chooseProfile({ programDefault: 'safe' }));
  const why = problem('server.crashed', 'It ended with code 3.', 'Set DATABASE_URL.', { stderr: 'fatal' });
  const states: readonly [ServerState | undefined, string, string][] = [
    [undefined, 'is not running and has not listed', 'Open late in Patchbay'],
    [{ status: 'disabled', since: 0 }, 'is turned off and has not listed', 'Turn on late'],
    [{ status: 'connecting', since: 0 }, 'is still starting and has not listed', 'Try again in a moment'],
    [
      { status: 'disconnected', since: 0, problem: why },
      'is not running: It ended with',
      'Set DATABASE_URL.',
    ],
    [{ status: 'error', since: 0, problem: why }, 'has failed to start: It ended with', 'Set DATABASE_URL.'],
    [{ status: 'needs-auth', since: 0, problem: why }, 'needs you to sign in: It', 'Set DATABASE_URL.'],
  ];

  it.each(states)("[US3.4] is answered with the server's state: %j", (state, sentence, fix) => {
    for (const [method, name] of [
      ['tools/call', 'late__tool'],
      ['tools/call', 'late:tool'],
      ['prompts/get', 'late__prompt'],
    ] as const) {
      const call = () => locate(method, { name }, shown, () => state);
      expect(call).toThrow(`${name} cannot be found. The server late ${sentence}`);
      expect(call).toThrow(
        expect.objectContaining({
          data: expect.objectContaining({
            code: 'call.server_unavailable',
            fix: expect.stringContaining(fix),
            serverKey: 'late',
            ...(state === undefined ? {} : { status: state.status }),
          }),
        }),
      );
    }
    expect(() => locate('tools/call', { name: 'lately__tool' }, shown)).toThrow('Tool not found');
  });
});

describe('a bare name that several servers have', () => {
  const twice = createView(
    catalogueOf(serverOf('one', { tools: ['echo'] }), serverOf('two', { tools: ['echo'] })),
    chooseProfile({ programDefault: 'safe' }),
  );

  it('[US3.4] is answered with the names that would work', () => {
    expect(() => locate('tools/call', { name: 'echo' }, twice)).toThrow(
      'Tool name must be prefixed with server key: echo. Use one__echo or two__echo.',
    );
  });
});
