import { Button, Loader } from '@mantine/core';
import type { ServerView } from '../../../../shared/model/server.ts';
import { signOutServer } from '../../../command/server-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import { SignInButton } from '../sign-in-button.tsx';
import classes from './sign-in-notice.module.css';

/** A sign-in that goes on in the browser. It can be given up while nothing else would be lost with it. */
export function SignInNotice({ server }: { server: ServerView }) {
  const model = useModel();
  return (
    <section className={classes.notice} aria-label="Sign-in">
      <Loader size={16} className={classes.icon ?? ''} aria-hidden />
      <div role="status" className={classes.words}>
        <p className={classes.title}>Waiting for the browser…</p>
        <p className={classes.text}>Sign in there. Patchbay connects by itself when you are done.</p>
      </div>
      <SignInButton server={server} />
      {server.auth?.signedIn === false && (
        <Button variant="subtle" color="gray" onClick={() => void signOutServer(model, server.key)}>
          Cancel
        </Button>
      )}
    </section>
  );
}
