import { useMantineColorScheme } from '@mantine/core';
import { useLayoutEffect } from 'react';
import { useStore } from 'zustand/react';
import { useModel } from '../store/model-context.tsx';

/** Applies the theme from the settings to the window. */
export function ThemeFromSettings() {
  const { setColorScheme } = useMantineColorScheme();
  const theme = useStore(useModel().mirrors.settings, (settings) => settings?.theme);
  useLayoutEffect(() => {
    if (theme !== undefined) setColorScheme(theme === 'system' ? 'auto' : theme);
  }, [theme, setColorScheme]);
  return null;
}
