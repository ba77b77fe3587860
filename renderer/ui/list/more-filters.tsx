import { Button, FocusTrap, Popover } from '@mantine/core';
import { SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './more-filters.module.css';

interface MoreFiltersProps {
  /** Number of active filters among them, shown while they are hidden. */
  readonly set: number;
  readonly children: ReactNode;
}

/** Puts rarely used filters behind one button, so that the filter bar stays one row. */
export function MoreFilters({ set, children }: MoreFiltersProps) {
  return (
    <Popover position="bottom-end" withinPortal={false} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          className={classes.button ?? ''}
          leftSection={<SlidersHorizontal size={13} aria-hidden />}
          rightSection={set > 0 && <span className={classes.count}>{set}</span>}
          aria-label={set > 0 ? `More filters, ${set} set` : 'More filters'}
          data-set={set > 0}
        >
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="More filters">
        {/* Not the first field: it would open its choices over the others. */}
        <FocusTrap.InitialFocus />
        <div className={classes.fields}>{children}</div>
      </Popover.Dropdown>
    </Popover>
  );
}
