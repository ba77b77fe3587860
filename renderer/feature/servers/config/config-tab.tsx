import { Button, Skeleton } from '@mantine/core';
import { Eye, EyeOff, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand/react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { PlainSecret } from '../../../lib/entry/move-secret.ts';
import { type ConfigDraft, editDraft, hasErrors, isDirty } from '../../../store/draft-store.ts';
import { useModel, useServers } from '../../../store/model-context.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { UpdateNotice } from '../update/update-notice.tsx';
import { ConfigFoot } from './config-foot.tsx';
import classes from './config-tab.module.css';
import { closeDraft, openDraft, saveDraft, validateDraft } from './draft/draft-actions.ts';
import { type Trial, trialOf, tryDraft } from './draft/trial.ts';
import { TrialPanel } from './draft/trial-panel.tsx';
import { EntryForm } from './entry-form.tsx';
import { useSecretMoves } from './secrets/use-secret-moves.ts';

const JsonEditor = lazy(() =>
  import('../../../ui/json/json-editor.tsx').then((module) => ({ default: module.JsonEditor })),
);

/** Edits a server's config entry as a form and as JSON, kept in sync. */
export function ConfigTab({ serverKey }: { serverKey: string }) {
  const model = useModel();
  const draft = useStore(model.draft, (state) => state.draft);
  const [problem, setProblem] = useState<Problem>();
  const view = useServers((state) => state.byKey[serverKey]);
  const dirty = draft?.originalKey === serverKey && isDirty(draft);
  const isOpen = useOpenFlag(serverKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed view may mean a changed entry, and a draft without changes follows the file
  useEffect(() => {
    const load = () =>
      void openDraft(model, serverKey).then((failed) => {
        if (isOpen.current) setProblem(failed);
        else closeDraft(model, serverKey);
      });
    load();
    // Another program may have edited comments, which do not change the view.
    window.addEventListener('focus', load);
    return () => window.removeEventListener('focus', load);
  }, [model, serverKey, view, dirty]);
  if (problem !== undefined) {
    return (
      <div className={classes.message}>
        <ProblemCard problem={problem} about={serverKey} />
      </div>
    );
  }
  if (draft?.originalKey !== serverKey) return <Skeleton m={20} h={240} w="auto" radius={8} />;
  return <Editor draft={draft} />;
}

/** Closes the draft when the tab closes; the ref is false from then on. */
function useOpenFlag(serverKey: string): { readonly current: boolean } {
  const model = useModel();
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
      closeDraft(model, serverKey);
    };
  }, [model, serverKey]);
  return isOpen;
}

function Editor({ draft }: { draft: ConfigDraft }) {
  const model = useModel();
  const [pane, setPane] = useState<'form' | 'json'>('form');
  const [reveal, setReveal] = useState(false);
  const [lastTrial, setTrial] = useState<Trial>();
  const trial = trialOf(lastTrial, draft);
  const save = useSaving(draft);
  useValidation(draft);
  const gone = useServers((state) => state.byKey[draft.originalKey] === undefined);
  const edit = (change: Partial<ConfigDraft>) => editDraft(model.draft, draft.originalKey, change);
  const moveSecret = useSecretMoves(draft.text, (text) => edit({ text }));
  async function moveAtOnce(secret: PlainSecret): Promise<void> {
    const failed = await moveSecret(secret, secret.name);
    if (failed !== undefined) model.notify.problem(failed);
  }
  return (
    <section className={`pane ${classes.tab}`} aria-label="Config editor">
      <div className={classes.panes} data-pane={pane}>
        <div className={`grow ${classes.formPane}`}>
          <EntryForm
            serverKey={draft.key}
            text={draft.text}
            issues={draft.issues}
            onKey={(key) => edit({ key })}
            onText={(text) => edit({ text })}
            onMoveSecret={moveSecret}
          />
        </div>
        <div className={classes.jsonPane}>
          <div className={`row ${classes.jsonHead}`}>
            <h3>JSON in the config file</h3>
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              leftSection={reveal ? <EyeOff size={13} aria-hidden /> : <Eye size={13} aria-hidden />}
              onClick={() => setReveal(!reveal)}
            >
              {reveal ? 'Hide values' : 'Reveal values'}
            </Button>
          </div>
          <Suspense fallback={<Skeleton m={12} h={180} w="auto" radius={8} />}>
            <JsonEditor
              label={`JSON of ${draft.originalKey}`}
              value={draft.text}
              onChange={(text) => edit({ text })}
              issues={draft.issues}
              hideSecrets={!reveal}
              onMoveSecret={(secret) => void moveAtOnce(secret)}
            />
          </Suspense>
        </div>
      </div>
      {gone && <RemovedNote draft={draft} />}
      <LastResult draft={draft} problem={save.problem} trial={trial} />
      <ConfigFoot
        draft={draft}
        isRemoved={gone}
        pane={pane}
        onPane={setPane}
        saving={save.busy}
        onSave={save.run}
        trying={trial?.kind === 'running'}
        onTry={() => void tryDraft(model, draft, setTrial)}
      />
    </section>
  );
}

interface LastResultProps {
  readonly draft: ConfigDraft;
  readonly problem: Problem | undefined;
  readonly trial: Trial | undefined;
}

/**
 * Shows the result of the last action: why saving failed, how the trial went, or how the saved config is
 * doing.
 */
function LastResult({ draft, problem, trial }: LastResultProps) {
  const server = useServers((state) => state.byKey[draft.originalKey]);
  const shown =
    problem !== undefined ? (
      <ProblemCard problem={problem} about={draft.originalKey} />
    ) : trial !== undefined ? (
      <TrialPanel serverKey={draft.originalKey} trial={trial} />
    ) : (
      server?.update !== undefined && <UpdateNotice server={server} editing />
    );
  if (shown === false) return null;
  return (
    <ScrollRegion label="Outcome" className={classes.message}>
      {shown}
    </ScrollRegion>
  );
}

function RemovedNote({ draft }: { draft: ConfigDraft }) {
  return (
    <p className={`row ${classes.gone}`} role="alert">
      <TriangleAlert size={15} aria-hidden />
      {draft.originalKey} was removed from the config file. Saving adds it again.
    </p>
  );
}

/** Validates the draft shortly after typing stops. */
function useValidation(draft: ConfigDraft): void {
  const model = useModel();
  // biome-ignore lint/correctness/useExhaustiveDependencies: issues are the result and must not trigger it again
  useEffect(() => {
    const timer = setTimeout(() => void validateDraft(model, draft), 200);
    return () => clearTimeout(timer);
  }, [model, draft.text, draft.key]);
}

function useSaving(draft: ConfigDraft) {
  const model = useModel();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const allowed = isDirty(draft) && !hasErrors(draft) && !busy;
  async function run(): Promise<void> {
    setBusy(true);
    const outcome = await saveDraft(model);
    setProblem(outcome.kind === 'refused' ? outcome.problem : undefined);
    setBusy(false);
  }
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const mod = model.mac ? event.metaKey : event.ctrlKey;
      if (!mod || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      if (allowed) void run();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  });
  return { busy, problem, run: () => void run() };
}
