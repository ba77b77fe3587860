import type { IpcInput } from '../../../../shared/ipc/contract.ts';
import type { ProfilesView } from '../../../../shared/model/profile.ts';
import type { Event } from '../../base/emitter.ts';

/** The part of the engine that manages named selections of servers and tools, and which client uses which. */
export interface ProfilesEngine {
  readonly profiles: {
    list(): ProfilesView;
    create(name: string, copyOf?: string): Promise<void>;
    rename(name: string, newName: string): Promise<void>;
    /** Resolves to an id for {@link undo}. */
    delete(name: string, force: boolean): Promise<string>;
    undo(undoId: string): Promise<void>;
    select(name: string, servers: IpcInput<'profile.select'>['servers']): Promise<void>;
    setTools(name: string, serverKey: string, names: readonly string[], on: boolean): Promise<void>;
    assign(client: string, profile: string | undefined): Promise<void>;
    /** Sets compact tool lists for a client or a profile. */
    setCompact(wish: IpcInput<'profile.setCompact'>): Promise<void>;
    readonly onChange: Event<ProfilesView>;
  };
}
