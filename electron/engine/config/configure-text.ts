import type { ConfiguredServer } from './contract.ts';
import { requireValidEntry } from './edit-checks.ts';
import type { ExpandContext } from './expand-entry.ts';
import { parseText } from './parse.ts';
import { configureServer } from './resolve.ts';
import { validateFile } from './validate.ts';

/** Returns what an edited entry would run. Rejects with ProblemError if the text is not a valid entry. */
export async function configureText(
  key: string,
  text: string,
  context: ExpandContext,
): Promise<ConfiguredServer> {
  requireValidEntry(key, text);
  const { body } = parseText(text);
  // The line break ends a comment after the entry.
  const parsed = parseText(`{"mcpServers":{${JSON.stringify(key)}:${body}\n}}`);
  const judged = parsed.root === undefined ? undefined : validateFile(parsed, parsed.root);
  const [server] = judged?.ok === true ? judged.servers : [];
  if (server === undefined) throw new Error('a good entry makes a good file');
  return configureServer(parsed, server, context);
}
