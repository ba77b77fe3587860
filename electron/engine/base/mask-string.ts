import { maskText, type OnSecret } from './mask-text.ts';

/**
 * Masks a string of unknown meaning: encoded data becomes its size, the rest is masked as text and cut if it
 * is too long.
 */
export function maskString(
  text: string,
  maxLength: number,
  onSecret?: OnSecret,
): { readonly text: string; readonly isCut: boolean } {
  if (text.length >= minEncodedLength && encoded.test(text)) {
    return { text: `(base64, ${sizeText(Buffer.byteLength(text, 'base64'))})`, isCut: false };
  }
  if (text.length <= maxLength) return { text: maskText(text, onSecret), isCut: false };
  // Detection of secrets by shape needs the whole word, so some margin is read as well.
  const beginning = maskText(text.slice(0, maxLength + margin), onSecret)
    .slice(0, maxLength)
    .replace(/[\uD800-\uDBFF]$/, '');
  return { text: `${beginning}… (cut, ${text.length.toLocaleString('en')} characters)`, isCut: true };
}

/** Images, audio and files; `data:` URLs are recognized by their prefix. */
const encoded = /^(?:data:[^,]{0,200},)?[A-Za-z0-9+/_-]+={0,2}$/;
const minEncodedLength = 512;
const margin = 512;

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
