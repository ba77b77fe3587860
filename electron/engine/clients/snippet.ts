import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type { ConnectSnippet } from '../../../shared/model/client/connect.ts';
import type { EntryLocation } from './format/contract.ts';
import { formatOf } from './format/format-of.ts';
import type { ClientRow } from './table/client-row.ts';
import type { Command, HttpTarget } from './table/entry-shape.ts';

export interface Snippet {
  readonly shown: ConnectSnippet;
  /** The text with the token; only for the clipboard. */
  readonly whole: string;
}

/** Returns the text to add to a client's file by hand. */
export async function snippetOf(
  row: ClientRow,
  place: EntryLocation,
  target: Command | HttpTarget,
): Promise<Snippet> {
  const format = await formatOf(row.format);
  const { language } = format;
  if ('command' in target) {
    const text = format.render(place, row.shape.stdio(target));
    return { shown: { text, language }, whole: text };
  }
  if (row.noHttp !== undefined) throw httpUnsupported(row.noHttp);
  const write = (token: string) => format.render(place, row.shape.http({ ...target, token }));
  return { shown: { text: write('•••'), language }, whole: write(target.token) };
}

function httpUnsupported(why: string): ProblemError {
  return new ProblemError(problem('client.unable', why, 'Use the entry that starts a program.'));
}
