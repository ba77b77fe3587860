import type { Logger } from '../../engine/engine.ts';

/**
 * Records when each stage of the start was reached, in the log and as a performance mark `patchbay:STAGE`.
 */
export type MarkStage = (stage: StartStage) => void;
export type StartStage = 'ready' | 'window-made' | 'state-sent' | 'window-shown' | 'hub-started';

/** `created` is the creation time of the process in epoch milliseconds; unknown on some systems. */
export function createStageMarker(logger: Logger, created: number | null, now: () => number): MarkStage {
  const seen = new Set<StartStage>();
  return (stage) => {
    if (seen.has(stage)) return;
    seen.add(stage);
    performance.mark(`patchbay:${stage}`);
    const sinceStart = created === null ? undefined : Math.round(now() - created);
    logger.log('info', 'start', { stage, ...(sinceStart === undefined ? {} : { sinceStart }) });
  };
}
