import { Button, Skeleton, Tabs } from '@mantine/core';
import { BellRing, CircleCheck, Power, Scissors, Shrink } from 'lucide-react';
import { useState } from 'react';
import type { ClientDetail, ClientFix } from '../../../../shared/model/client/client-detail.ts';
import { notifyClient } from '../../../command/client/client-actions.ts';
import { openProfiles } from '../../../command/client/profile-actions.ts';
import { clientTitle } from '../../../lib/server/client-title.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { useClientDetail, useClientWeight } from '../../../store/hook/engine-hooks.ts';
import { useModel } from '../../../store/model-context.tsx';
import { closeDialog } from '../../../store/view-store.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { ToolDifferenceView } from '../../../ui/tool/tool-difference-view.tsx';
import { CompactPart } from '../compact/compact-part.tsx';
import classes from './client-detail.module.css';
import { ClientFigures } from './client-figures.tsx';
import { ClientTools } from './client-tools.tsx';

interface ClientDetailDialogProps {
  readonly id: string;
  /** Initial page, if not the default one. */
  readonly page: 'compact' | undefined;
}

/** Shows the tools that one client has, would get now, and uses. */
export function ClientDetailDialog({ id, page }: ClientDetailDialogProps) {
  const model = useModel();
  const state = useClientDetail(id);
  const title = state.kind === 'known' ? `Tools ${clientTitle(state.value)} sees` : 'Tools a client sees';
  return (
    <Dialog
      title={title}
      onClose={() => closeDialog(model.view)}
      size={980}
      classNames={{ content: classes.content, body: classes.dialog }}
    >
      {state.kind === 'loading' && (
        <div className={classes.alone}>
          <Skeleton height={320} radius={8} aria-label="Loading the tools" />
        </div>
      )}
      {state.kind === 'failed' && (
        <div className={classes.alone}>
          <ProblemCard problem={state.problem} />
        </div>
      )}
      {state.kind === 'known' && <LoadedDetail detail={state.value} page={page} />}
    </Dialog>
  );
}

function LoadedDetail({ detail, page }: { detail: ClientDetail } & Pick<ClientDetailDialogProps, 'page'>) {
  const weight = useClientWeight(detail);
  const { difference, leftOut, withheld } = detail;
  const [chosen, setChosen] = useState<string | null>(page ?? null);
  const first = difference === undefined ? 'tools' : 'changes';
  const hiddenCount = leftOut.length + withheld.disabled + withheld.held;
  return (
    <>
      <div className={classes.head}>
        <ClientFigures detail={detail} weight={weight} />
        <ListNotice detail={detail} />
        {detail.fixes.map((fix) => (
          <FixNotice key={fix.kind} detail={detail} fix={fix} onCompact={() => setChosen('compact')} />
        ))}
      </div>
      <Tabs
        value={chosen === null || chosen === 'changes' ? first : chosen}
        onChange={setChosen}
        className="pane"
        classNames={{ list: classes.tabList ?? '', panel: classes.panel ?? '' }}
        keepMounted={false}
      >
        <Tabs.List aria-label="Tools this client sees">
          {difference !== undefined && <Tabs.Tab value="changes">What has changed</Tabs.Tab>}
          <Tabs.Tab value="tools">Tools</Tabs.Tab>
          <Tabs.Tab value="compact">Compact mode</Tabs.Tab>
          <Tabs.Tab value="left-out">
            Hidden {hiddenCount > 0 && <span className="dim">{hiddenCount}</span>}
          </Tabs.Tab>
        </Tabs.List>
        {difference !== undefined && (
          <Tabs.Panel value="changes">
            <ScrollRegion label="What has changed" className={`pane ${classes.scroll}`}>
              <ToolDifferenceView difference={difference} />
            </ScrollRegion>
          </Tabs.Panel>
        )}
        <Tabs.Panel value="tools">
          <ClientTools detail={detail} weight={weight} />
        </Tabs.Panel>
        <Tabs.Panel value="compact">
          <CompactPart detail={detail} weight={weight} />
        </Tabs.Panel>
        <Tabs.Panel value="left-out">
          <HiddenItems detail={detail} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Shows the state of the client's list where no action is needed. */
function ListNotice({ detail }: { detail: ClientDetail }) {
  const { list, heldRevision, revision, connected } = detail;
  if (list === 'outdated' || list === 'unknown') {
    // Switching between short and full list changes the list but not its number.
    const isKnown = heldRevision !== undefined && heldRevision !== revision;
    const numbers = isKnown ? `It has list ${heldRevision}; the newest is ${revision}` : undefined;
    return (
      <p className={classes.list} title={numbers}>
        Still out of date.
      </p>
    );
  }
  if (!connected) return <p className={classes.list}>Not connected. These are the tools it would get.</p>;
  if (list === 'none') return <p className={classes.list}>It has not requested its list yet.</p>;
  return (
    <p className={classes.list} data-tone="good" title={`List ${revision}`}>
      <CircleCheck size={14} aria-hidden /> Up to date.
    </p>
  );
}

const icons = { notify: BellRing, restart: Power, 'fewer-tools': Scissors, compact: Shrink } as const;

interface FixNoticeProps {
  readonly detail: ClientDetail;
  readonly fix: ClientFix;
  readonly onCompact: () => void;
}

function FixNotice({ detail, fix, onCompact }: FixNoticeProps) {
  const model = useModel();
  const Icon = icons[fix.kind];
  return (
    <Notice
      label={fix.kind === 'compact' ? 'Compact mode would help' : 'Suggested fix'}
      icon={<Icon size={16} />}
      title={fix.sentence}
      text={
        fix.kind === 'fewer-tools'
          ? 'Give it a profile with the tools it needs, or turn off tools it never uses.'
          : undefined
      }
      actions={
        <>
          {fix.kind === 'notify' && (
            <Button onClick={() => void notifyClient(model, detail)}>Notify again</Button>
          )}
          {fix.kind === 'fewer-tools' && <ProfilesButton />}
          {fix.kind === 'compact' && <Button onClick={onCompact}>See what it saves</Button>}
        </>
      }
    />
  );
}

function ProfilesButton() {
  const model = useModel();
  return (
    <Button
      onClick={() => {
        closeDialog(model.view);
        openProfiles(model);
      }}
    >
      Profiles
    </Button>
  );
}

/** Lists what the client does not get, and why. */
function HiddenItems({ detail: { leftOut, withheld } }: { detail: ClientDetail }) {
  const { disabled, held } = withheld;
  const reasons = [
    { count: disabled, text: 'turned off by you' },
    { count: held, text: 'waiting for your review' },
  ].filter(({ count }) => count > 0);
  if (reasons.length === 0 && leftOut.length === 0) {
    return (
      <EmptyState
        icon={CircleCheck}
        title="Nothing hidden"
        text="This client gets everything your servers offer."
      />
    );
  }
  return (
    <ScrollRegion label="Hidden" className={`pane ${classes.scroll}`}>
      {reasons.length > 0 && (
        <ul className={classes.reasons}>
          {reasons.map(({ count, text }) => (
            <li key={text}>
              {formatCount(count, 'tool')} {text}
            </li>
          ))}
        </ul>
      )}
      {leftOut.map((problem) => (
        <ProblemCard key={problem.sentence} problem={problem} severity="warning" />
      ))}
    </ScrollRegion>
  );
}
