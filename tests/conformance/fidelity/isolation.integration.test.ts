import { describe, expect } from 'vitest';
import { eventually } from '../../helper/eventually.ts';
import { call } from './compare.ts';
import { memberOf } from './fixture/raw-json.mjs';
import { type Asked, describePaths, onPath } from './on-path.ts';
import type { PathName } from './paths.ts';
import { outcomeOf, textOf } from './raw-client.ts';

/** Paths on which one server has several clients. */
const shared: readonly PathName[] = ['bridge', '/mcp', '/mcp/servers/{key}', 'remote server'];
const capabilities = '{"elicitation":{"form":{}}}';

describe('[PB-ISO-1] two clients of one server', () => {
  describePaths(
    'connected',
    (path, through) => {
      onPath(path, 'behaviour', 'with the same ids and progress tokens get what is theirs', async () => {
        const [one, other] = await two(through());
        const marks = async ({ open, client }: Asked, mark: string) => {
          const name = JSON.stringify(open.told('received'));
          const answers = await Promise.all(
            Array.from({ length: 50 }, (_, index) =>
              client.ask(
                'tools/call',
                `{"name":${name},"arguments":{"mark":"${mark}"},"_meta":{"progressToken":${index}}}`,
                `"same ${index}"`,
              ),
            ),
          );
          return new Set(answers.map((answer) => /"mark":"(\w+)"/.exec(textOf(answer))?.[1]));
        };
        const [first, second] = await Promise.all([marks(one, 'one'), marks(other, 'other')]);
        expect([...first, ...second]).toEqual(['one', 'other']);
      });

      onPath(path, 'behaviour', 'progress goes to the one whose call it is', async () => {
        const [one, other] = await two(through());
        const name = JSON.stringify(one.open.told('progress'));
        const params = `{"name":${name},"arguments":{"item":"plain"},"_meta":{"progressToken":"same"}}`;
        await one.client.ask('tools/call', params);
        await call(other, 'count');
        expect(one.client.notices('notifications/progress')).toHaveLength(2);
        expect(other.client.notices('notifications/progress')).toEqual([]);
      });

      onPath(path, 'behaviour', 'a cancellation ends the own call and no other of that id', async () => {
        const [one, other] = await two(through());
        const kept = other.client.call(other.open.told('slow'), '{"milliseconds":400}', '"same"');
        const dropped = one.client
          .call(one.open.told('slow'), '{"milliseconds":300}', '"same"')
          .catch(() => '');
        await call(one, 'count');
        await one.client.send(
          '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"same"}}',
        );
        expect(textOf(await kept)).toBe('slow is done');
        expect(one.client.answersTo('"same"')).toEqual([]);
        await Promise.race([dropped, call(one, 'count')]);
      });

      onPath(path, 'behaviour', 'one that comes and goes does not disturb the other', async () => {
        const [one, other] = await two(through());
        const slow = other.client.call(other.open.told('slow'), '{"milliseconds":300}');
        await call(one, 'count');
        await one.client[Symbol.asyncDispose]();
        expect(textOf(await slow)).toBe('slow is done');
        const third: Asked = { open: one.open, client: await one.open.connect() };
        expect(textOf(await call(third, 'count'))).toMatch(/^\d+$/);
      });

      onPath(path, 'behaviour', 'the state a server keeps lasts from call to call', async () => {
        const [one] = await two(through());
        const first = Number(textOf(await call(one, 'count')));
        expect(Number(textOf(await call(one, 'count')))).toBe(first + 1);
      });
    },
    shared,
  );

  // On a server of their own: a call that was given up may still make its server ask, which leaves no certainty.
  describePaths(
    'asked',
    (path, through) => {
      onPath(path, 'behaviour', 'a question goes to the one whose call caused it', async () => {
        const [one, other] = await two(through());
        const heard: string[] = [];
        for (const [name, { client }] of [
          ['one', one],
          ['other', other],
        ] as const) {
          client.reply = () => {
            heard.push(name);
            return { result: `{"action":"accept","content":{"who":"${name}"}}` };
          };
        }
        const answer = textOf(await call(other, 'ask', '{"item":"elicitation/create"}'));
        expect(heard).toEqual(['other']);
        expect(answer).toContain('"who":"other"');
      });

      onPath(
        path,
        'behaviour',
        'a question asked while both call is never put to the wrong one',
        async () => {
          const [one, other] = await two(through());
          for (const [name, { client }] of [
            ['one', one],
            ['other', other],
          ] as const) {
            client.reply = () => ({ result: `{"action":"accept","content":{"who":"${name}"}}` });
          }
          const both = await Promise.all([
            call(one, 'ask', '{"item":"elicitation/create"}'),
            call(other, 'ask', '{"item":"elicitation/create"}'),
          ]);
          const [ofOne, ofOther] = both.map((answer) => outcomeOf(answer).join());
          expect(ofOne).not.toContain('\\"who\\":\\"other\\"');
          expect(ofOther).not.toContain('\\"who\\":\\"one\\"');
        },
      );
    },
    shared,
  );

  describePaths(
    'strictly apart',
    (path, through) => {
      onPath(path, 'behaviour', 'each has a server of its own where the config asks for it', async () => {
        const { open } = through();
        const counts = await Promise.all(
          ['one', 'other'].map(async (name) => {
            const client = await open.connect('{}', name);
            return textOf(await call({ open, client }, 'count'));
          }),
        );
        expect(counts).toEqual(['1', '1']);
      });
    },
    shared.filter((path) => path !== 'remote server'),
    { patchbay: { isolation: 'per-client' } },
  );
});

describe('[PB-ISO-1] sessions over HTTP', () => {
  describePaths(
    'named',
    (path, through) => {
      onPath(path, 'behaviour', 'a message without a session is nobody’s, even with one client', async () => {
        const stranger = through().open.wire();
        await expect(stranger.ask('tools/list')).rejects.toThrow('HTTP 400');
      });

      onPath(path, 'behaviour', 'an unknown session is not found, and the other one goes on', async () => {
        const stranger = through().open.wire('nobody');
        await expect(stranger.ask('tools/list')).rejects.toThrow('HTTP 404');
        await eventually(async () =>
          expect(memberOf(await call(through(), 'count'), 'result')).toBeDefined(),
        );
      });
    },
    ['/mcp', '/mcp/servers/{key}'],
  );
});

async function two({ open }: Asked): Promise<readonly [Asked, Asked]> {
  const [one, other] = await Promise.all([
    open.connect(capabilities, 'one'),
    open.connect(capabilities, 'other'),
  ]);
  return [
    { open, client: one },
    { open, client: other },
  ];
}
