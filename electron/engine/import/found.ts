import type { Problem } from '../../../shared/error/problem.ts';
import type { EntryIssue } from '../../../shared/model/import.ts';
import type { ImportInput } from '../../../shared/model/import-session.ts';
import type { EntryPlace } from '../clients/format/contract.ts';
import { literal, mapEntry } from './map-texts.ts';

export type Entry = Readonly<Record<string, unknown>>;

/**
 * A server found in a source, in our form. Its texts may hold tokens of inputs; texts of `args` that are only there
 * together stand in a list of their own.
 */
export interface FoundServer {
  /** As written; empty where it has no name. */
  readonly key: string;
  /** Name for people, where its source has one beside the key. */
  readonly title?: string;
  readonly entry: Entry;
  /** What was noticed while it was read; the entry itself is judged later. */
  readonly issues: readonly EntryIssue[];
  /** The project it belongs to, where its source keeps several. */
  readonly project?: string;
  /** Names the member that holds it, where that is not the usual root of its app. */
  readonly under?: Omit<EntryPlace, 'key'>;
  /** Its program comes along and is put into the data folder. */
  readonly bundle?: Bundle;
  /** The apps it comes from. */
  readonly origins?: readonly FoundOrigin[];
  /** Question to ask, where it differs from that of its source. */
  readonly inputs?: readonly FoundInput[];
}

/** An app that starts a server, and where its entry stands. */
export interface FoundOrigin {
  readonly client: string;
  readonly title: string;
  readonly file: string;
  readonly place: EntryPlace;
}

/** A file of an app with the number of servers in it. */
export interface FoundApp {
  readonly client: string;
  readonly title: string;
  readonly file: string;
  readonly servers: number;
  readonly problem?: Problem;
}

/** Something to be asked for, with the texts that stand for it. */
export interface FoundInput {
  readonly view: ImportInput;
  readonly tokens: readonly Token[];
  /** The app that asks. */
  readonly from?: string;
}

export interface Token {
  readonly text: string;
  /** What stands in its place, made of what was typed; that itself, if not said. */
  readonly of?: (typed: string) => string;
}

/** A program that comes with its entry. */
export interface Bundle {
  /** Stands for the folder in the entry's texts. */
  readonly token: string;
  /** Name of the folder, of letters, digits, dots and dashes. */
  readonly folder: string;
  /** Puts its files into an empty folder. Rejects with ProblemError. */
  extract(folder: string): Promise<void>;
}

/** The entry with a folder in the place of the one its program comes in. */
export function inFolder(entry: Entry, bundle: Bundle | undefined, folder: string): Entry {
  if (bundle === undefined) return entry;
  return mapEntry(entry, (text) => text.replaceAll(bundle.token, () => literal(folder)));
}

/** What a source holds. */
export interface FoundSource {
  readonly title: string;
  readonly file?: string;
  readonly servers: readonly FoundServer[];
  readonly inputs: readonly FoundInput[];
  /** About the source as a whole. */
  readonly issues: readonly EntryIssue[];
  readonly forms?: readonly string[];
  /** The files it was read from, where those belong to apps. */
  readonly apps?: readonly FoundApp[];
}
