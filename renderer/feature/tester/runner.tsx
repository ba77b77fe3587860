import { type ReactNode, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { OfferedItem } from '../../../shared/model/tester.ts';
import { cancelTest, runTest } from '../../command/tester-actions.ts';
import { useModel } from '../../store/model-context.tsx';
import { changeDraft, draftOf, type TryTarget } from '../../store/tester-store.ts';
import { ArgumentsPane } from './arguments-pane.tsx';
import { drawable } from './form/drawable-schema.ts';
import type { SchemaFormContext } from './form/form-context.ts';
import { initialText } from './form/schema-form.tsx';
import { missingArguments } from './missing-arguments.ts';
import { OutcomePane } from './outcome-pane.tsx';
import { RunBar, type RunDoubt } from './run-bar.tsx';
import classes from './runner.module.css';
import { addressOf, argumentsSchema, sentRun } from './tried-item.ts';
import { useRunKey } from './use-run-key.ts';

interface RunnerProps {
  readonly target: TryTarget;
  readonly definition: OfferedItem['definition'];
  readonly title: string;
  readonly description: string | undefined;
  readonly traits?: ReactNode;
  /** It is switched off for clients, so that it is run only after a confirmation. */
  readonly isOff: boolean;
  readonly complete?: SchemaFormContext['complete'];
}

/** One thing that is tried: what goes in on the left, what comes back on the right. */
export function Runner(props: RunnerProps) {
  const { target, definition, isOff, complete } = props;
  const model = useModel();
  const draft = useStore(model.tester, (state) => draftOf(state, target));
  const [asking, setAsking] = useState<RunDoubt>();
  const schema = useMemo(() => argumentsSchema(target, definition), [target, definition]);
  const drawn = useMemo(() => (target.kind === 'resource' ? undefined : drawable(schema)), [target, schema]);
  const text = draft.text ?? (drawn === undefined ? '' : beginning(drawn));
  const isRunning = draft.run?.kind === 'running';

  /** Asks once for each thing that speaks against it, and does as it is told. */
  function run(told?: RunDoubt): void {
    if (isRunning) return;
    const missing = told === undefined && drawn !== undefined ? missingArguments(schema, text) : [];
    const doubt = missing.length > 0 ? { kind: 'missing' as const, missing } : undefined;
    const off = isOff && told?.kind !== 'off' ? { kind: 'off' as const } : undefined;
    setAsking(doubt ?? off);
    if ((doubt ?? off) === undefined)
      void runTest(model, target, { ...sentRun(target, text), evenIfOff: isOff });
  }

  useRunKey(() => run());

  return (
    <div className={classes.runner}>
      <section className={classes.input} aria-label={`Try ${props.title}`}>
        <Head {...props} text={text} />
        {drawn !== undefined && (
          <ArgumentsPane
            schema={schema}
            drawn={drawn}
            text={text}
            editor={draft.editor}
            tried={draft.run !== undefined || asking?.kind === 'missing'}
            onText={(next) => changeDraft(model.tester, target, { text: next })}
            onEditor={(editor) => changeDraft(model.tester, target, { editor, text })}
            complete={complete}
          />
        )}
        <RunBar
          verb={verbs[target.kind]}
          run={draft.run}
          asking={asking}
          name={props.title}
          onRun={run}
          onCancel={() => void cancelTest(model, target)}
          onRefuse={() => setAsking(undefined)}
        />
      </section>
      <OutcomePane
        target={target}
        text={text}
        run={draft.run}
        outputSchema={definition.outputSchema}
        onReuse={(next) => changeDraft(model.tester, target, { text: next })}
      />
    </div>
  );
}

const verbs = { tool: 'Run', prompt: 'Get', resource: 'Read', template: 'Read' } as const;

function beginning(drawn: ReturnType<typeof drawable>): string {
  return drawn.kind === 'form' ? initialText(drawn.schema) : '{}';
}

function Head({ target, title, description, traits, text }: RunnerProps & { readonly text: string }) {
  const address = target.kind === 'template' ? addressOf(target.name, text) : target.name;
  return (
    <header className={classes.head}>
      <div className={classes.titleLine}>
        <h2 className={classes.title}>{title}</h2>
        {traits}
      </div>
      {address !== title && <code className={`${classes.address} selectable`}>{address}</code>}
      {description !== undefined && <p className={classes.description}>{description}</p>}
    </header>
  );
}
