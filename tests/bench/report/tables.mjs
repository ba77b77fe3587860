import { summary } from '../lib/stats.mjs';
import { added, milliseconds, rowOf, whole } from './goals.mjs';

/** The tables of a report as `{ title, note, head, rows }`, for whoever prints them. */
export function tablesOf(result) {
  const { figures, targets } = result;
  return [
    ...(result.goals.length === 0 ? [] : [goalTable(result.goals)]),
    ...echoTables(figures, targets),
    ...(figures.payload === undefined ? [] : [payloadTable('server on the SDK', figures.payload)]),
    ...(figures['payload-raw'] === undefined
      ? []
      : [payloadTable('server that costs next to nothing', figures['payload-raw'])]),
    ...(figures.list === undefined ? [] : [listTable(figures.list)]),
    ...(figures.startup === undefined ? [] : [startupTable(figures.startup)]),
    ...(figures.growth === undefined ? [] : [growthTable(figures.growth)]),
    ...(figures.eras === undefined ? [] : eraTables(figures.eras)),
    ...(result.skipped.length === 0 ? [] : [skippedTable(result.skipped)]),
  ];
}

function goalTable(goals) {
  return {
    title: 'Goals',
    note: 'Medians over blocks, with the middle half of the blocks in brackets. The limit is the forwarder over the same front and server. Asked by: section 9 of the design, or an issue. Where both ask, the design counts, which came later: it loosened what issue 3 had asked of added p50, calls/s, 10 MB, growth and idle memory, and says nothing of the rest.',
    head: ['figure', 'program', 'goal', 'asked by', 'measured', 'values', 'reached'],
    rows: goals.map(({ figure, program, goal, source, value, unit, detail, reached }) => [
      figure,
      program,
      goal,
      source,
      valueText(value, unit),
      detail ?? '',
      reached === undefined ? '–' : reached ? 'yes' : 'no',
    ]),
  };
}

function valueText(value, unit) {
  if (value === undefined) return '';
  if (typeof value === 'number')
    return unit === 'MB' ? `${Math.round(value)} MB` : `${value.toFixed(2)} ${unit}`;
  return `${value.median.toFixed(2)} ${unit} (${value.low.toFixed(2)}–${value.high.toFixed(2)})`;
}

function echoTables(figures, targets) {
  const notes = {
    echo: [
      'Calls of 100 bytes, server on the SDK',
      'Added: to the p50 of the direct connection in the same round.',
    ],
    'echo-raw': [
      'Calls of 100 bytes, server that costs next to nothing',
      'What is between is nearly all there is.',
    ],
  };
  return Object.entries(notes).flatMap(([name, [title, note]]) =>
    figures[name] === undefined ? [] : [echoTable(title, note, figures[name], targets)],
  );
}

function echoTable(title, note, rows, targets) {
  const hasDirect = rowOf(rows, 'direct') !== undefined;
  return {
    title,
    note: `${note} Calls/s with 32 in flight; processor time a call and memory are the program's own, without its servers.`,
    head: [
      'program',
      'front',
      'p50',
      'p90',
      'p99',
      'added p50',
      'spread',
      'calls/s',
      'spread',
      'µs CPU',
      'MB idle',
      'MB after',
    ],
    rows: rows.map((row) => [
      row.name,
      targets.find(({ name }) => name === row.name).front,
      milliseconds(row.p50),
      milliseconds(row.p90),
      milliseconds(row.p99),
      !hasDirect || row.name === 'direct' ? '' : milliseconds(added(rows, row.name)),
      spread(row.p50, 3),
      whole(row.perSecond),
      spread(row.perSecond, 0),
      row.cpu.length === 0 ? '–' : summary(row.cpu).median.toFixed(1),
      rounded(row.memory.idle),
      rounded(row.memory.after),
    ]),
  };
}

function payloadTable(server, rows) {
  return {
    title: `Large echoes, ${server}`,
    note: 'There and back.',
    head: ['program', '1 MB', '10 MB', 'spread', '50 MB'],
    rows: rows.map(({ name, times, failures }) => [
      name,
      times[1]?.length > 0 ? milliseconds(times[1]) : (failures[1] ?? '–'),
      times[10]?.length > 0 ? milliseconds(times[10]) : (failures[10] ?? '–'),
      times[10]?.length > 0 ? spread(times[10], 0) : '',
      times[50]?.length > 0 ? milliseconds(times[50]) : (failures[50] ?? '–'),
    ]),
  };
}

function listTable(rows) {
  return {
    title: 'List of 10,000 tools',
    note: 'First: the first time a client asks once the server has been heard; again: each time after.',
    head: ['program', 'first', 'again', 'bytes', 'tools'],
    rows: rows.map(({ name, first, again, bytes, tools, failure }) => [
      name,
      failure ?? milliseconds(first),
      failure === undefined ? milliseconds(again) : '',
      bytes === undefined ? '' : bytes.toLocaleString('en'),
      tools === undefined ? '' : tools.toLocaleString('en'),
    ]),
  };
}

function startupTable(shapes) {
  const programs = shapes[0].rows.map(({ name }) => name);
  return {
    title: 'Start until the list is whole',
    note: 'Servers alone: all started at once by the bench, until the slowest has given its list.',
    head: ['servers x tools', 'server', ...programs],
    rows: shapes.map(({ servers, tools, kind, rows }) => [
      `${servers} x ${tools}`,
      kind === 'sdk' ? 'on the SDK' : 'raw',
      ...programs.map((name) => milliseconds(rowOf(rows, name)?.times ?? [])),
    ]),
  };
}

function growthTable(series) {
  return {
    title: 'Growth',
    note: 'p50 of a call of 100 bytes on raw servers.',
    head: ['program', 'as they grow', 'p50', 'spread'],
    rows: series.flatMap(({ name, what, points }) =>
      points.map(({ count, p50 }) => [
        name,
        `${count.toLocaleString('en')} ${what}`,
        milliseconds(p50),
        spread(p50, 3),
      ]),
    ),
  };
}

function eraTables({ calls, lists }) {
  return [
    {
      title: 'Calls across the eras',
      note: 'Calls of 100 bytes on raw servers of one hub, by client and server: with sessions (legacy), or without (modern, MCP 2026-07-28). Processor time is that of the hub, and of the bridge.',
      head: ['front', 'client → server', 'p50', 'spread', 'p99', 'calls/s', 'CPU a call'],
      rows: calls.map(({ front, name, p50, p99, perSecond, cpu }) => [
        front,
        name,
        milliseconds(p50),
        spread(p50, 3),
        milliseconds(p99),
        whole(perSecond),
        `${whole(cpu)} µs`,
      ]),
    },
    {
      title: 'Lists across the eras',
      note: 'One server with 10,000 tools, over HTTP.',
      head: ['client → server', 'first', 'again'],
      rows: lists.map(({ name, first, again }) => [name, milliseconds(first), milliseconds(again)]),
    },
  ];
}

function skippedTable(skipped) {
  return {
    title: 'Not measured',
    note: 'What could not be installed or started, or failed on the way, and what it said.',
    head: ['program', 'figure', 'reason'],
    rows: skipped.map(({ name, figure, reason }) => [name, figure, reason]),
  };
}

function spread(values, digits) {
  const known = summary(values);
  if (known === undefined) return '';
  return `${known.low.toFixed(digits)}–${known.high.toFixed(digits)}`;
}

function rounded(value) {
  return value === undefined ? '–' : String(Math.round(value));
}
