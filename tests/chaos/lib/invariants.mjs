import { runsOf } from './records.mjs';

/** Errors of the fixture's own: failed as told, no such tool, no such method. */
const ofServers = new Set([-32050, -32602, -32601]);

/** Said of a call that did not get to its server. */
const notRun = new Set([
  'call.server_unavailable',
  'call.circuit_open',
  'call.queue_full',
  'call.unknown_tool',
]);

/** Judges a whole run: `{ rule, ok, detail, calls }`, `calls` being the requests that broke it. */
export function judgeRun({ requests, records, leftovers, back }) {
  const { all, violations } = requests;
  const live = (rule) => violations.filter((violation) => violation.rule === rule);
  const of = (rule, broken = [], detail = '') => {
    const seen = live(rule);
    const found = [...broken, ...seen.map(({ call }) => ({ call })).filter(({ call }) => call !== undefined)];
    const words = [detail, ...seen.slice(0, 5).map(({ detail: text }) => text)].filter(Boolean);
    return {
      rule,
      ok: broken.length === 0 && seen.length === 0,
      detail: words.join('; '),
      calls: found.map(({ call }) => call),
    };
  };
  const unanswered = all.filter(isUnanswered);
  const unexplained = all.filter(({ ends }) => ends.some(isUnexplained));
  const writes = runsOf(records, 'write');
  const twice = [...writes].filter(([, times]) => times > 1).map(([call]) => ({ call }));
  const dishonest = all.filter((request) => isDishonest(request, writes));
  return [
    of('exactly one answer', unanswered, sums(unanswered, 'without any')),
    of('nothing reaches a wrong client'),
    of('answers match'),
    of('limits hold'),
    of("what is a client's own stays its own"),
    of('nothing unsafe runs twice', twice, sums(twice, 'run again')),
    of('errors are true', dishonest, sums(dishonest, 'said otherwise than was done')),
    of('errors say why', unexplained, codesOf(unexplained)),
    of('no list is silently empty'),
    of('only messages'),
    of('bridges stay'),
    of('the hub stays'),
    of('connections hold'),
    of('what nothing happened to is started once'),
    {
      rule: 'every server is back at the end',
      ok: back.missing.length === 0,
      detail: back.missing.join(', '),
      calls: [],
    },
    {
      rule: 'no process survives',
      ok: leftovers.length === 0,
      detail: leftovers.map(({ pid, command }) => `${pid} ${command}`).join('; '),
      calls: [],
    },
  ];
}

/** Not answered, not cut, not taken back. */
function isUnanswered({ ends, cancelledAt }) {
  return (ends.length === 0 && cancelledAt === undefined) || ends.some(({ kind }) => kind === 'nothing');
}

/** An error of ours has a code, and says what to do; any other is a server's own, or one that nobody has thought of. */
function isUnexplained({ kind, code, reason, hasFix }) {
  return kind === 'error' && !(reason !== undefined && hasFix) && !ofServers.has(code);
}

/** Told that it was done when it was not, or that it was not when it was. */
function isDishonest({ tool, call, ends, cancelledAt }, writes) {
  if (tool !== 'write' || cancelledAt !== undefined || ends.length !== 1) return false;
  const [{ kind, reason }] = ends;
  const wasRun = writes.has(call);
  return (kind === 'result' && !wasRun) || (notRun.has(reason) && wasRun);
}

function sums(broken, what) {
  return broken.length === 0 ? '' : `${broken.length} ${what}`;
}

function codesOf(requests) {
  const codes = requests.flatMap(({ ends }) => ends.filter(isUnexplained));
  return [...new Set(codes.map(({ code, reason }) => `${code} ${String(reason ?? '').slice(0, 80)}`))].join(
    ', ',
  );
}
