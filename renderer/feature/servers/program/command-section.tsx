import { Button } from '@mantine/core';
import { Route } from 'lucide-react';
import { useStore } from 'zustand/react';
import type { ServerView } from '../../../../shared/model/server.ts';
import { explainCommand } from '../../../command/program-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Fact, Facts, Section } from '../../../ui/facts.tsx';
import classes from './command-section.module.css';
import { ProgramPanel } from './program-panel.tsx';

/** What a server runs as, or where it is; for a command, which file that comes to. */
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
            Which program runs?
          </Button>
        )
      }
    >
      <Facts>
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
      </Facts>
      {explaining !== undefined && <ProgramPanel server={server} explaining={explaining} />}
    </Section>
  );
}

const transportNames: Readonly<Record<ServerView['transport'], string>> = {
  stdio: 'stdio, run on this computer',
  http: 'Streamable HTTP',
  sse: 'HTTP with server-sent events (older)',
};
