import { Button } from '@mantine/core';
import { Route } from 'lucide-react';
import { useStore } from 'zustand/react';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import { explainCommand } from '../../../command/server/program-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Fact, Facts, Section } from '../../../ui/facts.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import classes from './command-section.module.css';
import { ProgramPanel } from './program-panel.tsx';

/** Shows the server's command or URL and, for a command, the file it resolves to. */
export function CommandSection({ server }: { server: ServerView }) {
  const model = useModel();
  const explaining = useStore(model.explaining, ({ byKey }) => byKey[server.key]);
  const local = server.transport === 'stdio';
  return (
    <Section
      title={local ? 'Command' : 'Endpoint'}
      aside={
        local &&
        explaining === undefined && (
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<Route size={13} aria-hidden />}
            onClick={() => void explainCommand(model, server.key)}
          >
            Which version runs?
          </Button>
        )
      }
    >
      <Facts>
        <Fact label={local ? 'Command' : 'URL'}>
          <span className={classes.command}>
            <code>{server.target}</code>
            <CopyButton text={() => server.target} label={local ? 'Copy the command' : 'Copy the URL'} />
          </span>
        </Fact>
        {server.resolvedCommand !== undefined && (
          <Fact label="Resolved to">
            <code>{server.resolvedCommand}</code>
          </Fact>
        )}
        <Fact label="Transport">{transportNames[server.transport]}</Fact>
      </Facts>
      {explaining !== undefined && <ProgramPanel server={server} explaining={explaining} />}
    </Section>
  );
}

const transportNames: Readonly<Record<ServerView['transport'], string>> = {
  stdio: 'stdio, on this computer',
  http: 'Streamable HTTP',
  sse: 'HTTP with server-sent events (older)',
};
