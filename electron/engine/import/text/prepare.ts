import { cleanText, decodeEntities, withoutDiff, withoutTags } from './clean.ts';
import { csharpToJavaScript } from './csharp.ts';
import { unwrapLinks } from './wrapped-links.ts';

/** Restores a text that was copied from a terminal, a diff, a web page or a mail program. */
export function prepareText(text: string): string {
  const whole = decodedPage(withoutDiff(cleanText(text)));
  // Tags in a config are values.
  return csharpToJavaScript(unwrapLinks(whole.includes('{') ? whole : withoutTags(whole)));
}

/** Decodes HTML that is shown as text, possibly several times. */
function decodedPage(text: string): string {
  let page = text;
  for (let layer = 0; layer < maxLayers && hasEscapedTag(page); layer += 1) page = decodeEntities(page);
  return page;
}

const maxLayers = 3;

/** Tags within braces are values. */
function hasEscapedTag(text: string): boolean {
  const tag = /&(?:amp;){0,3}lt;(?:pre|code|p|div|span|li|ul|ol|td|table|h\d)\b/i.exec(text);
  return tag !== null && !text.slice(0, tag.index).includes('{');
}
