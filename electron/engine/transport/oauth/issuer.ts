/**
 * Whether two issuers are one. A final slash and the spelling of the host are what printing an address may change; a
 * segment in braces is how a service with many tenants names all of them.
 */
export function isSameIssuer(named: string, other: string): boolean {
  if (named === other) return true;
  if (!URL.canParse(named) || !URL.canParse(other)) return false;
  const [one, two] = [new URL(named), new URL(other)];
  if (one.origin !== two.origin || one.search !== two.search) return false;
  const [segments, others] = [segmentsOf(one), segmentsOf(two)];
  return (
    segments.length === others.length &&
    segments.every((segment, index) => segment === others[index] || isTenant.test(segment))
  );
}

const isTenant = /^(?:%7B|\{)[a-z]{1,40}(?:%7D|\})$/i;

function segmentsOf({ pathname }: URL): readonly string[] {
  return pathname.replace(/\/$/, '').split('/');
}
