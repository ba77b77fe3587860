import { describe, expect } from 'vitest';
import { eventually } from '../../helper/eventually.ts';
import { call, expectSame, listOf, payloadOf } from './compare.ts';
import { progressNotices, questions } from './fixture/payloads.mjs';
import { memberOf, withMember } from './fixture/raw-json.mjs';
import { type Asked, describePaths, direct, levelsOf, onPath } from './on-path.ts';
import { openPath } from './paths.ts';
import { textOf } from './raw-client.ts';

describe('[PB-PASS-1] what servers say of their own accord and', () => {
  const itself = direct();

  describePaths('heard', (path, through) => {
    function compare(item: string, request: (asked: Asked) => Promise<string>): void {
      for (const level of levelsOf(path)) {
        onPath(path, level, item, async () => {
          const [expected, got] = await Promise.all([request(itself()), request(through())]);
          expectSame(level, expected, got);
        });
      }
    }

    const tokens = ['"text"', '""', '7', '0', '-1', '9007199254740993'];
    for (const token of tokens) {
      compare(`progress, token ${token}`, (asked) => progressOf(asked, 'plain', token));
    }
    compare('progress, numbers', (asked) => progressOf(asked, 'numbers', '"text"'));

    onPath(path, 'behaviour', 'progress of no live call is dropped', async () => {
      const { open, client } = through();
      const name = JSON.stringify(open.told('badProgress'));
      const answer = await client.ask('tools/call', `{"name":${name},"_meta":{"progressToken":"live"}}`);
      await call(through(), 'count');
      expect(client.notices('notifications/progress').filter((params) => params.includes('made up'))).toEqual(
        [],
      );
      const after = client.received.slice(client.received.indexOf(answer));
      expect(after.filter((text) => text.includes('notifications/progress'))).toEqual([]);
    });

    compare('log messages', (asked) => logOf(asked, 'plain'));
    compare('log messages, numbers', (asked) => logOf(asked, 'numbers'));
    compare('resource updates of a subscription', updateOf);

    onPath(path, 'behaviour', 'a list that grew is told and listed', async () => {
      const { open, client } = through();
      const before = (await listOf(through(), 'tools')).length;
      const told = client.notices('notifications/tools/list_changed').length;
      await call(through(), 'grow');
      await eventually(() =>
        expect(client.notices('notifications/tools/list_changed').length).toBeGreaterThan(told),
      );
      const after = await listOf(through(), 'tools');
      expect(after).toHaveLength(before + 1);
      expect(memberOf(after.at(-1) ?? '{}', 'name')).toBe(JSON.stringify(open.told('extra-0')));
    });

    onPath(path, 'behaviour', 'a storm of 10,000 list_changed costs few notices', async () => {
      const { client } = through();
      for (const kind of ['tools', 'resources', 'prompts']) {
        await call(through(), 'storm', `{"notices":10000,"kind":"${kind}"}`);
      }
      await listOf(through(), 'tools');
      const told = client.received.filter((text) => text.length < 200 && text.includes('/list_changed'));
      expect(told.length).toBeLessThan(20);
    });
  });
});

describe('[PB-PASS-1] what servers ask of a client and', () => {
  const itself = direct();

  describePaths('answered', (path, through) => {
    for (const item of Object.keys(questions)) {
      for (const level of levelsOf(path)) {
        const result =
          '{"role":"assistant","content":{"type":"text","text":"yes"},"x-a":[1],"_meta":{"k":{}}}';
        onPath(path, level, `question, ${item}`, async () => {
          const asking = (asked: Asked) => askClient(asked, item, { result });
          const [expected, got] = await Promise.all([asking(itself()), asking(through())]);
          expectSame(level, expected.heard, got.heard);
          expectSame(level, expected.answered, got.answered);
        });
      }
      onPath(path, 'value', `question, ${item}, refused by the client`, async () => {
        const error = '{"code":-1,"message":"User rejected","data":{"x":[null]}}';
        const asking = (asked: Asked) => askClient(asked, item, { error });
        const [expected, got] = await Promise.all([asking(itself()), asking(through())]);
        expectSame('value', expected.answered, got.answered);
      });
    }

    onPath(path, 'value', 'roots/list_changed of the client', async () => {
      const { client } = through();
      await client.send(
        '{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{"_meta":{"k":[1]}}}',
      );
      await eventually(async () => {
        const heard: readonly string[] = JSON.parse(textOf(await call(through(), 'heard')));
        expect(heard.some((text) => memberOf(text, 'method') === '"notifications/roots/list_changed"')).toBe(
          true,
        );
      });
    });

    onPath(path, 'behaviour', 'ping', async () => {
      expect(await payloadOf(through().client.ask('ping'))).toBe('{"result":{}}');
    });
  });
});

describe('[PB-PASS-1] tasks and', () => {
  const itself = direct();

  describePaths('polled', (path, through) => {
    const methods = ['tasks/get', 'tasks/result', 'tasks/cancel'];
    for (const method of methods) {
      onPath(path, 'value', `task, ${method}`, async () => {
        await listOf(through(), 'tools');
        const [expected, got] = await Promise.all([taskOf(itself(), method), taskOf(through(), method)]);
        expectSame('value', expected, got);
      });
    }
  });
});

describe('[PB-PASS-1] a client that does not wait for lists and', () => {
  const itself = direct();

  describePaths(
    'at once',
    (path) => {
      onPath(path, 'behaviour', 'a task made while the server was starting is its own', async () => {
        const open = await openPath(path, { env: { START_DELAY: '500' } });
        try {
          const early = { open, client: await open.connect() };
          const [expected, got] = await Promise.all([
            taskOf(itself(), 'tasks/get'),
            taskOf(early, 'tasks/get'),
          ]);
          expectSame('value', expected, got);
        } finally {
          await open[Symbol.asyncDispose]();
        }
      });
    },
    ['command'],
  );
});

/** The progress notices of one call under this token. */
async function progressOf({ open, client }: Asked, item: string, token: string): Promise<string> {
  const before = client.notices('notifications/progress').length;
  const params = `"name":${JSON.stringify(open.told('progress'))},"arguments":{"item":"${item}"}`;
  await client.ask('tools/call', `{${params},"_meta":{"progressToken":${token}}}`);
  const notices = client.notices('notifications/progress').slice(before);
  expect(notices).toHaveLength(progressNotices[item]?.length ?? 0);
  return `[${notices.join()}]`;
}

async function logOf(asked: Asked, item: string): Promise<string> {
  await asked.client.ask('logging/setLevel', '{"level":"debug"}');
  const before = asked.client.notices('notifications/message').length;
  await call(asked, 'log', `{"item":"${item}"}`);
  return noticeAfter(before, asked, 'notifications/message');
}

async function updateOf(asked: Asked): Promise<string> {
  expect(await payloadOf(asked.client.ask('resources/subscribe', '{"uri":"memo://one"}'))).toBe(
    '{"result":{}}',
  );
  const before = asked.client.notices('notifications/resources/updated').length;
  await call(asked, 'update', '{"uri":"memo://one"}');
  return noticeAfter(before, asked, 'notifications/resources/updated');
}

/** A notice may come after the answer of the call that caused it. */
async function noticeAfter(before: number, { client }: Asked, method: string): Promise<string> {
  await eventually(() => expect(client.notices(method).length).toBeGreaterThan(before));
  return client.notices(method).at(-1) ?? '';
}

/** Returns the client's request, and the answer that reached the server. */
async function askClient(
  asked: Asked,
  item: string,
  said: { readonly result: string } | { readonly error: string },
): Promise<{ readonly heard: string; readonly answered: string }> {
  let heard = 'nothing';
  asked.client.reply = (method, text) => {
    heard = `{"method":"${method}","params":${memberOf(text, 'params')}}`;
    return said;
  };
  const answer = textOf(await call(asked, 'ask', `{"item":"${item}"}`));
  return { heard, answered: withMember(answer, 'id', '0') };
}

/** Returns the answer of a task method without the task's id, which may differ on an aggregate. */
async function taskOf(asked: Asked, method: string): Promise<string> {
  const name = JSON.stringify(asked.open.told('count'));
  const made = await asked.client.ask('tools/call', `{"name":${name},"arguments":{},"task":{"ttl":60000}}`);
  const id = memberOf(memberOf(memberOf(made, 'result') ?? '{}', 'task') ?? '{}', 'taskId');
  const answer = await payloadOf(asked.client.ask(method, `{"taskId":${id ?? '"missing"'}}`));
  return `{"made":${id !== undefined},"answer":${answer.replaceAll(id ?? 'none', '"id"')}}`;
}
