import { Button, Loader } from '@mantine/core';
import type { ServerView } from '../../../../shared/model/server.ts';
import { signOutServer } from '../../../command/server-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { SignInButton } from '../sign-in-button.tsx';

/** A sign-in that goes on in the browser. It can be given up while nothing else would be lost with it. */
export function SignInNotice({ server }: { server: ServerView }) {
  const model = useModel();
  return (
    <Notice
      label="Sign-in"
      icon={<Loader size={16} />}
      title="Waiting for the browser…"
      text="Sign in there. Patchbay connects by itself when you are done."
      actions={
        <>
          <SignInButton server={server} />
          {server.auth?.signedIn === false && (
            <Button variant="subtle" color="gray" onClick={() => void signOutServer(model, server.key)}>
              Cancel
            </Button>
          )}
        </>
      }
    />
  );
}
