import { Button } from '@mantine/core';
import { X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import {
  type AuditFilter,
  type AuditRow,
  auditKinds,
  auditOutcomes,
} from '../../../../shared/model/activity/audit.ts';
import { auditKindNames } from '../../../../shared/model/activity/audit-text.ts';
import { knownValue, useEngine } from '../../../store/hook/use-engine.ts';
import { useClients, useModel, useServers, useTitleOf } from '../../../store/model-context.tsx';
import { MoreFilters } from '../../../ui/list/more-filters.tsx';
import classes from '../activity-view.module.css';
import { GroupSelect, NameSelect, withoutEmpty } from '../filter-select.tsx';
import { TextFilter } from '../text-filter.tsx';
import { actorText, auditOutcomeLooks, isAuditFiltered } from './audit-labels.ts';
import { AuditTime } from './audit-time.tsx';

interface AuditFilterBarProps {
  readonly filter: AuditFilter;
  /** Rows on screen; their names are offered as choices. */
  readonly rows: readonly AuditRow[];
  readonly onChange: (filter: AuditFilter) => void;
}

/** Filters the audit log. */
export function AuditFilterBar({ filter, rows, onChange }: AuditFilterBarProps) {
  const titleOf = useTitleOf();
  const names = useKnownNames(rows, filter.serverKey);
  const change = (part: Partial<AuditFilter>) => onChange(withoutEmpty({ ...filter, ...part }));
  const { identity, tool, since, until } = filter;
  const set = [identity, tool, since ?? until].filter((value) => value !== undefined).length;
  return (
    <search className={`row ${classes.filters}`} aria-label="Filter the audit log">
      <TextFilter
        label="Search the audit log"
        value={filter.text ?? ''}
        onChange={(text) => change({ text: text === '' ? undefined : text })}
      />
      <GroupSelect
        label="Kind"
        width={124}
        value={filter.kinds}
        options={auditKinds}
        labelOf={(kind) => auditKindNames[kind]}
        group={changes}
        onChange={(kinds) => change({ kinds })}
      />
      <KnownChoice
        label="Server"
        value={filter.serverKey}
        known={names.servers}
        show={titleOf}
        onChange={(serverKey) => change({ serverKey })}
      />
      <GroupSelect
        label="Outcome"
        value={filter.outcomes}
        options={auditOutcomes}
        labelOf={(outcome) => auditOutcomeLooks[outcome].label}
        group={failures}
        onChange={(outcomes) => change({ outcomes })}
      />
      <MoreFilters set={set}>
        <KnownChoice
          isWide
          label="Who"
          value={identity}
          known={names.actors}
          show={actorText}
          onChange={(next) => change({ identity: next })}
        />
        <KnownChoice
          isWide
          label="Tool"
          value={tool}
          known={names.tools}
          onChange={(next) => change({ tool: next })}
        />
        <AuditTime value={filter} onChange={change} />
      </MoreFilters>
      {isAuditFiltered(filter) && (
        <Button variant="subtle" leftSection={<X size={13} aria-hidden />} onClick={() => onChange({})}>
          Show everything
        </Button>
      )}
    </search>
  );
}

const changes = {
  id: 'changes',
  label: 'All except calls',
  options: auditKinds.filter((kind) => kind !== 'invocation'),
};

const failures = {
  id: 'failures',
  label: 'All failures',
  options: auditOutcomes.filter((outcome) => outcome !== 'ok' && outcome !== 'note'),
};

interface KnownChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  /** Names known now. Other names can be typed, since the log may be older. */
  readonly known: readonly string[];
  readonly show?: (value: string) => string;
  readonly isWide?: boolean;
  readonly onChange: (value: string | undefined) => void;
}

/** Chooses a name to filter by: a known one or any other. */
function KnownChoice({ label, value, known, show = same, isWide = false, onChange }: KnownChoiceProps) {
  const [typed, setTyped] = useState('');
  const isFound = known.some((one) => show(one) === typed || one === typed);
  const typedOption = typed === '' || isFound ? [] : [typed];
  const current = value === undefined || known.includes(value) || value === typed ? [] : [value];
  return (
    <NameSelect
      isWide={isWide}
      label={label}
      limit={100}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={onChange}
      data={[...known, ...current, ...typedOption].map((one) => ({ value: one, label: show(one) }))}
    />
  );
}

function same(value: string): string {
  return value;
}

interface KnownNames {
  readonly actors: readonly string[];
  readonly servers: readonly string[];
  readonly tools: readonly string[];
}

/** Collects the names to choose from: those that exist now and those in the rows on screen. */
function useKnownNames(rows: readonly AuditRow[], serverKey: string | undefined): KnownNames {
  // Only suggestions, so an error is not shown.
  const access = knownValue(useEngine('access.get', undefined));
  const clients = useClients();
  const servers = useServers(({ order }) => order);
  const tools = useStore(useModel().mirrors.tools, (state) => state);
  return useMemo(() => {
    const ofServer = serverKey === undefined ? Object.values(tools).flat() : (tools[serverKey] ?? []);
    return {
      actors: distinct([
        'window',
        'admin',
        'hub',
        ...(access?.identities ?? []).map(({ name }) => name),
        ...clients.map(({ name }) => name),
        ...rows.map(({ actor }) => actor),
      ]),
      servers: distinct([...servers, ...rows.map((row) => row.serverKey)]),
      tools: distinct([...ofServer.map(({ name }) => name), ...rows.map(({ tool }) => tool)]),
    };
  }, [access, clients, servers, tools, rows, serverKey]);
}

function distinct(values: readonly (string | undefined)[]): readonly string[] {
  const named = values.filter((value) => value !== undefined && value !== '');
  return [...new Set(named as readonly string[])].sort();
}
