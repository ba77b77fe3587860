import { Button, Skeleton } from '@mantine/core';
import { Import, ListFilter, Plug, Plus } from 'lucide-react';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { joinWords } from '../../../lib/text/join-words.ts';
import { knownValue, useAnswer } from '../../../store/hook/use-engine.ts';
import { useModel } from '../../../store/model-context.tsx';
import { openDialog } from '../../../store/view-store.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ViewHeader } from '../../../ui/view-header.tsx';
import { FirstSteps } from '../first-steps/first-steps.tsx';
import classes from './servers-empty.module.css';

/** The first screen: says what Patchbay is and how to start. */
export function ServersEmpty() {
  const { view } = useModel();
  const found = useFoundInApps();
  return (
    <>
      <ViewHeader title="Servers" />
      <FirstSteps />
      <EmptyState
        icon={Plug}
        title={
          found === undefined
            ? 'One plug for all your MCP servers'
            : `Found ${formatCount(found.servers, 'server')} in ${formatCount(found.apps.length, 'app')}`
        }
        text={
          found === undefined
            ? 'Add your servers here once. Patchbay runs them, keeps them healthy, and gives Claude, Cursor and every other client a single connection to all of their tools. To add one from a README, copy its install link, command or config and paste it here.'
            : `${joinWords(found.apps, 4)} ${found.apps.length === 1 ? 'has' : 'have'} servers that Patchbay can run for all your apps. You see each one before anything changes.`
        }
      >
        {found !== undefined && (
          <Button
            size="sm"
            leftSection={<Import size={15} aria-hidden />}
            onClick={() => openDialog(view, { kind: 'add-server', how: 'import' })}
          >
            Review and import
          </Button>
        )}
        <Button
          size="sm"
          variant={found === undefined ? 'filled' : 'default'}
          leftSection={<Plus size={16} aria-hidden />}
          onClick={() => openDialog(view, { kind: 'add-server', how: 'paste' })}
        >
          Add server
        </Button>
        {found === undefined && (
          <Button
            size="sm"
            variant="default"
            leftSection={<Import size={15} aria-hidden />}
            onClick={() => openDialog(view, { kind: 'add-server', how: 'import' })}
          >
            Import from apps
          </Button>
        )}
      </EmptyState>
    </>
  );
}

interface FoundInApps {
  readonly servers: number;
  /** Names of the apps that have servers. */
  readonly apps: readonly string[];
}

/** Counts the servers in other apps' files; undefined while reading, or if there are none. */
function useFoundInApps(): FoundInApps | undefined {
  const [state] = useAnswer(async (link) => {
    const answer = await link.call('import.readApps', {});
    if (answer.ok) void link.call('import.close', { session: answer.value.session });
    return answer;
  }, []);
  const apps = (knownValue(state)?.apps ?? []).filter(({ servers }) => servers > 0);
  if (apps.length === 0) return undefined;
  return {
    servers: apps.reduce((sum, app) => sum + app.servers, 0),
    apps: [...new Set(apps.map(({ title }) => title))],
  };
}

/** Shows a skeleton of the list until the data has arrived. */
export function ServersLoading() {
  return (
    <>
      <ViewHeader title="Servers" />
      <div className={classes.loading} role="status" aria-label="Loading servers">
        {Array.from({ length: 7 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
          <div key={index} className={`row ${classes.line}`}>
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
    <EmptyState icon={ListFilter} title="No server matches" text="No server matches this search and filter.">
      <Button variant="default" onClick={onReset}>
        Show all servers
      </Button>
    </EmptyState>
  );
}
