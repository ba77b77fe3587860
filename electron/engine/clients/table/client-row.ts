import type { ConnectClient, Pickup } from '../../../../shared/model/client/connect.ts';
import type { Language } from '../format/contract.ts';
import type { Folders, System } from '../machine.ts';
import type { EntryShape } from './entry-shape.ts';

/** How to find and write the config of one client, as data, so that a new client is a new row. */
export interface ClientRow {
  readonly id: string;
  readonly title: string;
  readonly kind: ConnectClient['kind'];
  /**
   * Values of its `clientInfo.name`, the usual one first. Its limits for names and tools are in
   * `catalogue/client-facts` under these names, its display name in `shared/model/client/client-title`.
   */
  readonly clientNames: readonly string[];
  readonly format: Language;
  /** The top-level key of its file that holds the entries. */
  readonly root: string;
  /** The key inside the root that holds the entries in files of newer versions. */
  readonly innerRoot?: string;
  readonly shape: EntryShape;
  /** The locations of its file by system; absent if the user must choose the file, or there is none. */
  readonly places?: Readonly<Record<System, (folders: Folders) => readonly ConfigLocation[]>>;
  /** True if the user can choose its config file. */
  readonly canLocate: boolean;
  /** Matches its processes by the full path of the program, or the name it was started as. */
  readonly processes?: Readonly<Record<System, RegExp>>;
  /** True if it rewrites its whole file from memory, so that edits made while it runs are lost. */
  readonly overwrites?: boolean;
  readonly pickup: Pickup;
  readonly pickupText: string;
  /** True if it installs `.mcpb` bundles. */
  readonly bundle?: boolean;
  /** The reason why it cannot use an HTTP endpoint on this machine. */
  readonly noHttp?: string;
}

/** A possible file of a client. A folder named `*` or `NAME_*` is a wildcard. */
export interface ConfigLocation {
  readonly file: string;
  /**
   * A path that exists if the client is installed, even without the file; by default the folder of the file.
   */
  readonly sign?: string;
}
