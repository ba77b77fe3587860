import { readFile } from 'node:fs/promises';
import { machineText, percent } from './print.mjs';
import { tablesOf } from './tables.mjs';

const NOTES_BEGIN = '<!-- notes: kept from run to run -->';
const NOTES_END = '<!-- end of notes -->';

/** The page in docs/. `notes` are what people wrote into the page before; everything else is measured. */
export function renderDocument(result, notes) {
  const reached = result.goals.filter((goal) => goal.reached === true).length;
  return [
    '# Benchmarks',
    'Written by `npm run bench`; do not edit outside of the notes.',
    `Measured on ${machineText(result.machine)}, in one run of ${result.seconds} s. ${reached} of ${result.goals.length} goals reached.`,
    method(result),
    ...tablesOf(result).map(tableText),
    ...(result.figures.profile ?? []).map(profileText),
    '## Notes',
    [NOTES_BEGIN, notes, NOTES_END].join('\n\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Returns the text between the marks in the current page; for a first page, a note on how to use them. */
export async function readNotes(file) {
  const page = await readFile(file, 'utf8').catch(() => '');
  const [begin, end] = [page.indexOf(NOTES_BEGIN), page.indexOf(NOTES_END)];
  if (begin === -1 || end === -1) return 'Explanations of the figures go here.';
  return page.slice(begin + NOTES_BEGIN.length, end).trim();
}

function method({ targets }) {
  const peers = targets.filter(({ role }) => role === 'peer');
  return `## How it is measured

\`\`\`
npm run bench                      # everything, about 8 minutes, writes this page
npm run bench -- --quick           # under a minute, without peers, writes nothing
npm run bench -- --only echo,http  # some figures, some programs
npm run bench -- --json FILE       # every block of every figure
npm run bench -- --only eras --before FOLDER  # calls with sessions against those of an earlier checkout, built
\`\`\`

- The client speaks JSON-RPC without an SDK, over standard streams or Streamable HTTP, and matches answers by their bytes,
  so that the client adds little to the measurements. Everything runs on this one machine, over pipes and loopback.
- All programs run at once, each with its own server, and are measured in turn, in short blocks in an order that
  changes every round. Ratios are computed block by block within the same round; the table shows their median. Differences
  below 1.3 times from one run to another are noise; within a run, look at the spread.
- \`direct\`: client and server with nothing in between. \`forwarder\` and \`forwarder-http\`: the limit, a program that
  splits lines, replaces ids, and writes simultaneous messages in one go; it parses nothing and has one server.
  \`plain-sdk\`: an aggregator of 60 lines on the SDK. \`aggregator\`: \`mcp-simple-aggregator\`. \`bridge\`: client to
  \`patchbay-bridge\` to the hub, two programs. \`http\`: client to the hub's \`/mcp\`.
${peers.length === 0 ? '- No peers in this run.' : `- Peers, from npm, installed outside the repository: ${peers.map(peerText).join('; ')}.`}`;
}

function peerText({ name, version, front, remark }) {
  return `${name} ${version} (${front === 'http' ? 'HTTP' : 'stdio'}${remark === undefined ? '' : `; ${remark}`})`;
}

function tableText({ title, note, head, rows }) {
  return [`## ${title}`, note, [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')].join(
    '\n\n',
  );
}

function profileText({ name, calls, top, groups }) {
  return [
    `## Where the time of \`${name}\` goes`,
    `\`node --cpu-prof\` of ${subject(name)} under ${calls.toLocaleString('en')} calls of 100 bytes, 32 in flight; shares of its busy time, by whose code runs and by function.`,
    [
      line(['share', 'code']),
      line(['---', '---']),
      ...groups.slice(0, 8).map((g) => line([percent(g.share), g.group])),
    ].join('\n'),
    [
      line(['share', 'function', 'place']),
      line(['---', '---', '---']),
      ...top.map((entry) => line([percent(entry.share), `\`${entry.function}\``, entry.place])),
    ].join('\n'),
  ].join('\n\n');
}

function subject(name) {
  return name === 'aggregator' ? 'the program' : 'the hub behind it';
}

function line(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
