import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FoundProcess, processesWhere } from '../chaos/lib/processes.mjs';
import { eventually } from './eventually.ts';
import { fileMark, folderMark, moveTempFolder, ownerFile, runMark } from './run-marks.ts';

/**
 * Global set-up of tests that start programs: gives the run a temporary folder and a mark of its own, and when all tests
 * are done looks for what they left: processes (the mark is in the environment of all that was started, and the folder in
 * that of servers and on the command line of hubs, however bare a client started them) and folders. The run fails if there
 * is anything, and says which test file left it.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'pb-'));
  const moveBack = moveTempFolder(folder);
  process.env[runMark] = folder;
  return async () => {
    moveBack();
    const processes = () => processesWhere(isOf(folder));
    await eventually(() => none(processes()), patience).catch(() => {});
    const left = [
      ...(await Promise.all(processes().map((each) => describeProcess(folder, each)))),
      ...(await foldersLeftIn(folder)),
    ];
    for (const { pid } of processes()) process.kill(pid, 'SIGKILL');
    await eventually(() => rm(folder, { recursive: true, force: true }), 10_000);
    if (left.length > 0) await failRun(`The tests left behind:\n  ${left.join('\n  ')}`);
  };
}

/** Milliseconds in which what has been told to end has ended. */
const patience = 30_000;

/** The folder stands in environments in plain or, as part of an id, encoded. */
function isOf(folder: string): (found: FoundProcess) => boolean {
  const names = [folder, encodeURIComponent(folder)];
  return ({ environment, command }) =>
    names.some((name) => environment.includes(name) || command.includes(name));
}

/** Finds leftover folders of ours; Chromium and the test driver have folders of their own there. */
async function foldersLeftIn(folder: string): Promise<readonly string[]> {
  const ofFiles = (await readdir(folder)).filter((name) => name.startsWith(folderMark));
  const left = await Promise.all(
    ofFiles.map(async (name) => {
      const names = await readdir(join(folder, name));
      const ours = names.filter((each) => each.startsWith('patchbay'));
      const owner = await ownerOf(join(folder, name));
      return ours.map((each) => `folder ${each}, by ${owner}`);
    }),
  );
  const ofRun = (await readdir(folder)).filter((name) => name.startsWith('patchbay'));
  return [...ofRun.map((name) => `folder ${name}`), ...left.flat()];
}

/** The test file whose folder it is. */
function ownerOf(folder: string): Promise<string> {
  return readFile(join(folder, ownerFile), 'utf8').catch(() => 'a test');
}

/** By its environment, else by the folder of a test file that its command names. */
async function describeProcess(run: string, { pid, command, environment }: FoundProcess): Promise<string> {
  const [, file] = new RegExp(`\0${fileMark}=([^\0]+)`).exec(environment) ?? [];
  const name = (await readdir(run)).find((each) => command.includes(`/${each}/`));
  const owner = file ?? (await ownerOf(join(run, name ?? '')));
  return `process ${pid}: ${command.slice(0, 200)}, by ${owner}`;
}

/** An error alone would be printed by the runner and forgotten. */
async function failRun(message: string): Promise<never> {
  process.exitCode = 1;
  await report(message).catch(() => {});
  throw new Error(message);
}

/** Adds it to what `npm test` says at its end. */
async function report(message: string): Promise<void> {
  const { TEST_REPORT: file = '' } = process.env;
  if (file === '') return;
  const known = JSON.parse(await readFile(file, 'utf8'));
  const stray = [...known.stray, { file: '', title: '(what the tests left)', message }];
  await writeFile(file, JSON.stringify({ ...known, stray }));
}

function none(found: readonly unknown[]): void {
  if (found.length > 0) throw new Error('There is something');
}
