import { ProblemError } from '../../../../shared/error/problem.ts';
import type { AdminCallName, AdminInput, AdminOutput } from '../../../../shared/ipc/admin-calls.ts';
import type { Importer } from '../../import/contract.ts';
import type { DataPaths } from '../../store/data-dir.ts';
import { runAccessCommand } from '../access/access-commands.ts';
import type { EngineConfig, EnginePorts } from '../contract.ts';
import { enterValue, setClient } from '../enter-value.ts';
import type { RunningHub } from '../running-hub.ts';
import { restartServer } from '../server-wishes.ts';
import { hubView, serverOf, signInServer, unknownServer, unknownTool } from '../views.ts';
import { isAnApp } from './other-hub.ts';

/** One handler for each row of the table of commands. */
export type AdminHandlers = {
  readonly [N in AdminCallName]: (input: AdminInput<N>) => Promise<AdminOutput<N>>;
};

export interface AdminHandlerOptions {
  readonly ports: Pick<EnginePorts, 'endAsked' | 'saveAskDestructive'>;
  readonly settings: EngineConfig;
  readonly paths: DataPaths;
  /** Resolves to the hub when it is complete. */
  readonly hub: () => Promise<RunningHub>;
  readonly imports: Importer;
}

/** Creates the handlers of commands, the counterparts of the window's actions. */
export function createAdminHandlers({
  ports,
  settings,
  paths,
  hub,
  imports,
}: AdminHandlerOptions): Omit<AdminHandlers, 'audit.note'> {
  return {
    'hub.status': async () => {
      const running = await hub();
      const servers = running.config.state.servers.flatMap(({ key }) => serverOf(running, key) ?? []);
      return { hub: hubView(settings, paths, running, []), servers, waiting: running.access.desk.list() };
    },
    'hub.stop': async () => {
      const { endAsked } = ports;
      if (endAsked === undefined) throw new ProblemError(isAnApp());
      // Lets the answer go out first.
      setTimeout(endAsked, answerTime);
      return { pid: process.pid };
    },
    'server.restart': async ({ key }) => {
      const running = await hub();
      if (!running.supervisor.servers.has(key)) throw new ProblemError(unknownServer(key));
      await restartServer(running, key);
    },
    'access.command': async (command) => {
      const { access, clock, catalogue } = await hub();
      const { book, desk, newClients } = access;
      const { saveAskDestructive = async () => {} } = ports;
      return runAccessCommand(
        { book, desk, newClients, clock, saveAskDestructive, catalogue: () => catalogue.current },
        command,
      );
    },
    'server.signIn': async ({ key }) => {
      const running = await hub();
      return running.signIns.signIn(signInServer(running, key));
    },
    'server.signOut': async ({ key }) => {
      const running = await hub();
      await running.signIns.signOut(signInServer(running, key));
    },
    'server.enterValue': async ({ key, place, value }) => ({
      secret: (await enterValue(await hub(), key, place, value)).name,
    }),
    'server.setSignInClient': async ({ key, client }) => {
      await setClient(await hub(), key, client);
    },
    'import.readApps': ({ client }) => imports.readApps(client),
    'import.readFiles': ({ files }) => imports.readFiles(files),
    'import.parse': ({ text }) => imports.parse(text),
    'import.undo': async ({ undoId }) => {
      await imports.undo(undoId);
    },
    'import.add': (choices) => imports.add(choices),
    'import.previewMove': async (wish) => ({ apps: await imports.previewMove(wish) }),
    'import.move': (wish) => imports.move(wish),
    'backup.make': async (options) => (await hub()).backup.make(options),
    'backup.preview': async ({ text }) => (await hub()).backup.preview(text),
    'backup.restore': async ({ text, ...options }) => (await hub()).backup.restore(text, options),
    'search.find': async (query) => (await hub()).search.find(query),
    'guard.list': async () => (await hub()).guard.view(),
    'guard.review': async ({ serverKey, name, digest }) => {
      const review = await (await hub()).guard.review(serverKey, name, digest);
      if (review === undefined) throw new ProblemError(unknownTool(serverKey, name));
      return review;
    },
    'guard.decide': async ({ serverKey, tools, decision }) => ({
      undoId: (await hub()).guard.decide(serverKey, tools, decision),
    }),
    'guard.undo': async ({ undoId }) => {
      (await hub()).guard.undo(undoId);
    },
  };
}

/** Milliseconds given to an answer to be sent. */
const answerTime = 100;
