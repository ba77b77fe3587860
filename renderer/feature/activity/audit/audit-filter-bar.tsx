import { Button, Select } from '@mantine/core';
import { X } from 'lucide-react';
import { useMemo } from 'react';
import {
  type AuditFilter,
  type AuditKind,
  type AuditOutcome,
  type AuditRow,
  auditKinds,
  auditOutcomes,
} from '../../../../shared/model/activity/audit.ts';
import { useTitleOf } from '../../../store/model-context.tsx';
import { MoreFilters } from '../../../ui/list/more-filters.tsx';
import classes from '../activity-view.module.css';
import { TextFilter } from '../text-filter.tsx';
import { actorText, auditKindNames, auditOutcomeLooks, isAuditFiltered } from './audit-labels.ts';
import { AuditTime } from './audit-time.tsx';
import { KnownChoice } from './known-choice.tsx';
import { useKnownNames } from './use-known-names.ts';

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
        { value: changes, label: 'All but calls' },
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
