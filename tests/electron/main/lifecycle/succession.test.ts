import { describe, expect, it } from 'vitest';
import { HubTakeover } from '../../../../electron/main/lifecycle/succession.ts';
import { someProblem } from '../../../helper/views.ts';

function bench() {
  const told: string[] = [];
  const state = { isTaken: true, waits: 0, look: () => {} };
  const succession = new HubTakeover({
    hub: { retry: async () => void told.push('retry') },
    isTaken: async () => state.isTaken,
    async endOther() {
      told.push('end');
      state.isTaken = false;
    },
    every(_milliseconds, action) {
      state.waits += 1;
      state.look = action;
      return {
        dispose() {
          state.waits -= 1;
        },
      };
    },
  });
  const look = async () => {
    state.look();
    await new Promise(setImmediate);
  };
  return { told, state, succession, look };
}

const taken = someProblem('hub.already_running');

describe('an app whose data folder another hub owns', () => {
  it('[PB-APP-1] [PB-HEAD-1] takes over once that hub has exited', async () => {
    const { told, state, succession, look } = bench();
    succession.started(taken);
    await look();
    expect(told).toEqual([]);
    state.isTaken = false;
    await look();
    expect(told).toEqual(['retry']);
    succession.started(undefined);
    expect(state.waits).toBe(0);
  });

  it('[PB-APP-1] [PB-HEAD-1] asks that hub to stop, and starts afterwards', async () => {
    const { told, succession } = bench();
    succession.started(taken);
    await succession.takeOver();
    expect(told).toEqual(['end', 'retry']);
  });

  it('[PB-APP-1] does not wait for other start failures', () => {
    const { state, succession } = bench();
    succession.started(someProblem('hub.data_folder_unwritable'));
    expect(state.waits).toBe(0);
  });
});
