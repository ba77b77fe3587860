import { describe, expect, it } from 'vitest';
import { completionRequest, replyMessage, testRequest } from '../../../../electron/engine/tester/requests.ts';

const target = (name: string, kind: 'tool' | 'prompt' | 'resource' = 'tool') => ({
  kind,
  serverKey: 's',
  name,
});
const line = (name: string, text: string) => testRequest(target(name), text, 1).line().toString('utf8');

describe('the request of a run', () => {
  it('[FR-007] has the arguments as written, on one line', () => {
    const text = '{\r\n  "n": 1.0e400,\n\t"big": 123456789012345678901234567890, "s": "a\\nb"}';
    const written = line('x"y', text);
    expect(written).toContain('"name":"x\\"y"');
    expect(written).toContain('"n": 1.0e400');
    expect(written).toContain('"big": 123456789012345678901234567890');
    expect(written.trimEnd()).not.toMatch(/[\r\n]/);
  });

  it('has no arguments if the text is empty', () => {
    expect(line('a', '  ')).not.toContain('arguments');
    expect(testRequest(target('a:b', 'resource'), '{"x":1}', 2).value).toMatchObject({
      method: 'resources/read',
      params: { uri: 'a:b' },
    });
  });

  it.each(['{', '[]', '"a"', 'null', '{"a":1} {"b":2}', '{} , "x": 1', '}{'])('is refused for %s', (text) => {
    expect(() => testRequest(target('a'), text, 1)).toThrow(/must be JSON|JSON object/);
    expect(() => replyMessage(text)).toThrow(/must be JSON|JSON object/);
  });
});

it('a completion has the other arguments only if there are some', () => {
  const wish = {
    serverKey: 's',
    ref: { type: 'ref/prompt', name: 'p' },
    argument: { name: 'a', value: 'x' },
  } as const;
  expect(completionRequest({ ...wish, others: {} }, 1).params).toEqual({
    ref: wish.ref,
    argument: wish.argument,
  });
  expect(completionRequest({ ...wish, others: { b: 'y' } }, 1).params).toMatchObject({
    context: { arguments: { b: 'y' } },
  });
});
