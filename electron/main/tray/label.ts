/** Shortens long keys and names, which would widen the whole menu. */
export function shorten(text: string): string {
  const characters = Array.from(text.replace(/\s+/g, ' ').trim());
  if (characters.length <= maxLabelLength) return characters.join('');
  return `${characters.slice(0, maxLabelLength - 1).join('')}…`;
}

/** `1 server`, `2 servers`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

const maxLabelLength = 48;
