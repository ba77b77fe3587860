import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function memoryFile(folder) {
  return join(folder, 'memory.jsonl');
}

/** Bytes that hubs held after a collection of all garbage: `{ pid, age, live }`, `age` in milliseconds. */
export function readLiveMemory(folder) {
  const file = memoryFile(folder);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line));
}
