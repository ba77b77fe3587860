import { machine } from '../bench/report/machine.mjs';

/** The checks of each client, in the order in which they run. */
const questions = [
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

export function renderTable(plays) {
  const header = ['client', 'version', ...questions.map(([question]) => question)];
  const rows = plays.map(({ client, result, error }) => [
    client.name,
    client.version,
    ...(result === undefined
      ? [`not played: ${error}`, ...questions.slice(1).map(() => '')]
      : questions.map(([, answer]) => word(answer(result)))),
  ]);
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Tells whether a client did what Patchbay promises of it. */
export const isFine = ({ result }) =>
  result !== undefined &&
  result.listed === result.offered &&
  [result.answered, result.once, result.survives, result.isUndone].every(Boolean) &&
  result.left.length === 0;

export function renderDocument(plays) {
  const { node, platform } = machine();
  return `# Real clients

Written by \`npm run test:clients\`; do not edit. On ${platform}, Node ${node}.

Real clients from npm, installed outside the repository, each with an empty home folder. A hub without a window runs the
reference server and one that counts its calls; \`patchbay connect apply\` writes the client's config; and the client gets one
prompt, without a window. Its model is a script that serves the client's API on the loopback address: it calls tools
one after the other, while a server is turned off and on again, and the hub is killed.

${renderTable(plays)}

A client that does not ask for its list again after \`notifications/tools/list_changed\` shows in the two columns about switching: it
keeps offering a removed tool, and a call of it is answered with what to do. Gemini CLI treats text that parses as JSON as
structured content, and then rejects anything but an object (a number, a list): such a tool fails there without Patchbay as well.
Not tested: clients with a window, and those that are not on npm.
`;
}

const word = (value) => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value));
