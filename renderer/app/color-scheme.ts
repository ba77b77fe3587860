import type { MantineColorSchemeManager } from '@mantine/core';

/** Stores nothing: the theme is an app setting, not browser storage. */
export const memoryColorScheme: MantineColorSchemeManager = {
  get: (defaultValue) => defaultValue,
  set: () => {},
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => {},
};
