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

/** All commands that do not depend on listed items; the palette creates those of single servers. */
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
