import type { Page } from 'playwright-core';

/** For `startApp`: without it a snapshot holds the first thousand characters of each string alone. */
export const wholeStrings = '--js-flags=--heap-snapshot-string-limit=16000000';

/** Everything that the page's JavaScript holds once its garbage is gone, as the text of a heap snapshot. */
export async function memoryOf(window: Page): Promise<string> {
  const session = await window.context().newCDPSession(window);
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void chunks.push(chunk));
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return chunks.join('');
}
