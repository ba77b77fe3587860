import { Button } from '@mantine/core';
import { FileJson, KeyRound, LogIn, Route, ScrollText, Split } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Problem, ProblemCode } from '../../../../shared/error/problem.ts';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import { openServer } from '../../../command/navigate.ts';
import { isolateServer } from '../../../command/server/isolate-server.ts';
import { type ServerAction, startAction, tryNowAction } from '../../../command/server/one-server.ts';
import { explainCommand } from '../../../command/server/program-actions.ts';
import { signInServer } from '../../../command/server/server-actions.ts';
import { isRunning } from '../../../lib/server/server-status.ts';
import { signInProblem, wantsSignIn } from '../../../lib/server/sign-in.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { Retrying } from '../../../ui/text/time-text.tsx';
import { SignInButton } from '../sign-in-button.tsx';
import { CauseHelp } from './cause-help.tsx';
import classes from './server-problems.module.css';
import { SignInNotice } from './sign-in-notice.tsx';
import { ClientForm, EnterValue, KeyForm } from './value-form.tsx';

/** Shows a server's problems and what helps. A sign-in in progress replaces the problem it solves. */
export function ServerProblems({ server }: { server: ServerView }) {
  const { auth, warnings } = server;
  const waiting = auth?.pending === true;
  const signIn = signInProblem(server);
  const other =
    wantsSignIn(server) || auth?.problem?.code === server.problem?.code ? undefined : server.problem;
  const placeholders = warnings.filter(({ code }) => code === 'config.placeholder');
  const others = warnings.filter(({ code }) => code !== 'config.placeholder');
  if (!waiting && signIn === undefined && other === undefined && warnings.length === 0) return null;
  return (
    <>
      {waiting && <SignInNotice server={server} />}
      {!waiting && signIn !== undefined && <AccessProblem server={server} problem={signIn} />}
      {!isRunning(server) &&
        placeholders.map((warning) => <Warning key={warning.sentence} server={server} warning={warning} />)}
      {!waiting && other !== undefined && accessCodes.has(other.code) && (
        <AccessProblem server={server} problem={other} />
      )}
      {other !== undefined && !accessCodes.has(other.code) && (
        <HelpedProblem
          server={server}
          problem={other}
          severity={isRunning(server) ? 'warning' : 'bad'}
          form={<MissingValues server={server} />}
          note={<RetryNote server={server} />}
        >
          <LikelyFix server={server} problem={other} />
        </HelpedProblem>
      )}
      {(isRunning(server) ? warnings : others).map((warning) => (
        <Warning key={warning.sentence} server={server} warning={warning} />
      ))}
    </>
  );
}

const accessCodes: ReadonlySet<ProblemCode> = new Set([
  'server.unauthorized',
  'server.key_needed',
  'server.key_refused',
  'server.client_id_needed',
]);

/** Shows that a remote server denies access, with a field for what it asks for and the alternative. */
function AccessProblem({ server, problem }: { server: ServerView; problem: Problem }) {
  const [wantsKey, setWantsKey] = useState(false);
  const { key, auth } = server;
  const place = server.missing?.find((one) => one.place.kind === 'header')?.place;
  const isKey = wantsKey || place !== undefined;
  const needsClient = !isKey && problem.code === 'server.client_id_needed';
  const canSignIn = auth !== undefined && problem.code !== 'server.client_id_needed';
  return (
    <HelpedProblem
      server={server}
      problem={problem}
      severity={problem.code === 'server.key_refused' || auth?.problem !== undefined ? 'bad' : 'warning'}
      form={
        isKey ? (
          <KeyForm key={JSON.stringify(place)} serverKey={key} place={place} focused={wantsKey} />
        ) : (
          needsClient && <ClientForm serverKey={key} />
        )
      }
    >
      {canSignIn && <SignInButton server={server} />}
      {problem.code === 'server.key_needed' && auth === undefined && <SignInInstead serverKey={key} />}
      {!isKey && (
        <HelpButton icon={<KeyRound size={13} aria-hidden />} onClick={() => setWantsKey(true)}>
          Use an API key instead
        </HelpButton>
      )}
      {wantsKey && problem.code === 'server.client_id_needed' && (
        <HelpButton icon={<LogIn size={13} aria-hidden />} onClick={() => setWantsKey(false)}>
          Use a client ID instead
        </HelpButton>
      )}
    </HelpedProblem>
  );
}

/** Offers sign-in, which some old servers support without announcing it. */
function SignInInstead({ serverKey }: { serverKey: string }) {
  const model = useModel();
  return (
    <HelpButton icon={<LogIn size={13} aria-hidden />} onClick={() => void signInServer(model, serverKey)}>
      Sign in instead
    </HelpButton>
  );
}

/** Asks for values that the entry refers to or the program requires. */
function MissingValues({ server: { key, missing = [] } }: { server: ServerView }) {
  const wanted = missing.filter(({ place }) => place.kind !== 'header' && place.kind !== 'placeholder');
  if (wanted.length === 0) return null;
  return (
    <div className={classes.values}>
      {wanted.map((one) => (
        <EnterValue key={one.label} serverKey={key} missing={one} named={wanted.length > 1} />
      ))}
    </div>
  );
}

function Warning({ server, warning }: { server: ServerView; warning: Problem }) {
  const model = useModel();
  const { key } = server;
  switch (warning.code) {
    case 'server.list_failed':
      return (
        <HelpedProblem server={server} problem={warning} severity="warning">
          <ActionButton action={tryNowAction} serverKey={key} />
        </HelpedProblem>
      );
    case 'config.placeholder': {
      const field = warning.evidence.find(({ label }) => label === 'field')?.value;
      const missing = server.missing?.find(
        ({ place }) => place.kind === 'placeholder' && place.field === field,
      );
      return (
        <ProblemCard
          problem={warning}
          about={key}
          severity="warning"
          form={
            missing === undefined ? null : (
              <div className={classes.values}>
                <EnterValue serverKey={key} missing={missing} named={false} />
              </div>
            )
          }
        />
      );
    }
    case 'server.stateful_shared':
      return (
        <HelpedProblem server={server} problem={warning} severity="warning">
          <HelpButton icon={<Split size={13} aria-hidden />} onClick={() => void isolateServer(model, key)}>
            Run one per client
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
  /** Fields for missing values. */
  readonly form?: ReactNode;
  /** The main action. */
  readonly children: ReactNode;
  /** Shown after the buttons. */
  readonly note?: ReactNode;
}

function HelpedProblem({ server, problem, severity, form, children, note }: HelpedProblemProps) {
  const model = useModel();
  return (
    <ProblemCard
      problem={problem}
      about={server.key}
      severity={severity}
      open={severity === 'bad' || accessCodes.has(problem.code)}
      form={form}
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

/** Offers the likeliest fix: find a missing program, otherwise try again. */
function LikelyFix({ server, problem }: { server: ServerView; problem: Problem }) {
  const model = useModel();
  if (isRunning(server)) return <ActionButton action={startAction(server)} serverKey={server.key} />;
  if (problem.code === 'config.missing_secret' || problem.code === 'config.missing_env_var') return null;
  const { cause } = problem;
  return (
    <>
      {cause !== undefined && <CauseHelp serverKey={server.key} cause={cause} />}
      <ActionButton action={tryNowAction} serverKey={server.key} />
      {server.transport === 'stdio' && programProblems.has(problem.code) && (
        <HelpButton
          icon={<Route size={13} aria-hidden />}
          onClick={() => void explainCommand(model, server.key)}
        >
          Which version runs?
        </HelpButton>
      )}
    </>
  );
}

const programProblems: ReadonlySet<ProblemCode> = new Set([
  'server.command_not_found',
  'server.spawn_failed',
]);

/** Says when Patchbay retries, or that it does not. */
function RetryNote({ server }: { server: ServerView }) {
  if (isRunning(server) || server.status === 'connecting') return null;
  return (
    <span className={classes.retry}>
      {server.nextTryAt === undefined ? (
        'Patchbay won’t retry on its own.'
      ) : (
        <Retrying at={server.nextTryAt} />
      )}
    </span>
  );
}

function ActionButton({ action, serverKey }: { action: ServerAction; serverKey: string }) {
  const model = useModel();
  const { icon: Icon, title, run } = action;
  return (
    <HelpButton icon={<Icon size={13} aria-hidden />} onClick={() => run(model, serverKey)}>
      {title}
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
