import { Button, Tooltip } from '@mantine/core';
import { KeyRound, Link, Plug } from 'lucide-react';
import { useStore } from 'zustand/react';
import { copyConnection } from '../../command/app/app-actions.ts';
import { useModel } from '../../store/model-context.tsx';
import classes from './clients-view.module.css';

/** Explains how to connect another client. */
export function ConnectPanel() {
  const endpoint = useStore(useModel().mirrors.hub, (hub) => hub?.endpoint);
  return (
    <section className={`row ${classes.connect}`} aria-label="Connect another client">
      <div>
        <h2 className={classes.connectTitle}>Connect another client</h2>
        <p className={classes.dim}>
          Paste the bridge entry into the app’s MCP config and restart the app. Apps that support HTTP can use{' '}
          {endpoint === undefined ? 'the HTTP entry' : <code className="selectable">{endpoint}</code>}.
        </p>
      </div>
      <div className="flex wraps gap-8">
        <ConnectButtons />
      </div>
    </section>
  );
}

/** Copies what a client's config may need. */
function ConnectButtons() {
  const model = useModel();
  return (
    <>
      <Button
        variant="default"
        leftSection={<Plug size={14} aria-hidden />}
        onClick={() => void copyConnection(model, 'bridge-json')}
      >
        Copy bridge entry
      </Button>
      <Button
        variant="default"
        leftSection={<Link size={14} aria-hidden />}
        onClick={() => void copyConnection(model, 'http-json')}
      >
        Copy HTTP entry
      </Button>
      <Button variant="default" onClick={() => void copyConnection(model, 'url')}>
        Copy URL
      </Button>
      <Tooltip label="This token gives full access: treat it like a password">
        <Button
          variant="default"
          leftSection={<KeyRound size={14} aria-hidden />}
          onClick={() => void copyConnection(model, 'token')}
        >
          Copy token
        </Button>
      </Tooltip>
    </>
  );
}
