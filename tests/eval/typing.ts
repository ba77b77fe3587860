/**
 * `npm run eval:typing`: frames of the window while somebody types into its search, ten keys a second, over 1,000 and 10,000
 * tools. The page is the real one, in Chromium; the search is the real one, outside of the page as in the app.
 */
import type { Page } from 'playwright-core';
import { toolDocument } from '../../electron/engine/search/index/documents.ts';
import type { SearchQuery } from '../../shared/model/tool/search.ts';
import type { ToolSummary } from '../../shared/model/tool/tool.ts';
import { openView } from '../renderer/harness/screen.ts';
import { openStage } from '../renderer/harness/window-stage.ts';
import { byServer, openSearch } from './lib/open-search.ts';

const typed = 'create pull request for invoices';
/** Milliseconds between two keys. */
const pace = 100;
const rounds = 3;
const frame = 1_000 / 60;

interface Frames {
  /** Milliseconds of the processor of each task of the page's main thread. */
  readonly tasks: readonly number[];
  readonly deltas: readonly number[];
  readonly longTasks: readonly number[];
}

// The test runner has made this a development build, which is several times slower than the shipped one.
process.env.NODE_ENV = 'production';
/** Every measurement has the same page, which is given its function once. */
let exposed: Promise<unknown> | undefined;
let find: (query: SearchQuery) => object = () => ({});
const stage = await openStage();
console.log(
  '| tools | where | keys | frames | missed | longest frame | tasks | over 16.7 ms | longest task | over 50 ms by the clock |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
for (const scenario of ['thousand', 'many'])
  for (const where of ['nothing typed', 'Tools', 'palette'] as const) await measure(scenario, where);
await stage.close();

async function measure(scenario: string, where: 'nothing typed' | 'Tools' | 'palette'): Promise<void> {
  const { page, leave } = await stage.open({ scenario });
  const count = await searchOutside(page);
  await openView(page, 'Tools');
  await page.waitForTimeout(1_500);
  const all: Frames[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await typing(page, where));
  await leave();
  const deltas = all.flatMap((one) => one.deltas);
  const missed = deltas.reduce((sum, delta) => sum + Math.max(0, Math.round(delta / frame) - 1), 0);
  const longTasks = all.flatMap((one) => one.longTasks);
  const tasks = all.flatMap((one) => one.tasks);
  const cells = [
    count.toLocaleString('en'),
    where,
    where === 'nothing typed' ? 0 : typed.length * rounds,
    deltas.length,
    missed,
    `${Math.max(...deltas).toFixed(1)} ms`,
    tasks.length,
    tasks.filter((task) => task > frame).length,
    `${Math.max(0, ...tasks).toFixed(1)} ms`,
    longTasks.length,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

/** From the first key to some time after the last. */
async function typing(page: Page, where: 'nothing typed' | 'Tools' | 'palette'): Promise<Frames> {
  await page.keyboard.press(where === 'palette' ? 'ControlOrMeta+k' : '/');
  await page.waitForTimeout(500);
  await page.evaluate(() => {
    const frames: { deltas: number[]; longTasks: number[]; on: boolean } = {
      deltas: [],
      longTasks: [],
      on: true,
    };
    Object.assign(window, { frames });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) frames.longTasks.push(duration);
    }).observe({ type: 'longtask' });
    let last = performance.now();
    const next = (now: number) => {
      frames.deltas.push(now - last);
      last = now;
      if (frames.on) requestAnimationFrame(next);
    };
    requestAnimationFrame((now) => {
      last = now;
      requestAnimationFrame(next);
    });
  });
  const endTrace = await traceTasks(page);
  const start = Date.now();
  for (const [index, key] of [...typed].entries()) {
    await page.waitForTimeout(Math.max(0, start + index * pace - Date.now()));
    if (where !== 'nothing typed') await page.keyboard.press(key === ' ' ? 'Space' : key);
  }
  await page.waitForTimeout(500);
  const tasks = await endTrace();
  const frames = await page.evaluate(() => {
    const { frames } = window as unknown as {
      frames: { deltas: number[]; longTasks: number[]; on: boolean };
    };
    frames.on = false;
    return { deltas: frames.deltas, longTasks: frames.longTasks };
  });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.waitForTimeout(300);
  return { ...frames, tasks };
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the processor. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The tasks of the page's main thread from now on, until what it returns is called. */
async function traceTasks(page: Page): Promise<() => Promise<readonly number[]>> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', '__metadata'] },
  });
  return async () => {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    await session.detach();
    const threads = new Set(
      events
        .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
        .map(({ pid, tid }) => `${pid} ${tid}`),
    );
    return events
      .filter(({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`))
      .map(({ tdur = 0 }) => tdur / 1_000);
  };
}

/** Answers the page's searches from an index in this process. Returns the number of tools. */
async function searchOutside(page: Page): Promise<number> {
  const tools = await page.evaluate(() => window.harness?.state.tools ?? []);
  const index = await indexOf(tools);
  find = (query) => index.search(query, { isConnected: () => true });
  // Text goes both ways: what Playwright makes of objects costs the page more than what the app does.
  exposed ??= page.exposeFunction('findOutside', (text: string) =>
    JSON.stringify({ ...find(JSON.parse(text)), meaning: 'off' }),
  );
  await exposed;
  await page.evaluate(() => {
    type Call = (name: string, input: unknown) => Promise<unknown>;
    const { patchbay, findOutside } = window as unknown as {
      patchbay: { call: Call };
      findOutside: (text: string) => Promise<string>;
    };
    const before = patchbay.call;
    patchbay.call = async (name, input) =>
      name === 'search.find'
        ? { ok: true, value: JSON.parse(await findOutside(JSON.stringify(input))) }
        : before(name, input);
  });
  return tools.length;
}

async function indexOf(tools: readonly ToolSummary[]) {
  const documents = tools.map(({ serverKey, name, description, enabled }) =>
    toolDocument(serverKey, name, { name, description, inputSchema: {} }, enabled),
  );
  return (await openSearch(byServer(documents))).index;
}
