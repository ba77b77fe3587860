import { Loader } from '@mantine/core';
import { useModel } from '../../../store/model-context.tsx';
import { ImportDecision } from './import-decision.tsx';
import { ImportDone } from './import-done.tsx';
import classes from './import-servers.module.css';
import { SourceList } from './source-list.tsx';
import { useImport } from './use-import.ts';

interface ImportServersProps {
  readonly onClose: () => void;
}

/** Servers from the files of other programs. */
export function ImportServers({ onClose }: ImportServersProps) {
  const { link } = useModel();
  const importing = useImport();
  const { state } = importing;
  switch (state.kind) {
    case 'choosing':
      return (
        <SourceList
          problem={state.problem}
          onRead={(source) => void importing.read(link.call('import.read', { source }))}
          onClose={onClose}
        />
      );
    case 'reading':
      return (
        <div className={classes.reading} role="status">
          <Loader size={18} /> Reading…
        </div>
      );
    case 'deciding':
      return (
        <ImportDecision
          preview={state.preview}
          choices={state.choices}
          adding={state.adding}
          problem={state.problem}
          onChoose={importing.choose}
          onBack={importing.back}
          onAdd={() => void importing.add()}
        />
      );
    case 'done':
      return (
        <ImportDone
          preview={state.preview}
          result={state.result}
          onRetry={importing.retry}
          onClose={onClose}
        />
      );
  }
}
