/** Boundaries between several requests in one query. */
const boundaries =
  /[.!?;\n]\s+|,\s+(?=(?:and )?(?:then|also|additionally|finally|lastly|next|after)\b)|(?<!\s)\s+and\s+(?=\w+ (?:the|a|an|me|my|it|its|all)\b)/giu;

/** Maximum number of parts; the last one takes the rest. */
const maxParts = 6;

/** Characters; shorter parts mean nothing on their own. */
const minPartLength = 12;

/** Returns the end of each part of a query; a single end if it asks for one thing. */
export function partEnds(query: string): readonly number[] {
  const ends: number[] = [];
  let from = 0;
  for (const { index } of query.matchAll(boundaries)) {
    if (index - from < minPartLength || ends.length === maxParts - 1) continue;
    ends.push(index);
    from = index;
  }
  const isRestShort = query.length - from < minPartLength && ends.length > 0;
  return isRestShort ? [...ends.slice(0, -1), query.length] : [...ends, query.length];
}
