import { ActionIcon, Tooltip } from '@mantine/core';
import { ChevronDown, ChevronUp } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { SearchField } from '../../../ui/list/search-field.tsx';
import { stepHit } from './find-lines.ts';
import classes from './log-tab.module.css';

interface LogSearchProps {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly hit: number;
  readonly onHit: (hit: number) => void;
  readonly count: number;
}

/** Searches the log: shows the number of matching lines and steps through them (Enter, Shift+Enter). */
export function LogSearch({ query, onQuery, hit, onHit, count }: LogSearchProps) {
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    onHit(stepHit(hit, count, event.shiftKey ? -1 : 1));
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: catches Enter from the field inside
    <div className={classes.search} onKeyDown={onKeyDown}>
      <SearchField label="Search the log" width={200} value={query} onChange={onQuery} />
      {query !== '' && (
        <>
          <span className={classes.hits} role="status">
            {count === 0 ? 'No match' : `${hit + 1} of ${count}`}
          </span>
          <StepButton
            label="Previous match"
            onClick={() => onHit(stepHit(hit, count, -1))}
            icon={ChevronUp}
          />
          <StepButton label="Next match" onClick={() => onHit(stepHit(hit, count, 1))} icon={ChevronDown} />
        </>
      )}
    </div>
  );
}

interface StepButtonProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly icon: typeof ChevronUp;
}

function StepButton({ label, onClick, icon: Icon }: StepButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={24} aria-label={label} onClick={onClick}>
        <Icon size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
