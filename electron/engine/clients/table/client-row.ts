import type { ConnectClient, Pickup } from '../../../../shared/model/connect.ts';
import type { Language } from '../format/contract.ts';
import type { Folders, System } from '../machine.ts';
import type { EntryShape } from './entry-shape.ts';

/** What is known of one client: all of it data, so that a new client is a new row. */
export interface ClientRow {
  readonly id: string;
  readonly title: string;
  readonly kind: ConnectClient['kind'];
  /**
   * Values of `clientInfo.name` it introduces itself by, the usual one first. What it takes of names and tools stands in
   * the catalogue's client table, under these.
   */
  readonly clientNames: readonly string[];
  readonly format: Language;
  /** The key at the top level of its file that entries stand under. */
  readonly root: string;
  /** Holds the entries inside the root, in files of newer versions. */
  readonly innerRoot?: string;
  readonly shape: EntryShape;
  /** Where its file is, by system; none for one that is only pointed at, or has no file. */
  readonly places?: Readonly<Record<System, (folders: Folders) => readonly Place[]>>;
  /** Whether a person can point at a file of it. */
  readonly canLocate: boolean;
  /** What its processes are called: full path of the program, or what it was started as. */
  readonly processes?: Readonly<Record<System, RegExp>>;
  /** It writes its whole file from what it read at its start: an edit made while it runs is lost. */
  readonly overwrites?: boolean;
  readonly pickup: Pickup;
  readonly pickupText: string;
  /** It installs `.mcpb` bundles. */
  readonly bundle?: boolean;
  /** Why it cannot use an HTTP endpoint on this machine. */
  readonly noHttp?: string;
}

/** One file that may be a client's. A folder named `*` or `NAME_*` stands for all that are called so. */
export interface Place {
  readonly file: string;
  /** What shows that the client is installed although the file is not there; the folder of the file, if not said. */
  readonly sign?: string;
}
