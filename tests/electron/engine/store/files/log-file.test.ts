import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLogFile } from '../../../../../electron/engine/store/files/log-file.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

it('[PB-APP-1] the log is in its file when it is closed, without secrets', async () => {
  await using folder = await tempDir();
  const logger = openLogFile(join(folder.path, 'logs'));
  logger.log('info', 'hello Bearer abc', { token: 'abc', stage: 'ready' });
  await logger.close();
  await logger.close();
  const text = await readFile(join(folder.path, 'logs', 'patchbay.log'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    msg: 'hello Bearer [redacted]',
    token: '[redacted]',
    stage: 'ready',
  });
});

it('[PB-APP-1] a folder that cannot be written costs only the log', async () => {
  const logger = openLogFile('/dev/null/logs');
  logger.log('error', 'nobody hears this');
  await logger.close();
});
