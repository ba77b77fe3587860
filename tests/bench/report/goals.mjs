import { median, ratios, summary } from '../lib/stats.mjs';

/**
 * Every figure that has a goal, against it: `{ figure, program, goal, value, detail, reached }`, the value as a summary
 * over blocks or one number. What was not measured is not there.
 */
export function goalsOf({ figures, targets }) {
  const has = (name) => figures[name] !== undefined;
  return [
    ...(has('echo') ? echoGoals(figures.echo, targets) : []),
    ...(has('payload') ? payloadGoals(figures.payload, targets) : []),
    ...(has('payload-raw') ? largestGoals(figures['payload-raw'], targets) : []),
    ...(has('list') ? listGoals(figures.list, targets) : []),
    ...(has('growth') ? growthGoals(figures.growth) : []),
    ...(has('eras') ? eraGoals(figures.eras) : []),
    ...(has('authorize') ? authorizeGoals(figures.authorize) : []),
    ...(has('account') ? accountGoals(figures.account) : []),
    ...(has('memory') ? memoryGoals(figures.memory) : []),
    ...(has('startup') ? startupGoals(figures.startup) : []),
  ];
}

/** By how much a target's blocks are slower than the direct connection's of the same round. */
export function added(rows, name) {
  const direct = rowOf(rows, 'direct').p50;
  return rowOf(rows, name).p50.map((value, round) => value - direct[round]);
}

export function rowOf(rows, name) {
  return rows.find((row) => row.name === name);
}

const addedGoals = { aggregator: 1.3, bridge: 2, http: 1.4 };
const speedGoals = { aggregator: 0.85, http: 0.75 };
const tailGoal = 1.5;
const payloadGoal = 1.3;
const listGoal = { first: 1.5, again: 0.5 };
const flat = 1.15;
const idleGoal = 80;
const eraGoal = 1.1;
const beforeGoal = 1.05;
const parkedGoals = { kilobytes: 20, cpu: 0.5 };
const decisionGoal = 50;
const accountGoal = 1.1;

function echoGoals(rows, targets) {
  if (rowOf(rows, 'direct') === undefined) return [];
  return pairs(rows, targets).flatMap(({ name, ours, limit }) => [
    atMost('added p50', name, addedGoals[name], ratios(added(rows, name), added(rows, limit.name)), {
      detail: `${milliseconds(added(rows, name))} against ${milliseconds(added(rows, limit.name))}`,
    }),
    ...(speedGoals[name] === undefined
      ? []
      : [
          atLeast('calls/s, 32 in flight', name, speedGoals[name], ratios(ours.perSecond, limit.perSecond), {
            detail: `${whole(ours.perSecond)} against ${whole(limit.perSecond)}`,
          }),
        ]),
    ...againstBestPeer(name, ours, rows, targets),
    atMost('p99', name, tailGoal, ratios(ours.p99, limit.p99), {
      detail: `${milliseconds(ours.p99)} against ${milliseconds(limit.p99)}`,
    }),
  ]);
}

function againstBestPeer(name, ours, rows, targets) {
  if (name !== 'http') return [];
  const peers = targets.filter(({ role, front }) => role === 'peer' && front === 'http');
  const speeds = peers.flatMap((peer) => rowOf(rows, peer.name) ?? []);
  const best = speeds.sort((a, b) => median(b.perSecond) - median(a.perSecond))[0];
  if (best === undefined) return [];
  return [
    atLeast('calls/s, 32 in flight', name, 2, ratios(ours.perSecond, best.perSecond), {
      of: `the best npm peer (${best.name})`,
      detail: `${whole(ours.perSecond)} against ${whole(best.perSecond)}`,
    }),
  ];
}

function payloadGoals(rows, targets) {
  return pairs(rows, targets).flatMap(({ name, ours, limit }) => [
    ...[1, 10].flatMap((size) =>
      ours.times[size] === undefined || limit.times[size] === undefined
        ? []
        : [
            atMost(`${size} MB echo`, name, payloadGoal, ratios(ours.times[size], limit.times[size]), {
              detail: `${milliseconds(ours.times[size])} against ${milliseconds(limit.times[size])}`,
            }),
          ],
    ),
  ]);
}

/** One that has to get through, whatever the time. */
function largestGoals(rows, targets) {
  return pairs(rows, targets).map(({ name, ours }) => ({
    figure: '50 MB echo',
    program: name,
    goal: 'passes',
    reached: ours.times[50]?.length > 0,
    detail: ours.times[50]?.length > 0 ? milliseconds(ours.times[50]) : (ours.failures[50] ?? 'not tried'),
  }));
}

function listGoals(rows, targets) {
  return pairs(rows, targets).flatMap(({ name, ours, limit }) => [
    atMost('list of 10,000 tools, first', name, listGoal.first, ratios(ours.first, limit.first), {
      detail: `${milliseconds(ours.first)} against ${milliseconds(limit.first)}`,
    }),
    atMost('list of 10,000 tools, again', name, listGoal.again, ratios(ours.again, limit.again), {
      detail: `${milliseconds(ours.again)} against ${milliseconds(limit.again)}`,
    }),
  ]);
}

function growthGoals(series) {
  return series
    .filter(({ points }) => points.length > 1)
    .map(({ name, what, points: [least, ...more] }) => {
      const grown = more.map(({ p50 }) => ratios(p50, least.p50));
      const worst = grown.sort((a, b) => b.median - a.median)[0];
      return {
        ...atMost(`p50 as ${what} grow`, name, flat, worst, { of: `that with ${least.count}` }),
        detail: [least, ...more].map(({ count, p50 }) => `${count}: ${milliseconds(p50)}`).join(', '),
      };
    });
}

/** Without sessions on both sides, against sessions on both; sessions on both, against how it was before. */
function eraGoals({ calls, lists, parked }) {
  const cell = (rows, name) => rows.find((row) => row.name === name);
  const against = (figure, program, ours, limit, goal, of) =>
    ours?.length > 0 && limit?.length > 0
      ? [
          atMost(figure, program, goal, ratios(ours, limit), {
            of,
            detail: `${milliseconds(ours)} against ${milliseconds(limit)}`,
          }),
        ]
      : [];
  const sessions = 'sessions on both sides';
  return [
    ...['http', 'bridge'].flatMap((front) => {
      const rows = calls.filter((row) => row.front === front);
      const legacy = cell(rows, 'legacy → legacy');
      const modern = cell(rows, 'modern → modern');
      const before = cell(rows, 'before');
      return [
        ...against('p50, stateless both sides', front, modern?.p50, legacy?.p50, eraGoal, sessions),
        ...against(
          'CPU a call, stateless both sides',
          front,
          modern?.cpu,
          legacy?.cpu,
          eraGoal,
          sessions,
        ).map((row) => ({ ...row, detail: `${whole(modern.cpu)} µs against ${whole(legacy.cpu)} µs` })),
        ...against('p50, sessions both sides', front, legacy?.p50, before?.p50, beforeGoal, 'before'),
      ];
    }),
    ...['first', 'again'].flatMap((when) =>
      against(
        `list of 10,000 tools, stateless both sides, ${when}`,
        'http',
        cell(lists, 'modern → modern')?.[when],
        cell(lists, 'legacy → legacy')?.[when],
        eraGoal,
        sessions,
      ),
    ),
    ...parkedRows(parked),
  ];
}

function parkedRows({ calls, kilobytes, cpu }) {
  const row = { program: 'hub', detail: `${whole([calls])} calls` };
  return [
    {
      ...row,
      figure: 'memory of a parked call',
      goal: `≤ ${parkedGoals.kilobytes} kB`,
      value: kilobytes,
      unit: 'kB',
      reached: kilobytes <= parkedGoals.kilobytes,
    },
    {
      ...row,
      figure: 'CPU of parked calls',
      goal: `≤ ${parkedGoals.cpu} %`,
      value: cpu,
      unit: '%',
      reached: cpu <= parkedGoals.cpu,
    },
  ];
}

function memoryGoals(memory) {
  if (memory?.idle === undefined) return [];
  return [
    {
      figure: 'hub memory, idle',
      program: 'hub',
      goal: `≤ ${idleGoal} MB`,
      value: memory.idle,
      unit: 'MB',
      reached: memory.idle <= idleGoal,
    },
    {
      ...atMost(`hub memory after ${memory.calls} calls`, 'hub', flat, memory.after / memory.first, {
        of: `that after ${memory.firstCalls}`,
      }),
      detail: `${Math.round(memory.after)} MB against ${Math.round(memory.first)} MB`,
    },
  ];
}

function authorizeGoals({ identities, tools, fresh, remembered }) {
  const cases = { 'made anew': fresh, remembered };
  return Object.entries(cases).map(([what, { p50, p99 }]) => ({
    figure: `p99 of a decision, ${what}`,
    program: 'hub',
    goal: `≤ ${decisionGoal} µs`,
    value: p99,
    unit: 'µs',
    detail: `${identities} identities × ${whole([tools])} tools; p50 ${p50.toFixed(2)} µs`,
    reached: p99 <= decisionGoal,
  }));
}

/** Compares calls to a hub that records activity with calls to one that does not. */
function accountGoals(rows) {
  const [none, all] = rows;
  if (none === undefined || all === undefined) return [];
  const of = { of: 'that with nothing kept' };
  const slower = rows.map(({ perSecond }) => perSecond.map((value) => 1000 / value));
  return [
    atMost('p50 with activity and audit', 'http', accountGoal, ratios(all.p50, none.p50), {
      ...of,
      detail: `${milliseconds(all.p50)} against ${milliseconds(none.p50)}`,
    }),
    {
      ...atMost('time a call, 8 in flight', 'http', accountGoal, ratios(slower[1], slower[0]), of),
      detail: `${whole(all.perSecond)} calls/s against ${whole(none.perSecond)}; processor time of the whole process ${summary(all.cpu)?.median.toFixed(0)} µs against ${summary(none.cpu)?.median.toFixed(0)} µs`,
    },
  ];
}

/** Judged on servers on the SDK, which is how people have them. */
function startupGoals(shapes) {
  return shapes
    .filter(({ kind }) => kind === 'sdk')
    .flatMap(({ servers, tools, rows: [alone, ...rows] }) =>
      rows.map((row) =>
        atMost(`start to whole list, ${servers} x ${tools}`, row.name, 1.15, ratios(row.times, alone.times), {
          of: 'the servers alone',
          detail: `${milliseconds(row.times)} against ${milliseconds(alone.times)}`,
        }),
      ),
    );
}

/** Ours beside the limit over the same front, where both were measured. */
function pairs(rows, targets) {
  return targets.flatMap(({ name, limit }) => {
    const [ours, least] = [rowOf(rows, name), rowOf(rows, limit)];
    return limit === undefined || ours === undefined || least === undefined
      ? []
      : [{ name, ours, limit: least }];
  });
}

function atMost(figure, program, goal, value, { of = 'limit', detail } = {}) {
  return compared(
    { figure, program, goal: `≤ ${goal} × ${of}`, value, detail },
    (reached) => reached <= goal,
  );
}

function atLeast(figure, program, goal, value, { of = 'limit', detail } = {}) {
  return compared(
    { figure, program, goal: `≥ ${goal} × ${of}`, value, detail },
    (reached) => reached >= goal,
  );
}

function compared(row, isReached) {
  const number = typeof row.value === 'number' ? row.value : row.value?.median;
  return { ...row, unit: '×', reached: number === undefined ? undefined : isReached(number) };
}

export function milliseconds(values) {
  const value = summary(values)?.median;
  if (value === undefined) return '–';
  return `${value.toFixed(value < 10 ? 3 : value < 100 ? 1 : 0)} ms`;
}

export function whole(values) {
  const value = summary(values)?.median;
  return value === undefined ? '–' : Math.round(value).toLocaleString('en');
}
