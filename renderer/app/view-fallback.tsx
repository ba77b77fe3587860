import { Skeleton } from '@mantine/core';
import classes from './shell.module.css';

/** Placeholder of a view while its code or its first data is loading. */
export function ViewFallback() {
  return (
    <div className={classes.fallback} role="status" aria-label="Loading">
      <Skeleton height={18} width={120} radius={5} />
      {Array.from({ length: 6 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
        <Skeleton key={index} height={38} radius={6} />
      ))}
    </div>
  );
}
