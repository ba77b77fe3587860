import { MultiSelect, Select } from '@mantine/core';
import { useMemo } from 'react';
import { useStore } from 'zustand/react';
import type { CompactSettings } from '../../../../shared/model/client/compact.ts';
import { useModel } from '../../../store/model-context.tsx';
import classes from './compact.module.css';

interface CompactFormProps {
  readonly settings: CompactSettings;
  readonly onChange: (settings: CompactSettings) => void;
}

/** Chooses the tools that a short list contains besides the search tools. */
export function CompactForm({ settings, onChange }: CompactFormProps) {
  const { direct, pinned } = settings;
  const ids = useToolIds(pinned);
  return (
    <div className={classes.form}>
      <Select
        size="xs"
        label="Most used tools"
        description="Based on past calls; updated at the next connection"
        data={choicesOf(direct)}
        value={String(direct)}
        allowDeselect={false}
        onChange={(value) => value !== null && onChange({ ...settings, direct: Number(value) })}
      />
      <MultiSelect
        size="xs"
        label="Pinned tools"
        description="Always listed"
        placeholder={pinned.length === 0 ? 'None' : undefined}
        searchable
        selectFirstOptionOnChange
        limit={50}
        nothingFoundMessage="No tool with this name"
        data={ids}
        value={[...pinned]}
        onChange={(value) => onChange({ ...settings, pinned: value })}
      />
    </div>
  );
}

/** Adds the current number if the config file has another one. */
function choicesOf(direct: number) {
  const counts = [...new Set([0, 5, 10, 20, 30, direct])].sort((one, other) => one - other);
  return counts.map((count) => ({
    value: String(count),
    label: count === 0 ? 'None: search for all' : `The ${count} most used`,
  }));
}

/**
 * Returns the tool ids of all servers, plus pinned ones that are not offered now so that they can be removed.
 */
function useToolIds(pinned: readonly string[]): string[] {
  const byServer = useStore(useModel().mirrors.tools, (tools) => tools);
  return useMemo(() => {
    const ids = Object.values(byServer).flatMap((tools) =>
      tools.map(({ serverKey, name }) => `${serverKey}:${name}`),
    );
    return [...new Set([...ids, ...pinned])];
  }, [byServer, pinned]);
}
