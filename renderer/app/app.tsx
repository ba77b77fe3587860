import { type MantineColorSchemeManager, MantineProvider, useMantineColorScheme } from '@mantine/core';
import { usePrevious } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { useEffect, useLayoutEffect } from 'react';
import { useStore } from 'zustand/react';
import type { Problem } from '../../shared/error/problem.ts';
import type { HubView } from '../../shared/model/hub/hub.ts';
import type { Model } from '../store/model.ts';
import { ModelProvider, useModel } from '../store/model-context.tsx';
import { theme } from '../style/theme.ts';
import { readNonce } from '../ui/read-nonce.ts';
import { ErrorBoundary } from './page/error-boundary.tsx';
import { HubElsewhere } from './page/hub-elsewhere.tsx';
import { LinkLost } from './page/link-lost.tsx';
import { Shell } from './shell.tsx';
import classes from './toast.module.css';

interface AppProps {
  readonly model: Model;
  readonly onReconnect: () => void;
}

/** Renders the providers and one of three pages: the shell, a lost engine, or another hub in its place. */
export function App({ model, onReconnect }: AppProps) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={memoryColorScheme}
      getStyleNonce={() => readNonce(document)}
    >
      <ModelProvider model={model}>
        <ThemeFromSettings />
        <Notifications
          position="bottom-right"
          limit={4}
          containerWidth={380}
          zIndex={400}
          className={classes.corner ?? ''}
        />
        <LiveRegion />
        <ErrorBoundary>
          <Page onReconnect={onReconnect} model={model} />
        </ErrorBoundary>
      </ModelProvider>
    </MantineProvider>
  );
}

function Page({ model, onReconnect }: AppProps) {
  const state = useStore(model.linkState, (link) => link.state);
  const taken = useStore(model.mirrors.hub, takenBy);
  const wasTaken = usePrevious(taken);
  useEffect(() => {
    // Fetches what could not be fetched before.
    if (wasTaken !== undefined && taken === undefined) onReconnect();
  }, [wasTaken, taken, onReconnect]);
  if (state.kind === 'lost') return <LinkLost problem={state.problem} onRetry={onReconnect} />;
  return taken === undefined ? <Shell /> : <HubElsewhere problem={taken} />;
}

/** Returns the problem if another hub owns the data folder. */
function takenBy(hub: HubView | undefined): Problem | undefined {
  return hub?.problems.find(({ code }) => code === 'hub.already_running');
}

/** Stores nothing: the theme is an app setting, not browser storage. */
const memoryColorScheme: MantineColorSchemeManager = {
  get: (defaultValue) => defaultValue,
  set: () => {},
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => {},
};

/** Announces changes to screen readers. The key makes a repeated message count as a new one. */
function LiveRegion() {
  const { message, turn } = useStore(useModel().announcer);
  return (
    <div role="status" aria-live="polite" className="visually-hidden">
      <span key={turn}>{message}</span>
    </div>
  );
}

/** Applies the theme from the settings to the window. */
function ThemeFromSettings() {
  const { setColorScheme } = useMantineColorScheme();
  const theme = useStore(useModel().mirrors.settings, (settings) => settings?.theme);
  useLayoutEffect(() => {
    if (theme !== undefined) setColorScheme(theme === 'system' ? 'auto' : theme);
  }, [theme, setColorScheme]);
  return null;
}
