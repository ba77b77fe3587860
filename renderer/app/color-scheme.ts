import type { MantineColorSchemeManager } from '@mantine/core';

/** Keeps nothing: the theme is one of the app's settings, not of the browser's storage. */
export const memoryColorScheme: MantineColorSchemeManager = {
  get: (defaultValue) => defaultValue,
  set: () => {},
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => {},
};
