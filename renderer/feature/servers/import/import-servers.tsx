import { Button, Loader } from '@mantine/core';
import { DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { ImportDecision } from './import-decision.tsx';
import { ImportDone } from './import-done.tsx';
import classes from './import-servers.module.css';
import { MoveDecision } from './move-decision.tsx';
import { useImport } from './use-import.ts';

interface ImportServersProps {
  readonly onClose: () => void;
}

/** Imports servers from the config files of all apps on this computer. */
export function ImportServers({ onClose }: ImportServersProps) {
  const importing = useImport();
  const { state } = importing;
  switch (state.kind) {
    case 'reading':
      return (
        <div className={`row ${classes.reading}`} role="status">
          <Loader size={18} /> Looking for servers in your apps…
        </div>
      );
    case 'failed':
      return (
        <div className="pane">
          <div className={classes.scroll}>
            <ProblemCard problem={state.problem} />
          </div>
          <DialogFoot>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button onClick={importing.readApps}>Try again</Button>
          </DialogFoot>
        </div>
      );
    case 'deciding':
      return <ImportDecision deciding={state} importing={importing} onClose={onClose} />;
    case 'moving':
      return <MoveDecision moving={state} importing={importing} />;
    case 'done':
      return <ImportDone outcome={state.outcome} importing={importing} onClose={onClose} />;
  }
}
