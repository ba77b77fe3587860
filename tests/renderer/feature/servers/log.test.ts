import { describe, expect, it } from 'vitest';
import {
  findLines,
  linesOfStreams,
  linesText,
  stepHit,
} from '../../../../renderer/feature/servers/log/find-lines.ts';
import { appendLines, followLog } from '../../../../renderer/feature/servers/log/log-store.ts';
import type { IpcAnswer } from '../../../../shared/ipc/contract.ts';
import type { LogLine } from '../../../../shared/model/server/server.ts';
import { refused, ScriptedLink } from '../../helper/test-model.ts';

const line = (seq: number, text = `line ${seq}`, stream: LogLine['stream'] = 'stderr'): LogLine => ({
  seq,
  at: seq,
  stream,
  text,
});
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('lines of a log', () => {
  it('are bounded, cleaned, in order, and never twice', () => {
    const lines = appendLines([line(1), line(2)], [line(2), line(3, '\u001b[31mred\u001b[0m'), line(4)], 3);
    expect(lines.map((one) => one.text)).toEqual(['line 2', 'red', 'line 4']);
    expect(appendLines(lines, [line(1)])).toBe(lines);
  });

  it('are found by text and stream', () => {
    const lines = [line(1, 'GET /'), line(2, 'Error', 'stdout'), line(3, 'get it')];
    expect(findLines(lines, 'get')).toEqual([0, 2]);
    expect(findLines(lines, '  ')).toEqual([]);
    expect(linesOfStreams(lines, new Set(['stdout']))).toEqual([lines[1]]);
    expect(linesOfStreams(lines, new Set())).toBe(lines);
    expect(linesText([lines[1] ?? line(0)])).toBe('1970-01-01T00:00:00.002Z stdout Error');
  });

  it.each([
    [0, 3, 1, 1],
    [2, 3, 1, 0],
    [0, 3, -1, 2],
    [0, 0, 1, 0],
  ] as const)('stepping from hit %i of %i by %i leads to %i', (current, count, step, next) => {
    expect(stepHit(current, count, step)).toBe(next);
  });
});

describe('following a log', () => {
  it('adds lines that arrive before the first answer after it, once', async () => {
    let answer = (_answer: IpcAnswer<'server.watchLog'>) => {};
    const link = new ScriptedLink({ 'server.watchLog': () => new Promise((resolve) => (answer = resolve)) });
    const { store, stop } = followLog(link, 'a', (run) => run());
    await settled();
    link.push('server.log', { key: 'a', lines: [line(3), line(4)] });
    link.push('server.log', { key: 'other', lines: [line(99)] });
    answer({ ok: true, value: { lines: [line(1), line(2), line(3)] } });
    await settled();
    expect(store.getState().lines.map((one) => one.seq)).toEqual([1, 2, 3, 4]);
    stop();
    expect(link.calls.at(-1)).toEqual({ name: 'server.unwatchLog', input: { key: 'a' } });
    expect(link.listenerCount).toBe(0);
  });

  it('renders lines that arrive within one frame once', async () => {
    const frames: (() => void)[] = [];
    const link = new ScriptedLink({ 'server.watchLog': () => ({ ok: true, value: { lines: [] } }) });
    const { store, stop } = followLog(link, 'a', (run) => frames.push(run));
    await settled();
    let drawn = 0;
    store.subscribe(() => (drawn += 1));
    for (let seq = 1; seq <= 1000; seq += 1) link.push('server.log', { key: 'a', lines: [line(seq)] });
    expect(frames).toHaveLength(1);
    frames[0]?.();
    expect(drawn).toBe(1);
    expect(store.getState().lines).toHaveLength(1000);
    stop();
  });

  it('shows why it failed', async () => {
    const { store, stop } = followLog(new ScriptedLink({ 'server.watchLog': () => refused }), 'a', (run) =>
      run(),
    );
    await settled();
    expect(store.getState()).toMatchObject({ loading: false, problem: refused.problem });
    stop();
  });
});
