import { readFileSync } from 'node:fs';

/**
 * @typedef {object} FileProgress
 * @property {boolean} ended
 * @property {number} passed
 * @property {number} skipped
 * @property {import('../test-reporter.mjs').TestNote[]} failed a file that could not be loaded counts as one
 * @property {Set<string>} running titles of tests that have not ended
 */

/**
 * Reads what `progress-reporter.mjs` wrote: the test files that were started, by their paths.
 *
 * @returns {Map<string, FileProgress>}
 */
export function readProgress(file) {
  /** @type {Map<string, FileProgress>} */
  const files = new Map();
  // The last line of a run that was ended may be incomplete.
  for (const text of readFileSync(file, 'utf8').split('\n').slice(0, -1)) note(files, JSON.parse(text));
  return files;
}

/** @param {import('./progress-reporter.mjs').ProgressLine} line */
function note(files, { event, file, title, state, message }) {
  if (!files.has(file))
    files.set(file, { ended: false, passed: 0, skipped: 0, failed: [], running: new Set() });
  const progress = files.get(file);
  if (event === 'test-started') progress.running.add(title);
  if (event === 'file-ended') progress.ended = true;
  if (event !== 'test-ended' && message !== undefined)
    progress.failed.push({ file, title: '(the file)', message });
  if (event !== 'test-ended') return;
  progress.running.delete(title);
  if (state === 'passed') progress.passed += 1;
  if (state === 'skipped') progress.skipped += 1;
  if (state === 'failed') progress.failed.push({ file, title, message });
}

/**
 * Runs test files, and whatever hangs or crashes costs one file: `run` runs the given files, and resolves
 * with its last words when they have ended or when nothing has happened for too long. Files that it did not
 * start are run again without the ones that it did not end, which have another chance only if Wine itself has
 * crashed. `run` resolves with undefined where no time is left.
 *
 * @param {readonly string[]} files
 * @param {(files: readonly string[]) => Promise<{ progress: Map<string, FileProgress>; text: string } | undefined>} run
 */
export async function runAll(files, run) {
  const total = { passed: 0, skipped: 0, failed: [] };
  const crashed = new Set();
  for (let left = files; left.length > 0; ) {
    const outcome = await run(left);
    if (outcome === undefined) {
      total.failed.push(...left.map((file) => ({ file, title: '(not run)', message: 'no time was left' })));
      break;
    }
    const { progress, text } = outcome;
    const hasCrashed = text.includes('wineserver crashed');
    const again = [];
    for (const [file, each] of progress) {
      if (hasCrashed && !each.ended && !crashed.has(file)) {
        crashed.add(file);
        again.push(file);
        continue;
      }
      total.passed += each.passed;
      total.skipped += each.skipped;
      total.failed.push(...each.failed);
      if (!each.ended) total.failed.push({ file, title: '(hangs)', message: whyNotEnded(each, text) });
    }
    const after = left.filter((file) => !progress.has(file));
    if (after.length === left.length) throw new Error(`No test file was started:\n${text.slice(-4_000)}`);
    left = [...after, ...again];
  }
  return total;
}

/** @param {FileProgress} progress */
function whyNotEnded({ running }, text) {
  const where = running.size === 0 ? 'outside of its tests' : `in ${[...running].join(', ')}`;
  return `It did not end; it stopped ${where}.\n${text.slice(-1_000)}`;
}
