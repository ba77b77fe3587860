import type { IpcCallName, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type { ImportPreview } from '../../../shared/model/import-session.ts';

type ImportCall = Extract<IpcCallName, `import.${string}`>;
type ImportHandlers = { [N in ImportCall]: (input: IpcInput<N>) => IpcOutput<N> };

const empty: ImportPreview = {
  session: 's1',
  title: 'Pasted text',
  entries: [],
  inputs: [],
  issues: [],
  canReplace: false,
};

/** Sources of a made-up machine. */
export function fakeImport(): ImportHandlers {
  return {
    'import.sources': () => ({ sources: [] }),
    'import.read': () => empty,
    'import.parse': () => empty,
    'import.openFile': () => ({}),
    'import.choosePath': () => ({}),
    'import.add': () => ({ added: [], failed: [], secrets: [] }),
    'import.undo': () => undefined,
    'import.close': () => undefined,
  };
}
