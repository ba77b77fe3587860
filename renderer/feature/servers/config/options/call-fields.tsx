import { errorText } from '../../../../lib/entry/field-issues.ts';
import { AmountField } from './amount-field.tsx';
import { FallbackList } from './fallback-list.tsx';
import type { OptionFieldsProps } from './option-groups.tsx';

/** Edits how calls are limited and what happens when a tool fails. */
export function CallFields({ serverKey, options, issuesOf, onChange }: OptionFieldsProps) {
  return (
    <>
      <AmountField
        label="Concurrent calls"
        description="Further calls wait in a queue per client."
        placeholder="No limit"
        value={options.concurrency}
        unit={1}
        suffix=""
        error={errorText(issuesOf('concurrency'))}
        onChange={(next) => onChange('concurrency', next)}
      />
      <FallbackList
        serverKey={serverKey}
        fallback={options.fallback}
        issues={issuesOf('fallback')}
        onChange={(fallback) => onChange('fallback', fallback)}
      />
    </>
  );
}
