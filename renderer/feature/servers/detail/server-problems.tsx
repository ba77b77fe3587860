import { Button } from '@mantine/core';
import { FileJson, RotateCw, ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { ServerView } from '../../../../shared/model/server.ts';
import { openServer } from '../../../command/navigate.ts';
import { restartServer } from '../../../command/server-actions.ts';
import { wantsSignIn } from '../../../lib/sign-in.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { SignInButton } from '../sign-in-button.tsx';
import classes from './server-page.module.css';
import { SignInNotice } from './sign-in-notice.tsx';

/** What is wrong with a server and what helps; a sign-in under way comes first. */
export function ServerProblems({ server }: { server: ServerView }) {
  const { problem, auth, warnings } = server;
  const waiting = auth?.pending === true;
  if (problem === undefined && auth?.problem === undefined && !waiting && warnings.length === 0) return null;
  return (
    <div className={classes.stack}>
      {waiting && <SignInNotice server={server} />}
      {auth?.problem !== undefined && (
        <ProblemCard
          problem={auth.problem}
          about={server.key}
          open
          actions={waiting ? undefined : <SignInButton server={server} />}
        />
      )}
      {problem !== undefined && <MainProblem server={server} problem={problem} />}
      {warnings.map((warning) => (
        <ProblemCard key={warning.sentence} problem={warning} about={server.key} severity="warning" />
      ))}
    </div>
  );
}

function MainProblem({ server, problem }: { server: ServerView; problem: Problem }) {
  const model = useModel();
  const signIn = wantsSignIn(server);
  const offered = server.auth?.pending === true || server.auth?.problem !== undefined;
  return (
    <ProblemCard
      problem={problem}
      about={server.key}
      severity={signIn ? 'warning' : 'bad'}
      open={!signIn}
      actions={
        <>
          {signIn && !offered && <SignInButton server={server} />}
          {!signIn && (
            <HelpButton
              icon={<RotateCw size={13} aria-hidden />}
              onClick={() => void restartServer(model, server.key)}
            >
              Try now
            </HelpButton>
          )}
          <HelpButton
            icon={<FileJson size={13} aria-hidden />}
            onClick={() => openServer(model, server.key, 'config')}
          >
            Edit config
          </HelpButton>
          <HelpButton
            icon={<ScrollText size={13} aria-hidden />}
            onClick={() => openServer(model, server.key, 'log')}
          >
            Show log
          </HelpButton>
        </>
      }
    />
  );
}

function HelpButton({
  icon,
  onClick,
  children,
}: {
  icon: ReactNode;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Button variant="default" leftSection={icon} onClick={onClick}>
      {children}
    </Button>
  );
}
