import { Button } from '@mantine/core';
import { useModel } from '../../store/model-context.tsx';
import { ask, type Question } from '../../store/view-store.ts';
import { Dialog, DialogFoot } from '../../ui/dialog/dialog.tsx';
import classes from './confirm-dialog.module.css';

/** Asks for confirmation of something that affects several servers or a client, and lists them. */
export function ConfirmDialog({ title, text, undoHint = 'You can undo this.', parts, yes, onYes }: Question) {
  const model = useModel();
  const close = () => ask(model.view, undefined);
  return (
    <Dialog title={title} onClose={close} size={460} front>
      <ul className={classes.parts} aria-label="What changes">
        {parts.map(({ name, note }) => (
          <li key={name} className={classes.part}>
            <span className="truncate medium">{name}</span>
            <span className={classes.note}>{note}</span>
          </li>
        ))}
      </ul>
      <p className={classes.text}>
        {text} {undoHint}
      </p>
      <DialogFoot>
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        <Button
          onClick={() => {
            close();
            onYes();
          }}
        >
          {yes}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
