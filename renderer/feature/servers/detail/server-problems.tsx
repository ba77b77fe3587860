import { Button } from '@mantine/core';
import { FileJson, KeyRound, RotateCw, Route, ScrollText, Split } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Problem, ProblemCode } from '../../../../shared/error/problem.ts';
import type { ServerView } from '../../../../shared/model/server.ts';
import { isolateServer } from '../../../command/isolate-server.ts';
import { openServer } from '../../../command/navigate.ts';
import { explainCommand } from '../../../command/program-actions.ts';
import { openSecrets } from '../../../command/secret-actions.ts';
import { restartServer } from '../../../command/server-actions.ts';
import { isRunning } from '../../../lib/server-status.ts';
import { signInProblem, wantsSignIn } from '../../../lib/sign-in.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { Until } from '../../../ui/time-text.tsx';
import { SignInButton } from '../sign-in-button.tsx';
import classes from './server-problems.module.css';
import { SignInNotice } from './sign-in-notice.tsx';

/** What is wrong with a server and what helps; a sign-in under way stands for the problem that it solves. */
export function ServerProblems({ server }: { server: ServerView }) {
  const { auth, warnings } = server;
  const waiting = auth?.pending === true;
  const signIn = signInProblem(server);
  const other = wantsSignIn(server) ? undefined : server.problem;
  if (!waiting && signIn === undefined && other === undefined && warnings.length === 0) return null;
  return (
    <>
      {waiting && <SignInNotice server={server} />}
      {!waiting && signIn !== undefined && (
        <HelpedProblem server={server} problem={signIn} severity={auth?.problem ? 'bad' : 'warning'}>
          <SignInButton server={server} />
        </HelpedProblem>
      )}
      {other !== undefined && (
        <HelpedProblem
          server={server}
          problem={other}
          severity={isRunning(server) ? 'warning' : 'bad'}
          note={<RetryNote server={server} />}
        >
          <HelpFirst server={server} problem={other} />
        </HelpedProblem>
      )}
      {warnings.map((warning) => (
        <Warning key={warning.sentence} server={server} warning={warning} />
      ))}
    </>
  );
}

function Warning({ server, warning }: { server: ServerView; warning: Problem }) {
  const model = useModel();
  const { key } = server;
  switch (warning.code) {
    case 'server.list_failed':
      return (
        <HelpedProblem server={server} problem={warning} severity="warning">
          <TryNowButton serverKey={key} />
        </HelpedProblem>
      );
    case 'server.stateful_shared':
      return (
        <HelpedProblem server={server} problem={warning} severity="warning">
          <HelpButton icon={<Split size={13} aria-hidden />} onClick={() => void isolateServer(model, key)}>
            Give each client its own
          </HelpButton>
        </HelpedProblem>
      );
    default:
      return <ProblemCard problem={warning} about={key} severity="warning" />;
  }
}

interface HelpedProblemProps {
  readonly server: ServerView;
  readonly problem: Problem;
  readonly severity: 'bad' | 'warning';
  /** The button that helps first. */
  readonly children: ReactNode;
  /** After the buttons. */
  readonly note?: ReactNode;
}

function HelpedProblem({ server, problem, severity, children, note }: HelpedProblemProps) {
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
          {note}
        </>
      }
    />
  );
}

/** What is likeliest to help: a missing secret is entered, a program that was not found is looked for, all else is tried again. */
function HelpFirst({ server, problem }: { server: ServerView; problem: Problem }) {
  const model = useModel();
  if (isRunning(server)) return <RestartButton serverKey={server.key} />;
  if (problem.code === 'config.missing_secret') return <EnterSecretButton problem={problem} />;
  return (
    <>
      <TryNowButton serverKey={server.key} />
      {server.transport === 'stdio' && ofProgram.has(problem.code) && (
        <HelpButton
          icon={<Route size={13} aria-hidden />}
          onClick={() => void explainCommand(model, server.key)}
        >
          Which program runs?
        </HelpButton>
      )}
    </>
  );
}

/** A value typed there starts the server at once. */
function EnterSecretButton({ problem }: { problem: Problem }) {
  const model = useModel();
  const name = problem.evidence.find(({ label }) => label === 'secret')?.value;
  return (
    <HelpButton icon={<KeyRound size={13} aria-hidden />} onClick={() => openSecrets(model, name)}>
      Enter the secret
    </HelpButton>
  );
}

const ofProgram: ReadonlySet<ProblemCode> = new Set(['server.command_not_found', 'server.spawn_failed']);

/** When it is tried again by itself, or that it is not. */
function RetryNote({ server }: { server: ServerView }) {
  if (isRunning(server) || server.status === 'connecting') return null;
  return (
    <span className={classes.retry}>
      {server.nextTryAt === undefined ? (
        'It is not tried again by itself.'
      ) : (
        <>
          Tried again <Until at={server.nextTryAt} />
        </>
      )}
    </span>
  );
}

function RestartButton({ serverKey }: { serverKey: string }) {
  const model = useModel();
  return (
    <HelpButton
      icon={<RotateCw size={13} aria-hidden />}
      onClick={() => void restartServer(model, serverKey)}
    >
      Restart
    </HelpButton>
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
