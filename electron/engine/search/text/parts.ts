/** Where somebody who asks for several things begins with the next one. */
const joints =
  /[.!?;\n]\s+|,\s+(?=(?:and )?(?:then|also|additionally|finally|lastly|next|after)\b)|(?<!\s)\s+and\s+(?=\w+ (?:the|a|an|me|my|it|its|all)\b)/giu;

/** Parts of a query at most; the last holds all the rest. */
const mostParts = 6;

/** Characters; what is shorter says nothing by itself. */
const shortest = 12;

/** Where the parts of a query end: one end where it asks for one thing. */
export function partEnds(query: string): readonly number[] {
  const ends: number[] = [];
  let from = 0;
  for (const { index } of query.matchAll(joints)) {
    if (index - from < shortest || ends.length === mostParts - 1) continue;
    ends.push(index);
    from = index;
  }
  const isRestShort = query.length - from < shortest && ends.length > 0;
  return isRestShort ? [...ends.slice(0, -1), query.length] : [...ends, query.length];
}
