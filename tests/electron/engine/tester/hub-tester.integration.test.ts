import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hub as RunningHub } from '../../../../electron/engine/engine.ts';
import { toFormSchema } from '../../../../renderer/feature/tester/form/form-schema.ts';
import { readFormText } from '../../../../renderer/feature/tester/form/form-text.ts';
import { checkValue } from '../../../../renderer/feature/tester/form/schema-checker.ts';
import { initialText, SchemaForm } from '../../../../renderer/feature/tester/form/schema-form.tsx';
import type {
  TestAnswer,
  TestKind,
  TestProgress,
  TestQuestion,
  TestTarget,
} from '../../../../shared/model/tool/tester.ts';
import { eventually } from '../../../helper/eventually.ts';
import { fixture, nodeEntry, realServer } from '../../../helper/programs.ts';
import { restOf } from '../../../helper/rest.ts';
import { type Hub, startHub } from '../../../helper/running-hub.ts';

async function startEverything(): Promise<Hub> {
  const hub = await startHub({ everything: nodeEntry(realServer('everything')) });
  await eventually(() => expect(hub.engine.tools().length).toBeGreaterThan(10));
  return hub;
}

const target = (name: string, kind: TestKind = 'tool', serverKey = 'everything'): TestTarget => ({
  kind,
  serverKey,
  name,
});

interface RunOptions {
  readonly kind?: TestKind;
  readonly server?: string;
  readonly runId?: string;
  readonly evenIfOff?: boolean;
}

function run({ engine }: Hub, name: string, text = '', options: RunOptions = {}): Promise<TestAnswer> {
  const { kind, server, runId = randomUUID(), evenIfOff = false } = options;
  return engine.run('tester.call', { runId, target: target(name, kind, server), arguments: text, evenIfOff });
}

/** Plays a person at the tester who accepts everything. */
function answerAll({ run, events }: RunningHub): void {
  events['tester.question'](({ questionId, kind }) => {
    const result = kind === 'sampling' ? sampled : { action: 'accept', content: { name: 'Ada' } };
    void run('tester.reply', { questionId, reply: { kind: 'result', text: JSON.stringify(result) } });
  });
}

const sampled = { model: 'person', role: 'assistant', content: { type: 'text', text: 'by hand' } };

/** Arguments for the tools that need some. */
const argumentsFor: Readonly<Record<string, string>> = {
  echo: '{"message":"hello"}',
  'get-annotated-message': '{"messageType":"success","includeImage":true}',
  'get-structured-content': '{"location":"Chicago"}',
  'get-sum': '{"a":1,"b":2}',
  'gzip-file-as-resource': '{"name":"a.gz","data":"data:text/plain,hello","outputType":"resource"}',
  'trigger-long-running-operation': '{"duration":0.2,"steps":2}',
  'trigger-sampling-request': '{"prompt":"say hello"}',
  'trigger-url-elicitation': '{"url":"https://example.com/"}',
  'simulate-research-query': '{"topic":"bridges","ambiguous":true}',
};

describe('the tester on a real server', () => {
  let hub: Hub;
  beforeAll(async () => {
    hub = await startEverything();
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  it('[AG-US4-AC2][PB-PASS-1] runs every tool, the one that is a task as well', async () => {
    answerAll(hub.engine);
    const failed: Record<string, string> = {};
    for (const { name } of hub.engine.tools()) {
      const { outcome, text } = await run(hub, name, argumentsFor[name] ?? '');
      if (outcome !== 'ok') failed[name] = text;
    }
    // Elicitation by URL is refused, and the server is told so.
    expect(Object.keys(failed)).toEqual(['trigger-url-elicitation']);
    expect(failed['trigger-url-elicitation']).toContain('does not support elicitation by URL');
    expect((await run(hub, 'get-sum', '{"a":1,"b":2}')).text).toContain('The sum of 1 and 2 is 3.');
  });

  it('has a form with valid arguments for every tool', async () => {
    for (const { name } of hub.engine.tools()) {
      const { inputSchema } = (await hub.engine.run('tool.get', { serverKey: 'everything', name }))
        .definition;
      const drawn = toFormSchema(inputSchema);
      if (drawn.kind === 'json') throw new Error(`${name}: ${drawn.reason}`);
      const text = argumentsFor[name] ?? initialText(drawn.schema);
      const read = readFormText(text);
      if (read.kind === 'broken') throw new Error(`${name}: ${read.reason}`);
      expect(checkValue(inputSchema, read.value), name).toEqual({ kind: 'checked', issues: [] });
      const form = createElement(SchemaForm, {
        ...{ name: 'a', schema: drawn.schema, text, read, issues: [], onText: () => {} },
      });
      const html = renderToStaticMarkup(createElement(MantineProvider, null, form));
      const members = Object.keys((inputSchema as { properties?: object }).properties ?? {});
      for (const member of members) expect(html, `${name}.${member}`).toContain(`id="a_${member}"`);
    }
  });

  it('[PB-PASS-1] gets prompts, reads resources and completes arguments', async () => {
    const { prompts, resources, templates, completes } = await hub.engine.run('tester.offer', {
      serverKey: 'everything',
    });
    expect(prompts.map(({ name }) => name)).toContain('args-prompt');
    expect(templates).toHaveLength(2);
    expect(completes).toBe(true);
    const prompt = await run(hub, 'args-prompt', '{"city":"Paris"}', { kind: 'prompt' });
    expect(prompt).toMatchObject({ outcome: 'ok', whole: true });
    expect(prompt.text).toContain('Paris');
    const uri = resources[0]?.name ?? '';
    expect((await run(hub, uri, '', { kind: 'resource' })).text).toContain(uri);
    const made = await run(hub, 'demo://resource/dynamic/text/7', '', { kind: 'resource' });
    expect(made.text).toContain('Resource 7');
    const wish = {
      serverKey: 'everything',
      ref: { type: 'ref/prompt', name: 'completable-prompt' },
    } as const;
    const argument = { name: 'department', value: 'E' };
    const proposed = await hub.engine.run('tester.complete', { ...wish, argument, others: {} });
    expect(proposed.values).toEqual(['Engineering']);
  });

  it('[PB-PASS-1] shows progress, and a cancellation reaches the server', async () => {
    const told: TestProgress[] = [];
    hub.engine.events['tester.progress']((progress) => told.push(progress));
    const runId = randomUUID();
    const args = '{"duration":30,"steps":300}';
    const answer = run(hub, 'trigger-long-running-operation', args, { runId });
    await eventually(() => expect(told.length).toBeGreaterThan(1));
    expect(told[0]).toMatchObject({ runId, total: 300 });
    await hub.engine.run('tester.cancel', { runId });
    expect((await answer).outcome).toBe('cancelled');
  });
});

const triedOut = (more: Readonly<Record<string, unknown>> = {}) => ({
  tried: { ...nodeEntry(fixture('tried-out')), ...more },
});

async function startTriedOut(more: Readonly<Record<string, unknown>> = {}): Promise<Hub> {
  const hub = await startHub(triedOut(more));
  await eventually(() => expect(hub.engine.tools()).toHaveLength(8));
  return hub;
}

const tried = { server: 'tried' };

/** For tests that leave it as it was, but for runs that have ended. */
let shared: Hub;
beforeAll(async () => {
  shared = await startTriedOut();
});
afterAll(() => shared[Symbol.asyncDispose]());

/** Runs that the server has been told to cancel. */
async function cancellations(hub: Hub): Promise<number> {
  const { text } = await run(hub, 'cancelled', '', tried);
  return Number(/"text":"(\d+)"/.exec(text)?.[1]);
}

describe('a test run', () => {
  it('[AG-US4-AC4][AG-US4-AC5][FR-007][FR-008] arrives as written, and so does the answer', async () => {
    const hub = shared;
    const parts = ['"big": 12345678901234567890123', '"odd": 1.0', '"twice":1, "twice":2', '"e":1E400'];
    const { outcome, text } = await run(hub, 'raw', `{\r\n ${parts.join(',\n ')} }`, tried);
    expect(outcome).toBe('ok');
    for (const part of [...parts, '"number":12345678901234567890123']) expect(text).toContain(part);
  });

  it('[AG-US4-AC8] may run beside others, each with its own answer', async () => {
    const hub = shared;
    const answers = await Promise.all([...Array(20)].map((_, n) => run(hub, 'raw', `{"n":${n}}`, tried)));
    answers.forEach(({ text }, n) => {
      expect(text).toContain(`"given":{"n":${n}}`);
    });
  });

  it('[US3.2] returns the error of the server, code and data as written', async () => {
    const hub = shared;
    const { outcome, text } = await run(hub, 'refuse', '{}', tried);
    expect(outcome).toBe('error');
    expect(text).toBe('{"code":-32050,"message":"Not today","data":{"until":12345678901234567890}}');
  });

  it('[PB-PASS-1] is cancelled at the server too, which keeps running', async () => {
    const hub = shared;
    const runId = randomUUID();
    const told: TestProgress[] = [];
    hub.engine.events['tester.progress']((progress) => told.push(progress));
    const cancelledBefore = await cancellations(hub);
    const waiting = run(hub, 'wait', '', { ...tried, runId });
    await eventually(() => expect(told).toEqual([{ runId, progress: 1, message: 'waiting' }]));
    expect(hub.engine.activeCalls()).toMatchObject([{ clientName: 'Patchbay tester' }]);
    await expect(run(hub, 'pid', '', { ...tried, runId })).rejects.toThrow('already in progress');
    await hub.engine.run('tester.cancel', { runId });
    expect((await waiting).outcome).toBe('cancelled');
    await eventually(async () => expect(await cancellations(hub)).toBe(cancelledBefore + 1));
  });

  it('[PB-DEMAND-1] wakes a server that sleeps', async () => {
    await using hub = await startTriedOut({ patchbay: { start: 'on-demand' } });
    await eventually(() => expect(hub.server('tried').asleep).toBeDefined());
    expect((await run(hub, 'pid', '', tried)).outcome).toBe('ok');
  });

  it('of a tool that is turned off is refused until the person confirms it', async () => {
    await using hub = await startTriedOut();
    await hub.engine.run('tool.setEnabled', { serverKey: 'tried', names: ['pid'], enabled: false });
    await eventually(async () =>
      expect((await hub.engine.run('tool.get', { serverKey: 'tried', name: 'pid' })).enabled).toBe(false),
    );
    const refused = await run(hub, 'pid', '', tried);
    expect(refused).toMatchObject({ outcome: 'refused' });
    expect(refused.text).toContain('call.tool_disabled');
    expect((await run(hub, 'pid', '', { ...tried, evenIfOff: true })).outcome).toBe('ok');
    await hub.engine.run('server.setEnabled', { key: 'tried', enabled: false });
    await eventually(() => expect(hub.server('tried').status).toBe('disabled'));
    expect((await run(hub, 'pid', '', { ...tried, evenIfOff: true })).outcome).toBe('refused');
  });

  it('without a JSON object or a server is refused before anything is sent', async () => {
    const hub = shared;
    await hub.engine.run('tester.clearHistory', target('raw', 'tool', 'tried'));
    await expect(run(hub, 'raw', '{"a":1,}', tried)).rejects.toThrow('must be JSON');
    await expect(run(hub, 'raw', '[1]', tried)).rejects.toThrow('JSON object');
    await expect(run(hub, 'raw', '{}', { server: 'nobody' })).rejects.toThrow('There is no server');
    expect((await hub.engine.run('tester.history', target('raw', 'tool', 'tried'))).runs).toEqual([]);
  });

  it('[PB-ISO-1] has an isolated process if clients have, the same for every run', async () => {
    await using hub = await startTriedOut({ patchbay: { isolation: 'per-client' } });
    await using client = await hub.bridge();
    const theirs = JSON.stringify((await client.callTool({ name: 'tried__pid' })).content);
    const [first, second] = [await run(hub, 'pid', '', tried), await run(hub, 'pid', '', tried)];
    expect(first.outcome).toBe('ok');
    expect(first.text).toBe(second.text);
    expect(first.text).not.toContain(theirs);
  });
});

async function nextQuestion({ engine }: Hub): Promise<TestQuestion> {
  await eventually(async () =>
    expect((await engine.run('tester.questions', undefined)).questions).toHaveLength(1),
  );
  const [question] = (await engine.run('tester.questions', undefined)).questions;
  if (question === undefined) throw new Error('no question');
  return question;
}

describe('a server request during a run', () => {
  it('[PB-PASS-1] goes to the user, and the server gets the answer unchanged, or a refusal', async () => {
    const hub = shared;
    const { engine } = hub;
    const answered = run(hub, 'ask', '', tried);
    const first = await nextQuestion(hub);
    expect(first).toMatchObject({ kind: 'elicitation', serverKey: 'tried' });
    const { questionId } = first;
    await expect(
      engine.run('tester.reply', { questionId, reply: { kind: 'result', text: '[' } }),
    ).rejects.toThrow('must be JSON');
    const text = '{"action":"accept","content":{"name":"Ada"}}';
    await engine.run('tester.reply', { questionId, reply: { kind: 'result', text } });
    expect((await answered).text).toContain('Ada');

    const declined = run(hub, 'ask', '', tried);
    const second = await nextQuestion(hub);
    await engine.run('tester.reply', { questionId: second.questionId, reply: { kind: 'refuse' } });
    expect((await declined).text).toContain('decline');
  });

  it('[REQ-MCP-OBS-001] takes human wait time, which metrics leave out of the call', async () => {
    await using hub = await startTriedOut();
    const begun = Date.now();
    const answered = run(hub, 'ask', '', tried);
    const { questionId } = await nextQuestion(hub);
    const asked = Date.now();
    await delay(300);
    const waited = Date.now() - asked;
    await hub.engine.run('tester.reply', { questionId, reply: { kind: 'refuse' } });
    await answered;
    const most = Date.now() - begun - waited;
    const { text } = await (await restOf(hub))('GET', '/metrics');
    const sum = /mcp_invocation_latency_ms_sum\{.*tool_name="ask".*\} (\S+)/.exec(text);
    expect(Number(sum?.[1])).toBeLessThanOrEqual(most);
  });

  it('reaches the person even while the server still works on a cancelled run', async () => {
    const hub = shared;
    const told: TestProgress[] = [];
    hub.engine.events['tester.progress']((progress) => told.push(progress));
    const given = run(hub, 'wait', '', { ...tried, runId: 'given-up' });
    await eventually(() => expect(told).toHaveLength(1));
    await hub.engine.run('tester.cancel', { runId: 'given-up' });
    await given;
    const answered = run(hub, 'ask', '', tried);
    const { questionId } = await nextQuestion(hub);
    await hub.engine.run('tester.reply', { questionId, reply: { kind: 'refuse' } });
    expect((await answered).text).toContain('decline');
  });

  it('is closed when the run has ended', async () => {
    const hub = shared;
    const { engine } = hub;
    const ended: string[] = [];
    engine.events['tester.questionEnded'](({ questionId }) => ended.push(questionId));
    const runId = randomUUID();
    const answered = run(hub, 'ask', '', { ...tried, runId });
    await nextQuestion(hub);
    await engine.run('tester.cancel', { runId });
    await answered;
    expect((await engine.run('tester.questions', undefined)).questions).toEqual([]);
    expect(ended).toHaveLength(1);
  });
});

describe('the history of runs', () => {
  it('[NFR-SEC1] contains no secret of the config, nor does anything sent to the window', async () => {
    const SECRET = 'sk-4f9aQ27bX81cZ06dW35e';
    await using hub = await startTriedOut({ env: { SECRET } });
    const { engine } = hub;
    const told: unknown[] = [];
    engine.events['tester.progress']((progress) => told.push(progress));
    engine.events['tester.question']((question) => {
      told.push(question);
      void engine.run('tester.reply', { questionId: question.questionId, reply: { kind: 'refuse' } });
    });
    told.push(await run(hub, 'tell', '{"password":"hunter2hunter2"}', { ...tried, runId: 'told' }));
    told.push(await run(hub, 'ask', '', tried));
    // The server may read the token from where it is stored.
    const { token } = hub.engine.connection();
    told.push(await run(hub, 'raw', JSON.stringify({ file: `bearer is ${token}` }), tried));
    told.push(await engine.run('tester.answer', { runId: 'told' }));
    told.push(await engine.run('tester.history', target('tell', 'tool', 'tried')));
    const all = JSON.stringify(told);
    expect(all).toContain('It is •••');
    expect(all).toContain('Who are you? •••');
    expect(all).not.toContain(SECRET);
    expect(all).not.toContain(token);
    expect(all).not.toContain('hunter2');
  });

  it('has the last 50 of each target, complete answers only for a while', async () => {
    const hub = shared;
    const { engine } = hub;
    for (let count = 0; count < 55; count++)
      await run(hub, 'pid', `{"n":${count}}`, { ...tried, runId: `r${count}` });
    const { runs: kept } = await engine.run('tester.history', target('pid', 'tool', 'tried'));
    expect(kept.map((one) => one.arguments).slice(0, 2)).toEqual(['{"n":54}', '{"n":53}']);
    expect(kept).toHaveLength(50);
    expect(await engine.run('tester.answer', { runId: 'r54' })).toEqual({ answer: kept[0]?.text });
    await expect(engine.run('tester.answer', { runId: 'r0' })).rejects.toThrow('no longer available');
    await engine.run('tester.clearHistory', target('pid', 'tool', 'tried'));
    expect((await engine.run('tester.history', target('pid', 'tool', 'tried'))).runs).toEqual([]);
  });

  it('[EDGE-2] shows a large answer truncated, and saves it completely', async () => {
    const hub = shared;
    const answer = await run(hub, 'fill', '{"bytes":12000000}', { ...tried, runId: 'large' });
    expect(answer).toMatchObject({ outcome: 'ok', whole: false });
    expect(answer.text).toHaveLength(10_000_000);
    expect((await hub.engine.run('tester.answer', { runId: 'large' })).answer).toHaveLength(answer.bytes);
    expect(
      (await hub.engine.run('tester.history', target('fill', 'tool', 'tried'))).runs[0]?.text.length,
    ).toBeLessThan(10_000);
  });
});
