import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Notes a line at once and whole, so that a kill right after loses nothing of it. */
export function createRecord(file) {
  mkdirSync(dirname(file), { recursive: true });
  return (event, more = {}) => {
    appendFileSync(file, `${JSON.stringify({ event, at: Date.now(), pid: process.pid, ...more })}\n`);
  };
}
