import { Moon } from 'lucide-react';
import { useStore } from 'zustand/react';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import { shownStatus } from '../../../lib/server/server-status.ts';
import { formatBytes } from '../../../lib/text/format-amount.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Lasting } from '../../../ui/text/time-text.tsx';
import { DueChecks } from '../../../ui/tool/due-checks.tsx';
import { QuarantineNotice } from '../guard/quarantine-notice.tsx';
import { HealthSection } from '../health/health-section.tsx';
import { ProcessSection } from '../processes/process-section.tsx';
import { CommandSection } from '../program/command-section.tsx';
import { UpdateNotice } from '../update/update-notice.tsx';
import { CircuitsSection } from './circuits-section.tsx';
import classes from './server-page.module.css';
import { ServerProblems } from './server-problems.tsx';
import { StateSection } from './state-section.tsx';

function ServerDueChecks({ serverKey }: { serverKey: string }) {
  const checks = useStore(useModel().tester, (state) => state.checks);
  return checks === undefined ? null : <DueChecks serverKey={serverKey} checks={checks} />;
}

/** Shows a server's status, its problems, and what it runs as. */
export function OverviewTab({ server }: { server: ServerView }) {
  return (
    <ScrollRegion label="Overview" className={`scrolls ${classes.scroll}`}>
      <div className={classes.stack}>
        <QuarantineNotice server={server} />
        <UpdateNotice server={server} />
        {shownStatus(server) === 'asleep' && <AsleepNotice server={server} />}
        <ServerProblems server={server} />
        <ServerDueChecks serverKey={server.key} />
      </div>
      <StateSection server={server} />
      <CircuitsSection serverKey={server.key} />
      <HealthSection server={server} />
      {server.transport === 'stdio' && <ProcessSection server={server} />}
      <CommandSection server={server} />
    </ScrollRegion>
  );
}

/**
 * Explains why a healthy server is not running, how much memory that saves, and that nothing needs to be
 * done.
 */
function AsleepNotice({ server }: { server: ServerView }) {
  const { asleep, counts } = server;
  if (asleep === undefined) return null;
  const { memorySaved, since } = asleep;
  return (
    <Notice
      label="Asleep"
      tone="quiet"
      icon={<Moon size={16} />}
      title={memorySaved === undefined ? 'Asleep' : `Asleep, ${formatBytes(memorySaved)} saved`}
      text={
        <>
          For <Lasting since={since} />.{' '}
          {counts.tools === 0
            ? 'Tools are not known yet: wake the server once so that clients can see them.'
            : 'Tools stay listed; the next call wakes the server.'}
        </>
      }
    />
  );
}
