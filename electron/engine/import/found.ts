import type { Problem } from '../../../shared/error/problem.ts';
import type { EntryIssue } from '../../../shared/model/import/import.ts';
import type { ImportInput } from '../../../shared/model/import/import-session.ts';
import type { EntryLocation } from '../clients/format/contract.ts';
import { literal, mapEntry } from './reference/map-texts.ts';

export type Entry = Readonly<Record<string, unknown>>;

/**
 * A server found in a source, in our form. Its texts may contain tokens of inputs; `args` that only occur
 * together form a nested list.
 */
export interface FoundServer {
  /** The name as written; empty if it has none. */
  readonly key: string;
  /** Display name, if its source has one besides the key. */
  readonly title?: string | undefined;
  readonly entry: Entry;
  /** Issues found while reading; the entry itself is validated later. */
  readonly issues: readonly EntryIssue[];
  /** The project it belongs to, if its source has several. */
  readonly project?: string;
  /** The member that contains it, if that is not the usual root of its app. */
  readonly under?: Omit<EntryLocation, 'key'>;
  /** A program that comes with the entry and is stored in the data folder. */
  readonly bundle?: Bundle;
  /** The apps it comes from. */
  readonly origins?: readonly FoundOrigin[];
  /** Inputs to ask for, if they differ from those of its source. */
  readonly inputs?: readonly FoundInput[];
}

/** An app that starts a server, and the location of its entry. */
export interface FoundOrigin {
  readonly client: string;
  readonly title: string;
  readonly file: string;
  readonly location: EntryLocation;
}

/** A file of an app, with the number of its servers. */
export interface FoundApp {
  readonly client: string;
  readonly title: string;
  readonly file: string;
  readonly servers: number;
  readonly problem?: Problem;
}

/** A value to ask for, with the texts that stand for it. */
export interface FoundInput {
  readonly view: ImportInput;
  readonly tokens: readonly Token[];
  /** The app or file that needs the value. */
  readonly from?: string;
}

export interface Token {
  readonly text: string;
  /** Converts the typed value to its replacement; by default the value itself. */
  readonly of?: (typed: string) => string;
}

/** A program that comes with its entry. */
export interface Bundle {
  /** Stands for the folder in the entry's texts. */
  readonly token: string;
  /** Name of the folder: letters, digits, dots and dashes. */
  readonly folder: string;
  /** Extracts its files into an empty folder. Rejects with ProblemError. */
  extract(folder: string): Promise<void>;
}

/** Replaces the bundle's folder token in the entry with a folder. */
export function withBundleFolder(entry: Entry, bundle: Bundle | undefined, folder: string): Entry {
  if (bundle === undefined) return entry;
  return mapEntry(entry, (text) => text.replaceAll(bundle.token, () => literal(folder)));
}

/** The servers found in a source. */
export interface FoundSource {
  readonly title: string;
  readonly file?: string;
  readonly servers: readonly FoundServer[];
  readonly inputs: readonly FoundInput[];
  /** Issues of the source as a whole. */
  readonly issues: readonly EntryIssue[];
  readonly forms?: readonly string[];
  /** The files it was read from, if they belong to apps. */
  readonly apps?: readonly FoundApp[];
}
