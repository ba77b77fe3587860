import { describe, expect } from 'vitest';
import { eventually } from '../../helper/eventually.ts';
import { call, expectSame, payloadOf } from './compare.ts';
import { memberOf } from './fixture/raw-json.mjs';
import { type Asked, describePaths, onPath } from './on-path.ts';
import { outcomeOf, textOf } from './raw-client.ts';

describe('[PB-PASS-1] ids and envelopes', () => {
  describePaths('sent', (path, through) => {
    const ids = ['"text"', '""', '"1"', '1000001', '0', '-7', '9007199254740993', '"\\u0041\\u2028🎉"'];
    for (const id of [...ids, `"${'long'.repeat(10_000)}"`]) {
      onPath(path, 'behaviour', `an answer has the id of its request, ${id.slice(0, 24)}`, async () => {
        const { client } = through();
        const before = client.received.length;
        const name = JSON.stringify(through().open.told('count'));
        await client.send(
          `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":${name},"arguments":{}}}`,
        );
        const answers = () => client.received.slice(before).filter((text) => text.includes('"result"'));
        await eventually(() => expect(answers()).toHaveLength(1));
        expectSame('value', id, memberOf(answers()[0] ?? '{}', 'id') ?? 'none');
      });
    }

    const forms = [
      'id last',
      'result first',
      'white space',
      'CR before LF',
      'escaped member names',
      'unknown members',
      'both members, one null',
    ];
    for (const form of forms) {
      onPath(path, 'behaviour', `an answer of the server, ${form}`, async () => {
        const [member, payload] = outcomeOf(await call(through(), 'envelope', `{"form":"${form}"}`));
        expect(member).toBe('result');
        expect(memberOf(payload, 'content')).toBe('[]');
      });
    }

    onPath(path, 'behaviour', 'a second request under an id in flight harms nobody', async () => {
      const { client, open } = through();
      const name = JSON.stringify(open.told('slow'));
      const request = (milliseconds: number) =>
        client.send(
          `{"jsonrpc":"2.0","id":"twin","method":"tools/call","params":{"name":${name},"arguments":{"milliseconds":${milliseconds}}}}`,
        );
      const first = request(300);
      await Promise.all([first, request(100).catch(() => {})]);
      await eventually(() => expect(answersTo(through(), '"twin"').join()).toContain('slow is done'));
      expect(answersTo(through(), '"twin"').length).toBeLessThanOrEqual(2);
      await stillAnswers(through());
    });

    onPath(path, 'behaviour', 'a batch is refused, as this revision has none', async () => {
      const { client } = through();
      const before = client.received.length;
      const batch =
        '[{"jsonrpc":"2.0","id":"b1","method":"ping"},{"jsonrpc":"2.0","id":"b2","method":"ping"}]';
      const door = await client.send(batch).then(
        () => '',
        (error: unknown) => String(error),
      );
      if (!/HTTP 4\d\d/.test(door)) {
        await eventually(() => expect(client.received.slice(before).join()).toContain('-32600'));
      }
      for (const id of ['"b1"', '"b2"']) expect(answersTo(through(), id).join()).not.toContain('"result"');
      await stillAnswers(through());
    });

    for (const line of [
      'not json',
      '7',
      '"text"',
      'null',
      '{}',
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    ]) {
      onPath(path, 'behaviour', `what is no message harms nobody, ${line}`, async () => {
        await through()
          .client.send(line)
          .catch(() => {});
        await stillAnswers(through());
      });
    }

    onPath(path, 'behaviour', 'an unknown method is told so', async () => {
      const answer = await through().client.ask('vendor/unknown', '{}');
      expect(outcomeOf(answer)).toEqual(['error', expect.stringContaining('-32601')]);
    });
  });
});

describe('[PB-PASS-1] answers nobody waits for', () => {
  describePaths('given', (path, through) => {
    onPath(path, 'behaviour', 'a second answer to one request is dropped', async () => {
      await through().client.call(through().open.told('twice'), '{}', '"only once"');
      await stillAnswers(through());
      expect(answersTo(through(), '"only once"')).toHaveLength(1);
    });

    onPath(path, 'behaviour', 'answers to unknown ids are dropped', async () => {
      const { client } = through();
      const before = client.received.length;
      await call(through(), 'stray');
      await stillAnswers(through());
      expect(client.received.slice(before).join()).not.toContain('stray');
    });

    onPath(
      path,
      'behaviour',
      'a cancellation reaches the server at once, under its own id of the call',
      async () => {
        const { client, open } = through();
        const name = JSON.stringify(open.told('slow'));
        const slow = client.send(
          `{"jsonrpc":"2.0","id":"to cancel","method":"tools/call","params":{"name":${name},"arguments":{"milliseconds":20000}}}`,
        );
        await slow;
        await stillAnswers(through());
        const why = '"reason":"changed my mind","x-a":[1]';
        await client.send(
          `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"to cancel",${why}}}`,
        );
        const heard = await eventuallyCancelled(through());
        expect(heard.running).toBe(true);
        expect(memberOf(memberOf(heard.text, 'params') ?? '{}', 'reason')).toBe('"changed my mind"');
        expect(answersTo(through(), '"to cancel"')).toEqual([]);
      },
    );

    onPath(path, 'behaviour', 'an answer after the cancellation is dropped', async () => {
      const { client, open } = through();
      const name = JSON.stringify(open.told('late'));
      await client.send(
        `{"jsonrpc":"2.0","id":"too late","method":"tools/call","params":{"name":${name},"arguments":{}}}`,
      );
      await stillAnswers(through());
      await client.send(
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"too late"}}',
      );
      await stillAnswers(through());
      await stillAnswers(through());
      expect(answersTo(through(), '"too late"')).toEqual([]);
    });
  });
});

interface Heard {
  readonly text: string;
  readonly running: boolean;
}

async function eventuallyCancelled(asked: Asked): Promise<Heard> {
  let last: Heard | undefined;
  await eventually(async () => {
    const all: readonly Heard[] = JSON.parse(textOf(await call(asked, 'cancellations')));
    last = all.at(-1);
    expect(last).toBeDefined();
  });
  return last ?? { text: '{}', running: false };
}

function answersTo({ client }: Asked, id: string): readonly string[] {
  return client.answersTo(id);
}

async function stillAnswers(asked: Asked): Promise<void> {
  expect(await payloadOf(call(asked, 'count'))).toContain('"result"');
}
