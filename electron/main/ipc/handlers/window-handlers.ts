import type { ActivityFormat } from '../../../../shared/model/activity/activity.ts';
import { writeFileAtomic } from '../../../engine/engine.ts';
import type { ShellHandlers } from '../dispatcher.ts';
import type { HandlerContext } from '../handler-context.ts';

/**
 * Handles the calls of `window-calls.ts` except those about backups, in the same order. A call that opens a
 * dialog needs the hub first, since a call that finds the hub starting is made again.
 */
export function windowHandlers({ hub: run, limits, system, watches, changeSettings }: HandlerContext) {
  return {
    'server.watchLog': ({ key }) => {
      watches.watchLog(key);
      return run.hub.run('server.log', { key });
    },
    'server.unwatchLog': ({ key }) => watches.unwatchLog(key),
    'server.watchHealth': ({ key }) => {
      watches.watchHealth(key);
      return run.hub.run('server.health', { key });
    },
    'server.unwatchHealth': ({ key }) => watches.unwatchHealth(key),
    'process.watch': ({ on }) => watches.watchUsage(on),
    'activity.watch': () => watches.watchActivity(true),
    'activity.unwatch': () => watches.watchActivity(false),
    'activity.export': async ({ filter, format }) => {
      const { hub } = run;
      const file = await system.chooseTarget('Export activity', exportName(format));
      if (file === undefined) return { saved: false, rows: 0 };
      return { saved: true, ...(await hub.run('activity.write', { filter, format, file })) };
    },
    'audit.export': async ({ filter }) => {
      const { hub } = run;
      const file = await system.chooseTarget('Export the audit log', 'patchbay-audit.jsonl');
      if (file === undefined) return { saved: false, rows: 0 };
      return { saved: true, ...(await hub.run('audit.write', { filter, file })) };
    },
    'access.copyToken': async ({ id }) => system.copyText((await run.hub.run('access.rotate', { id })).token),
    'connect.locate': async ({ id }) => {
      const { hub } = run;
      const file = await system.chooseFile('Choose the config file');
      if (file === undefined) return { chosen: false };
      await hub.run('connect.setFile', { id, file });
      return { chosen: true };
    },
    'connect.forgetFile': ({ id }) => run.hub.run('connect.setFile', { id }),
    'connect.copySnippet': async (wish) =>
      system.copyText((await run.hub.run('connect.wholeSnippet', wish)).text),
    'connect.openBundle': async () =>
      system.openPath((await run.hub.run('connect.bundleFile', undefined)).file),
    'import.clipboard': async () => {
      const text = await system.readText();
      if (text.trim() === '' || text.length > maxClipLength) return {};
      const { session, entries } = await run.hub.run('import.parse', { text });
      await run.hub.run('import.close', { session });
      return entries.length === 0 ? {} : { text };
    },
    'import.openFile': async () => {
      const { hub } = run;
      const file = await system.chooseFile('Choose a config, a README or a bundle');
      return file === undefined ? {} : { preview: await hub.run('import.readFiles', { files: [file] }) };
    },
    'import.choosePath': async ({ kind, title }) => {
      const path = await system.chooseFile(title, kind);
      return path === undefined ? {} : { path };
    },
    'tester.save': async ({ runId }) => {
      const { answer } = await run.hub.run('tester.answer', { runId });
      const file = await system.chooseTarget('Save the answer', 'answer.json');
      if (file === undefined) return { saved: false };
      await writeFileAtomic(file, answer);
      return { saved: true };
    },
    'limits.set': async ({ name, value }) => {
      await changeSettings({ limits: limits.chosenWith(name, value ?? undefined) });
      return limits.list();
    },
  } satisfies Partial<ShellHandlers>;
}

function exportName(format: ActivityFormat): string {
  return `patchbay-activity.${format}`;
}

/** Characters; a longer text is not a config that was copied to be pasted here. */
const maxClipLength = 200_000;
