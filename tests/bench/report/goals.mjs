import { median, ratios, summary } from '../lib/stats.mjs';

/**
 * Every figure that has a goal, against it: `{ figure, program, goal, source, value, detail, reached }`, the source as
 * the document that asks for it, the value as a summary over blocks or one number. What was not measured is not there.
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

const design = 'design 9';
const addedGoals = { aggregator: 1.5, bridge: 3, http: 2 };
const speedGoals = { aggregator: 0.75, http: 0.65 };
const peerGoal = 2;
const growthGoal = 1.2;
const idleGoal = 100;
const echoSizes = [
  { size: 1, goal: 1.3, source: 'issue 3' },
  { size: 10, goal: 1.5, source: design },
];
/** Goals of issue 3 that design 9 does not restate. */
const tailGoal = 1.5;
const listGoal = { first: 1.5, again: 0.5 };
const flat = 1.15;
const startGoal = 1.15;
/** Issue 6. */
const decisionGoal = 50;
const accountGoal = 1.1;
/** Issue 16. */
const eraGoal = 1.1;
const beforeGoal = 1.05;
const parkedGoals = { kilobytes: 20, cpu: 0.5 };

function echoGoals(rows, targets) {
  if (rowOf(rows, 'direct') === undefined) return [];
  return pairs(rows, targets).flatMap(({ name, ours, limit }) => [
    atMost('added p50', name, addedGoals[name], ratios(added(rows, name), added(rows, limit.name)), {
      source: design,
      detail: `${milliseconds(added(rows, name))} against ${milliseconds(added(rows, limit.name))}`,
    }),
    ...(speedGoals[name] === undefined
      ? []
      : [
          atLeast('calls/s, 32 in flight', name, speedGoals[name], ratios(ours.perSecond, limit.perSecond), {
            source: design,
            detail: `${whole(ours.perSecond)} against ${whole(limit.perSecond)}`,
          }),
        ]),
    ...againstBestPeer(name, ours, rows, targets),
    atMost('p99', name, tailGoal, ratios(ours.p99, limit.p99), {
      source: 'issue 3',
      detail: `${milliseconds(ours.p99)} against ${milliseconds(limit.p99)}`,
    }),
  ]);
}

function againstBestPeer(name, ours, rows, targets) {
  if (speedGoals[name] === undefined) return [];
  const { front } = targets.find((target) => target.name === name);
  const peers = targets.filter((target) => target.role === 'peer' && target.front === front);
  const speeds = peers.flatMap((peer) => rowOf(rows, peer.name) ?? []);
  const best = speeds.sort((a, b) => median(b.perSecond) - median(a.perSecond))[0];
  if (best === undefined) return [];
  return [
    atLeast('calls/s, 32 in flight', name, peerGoal, ratios(ours.perSecond, best.perSecond), {
      source: design,
      of: `the best npm peer (${best.name})`,
      detail: `${whole(ours.perSecond)} against ${whole(best.perSecond)}`,
    }),
  ];
}

function payloadGoals(rows, targets) {
  return pairs(rows, targets).flatMap(({ name, ours, limit }) => [
    ...echoSizes.flatMap(({ size, goal, source }) =>
      ours.times[size] === undefined || limit.times[size] === undefined
        ? []
        : [
            atMost(`${size} MB echo`, name, goal, ratios(ours.times[size], limit.times[size]), {
              source,
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
    source: design,
    reached: ours.times[50]?.length > 0,
    detail: ours.times[50]?.length > 0 ? milliseconds(ours.times[50]) : (ours.failures[50] ?? 'not tried'),
  }));
}

function listGoals(rows, targets) {
  return pairs(rows, targets).flatMap(({ name, ours, limit }) => [
    atMost('list of 10,000 tools, first', name, listGoal.first, ratios(ours.first, limit.first), {
      source: 'issue 3',
      detail: `${milliseconds(ours.first)} against ${milliseconds(limit.first)}`,
    }),
    atMost('list of 10,000 tools, again', name, listGoal.again, ratios(ours.again, limit.again), {
      source: 'issue 3',
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
        ...atMost(`p50 as ${what} grow`, name, growthGoal, worst, {
          source: design,
          of: `that with ${least.count}`,
        }),
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
            source: 'issue 16',
            of,
            detail: `${milliseconds(ours)} against ${milliseconds(limit)}`,
          }),
        ]
      : [];
  const inMicroseconds = (figure, front, ours, limit, goal, of) =>
    against(figure, front, ours?.cpu, limit?.cpu, goal, of).map((row) => ({
      ...row,
      detail: `${whole(ours.cpu)} µs against ${whole(limit.cpu)} µs`,
    }));
  const sessions = 'sessions on both sides';
  return [
    ...['http', 'bridge'].flatMap((front) => {
      const rows = calls.filter((row) => row.front === front);
      const legacy = cell(rows, 'legacy → legacy');
      const modern = cell(rows, 'modern → modern');
      const before = cell(rows, 'before');
      return [
        ...against('p50, stateless both sides', front, modern?.p50, legacy?.p50, eraGoal, sessions),
        ...inMicroseconds('CPU a call, stateless both sides', front, modern, legacy, eraGoal, sessions),
        ...against('p50, sessions both sides', front, legacy?.p50, before?.p50, beforeGoal, 'before'),
        ...inMicroseconds('CPU a call, sessions both sides', front, legacy, before, beforeGoal, 'before'),
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
  const row = { program: 'hub', source: 'issue 16', detail: `${whole([calls])} calls` };
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
      source: design,
      value: memory.idle,
      unit: 'MB',
      reached: memory.idle <= idleGoal,
    },
    {
      ...atMost(`hub memory after ${memory.calls} calls`, 'hub', flat, memory.after / memory.first, {
        source: 'issue 3',
        of: `that after ${memory.firstCalls}`,
      }),
      detail: `${Math.round(memory.after)} MB against ${Math.round(memory.first)} MB`,
    },
  ];
}

function authorizeGoals({ identities, tools, fresh, remembered }) {
  const cases = { uncached: fresh, remembered };
  return Object.entries(cases).map(([what, { p50, p99 }]) => ({
    figure: `p99 of a decision, ${what}`,
    program: 'hub',
    goal: `≤ ${decisionGoal} µs`,
    source: 'issue 6',
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
  const asked = { source: 'issue 6', of: 'that with nothing kept' };
  const slower = rows.map(({ perSecond }) => perSecond.map((value) => 1000 / value));
  return [
    atMost('p50 with activity and audit', 'http', accountGoal, ratios(all.p50, none.p50), {
      ...asked,
      detail: `${milliseconds(all.p50)} against ${milliseconds(none.p50)}`,
    }),
    {
      ...atMost('time a call, 8 in flight', 'http', accountGoal, ratios(slower[1], slower[0]), asked),
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
        atMost(
          `start to whole list, ${servers} x ${tools}`,
          row.name,
          startGoal,
          ratios(row.times, alone.times),
          {
            source: 'issue 3',
            of: 'the servers alone',
            detail: `${milliseconds(row.times)} against ${milliseconds(alone.times)}`,
          },
        ),
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

function atMost(figure, program, goal, value, { source, of = 'limit', detail }) {
  return compared(
    { figure, program, goal: `≤ ${goal} × ${of}`, source, value, detail },
    (reached) => reached <= goal,
  );
}

function atLeast(figure, program, goal, value, { source, of = 'limit', detail }) {
  return compared(
    { figure, program, goal: `≥ ${goal} × ${of}`, source, value, detail },
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
