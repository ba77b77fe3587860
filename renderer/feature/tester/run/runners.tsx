import { Skeleton } from '@mantine/core';
import { useCallback } from 'react';
import type { OfferedItem } from '../../../../shared/model/tool/tester.ts';
import type { ToolSummary } from '../../../../shared/model/tool/tool.ts';
import { useToolDetail } from '../../../store/hook/engine-hooks.ts';
import { useModel } from '../../../store/model-context.tsx';
import type { TryTarget } from '../../../store/tester-store.ts';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { ToolTraits } from '../../../ui/tool/tool-page.tsx';
import { readFormText } from '../form/form-text.ts';
import classes from './runner.module.css';
import { Runner } from './runner.tsx';

/** Tries a tool once its definition is loaded. */
export function ToolRunner({ tool, target }: { tool: ToolSummary; target: TryTarget }) {
  const detail = useToolDetail(tool);
  if (detail.kind === 'failed') return <ProblemCard problem={detail.problem} about={tool.name} />;
  if (detail.kind === 'loading') {
    return (
      <div className={classes.loading}>
        <Skeleton height={220} radius={8} aria-label="Loading the tool" />
      </div>
    );
  }
  return (
    <Runner
      target={target}
      definition={detail.value.definition}
      title={tool.title ?? tool.name}
      description={tool.description}
      traits={<ToolTraits tool={tool} />}
      isOff={!tool.enabled}
    />
  );
}

interface OfferedItemRunnerProps {
  readonly item: OfferedItem;
  readonly target: TryTarget;
  readonly completes: boolean;
}

/** Tries a prompt, a resource or a template. */
export function OfferedItemRunner({ item, target, completes }: OfferedItemRunnerProps) {
  const complete = useCompletions(target);
  return (
    <Runner
      target={target}
      definition={item.definition}
      title={item.title ?? item.name}
      description={item.description}
      isOff={false}
      {...(completes && target.kind !== 'resource' ? { complete } : {})}
    />
  );
}

/** Returns a function that asks the server for completions, given the other arguments so far. */
function useCompletions({ kind, serverKey, name }: TryTarget) {
  const { link, tester } = useModel();
  return useCallback(
    async (argument: string, value: string): Promise<readonly string[]> => {
      const id = JSON.stringify([kind, serverKey, name]);
      const read = readFormText(tester.getState().drafts[id]?.text ?? '');
      const all = Object.entries(read.kind === 'object' ? read.value : {});
      const others = all
        .filter(([other]) => other !== argument)
        .map(([other, text]) => [other, String(text)]);
      const answer = await link.call('tester.complete', {
        serverKey,
        ref: kind === 'prompt' ? { type: 'ref/prompt', name } : { type: 'ref/resource', uri: name },
        argument: { name: argument, value },
        others: Object.fromEntries(others),
      });
      return answer.ok ? answer.value.values : [];
    },
    [link, tester, kind, serverKey, name],
  );
}
