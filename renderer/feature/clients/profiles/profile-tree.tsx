import { Checkbox } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import type { Profile } from '../../../../shared/model/client/profile.ts';
import { isIn, type Selected, selectionState } from '../../../../shared/model/client/profile-selection.ts';
import { selectInProfile, setProfileTools } from '../../../command/client/profile-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { useModel, useServerTitle } from '../../../store/model-context.tsx';
import { VirtualList } from '../../../ui/list/virtual-list.tsx';
import { TriSwitch } from '../../../ui/tri-switch.tsx';
import type { ProfileRow } from './profile-rows.ts';
import classes from './profiles.module.css';

interface ProfileTreeProps {
  readonly profile: Profile;
  readonly rows: readonly ProfileRow[];
  readonly onToggle: (serverKey: string) => void;
}

/** Shows servers and tools and which of them are in the profile. */
export function ProfileTree({ profile, rows, onToggle }: ProfileTreeProps) {
  return (
    <VirtualList
      label={`Contents of ${profile.name}`}
      rows={rows}
      heightOf={({ kind }) => (kind === 'server' ? 38 : 32)}
      keyOf={(row) => (row.kind === 'server' ? row.key : `${row.key}:${row.tool.name}`)}
      className="scrolls list-rows"
    >
      {(row, { index, line }) => (
        <li className={`row ${classes.row}`} data-kind={row.kind} {...line}>
          {row.kind === 'server' ? (
            <ServerLine profile={profile} row={row} index={index} onToggle={onToggle} />
          ) : (
            <ToolLine profile={profile} row={row} index={index} />
          )}
        </li>
      )}
    </VirtualList>
  );
}

interface ServerLineProps {
  readonly profile: Profile;
  readonly row: Extract<ProfileRow, { kind: 'server' }>;
  readonly index: number;
  readonly onToggle: (serverKey: string) => void;
}

function ServerLine({ profile, row, index, onToggle }: ServerLineProps) {
  const model = useModel();
  const { key, tools, open } = row;
  const title = useServerTitle(key);
  const selected = profile.servers[key];
  const state = selectionState(
    selected,
    tools.map(({ name }) => name),
  );
  return (
    <>
      <button
        type="button"
        className={`row grow bare ${classes.toggle}`}
        data-row={index}
        aria-expanded={open}
        onClick={() => onToggle(key)}
      >
        <ChevronRight size={14} className={classes.chevron} data-open={open} aria-hidden />
        <span className="medium">{title}</span>
        <span className="truncate dim tiny">{selectionText(selected, tools.length)}</span>
      </button>
      <TriSwitch
        state={state}
        label={`${title} in ${profile.name}`}
        onChange={(on) => {
          const done = on
            ? `All of ${title} added to ${profile.name}.`
            : `${title} removed from ${profile.name}.`;
          void selectInProfile(model, profile.name, { [key]: on ? 'all' : 'none' }, done);
        }}
      />
    </>
  );
}

/** Describes what is selected and whether new tools are included. */
function selectionText(selected: Selected, known: number): string {
  if (selected === undefined) return known === 0 ? '' : `none of ${formatCount(known, 'tool')}`;
  if (selected === 'all') return 'all tools, including new ones';
  if ('only' in selected) return `${formatCount(selected.only.length, 'tool')}, no new ones`;
  return `all but ${formatCount(selected.except.length, 'tool')}, including new ones`;
}

interface ToolLineProps {
  readonly profile: Profile;
  readonly row: Extract<ProfileRow, { kind: 'tool' }>;
  readonly index: number;
}

function ToolLine({ profile, row, index }: ToolLineProps) {
  const model = useModel();
  const { key, tool } = row;
  const selected = profile.servers[key];
  const change = (on: boolean) => void setProfileTools(model, profile.name, key, [tool.name], on);
  return (
    <Checkbox
      className="min-0"
      data-row={index}
      label={tool.name}
      checked={isIn(selected, tool.name)}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}
