import { errorText } from '../../../lib/field-issues.ts';
import { AmountField } from './amount-field.tsx';
import { FallbackList } from './fallback-list.tsx';
import type { OptionFieldsProps } from './option-groups.tsx';

/** What becomes of calls when there are many of them, or when a tool fails. */
export function CallFields({ serverKey, options, issuesOf, onChange }: OptionFieldsProps) {
  return (
    <>
      <AmountField
        label="Calls at one time"
        description="Further calls queue, per client."
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
