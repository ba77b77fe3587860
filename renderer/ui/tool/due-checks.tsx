import { Button } from '@mantine/core';
import { ListChecks } from 'lucide-react';
import type { Check } from '../../../shared/model/tool/tester.ts';
import { runChecks } from '../../command/tester-actions.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import { useModel, useServerTitle } from '../../store/model-context.tsx';
import { Notice } from '../notice.tsx';

/** Offers to run the checks of a server that has changed since their last run. */
export function DueChecks({ serverKey, checks }: { serverKey: string; checks: readonly Check[] }) {
  const model = useModel();
  const title = useServerTitle(serverKey);
  const due = checks.filter((check) => check.due && check.target.serverKey === serverKey);
  if (due.length === 0) return null;
  return (
    <Notice
      label="Checks to run"
      icon={<ListChecks size={15} />}
      title={`${title} has changed since ${due.length === 1 ? 'a check was' : 'checks were'} last run`}
      text="Run them to see whether it still works as before."
      actions={
        <Button
          loading={due.some(({ running }) => running)}
          onClick={() => void runChecks(model, { ids: due.map(({ id }) => id) })}
        >
          {`Run ${formatCount(due.length, 'check')}`}
        </Button>
      }
    />
  );
}
