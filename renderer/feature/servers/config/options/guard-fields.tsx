import { errorText } from '../../../../lib/entry/field-issues.ts';
import { GuardChoice } from '../../../../ui/tool/guard-choice.tsx';
import type { OptionFieldsProps } from './option-groups.tsx';

/** Chooses what happens when tool definitions are new or change. */
export function GuardFields({ options, issuesOf, onChange }: OptionFieldsProps) {
  return (
    <GuardChoice
      value={options.guard}
      error={errorText(issuesOf('guard'))}
      onChange={(mode) => onChange('guard', mode)}
    />
  );
}
