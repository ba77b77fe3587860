/** Every rule and figure of a run that must hold: `{ phase, rule, ok, detail, calls }`; `ok` undefined where a run was too short to tell. */
export function verdictsOf({ storm, crowd, crashloop, many, idle }) {
  return [
    ...(storm === undefined ? [] : stormVerdicts(storm)),
    ...(crowd === undefined ? [] : crowd.verdicts.map((verdict) => ({ phase: 'crowd', ...verdict }))),
    ...(crashloop === undefined ? [] : crashLoopVerdicts(crashloop)),
    ...(many === undefined ? [] : [manyVerdict(many)]),
    ...(idle === undefined ? [] : idleVerdicts(idle)),
  ];
}

/** Samples, below which a drift cannot be told from a program that still warms up: one in five seconds of memory, one a second of files. */
const ENOUGH = { memory: 20, files: 100 };
const DRIFT = 1.05;
const QUICK = 0.95;

function stormVerdicts({ verdicts, reconnects, memory, resident, files, lives }) {
  return [
    ...verdicts.map((verdict) => ({ phase: 'storm', ...verdict })),
    {
      phase: 'storm',
      rule: 'reconnects succeed in the first two tries (95 %)',
      ok: reconnects.all === 0 ? undefined : reconnects.share >= QUICK,
      detail: `${reconnects.withinTwo} of ${reconnects.all}`,
    },
    withResident(flat('memory of the hub is flat', memory, ENOUGH.memory, megabytes), resident),
    noMore('memory of a hub after all those lives', lives?.memory, megabytes),
    flat('open files of the hub are flat', files, ENOUGH.files, whole),
    noMore('open files of a hub after all those lives', lives?.files, whole),
  ];
}

function flat(rule, drift, enough, text) {
  if (drift === undefined || drift.samples < enough) return tooShort(rule);
  const { second, last, ratio, samples } = drift;
  return {
    phase: 'storm',
    rule,
    ok: ratio <= DRIFT,
    detail: `${text(second)}, then ${text(last)} (${((ratio - 1) * 100).toFixed(1)} %, ${samples} samples)`,
  };
}

/** Names what the system counts too, garbage and all. */
function withResident(verdict, resident) {
  if (resident === undefined || verdict.ok === undefined) return verdict;
  return { ...verdict, detail: `${verdict.detail}; resident ${megabytes(resident.last)}` };
}

/** On the folder that the storm has left, against a new one. */
function noMore(rule, compared, text) {
  if (compared === undefined) return tooShort(rule);
  const { fresh, later, ratio, pairs } = compared;
  const percent = ((ratio - 1) * 100).toFixed(1);
  return {
    phase: 'storm',
    rule: `${rule}, as of a new one`,
    ok: ratio <= DRIFT,
    detail: `${text(later)}, of a new one ${text(fresh)} (${percent} %, ${pairs} pairs of lives)`,
  };
}

function tooShort(rule) {
  return { phase: 'storm', rule, ok: undefined, detail: 'the run was too short to tell' };
}

/** Scripts show what the hub does; five Node programs can take a small machine's processors all by themselves. */
function crashLoopVerdicts({ ratios, goal, crashes }) {
  const verdict = (what, others, limit, ours, bare) => ({
    phase: 'crashloop',
    rule: `p99 of a healthy server, ≤ ${goal} times while five ${what} crash${others}`,
    ok: ours.median <= limit,
    detail: `${ours.median.toFixed(2)} times (${ours.low.toFixed(2)}–${ours.high.toFixed(2)}), ${crashes} starts in all; the same five outside of the hub: ${bare.median.toFixed(2)} times`,
  });
  const { light, 'light bare': lightBare, node, 'node bare': nodeBare } = ratios;
  return [
    verdict('scripts', '', goal, light, lightBare),
    verdict(
      'Node programs',
      ', or no more than without a hub',
      Math.max(goal, nodeBare.median),
      node,
      nodeBare,
    ),
  ];
}

function manyVerdict({ servers, tools, idle, goal, reached }) {
  return {
    phase: 'many',
    rule: `idle hub with ${servers} servers and ${tools.toLocaleString('en')} tools, < ${goal} % CPU`,
    ok: reached,
    detail: `${idle.toFixed(2)} %`,
  };
}

function idleVerdicts({ rows, goal }) {
  return rows.map(({ name, share }) => ({
    phase: 'idle',
    rule: `idle bridge, ${name}, 0.0 % CPU`,
    ok: share < goal,
    detail: `${share.toFixed(3)} %`,
  }));
}

const megabytes = (bytes) => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
const whole = (value) => String(Math.round(value));
