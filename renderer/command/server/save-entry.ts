import type { Model } from '../../store/model.ts';

/** Saves the text of an entry that was `base` before. Returns the text in the file; undefined after telling why not. */
export async function saveEntry(
  model: Model,
  key: string,
  base: string,
  text: string,
): Promise<string | undefined> {
  const answer = await model.link.call('server.saveText', { key, base, text });
  if (answer.ok) return answer.value.text;
  model.notify.problem(answer.problem);
  return undefined;
}
