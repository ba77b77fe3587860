import { mkdtempSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import { fileMark, folderMark, moveTempFolder, ownerFile, runMark } from './run-marks.ts';

/** Set-up of each test file: its temporary folders lie in one of its own, and what it starts is known as its own. */
const run = process.env[runMark];
const { testPath } = expect.getState();
if (run !== undefined && testPath !== undefined) {
  const file = relative(process.cwd(), testPath);
  const folder = mkdtempSync(join(run, folderMark));
  writeFileSync(join(folder, ownerFile), file);
  moveTempFolder(folder);
  process.env[fileMark] = file;
}

// Spares hubs the start-up files of this user's own shell, which may take more time than their start.
if (process.platform !== 'win32') process.env.SHELL = '/bin/sh';

// Node reads these certificates at each start, which takes longer than the rest of a small program's start.
delete process.env.NODE_EXTRA_CA_CERTS;
