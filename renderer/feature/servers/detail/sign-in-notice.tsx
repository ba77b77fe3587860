import { Button, Loader } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import { copySignInLink, signOutServer } from '../../../command/server/server-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import { Lasting } from '../../../ui/text/time-text.tsx';
import { SignInButton } from '../sign-in-button.tsx';

/**
 * Shows a sign-in in progress in the browser, with its link in case no page opened. It can be cancelled
 * unless an existing sign-in would be lost.
 */
export function SignInNotice({ server }: { server: ServerView }) {
  const model = useModel();
  const { key, auth } = server;
  const isUnopened = auth?.unopened === true;
  return (
    <Notice
      label="Sign-in"
      tone={isUnopened ? 'bad' : 'accent'}
      icon={isUnopened ? <TriangleAlert size={16} /> : <Loader size={16} />}
      title={
        <>
          {isUnopened ? 'No browser opened' : 'Waiting for the browser…'}{' '}
          {!isUnopened && auth?.since !== undefined && <Lasting since={auth.since} />}
        </>
      }
      text={
        isUnopened
          ? 'Copy the link and open it in a browser on this computer.'
          : 'Sign in there. If no page opened, copy the link into a browser on this computer.'
      }
    >
      <div className="flex wraps gap-8">
        <CopyButton
          onCopy={() => copySignInLink(model, key)}
          label="Copy the sign-in link"
          words="Copy link"
        />
        <SignInButton server={server} />
        {auth?.signedIn === false && (
          <Button variant="subtle" color="gray" onClick={() => void signOutServer(model, key)}>
            Cancel
          </Button>
        )}
      </div>
    </Notice>
  );
}
