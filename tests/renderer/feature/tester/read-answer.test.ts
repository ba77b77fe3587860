import { expect, it } from 'vitest';
import { readAnswer } from '../../../../renderer/feature/tester/result/read-answer.ts';

it('parses what the protocol describes, and shows everything else as JSON', () => {
  const tool = { content: [{ type: 'text', text: 'a' }, 'odd'], structuredContent: { b: 1 }, isError: true };
  expect(readAnswer('tool', false, JSON.stringify(tool))).toEqual({
    kind: 'tool',
    failed: true,
    content: [{ type: 'text', text: 'a' }],
    structured: { b: 1 },
  });
  const prompt = { messages: [{ role: 'user', content: { type: 'text', text: 'a' } }] };
  expect(readAnswer('prompt', false, JSON.stringify(prompt))).toMatchObject({
    kind: 'prompt',
    messages: [{ role: 'user' }],
  });
  expect(readAnswer('resource', false, '{"contents":[{"uri":"a:b","text":"x"}]}')).toMatchObject({
    kind: 'resource',
  });
  for (const odd of ['{"toolResult":1}', '[]', 'null', '{"content":5}']) {
    expect(readAnswer('tool', false, odd)).toEqual({ kind: 'other' });
  }
});

it('[US3.2] distinguishes server errors from hub errors, which include a fix', () => {
  const own = { code: -32050, message: 'Not today', data: { until: 1 } };
  expect(readAnswer('tool', true, JSON.stringify(own))).toEqual({
    kind: 'error',
    code: '-32050',
    message: 'Not today',
    hasData: true,
  });
  const data = {
    code: 'call.tool_disabled',
    fix: 'Switch it on.',
    evidence: [{ label: 'tool', value: 'a' }],
  };
  const ours = { code: -32012, message: 'The tool a is turned off.', data };
  expect(readAnswer('tool', true, JSON.stringify(ours))).toMatchObject({
    problem: { code: 'call.tool_disabled', sentence: 'The tool a is turned off.', fix: 'Switch it on.' },
  });
});
