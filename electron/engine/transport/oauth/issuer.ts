/**
 * Returns true if two issuers are the same. Printing an address may change a trailing slash or the case of
 * the host; a segment in braces stands for any tenant of a multi-tenant service.
 */
export function isSameIssuer(named: string, other: string): boolean {
  if (named === other) return true;
  if (!URL.canParse(named) || !URL.canParse(other)) return false;
  const [one, two] = [new URL(named), new URL(other)];
  if (one.origin !== two.origin || one.search !== two.search) return false;
  const [segments, others] = [segmentsOf(one), segmentsOf(two)];
  return (
    segments.length === others.length &&
    segments.every((segment, index) => segment === others[index] || tenantPattern.test(segment))
  );
}

const tenantPattern = /^(?:%7B|\{)[a-z]{1,40}(?:%7D|\})$/i;

function segmentsOf({ pathname }: URL): readonly string[] {
  return pathname.replace(/\/$/, '').split('/');
}
