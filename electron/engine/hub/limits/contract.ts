import type { ChosenLimits, LimitName, LimitView } from '../../../../shared/model/limits.ts';
import type { Event } from '../../base/emitter.ts';

/** The part of the engine that manages limits; see model/limits.ts. */
export interface LimitsEngine {
  readonly limits: {
    list(): readonly LimitView[];
    /**
     * Applies the limits of the settings. Throws `hub.bad_limit` for an invalid value and then changes
     * nothing.
     */
    choose(chosen: ChosenLimits): void;
    /** Returns the settings with this limit set or removed. Throws `hub.bad_limit`. */
    chosenWith(name: LimitName, value: number | undefined): ChosenLimits;
    readonly onChange: Event<readonly LimitView[]>;
  };
}
