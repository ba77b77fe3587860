/** Members whose null is left out. */
export type WithoutNulls<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** Leaves out the members that a row of a database has as null. */
export function withoutNulls<T extends object>(members: T): WithoutNulls<T> {
  const present = Object.entries(members).filter(([, value]) => value != null);
  return Object.fromEntries(present) as WithoutNulls<T>;
}
