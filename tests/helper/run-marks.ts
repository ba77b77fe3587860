/** In the environment of all that a run of tests starts. */
export const runMark = 'PATCHBAY_TEST_RUN';
/** In the same place: the test file that started it. */
export const fileMark = 'PATCHBAY_TEST_FILE';
/** Prefix of the names of test files' folders. */
export const folderMark = 'of-';
/** Says in such a folder whose it is. */
export const ownerFile = '.test-file';

/** Moves temporary folders of this program and of what it starts; the returned function moves them back. */
export function moveTempFolder(folder: string): () => void {
  const names = process.platform === 'win32' ? ['TEMP', 'TMP'] : ['TMPDIR'];
  const before = names.map((name) => process.env[name]);
  for (const name of names) process.env[name] = folder;
  return () => {
    for (const [index, name] of names.entries()) {
      const value = before[index];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
