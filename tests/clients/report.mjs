import { machine } from '../bench/report/machine.mjs';

/** The checks of each client, in the order in which they run. */
const questions = [
  ['protocol', ({ protocol }) => `MCP ${protocol}`],
  ['tools in its list', ({ listed, offered }) => `${listed} of ${offered}`],
  ['answers reach its model', ({ answered }) => answered],
  ['images too', ({ image }) => image],
  ['each call once', ({ once }) => once],
  ['a disabled server is gone', ({ goes }) => goes],
  ['a re-enabled server is back', ({ comes }) => comes],
  ['calls after the hub was killed', ({ survives }) => survives],
  ['undo restores its config', ({ isUndone }) => isUndone],
  ['programs left behind', ({ left }) => left.length],
];

/** The checks of each peer that knows both eras; `undefined` is what this peer cannot show. */
const eraQuestions = [
  ['asks first', ({ first }) => first && `\`${first}\``],
  ['protocol', ({ protocol }) => protocol && `MCP ${protocol}`],
  ['tools of both servers', ({ listed }) => listed],
  ['calls of both', ({ answered }) => answered],
  ['questions of both come and go', ({ asked }) => asked],
];

export const renderTable = (plays) =>
  tableOf(
    ['client', 'version'],
    questions,
    plays.map(({ client: { name, version }, ...play }) => ({ head: [name, version], ...play })),
  );

export const renderEras = (plays) =>
  tableOf(
    ['client', 'version', 'through'],
    eraQuestions,
    plays.map(({ peer: { name, version }, way, ...play }) => ({ head: [name, version, way], ...play })),
  );

function tableOf(head, asked, plays) {
  const header = [...head, ...asked.map(([question]) => question)];
  const rows = plays.map(({ head: cells, result, error }) => [
    ...cells,
    ...(result === undefined
      ? [`not played: ${error}`, ...asked.slice(1).map(() => '')]
      : asked.map(([, answer]) => word(answer(result)))),
  ]);
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Tells whether a client did what Patchbay promises of it. */
export const isFine = ({ result }) =>
  result !== undefined &&
  result.listed === result.offered &&
  [result.answered, result.once, result.survives, result.isUndone].every(Boolean) &&
  result.left.length === 0;

/** Whether a peer reached both servers, each in its own era. */
export const isAcross = ({ result }) =>
  result !== undefined && [result.listed, result.answered, result.asked ?? true].every(Boolean);

export function renderDocument(plays, eraPlays) {
  const { node, platform } = machine();
  return `# Real clients

Written by \`npm run test:clients\`; do not edit. On ${platform}, Node ${node}.

Real clients from npm, installed outside the repository, each with an empty home folder. A hub without a window runs the
reference server and one that counts its calls; \`patchbay connect apply\` writes the client's config; and the client gets one
prompt, without a window. Its model is a script that serves the client's API on the loopback address: it calls tools
one after the other, while a server is turned off and on again, and the hub is killed.

${renderTable(plays)}

A client that does not ask for its list again after \`notifications/tools/list_changed\`, or asks but goes on with what it has, as
Claude Code does within one prompt, shows in the two columns about switching: it keeps offering a removed tool, and a call of it
is answered with what to do. Gemini CLI treats text that parses as JSON as structured content, and then rejects anything but an
object (a number, a list): such a tool fails there without Patchbay as well.
Not tested: clients with a window, and those that are not on npm.

## Both protocols at once

A client decides by its first message which of two eras of MCP it speaks: \`initialize\` opens a session (up to 2025-11-25), while every
request of MCP 2026-07-28 stands on its own. Patchbay speaks to each client and each server in its own protocol, so nobody has to
choose. The client's page, each call in _Activity_ and \`patchbay status\` show the protocol; [Both eras](fidelity.md#both-eras)
says what happens where a client and a server differ. Here each client has a server of either era behind Patchbay.

${renderEras(eraPlays)}

Claude Code asks for the stateless protocol first, at an address and of a program that it starts; the others open a session unless
they are told otherwise. Without a window it has nobody to answer a server's question, so it cancels the question, and the server
is told, whichever protocol it speaks. The Inspector's command line answers no questions, and where it starts a program it has ended before
\`patchbay status\` could name it.
`;
}

function word(value) {
  if (value === undefined) return '–';
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}
