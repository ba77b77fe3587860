import { Button } from '@mantine/core';
import type { ServerView } from '../../../../shared/model/server.ts';
import { signOutServer } from '../../../command/server-actions.ts';
import { formatCount } from '../../../lib/format-amount.ts';
import { useModel } from '../../../store/model-context.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Fact, Facts, Section } from '../../../ui/facts.tsx';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import { Lasting, Until } from '../../../ui/time-text.tsx';
import { ProcessSection } from './process-section.tsx';
import classes from './server-page.module.css';
import { ServerProblems } from './server-problems.tsx';

/** How a server is, what is wrong with it, and what it runs as. */
export function OverviewTab({ server }: { server: ServerView }) {
  return (
    <ScrollRegion label="Overview" className={classes.scroll}>
      <ServerProblems server={server} />
      <Section title="State">
        <Facts>
          <StateFacts server={server} />
        </Facts>
      </Section>
      <Section title={server.transport === 'stdio' ? 'Command' : 'Endpoint'}>
        <Facts>
          <TargetFacts server={server} />
        </Facts>
      </Section>
      {server.transport === 'stdio' && <ProcessSection serverKey={server.key} />}
    </ScrollRegion>
  );
}

function StateFacts({ server }: { server: ServerView }) {
  const { connectedAt, nextTryAt } = server;
  return (
    <>
      {connectedAt === undefined ? (
        <Fact label="In this state">
          <Lasting since={server.since} />
        </Fact>
      ) : (
        <Fact label="Uptime">
          <Lasting since={connectedAt} />
        </Fact>
      )}
      {nextTryAt !== undefined && (
        <Fact label="Next try">
          <Until at={nextTryAt} />
        </Fact>
      )}
      {server.auth !== undefined && (
        <Fact label="Sign-in">
          <SignInState server={server} signedIn={server.auth.signedIn} />
        </Fact>
      )}
      <Fact label="Restarts">{server.restarts === 0 ? 'None since the hub started' : server.restarts}</Fact>
      <Fact label="Offers">
        <Offers server={server} />
      </Fact>
      {server.serverInfo !== undefined && (
        <Fact label="Introduces itself">
          {server.serverInfo.title ?? server.serverInfo.name} {server.serverInfo.version}
        </Fact>
      )}
      {server.protocolVersion !== undefined && <Fact label="Protocol">MCP {server.protocolVersion}</Fact>}
    </>
  );
}

function SignInState({ server, signedIn }: { server: ServerView; signedIn: boolean }) {
  const model = useModel();
  if (!signedIn) return 'Not signed in';
  return (
    <span className={classes.signIn}>
      Signed in
      <Button variant="default" onClick={() => void signOutServer(model, server.key)}>
        Sign out
      </Button>
    </span>
  );
}

function Offers({ server }: { server: ServerView }) {
  const { tools, disabledTools, resources, prompts } = server.counts;
  if (server.connectedAt === undefined && tools + resources + prompts === 0)
    return 'Not known until it has connected once';
  return (
    <>
      {formatCount(tools, 'tool')}
      {disabledTools > 0 && ` (${disabledTools} off)`}, {formatCount(resources, 'resource')},{' '}
      {formatCount(prompts, 'prompt')}
      {server.cached && <span className={classes.dim}> as of its last connection</span>}
    </>
  );
}

function TargetFacts({ server }: { server: ServerView }) {
  return (
    <>
      <Fact label="As written">
        <span className={classes.command}>
          <code>{server.target}</code>
          <CopyButton text={() => server.target} label="Copy as written" />
        </span>
      </Fact>
      {server.resolvedCommand !== undefined && (
        <Fact label="Really runs">
          <code>{server.resolvedCommand}</code>
        </Fact>
      )}
      <Fact label="Transport">{transportNames[server.transport]}</Fact>
      {server.pid !== undefined && (
        <Fact label="Process id">
          <span className="numeric">{server.pid}</span>
        </Fact>
      )}
    </>
  );
}

const transportNames: Readonly<Record<ServerView['transport'], string>> = {
  stdio: 'stdio, run on this computer',
  http: 'Streamable HTTP',
  sse: 'HTTP with server-sent events (older)',
};
