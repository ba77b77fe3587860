import { dialog } from 'electron';
import type { QuitPlan } from '../../../shared/model/activity/call.ts';
import type { QuitAnswer } from '../lifecycle/quit-question.ts';

const answers = ['stay', 'drain', 'now'] as const satisfies readonly QuitAnswer[];

/** Asks in a system dialog what to do about connected clients. */
export async function askQuit({ clients, calls }: QuitPlan): Promise<QuitAnswer> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    title: 'Patchbay',
    message: 'Quit Patchbay?',
    detail: `Connected clients: ${clients.length}. Calls in progress: ${calls.length}. Quitting disconnects them; a client that is open starts Patchbay again with its next call.`,
    buttons: ['Keep running', 'Finish calls, then quit', 'Quit now'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return answers[response] ?? 'stay';
}
