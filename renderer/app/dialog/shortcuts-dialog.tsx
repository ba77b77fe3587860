import { commands } from '../../command/commands.ts';
import { useModel } from '../../store/model-context.tsx';
import { closeDialog } from '../../store/view-store.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { KeyHint } from '../../ui/text/key-hint.tsx';
import classes from './shortcuts-dialog.module.css';

const ofLists = [
  { combo: '↑', title: 'Move through a list' },
  { combo: 'enter', title: 'Open the selected item' },
  { combo: 'escape', title: 'Back' },
];

/** Lists all shortcuts, from the commands themselves. */
export function ShortcutsDialog() {
  const { view } = useModel();
  const ofCommands = commands.flatMap(({ shortcut, title }) =>
    shortcut === undefined ? [] : [{ combo: shortcut, title }],
  );
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => closeDialog(view)} size={440}>
      <ul className={classes.list}>
        {[...ofCommands, ...ofLists].map(({ combo, title }) => (
          <li key={title} className={`row ${classes.row}`}>
            <span>{title}</span>
            <KeyHint combo={combo} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
