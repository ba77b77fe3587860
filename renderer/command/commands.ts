import { accessCommands } from './access-commands.ts';
import { activityCommands } from './activity-commands.ts';
import { appCommands } from './app-commands.ts';
import type { Command } from './command.ts';
import { governCommands } from './govern-commands.ts';
import { guardCommands } from './guard-commands.ts';
import { profileCommands } from './profile-commands.ts';
import { serverCommands } from './server-commands.ts';
import { settingCommands } from './setting-commands.ts';
import { skillCommands } from './skill-commands.ts';
import { viewCommands } from './view-commands.ts';

/** Every command that does not depend on what is listed; those of single servers are made by the palette. */
export const commands: readonly Command[] = [
  ...viewCommands,
  ...serverCommands,
  ...guardCommands,
  ...governCommands,
  ...profileCommands,
  ...accessCommands,
  ...skillCommands,
  ...activityCommands,
  ...settingCommands,
  ...appCommands,
];
