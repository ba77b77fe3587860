import { Button } from '@mantine/core';
import { FileCog, FolderOpen, History, Settings, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand/react';
import type { Problem, ProblemCode } from '../../shared/error/problem.ts';
import { lastGoodLabel } from '../../shared/model/hub/hub.ts';
import { openAccess } from '../command/access/access-actions.ts';
import { restoreConfig, runAppCall } from '../command/app/app-actions.ts';
import { openView } from '../command/navigate.ts';
import { formatCount } from '../lib/text/format-amount.ts';
import type { Model } from '../store/model.ts';
import { useModel } from '../store/model-context.tsx';
import { ProblemCard } from '../ui/problem-card.tsx';
import classes from './hub-banner.module.css';

const none: readonly Problem[] = [];

/** Shows problems of the hub itself above every view until they are solved. */
export function HubBanner() {
  const { mirrors } = useModel();
  const problems = useStore(mirrors.hub, (hub) => hub?.problems ?? none);
  const [all, setAll] = useState(false);
  const [first, ...rest] = problems;
  if (first === undefined) return null;
  return (
    <div className={classes.banner}>
      {[first, ...(all ? rest : [])].map((problem) => (
        <ProblemCard
          key={problem.code + problem.sentence}
          problem={problem}
          about="Patchbay"
          actions={
            <>
              {problem.evidence.some(({ label }) => label === lastGoodLabel) && <RestoreButton />}
              <HelpButton problem={problem} />
            </>
          }
        />
      ))}
      {rest.length > 0 && (
        <Button variant="subtle" size="compact-xs" onClick={() => setAll(!all)}>
          {all ? 'Show less' : formatCount(rest.length, 'more problem')}
        </Button>
      )}
    </div>
  );
}

function RestoreButton() {
  const model = useModel();
  return (
    <Button leftSection={<History size={14} aria-hidden />} onClick={() => void restoreConfig(model)}>
      Restore the last good config
    </Button>
  );
}

/** Renders the button that helps to solve the problem. */
function HelpButton({ problem }: { problem: Problem }) {
  const model = useModel();
  const help = helpFor(problem.code);
  return (
    <Button variant="default" leftSection={help.icon} onClick={() => help.run(model)}>
      {help.label}
    </Button>
  );
}

function helpFor(code: ProblemCode) {
  if (code.startsWith('config.')) {
    const run = (model: Model) => void runAppCall(model, 'app.openConfigFile');
    return { label: 'Open the config file', icon: <FileCog size={14} aria-hidden />, run };
  }
  if (code === 'access.lost') {
    return { label: 'Open Access', icon: <ShieldCheck size={14} aria-hidden />, run: openAccess };
  }
  if (code === 'hub.port_in_use') {
    const run = (model: Model) => openView(model, 'settings');
    return { label: 'Choose another port', icon: <Settings size={14} aria-hidden />, run };
  }
  const run = (model: Model) => void runAppCall(model, 'app.openDataFolder');
  return { label: 'Open the data folder', icon: <FolderOpen size={14} aria-hidden />, run };
}
