import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unsavedFile } from '../../../../../electron/engine/store/files/unsaved-file.ts';
import { toProblem } from '../../../../../shared/error/problem.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

it('[NFR-R4] a file that could not be written names what stands in its way', async () => {
  await using folder = await tempDir();
  const fixOf = async (file: string) => {
    const error = await writeFile(file, '').catch((reason: unknown) => reason);
    return toProblem(unsavedFile(file, error)).fix;
  };
  await writeFile(join(folder.path, 'file'), '');
  expect(await fixOf(join(folder.path, 'none', 'backup.json'))).toContain('folder does not exist');
  expect(await fixOf(join(folder.path, 'file', 'backup.json'))).toContain('folder does not exist');
  expect(await fixOf(folder.path)).toContain('choose another name');
  const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
  expect(toProblem(unsavedFile('x', full)).fix).toContain('Free some space');
});
