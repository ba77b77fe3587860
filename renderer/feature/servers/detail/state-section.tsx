import { Button } from '@mantine/core';
import { serverProtocol } from '../../../../shared/model/server/protocol-text.ts';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import { startingText } from '../../../../shared/model/server/starting.ts';
import { tryNowAction } from '../../../command/server/one-server.ts';
import { signOutServer } from '../../../command/server/server-actions.ts';
import { isRunning, serverLook, shownStatus } from '../../../lib/server/server-status.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Fact, Facts, Section } from '../../../ui/facts.tsx';
import { SpokenProtocol } from '../../../ui/text/spoken-protocol.tsx';
import { Lasting, Until } from '../../../ui/text/time-text.tsx';
import classes from './server-page.module.css';

/** Shows the server's current status and history. */
export function StateSection({ server }: { server: ServerView }) {
  const { connectedAt, nextTryAt, restarts, auth, serverInfo } = server;
  return (
    <Section title="Status">
      <Facts short>
        <Fact label={connectedAt === undefined ? statusLabel(server) : 'Uptime'}>
          {connectedAt === undefined && 'For '}
          <Lasting since={connectedAt ?? server.since} />
          {server.starting !== undefined && `: ${startingText(server)}`}
        </Fact>
        {/* A problem card already shows it. */}
        {nextTryAt !== undefined && server.problem === undefined && (
          <Fact label="Next start">
            <NextTry serverKey={server.key} at={nextTryAt} />
          </Fact>
        )}
        {isRunning(server) && (
          <Fact label="Calls in progress">{server.activeCalls === 0 ? 'None' : server.activeCalls}</Fact>
        )}
        <Fact label="Starts">{startText(server)}</Fact>
        {server.isolation === 'per-client' && (
          <Fact label="Shared">
            No, {formatCount(server.instances, 'client has', 'clients have')} their own
          </Fact>
        )}
        {auth !== undefined && (
          <Fact label="Sign-in">
            <SignInState serverKey={server.key} signedIn={auth.signedIn} />
          </Fact>
        )}
        <Fact label="Restarts">{restarts === 0 ? 'None since Patchbay started' : restarts}</Fact>
        <Fact label="Tools">
          <OfferedCounts server={server} />
        </Fact>
        {serverInfo !== undefined && (
          <Fact label="Reports itself as">
            {serverInfo.title ?? serverInfo.name} {serverInfo.version}
          </Fact>
        )}
        <ProtocolFact server={server} />
      </Facts>
    </Section>
  );
}

function ProtocolFact({ server: { era, protocolVersion } }: { server: ServerView }) {
  if (era === undefined && protocolVersion === undefined) return null;
  return (
    <Fact label="Protocol">
      {era === undefined ? `MCP ${protocolVersion}` : <SpokenProtocol of={serverProtocol(era)} />}
    </Fact>
  );
}

function statusLabel(server: ServerView): string {
  return serverLook(server).label;
}

function startText(server: ServerView): string {
  if (server.start === 'auto')
    return shownStatus(server) === 'asleep' ? 'With Patchbay, asleep now' : 'With Patchbay';
  return 'On first call';
}

function NextTry({ serverKey, at }: { serverKey: string; at: number }) {
  const model = useModel();
  return (
    <span className={classes.withButton}>
      <Until at={at} />
      <Button variant="default" size="compact-xs" onClick={() => tryNowAction.run(model, serverKey)}>
        {tryNowAction.title}
      </Button>
    </span>
  );
}

function SignInState({ serverKey, signedIn }: { serverKey: string; signedIn: boolean }) {
  const model = useModel();
  if (!signedIn) return 'Not signed in';
  return (
    <span className={classes.withButton}>
      Signed in
      <Button variant="default" size="compact-xs" onClick={() => void signOutServer(model, serverKey)}>
        Sign out
      </Button>
    </span>
  );
}

function OfferedCounts({ server }: { server: ServerView }) {
  const { tools, disabledTools, resources, prompts } = server.counts;
  if (server.connectedAt === undefined && tools + resources + prompts === 0)
    return 'Shown after the first connection';
  return (
    <>
      {formatCount(tools, 'tool')}
      {disabledTools > 0 && ` (${disabledTools} off)`}, {formatCount(resources, 'resource')},{' '}
      {formatCount(prompts, 'prompt')}
      {server.cached && <span className="dim"> as of the last connection</span>}
    </>
  );
}
