import type { IpcCallName, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type { ProfilesView, ServerSelection } from '../../../shared/model/client/profile.ts';
import { withTools } from '../../../shared/model/client/profile-selection.ts';

type ProfileCall = Extract<IpcCallName, `profile.${string}`>;
type ProfileHandlers = { [N in ProfileCall]: (input: IpcInput<N>) => IpcOutput<N> };

/** Fakes profiles with the real schema. */
export function fakeProfiles(first: () => ProfilesView, push: (view: ProfilesView) => void): ProfileHandlers {
  let made: ProfilesView | undefined;
  const now = () => {
    made ??= first();
    return made;
  };
  const undone = new Map<string, ProfilesView>();
  const change = (next: ProfilesView) => {
    made = next;
    push(next);
    return undefined;
  };
  const find = (name: string) => now().profiles.find((profile) => profile.name === name);
  const users = (name: string) =>
    Object.keys(now().clients).filter((client) => now().clients[client] === name);
  const select = (name: string, servers: IpcInput<'profile.select'>['servers']) =>
    change({
      ...now(),
      profiles: now().profiles.map((one) => {
        if (one.name !== name) return one;
        const merged = Object.entries({ ...one.servers, ...servers });
        const kept = merged.filter((pair): pair is [string, ServerSelection] => pair[1] !== 'none');
        return { ...one, servers: Object.fromEntries(kept) };
      }),
    });
  return {
    'profile.list': now,
    'profile.create': ({ name, copyOf }) => {
      const servers = copyOf === undefined ? {} : (find(copyOf)?.servers ?? {});
      return change({ ...now(), profiles: [...now().profiles, { name, servers }] });
    },
    'profile.rename': ({ name, newName }) =>
      change({
        ...now(),
        profiles: now().profiles.map((one) => (one.name === name ? { ...one, name: newName } : one)),
        clients: Object.fromEntries(
          Object.entries(now().clients).map(([client, one]) => [client, one === name ? newName : one]),
        ),
      }),
    'profile.delete': ({ name, force }) => {
      if (!force && users(name).length > 0) {
        throw {
          code: 'profile.in_use',
          sentence: `"${name}" is used by ${users(name).join(', ')}.`,
          fix: 'Assign them another profile first, or delete it anyway: they then get everything.',
          evidence: [],
        };
      }
      const undoId = `undo-${undone.size}`;
      undone.set(undoId, now());
      change({
        ...now(),
        profiles: now().profiles.filter((one) => one.name !== name),
        clients: Object.fromEntries(Object.entries(now().clients).filter(([, one]) => one !== name)),
      });
      return { undoId };
    },
    'profile.undo': ({ undoId }) => change(undone.get(undoId) ?? now()),
    'profile.select': ({ name, servers }) => select(name, servers),
    'profile.setTools': ({ name, serverKey, names, on }) =>
      select(name, { [serverKey]: withTools(find(name)?.servers[serverKey], names, on) }),
    'profile.setCompact': ({ of, name, compact }) => {
      if (of === 'client') {
        const { [name]: _old, ...others } = now().compact ?? {};
        return change({ ...now(), compact: compact === 'inherit' ? others : { ...others, [name]: compact } });
      }
      return change({
        ...now(),
        profiles: now().profiles.map((one) => {
          const { compact: _old, ...rest } = one;
          if (one.name !== name) return one;
          return typeof compact === 'string' ? rest : { ...rest, compact };
        }),
      });
    },
    'profile.assign': ({ client, profile }) => {
      const { [client]: _old, ...others } = now().clients;
      return change({ ...now(), clients: profile === undefined ? others : { ...others, [client]: profile } });
    },
  };
}

export const noProfiles: ProfilesView = { profiles: [], clients: {} };

export const sampleProfiles: ProfilesView = {
  profiles: [
    {
      name: 'Coding',
      servers: {
        github: { only: ['list_issues', 'get_issues', 'create_issues', 'list_pull_request'] },
        filesystem: 'all',
        playwright: { except: ['delete_issues'] },
      },
    },
    { name: 'Writing', servers: { notion: 'all', memory: 'all' } },
    { name: 'Nothing yet', servers: {} },
  ],
  clients: { 'cursor-vscode': 'Coding' },
};
