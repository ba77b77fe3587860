import { describe, expect } from 'vitest';
import { call, payloadOf } from './compare.ts';
import { elementsOf, memberOf } from './fixture/raw-json.mjs';
import { type Asked, describePaths, onPath } from './on-path.ts';
import { outcomeOf, textOf } from './raw-client.ts';

const MEGABYTE = 1024 * 1024;

describe('[EDGE-2] [FR-007] [FR-008] large messages', () => {
  describePaths('passed', (path, through) => {
    onPath(path, 'behaviour', 'arguments of 1 MB', async () => {
      const text = 'é\\n'.repeat(MEGABYTE / 4);
      const received = textOf(await call(through(), 'received', `{"value":"${text}"}`));
      expect(memberOf(memberOf(received, 'params') ?? '{}', 'arguments')).toBe(`{"value":"${text}"}`);
    });

    for (const megabytes of [1, 12, 50]) {
      onPath(path, 'behaviour', `a result of ${megabytes} MB`, async () => {
        const answer = await call(through(), 'sized', `{"bytes":${megabytes * MEGABYTE}}`);
        const expected = `{"content":[{"type":"text","text":"${'x'.repeat(megabytes * MEGABYTE)}"}]}`;
        // Not toBe: a difference of this size takes minutes to print.
        expect(memberOf(answer, 'result') === expected).toBe(true);
        await stillAnswers(through());
      });
    }

    onPath(path, 'behaviour', 'a result over the limit fails by itself, with a clear error', async () => {
      const [member, payload] = outcomeOf(await call(through(), 'sized', `{"bytes":${70 * MEGABYTE}}`));
      expect(member).toBe('error');
      expect(payload).toContain(String(64 * MEGABYTE));
      await stillAnswers(through());
    });

    onPath(path, 'behaviour', 'a result of 10,000 content items', async () => {
      const answer = await call(through(), 'many', '{"items":10000}');
      const items = elementsOf(memberOf(memberOf(answer, 'result') ?? '{}', 'content') ?? '[]');
      expect(items).toHaveLength(10_000);
      expect(new Set(items)).toEqual(new Set(['{"type":"text","text":"x"}']));
    });

    for (const levels of [1_000, 5_000, 100_000]) {
      onPath(path, 'behaviour', `a result nested ${levels} deep, or a polite refusal of it`, async () => {
        const [member, payload] = outcomeOf(await call(through(), 'deep', `{"levels":${levels}}`));
        if (member === 'result') {
          expect(payload).toBe(`{"content":[],"x":${'['.repeat(levels)}${']'.repeat(levels)}}`);
        }
        await stillAnswers(through());
      });

      onPath(path, 'behaviour', `arguments nested ${levels} deep, or a polite refusal of them`, async () => {
        const nested = `${'['.repeat(levels)}${']'.repeat(levels)}`;
        const answer = await call(through(), 'received', `{"value":${nested}}`).catch(refusalOf);
        if (outcomeOf(answer)[0] === 'result') {
          expect(memberOf(memberOf(textOf(answer), 'params') ?? '{}', 'arguments')).toBe(
            `{"value":${nested}}`,
          );
        }
        await stillAnswers(through());
      });
    }
  });
});

async function stillAnswers(asked: Asked): Promise<void> {
  expect(await payloadOf(call(asked, 'count'))).toContain('"result"');
}

/** Over HTTP a message may be refused at the door. */
function refusalOf(error: unknown): string {
  expect(String(error)).toMatch(/HTTP 4\d\d/);
  return '{"error":{}}';
}
