import { Button, SegmentedControl, Tooltip } from '@mantine/core';
import { FlaskConical, Save } from 'lucide-react';
import { comboForAria } from '../../../lib/key-combo.ts';
import { type ConfigDraft, hasErrors, isDirty } from '../../../store/draft-store.ts';
import { useModel } from '../../../store/model-context.tsx';
import classes from './config-tab.module.css';
import { revertDraft } from './draft/draft-actions.ts';

interface FootProps {
  readonly draft: ConfigDraft;
  /** True if the server is no longer in the file. */
  readonly isRemoved: boolean;
  readonly pane: 'form' | 'json';
  readonly onPane: (pane: 'form' | 'json') => void;
  readonly saving: boolean;
  readonly onSave: () => void;
  readonly trying: boolean;
  readonly onTry: () => void;
}

/** Shows the draft's status and the buttons to revert, try and save it. */
export function ConfigFoot({
  draft,
  isRemoved: gone,
  pane,
  onPane,
  saving,
  onSave,
  trying,
  onTry,
}: FootProps) {
  const model = useModel();
  const dirty = isDirty(draft);
  return (
    <footer className={`row ${classes.foot}`}>
      <div className={classes.paneSwitch}>
        <SegmentedControl
          size="xs"
          aria-label="Edit as"
          value={pane}
          onChange={onPane}
          data={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </div>
      <p className="grow dim small" role="status">
        {footText(draft, gone)}
      </p>
      <Button variant="default" disabled={!dirty} onClick={() => void revertDraft(model)}>
        Revert
      </Button>
      <Tooltip label="Starts it next to the running server, then stops it">
        <Button
          variant="default"
          leftSection={<FlaskConical size={14} aria-hidden />}
          disabled={!dirty || gone || hasErrors(draft)}
          loading={trying}
          onClick={onTry}
        >
          Try it
        </Button>
      </Tooltip>
      <Button
        leftSection={<Save size={14} aria-hidden />}
        disabled={!dirty || hasErrors(draft)}
        loading={saving}
        onClick={onSave}
        aria-keyshortcuts={comboForAria('mod+s', model.mac)}
      >
        Save
      </Button>
    </footer>
  );
}

function footText(draft: ConfigDraft, gone: boolean): string {
  const errors = draft.issues.filter((issue) => issue.severity === 'error').length;
  if (errors > 0)
    return errors === 1 ? '1 error to fix before saving' : `${errors} errors to fix before saving`;
  if (!isDirty(draft)) return 'No changes';
  return draft.changedInFile === true && !gone
    ? 'Unsaved changes. The file has changed too; saving merges both.'
    : 'Unsaved changes';
}
