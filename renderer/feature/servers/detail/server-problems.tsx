import { Button } from '@mantine/core';
import { FileJson, RotateCw, ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { ServerView } from '../../../../shared/model/server.ts';
import { openServer } from '../../../command/navigate.ts';
import { restartServer } from '../../../command/server-actions.ts';
import { signInProblem, wantsSignIn } from '../../../lib/sign-in.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { SignInButton } from '../sign-in-button.tsx';
import classes from './server-page.module.css';
import { SignInNotice } from './sign-in-notice.tsx';

/** What is wrong with a server and what helps; a sign-in under way stands for the problem that it solves. */
export function ServerProblems({ server }: { server: ServerView }) {
  const { auth, warnings } = server;
  const waiting = auth?.pending === true;
  const signIn = signInProblem(server);
  const other = wantsSignIn(server) ? undefined : server.problem;
  if (!waiting && signIn === undefined && other === undefined && warnings.length === 0) return null;
  return (
    <div className={classes.stack}>
      {waiting && <SignInNotice server={server} />}
      {!waiting && signIn !== undefined && (
        <HelpedProblem server={server} problem={signIn} severity={auth?.problem ? 'bad' : 'warning'}>
          <SignInButton server={server} />
        </HelpedProblem>
      )}
      {other !== undefined && (
        <HelpedProblem server={server} problem={other} severity="bad">
          <TryNowButton serverKey={server.key} />
        </HelpedProblem>
      )}
      {warnings.map((warning) =>
        warning.code === 'server.list_failed' ? (
          <HelpedProblem key={warning.sentence} server={server} problem={warning} severity="warning">
            <TryNowButton serverKey={server.key} />
          </HelpedProblem>
        ) : (
          <ProblemCard key={warning.sentence} problem={warning} about={server.key} severity="warning" />
        ),
      )}
    </div>
  );
}

interface HelpedProblemProps {
  readonly server: ServerView;
  readonly problem: Problem;
  readonly severity: 'bad' | 'warning';
  /** The button that helps first. */
  readonly children: ReactNode;
}

function HelpedProblem({ server, problem, severity, children }: HelpedProblemProps) {
  const model = useModel();
  return (
    <ProblemCard
      problem={problem}
      about={server.key}
      severity={severity}
      open={severity === 'bad'}
      actions={
        <>
          {children}
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

function TryNowButton({ serverKey }: { serverKey: string }) {
  const model = useModel();
  return (
    <HelpButton
      icon={<RotateCw size={13} aria-hidden />}
      onClick={() => void restartServer(model, serverKey)}
    >
      Try now
    </HelpButton>
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
