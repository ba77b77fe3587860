import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useStore } from 'zustand/react';
import type { Model } from '../store/model.ts';
import { ModelProvider } from '../store/model-context.tsx';
import { theme } from '../style/theme.ts';
import { readNonce } from '../ui/read-nonce.ts';
import { memoryColorScheme } from './color-scheme.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { LinkLost } from './link-lost.tsx';
import { LiveRegion } from './live-region.tsx';
import { Shell } from './shell.tsx';
import { ThemeFromSettings } from './theme-from-settings.tsx';
import classes from './toast.module.css';

interface AppProps {
  readonly model: Model;
  readonly onReconnect: () => void;
}

/** Providers, and one of two pages: the shell, or the word that the engine is gone. */
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
  return state.kind === 'lost' ? <LinkLost problem={state.problem} onRetry={onReconnect} /> : <Shell />;
}
