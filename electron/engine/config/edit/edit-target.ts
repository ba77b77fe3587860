import type { ValidText } from '../store/read-config.ts';

/** Runs text edits on the file; see ConfigCore. */
export interface EditTarget {
  read(): Promise<ValidText>;
  edit<T>(change: (good: ValidText) => { readonly body: string; readonly result: T }): Promise<T>;
}
