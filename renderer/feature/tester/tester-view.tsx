import { Button, SegmentedControl } from '@mantine/core';
import { ArrowLeft, FlaskConical } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { OfferedItems } from '../../../shared/model/tool/tester.ts';
import type { ToolSummary } from '../../../shared/model/tool/tool.ts';
import { closeTester, openTester } from '../../command/navigate.ts';
import { loadChecks } from '../../command/tester-actions.ts';
import { type EngineState, knownValue, useEngine } from '../../store/hook/use-engine.ts';
import { useModel, useServers, useServerTitle, useView } from '../../store/model-context.tsx';
import { type TryTarget, tryId } from '../../store/tester-store.ts';
import type { TestingPlace } from '../../store/view-store.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchField } from '../../ui/list/search-field.tsx';
import { ProblemCard } from '../../ui/problem-card.tsx';
import { ViewHeader } from '../../ui/view-header.tsx';
import { ChecksPage } from './checks/checks-page.tsx';
import { OfferedItemRunner, ToolRunner } from './run/runners.tsx';
import { TargetList } from './targets/target-list.tsx';
import { targetRows } from './targets/target-rows.ts';
import classes from './tester-view.module.css';

const noTools: readonly ToolSummary[] = [];

/** Lists everything one server offers, to be tried by hand. */
export function TesterView() {
  const testing = useView(({ place }) => place.testing);
  return testing === undefined ? null : <Tester key={testing.serverKey} testing={testing} />;
}

function Tester({ testing }: { testing: TestingPlace }) {
  const model = useModel();
  const { serverKey, page = 'try' } = testing;
  const all = useStore(model.tester, (state) => state.checks);
  const checks = useMemo(() => all?.filter(({ target }) => target.serverKey === serverKey), [all, serverKey]);
  useEffect(() => void loadChecks(model), [model]);
  const open = (next: Partial<TestingPlace>) => openTester(model, { ...testing, ...next });
  const { page: _page, ...trying } = testing;
  return (
    <>
      <ViewHeader title={`Try ${useServerTitle(serverKey)}`}>
        <SegmentedControl
          size="xs"
          aria-label="Tester page"
          value={page}
          data={[
            { value: 'try', label: 'Try' },
            { value: 'checks', label: `Checks ${checks?.length ?? ''}`.trim() },
          ]}
          onChange={(value) => (value === 'checks' ? open({ page: 'checks' }) : openTester(model, trying))}
        />
        <Button
          variant="default"
          leftSection={<ArrowLeft size={13} aria-hidden />}
          onClick={() => closeTester(model)}
        >
          Back
        </Button>
      </ViewHeader>
      {page === 'checks' ? (
        <ChecksPage serverKey={serverKey} checks={checks} />
      ) : (
        <TryPage testing={testing} />
      )}
    </>
  );
}

function TryPage({ testing }: { testing: TestingPlace }) {
  const model = useModel();
  const { serverKey } = testing;
  const tools = useStore(model.mirrors.tools, (byServer) => byServer[serverKey] ?? noTools);
  const title = useServerTitle(serverKey);
  const offered = useOfferedItems(serverKey);
  const [query, setQuery] = useState('');
  const searched = useDeferredValue(query);
  const offer = knownValue(offered);
  const rows = useMemo(
    () => targetRows(serverKey, tools, offer, searched),
    [serverKey, tools, offer, searched],
  );
  const open: TryTarget | undefined = testing.open && { ...testing.open, serverKey };
  return (
    <div className={classes.frame} data-tester>
      <nav className={classes.list} aria-label={`What ${title} offers`}>
        <div className={classes.search}>
          <SearchField label="Search tools and prompts" width="100%" value={query} onChange={setQuery} />
        </div>
        {offered.kind === 'failed' && <ProblemCard problem={offered.problem} about={title} />}
        <TargetList
          rows={rows}
          label={`Tools, prompts and resources of ${title}`}
          open={open}
          onOpen={({ kind, name }) => openTester(model, { serverKey, open: { kind, name } })}
        />
      </nav>
      <div className={classes.page}>
        <OpenTarget open={open} tools={tools} offer={offer} />
      </div>
    </div>
  );
}

/** Fetches the prompts and resources of a server, again after a reconnect or when their number changes. */
function useOfferedItems(serverKey: string): EngineState<OfferedItems> {
  const version = useServers(({ byKey }) => {
    const server = byKey[serverKey];
    return `${server?.connectedAt} ${server?.counts.prompts} ${server?.counts.resources} ${server?.cached}`;
  });
  return useEngine('tester.offer', { serverKey }, { again: [version] });
}

interface OpenTargetProps {
  readonly open: TryTarget | undefined;
  readonly tools: readonly ToolSummary[];
  readonly offer: OfferedItems | undefined;
}

function OpenTarget({ open, tools, offer }: OpenTargetProps) {
  if (open === undefined) {
    return (
      <EmptyState
        icon={FlaskConical}
        title="Choose what to try"
        text="Run a tool, get a prompt or read a resource as a client would, and see the result."
      />
    );
  }
  if (open.kind === 'tool') {
    const tool = tools.find(({ name }) => name === open.name);
    return tool === undefined ? (
      <MissingTarget name={open.name} />
    ) : (
      <ToolRunner key={tryId(open)} tool={tool} target={open} />
    );
  }
  if (offer === undefined) return null;
  const lists = { prompt: offer.prompts, resource: offer.resources, template: offer.templates };
  const item = lists[open.kind].find(({ name }) => name === open.name);
  return item === undefined ? (
    <MissingTarget name={open.name} />
  ) : (
    <OfferedItemRunner key={tryId(open)} item={item} target={open} completes={offer.completes} />
  );
}

function MissingTarget({ name }: { name: string }) {
  return (
    <EmptyState
      icon={FlaskConical}
      title={`${name} is no longer available`}
      text="The server changed its list. Choose something else, or check the server’s log."
    />
  );
}
