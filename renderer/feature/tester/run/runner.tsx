import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { OfferedItem } from '../../../../shared/model/tool/tester.ts';
import { cancelTest, runTest } from '../../../command/tester-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import { changeDraft, draftOf, type TryTarget } from '../../../store/tester-store.ts';
import { SafeMarkdown } from '../../../ui/text/safe-markdown.tsx';
import { OutcomePane } from '../answer/outcome-pane.tsx';
import type { SchemaFormContext } from '../form/form-context.ts';
import { toFormSchema } from '../form/form-schema.ts';
import { initialText } from '../form/schema-form.tsx';
import { ArgumentsPane } from './arguments-pane.tsx';
import { missingArguments } from './missing-arguments.ts';
import { RunBar, type RunConfirmation } from './run-bar.tsx';
import { addressOf, argumentsSchema, sentRun } from './run-input.ts';
import classes from './runner.module.css';

interface RunnerProps {
  readonly target: TryTarget;
  readonly definition: OfferedItem['definition'];
  readonly title: string;
  readonly description: string | undefined;
  readonly traits?: ReactNode;
  /** True if it is turned off for clients, so that a run needs confirmation. */
  readonly isOff: boolean;
  readonly complete?: SchemaFormContext['complete'];
}

/** Tries one item: its arguments on the left, the answer on the right. */
export function Runner(props: RunnerProps) {
  const { target, definition, isOff, complete } = props;
  const model = useModel();
  const draft = useStore(model.tester, (state) => draftOf(state, target));
  const [asking, setAsking] = useState<RunConfirmation>();
  const schema = useMemo(() => argumentsSchema(target, definition), [target, definition]);
  const drawn = useMemo(
    () => (target.kind === 'resource' ? undefined : toFormSchema(schema)),
    [target, schema],
  );
  const text = draft.text ?? (drawn === undefined ? '' : initialArguments(drawn));
  const isRunning = draft.run?.kind === 'running';

  /** Runs it, after asking once about each doubt. */
  function run(confirmed?: RunConfirmation): void {
    if (isRunning) return;
    const missing = confirmed === undefined && drawn !== undefined ? missingArguments(schema, text) : [];
    const confirmation = missing.length > 0 ? { kind: 'missing' as const, missing } : undefined;
    const off = isOff && confirmed?.kind !== 'off' ? { kind: 'off' as const } : undefined;
    setAsking(confirmation ?? off);
    if ((confirmation ?? off) === undefined)
      void runTest(model, target, { ...sentRun(target, text), evenIfOff: isOff });
  }

  useRunKey(() => run());
  const confirmation = useCurrentConfirmation(asking, schema, text);
  const [isWide, setWide] = useState(false);

  return (
    <div className={classes.runner} data-wide={isWide} data-empty={draft.run === undefined}>
      <section className={classes.input} aria-label={`Try ${props.title}`}>
        <Head {...props} text={text} />
        {drawn !== undefined && (
          <ArgumentsPane
            schema={schema}
            form={drawn}
            text={text}
            editor={draft.editor}
            hasRun={draft.run !== undefined || confirmation?.kind === 'missing'}
            onText={(next) => changeDraft(model.tester, target, { text: next })}
            onEditor={(editor) => changeDraft(model.tester, target, { editor, text })}
            complete={complete}
          />
        )}
        <RunBar
          verb={verbs[target.kind]}
          run={draft.run}
          confirmation={confirmation}
          name={props.title}
          onRun={run}
          onCancel={() => void cancelTest(model, target)}
          onDecline={() => {
            if (confirmation?.kind === 'missing') goToField(confirmation.missing[0]);
            else setAsking(undefined);
          }}
        />
      </section>
      <OutcomePane
        target={target}
        text={text}
        run={draft.run}
        outputSchema={definition.outputSchema}
        isWide={isWide}
        onWide={setWide}
        onReuse={(next) => changeDraft(model.tester, target, { text: next })}
      />
    </div>
  );
}

/** Updates the missing arguments while the user fills them in. */
function useCurrentConfirmation(
  asking: RunConfirmation | undefined,
  schema: unknown,
  text: string,
): RunConfirmation | undefined {
  return useMemo(() => {
    if (asking?.kind !== 'missing') return asking;
    const missing = missingArguments(schema, text);
    return missing.length === 0 ? undefined : { kind: 'missing', missing };
  }, [asking, schema, text]);
}

/** Focuses a field by the id the form gives it; a group is only scrolled into view. */
function goToField(path = ''): void {
  const field = document.getElementById(`argument_${path.replaceAll('.', '_')}`);
  field?.scrollIntoView({ block: 'center' });
  field?.focus();
}

const verbs = { tool: 'Run', prompt: 'Get', resource: 'Read', template: 'Read' } as const;

function initialArguments(drawn: ReturnType<typeof toFormSchema>): string {
  return drawn.kind === 'form' ? initialText(drawn.schema) : '{}';
}

function Head({ target, title, description, traits, text }: RunnerProps & { readonly text: string }) {
  const address = target.kind === 'template' ? addressOf(target.name, text) : target.name;
  return (
    <header className="flex gap-4 column">
      <div className="row min-0 gap-8">
        <h2 className={classes.title}>{title}</h2>
        {traits}
      </div>
      {address !== title && <code className={`${classes.address} selectable`}>{address}</code>}
      {description !== undefined && (
        <div className={classes.description}>
          <SafeMarkdown text={description} />
        </div>
      )}
    </header>
  );
}

/**
 * Runs on Ctrl+Enter anywhere in the tester, also when nothing is focused, as after the button that opened it
 * has disappeared.
 */
function useRunKey(run: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isRun = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!isRun || !isOurs(event.target)) return;
    event.preventDefault();
    // The editor would insert a new line.
    event.stopPropagation();
    run();
  });
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}

function isOurs(target: EventTarget | null): boolean {
  return target === document.body || (target instanceof Element && target.closest('[data-tester]') !== null);
}
