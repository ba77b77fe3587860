import { Button } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { signInServer } from '../../command/server/server-actions.ts';
import { signInVerb } from '../../lib/server/sign-in.ts';
import { useModel, useServerTitle } from '../../store/model-context.tsx';

/**
 * Opens the browser for a sign-in; `named` includes the server's name for screen readers where several
 * buttons are listed.
 */
export function SignInButton({ server, named = false }: { server: ServerView; named?: boolean }) {
  const model = useModel();
  const title = useServerTitle(server.key);
  const verb = signInVerb(server);
  return (
    <Button
      variant={server.auth?.pending === true ? 'default' : 'filled'}
      leftSection={<KeyRound size={13} aria-hidden />}
      aria-label={named ? `${verb}: ${title}` : undefined}
      onClick={() => void signInServer(model, server.key)}
    >
      {verb}
    </Button>
  );
}
