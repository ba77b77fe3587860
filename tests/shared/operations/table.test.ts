import { describe, expect, it } from 'vitest';
import type { Door } from '../../../shared/operations/operation.ts';
import { isBehind, type OperationName, operations } from '../../../shared/operations/table.ts';

const names = Object.keys(operations) as OperationName[];

describe('a door', () => {
  it.each<[Door, readonly OperationName[], readonly OperationName[]]>([
    [
      'window',
      ['server.restart', 'server.add', 'access.create', 'backup.undo'],
      ['backup.make', 'access.rotate', 'hub.stop', 'server.signIn', 'connect.wholeSnippet', 'hub.setPort'],
    ],
    [
      'cli',
      ['server.restart', 'hub.stop', 'backup.make', 'server.signIn'],
      ['server.add', 'access.rotate', 'hub.setPort', 'server.signInLink'],
    ],
    [
      'rest',
      ['server.restart', 'server.add', 'access.rotate'],
      ['hub.stop', 'backup.make', 'backup.restore', 'server.sleep', 'hub.setPort'],
    ],
  ])('[PB-IPC-1] [PB-HEAD-1] %s leads to its operations only', (door, open, closed) => {
    expect(open.filter((name) => !isBehind(door, name))).toEqual([]);
    expect(closed.filter((name) => isBehind(door, name))).toEqual([]);
    const listed = names.filter((name) => operations[name].doors.some((one) => one === door));
    expect(names.filter((name) => isBehind(door, name))).toEqual(listed);
  });

  it.each(['', 'server', 'server.explode', 'constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    '[PB-IPC-1] leads to nothing called %j',
    (name) => {
      for (const door of ['window', 'cli', 'rest'] as const) expect(isBehind(door, name)).toBe(false);
    },
  );
});

describe('the table of operations', () => {
  it('[PB-IPC-1] names no door twice', () => {
    for (const name of names) {
      const { doors } = operations[name];
      expect([name, new Set(doors).size]).toEqual([name, doors.length]);
    }
  });
});
