/** Words without meaning for search: dropped from texts and queries unless nothing else is left. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at back be because been before being below between both but by
  can could did do does doing done down each else etc ever every few for from further get gets getting give given gives had
  has have having he her here him his how i if in into is it its itself just let lets like many may me might more most
  much must my need needs new no nor not now of off ok on once one only or other our out over own please put same see shall
  she should so some such than that the their them then there these they this those through to too under until up upon us
  use used user users using very via want wants was we were what when where which while who whom why will with within
  without would you your yours`
    .split(/\s+/)
    .filter((word) => !exceptions().has(word)),
);

/** Common words that nevertheless distinguish tools. */
function exceptions(): ReadonlySet<string> {
  return new Set(['get', 'user', 'users', 'new', 'like', 'off', 'on', 'who', 'when', 'where', 'put', 'all']);
}
