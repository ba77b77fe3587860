/**
 * Matches terminal control sequences: CSI (colours, cursor), OSC (titles, links; ended by BEL or ST) and
 * two-byte escapes; then the remaining control characters, except tab.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const sequences = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-Z\\-_]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Removes colours, cursor moves and other terminal codes. */
export function stripAnsi(text: string): string {
  return text.replace(sequences, '').replace(controls, '');
}
