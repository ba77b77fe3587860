import type { ServerView } from '../../../../shared/model/server.ts';
import { shownStatus } from '../../../lib/server-status.ts';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import { HealthSection } from '../health/health-section.tsx';
import { ProcessSection } from '../processes/process-section.tsx';
import { CommandSection } from '../program/command-section.tsx';
import { UpdateNotice } from '../update/update-notice.tsx';
import { AsleepNotice } from './asleep-notice.tsx';
import { CircuitsSection } from './circuits-section.tsx';
import classes from './server-page.module.css';
import { ServerProblems } from './server-problems.tsx';
import { StateSection } from './state-section.tsx';

/** How a server is, what is wrong with it, and what it runs as. */
export function OverviewTab({ server }: { server: ServerView }) {
  return (
    <ScrollRegion label="Overview" className={classes.scroll}>
      <div className={classes.stack}>
        <UpdateNotice server={server} />
        {shownStatus(server) === 'asleep' && <AsleepNotice server={server} />}
        <ServerProblems server={server} />
      </div>
      <StateSection server={server} />
      <CircuitsSection circuits={server.openCircuits} />
      <HealthSection server={server} />
      {server.transport === 'stdio' && <ProcessSection server={server} />}
      <CommandSection server={server} />
    </ScrollRegion>
  );
}
