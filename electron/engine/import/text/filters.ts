/** Returns the objects that a jq or yq filter adds to a file, each nested under its path. */
export function objectsOfFilters(text: string): string {
  const filters = text.matchAll(/\b[jy]q\b[^'\n]{0,200}'([^']{1,20000})'/g);
  const objects = [...filters].slice(0, maxFilters).flatMap(([, filter = '']) => objectsIn(filter));
  return objects.length === 0 ? text : objects.join('\n');
}

const maxFilters = 20;
/** Parts of a path: `.name`, `."name"`, `["name"]`. */
const part = /\.?\[\s{0,5}"([^"\n]{1,100})"\s{0,5}\]|\."([^"\n]{1,100})"|\.([A-Za-z_][\w-]{0,100})/g;

function objectsIn(filter: string): readonly string[] {
  const starts = [...filter.matchAll(/(?<![^\s|(])([^\s|(]{0,300})\s{0,20}(?:=|\+|\*)=?\s{0,20}(?=\{)/g)];
  return starts.map(({ index, 0: before, 1: path = '' }, at) => {
    const end = starts[at + 1]?.index ?? filter.length;
    const object = filter.slice(index + before.length, end).replace(/[\s|)]{1,20}$/, '');
    const names = [...path.matchAll(part)].map(([, a, b, c]) => JSON.stringify(a ?? b ?? c));
    return names.reduceRight((inner, name) => `{${name}: ${inner}}`, object);
  });
}
