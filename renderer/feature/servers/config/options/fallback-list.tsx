import { ActionIcon, Autocomplete, TagsInput } from '@mantine/core';
import { X } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand/react';
import type { EntryIssue } from '../../../../../shared/model/import/import.ts';
import type { Fallback } from '../../../../lib/entry/entry-options.ts';
import { unknownTools } from '../../../../lib/entry/fallback-tools.ts';
import { errorText } from '../../../../lib/entry/field-issues.ts';
import { joinWords } from '../../../../lib/text/join-words.ts';
import { useModel } from '../../../../store/model-context.tsx';
import { toolId } from '../../../../store/tool-id.ts';
import { AddButton } from '../args-list.tsx';
import classes from '../entry-form.module.css';
import { useDraftRows } from '../use-draft-rows.ts';

interface FallbackListProps {
  readonly serverKey: string;
  readonly fallback: readonly Fallback[];
  readonly issues: readonly EntryIssue[];
  readonly onChange: (fallback: readonly Fallback[]) => void;
}

/** Edits which tools of other servers replace a tool that cannot be called. */
export function FallbackList({ serverKey, fallback, issues, onChange }: FallbackListProps) {
  const [rows, setRows] = useDraftRows(fallback, hasTool, onChange);
  const known = useKnownTools(serverKey);
  const error = errorText(issues);
  return (
    <fieldset className={classes.group}>
      <div className="row gap-4">
        <legend className={classes.legend}>Fallback tools</legend>
        <AddButton label="Add fallback" onClick={() => setRows([...rows, { tool: '', others: [] }])} />
      </div>
      {rows.map((row, index) => (
        <FallbackLine
          // biome-ignore lint/suspicious/noArrayIndexKey: names change while typing, so the position identifies a row
          key={index}
          row={row}
          position={index + 1}
          known={known}
          onChange={(next) => setRows(rows.with(index, next))}
          onRemove={() => setRows(rows.toSpliced(index, 1))}
        />
      ))}
      <p className={classes.hint}>
        {rows.length === 0
          ? 'None. The client gets an error when a tool cannot be called.'
          : 'Tried in order, with the same arguments, when the tool cannot be called.'}
      </p>
      {error !== undefined && <p className={classes.error}>{error}</p>}
    </fieldset>
  );
}

interface KnownTools {
  readonly own: readonly string[];
  readonly others: readonly string[];
}

interface FallbackLineProps {
  readonly row: Fallback;
  readonly position: number;
  readonly known: KnownTools;
  readonly onChange: (row: Fallback) => void;
  readonly onRemove: () => void;
}

function FallbackLine({ row, position, known, onChange, onRemove }: FallbackLineProps) {
  const unknown = unknownTools(row.others, known.others);
  const name = row.tool === '' ? `fallback ${position}` : row.tool;
  return (
    <div className={classes.fallback}>
      <Autocomplete
        size="xs"
        aria-label={`Tool of fallback ${position}`}
        placeholder="search"
        value={row.tool}
        data={[...known.own]}
        limit={20}
        onChange={(tool) => onChange({ ...row, tool })}
        classNames={{ root: classes.pairName ?? '', input: classes.code ?? '' }}
        spellCheck={false}
      />
      <div className={classes.grow}>
        <TagsInput
          size="xs"
          aria-label={`Fallbacks for ${name}`}
          placeholder={row.others.length === 0 ? 'other-server:search' : ''}
          value={[...row.others]}
          data={[...known.others]}
          limit={20}
          splitChars={[',', ' ']}
          onChange={(others) => onChange({ ...row, others })}
          classNames={{ pill: classes.code ?? '', inputField: classes.code ?? '' }}
        />
        {unknown.length > 0 && (
          <p className={classes.warning}>No known tool is named {joinWords(unknown, 3)}.</p>
        )}
      </div>
      <ActionIcon aria-label={`Remove ${name}`} onClick={onRemove}>
        <X size={14} aria-hidden />
      </ActionIcon>
    </div>
  );
}

/** Returns the names of the server's own tools and the canonical ids of all others. */
function useKnownTools(serverKey: string): KnownTools {
  const tools = useStore(useModel().mirrors.tools, (byServer) => byServer);
  return useMemo(() => {
    const { [serverKey]: own = [], ...rest } = tools;
    return {
      own: own.map(({ name }) => name),
      others: Object.values(rest).flat().map(toolId),
    };
  }, [tools, serverKey]);
}

function hasTool({ tool }: Fallback): boolean {
  return tool !== '';
}
