import type { Recorder } from '../../activity/recorder.ts';
import { commandLine } from '../audit/command-line.ts';
import type { AuditNote } from '../audit/contract.ts';
import { type Described, withNotes } from '../audit/with-notes.ts';
import type { AdminHandlers } from './admin-handlers.ts';

type Operation =
  | 'hub.stop'
  | 'server.restart'
  | 'server.signIn'
  | 'server.signOut'
  | 'server.enterValue'
  | 'guard.decide'
  | 'guard.undo'
  | 'backup.make'
  | 'backup.restore';

/** Audit notes like those of the window, see audit/operations.ts. Access commands write their own. */
const operations: Described<AdminHandlers, Operation> = {
  'hub.stop': () => [{ kind: 'hub', action: 'stop' }],
  'server.restart': ({ key }) => [ofServer('restart', key)],
  'server.signIn': ({ key }) => [ofServer('sign-in', key)],
  'server.signOut': ({ key }) => [ofServer('sign-out', key)],
  'server.enterValue': ({ key }) => [
    { ...ofServer('edit', key), text: 'A value was entered, and stored as a secret.' },
  ],
  'guard.decide': ({ serverKey, tools, decision }) =>
    tools.map(({ name }) => ({ ...ofServer(`${decision}-definition`, serverKey), tool: name })),
  'backup.make': ({ passphrase }) => [
    { kind: 'hub', action: 'back-up', text: passphrase === undefined ? undefined : 'With secrets.' },
  ],
  'backup.restore': ({ how }) => [{ kind: 'hub', action: 'restore-backup', text: how }],
  'guard.undo': () => [{ kind: 'server', action: 'undo-definition-decision' }],
};

function ofServer(action: string, serverKey: string): AuditNote {
  return { kind: 'server', action, serverKey };
}

/** Adds audit notes to the handlers, and accepts notes of operations that commands did on their own. */
export function notedCommands(
  handlers: Omit<AdminHandlers, 'audit.note'>,
  recorder: Recorder,
): AdminHandlers {
  const note = ({ outcome = 'ok', actor = commandLine, ...about }: AuditNote) =>
    recorder.note({ ...about, outcome, actor });
  return {
    ...handlers,
    ...withNotes(handlers, operations, { note, actor: () => commandLine }),
    'audit.note': async (told) => {
      note(told);
      return undefined;
    },
  };
}
