import { Button, Select } from '@mantine/core';
import { X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import {
  type AuditFilter,
  type AuditKind,
  type AuditOutcome,
  type AuditRow,
  auditKinds,
  auditOutcomes,
} from '../../../../shared/model/activity/audit.ts';
import { knownValue, useEngine } from '../../../store/hook/use-engine.ts';
import { useClients, useModel, useServers, useTitleOf } from '../../../store/model-context.tsx';
import { MoreFilters } from '../../../ui/list/more-filters.tsx';
import classes from '../activity-view.module.css';
import { TextFilter } from '../text-filter.tsx';
import { actorText, auditKindNames, auditOutcomeLooks, isAuditFiltered } from './audit-labels.ts';
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
      <KindChoice value={filter.kinds} onChange={(kinds) => change({ kinds })} />
      <KnownChoice
        label="Server"
        value={filter.serverKey}
        known={names.servers}
        show={titleOf}
        onChange={(serverKey) => change({ serverKey })}
      />
      <OutcomeFilter value={filter.outcomes} onChange={(outcomes) => change({ outcomes })} />
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

const changes = 'changes';
const changeKinds = auditKinds.filter((kind) => kind !== 'invocation');

interface ChoiceProps<T> {
  readonly value: readonly T[] | undefined;
  readonly onChange: (value: readonly T[] | undefined) => void;
}

function KindChoice({ value, onChange }: ChoiceProps<AuditKind>) {
  const chosen = useMemo(() => {
    if (value === undefined) return null;
    return value.length === 1 ? (value[0] ?? null) : changes;
  }, [value]);
  return (
    <Select
      size="xs"
      w={124}
      clearable
      aria-label="Kind"
      placeholder="Kind"
      comboboxProps={{ width: 200, position: 'bottom-start', withinPortal: false }}
      value={chosen}
      onChange={(next) =>
        onChange(
          next === null
            ? undefined
            : next === changes
              ? changeKinds
              : auditKinds.filter((kind) => kind === next),
        )
      }
      data={[
        { value: changes, label: 'All except calls' },
        ...auditKinds.map((kind) => ({ value: kind, label: auditKindNames[kind] })),
      ]}
    />
  );
}

const failures = 'failures';
const failedOutcomes = auditOutcomes.filter((outcome) => outcome !== 'ok' && outcome !== 'note');

function OutcomeFilter({ value, onChange }: ChoiceProps<AuditOutcome>) {
  const chosen = value === undefined ? null : value.length === 1 ? (value[0] ?? null) : failures;
  return (
    <Select
      size="xs"
      w={112}
      clearable
      aria-label="Outcome"
      placeholder="Outcome"
      comboboxProps={{ width: 200, position: 'bottom-start', withinPortal: false }}
      value={chosen}
      onChange={(next) =>
        onChange(
          next === null
            ? undefined
            : next === failures
              ? failedOutcomes
              : auditOutcomes.filter((outcome) => outcome === next),
        )
      }
      data={[
        { value: failures, label: 'All failures' },
        ...auditOutcomes.map((outcome) => ({ value: outcome, label: auditOutcomeLooks[outcome].label })),
      ]}
    />
  );
}

function withoutEmpty(filter: AuditFilter): AuditFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

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
    <Select
      size="xs"
      w={isWide ? '100%' : 112}
      clearable
      searchable
      openOnFocus={!isWide}
      aria-label={label}
      placeholder={label}
      nothingFoundMessage="No matches"
      comboboxProps={{ width: 240, position: 'bottom-start', withinPortal: false }}
      limit={100}
      value={value ?? null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(chosen) => onChange(chosen ?? undefined)}
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
