import { Button, FocusTrap, Popover } from '@mantine/core';
import { SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './more-filters.module.css';

interface MoreFiltersProps {
  /** Those of them that are set: while they are out of sight, their number says so. */
  readonly set: number;
  readonly children: ReactNode;
}

/** The filters that are seldom used, behind one button, so that a bar of filters stays one row. */
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
