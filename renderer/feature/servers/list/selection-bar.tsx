import { ActionIcon, Button } from '@mantine/core';
import { Power, PowerOff, RotateCw, Star, StarOff, Tag, Trash2, X } from 'lucide-react';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import {
  removeServers,
  restartServers,
  setFavorites,
  turnServers,
} from '../../../command/server/bulk-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import { openDialog } from '../../../store/view-store.ts';
import classes from './selection-bar.module.css';

interface SelectionBarProps {
  readonly servers: readonly ServerView[];
  readonly onClear: () => void;
}

/** Shows bulk actions; each count is the number of servers it would change. */
export function SelectionBar({ servers, onClear }: SelectionBarProps) {
  const model = useModel();
  const keysOf = (some: readonly ServerView[]) => some.map(({ key }) => key);
  const off = keysOf(servers.filter(({ enabled }) => !enabled));
  const on = keysOf(servers.filter(({ enabled }) => enabled));
  const all = keysOf(servers);
  const plain = keysOf(servers.filter(({ favorite }) => favorite !== true));
  const actions = [
    { label: 'Turn on', icon: Power, keys: off, run: () => turnServers(model, off, true, true) },
    { label: 'Turn off', icon: PowerOff, keys: on, run: () => turnServers(model, on, false, true) },
    { label: 'Restart', icon: RotateCw, keys: on, run: () => void restartServers(model, on) },
    {
      label: plain.length > 0 ? 'Favorite' : 'Unfavorite',
      icon: plain.length > 0 ? Star : StarOff,
      keys: plain.length > 0 ? plain : all,
      run: () => setFavorites(model, plain.length > 0 ? plain : all, plain.length > 0),
    },
  ];
  return (
    <div className={`row ${classes.bar}`} role="toolbar" aria-label="Selected servers">
      <span role="status" className={classes.count}>
        {servers.length} selected
      </span>
      {actions
        .filter(({ keys }) => keys.length > 0)
        .map(({ label, icon: Icon, keys, run }) => (
          <Button
            key={label}
            variant="subtle"
            size="compact-sm"
            leftSection={<Icon size={14} aria-hidden />}
            onClick={run}
          >
            {label} {keys.length}
          </Button>
        ))}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<Tag size={14} aria-hidden />}
        onClick={() => openDialog(model.view, { kind: 'tags', keys: all })}
      >
        Tags…
      </Button>
      <Button
        variant="subtle"
        size="compact-sm"
        color="red"
        c="var(--bad)"
        leftSection={<Trash2 size={14} aria-hidden />}
        onClick={() => void removeServers(model, all)}
      >
        Remove {all.length}
      </Button>
      <ActionIcon className="end" aria-label="Clear the selection" onClick={onClear}>
        <X size={15} aria-hidden />
      </ActionIcon>
    </div>
  );
}
