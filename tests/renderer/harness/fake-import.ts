import type { IpcCallName, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import { sampleImportResult, samplePreview, sampleSources, unreadableText } from './sample-import.ts';

type ImportCall = Extract<IpcCallName, `import.${string}`>;
type ImportHandlers = { [N in ImportCall]: (input: IpcInput<N>) => IpcOutput<N> };

/** Sources of a made-up machine; a bare one has none. */
export function fakeImport(hasClients: () => boolean): ImportHandlers {
  return {
    'import.sources': () => ({ sources: hasClients() ? sampleSources : [] }),
    'import.read': () => samplePreview,
    'import.parse': ({ text }) => (text.includes('{') ? samplePreview : unreadableText),
    'import.openFile': () => ({ preview: samplePreview }),
    'import.choosePath': () => ({ path: '/home/ada/work' }),
    'import.add': ({ entries, replace }) => sampleImportResult(entries, replace),
    'import.undo': () => undefined,
    'import.close': () => undefined,
  };
}
