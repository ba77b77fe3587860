import { Button, Skeleton } from '@mantine/core';
import { Import, ListFilter, Plug, Plus } from 'lucide-react';
import { useModel } from '../../../store/model-context.tsx';
import { openDialog } from '../../../store/view-store.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ViewHeader } from '../../../ui/view-header.tsx';
import { FirstSteps } from '../first-steps/first-steps.tsx';
import classes from './servers-empty.module.css';

/** The first thing anybody sees: what this is, and the ways to begin. */
export function ServersEmpty() {
  const { view } = useModel();
  return (
    <>
      <ViewHeader title="Servers" />
      <FirstSteps />
      <EmptyState
        icon={Plug}
        title="One plug for all your MCP servers"
        text="Add your servers here once. Patchbay runs them, keeps them healthy, and gives Claude, Cursor and every other client a single connection to all of their tools."
      >
        <Button
          size="sm"
          leftSection={<Plus size={16} aria-hidden />}
          onClick={() => openDialog(view, { kind: 'add-server', how: 'paste' })}
        >
          Add server
        </Button>
        <Button
          size="sm"
          variant="default"
          leftSection={<Import size={15} aria-hidden />}
          onClick={() => openDialog(view, { kind: 'add-server', how: 'import' })}
        >
          Import from a client
        </Button>
      </EmptyState>
    </>
  );
}

/** The outline of the list, until the state has arrived. */
export function ServersLoading() {
  return (
    <>
      <ViewHeader title="Servers" />
      <div className={classes.loading} role="status" aria-label="Loading servers">
        {Array.from({ length: 7 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
          <div key={index} className={classes.line}>
            <Skeleton height={14} width={90} radius={5} />
            <Skeleton height={14} width={`${30 + ((index * 17) % 30)}%`} radius={5} />
            <Skeleton height={16} width={32} radius={8} ml="auto" />
          </div>
        ))}
      </div>
    </>
  );
}

export function ServersNoMatch({ onReset }: { onReset: () => void }) {
  return (
    <EmptyState icon={ListFilter} title="No server matches" text="No server fits this search and filter.">
      <Button variant="default" onClick={onReset}>
        Show all servers
      </Button>
    </EmptyState>
  );
}
