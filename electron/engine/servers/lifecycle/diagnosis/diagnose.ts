import type { ChildFacts } from './child-facts.ts';
import { containerRows } from './containers.ts';
import { machineRows, notExecutable } from './machine.ts';
import {
  type Diagnosis,
  type DiagnosisRule,
  lineRule,
  type ProgramOutput,
  plainLine,
  quoted,
} from './output-rows.ts';
import { packageRows } from './packages.ts';
import { programRows } from './programs.ts';
import { settingRows } from './settings.ts';

export type Moment = 'start' | 'waiting' | 'use';

/** Finds the cause of a failure in the program's output; returns undefined if none is recognized. */
export function diagnose(facts: ChildFacts, moment: Moment): Diagnosis | undefined {
  const { stderr, stdout, args = [], cwd, exit, resolved } = facts;
  const command = resolved ?? facts.command;
  const lines = [...stdout, ...stderr].map(plainLine).filter((text) => text !== '');
  const output: ProgramOutput = { lines, command, args, cwd, exit };
  for (const row of tables[moment]) {
    const diagnosis = row(output);
    if (diagnosis !== undefined) return diagnosis;
  }
  if (exit?.code === 126 && resolved !== undefined) return notExecutable(resolved);
  if (exit?.signal === 'SIGKILL' || exit?.code === 137) return killed;
  return moment === 'start' ? lastLine(lines, exit?.code === 0) : undefined;
}

const killed: Diagnosis = {
  code: 'killed',
  sentence: 'The system killed the server (SIGKILL), often because memory ran out.',
  fix: 'Close other programs, then try again.',
};

/** Rows for a program that runs but sends no MCP message. */
const waitingRows: readonly DiagnosisRule[] = [
  lineRule(
    /\b(https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):\d{1,5}[\w./-]{0,100})/,
    ([url = '']) => ({
      code: 'web_server',
      subject: url,
      sentence: `The program serves over HTTP at ${url}, not over its standard input and output.`,
      fix: 'Add it by that address (Remote URL), or start it with its option for stdio.',
    }),
  ),
  lineRule(/\b(?:listening|running|started|serving) (?:on|at) (?:port )?:?(\d{2,5})\b/i, ([port = '']) => ({
    code: 'web_server',
    subject: `http://localhost:${port}`,
    sentence: `The program serves over HTTP on port ${port}, not over its standard input and output.`,
    fix: 'Add it by its address (Remote URL), or start it with its option for stdio.',
  })),
  lineRule(/Ok to proceed\? \(y\)/, () => ({
    code: 'asks_question',
    subject: '-y',
    sentence: 'npx is waiting for confirmation before it installs the package.',
    fix: 'Add -y as the first argument in the config.',
  })),
  lineRule(
    /(?:\[[yY]\/[nN]\]|\(y\/n\)|\b(?:password|passphrase|username|token|key)\b[^:]{0,40}:|\benter\b.{0,80}:)$/i,
    (_groups, { lines }) => ({
      code: 'asks_question',
      sentence: `The program asks a question and waits: ${quoted(lines.at(-1) ?? '')}`,
      fix: 'Set the answer as an argument or a variable in the config.',
    }),
  ),
];

const helpRows: readonly DiagnosisRule[] = [
  lineRule(
    /^(?:usage|synopsis)\b:?(?: |$)|^(?:options|commands|flags|arguments):$|^\s*-h, --help\b/i,
    () => ({
      code: 'printed_help',
      sentence: 'The program printed its help text and quit; it may need another argument.',
      fix: "Compare the arguments in the config with the server's README.",
    }),
  ),
];

/** Errors of the program itself: its own message is the best explanation. */
const ownRows: readonly DiagnosisRule[] = [
  rustPanic,
  lineRule(
    /^(?:Uncaught )?(?:[\w.]{0,60}(?:Error|Exception|Exit|Interrupt))(?: \[\w{1,60}\])?: (.{2,400})$/,
    ([message = '']) => ownError(message),
  ),
  lineRule(/^(?:\[?(?:fatal|error|panic|critical)\]?)(?: error)?[:\s]{1,3}(.{2,400})$/i, ([message = '']) =>
    ownError(message),
  ),
  lineRule(/^((?:Failed to|Could not|Cannot|Unable to) .{2,300})$/i, ([message = '']) => ownError(message)),
];

/** Rust prints the location first, and the message on the same line or the next. */
function rustPanic({ lines }: ProgramOutput): Diagnosis | undefined {
  const at = lines.findLastIndex((text) => text.includes(' panicked at '));
  if (at < 0) return undefined;
  const message = / panicked at '([^']{1,300})'/.exec(lines[at] ?? '')?.[1] ?? lines[at + 1];
  return message === undefined ? undefined : ownError(message);
}

function ownError(message: string): Diagnosis {
  return {
    code: 'own_error',
    sentence: `The server stopped with an error: ${quoted(message)}.`,
    fix: 'Check its log; an argument or a variable may be wrong.',
  };
}

function lastLine(lines: readonly string[], isClean: boolean): Diagnosis | undefined {
  const last = lines.at(-1);
  if (last === undefined || isClean) return undefined;
  return {
    code: 'own_error',
    sentence: `The server quit right after starting. Last output: ${quoted(last)}.`,
    fix: 'Check its log; an argument or a variable may be wrong.',
  };
}

const tables: Readonly<Record<Moment, readonly DiagnosisRule[]>> = {
  start: [
    ...containerRows,
    ...packageRows,
    ...programRows,
    ...machineRows,
    ...settingRows,
    ...helpRows,
    ...ownRows,
  ],
  waiting: [...waitingRows, ...containerRows, ...packageRows, ...programRows, ...machineRows, ...settingRows],
  use: [...machineRows, ...ownRows],
};
