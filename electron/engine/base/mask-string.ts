import { maskText, type OnSecret } from './mask-text.ts';

/**
 * Masks a string of unknown meaning: encoded data becomes its size, the rest is masked as text and cut if it
 * is too long.
 */
export function maskString(
  text: string,
  longest: number,
  onSecret?: OnSecret,
): { readonly text: string; readonly isCut: boolean } {
  if (text.length >= shortestEncoded && encoded.test(text)) {
    return { text: `(base64, ${sizeText(Buffer.byteLength(text, 'base64'))})`, isCut: false };
  }
  if (text.length <= longest) return { text: maskText(text, onSecret), isCut: false };
  // Detection of secrets by shape needs the whole word, so some margin is read as well.
  const beginning = maskText(text.slice(0, longest + margin), onSecret)
    .slice(0, longest)
    .replace(/[\uD800-\uDBFF]$/, '');
  return { text: `${beginning}… (cut, ${text.length.toLocaleString('en')} characters)`, isCut: true };
}

/** Images, audio and files; `data:` URLs are recognized by their prefix. */
const encoded = /^(?:data:[^,]{0,200},)?[A-Za-z0-9+/_-]+={0,2}$/;
const shortestEncoded = 512;
const margin = 512;

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
